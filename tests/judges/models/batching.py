"""The loopback server with batches, in both vendors' formats, and what can go wrong with them.

with BatchEndpoint(looks=2, trouble={"expire": 0.2, "half", ...}) as endpoint:
    ... endpoint.made        the batches that it has taken, each a list of line names
    ... endpoint.release()   where `held`: no batch ends before
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

from tests.judges.models.endpoint import Endpoint, Seen


@dataclass
class Batch:
    name: str
    rows: list
    metadata: dict
    made: float
    looks: int = 0
    raw: bytes = b""
    fetched: int = 0


@dataclass
class BatchEndpoint(Endpoint):
    looks: int = 1  # at a batch until it is over
    held: bool = False  # until `release`
    expire: float = 0.0  # share of the lines that come back expired
    left_out: float = 0.0  # share of the lines that no file has
    twice: bool = False  # every line comes twice, the second time with another verdict
    half: int = 0  # so many times a result file breaks off in the middle
    lose: int = 0  # so many times the connection breaks after a batch was taken
    complaint: str = ""  # in place of every line's answer
    fails: str = ""  # why batches are not accepted
    batches: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)

    @property
    def made(self):
        return [[row["custom_id"] for row in batch.rows] for batch in self.batches.values()]

    @property
    def lines(self):
        return [line for batch in self.made for line in batch]

    def release(self):
        self.held = False

    async def _one(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, _ = head.decode().split("\r\n")[0].split()
        path = target.partition("?")[0].removeprefix("/v1")
        if not path.startswith(("/files", "/batches", "/messages/batches")):
            return await super()._one(_Again(head, reader), writer)
        headers = {
            name.lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head.decode().split("\r\n")[1:])
        }
        raw = await reader.readexactly(int(headers.get("content-length", 0)))
        given = headers.get("authorization", "").removeprefix("Bearer ") or headers.get("x-api-key", "")
        if self.key and given != self.key:
            return self._reply(writer, 401, {"error": f"wrong key {given}"})
        return self._batching(method, path, raw, writer)

    def _batching(self, method, path, raw, writer):
        match method, path.strip("/").split("/"):
            case "POST", ["files"]:
                name = f"file-{len(self.files)}"
                self.files[name] = [json.loads(line) for line in raw.splitlines() if line.startswith(b'{"custom')]
                return self._reply(writer, 200, {"id": name})
            case "POST", ["batches"]:
                order = json.loads(raw)
                return self._make(writer, self.files[order["input_file_id"]], order.get("metadata"))
            case "POST", ["messages", "batches"]:
                rows = [{**row, "body": row["params"]} for row in json.loads(raw)["requests"]]
                return self._make(writer, rows, None)
            case "GET", ["batches"] | ["messages", "batches"]:
                shown = [self._shown(batch) for batch in reversed(self.batches.values())]
                return self._reply(writer, 200, {"data": shown, "has_more": False})
            case "GET", ["batches", name] | ["messages", "batches", name] if name in self.batches:
                batch = self.batches[name]
                batch.looks += not self.held
                return self._reply(writer, 200, self._shown(batch))
            case "GET", ["files", name, "content"] | ["messages", "batches", name, "results"]:
                return self._results(writer, self.batches[name.removeprefix("out-")])
        return self._reply(writer, 404, {"error": "not found"})

    def _make(self, writer, rows, metadata):
        batch = Batch(f"batch-{len(self.batches)}", rows, metadata or {}, time.time())
        self.batches[batch.name] = batch
        if self.lose:
            self.lose -= 1
            writer.transport.abort()
            return False
        return self._reply(writer, 200, self._shown(batch))

    def _shown(self, batch):
        over = batch.looks >= self.looks and not self.held
        made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch.made))
        status = "failed" if self.fails else "completed" if over else "in_progress"
        return {
            "id": batch.name,
            "metadata": batch.metadata,
            "status": status,
            "errors": {"data": [{"message": self.fails}]} if self.fails else None,
            "output_file_id": f"out-{batch.name}" if over else None,
            "processing_status": "ended" if over else "in_progress",
            "created_at": made,
            "request_counts": {"processing": 0 if over else len(batch.rows), "succeeded": len(batch.rows) * over},
        }

    def _results(self, writer, batch):
        if not batch.raw:
            lines = [line for row in batch.rows if (line := self._line(row)) is not None]
            batch.raw = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
            if self.twice:
                told = self.verdict
                self.verdict = lambda first, second: "second" if told(first, second) == "first" else "first"
                known = {line["custom_id"] for line in lines if b"expired" not in json.dumps(line).encode()}
                sure = self.expire, self.left_out
                self.expire = self.left_out = 0.0
                lines = [self._line(row) for row in batch.rows if row["custom_id"] in known]
                self.expire, self.left_out = sure
                self.verdict = told
                batch.raw += b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        batch.fetched += 1
        whole = batch.raw
        if self.half:
            self.half -= 1
            whole = whole[: len(whole) // 2]
        return self._reply(writer, 200, whole.decode())

    def _line(self, row):
        named, anthropic = {"custom_id": row["custom_id"]}, "params" in row
        dice = self.rng.random()
        if dice < self.left_out:
            return None
        if dice < self.left_out + self.expire:
            problem = {"code": "batch_expired", "message": "This request expired."}
            return {**named, "result": {"type": "expired"}} if anthropic else {**named, "error": problem}
        if self.complaint:
            return {**named, "response": {"status_code": 400, "body": {"error": self.complaint}}}
        seen = Seen(time.monotonic(), {}, row["body"], fault=self._fault())
        if not self.schema and "response_format" in row["body"]:
            problem = {"error": "response_format json_schema is not supported"}
            return {**named, "response": {"status_code": 400, "body": problem}}
        document = self._said(seen, "/messages" if anthropic else "/chat/completions")
        if anthropic:
            return {**named, "result": {"type": "succeeded", "message": document}}
        return {**named, "response": {"status_code": 200, "body": document}}


class WithoutBatches(BatchEndpoint):
    """It answers single calls alone."""

    def _batching(self, method, path, raw, writer):
        return self._reply(writer, 404, {"error": "no such path"})


class _Again:
    """A reader whose first lines were read already."""

    def __init__(self, head, reader):
        self.head, self.reader = head, reader

    async def readuntil(self, end):
        return self.head

    async def readexactly(self, count):
        return await self.reader.readexactly(count)
