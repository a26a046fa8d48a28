"""One class per kind of event: its fields, under the names that are used on disk. Adding a kind is
adding a class here, a word in `kinds` and a method in `reader`.

A body checks its fields when it is made; `.data()` is what the log holds.

    >>> Told(q=1, answer="left", response_time=2.5).data()
    {'q': 1, 'answer': 'left', 'response_time': 2.5}
    >>> Told(q=1, answer="maybe")
    Traceback (most recent call last):
    juryrank.errors.BadInput: answer is 'maybe'; it must be left, right, tie or skip
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from juryrank.log.fields import (
    AMOUNT,
    AUTHOR,
    CHOICE,
    COUNT,
    FLAG,
    GRADE,
    HASH,
    LEVEL,
    LIMIT,
    LOG_SCHEMA,
    MAPPING,
    MOMENT,
    NAME,
    NAMES,
    PRICES,
    PURPOSE,
    SCHEMA,
    SECONDS,
    SIDE,
    SIGNATURE,
    TEXT,
    TEXTS,
    WHOLE,
    Body,
    body,
    may_say,
    said,
)
from juryrank.log.kinds import EventKind
from juryrank.types import Question

IDENTICAL = "identical outputs"  # the source of an answer that needed no judge
WITHDRAWN = "withdrawn"  # the source of a skip that passes over a planned pair, as an item of it was withdrawn
OWN_WORK = "own-work"  # the source of a skip that passes over a pair, as an item of it is the judge's own
REFUSED = "refused"  # the source of a skip: the judge would not say
FAILED = "failed"  # the source of a skip: the judge was called and gave no answer
MODEL = "model"  # the source of an answer that a language model gave


def settings(
    items: Iterable[str], *, judges: Iterable[str], ranker: str, error: float, seed: int = 0, **more: Any
) -> dict[str, Any]:
    """The data of a `created` event."""
    return {
        "schema": LOG_SCHEMA,
        "items": list(items),
        "judges": list(judges),
        "ranker": ranker,
        "error": error,
        "seed": seed,
        **more,
    }


@body(EventKind.CREATED)
class Created(Body):
    """The ranking begins: always the first event, and only the first."""

    schema: str = said(SCHEMA, "what the whole log is, and in which form")
    items: Sequence[str] = said(NAMES, "the items")
    judges: Sequence[str] = said(NAMES, "the judges; more may join")
    ranker: str = said(NAME, "the ranker's name")
    error: float = said(LEVEL, "δ: the promise fails with at most this probability")
    seed: int = said(WHOLE, "what random choices start from", default=0)
    budget: int | None = may_say(LIMIT, "the most questions to ask", default=None)
    money: float | None = may_say(AMOUNT, "the most to spend", default=None)
    prices: Mapping[str, float] | None = may_say(PRICES, "the price of an answer, by judge", default=None)
    options: Mapping[str, Any] | None = may_say(MAPPING, "options of the ranker", default=None)
    lease: float | None = may_say(SECONDS, "seconds to answer a question; null: no limit", default=None)
    sitting_lease: float | None = may_say(SECONDS, "seconds for a whole sitting", default=None)
    sitting_idle: float | None = may_say(SECONDS, "seconds without an answer that end a sitting", default=None)
    settings: Mapping[str, Any] | None = may_say(MAPPING, "wording and the like: see `edited`", default=None)
    fresh: bool | None = may_say(FLAG, "judges answer anew each time they are asked", default=None)
    reason: str | None = may_say(TEXT, "why this ranker was chosen", default=None)
    edits: Sequence[str] | None = may_say(TEXTS, "what makes the result post-hoc from the start", default=None)
    name: str | None = may_say(TEXT, "the study's name", default=None)


@body(EventKind.ASKED)
class Asked(Body):
    """A question is asked: who is shown what, on which terms, until when."""

    q: int = said(COUNT, "the question's number")
    judge: str = said(NAME, "who is asked")
    left: str = said(NAME, "the item shown on the left")
    right: str = said(NAME, "the item shown on the right")
    terms: Mapping[str, Any] | None = said(MAPPING, "what the ranker fixed with it, such as a bet", default=None)
    deadline: str | None = said(MOMENT, "when it expires (UTC, by the storage's clock); null: never", default=None)
    sitting_deadline: str | None = may_say(
        MOMENT, "when the sitting lapses: with its first question", default=None
    )
    sitting_idle: float | None = may_say(
        SECONDS, "seconds without an answer after which it lapses, if sooner: with its first question",
        default=None,
    )  # fmt: skip
    case: str | None = may_say(TEXT, "the case on which the two are compared", default=None)
    asked_at: str | None = may_say(TEXT, "imported: when the other program asked", default=None)
    cost: float | None = may_say(AMOUNT, "imported: what the answer cost", default=None)
    source: str | None = may_say(TEXT, "`import` where another program asked", default=None)


@body(EventKind.TOLD)
class Told(Body):
    """An answer: the first to its question, or the first after the one before was taken back."""

    q: int = said(COUNT, "the question's number")
    answer: str = said(SIDE, "the side preferred, a tie, or no answer")
    grade: float | None = may_say(GRADE, "by how much: 1 for left, 0 a tie, -1 for right", default=None)
    response_time: float | None = may_say(AMOUNT, "seconds from showing to answering", default=None)
    source: str | None = may_say(TEXT, "where the answer came from", default=None)
    comment: str | None = may_say(TEXT, "what the judge wrote beside it", default=None)
    answered_at: str | None = may_say(TEXT, "imported: when it was answered", default=None)
    cost: float | None = may_say(AMOUNT, "what a model's answer cost, where its price is known", default=None)

    @property
    def passes_own_work(self) -> bool:
        """Was the pair passed over unseen, as an item of it is the judge's own?"""
        return self.source == OWN_WORK and self.answer == "skip"


