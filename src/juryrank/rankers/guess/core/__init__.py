"""Best guesses from all answers, always about every item; nothing here promises anything.

`answer_counts` keeps what every judge said. `link` is how judges answer. `posterior` fits scores and judges answer
by answer, quickly enough for `asking` to choose each question by it; `by_pair` and `judging` fit them pair by
pair, for `estimate`. `tastes` makes room for judges who differ, `chances` turns scores into ranks and chances with
intervals, and `places` keeps those to what is promised. `whole_order` completes a list that is still being made.
"""
