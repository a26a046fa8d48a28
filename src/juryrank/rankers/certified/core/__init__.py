"""Search, then prove: the certified ranker as one state machine on arrays.

`machine` has every step, `phases` every phase and what changes it, `state` the record of scalars and the arrays.
`judge_accuracy` and `judge_choice` decide whom to ask, `search` finds a list, `prove` gathers its evidence,
`eliminate` finds the best item without a list, `giving_up` ends what cannot be settled.
"""
