"""A study restored from its raw log: the same events, the same hashes, the same state to the last bit."""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadVotes, JuryrankError
from juryrank.log import Event, chained, check_rules
from juryrank.log.bodies import Restored
from juryrank.storage import Storage, open_storage
from juryrank.storage.values import usable_text, utc
from juryrank.study.state import StudyState
from juryrank.study.study import Study
from juryrank.votes.raw_log import RawLog


def restore_study(log: RawLog | Iterable[Event], *, name: str, storage: str | Storage = DEFAULT_STORAGE) -> Study:
    """The study of this log under a new name or in another storage: a back-up brought back, or a move.

    No promise is added and none lost: a certified result is certified there too, and open questions keep their
    deadlines. One more event says that the log was read from a file: whoever checks it should know that this
    installation did not see it grow. People's names are not in a log, so erased people stay erased.

    >>> from juryrank.storage import MemoryStorage
    >>> from juryrank.study import create_study
    >>> study = create_study("abc", name="first", judges=["ann"], ranker="iir", storage=MemoryStorage())
    >>> again = restore_study(study.events(), name="second", storage=study.storage)
    >>> [event.kind for event in again.events()]
    ['created', 'restored']
    """
    usable_text(name, what="name")
    events = checked_log(log)
    place = open_storage(storage)
    last = Restored(events=len(events), head=events[-1].hash)
    whole = (*events, chained(last.head, last.events + 1, *last.step, utc(place.now())))
    return Study(place, place.adopt(name, whole))


def checked_log(log: RawLog | Iterable[Event]) -> tuple[Event, ...]:
    """The events, if the chain is whole and the ranker can follow them; raises otherwise."""
    if not isinstance(log, RawLog):
        events = tuple(log)
        log = RawLog(events, tuple(event.seq for event in events))
    if not log.events:
        raise BadVotes("the log is empty: there is nothing to restore")
    state = StudyState()
    try:
        state.absorb(log.checked().events)
        state.settle()
        check_rules(log.events)
    except JuryrankError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise BadVotes(
            f"this log cannot be followed ({problem!r}): its hashes are whole, but no version of juryrank wrote "
            "it. Nothing was restored."
        ) from problem
    return log.events
