"""Reading an answer: whose question it is, which side it means, and what the log already holds about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.errors import AnsweredTwice, BadAnswer, BadInput, UnknownQuestion, WrongJudge, shown
from juryrank.log.bodies import IDENTICAL, WITHDRAWN
from juryrank.rankers.contract.sides import checked_side, grade_of, side_of
from juryrank.rankers.registry import ranker_class
from juryrank.study.ledger.leases import LastAnswer, Lease
from juryrank.study.ledger.question_history import QuestionHistory
from juryrank.study.values import Receipt
from juryrank.types import SKIP, TIE, Answer, Grade, Question

LAST_NUMBER = 2**63 - 1  # the largest that a database holds


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it was given: by item, TIE or SKIP, or by side; `known` is kept with it."""

    number: int
    answer: Answer = None
    side: str | None = None
    judge: str | None = None
    known: Mapping[str, Any] = field(default_factory=dict)

    def said(self, lease: Lease) -> str:
        """The answer as the log writes it; raises if it is not an answer, or comes from another judge."""
        check_judge(lease, self.judge)
        return side_said(lease, self.answer, self.side)


def question_number(question: int | Question) -> int:
    """The number of a question; raises if it cannot be one."""
    number = question.id if isinstance(question, Question) else question
    if isinstance(number, bool) or not isinstance(number, int):
        raise BadInput(f"{number!r} is not a question's number; give the id of a question that ask() gave you")
    if not 0 < number <= LAST_NUMBER:
        raise UnknownQuestion("there is no question of that number: they are counted from 1")
    return number


def check_grade(ranker: str) -> None:
    """Refuse a graded answer before it is written, where the ranker takes none."""
    if not ranker_class(ranker).takes_grades:
        raise BadAnswer(f"the ranker {ranker!r} takes no grades; answer with an item, TIE or SKIP")


def known_of(
    *,
    response_time: float | None = None,
    source: str | None = None,
    comment: str | None = None,
    answer: Answer = None,
    cost: float | None = None,
) -> dict[str, Any]:
    """What is kept with an answer (time, source, comment, cost), checked.

    >>> known_of(response_time=2.5, source=None)
    {'response_time': 2.5}
    """
    number = isinstance(response_time, int | float) and not isinstance(response_time, bool)
    if response_time is not None and not (number and 0 <= response_time < float("inf")):
        raise BadInput(f"the response time is {response_time!r}; it is a number of seconds, 0 or more")
    for what, text in (("source", source), ("comment", comment)):
        if text is not None and not isinstance(text, str):
            raise BadInput(f"the {what} of an answer is {text!r}; it must be text")
    if source in (IDENTICAL, WITHDRAWN):  # such answers are nobody's, and are not counted as anybody's
        raise BadInput(f"the source {source!r} is what the study calls its own answers; use another word")
    known = {
        "grade": grade_of(answer),
        "response_time": response_time,
        "source": source,
        "comment": comment,
        "cost": cost,
    }
    return {key: value for key, value in known.items() if value is not None}


def check_judge(lease: Lease, judge: str | None) -> None:
    """Raise if the answer comes from a judge other than the one asked."""
    if judge is not None and judge != lease.judge:
        raise WrongJudge(
            f"question {lease.q} was asked of {shown(lease.judge)}, not of {shown(judge)}; nothing was recorded: "
            "answer a question of your own"
        )


def side_said(lease: Lease, answer: Answer, side: str | None) -> str:
    """The answer as the log writes it: left, right, tie or skip."""
    if side is not None:
        return checked_side(side)
    if isinstance(answer, Grade):
        return side_of(Question(lease.q, lease.judge, lease.left, lease.right), answer)
    if answer not in (lease.left, lease.right) and answer not in (TIE, SKIP):
        raise BadAnswer(
            f"the answer to question {lease.q} is {answer!r}; it must be {lease.left!r}, {lease.right!r}, "
            "TIE or SKIP. Nothing was recorded: tell it again."
        )
    return side_of(Question(lease.q, lease.judge, lease.left, lease.right), answer)


def lease_in(history: QuestionHistory, number: int, *, study: str) -> Lease:
    """The lease of a question that is no longer open."""
    if history.lease is None:
        raise UnknownQuestion(
            f"question {number} was never asked in study {shown(study)}; answer one that ask() gave"
        )
    if history.gone_for_good:
        raise AnsweredTwice(
            f"question {number} was answered, and the answer taken back for good; ask for a new one"
        )
    return history.lease


def told_before(said: str, grade: float | None, before: LastAnswer, *, late: bool) -> Receipt:
    """The receipt of an answer that was on disk already; a different answer, or another grade, raises."""
    if (before.answer, before.grade) != (said, grade):
        raise AnsweredTwice(
            f"question {before.lease.q} already has the answer {_worded(before.answer, before.grade)}, given "
            f"before this {_worded(said, grade)}; the first stands (its judge may undo it)"
        )
    return Receipt(before.lease.q, before.lease.judge, said, late=late, repeated=True)


def _worded(said: str, grade: float | None) -> str:
    """An answer as people read it.

    >>> _worded("left", None), _worded("left", 0.5)
    ("'left'", "'left' (grade 0.5)")
    """
    return repr(said) if grade is None else f"{said!r} (grade {grade:g})"
