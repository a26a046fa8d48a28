"""What every ranker shares: `ranker` is the contract, with the methods that a new algorithm fills in.

`roster` has items, judges, prices, who is paused, which questions are out and the order in which answers count;
`limits` checks what a ranker is given; `estimates` are the best guess beside a result; `snapshots` write it down.
"""
