"""The kinds of events, under the words that are used on disk; what an event of each kind says is in `bodies`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """The kind of an event. The words never change: logs hold them.

    >>> EventKind.TOLD == "told"
    True
    """

    CREATED = "created"
    ASKED = "asked"
    TOLD = "told"
    EXPIRED = "expired"
    LAPSED = "lapsed"
    RETRACTED = "retracted"
    JUDGE_ADDED = "judge_added"
    JUDGE_PAUSED = "judge_paused"
    JUDGE_RESUMED = "judge_resumed"
    JUDGE_REMOVED = "judge_removed"
    ITEMS_ADDED = "items_added"
    CLOSED = "closed"
    REOPENED = "reopened"
    EDITED = "edited"
    RESTORED = "restored"
    KEY_CHANGED = "key_changed"
    ASIDE = "aside"
    PROBED = "probed"
    SEED_OPENED = "seed_opened"
    ITEMS_WITHDRAWN = "items_withdrawn"


class Author(StrEnum):
    """Who took an answer back."""

    JUDGE = "judge"  # by the judge's own credential
    OWNER = "owner"
    PROGRAM = "program"


class Purpose(StrEnum):
    """Why somebody was asked something that never counts in the ranking."""

    GOLD = "gold"  # a pair whose better item is known
    BESIDE = "beside"  # a model's opinion in a study about people


# ----------------------------------------------------------------------------
# Who chooses the value of a field, when, knowing what; and which check of `verify` holds it.
#
# Every field of every event, every term of a question and every option of a study names one of these sources and
# its checks (`fields`, `terms`, `options`); docs/log.md shows them as tables.
@dataclass(frozen=True, slots=True)
class Chooser:
    """Who chooses a value, when, and what they can know of the answers by then."""

    name: str  # as the tables call it
    who: str
    when: str
    knowing: str


OWNER = Chooser("owner, first", "whoever makes the study", "with its first event", "no answer")
OWNER_LATER = Chooser("owner, later", "whoever runs the study", "at any moment", "every answer so far")
RANKER = Chooser("ranker", "the ranker", "when it asks", "the answers that came before, never this one")
LOT = Chooser(
    "lot", "the seed of the study", "when the ranker asks", "no answer: whoever knows the seed can foresee it"
)
JUDGE = Chooser("judge", "the judge", "when answering", "this question, and the judge's own answers before it")
ARRIVAL = Chooser("person", "the person asked", "before the first question of a sitting", "no question of it")
CLOCK = Chooser("clock", "the storage's clock", "when the event is written", "the time")
INSTALLATION = Chooser(
    "installation", "the program that keeps the log", "when the event is written", "the log so far"
)
IMPORT = Chooser("import", "another program", "before this log began", "perhaps every answer")

SOURCES = (OWNER, OWNER_LATER, RANKER, LOT, JUDGE, ARRIVAL, CLOCK, INSTALLATION, IMPORT)


@dataclass(frozen=True, slots=True)
class Unheld:
    """No check holds the value; `why` says why no promise rests on it."""

    why: str


Held = tuple[str, ...] | Unheld  # names of checks that `verify` makes


def held_words(held: Held) -> str:
    """For the tables.

    >>> held_words(("plans", "draws")), held_words(Unheld("shown only"))
    ('`plans`, `draws`', 'nothing: shown only')
    """
    return f"nothing: {held.why}" if isinstance(held, Unheld) else ", ".join(f"`{name}`" for name in held)


SHOWN_ONLY = Unheld("it is shown, and counts in no promise")
MONEY_ONLY = Unheld("it says what was paid, and no promise is about money")
