"""One class per kind of event: its fields, under the names that are used on disk. Adding a kind is
adding a class here, a word in `kinds` and a method in `chain`.

A body checks its fields when it is made; `.data()` is what the log holds.

    >>> Told(q=1, answer="left", response_time=2.5).data()
    {'q': 1, 'answer': 'left', 'response_time': 2.5}
    >>> Told(q=1, answer="maybe")
    Traceback (most recent call last):
    juryrank.errors.BadInput: answer is 'maybe'; it must be left, right, tie or skip
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
    TIERS,
    WHOLE,
    Body,
    body,
    may_say,
    said,
)
from juryrank.log.kinds import (
    CLOCK,
    IMPORT,
    INSTALLATION,
    JUDGE,
    LOT,
    MONEY_ONLY,
    OWNER,
    OWNER_LATER,
    RANKER,
    SHOWN_ONLY,
    EventKind,
    Unheld,
)
from juryrank.log.terms import QUESTION_TERMS

IDENTICAL = "identical outputs"  # the source of an answer that needed no judge
WITHDRAWN = "withdrawn"  # the source of a skip that passes over a planned pair, as an item of it was withdrawn
OWN_WORK = "own-work"  # the source of a skip that passes over a pair, as an item of it is the judge's own
REFUSED = "refused"  # the source of a skip: the judge would not say
FAILED = "failed"  # the source of a skip: the judge was called and gave no answer
RECALLED = "recalled"  # the source of an answer that the judge gave to the very same in an earlier ranking
MODEL = "model"  # the source of an answer that a language model gave

STOPPING = Unheld("it says when to stop asking, and a promise holds whenever that is")
WITH_THE_QUESTION = Unheld("each question says its own deadline, which counts")


@body(EventKind.CREATED)
class Created(Body):
    """The ranking begins: always the first event, and only the first."""

    schema: str = said(SCHEMA, "what the whole log is, and in which form", by=INSTALLATION, held=("settings",))
    items: Sequence[str] = said(NAMES, "the items", by=OWNER, held=("events",))
    judges: Sequence[str] = said(NAMES, "the judges; more may join", by=OWNER, held=("events",))
    ranker: str = said(NAME, "the ranker's name", by=OWNER, held=("result",))
    error: float = said(LEVEL, "δ: the promise fails with at most this probability", by=OWNER, held=("result",))
    seed: int = said(
        WHOLE, "what random choices start from", by=OWNER, held=("draws", "plans", "replay"), default=0
    )
    budget: int | None = may_say(LIMIT, "the most questions to ask", by=OWNER, held=STOPPING, default=None)
    money: float | None = may_say(AMOUNT, "the most to spend", by=OWNER, held=STOPPING, default=None)
    prices: Mapping[str, float] | None = may_say(
        PRICES, "the price of an answer, by judge", by=OWNER, held=("events", "draws"), default=None
    )
    options: Mapping[str, Any] | None = may_say(
        MAPPING, "options of the ranker", by=OWNER, held=("options",), default=None
    )
    lease: float | None = may_say(
        SECONDS, "seconds to answer a question; null: no limit", by=OWNER, held=WITH_THE_QUESTION, default=None
    )
    sitting_lease: float | None = may_say(
        SECONDS, "seconds for a whole sitting", by=OWNER, held=WITH_THE_QUESTION, default=None
    )
    sitting_idle: float | None = may_say(
        SECONDS, "seconds without an answer that end a sitting", by=OWNER, held=WITH_THE_QUESTION, default=None
    )
    settings: Mapping[str, Any] | None = may_say(
        MAPPING, "wording and the like: see `edited`", by=OWNER, held=("draws",), default=None
    )
    fresh: bool | None = may_say(
        FLAG, "judges answer anew each time they are asked", by=OWNER, held=("result",), default=None
    )
    reason: str | None = may_say(
        TEXT, "why this ranker was chosen", by=INSTALLATION, held=SHOWN_ONLY, default=None
    )
    edits: Sequence[str] | None = may_say(
        TEXTS, "what makes the result post-hoc from the start", by=INSTALLATION, held=("result",), default=None
    )
    name: str | None = may_say(TEXT, "the study's name", by=OWNER, held=SHOWN_ONLY, default=None)


@body(EventKind.ASKED)
class Asked(Body):
    """A question is asked: who is shown what, on which terms, until when."""

    q: int = said(COUNT, "the question's number", by=RANKER, held=("questions",))
    judge: str = said(NAME, "who is asked", by=RANKER, held=("questions", "plans", "draws"))
    left: str = said(NAME, "the item shown on the left", by=RANKER, held=("questions", "plans", "draws"))
    right: str = said(NAME, "the item shown on the right", by=RANKER, held=("questions", "plans", "draws"))
    terms: Mapping[str, Any] | None = said(
        QUESTION_TERMS,
        "what the ranker fixed with it, such as a bet",
        by=RANKER,
        held=("attempts", "plans", "draws", "replay"),
        default=None,
    )
    deadline: str | None = said(
        MOMENT,
        "when it expires (UTC, by the storage's clock); null: never",
        by=CLOCK,
        held=("deadlines",),
        default=None,
    )
    sitting_deadline: str | None = may_say(
        MOMENT, "when the sitting lapses: with its first question", by=CLOCK, held=("deadlines",), default=None
    )
    sitting_idle: float | None = may_say(
        SECONDS,
        "seconds without an answer after which it lapses, if sooner: with its first question",
        by=OWNER,
        held=("deadlines",),
        default=None,
    )
    case: str | None = may_say(
        TEXT, "the case on which the two are compared", by=LOT, held=("draws",), default=None
    )
    shown: Sequence[str] | None = may_say(
        NAMES,
        "where several are shown together: all, in the order shown; `left` and `right` are the first and the last",
        by=LOT,
        held=("draws",),
        default=None,
    )
    asked_at: str | None = may_say(
        TEXT, "imported: when the other program asked", by=IMPORT, held=SHOWN_ONLY, default=None
    )
    cost: float | None = may_say(
        AMOUNT, "imported: what the answer cost", by=IMPORT, held=MONEY_ONLY, default=None
    )
    source: str | None = may_say(
        TEXT, "`import` where another program asked", by=INSTALLATION, held=("result",), default=None
    )


@body(EventKind.TOLD)
class Told(Body):
    """An answer: the first to its question, or the first after the one before was taken back."""

    q: int = said(COUNT, "the question's number", by=JUDGE, held=("answers",))
    answer: str = said(SIDE, "the side preferred, a tie, or no answer", by=JUDGE, held=("answers", "result"))
    grade: float | None = may_say(
        GRADE, "by how much: 1 for left, 0 a tie, -1 for right", by=JUDGE, held=("answers",), default=None
    )
    order: Sequence[Sequence[str]] | None = may_say(
        TIERS,
        "of several shown together: best first, those that are equal side by side",
        by=JUDGE,
        held=("answers",),
        default=None,
    )
    response_time: float | None = may_say(
        AMOUNT, "seconds from showing to answering", by=JUDGE, held=SHOWN_ONLY, default=None
    )
    source: str | None = may_say(
        TEXT, "where the answer came from", by=INSTALLATION, held=("answers", "draws"), default=None
    )
    comment: str | None = may_say(TEXT, "what the judge wrote beside it", by=JUDGE, held=SHOWN_ONLY, default=None)
    answered_at: str | None = may_say(
        TEXT, "imported: when it was answered", by=IMPORT, held=SHOWN_ONLY, default=None
    )
    cost: float | None = may_say(
        AMOUNT,
        "what a model's calls, or several of a program, cost",
        by=INSTALLATION,
        held=MONEY_ONLY,
        default=None,
    )


@body(EventKind.EXPIRED)
class Expired(Body):
    """A question's deadline passed without an answer; one that still comes is late, and does not count."""

    q: int = said(COUNT, "the question's number", by=CLOCK, held=("deadlines",))
    cost: float | None = may_say(
        AMOUNT,
        "what a model's calls, or several of a program, cost that gave no answer",
        by=INSTALLATION,
        held=MONEY_ONLY,
        default=None,
    )


