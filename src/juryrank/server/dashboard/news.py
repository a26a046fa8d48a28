"""News of studies: one look at the log and one message for all listeners, handed out a few at a time."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from juryrank.defaults import HEARTBEAT_SECONDS, LOOK_SECONDS
from juryrank.errors import JuryrankError, UnknownStudy
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.storage import LogChanged

HANDFUL = 8  # listeners told in one go; between two handfuls waiting answers have their turn
SPREAD_SECONDS = 0.25  # all of them are told within this time
ALLOWED_SECONDS = 10.0  # how often a listener's credential is looked at again
GONE, STILL_HERE = b"event: gone\ndata: {}\n\n", b": still here\n\n"


@dataclass(slots=True)
class _Watch:
    """A study that somebody listens to. `seq` is None before the first look, and -1 once the study is gone."""

    seq: int | None = None
    message: bytes = b""  # says `seq`; made once, sent to everybody
    listeners: list[asyncio.Event] = field(default_factory=list)
    task: asyncio.Task[None] | None = None


class Live:
    """Streams of "the log has grown to seq"; listeners fetch what they want to show."""

    def __init__(self, open_studies: OpenStudies) -> None:
        self._desk = open_studies
        self._watches: dict[int, _Watch] = {}

    @property
    def listeners(self) -> int:
        return sum(len(watch.listeners) for watch in self._watches.values())

    async def stream(self, number: int, *, allowed: Callable[[], bool] = lambda: True) -> AsyncIterator[bytes]:
        """Server-sent events of one study: `change` with the log's length, at most twice a second; `gone`.

        `allowed` is asked again now and then: a stream ends soon after the log-in or token that opened it.
        """
        watch, news = self._joined(number), asyncio.Event()
        watch.listeners.append(news)
        seen, asked = None, time.monotonic()
        try:
            while True:
                if watch.seq is None or watch.seq == seen:
                    await news.wait()
                    news.clear()
                if time.monotonic() - asked >= ALLOWED_SECONDS:
                    if not await run_in_threadpool(allowed):
                        return
                    asked = time.monotonic()
                changed, seen = watch.seq != seen, watch.seq
                yield watch.message if changed else STILL_HERE
                if seen == -1:
                    return
        finally:
            watch.listeners.remove(news)
            if not watch.listeners:
                self._leave(number, watch)

    def _joined(self, number: int) -> _Watch:
        """The study's watch; the first listener starts it, and nothing is awaited in between."""
        watch = self._watches.get(number)
        if watch is None:
            watch = self._watches[number] = _Watch()
            watch.task = asyncio.create_task(self._look(number, watch))
        return watch

    def _leave(self, number: int, watch: _Watch) -> None:
        if self._watches.get(number) is watch:
            del self._watches[number]
        if watch.task is not None:
            watch.task.cancel()

    async def _look(self, number: int, watch: _Watch) -> None:
        quiet = 0.0
        while watch.seq != -1:
            seq = await run_in_threadpool(self._seq, number, watch.seq)
            quiet += LOOK_SECONDS
            if seq != watch.seq:
                watch.seq, watch.message = seq, _message(seq)
            elif quiet < HEARTBEAT_SECONDS:
                await asyncio.sleep(LOOK_SECONDS)
                continue
            quiet = 0.0
            await self._tell(watch)

    async def _tell(self, watch: _Watch) -> None:
        everybody = tuple(watch.listeners)
        for first in range(0, len(everybody), HANDFUL):
            for news in everybody[first : first + HANDFUL]:
                news.set()
            await asyncio.sleep(SPREAD_SECONDS / -(-len(everybody) // HANDFUL))
        await asyncio.sleep(LOOK_SECONDS - SPREAD_SECONDS)

    def _seq(self, number: int, before: int | None) -> int:
        """The log's length; -1: deleted. A database that is briefly unreachable changes nothing."""
        try:
            study = self._desk.study(number)
            study.log.follow_clock()
            return study.log.seq
        except (LogChanged, UnknownStudy):
            self._desk.forget(number)
            return -1
        except JuryrankError:
            return before or 0


def _message(seq: int) -> bytes:
    """What everybody is sent.

    >>> _message(7).splitlines()[1:3]
    [b'id: 7', b'data: {"seq": 7}']
    """
    return GONE if seq < 0 else f"event: change\nid: {seq}\ndata: {json.dumps({'seq': seq})}\n\n".encode()
