"""The proof: `evidence` has the two formulas and their theorem, `prove` asks a list's links until they hold."""
