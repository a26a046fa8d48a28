"""Who chooses the value of a field, when, knowing what; and which check of `verify` holds it.

Every field of every event, every term of a question and every option of a study names one of these sources and its
checks (`fields`, `terms`, `options`); docs/log.md shows them as tables.
"""

from __future__ import annotations

from dataclasses import dataclass


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