@body(EventKind.LAPSED)
class Lapsed(Body):
    """A sitting's deadline passed: what it holds by now counts, and nothing after."""

    sitting: int = said(COUNT, "the sitting's number", by=CLOCK, held=("deadlines",))


@body(EventKind.RETRACTED)
class Retracted(Body):
    """An answer is taken back: by an undo (the question is open again), or after the fact and for good."""

    q: int = said(COUNT, "the question's number", by=OWNER_LATER, held=("answers",))
    told: int = said(COUNT, "the place in the log (seq) of the answer", by=INSTALLATION, held=("answers",))
    judge: str = said(NAME, "whose answer it was", by=INSTALLATION, held=("answers",))
    answer: str = said(SIDE, "what it said", by=INSTALLATION, held=("answers",))
    post_hoc: bool = said(FLAG, "true: the question stays closed", by=OWNER_LATER, held=("result",))
    by: str = said(AUTHOR, "whose credential took it back", by=INSTALLATION, held=("result",))


NEW_DRAWS = "on cases, where nobody chose the seed: drawn after all the rest, and part of each draw from here on"


@body(EventKind.JUDGE_ADDED)
class JudgeAdded(Body):
    """A judge joins."""

    judge: str = said(NAME, "who", by=OWNER_LATER, held=("events",))
    price: float = said(AMOUNT, "what an answer costs", by=OWNER_LATER, held=("draws",), default=1.0)
    entropy: int | None = may_say(WHOLE, NEW_DRAWS, by=INSTALLATION, held=("draws",), default=None)


