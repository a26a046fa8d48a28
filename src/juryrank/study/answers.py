"""Reading an answer: whose question it is, which side it means, and what the log already holds about it."""

from __future__ import annotations

from juryrank.errors import AnsweredTwice, BadAnswer, UnknownQuestion, WrongJudge
from juryrank.log import Event
from juryrank.rankers.base import side_of
from juryrank.study.ledger import Lease, Ledger
from juryrank.study.values import Receipt
from juryrank.types import SKIP, TIE, Answer, Question

ANSWER_SIDES = ("left", "right", "tie", "skip")


def check_judge(lease: Lease, judge: str | None) -> None:
    """Raise if the answer comes from another judge than the one asked."""
    if judge is not None and judge != lease.judge:
        raise WrongJudge(
            f"question {lease.q} was asked of {lease.judge!r}, not of {judge!r}; nothing was recorded: answer a "
            "question of your own"
        )


def side_said(lease: Lease, answer: Answer, side: str | None) -> str:
    """What a log writes: left, right, tie or skip."""
    if side is not None:
        if side not in ANSWER_SIDES:
            raise BadAnswer(f"{side!r} is not an answer; say left, right, tie or skip")
        return side
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
        raise UnknownQuestion(f"question {number} was never asked in study {study!r}; answer one that ask() gave")
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
