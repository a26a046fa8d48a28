"""The one way to walk a log: a method per kind of event, called with the event and what it says.

    class Answers(LogReader):
        def on_told(self, event, told): ...

A kind that a reader does not care about needs no method; an event of unknown kind, or one that does not fit the
table of its kind, is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from juryrank.log import bodies
from juryrank.log.chain import Event
from juryrank.log.kinds import EventKind


class LogReader:
    """Base of everything that is computed from a log, event by event.

    >>> class Count(LogReader):
    ...     told = 0
    ...     def on_told(self, event, told):
    ...         self.told += 1
    >>> Count().walk([Event(3, "told", {"q": 1, "answer": "left"})]).told
    1
    """

    __slots__ = ()

    def walk(self, events: Iterable[Event]) -> Self:
        """Apply all events, in order."""
        for event in events:
            self.apply(event)
        return self

    def apply(self, event: Event) -> None:
        """Apply one event."""
        body = event.body
        getattr(self, _METHODS[event.kind])(event, body)
        self.passed(event)

    def passed(self, event: Event) -> None:
        """After each event, of whatever kind."""

    def on_created(self, event: Event, created: bodies.Created) -> None: ...

    def on_asked(self, event: Event, asked: bodies.Asked) -> None: ...

    def on_told(self, event: Event, told: bodies.Told) -> None: ...

    def on_expired(self, event: Event, expired: bodies.Expired) -> None: ...

    def on_lapsed(self, event: Event, lapsed: bodies.Lapsed) -> None: ...

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None: ...

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None: ...

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None: ...

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None: ...

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None: ...

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None: ...

    def on_closed(self, event: Event, closed: bodies.Closed) -> None: ...

    def on_reopened(self, event: Event, reopened: bodies.Reopened) -> None: ...

    def on_edited(self, event: Event, edited: bodies.Edited) -> None: ...

    def on_restored(self, event: Event, restored: bodies.Restored) -> None: ...

    def on_key_changed(self, event: Event, changed: bodies.KeyChanged) -> None: ...

    def on_aside(self, event: Event, aside: bodies.Aside) -> None: ...

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None: ...

    def on_probed(self, event: Event, probed: bodies.Probed) -> None: ...

    def on_seed_opened(self, event: Event, opened: bodies.SeedOpened) -> None: ...


_METHODS: dict[str, str] = {kind: f"on_{kind}" for kind in EventKind}