@body(EventKind.JUDGE_PAUSED)
class JudgePaused(Body):
    """A judge is asked no more for now; answers given stay."""

    judge: str = said(NAME, "who", by=OWNER_LATER, held=("events", "draws"))
    reason: str | None = may_say(
        TEXT, "why, where a program did it", by=INSTALLATION, held=SHOWN_ONLY, default=None
    )


@body(EventKind.JUDGE_RESUMED)
class JudgeResumed(Body):
    """A paused or removed judge is asked again."""

    judge: str = said(NAME, "who", by=OWNER_LATER, held=("events", "draws"))


@body(EventKind.JUDGE_REMOVED)
class JudgeRemoved(Body):
    """A judge is asked no more."""

    judge: str = said(NAME, "who", by=OWNER_LATER, held=("events", "draws"))
    discard: bool | None = may_say(
        FLAG, "true: all their answers are left out (an edit)", by=OWNER_LATER, held=("result",), default=None
    )


@body(EventKind.ITEMS_ADDED)
class ItemsAdded(Body):
    """Items join the ranking."""

    items: Sequence[str] = said(
        NAMES, "the new items: none that was there before", by=OWNER_LATER, held=("events", "attempts", "plans")
    )
    same_outputs: int | None = may_say(
        LIMIT,
        "on cases: how often two systems, these included, give the same output for one",
        by=OWNER_LATER,
        held=("draws",),
        default=None,
    )
    entropy: int | None = may_say(WHOLE, NEW_DRAWS, by=INSTALLATION, held=("draws",), default=None)


@body(EventKind.ITEMS_WITHDRAWN)
class ItemsWithdrawn(Body):
    """Items that nobody is asked about any more; statements are made as if they were still there."""

    items: Sequence[str] = said(
        NAMES, "the items: each was there, and not withdrawn before", by=OWNER_LATER, held=("events", "result")
    )


@body(EventKind.CLOSED)
class Closed(Body):
    """No new questions; those already asked may still be answered."""


