"""Best guesses from all answers, always about every item; nothing here promises anything.

`answer_counts` keeps what every judge said. `link` is how judges answer, `posterior` fits scores and judges to the
answers, `by_pair` scores alone where all answers count alike, `tastes` makes room for judges who differ, `chances`
turns scores into ranks and chances with intervals. `whole_order` completes a list that is still being made.
"""
