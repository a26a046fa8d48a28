"""An answer as logs and snapshots write it: left, right, tie or skip."""

from __future__ import annotations

from juryrank.errors import BadAnswer
from juryrank.types import SKIP, TIE, Answer, Question

SIDES = ("left", "right", "tie", "skip")


def side_of(question: Question, answer: Answer) -> str:
    """An answer as a log writes it.

    >>> side_of(Question(1, "ann", "tea", "coffee"), "coffee"), side_of(Question(1, "ann", "tea", "coffee"), TIE)
    ('right', 'tie')
    """
    if answer is TIE or answer is SKIP:
        return str(answer.value)
    return "left" if answer == question.left else "right"


def answer_of(question: Question, side: str) -> Answer:
    """The answer that a log's word stands for.

    >>> answer_of(Question(1, "ann", "tea", "coffee"), "left")
    'tea'
    """
    answers: dict[str, Answer] = {"left": question.left, "right": question.right, "tie": TIE, "skip": SKIP}
    return answers[checked_side(side)]


def checked_side(side: str) -> str:
    """The word, if it is one of SIDES.

    >>> checked_side("tie")
    'tie'
    """
    if side not in SIDES:
        raise BadAnswer(f"{side!r} is not an answer; say left, right, tie or skip")
    return side