@body(EventKind.REOPENED)
class Reopened(Body):
    """Questions are asked again."""


@body(EventKind.EDITED)
class Edited(Body):
    """Settings that do not touch the ranking: wording, item contents, consent text."""

    settings: Mapping[str, Any] | None = said(
        MAPPING, "those that changed, with their new values", by=OWNER_LATER, held=("draws",), default=None
    )


@body(EventKind.RESTORED)
class Restored(Body):
    """The log up to here was read from a file, not written by this installation as it happened."""

    events: int = said(COUNT, "how many events were read", by=INSTALLATION, held=("events",))
    head: str = said(HASH, "the hash of the last of them", by=INSTALLATION, held=("events",))


@body(EventKind.KEY_CHANGED)
class KeyChanged(Body):
    """The installation signs with a new key from here on."""

    old: str = said(HASH, "the public key before (Ed25519)", by=INSTALLATION, held=("signature",))
    new: str = said(HASH, "the public key from now on", by=INSTALLATION, held=("signature",))
    signature: str = said(
        SIGNATURE,
        "the old key's, of the text `juryrank key 1`, old and new, a line each",
        by=INSTALLATION,
        held=("signature",),
    )


@body(EventKind.ASIDE)
class Aside(Body):
    """An answer that never counts in the ranking: to a gold pair, or of a model in a study about people.

    It has no question's number, so no ranker ever sees it. Whoever is surely wrong about gold pairs more often
    than right is set aside by the rankers whose promise is about right answers.
    """

    judge: str = said(NAME, "who was asked", by=INSTALLATION, held=("answers",))
    n: int = said(
        COUNT,
        "the number of this aside among the judge's asides, from 1 without gaps",
        by=INSTALLATION,
        held=("answers",),
    )
    purpose: str = said(PURPOSE, "why it was asked", by=OWNER, held=("answers",))
    left: str = said(NAME, "what was shown first: an item, or a text", by=OWNER_LATER, held=("answers",))
    right: str = said(NAME, "what was shown second", by=OWNER_LATER, held=("answers",))
    answer: str = said(SIDE, "the side preferred, a tie, or no answer", by=JUDGE, held=("result",))
    better: str | None = may_say(
        CHOICE,
        "of a gold pair: the side that is known to be better",
        by=OWNER_LATER,
        held=("answers", "result"),
        default=None,
    )
    case: str | None = may_say(
        TEXT, "the case on which the two are compared", by=OWNER_LATER, held=("result",), default=None
    )
    response_time: float | None = may_say(
        AMOUNT, "seconds from showing to answering", by=JUDGE, held=SHOWN_ONLY, default=None
    )
    cost: float | None = may_say(AMOUNT, "what the answer cost", by=INSTALLATION, held=MONEY_ONLY, default=None)
    comment: str | None = may_say(TEXT, "why there is no answer", by=JUDGE, held=SHOWN_ONLY, default=None)


@body(EventKind.PROBED)
class Probed(Body):
    """A judge was tried out before it was trusted with money; nothing of it is evidence."""

    judge: str = said(NAME, "who", by=OWNER_LATER, held=SHOWN_ONLY)
    found: Mapping[str, Any] = said(
        MAPPING, "what the probe found: see `juryrank judges probe`", by=INSTALLATION, held=SHOWN_ONLY
    )
    model: str | None = may_say(
        TEXT, "which model stands behind the name", by=OWNER_LATER, held=SHOWN_ONLY, default=None
    )
    cost: float | None = may_say(
        AMOUNT, "what the probe cost, where the price is known", by=INSTALLATION, held=MONEY_ONLY, default=None
    )


@body(EventKind.SEED_OPENED)
class SeedOpened(Body):
    """The seed of the draws, which the first event committed by its hash, is shown; no question may follow."""

    seed: int = said(WHOLE, "what random choices started from", by=INSTALLATION, held=("options",))
    salt: str = said(HASH, "what hid it in the hash", by=INSTALLATION, held=("options",))
