"""News of studies for listeners: one watcher a study and process, however many listen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from juryrank.errors import JuryrankError, UnknownStudy
from juryrank.server.desk import Desk
from juryrank.storage import LogChanged

LOOK_SECONDS = 0.5  # how often a watcher looks for new events
HEARTBEAT_SECONDS = 15.0  # keeps proxies from closing a quiet stream


@dataclass(slots=True)
class _Watch:
    """A study that somebody listens to. `seq` -1: it is gone."""

    seq: int = 0
    listeners: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class Live:
    """Streams of "the log has grown to seq"; what to show is fetched by those who want it."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._watches: dict[int, _Watch] = {}

    @property
    def listeners(self) -> int:
        return sum(watch.listeners for watch in self._watches.values())

    async def stream(self, number: int) -> AsyncIterator[str]:
        """Server-sent events of one study: `change` with the log's length, at most twice a second; `gone`."""
        watch = self._watches.setdefault(number, _Watch())
        watch.listeners += 1
        try:
            if watch.task is None:
                watch.seq = await run_in_threadpool(self._seq, number)
                watch.task = asyncio.create_task(self._look(number, watch))
            seen = None
            while True:
                changed = watch.changed  # taken before looking: a change in between is not missed
                if watch.seq < 0:
                    yield "event: gone\ndata: {}\n\n"
                    return
                if watch.seq != seen:
                    seen = watch.seq
                    yield f"event: change\nid: {seen}\ndata: {json.dumps({'seq': seen})}\n\n"
                try:
                    await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            watch.listeners -= 1
            if not watch.listeners and self._watches.get(number) is watch:
                del self._watches[number]
                if watch.task is not None:
                    watch.task.cancel()

    async def _look(self, number: int, watch: _Watch) -> None:
        while watch.seq >= 0:
            await asyncio.sleep(LOOK_SECONDS)
            seq = await run_in_threadpool(self._seq, number)
            if seq != watch.seq:
                watch.seq = seq
                told, watch.changed = watch.changed, asyncio.Event()
                told.set()

    def _seq(self, number: int) -> int:
        """The log's length; -1: deleted. A database that is away for a moment changes nothing."""
        try:
            return self._desk.study(number).seq
        except (LogChanged, UnknownStudy):
            self._desk.forget(number)
            return -1
        except JuryrankError:
            return self._watches[number].seq if number in self._watches else 0
