"""Calling judges: one call within a time limit, its limits and pauses; Ctrl-C; and when a judge is given up."""

from __future__ import annotations

import asyncio
import inspect
import logging
import random
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from juryrank.defaults import LOOK_BACK, PROGRAM_PAUSE, TOO_MANY
from juryrank.errors import BadInput, JudgeUnusable, JuryrankError
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import Bill
from juryrank.run.gold import GoldQuestion
from juryrank.types import Question

# ----------------------------------------------------------------------------
# What asyncio leaves to its users: running beside another loop, in threads that may hang, ending calls.
LOOK_UP = 0.2  # seconds: a signal that another thread caught is seen only between two waits


def run_to_end(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run to the end; where a loop is already running (a notebook), in a thread beside it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(main())
    else:
        _beside(main)


def _beside(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    stops: list[Callable[[], object]] = []  # how to stop it from here
    problems: list[BaseException] = []
    over = threading.Event()

    async def stoppable() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        stops.append(lambda: None if loop.is_closed() or task is None else loop.call_soon_threadsafe(task.cancel))
        await main()

    def work() -> None:
        try:
            asyncio.run(stoppable())
        except BaseException as problem:
            problems.append(problem)
        finally:
            over.set()

    threading.Thread(target=work, daemon=True).start()
    while not over.is_set():
        try:
            over.wait(LOOK_UP)  # not Thread.join: interrupted, it takes a running thread for ended
        except KeyboardInterrupt:  # it may wait for what is under way: a second one ends that too
            for stop in stops:
                stop()
    if problems:
        raise problems[0]


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a plain function in a daemon thread: one that hangs is left behind and never blocks the exit."""
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, problem: BaseException | None) -> None:
        if outcome.done():
            return
        if problem is None:
            outcome.set_result(result)
        else:
            outcome.set_exception(problem)

    def work() -> None:
        result, problem = None, None
        try:
            result = function(*arguments)
        except BaseException as raised:
            problem = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, problem)

    threading.Thread(target=work, daemon=True).start()
    return await outcome


async def end_all(calls: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel what is still running, and wait until it is over."""
    waiting = list(calls)
    for call in waiting:
        call.cancel()
    if waiting:
        await asyncio.wait(waiting)


def without_waiting(main: Coroutine[Any, Any, None]) -> None:
    """Run what never waits for anything, without an event loop: what it calls may then run one of its own."""
    try:
        main.send(None)
    except StopIteration:
        return
    main.close()
    raise AssertionError("it has waited")


# ----------------------------------------------------------------------------
# One call of a judge: async or in a thread, within a time limit.


@dataclass(eq=False, slots=True)
class Call:
    """A question on its way to its judge, and then its outcome."""

    question: Question | GoldQuestion
    bill: Bill = field(default_factory=Bill)
    task: asyncio.Task[None] | None = None
    said: Any = None
    problem: Exception | None = None
    seconds: float = 0.0
    dropped: bool = False  # the judge was not asked after all

    @property
    def judge(self) -> str:
        return str(self.question.judge)


def pause_after(tried: int, *, first: float) -> float:
    """Seconds before a call is tried again: twice as long each time, and not the same for all.

    >>> 0.4 <= pause_after(3, first=0.1) <= 0.5
    True
    """
    return float(min(PROGRAM_PAUSE, first * 2 ** (tried - 1)) + random.uniform(0, first))


async def call_judge(judge: Callable[..., Any], shown: Iterable[Any], *, time_limit: float | None) -> Any:
    """What the judge says; TimeoutError after `time_limit` seconds.

    >>> asyncio.run(call_judge(max, ("a", "b"), time_limit=9.0))
    'b'
    """
    call = judge(*shown) if is_async(judge) else in_thread(judge, *shown)
    return await asyncio.wait_for(call, time_limit)


def is_async(judge: Callable[..., Any]) -> bool:
    """Is this an async function, or an object whose `__call__` is one?

    >>> is_async(max)
    False
    """
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(getattr(judge, "__call__", None))  # noqa: B004


def in_words(problem: BaseException) -> str:
    """A failure in words: our own errors as they are, others with their type.

    >>> in_words(ValueError("no such model"))
    'raised ValueError: no such model'
    """
    return str(problem) if isinstance(problem, JuryrankError) else f"raised {type(problem).__name__}: {problem}"


# ----------------------------------------------------------------------------
# How fast and how many at once: one judge's limits in a run
class Pace:
    """At most `at_once` calls together, and `rate` calls per second (None: no limit)."""

    def __init__(
        self, *, at_once: int = 1, rate: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
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
                if (pause := self._reserve()) > 0:
                    await asyncio.sleep(pause)
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
# Ctrl-C leaves nothing half done: it interrupts a judge at once, and everything else at the next question
class Interrupts:
    """`with interrupts.guarded():` around the whole, `with interrupts.waiting():` around what may be cut short."""

    def __init__(self) -> None:
        self.wanted = False
        self._waiting = False

    @contextmanager
    def guarded(self) -> Iterator[None]:
        in_main = threading.current_thread() is threading.main_thread()
        if not in_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            yield  # somebody else decides what Ctrl-C means here
            return
        signal.signal(signal.SIGINT, self._on_signal)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        self._waiting = True
        try:
            yield
        finally:
            self._waiting = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.wanted = True
        if self._waiting:
            raise KeyboardInterrupt


# ----------------------------------------------------------------------------
# Ctrl-C while judges are answering: an answer under way will be paid for, so it is waited for and kept.
logger = logging.getLogger("juryrank")


async def last_answers(
    calls: Iterable[Call], judges: Mapping[str, Callable[..., Any]], *, heard: Collection[str] = ()
) -> list[Call]:
    """Wait for the answers that are coming, and end the other calls; nothing new is sent. Another Ctrl-C ends it.

    Nobody waits for a judge that has not answered yet, nor for one whose answers are not kept. A model knows
    whether it has answered; `heard` are the other judges that have, where their answers are kept.
    """
    for judge in judges.values():
        if isinstance(judge, ModelJudge):
            judge.client.stopping = True
    calls = list(calls)
    coming = [call for call in calls if _is_coming(call, judges, heard)]
    await end_all([call.task for call in calls if call.task is not None and call not in coming])
    if not coming:
        return []
    logger.warning(
        "stopping: waiting for %d answer%s under way, which will be paid for (Ctrl-C again: leave at once)",
        len(coming),
        "" if len(coming) == 1 else "s",
    )
    with suppress(asyncio.CancelledError):
        await asyncio.wait([call.task for call in coming if call.task is not None])
    return coming


def _is_coming(call: Call, judges: Mapping[str, Callable[..., Any]], heard: Collection[str]) -> bool:
    name = str(call.question.judge)
    judge = judges[name]
    known = judge.client.heard if isinstance(judge, ModelJudge) else name in heard
    done = call.task is not None and call.task.done()
    return done or (known and call.bill.under_way > 0)


# ----------------------------------------------------------------------------
# When a judge that is called is given up: at once if it cannot be used, else by its share of failures.
#
# It looks at the judge's questions in the order in which they were asked, whichever answer came back first: so the
# same outcomes always decide the same, however fast they came.
# At 8, a judge that fails at a fifth of its questions was never given up in 300 simulated runs of 5,000 questions,
# one that fails at half of them was after about 100 questions, and one that always fails is after 8.


class FailureRate:
    """How the latest questions of each judge ended.

    >>> rate = FailureRate(["ann"])
    >>> for question in range(9):
    ...     rate.asked("ann", question)
    >>> [rate.over("ann", question, failed=True) for question in (1, 2, 3, 4, 5, 6, 7, 8)].count(True)
    0
    >>> rate.over("ann", 0, failed=True), rate.words("ann")  # the first one asked is the last to come back
    (True, '9 of its last 9 questions failed')
    """

    def __init__(self, judges: Iterable[str]) -> None:
        self._open: dict[str, dict[int, bool | None]] = {judge: {} for judge in judges}  # in the order asked
        self._ended: dict[str, deque[bool]] = {judge: deque(maxlen=LOOK_BACK) for judge in self._open}

    def asked(self, judge: str, question: int) -> None:
        """A question is on its way to the judge."""
        self._open[judge][question] = None

    def over(self, judge: str, question: int, *, failed: bool, problem: BaseException | None = None) -> bool:
        """Note how a question ended (an answer and a refusal are no failures); True: ask this judge no more."""
        waiting, ended = self._open[judge], self._ended[judge]
        waiting[question] = failed
        hopeless = isinstance(problem, JudgeUnusable)
        while waiting and (outcome := waiting[next(iter(waiting))]) is not None:
            del waiting[next(iter(waiting))]
            ended.append(outcome)
            hopeless |= 2 * sum(ended) - len(ended) >= TOO_MANY
        return hopeless

    def words(self, judge: str) -> str:
        """How often it failed lately."""
        ended = self._ended[judge]
        return f"{sum(ended)} of its last {len(ended)} questions failed"
