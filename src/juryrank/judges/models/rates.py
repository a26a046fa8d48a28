"""At most so much in any window of time, as the other end measures it.

What was sent within the last window is remembered. Requests reach the other end a little later than they were
sent, and not all equally late, so our window is longer than theirs by MARGIN, and sends are spread over it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field

MARGIN = 1.15  # our window over theirs
SPREAD = 0.8  # the least pause between two sends, over the pause that the rate itself asks for


@dataclass(slots=True)
class Sent:
    """One send; its amount is an upper bound until it is known."""

    at: float
    amount: int
    counts: bool = True  # is it within the last window?


@dataclass(slots=True)
class WindowLimit:
    """`await take(amount)` waits until the amount fits; `settle` corrects it when the true one is known."""

    limit: int | None
    window: float
    spread: bool = False  # also pause between sends
    _sent: deque[Sent] = field(default_factory=deque)
    _total: int = 0
    _turn: asyncio.Lock | None = None
    _loop: object = None

    async def take(self, amount: int = 1) -> Sent:
        """Wait for room, in the order of asking. An amount above the limit itself waits for an empty window."""
        if self.limit is None:
            return Sent(time.monotonic(), 0)
        async with self._line():
            while (pause := self._pause(amount)) > 0:
                await asyncio.sleep(pause)
            entry = Sent(time.monotonic(), amount)
            self._sent.append(entry)
            self._total += amount
            return entry

    def settle(self, entry: Sent, amount: int) -> None:
        """The true amount of a send."""
        if self.limit is not None and entry.amount:
            if entry.counts:
                self._total += amount - entry.amount
            entry.amount = amount

    def _pause(self, amount: int) -> float:
        assert self.limit is not None
        now, length = time.monotonic(), self.window * MARGIN
        while self._sent and self._sent[0].at <= now - length:
            gone = self._sent.popleft()
            gone.counts = False
            self._total -= gone.amount
        if self._sent and self._total + amount > self.limit:
            return self._sent[0].at + length - now
        if self.spread and self._sent:
            return self._sent[-1].at + SPREAD * self.window / self.limit - now
        return 0.0

    def _line(self) -> asyncio.Lock:
        loop = asyncio.get_running_loop()
        if self._turn is None or self._loop is not loop:
            self._turn, self._loop = asyncio.Lock(), loop
        return self._turn
