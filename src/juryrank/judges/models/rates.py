"""A limit per sliding window of time that holds however the other end measures it.

We know when a request was sent and when its answer was there; it reached the other end at some moment between the
two. So it counts from sending until a window after its end. Whatever the delays, no window at the other end then
holds more than the limit: of the requests that arrive in one window take the last sent; when it was sent, all the
others counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from dataclasses import dataclass, field

MARGIN = 1.02  # our window over theirs: clocks differ a little
SPREAD = 0.8  # the least pause between two sends, over the pause that the rate itself asks for


@dataclass(slots=True)
class Sent:
    """One request; its amount is an upper bound until it is over."""

    amount: int
    over: float = 0.0  # when it was, 0: not yet


@dataclass(slots=True)
class WindowLimit:
    """`await take(amount)` waits until the amount fits; `settle` ends it, with the true amount."""

    limit: int | None
    window: float
    spread: bool = False  # also pause between sends
    _over: deque[Sent] = field(default_factory=deque)  # within the last window
    _total: int = 0  # of those, and of what is under way
    _count: int = 0
    _last: float = float("-inf")  # when something was sent last
    _turn: asyncio.Lock | None = None
    _freed: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: object = None

    async def take(self, amount: int = 1) -> Sent:
        """Wait for room, first come, first served. An amount above the limit itself waits for an empty window."""
        if self.limit is None:
            return Sent(amount)
        async with self._line():
            while (pause := self._pause(amount)) > 0:
                await self._wait(pause)
            entry = Sent(amount)
            self._total, self._count = self._total + amount, self._count + 1
            self._last = time.monotonic()
            return entry

    def settle(self, entry: Sent, amount: int | None = None) -> None:
        """A request is over, and took this much."""
        if self.limit is None or entry.over:
            return
        if amount is not None:
            self._total += amount - entry.amount
            entry.amount = amount
        entry.over = time.monotonic()
        self._over.append(entry)
        self._freed.set()

    def _pause(self, amount: int) -> float:
        """Seconds until it is worth looking again; 0: there is room."""
        assert self.limit is not None
        now, length = time.monotonic(), self.window * MARGIN
        while self._over and self._over[0].over <= now - length:
            self._total, self._count = self._total - self._over.popleft().amount, self._count - 1
        if self._count and self._total + amount > self.limit:
            return self._over[0].over + length - now if self._over else length
        return self._last + SPREAD * self.window / self.limit - now if self.spread else 0.0

    async def _wait(self, pause: float) -> None:
        """Wait this long, or until a request ends: it may have taken less than its bound."""
        if self.spread:  # what ends makes no room before its window is over
            await asyncio.sleep(min(pause, self.window * MARGIN))
            return
        self._freed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._freed.wait(), pause)

    def _line(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._turn is None or self._loop is not loop:
            self._turn, self._freed, self._loop = asyncio.Lock(), asyncio.Event(), loop
        return self._turn
