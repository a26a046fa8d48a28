"""Best guesses from all answers, always about every item; nothing here promises anything.

`posterior` says how judges answer and fits scores and judges, for `asking` to choose each question by it and for
`estimate`, which makes room for judges who differ; `many` does so for thousands of items. `chances` turns scores
into ranks and chances with intervals.
"""
