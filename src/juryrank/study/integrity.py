"""Is the log in the storage still the one that was written?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from juryrank.errors import LogAltered
from juryrank.log import Event, Head, check_rules, checked
from juryrank.storage.base import Storage

BEGINNING = Head()


def intact(events: Iterable[Event], *, after: Head = BEGINNING, schema: int | None = None) -> Iterator[Event]:
    """Events as a storage gives them, each held against the one before; raises LogAltered, and names the first."""
    try:
        yield from checked(events, after=after, schema=schema)
    except LogAltered as problem:
        raise LogAltered(
            f"the log of this study was altered in the storage: {problem}. The study cannot be used, and no "
            "certificate is issued from it: restore the storage from a back-up. `juryrank study export --format "
            "jsonl` still gives the raw events"
        ) from None


def checked_on(storage: Storage, study: int, *, after: Head, schema: int | None) -> Head:
    """The log's head, with every event from `after` on held against its hash."""
    for event in intact(storage.events(study, after=after.seq), after=after, schema=schema):
        after = Head(event.seq, event.hash)
    return after


def whole_log(storage: Storage, study: int) -> tuple[Event, ...]:
    """Every event of a study, held against its hash, the table of its kind and the rules between events."""
    events = tuple(intact(storage.events(study)))
    check_rules(events)
    return events
