"""What every ranker shares: `ranker` is the contract, with the methods that a new algorithm fills in.

A ranker has a `roster` (items, judges, prices, who is paused) and `open_questions` (which are out, and the order
in which answers count). `draft` is a question as an algorithm chooses it; `limits` checks what a ranker is given;
`sides` and `snapshots` write answers and state down.
"""