@body(EventKind.EXPIRED)
class Expired(Body):
    """A question's deadline passed without an answer; one that still comes is late, and does not count."""

    q: int = said(COUNT, "the question's number")
    cost: float | None = may_say(AMOUNT, "what a model's calls cost that gave no answer", default=None)


@body(EventKind.LAPSED)
class Lapsed(Body):
    """A sitting's deadline passed: what it holds by now counts, and nothing after."""

    sitting: int = said(COUNT, "the sitting's number")


@body(EventKind.RETRACTED)
class Retracted(Body):
    """An answer is taken back: by an undo (the question is open again), or after the fact and for good."""

    q: int = said(COUNT, "the question's number")
    told: int = said(COUNT, "the place in the log (seq) of the answer")
    judge: str = said(NAME, "whose answer it was")
    answer: str = said(SIDE, "what it said")
    post_hoc: bool = said(FLAG, "true: the question stays closed")
    by: str = said(AUTHOR, "whose credential took it back")


@body(EventKind.JUDGE_ADDED)
class JudgeAdded(Body):
    """A judge joins."""

    judge: str = said(NAME, "who")
    price: float = said(AMOUNT, "what an answer costs", default=1.0)


@body(EventKind.JUDGE_PAUSED)
class JudgePaused(Body):
    """A judge is asked no more for now; answers given stay."""

    judge: str = said(NAME, "who")
    reason: str | None = may_say(TEXT, "why, where a program did it", default=None)


@body(EventKind.JUDGE_RESUMED)
class JudgeResumed(Body):
    """A paused or removed judge is asked again."""

    judge: str = said(NAME, "who")


@body(EventKind.JUDGE_REMOVED)
class JudgeRemoved(Body):
    """A judge is asked no more."""

    judge: str = said(NAME, "who")
    discard: bool | None = may_say(FLAG, "true: all their answers are left out (an edit)", default=None)


