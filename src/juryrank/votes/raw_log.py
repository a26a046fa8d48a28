"""A raw log from its file: the very events of a study, each checked against the hash of the one before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from juryrank.errors import BadVotes, LogAltered
from juryrank.log import Event, EventKind, checked
from juryrank.log.bodies import Asked, Created
from juryrank.votes.tables import FileContent, FileTable, plain_table

NOT_A_LOG = (
    "this is not a raw log of juryrank: each line must be an event, as `juryrank study export NAME --format "
    "jsonl` writes them"
)


@dataclass(frozen=True, slots=True)
class RawLog:
    """A log as a file holds it. `lines[k]` is where `events[k]` stands."""

    events: tuple[Event, ...]
    lines: tuple[int, ...]

    @property
    def head(self) -> str:
        """The hash of the last event: it stands for the whole log."""
        return self.events[-1].hash

    def checked(self) -> RawLog:
        """The same log; raises BadVotes where an event was changed, dropped, added or moved."""
        if self.events[0].kind != EventKind.CREATED:
            raise BadVotes(f"line {self.lines[0]}: a log starts with `created`; this one is cut off at its start")
        try:
            list(checked(self.events))
        except LogAltered as problem:
            raise BadVotes(f"this log was changed or is damaged: {problem}. Nothing was restored.") from None
        return self

    def summary(self) -> str:
        """One line: how many of what."""
        kinds = Counter(event.kind for event in self.events)
        created = self.events[0].data
        return (
            f"{len(self.events):,} events: {len(created['items']):,} items at first, {kinds[EventKind.ASKED]:,} "
            f"questions, {kinds[EventKind.TOLD]:,} answers, ranker {created['ranker']}, δ = {created['error']:g}"
        )


def read_log(source: str | Path | bytes, *, encoding: str | None = None) -> RawLog:
    """The raw log in a file (or in its bytes), with every hash checked.

    >>> read_log(b"judge,left,right,winner")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    juryrank.errors.BadVotes: this is not a raw log of juryrank: ...
    """
    return log_in(plain_table(FileContent(source, encoding=encoding))).checked()


def log_in(table: FileTable) -> RawLog:
    """The events of a table that holds a raw log."""
    if not table.raw:
        raise BadVotes(NOT_A_LOG)
    events = [_event(line, row) for line, row in zip(table.raw_lines, table.raw, strict=True)]
    return RawLog(tuple(events), table.raw_lines)


def _event(line: int, row: Mapping[str, Any]) -> Event:
    kinds = {"seq": int, "kind": str, "data": dict, "at": str, "hash": str}
    wrong = next((name for name, kind in kinds.items() if not isinstance(row.get(name), kind)), None)
    if wrong is not None:
        raise BadVotes(f"line {line}: this event of the log has no usable {wrong!r}; {NOT_A_LOG}")
    return Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"])


def event_words(event: Event) -> str:
    """What an event says, for a dry run.

    >>> event_words(Event(3, "told", {"q": 1, "answer": "left"}))
    'event 3, told: question 1, left'
    """
    body = event.body
    if isinstance(body, Created):
        said = f"{len(body.items)} items, {len(body.judges)} judges, ranker {body.ranker}"
    elif isinstance(body, Asked):
        said = f"question {body.q}, {body.judge!r} is shown {body.left!r} (left) and {body.right!r} (right)"
    else:
        said = ", ".join(_part(name, value) for name, value in body.data().items())
    return f"event {event.seq}, {event.kind}" + (f": {said}" if said else "")


def _part(name: str, value: object) -> str:
    if name == "q":
        return f"question {value}"
    if name in ("answer", "judge"):
        return str(value)
    return f"{name} {', '.join(map(repr, value)) if isinstance(value, list) else value}"
