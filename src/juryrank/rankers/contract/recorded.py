"""How a ranker takes answers that it did not ask for: another ranker's log, or imported votes."""

from __future__ import annotations

from enum import Enum


class RecordedUse(Enum):
    """What a refold under this ranker does with the answers of a log."""

    OPINIONS = "each judge is one sitting, with one opinion on a pair; every answer is used"
    EVIDENCE = "the list is the best guess from all answers; those about neighbours are its evidence"
    ANSWERS = "the ranker asks its own questions, and the log answers them as far as it can"


class RecordedTerms(Enum):
    """What the questions of imported votes carry, so that the ranker can count their answers."""

    NONE = "none"
    VOTES = "votes"  # the judges are a fixed list: each question is a vote
    SITTINGS = "sittings"  # people come in sittings, whose plan is on record
