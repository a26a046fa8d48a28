"""A small model server on loopback that speaks both wire formats, and fails as it is told to.

    with Endpoint(verdict=lambda first, second: "first", faults={"429": 0.1, "cut": 0.1}, seed=3) as endpoint:
        ... f"{endpoint.url}" ...

Every request is written down with the time it arrived, so that a test can say what the other end saw.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import threading
import time
from dataclasses import dataclass, field

FENCED = re.compile(r"----- (\w+) -----\n(.*?)\n----- end \1 -----", re.S)
LETTERED = re.compile(r"^([A-H]):\n----- (\w+) -----\n(.*?)\n----- end \2 -----", re.S | re.M)
UNWILLING = ("I'm sorry, but I can't judge these.", "I cannot compare these two.", "I won't pick a winner here.")


@dataclass
class Seen:
    """One request as it arrived, and what was done with it."""

    at: float
    headers: dict
    body: dict
    fault: str = ""
    tokens: int = 0

    @property
    def shown(self):
        return [text for _, text in FENCED.findall(self.body["messages"][-1]["content"])]


@dataclass
class Endpoint:
    verdict: object = staticmethod(lambda first, second: "first")
    order: object = sorted  # of {letter: output}: the letters, best first
    faults: dict = field(default_factory=dict)  # fault: chance
    seed: int = 0
    key: str = ""  # the only one that is let in
    usage: bool = True
    schema: bool = True  # False: a request with a schema is refused
    text: str | None = None  # said instead of a verdict
    context: int = 10**9  # characters that a question may have
    model: str = ""  # the only one that there is
    delay: float = 0.0
    jitter: bool = False  # wait anything up to the delay
    limit: str = "max_tokens"  # the only name of the limit that is known
    counted: int = 0  # more tokens than it took, as a dishonest one counts
    echo: bool = False  # repeats the key in its answers
    logprobs: bool = False
    retry_after: str = "0.02"  # seconds, said with a 429
    always_later: bool = False  # say so with any error
    seen: list = field(default_factory=list)
    breaks: tuple | None = None  # see `faults_after`

    def __enter__(self):
        self.rng, self.hanging = random.Random(self.seed), []
        self.loop, ready = asyncio.new_event_loop(), threading.Event()
        self.thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self.thread.start()
        assert ready.wait(10)
        return self

    def __exit__(self, *problem):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1"

    def _run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    async def _serve(self, reader, writer):
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = json.loads(await reader.readexactly(int(headers["content-length"])))
        seen = Seen(time.monotonic(), headers, body)
        self.seen.append(seen)
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        if self.key and given != self.key:
            return self._reply(writer, 401, {"error": f"wrong key {given}"})
        if not self.schema and "response_format" in body:
            return self._reply(writer, 400, {"error": "response_format json_schema is not supported"})
        if self.limit not in body:
            return self._reply(writer, 400, {"error": f"Unsupported parameter. Use '{self.limit}' instead."})
        if self.model and body["model"] != self.model:
            return self._reply(writer, 404, {"error": f"The model {body['model']} does not exist"})
        if len(json.dumps(body["messages"])) > self.context:
            return self._reply(writer, 400, {"error": "This model's maximum context length is exceeded"})
        seen.fault = self._fault()
        return await self._act(writer, seen, head[0].split()[1])

    def faults_after(self, calls, faults):
        """Break down after so many calls more."""
        self.breaks = len(self.seen) + calls, faults

    def _fault(self):
        if self.breaks and len(self.seen) > self.breaks[0]:
            self.faults, self.breaks = dict(self.breaks[1]), None
        dice = self.rng.random()
        for fault, share in self.faults.items():
            dice -= share
            if dice < 0:
                return fault
        return ""

    async def _act(self, writer, seen, path):
        fault = seen.fault
        if self.delay:
            await asyncio.sleep(self.delay * (self.rng.random() if self.jitter else 1.0))
        if fault in ("429", "529", "500"):
            later = fault == "429" or self.always_later
            return self._reply(
                writer, int(fault), {"error": "later"}, {"retry-after": self.retry_after} if later else {}
            )
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault == "drip":
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n")
            for _ in range(5000):
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.05)
        if fault == "reset":
            writer.transport.abort()
            return False
        document = self._said(seen, path)
        if fault == "cut":
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n" + json.dumps(document).encode()[:30])
            return False
        if fault == "not-json":
            document = "<html>bad gateway</html>"
        return self._reply(writer, 200, document)

    def _said(self, seen, path):
        question = next(each["content"] for each in seen.body["messages"] if each["role"] == "user")
        lettered = {letter: text for letter, _, text in LETTERED.findall(question)}
        if lettered:
            tiers = [tier if isinstance(tier, list) else [tier] for tier in self.order(lettered)]
            said = {"places": {letter: at for at, tier in enumerate(tiers, 1) for letter in tier}}
        else:
            first, second = [text for _, text in FENCED.findall(question)][-2:]
            said = {"verdict": self.verdict(first, second)}
        text = self.text if self.text is not None else json.dumps({"reason": "so", **said})
        text += seen.headers.get("authorization", "") if self.echo else ""
        text = {"prose": "I like them both.", "empty": "", "filtered": ""}.get(seen.fault, text)
        text = self.rng.choice(UNWILLING) if seen.fault == "unwilling" else text
        seen.tokens = len(json.dumps(seen.body)) // 4 + 10
        counted = {"prompt_tokens": seen.tokens - 10, "completion_tokens": 10 + self.counted}
        if path.endswith("/messages"):
            usage = {"input_tokens": seen.tokens - 10, "output_tokens": 10}
            stop = "refusal" if seen.fault == "refusal" else "end_turn"
            document = {"content": [{"type": "text", "text": text}], "stop_reason": stop}
        else:
            usage = counted
            message = {"content": text, "refusal": "no" if seen.fault == "refusal" else None}
            logprobs = {"content": []} if self.logprobs and seen.body.get("logprobs") else None
            ended = "content_filter" if seen.fault == "filtered" else "stop"
            document = {"choices": [{"message": message, "finish_reason": ended, "logprobs": logprobs}]}
        return {**document, "usage": usage} if self.usage else document

    @staticmethod
    def _reply(writer, status, document, more=None):
        raw = document.encode() if isinstance(document, str) else json.dumps(document).encode()
        lines = [f"HTTP/1.1 {status} X", f"content-length: {len(raw)}", "content-type: application/json"]
        lines += [f"{name}: {value}" for name, value in (more or {}).items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + raw)
        return True
