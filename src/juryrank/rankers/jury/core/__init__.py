"""What a jury prefers on a set of cases, with no assumption about the judges. docs/jury.md has the proofs.

`table` is the whole evaluation (weights, never enumerated), `pair` is what was drawn of one pair and what came
back, `evidence` turns answers into proof. `claims` says what an objective needs, `attempt` is one list of claims
with its evidence, `robust` what its proof would survive. `opinion`, `candidates` and `machine` guess: they promise
nothing.
"""
