"""One call of a judge: async or in a thread, within a time limit."""

from __future__ import annotations

import asyncio
import inspect
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from juryrank.errors import JuryrankError
from juryrank.run.event_loops import in_thread

TRIES = 3  # of one question; then it has failed


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
