"""A ranking as a log: events in one total order, each carrying the hash of the one before. State = fold(events).

    kinds             the kinds of events
    fields, bodies    what an event of each kind says, checked when it is written and when it is read
    chain             Event, and the hashes: `checked(events)` checks a log against its hashes and its table;
                      `LogReader`, the one way to walk events; answers that were taken back
    rules             what must hold between events: nothing expires early, nobody answers twice
    folding           the ranker that a log stands for, and what its calls cost
    receipts          short codes for a place in a log
    conduct           per judge: answers, ties, skips, expiries, undos

A new kind of event: a word in `kinds`, a class in `bodies`, a method in `chain`. docs/log.md has the table.
"""

from juryrank.log.chain import (
    GENESIS,
    Event,
    Head,
    LogReader,
    answers_taken_back,
    chained,
    checked,
    event_hash,
    reaches_behind,
    row_hash,
)
from juryrank.log.conduct import Conduct, ConductTable, conduct_of
from juryrank.log.fields import LOG_SCHEMA
from juryrank.log.folding import Fold, fold, post_hoc, recorded_question, settings
from juryrank.log.kinds import Author, EventKind
from juryrank.log.rules import check_rules

__all__ = [
    "GENESIS",
    "LOG_SCHEMA",
    "Author",
    "Conduct",
    "ConductTable",
    "Event",
    "EventKind",
    "Fold",
    "Head",
    "LogReader",
    "answers_taken_back",
    "chained",
    "check_rules",
    "checked",
    "conduct_of",
    "event_hash",
    "fold",
    "post_hoc",
    "reaches_behind",
    "recorded_question",
    "row_hash",
    "settings",
]
