"""A ranking as a log: events in one total order, each carrying the hash of the one before. State = fold(events).

    kinds             the kinds of events
    fields, bodies    what an event of each kind says, checked when it is written and when it is read
    chain             Event, and the hashes: `checked(events)` checks a log against its hashes and its table
    rules             what must hold between events: nothing expires early, nobody answers twice
    reader            the one way to walk events
    folding           the ranker that a log stands for
    taken_back        answers that were taken back, and which of them make a result post-hoc
    signatures        heads signed by an installation     receipts    short codes for a place in a log
    conduct           per judge: answers, ties, skips, expiries, undos
    paid              what the calls of a run cost

A new kind of event: a word in `kinds`, a class in `bodies`, a method in `reader`. docs/log.md has the table.
"""

from juryrank.log.bodies import settings
from juryrank.log.chain import GENESIS, Event, Head, chained, checked, event_hash, row_hash
from juryrank.log.conduct import Conduct, ConductTable, conduct_of
from juryrank.log.fields import LOG_SCHEMA
from juryrank.log.folding import Fold, fold, post_hoc, recorded_question
from juryrank.log.kinds import Author, EventKind
from juryrank.log.reader import LogReader, answers_taken_back, reaches_behind
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
