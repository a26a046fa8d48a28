"""One call of a judge: async or in a thread, within a time limit, tried again where `patient` wraps it."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Callable, Iterable
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


def patient(judge: Callable[..., Any], *, tries: int = TRIES) -> Callable[..., Any]:
    """The same judge, called again when it raises; the last failure is raised. (Asking another question instead
    would favour questions that are easy to answer.)

    >>> calls = iter([ZeroDivisionError(), "left"])
    >>> def shaky(left, right):
    ...     said = next(calls)
    ...     if isinstance(said, Exception):
    ...         raise said
    ...     return said
    >>> patient(shaky)("a", "b")
    'left'
    """
    if is_async(judge):

        @functools.wraps(judge, updated=())
        async def again_async(*shown: Any) -> Any:
            for _ in range(tries - 1):
                try:
                    return await judge(*shown)
                except Exception:
                    continue
            return await judge(*shown)

        return again_async

    @functools.wraps(judge, updated=())
    def again(*shown: Any) -> Any:
        for _ in range(tries - 1):
            try:
                return judge(*shown)
            except Exception:
                continue
        return judge(*shown)

    return again
