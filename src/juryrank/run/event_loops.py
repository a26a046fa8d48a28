"""What asyncio leaves to its users: running beside another loop, in threads that may hang, ending calls."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

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
