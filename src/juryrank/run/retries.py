"""A failed call is tried again on the same question: asking another instead would favour what is easy to ask."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

TRIES = 3  # of one question; then it counts as refused


def patient(judge: Callable[..., Any], *, tries: int = TRIES) -> Callable[..., Any]:
    """The same judge, called again when it raises; the last failure is raised.

    >>> calls = iter([ZeroDivisionError(), "left"])
    >>> def shaky(left, right):
    ...     said = next(calls)
    ...     if isinstance(said, Exception):
    ...         raise said
    ...     return said
    >>> patient(shaky)("a", "b")
    'left'
    """
    if inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(getattr(judge, "__call__", None)):  # noqa: B004

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
