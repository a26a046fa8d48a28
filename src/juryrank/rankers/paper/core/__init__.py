"""The paper's rankers: a noisy walk on an interval tree, elimination and selection of judges.

`walk` (with `state` and `interval_tree`) places one item; `insertion` feeds it answers; `elimination` drops
judges, `selection` finds one; `constants` are the paper's and its released program's, with their thresholds.
"""
