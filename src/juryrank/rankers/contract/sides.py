"""An answer as logs and snapshots write it: left, right, tie or skip; a grade keeps its number beside the word."""

from __future__ import annotations

from juryrank.errors import BadAnswer
from juryrank.types import SKIP, TIE, Answer, Grade, Question

SIDES = ("left", "right", "tie", "skip")


def side_of(question: Question, answer: Answer) -> str:
    """An answer as a log writes it.

    >>> side_of(Question(1, "ann", "tea", "coffee"), "coffee"), side_of(Question(1, "ann", "tea", "coffee"), TIE)
    ('right', 'tie')
    """
    if answer is TIE or answer is SKIP:
        return str(answer.value)
    if isinstance(answer, Grade):
        return "tie" if answer.x == 0 else "left" if answer.x > 0 else "right"
    return "left" if answer == question.left else "right"


def grade_of(answer: Answer) -> float | None:
    """The number of a graded answer; None for every other one.

    >>> grade_of(Grade(0.5)), grade_of(TIE)
    (0.5, None)
    """
    return float(answer.x) if isinstance(answer, Grade) else None


def answer_of(question: Question, side: str, grade: float | None = None) -> Answer:
    """The answer that a log's word stands for.

    >>> answer_of(Question(1, "ann", "tea", "coffee"), "left")
    'tea'
    """
    if grade is not None:
        if side_of(question, Grade(grade)) != side:
            raise BadAnswer(f"a grade of {grade} does not go with the answer {side!r}")
        return Grade(grade)
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
