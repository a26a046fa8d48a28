"""Best guesses from all answers, always about every item; nothing here promises anything.

`link` is how judges answer. `posterior` fits scores and judges, for `asking` to choose each question by it and for
`estimate`; `running` and `many` do so for thousands of items. `tastes` makes room for judges who differ, `chances`
turns scores into ranks and chances with intervals. `whole_order` completes a list that is still being made.
"""
