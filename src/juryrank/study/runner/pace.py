"""How fast and how many at once: one judge's limits in a run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from juryrank.errors import BadInput


class Pace:
    """At most `at_once` calls together, and `rate` calls per second (None: no limit)."""

    def __init__(self, *, at_once: int, rate: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._spacing = 0.0 if rate is None else 1.0 / rate
        self._next = 0.0
        self._clock = clock
        self.waiting = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """A context that waits for a free slot and the right moment, and gives the slot back when left."""
        self.waiting += 1
        try:
            await self._slots.acquire()
            try:
                await asyncio.sleep(self._reserve())
            except BaseException:
                self._slots.release()
                raise
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._slots.release()

    def _reserve(self) -> float:
        now = self._clock()
        start = max(now, self._next)
        self._next = start + self._spacing
        return start - now


def of_each(value: Any, names: Mapping[str, Any], *, what: str) -> dict[str, Any]:
    """One limit for all, or a mapping from judge to limit; each None or above 0.

    >>> of_each(2, {"ann": 0, "bob": 0}, what="rate")
    {'ann': 2, 'bob': 2}
    """
    found = {name: value.get(name) if isinstance(value, Mapping) else value for name in names}
    for name, limit in found.items():
        number = isinstance(limit, int | float) and not isinstance(limit, bool) and limit > 0
        if limit is not None and not number:
            raise BadInput(f"{what} of judge {name!r} is {limit!r}; it must be a number above 0, or None")
    return found
