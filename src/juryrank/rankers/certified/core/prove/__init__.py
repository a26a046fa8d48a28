"""The proof: `evidence` has the two formulas and their theorem, `attempt` fixes a list, asks its links and lets it
go, `count` turns answers into evidence.
"""
