"""Best guesses from all answers: no promise, always every item.

`whole_order` completes a list that is still being made. `answer_counts` keeps what every judge said.
"""
