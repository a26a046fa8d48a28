"""One call of a judge: async or in a thread, within a time limit."""

from __future__ import annotations

import asyncio
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
