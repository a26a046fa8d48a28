"""What models cost, and how fast they may be asked."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from juryrank.defaults import BATCH_SHARE
from juryrank.errors import BadInput, MoneySpent
from juryrank.judges.models import wire
from juryrank.judges.models.prompts import first_message, system_of
from juryrank.judges.models.settings import ModelSettings

ROUNDING = 1e-9  # of sums; a ranker allows as much
LOOK_AGAIN = 0.05  # seconds between two looks whether money was given back


@dataclass(slots=True)
class Purse:
    """Money for one run, shared by its judges. Without a cap it only counts.

    >>> purse = Purse(cap=1.0)
    >>> held = purse.hold(0.75)
    >>> purse.settle(held, spent=0.25)
    >>> purse.spent, purse.left
    (0.25, 0.75)
    """

    cap: float | None = None
    spent: float = 0.0
    held: float = 0.0
    refused: str = ""  # why a call was not sent, if one was not
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        cap = self.cap
        if cap is None:
            return
        if not isinstance(cap, int | float) or isinstance(cap, bool) or not 0 <= cap < float("inf"):
            raise BadInput(
                f"money is {cap!r}; the most to spend is a number, 0 or more (leave it out for no limit)"
            )

    @property
    def left(self) -> float:
        """What may still be reserved."""
        return float("inf") if self.cap is None else self.cap - self.spent - self.held

    def may_fit_later(self, most: float) -> bool:
        """Is there no room for a call now, but perhaps when those under way give back what they do not take?

        >>> purse = Purse(cap=1.0)
        >>> held = purse.hold(0.75)
        >>> purse.may_fit_later(0.5), purse.may_fit_later(0.25), purse.may_fit_later(1.5)
        (True, False, False)
        """
        return most > self.left + ROUNDING and most <= self.left + self.held

    async def take(self, most: float) -> float:
        """Reserve the most that a call can cost; if calls under way fill the cap, wait for what they give back."""
        while self.may_fit_later(most):
            await asyncio.sleep(LOOK_AGAIN)
        return self.hold(most)

    def hold(self, most: float, *, sent: bool = False) -> float:
        """Reserve the most that a call can cost, now; `sent`: it is on its way already, whatever is left."""
        with self._lock:
            if most > self.left + ROUNDING and not sent:
                self.refused = (
                    f"the next call may cost up to {most:.6g}, and of {self.cap:.6g} only {max(self.left, 0):.6g} "
                    "is left; raise the cap to go on"
                )
                raise MoneySpent(self.refused)
            self.held += most
        return most

    def settle(self, held: float, *, spent: float) -> None:
        """A call is over: give back what it did not take."""
        with self._lock:
            self.held -= held
            self.spent += spent


@dataclass(slots=True)
class Bill:
    """What one question cost, over all its calls; `BILL.set(Bill())` before asking, in the same task."""

    cost: float = 0.0
    under_way: int = 0  # calls that were sent, and have no answer yet


BILL: ContextVar[Bill | None] = ContextVar("juryrank_bill", default=None)


def charged() -> float | None:
    """What this task's latest question has cost so far, failed calls included; None: nothing is known."""
    bill = BILL.get()
    return bill.cost if bill is not None and bill.cost else None


# ----------------------------------------------------------------------------
# What one question will cost a model, before it is asked: about so much, and never more than so much.
BYTES = 4  # of a token of English, about; other scripts take more tokens
SPOKEN: Final = {True: 60, False: 10}  # tokens of an answer, about: with a reason, and without


def price_of_question(settings: ModelSettings, *shown: Any) -> tuple[float, float]:
    """About, and at most; `shown`: left, right and the case. 0 without a price.

    >>> from juryrank.judges.models.settings import Price
    >>> priced = ModelSettings(name="m", api="openai", model="m", price=Price(input=1.0, output=1.0))
    >>> about, most = price_of_question(priced, "tea", "coffee", None)
    >>> 0 < about < most < 0.01
    True
    """
    if settings.price is None:
        return 0.0, 0.0
    message = first_message(settings, *shown)
    size = len(system_of([message]).encode()) + len(message["content"].encode(errors="replace"))
    usual = (size // BYTES, SPOKEN[settings.reason])
    calls = (2 if settings.sides == "both" else 1) * (BATCH_SHARE if settings.batch else 1)
    about, most = (
        calls * settings.price.of(input=said, output=answered)
        for said, answered in (usual, wire.most_tokens(settings, [message]))
    )
    return about, most


# ----------------------------------------------------------------------------
# A limit per sliding window of time that holds however the other end measures it.
#
# We know when a request was sent and when its answer was there; it reached the other end at some moment between
# the two. So it counts from sending until a window after its end. Whatever the delays, no window at the other end
# then holds more than the limit: of the requests that arrive in one window take the last sent; when it was sent,
# all the others counted.
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
