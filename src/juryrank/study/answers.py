"""Reading an answer: whose question it is, which side it means, and what the log already holds about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.errors import AnsweredTwice, BadAnswer, BadInput, UnknownQuestion, WrongJudge, shown
from juryrank.log import Event
from juryrank.rankers.contract.sides import checked_side, side_of
from juryrank.study.leases import Lease
from juryrank.study.ledger import Ledger
from juryrank.study.values import Receipt
from juryrank.types import SKIP, TIE, Answer, Question

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
        """What a log writes; raises where the answer is none, or comes from somebody else."""
        check_judge(lease, self.judge)
        return side_said(lease, self.answer, self.side)


def question_number(question: int | Question) -> int:
    """The number of a question; raises where it cannot be one."""
    number = question.id if isinstance(question, Question) else question
    if isinstance(number, bool) or not isinstance(number, int):
        raise BadInput(f"{number!r} is no question's number; give the id of a question that ask() gave you")
    if not 0 < number <= LAST_NUMBER:
        raise UnknownQuestion("there is no question of that number: they are counted from 1")
    return number


def known_of(
    *, response_time: float | None = None, source: str | None = None, comment: str | None = None
) -> dict[str, Any]:
    """What is known about an answer, checked.

    >>> known_of(response_time=2.5, source=None)
    {'response_time': 2.5}
    """
    number = isinstance(response_time, int | float) and not isinstance(response_time, bool)
    if response_time is not None and not (number and 0 <= response_time < float("inf")):
        raise BadInput(f"the response time is {response_time!r}; it is a number of seconds, 0 or more")
    for what, text in (("source", source), ("comment", comment)):
        if text is not None and not isinstance(text, str):
            raise BadInput(f"the {what} of an answer is {text!r}; it must be text")
    known = {"response_time": response_time, "source": source, "comment": comment}
    return {key: value for key, value in known.items() if value is not None}


def check_judge(lease: Lease, judge: str | None) -> None:
    """Raise if the answer comes from another judge than the one asked."""
    if judge is not None and judge != lease.judge:
        raise WrongJudge(
            f"question {lease.q} was asked of {shown(lease.judge)}, not of {shown(judge)}; nothing was recorded: "
            "answer a question of your own"
        )


def side_said(lease: Lease, answer: Answer, side: str | None) -> str:
    """What a log writes: left, right, tie or skip."""
    if side is not None:
        return checked_side(side)
    if answer not in (lease.left, lease.right) and answer not in (TIE, SKIP):
        raise BadAnswer(
            f"the answer to question {lease.q} is {answer!r}; it must be {lease.left!r}, {lease.right!r}, "
            "TIE or SKIP. Nothing was recorded: tell it again."
        )
    return side_of(Question(lease.q, lease.judge, lease.left, lease.right), answer)


def lease_of(asked: Event) -> Lease:
    """The lease that an `asked` event gave out."""
    ledger = Ledger()
    ledger.apply(asked)
    return ledger.open[asked.data["q"]]


def standing_answer(history: list[Event]) -> Event | None:
    """The `told` event that was not taken back."""
    standing: Event | None = None
    for event in history:
        if event.kind == "told":
            standing = event
        elif event.kind == "retracted":
            standing = None
    return standing


def was_late(history: list[Event]) -> bool:
    """Did the answer come after the deadline?"""
    kinds = [event.kind for event in history]
    return "expired" in kinds and "told" in kinds[kinds.index("expired") :]


def gone_for_good(history: list[Event]) -> bool:
    """Was the answer taken back after the fact?"""
    return any(event.kind == "retracted" and event.data.get("post_hoc") for event in history)


def lease_in(history: list[Event], number: int, *, study: str) -> Lease:
    """The lease of a question that is no longer open, from its history."""
    if not history:
        raise UnknownQuestion(
            f"question {number} was never asked in study {shown(study)}; answer one that ask() gave"
        )
    if gone_for_good(history):
        raise AnsweredTwice(
            f"question {number} was answered, and the answer taken back for good; ask for a new one"
        )
    return lease_of(history[0])


def told_before(lease: Lease, said: str, before: Event, history: list[Event]) -> Receipt:
    """The receipt of an answer that was on disk already; another answer than that raises."""
    first = before.data["answer"]
    if first != said:
        raise AnsweredTwice(
            f"question {lease.q} already has the answer {first!r}, given before this {said!r}; the first stands "
            "(its judge may undo it)"
        )
    return Receipt(lease.q, lease.judge, said, late=was_late(history), repeated=True)
