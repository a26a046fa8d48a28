"""Ctrl-C at a command in a process of its own, whose model answers when the test lets it."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from dataclasses import dataclass, field

from tests.judges.models.endpoint import Endpoint

AT_ONCE = 32  # questions that the commands of these tests have under way


@dataclass
class Held(Endpoint):
    """Answers so many questions at once, and the others once it is released; notes what it has answered."""

    free: int = 3
    answered: list = field(default_factory=list)

    def __enter__(self):
        self.gate, self.begun = asyncio.Event(), 0
        return super().__enter__()

    def release(self):
        self.loop.call_soon_threadsafe(self.gate.set)

    def full(self):
        """The free answers are given, and as many questions wait as may be under way."""
        return len(self.answered) >= self.free and len(self.seen) >= AT_ONCE

    async def _act(self, writer, seen, path):
        self.begun += 1
        if self.begun > self.free:
            await self.gate.wait()
        return await super()._act(writer, seen, path)

    def _said(self, seen, path):
        self.answered.append(json.dumps(seen.body["messages"]))
        return super()._said(seen, path)


def interrupted(process, ready, release=None):
    """Ctrl-C once it is ready; then what is under way is released, or else there is a second Ctrl-C.

    Both outputs, and how many answers it said that it waits for.
    """
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    time.sleep(0.3)  # what was answered is read meanwhile
    process.send_signal(signal.SIGINT)
    line = next(line for line in process.stderr if "under way" in line)
    if release is None:
        assert "Ctrl-C again" in line
        process.send_signal(signal.SIGINT)
    else:
        release()
    out, err = process.communicate(timeout=30)  # the time-out of a call is 60 s
    assert "Traceback" not in err, err
    return out, int(re.search(r"waiting for (\d+) answers under way", line)[1])
