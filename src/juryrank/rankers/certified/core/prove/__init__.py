"""The proof: `evidence` has the two formulas and their theorem, `attempt` fixes a list and lets it go,
`choose` asks its links, `count` turns answers into evidence.
"""
