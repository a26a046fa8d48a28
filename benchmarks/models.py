"""What our client costs for each call of a model: processor time beside a bare loop of httpx, and memory.

    python -m benchmarks.models [--calls 50000]

The endpoint answers at once, in a process of its own, so that only the client's time is counted. Nothing is
stored: no cache, no log. The bare loop posts the same bytes and reads the same answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from juryrank.judges.models import openai, wire
from juryrank.judges.models.prompts import prompt

AT_ONCE = 16
ROUNDS = 10  # memory is looked at so many times
SAID = json.dumps({"reason": "It is shorter.", "verdict": "first"})
ANSWER = json.dumps(
    {
        "choices": [{"message": {"content": SAID}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 150, "completion_tokens": 12},
    }
).encode()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)
    try:
        while True:
            request = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", request, re.I)
            await reader.readexactly(int(size[1]) if size else 0)
            writer.write(head + ANSWER)
    except (ConnectionError, asyncio.IncompleteReadError):
        writer.close()


def endpoint(told: Any) -> None:
    """Answer at once, for ever; the port goes to whoever started this."""

    async def main() -> None:
        server = await asyncio.start_server(_serve, "127.0.0.1", 0)
        told.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(main())


def resident() -> float:
    """Megabytes of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


async def many(call: Callable[[int], Awaitable[Any]], calls: int) -> float:
    """Milliseconds of processor time per call, with some in flight."""
    numbers = iter(range(calls))

    async def worker() -> None:
        for number in numbers:
            await call(number)

    began = time.process_time()
    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    return 1000 * (time.process_time() - began) / calls


async def measured(url: str, calls: int) -> None:
    """Print both, and memory over the run of our client."""
    judge = openai("m", url=url, concurrency=AT_ONCE)
    text = prompt(judge.settings, "an answer " * 40, "another answer " * 30)
    body = wire.body(judge.settings, [{"role": "user", "content": text}])

    async def ours(number: int) -> None:
        await judge(f"an answer {number} " * 40, "another answer " * 30, draw=number)

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=AT_ONCE)) as http:

        async def bare(number: int) -> None:
            got = await http.post(wire.path_of(judge.settings), json=body)
            json.loads(got.content)["choices"][0]["message"]["content"]

        share = max(200, calls // ROUNDS)
        await many(bare, 200)
        loop = await many(bare, share)
    await many(ours, 200)
    held, times = [resident()], []
    for _ in range(ROUNDS):
        times.append(await many(ours, share))
        held.append(resident())
    await judge.close()
    mean = sum(times) / len(times)
    print(f"bare loop of httpx        {loop:6.2f} ms of processor time per call")
    print(f"our client                {mean:6.2f} ms: {mean - loop:.2f} ms more ({share * ROUNDS:,} calls)")
    after = f"{held[1]:.1f} after a tenth, {held[-1]:.1f} at the end"
    print(f"memory                    {held[0]:6.1f} MB before, {after}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=50_000)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=endpoint, args=(there,), daemon=True)
    server.start()
    try:
        asyncio.run(measured(f"http://127.0.0.1:{here.recv()}/v1", options.calls))
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
