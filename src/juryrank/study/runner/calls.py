"""Calling programs as judges: limits, time-outs, and growing pauses before a call that failed is tried again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

from juryrank.errors import BadAnswer, BadInput, JudgeFailed, JudgeRefused, need_extra
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import BILL, Bill
from juryrank.rankers.contract.sides import SIDES, answer_of
from juryrank.run.calls import CallUnderWay, call_judge, is_async, last_answers
from juryrank.run.gold import GoldQuestion
from juryrank.run.items import Catalogue
from juryrank.run.options import check_callable, positive
from juryrank.types import Answer, Question


# ----------------------------------------------------------------------------
# How fast and how many at once: one judge's limits in a run
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


# ----------------------------------------------------------------------------
# Calling programs as judges: limits, time-outs, and growing pauses before a call that failed is tried again
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 20.0  # seconds between two tries of one question

Judges = Mapping[str, Callable[..., Any]]


class Calls:
    """The programs of one run; `answer(question)` calls the one that was asked, as often as its limits allow."""

    def __init__(
        self,
        judges: Judges,
        *,
        concurrency: int,
        per_judge: int | Mapping[str, int] | None,
        rate: float | Mapping[str, float] | None,
        time_limit: float | None,
        retries: int,
        first_pause: float,
        catalogue: Callable[[], Awaitable[Catalogue]],
        draw: Callable[[Question], Awaitable[int]],
    ) -> None:
        need_extra("tenacity", extra="study", what="running a study")
        _check(judges, concurrency=concurrency, time_limit=time_limit)
        self.judges, self.concurrency, self.time_limit = judges, concurrency, time_limit
        self.retries, self.first_pause = retries, first_pause
        self.problems = 0  # calls that failed, tried again or not
        self.stopping = False  # no further try: what is under way may still come
        self._under_way: dict[asyncio.Task[Any], CallUnderWay] = {}  # the latest call of each task
        self._heard = set[str]()  # programs that have answered
        self._fresh_catalogue, self._catalogue, self._draw = catalogue, Catalogue([]), draw
        self._at_once = of_each(per_judge, judges, what="per_judge")
        self._rates = of_each(rate, judges, what="rate")
        self._paces: dict[str, Pace] = {}

    def start(self) -> None:
        """Prepare the limits; call it in the event loop, before the first call."""
        self._paces = {name: self._pace(name) for name in self.judges}

    def turn(self, name: str) -> AbstractAsyncContextManager[None]:
        """Wait until this judge may be called."""
        return self._paces[name].turn()

    @property
    def waiting(self) -> bool:
        """Is a question waiting for its judge to be free? Then no other one need be asked yet."""
        return any(pace.waiting for pace in self._paces.values())

    async def last_answers(self) -> None:
        """Wait for what judges are answering, until it is taken in; all other calls are ended."""
        self.stopping = True
        for call in await last_answers(self._under_way.values(), self.judges, heard=self._heard):
            if call.task.done() and not call.task.cancelled():
                call.task.result()  # raises where an answer could not be kept

    async def answer(self, question: Question) -> tuple[Answer, float | None]:
        """The judge's answer and its cost, if known; raises what the last try raised. Models retry themselves."""
        with self._call(question) as bill:
            if isinstance(self.judges[str(question.judge)], ModelJudge):
                return await self._of_model(question, bill)
            return await self._tried(question, bill), None

    @contextmanager
    def _call(self, question: Question | GoldQuestion) -> Iterator[Bill]:
        """The bill of a call, which is on the list of those under way until its task is over."""
        task = asyncio.current_task()
        assert task is not None
        call = self._under_way[task] = CallUnderWay(task, question, Bill())
        task.add_done_callback(lambda task: self._under_way.pop(task, None))
        BILL.set(call.bill)  # of this task alone
        try:
            yield call.bill
        finally:
            call.over = True

    async def _tried(self, question: Question, bill: Bill) -> Answer:
        from tenacity import AsyncRetrying, stop_after_attempt, wait_exponential, wait_random

        growing = wait_exponential(multiplier=self.first_pause, max=LONGEST_PAUSE)
        pauses = growing + wait_random(0, self.first_pause)  # so that many do not come back at once
        last = stop_after_attempt(self.retries + 1)
        tries = AsyncRetrying(stop=lambda state: self.stopping or last(state), wait=pauses, reraise=True)
        return await tries(self._try, question, bill)

    async def _try(self, question: Question, bill: Bill) -> Answer:
        name = str(question.judge)
        shown = await self._shown(question)
        try:
            answer = checked(self._catalogue, question, await self._of_program(name, shown, bill))
        except TimeoutError:
            self.problems += 1
            raise JudgeFailed(f"gave no answer within {self.time_limit:g} s") from None
        except Exception:
            self.problems += 1
            raise
        self._heard.add(name)
        return answer

    async def _of_program(self, name: str, pair: Sequence[Any], bill: Bill) -> Any:
        bill.under_way += 1
        try:
            return await call_judge(self.judges[name], pair, time_limit=self.time_limit)
        finally:
            bill.under_way -= 1

    async def _of_model(self, question: Question, bill: Bill) -> tuple[Answer, float | None]:
        draw = await self._draw(question)
        said, cost = await self._billed(str(question.judge), await self._shown(question), draw, bill)
        return checked(self._catalogue, question, said), cost

    async def _billed(self, name: str, pair: Sequence[Any], draw: int, bill: Bill) -> tuple[Any, float | None]:
        judge = self.judges[name]
        try:
            said = await judge(*pair, draw=draw)
        except JudgeRefused:
            raise
        except Exception:
            self.problems += 1
            raise
        priced = isinstance(judge, ModelJudge) and judge.settings.price is not None
        return said, bill.cost if priced else None

    async def answer_aside(self, question: GoldQuestion, pair: Sequence[Any]) -> tuple[Any, float | None]:
        """The answer to a pair that never counts, as the judge gave it, and its cost."""
        with self._call(question) as bill:
            if isinstance(self.judges[question.judge], ModelJudge):
                return await self._billed(question.judge, pair, question.draw, bill)
            return await self._of_program(question.judge, pair, bill), None

    async def pair_aside(self, question: GoldQuestion) -> tuple[Any, ...]:
        """What a judge is shown of such a pair."""
        if not self._catalogue.names:
            self._catalogue = await self._fresh_catalogue()
        return self._catalogue.shown_aside(question.left, question.right, question.case)

    async def _shown(self, question: Question) -> tuple[Any, ...]:
        """What the judge is called with: both items; on cases both outputs, and the case's input."""
        try:
            return self._catalogue.shown_for(question)
        except KeyError:  # at first, and for items that joined since
            self._catalogue = await self._fresh_catalogue()
            return self._catalogue.shown_for(question)

    def _pace(self, name: str) -> Pace:
        alone = not is_async(self.judges[name])  # a plain function need not be safe for threads
        return Pace(at_once=self._at_once[name] or (1 if alone else self.concurrency), rate=self._rates[name])


def _check(judges: Judges, *, concurrency: int, time_limit: float | None) -> None:
    check_callable(judges)
    if not judges:
        raise BadInput("there is no judge to run; give at least one function")
    positive(concurrency, "concurrency")
    positive(time_limit, "time_limit")


def checked(catalogue: Catalogue, question: Question, said: Any) -> Answer:
    """A program's answer: the item it prefers, TIE or SKIP, or the words left, right, tie, skip.

    >>> checked(Catalogue(["tea", "milk"]), Question(1, "ann", "tea", "milk"), "left")
    'tea'
    """
    try:
        return catalogue.answer(question, said)
    except BadAnswer:
        if isinstance(said, str) and said in SIDES:
            return answer_of(question, said)
        raise
