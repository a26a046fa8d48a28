"""The kinds of events, under the words that are used on disk; what an event of each kind says is in `bodies`."""

from __future__ import annotations

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