@body(EventKind.ITEMS_ADDED)
class ItemsAdded(Body):
    """Items join the ranking."""

    items: Sequence[str] = said(NAMES, "the new items: none that was there before")
    same_outputs: int | None = may_say(
        LIMIT, "on cases: how often two systems, these included, give the same output for one", default=None
    )


@body(EventKind.ITEMS_WITHDRAWN)
class ItemsWithdrawn(Body):
    """Items that nobody is asked about any more; statements are made as if they were still there."""

    items: Sequence[str] = said(NAMES, "the items: each was there, and not withdrawn before")


@body(EventKind.CLOSED)
class Closed(Body):
    """No new questions; those already asked may still be answered."""


@body(EventKind.REOPENED)
class Reopened(Body):
    """Questions are asked again."""


@body(EventKind.EDITED)
class Edited(Body):
    """Settings that do not touch the ranking: wording, item contents, consent text."""

    settings: Mapping[str, Any] | None = said(MAPPING, "those that changed, with their new values", default=None)


@body(EventKind.RESTORED)
class Restored(Body):
    """The log up to here was read from a file, not written by this installation as it happened."""

    events: int = said(COUNT, "how many events were read")
    head: str = said(HASH, "the hash of the last of them")


@body(EventKind.KEY_CHANGED)
class KeyChanged(Body):
    """The installation signs with a new key from here on."""

    old: str = said(HASH, "the public key before (Ed25519)")
    new: str = said(HASH, "the public key from now on")
    signature: str = said(SIGNATURE, "the old key's, of the text `juryrank key 1`, old and new, a line each")


@body(EventKind.ASIDE)
class Aside(Body):
    """An answer that never counts in the ranking: to a gold pair, or of a model in a study about people.

    It has no question's number, so no ranker ever sees it. Whoever is surely wrong about gold pairs more often
    than right is set aside by the rankers whose promise is about right answers.
    """

    judge: str = said(NAME, "who was asked")
    n: int = said(COUNT, "the number of this aside among the judge's asides, from 1 without gaps")
    purpose: str = said(PURPOSE, "why it was asked")
    left: str = said(NAME, "what was shown first: an item, or a text")
    right: str = said(NAME, "what was shown second")
    answer: str = said(SIDE, "the side preferred, a tie, or no answer")
    better: str | None = may_say(CHOICE, "of a gold pair: the side that is known to be better", default=None)
    case: str | None = may_say(TEXT, "the case on which the two are compared", default=None)
    response_time: float | None = may_say(AMOUNT, "seconds from showing to answering", default=None)
    cost: float | None = may_say(AMOUNT, "what the answer cost", default=None)
    comment: str | None = may_say(TEXT, "why there is no answer", default=None)


@body(EventKind.PROBED)
class Probed(Body):
    """A judge was tried out before it was trusted with money; nothing of it is evidence."""

    judge: str = said(NAME, "who")
    found: Mapping[str, Any] = said(MAPPING, "what the probe found: see `juryrank judges probe`")
    model: str | None = may_say(TEXT, "which model stands behind the name", default=None)
    cost: float | None = may_say(AMOUNT, "what the probe cost, where the price is known", default=None)


@body(EventKind.SEED_OPENED)
class SeedOpened(Body):
    """The seed of the draws, which the first event committed by its hash, is shown; no question may follow."""

    seed: int = said(WHOLE, "what random choices started from")
    salt: str = said(HASH, "what hid it in the hash")


def asked(
    question: Question,
    *,
    deadline: str | None = None,
    sitting_deadline: str | None = None,
    sitting_idle: float | None = None,
) -> Asked:
    """The event that says that a question was asked.

    >>> asked(Question(1, "ann", "tea", "milk")).data()["right"]
    'milk'
    """
    return Asked(
        q=question.id,
        judge=cast(str, question.judge),  # checked like any other field
        left=cast(str, question.left),
        right=cast(str, question.right),
        terms=dict(question.terms),
        deadline=deadline,
        sitting_deadline=sitting_deadline,
        sitting_idle=sitting_idle,
        case=question.case,
    )
