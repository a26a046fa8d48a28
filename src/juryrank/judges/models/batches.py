"""Questions sent as one batch: for half of the price, with an answer within a day.

    collected ──quiet for BATCH_QUIET seconds──▶ on record ──▶ sent ──results: all on record, at once──▶ answers

A line of a batch is one call, named by the cache's key of its answer. Which lines a batch has is on record before
it is sent, under a name that the endpoint gives back: so the same command, called again however it ended, waits
for the batch that is out, and pays for none of its lines twice. The first result of a line stays.

A line that expires, or that the result file leaves out, is sent again in the next batch, and has failed after
BATCH_TRIES. Where the batch as a whole cannot be had, nothing has come of its questions: they stay open.

openai       POST /files, POST /batches, GET /batches/ID, GET /files/ID/content
anthropic    POST /messages/batches, GET /messages/batches/ID and its /results
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
import uuid
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from juryrank.defaults import BATCH_PATIENCE, BATCH_QUIET, BATCH_SECONDS, BATCH_SHARE, BATCH_TRIES, FIRST_TRIES
from juryrank.errors import JudgeFailed, JudgeUnreachable, JudgeUnusable, JuryrankError, need_extra, shown
from juryrank.judges.models import wire
from juryrank.judges.models.client import ABOUT_THE_KEY, AGAIN, LAST_WORDS, RUN_AGAIN, Client, without_key

if TYPE_CHECKING:
    from juryrank.judges.models.cache import Cache

FIRST_LOOK, LONGEST_LOOK = 0.5, 60.0  # seconds between two looks whether a batch is back
REQUEST_TRIES = 6  # of a request about a batch that could not be made
ANSWERED = 200  # the status of a line with an answer
LINE_NAME = 60  # letters of a key: an endpoint takes names of up to 64
NOT_LISTED_YET = 120.0  # seconds in which a batch that was sent may be missing from the endpoint's list
PAGES, PER_PAGE = 20, 100  # of that list
CLOCKS = 300.0  # seconds by which two clocks may differ
TAG = "juryrank"  # under this our name for a batch goes with it
logger = logging.getLogger("juryrank")


@dataclass(frozen=True, slots=True)
class LineResult:
    """What came of a line: the status and body of its call; status 0: nothing came of it, and why."""

    status: int
    body: Any

    def words(self) -> str:
        return json.dumps([self.status, self.body], ensure_ascii=False)

    @classmethod
    def read(cls, words: str) -> LineResult:
        return cls(*json.loads(words))


class NotTaken(Exception):
    """The endpoint has taken no batch, for this reason."""


LOST = (
    JuryrankError,
    LookupError,
    TypeError,
    AttributeError,
)  # no answer about a batch, or not in its format


@dataclass(eq=False)
class Batches:
    """The batches of one judge."""

    client: Client
    cache: Cache
    _messages: dict[str, wire.Messages] = field(default_factory=dict)  # of lines that somebody waits for
    _waiting: dict[str, list[asyncio.Future[LineResult]]] = field(default_factory=dict)
    _collected: list[str] = field(default_factory=list)
    _timer: asyncio.TimerHandle | None = None
    _tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)  # by the batch's name

    async def reply(self, key: str, messages: wire.Messages) -> wire.ModelReply:
        """The answer to one question, with the next batch or from one that was sent before; charged."""
        line, why = key[:LINE_NAME], "it expired"
        while self.cache.tries(line) < BATCH_TRIES:
            try:
                return await self._once(line, messages)
            except _AnotherTry as again:
                why = str(again)
                self.cache.release_line(line, tried=again.counts)
        raise JudgeFailed(f"judge {self.client.settings.name!r}: {BATCH_TRIES} batches brought no answer: {why}")

    async def _once(self, line: str, messages: wire.Messages) -> wire.ModelReply:
        client, price = self.client, self.client.settings.price
        most = wire.most_tokens(client.settings, messages)
        dearest = BATCH_SHARE * price.of(input=most[0], output=most[1]) if price else 0.0
        if self.cache.line(line) is None:
            client.check_bound()
            held = await client.purse.take(dearest)
        else:  # it is paid for, or will be, whatever is left
            held = client.purse.hold(dearest, sent=True)
        spent = 0.0
        try:
            form, result = client.form, await self._result(line, messages)
            if result.status == ANSWERED:
                spent = held  # an answer that cannot be read is paid for all the same
            reply = self._read(line, result, form)
            spent, _ = client.cost_of(reply, most, held, share=BATCH_SHARE)
            return reply
        finally:
            client.settle(held, spent=spent)

    def _read(self, line: str, result: LineResult, form: wire.Form) -> wire.ModelReply:
        if result.status == ANSWERED:
            try:
                return wire.reply(self.client.settings, result.body)
            except wire.BadBody:
                raise _AnotherTry("the answer is not in its own format") from None
        if not result.status:
            raise _AnotherTry(shown(str(result.body)))
        try:
            why, counts = self.client.complaint(result.status, json.dumps(result.body).encode(), form)
        except JudgeUnreachable:
            self.cache.release_line(line, tried=False)
            raise
        raise _AnotherTry(why, counts=counts)

    # ------------------------------------------------------------------ collecting and sending
    async def _result(self, line: str, messages: wire.Messages) -> LineResult:
        row = self.cache.line(line)
        if row is not None and row.result:
            return LineResult.read(row.result)
        waiting: asyncio.Future[LineResult] = asyncio.get_running_loop().create_future()
        self._messages[line] = messages
        self._waiting.setdefault(line, []).append(waiting)
        if row is None:
            self._collect([line])
        else:
            self._follow(row.batch)
        return await waiting

    def _collect(self, lines: Iterable[str]) -> None:
        self._collected += [line for line in lines if line not in self._collected]
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(BATCH_QUIET, self._send_collected)

    def _send_collected(self) -> None:
        lines, self._collected, self._timer = self._collected, [], None
        name = f"{TAG}-{uuid.uuid4().hex}"
        self._tasks[name] = asyncio.create_task(self._guarded(self._send(name, lines), lines))

    async def _guarded(self, work: Coroutine[Any, Any, None], lines: Iterable[str]) -> None:
        """Nobody waits for ever: whatever ends the work on a batch ends the waiting for its lines."""
        try:
            await work
        except Exception as problem:
            self._fail(lines, self._worded(problem))

    async def _send(self, name: str, lines: list[str]) -> None:
        client, settings = self.client, self.client.settings
        ours = self.cache.begin_batch(name, judge=settings.name, address=settings.address, lines=lines)
        for line in set(lines).difference(ours):  # another process was quicker
            if (row := self.cache.line(line)) is not None:
                self._follow(row.batch)
        if not ours:
            return
        bodies = {line: wire.body(settings, self._messages[line], client.form) for line in ours}
        try:
            remote = await self._endpoint().send(name, bodies)
        except NotTaken as problem:
            self._refused(name, ours, f"took no batch: {problem}")
            return
        except JudgeUnusable:
            self.cache.drop_batch(name)
            raise
        except LOST:  # it may have arrived: it is looked for, and sent again if it has not
            await self._fetch(name)
            return
        self.cache.sent_batch(name, remote)
        client.calls += len(ours)
        logger.warning(
            "judge %s: %d question%s sent as a batch (%s); answers come within a day. Ctrl-C leaves it there, and "
            "the same command goes on with it",
            settings.name, len(ours), "" if len(ours) == 1 else "s", shown(remote),
        )  # fmt: skip
        await self._fetch(name)

    # ------------------------------------------------------------------ waiting and reading
    def _follow(self, name: str) -> None:
        if name not in self._tasks or self._tasks[name].done():
            lines = self.cache.lines_of(name)
            self._tasks[name] = asyncio.create_task(self._guarded(self._fetch(name), lines))

    async def _fetch(self, name: str) -> None:
        """Wait for a batch, and put all that it brings on record before any of it is used."""
        lines = self.cache.lines_of(name)
        try:
            remote = await self._remote(name, lines)
            if not remote:  # it never arrived
                self.cache.drop_batch(name)
                self._collect(line for line in lines if line in self._waiting)
                return
            found, raw = await self._results(remote)
            missing = LineResult(0, "the batch came back without it")
            results = {line: found.get(line, missing) for line in lines}
            self.cache.end_batch(
                name,
                {line: result.words() for line, result in results.items()},
                digest=hashlib.sha256(raw).hexdigest(),
            )
        except NotTaken as problem:
            self._refused(name, lines, f"gave a batch up: {problem}")
            return
        for line in lines:
            row = self.cache.line(line)  # of two results the first one stays
            for waiting in self._waiting.pop(line, []):
                if row is not None and not waiting.done():
                    waiting.set_result(LineResult.read(row.result))

    async def _results(self, remote: str) -> tuple[dict[str, LineResult], bytes]:
        endpoint, pause, seen = self._endpoint(), FIRST_LOOK, None
        while True:
            try:
                state = await endpoint.look(remote)
            except JudgeUnreachable:
                if seen is None or time.monotonic() - seen > BATCH_PATIENCE:
                    raise
                await asyncio.sleep(LONGEST_LOOK)
                continue
            seen = time.monotonic()
            if state.refused:
                raise NotTaken(state.refused)
            if state.over:
                return await endpoint.results(state)
            await asyncio.sleep(pause)
            pause = min(LONGEST_LOOK, 1.5 * pause)

    async def _remote(self, name: str, lines: Sequence[str]) -> str:
        """The endpoint's name of a batch, also of one that may not have been sent when a run ended; "": none."""
        while True:
            sent = self.cache.sent(name)
            if sent.remote:
                return sent.remote
            known = self.cache.remotes(self.client.settings.address)
            found = await self._endpoint().find(name, since=sent.made - CLOCKS, lines=set(lines), known=known)
            if found:
                self.cache.sent_batch(name, found)
            elif time.time() > sent.made + NOT_LISTED_YET:
                return ""
            else:
                await asyncio.sleep(FIRST_LOOK)

    def _refused(self, name: str, lines: Iterable[str], why: str) -> None:
        self.cache.drop_batch(name)
        self._fail(
            lines, JudgeUnusable(f"judge {self.client.settings.name!r}: {self.client.settings.address} {why}")
        )

    def _worded(self, problem: Exception) -> JuryrankError:
        if isinstance(problem, JuryrankError):
            return problem
        return JudgeUnreachable(
            f"judge {self.client.settings.name!r}: {self.client.settings.address} said something about a batch "
            "that cannot be read (it may have no batches: then leave batch out); run this again"
        )

    def _fail(self, lines: Iterable[str], problem: JuryrankError) -> None:
        for line in lines:
            for waiting in self._waiting.pop(line, []):
                if not waiting.done():
                    waiting.set_exception(problem)

    def _endpoint(self) -> _OpenAI | _Anthropic:
        return (_Anthropic if self.client.settings.api == "anthropic" else _OpenAI)(self.client)

    async def close(self) -> None:
        """Wait for nothing more on this event loop; what is out stays out."""
        if self._timer is not None:
            self._timer.cancel()
        tasks, self._tasks, self._timer = list(self._tasks.values()), {}, None
        self._collected, self._waiting, self._messages = [], {}, {}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class _AnotherTry(Exception):
    """A line brought no answer, and is sent again; `counts`: as one of its tries."""

    def __init__(self, why: str, *, counts: bool = True) -> None:
        super().__init__(why)
        self.counts = counts


# ----------------------------------------------------------------------------
# What the two vendors call it
@dataclass(frozen=True, slots=True)
class BatchState:
    """How far a batch is, and the files that hold what came of it."""

    over: bool
    files: tuple[str, ...] = ()
    refused: str = ""


class _Requests:
    """Requests about batches; each is tried again where the endpoint could not be reached."""

    def __init__(self, client: Client) -> None:
        self.client, self.settings = client, client.settings

    async def request(self, method: str, path: str, *, once: bool = False, **sent: Any) -> bytes:
        """`once`: what may have arrived is not sent a second time."""
        httpx = need_extra("httpx", extra="models", what="a model as a judge")
        why = ""
        for tried in range(1, REQUEST_TRIES + 1):
            key = await self.client.fetched_key()
            headers = wire.headers(self.settings, key)
            try:
                got = await self.client.http().request(
                    method, self.settings.address + path, headers=headers, timeout=BATCH_SECONDS, **sent
                )
            except httpx.HTTPError as problem:
                why = str(problem) or type(problem).__name__
                arrived = not isinstance(problem, httpx.ConnectError | httpx.ConnectTimeout)
                if not arrived and not self.client.heard and tried == FIRST_TRIES:
                    raise JudgeUnusable(
                        f"judge {self.settings.name!r}: nothing answers at {self.settings.address} ({why}, in "
                        f"{tried} tries). Correct its url, or start it there, {RUN_AGAIN}"
                    ) from None
            else:
                self.client.heard, raw = True, without_key(key, got.content)
                if got.status_code < 300:
                    return raw
                why = f"HTTP {got.status_code}: {' '.join(raw[:LAST_WORDS].decode(errors='replace').split())}"
                if got.status_code < 500 and got.status_code not in AGAIN:
                    self._refuse(got.status_code, raw, why)
                arrived = got.status_code >= 500
            if once and arrived:
                break
            await asyncio.sleep(self.client.growing(tried))
        raise JudgeUnreachable(
            f"judge {self.settings.name!r}: {self.settings.address}{path} gave no answer in {tried} tries: "
            f"{why}; what is out stays there: run this again"
        )

    def _refuse(self, status: int, raw: bytes, why: str) -> NoReturn:
        if status in ABOUT_THE_KEY | {402}:
            self.client.complaint(status, raw, self.client.form)
        if status in (404, 405):
            raise NotTaken(f"it seems to have no batches ({why}); leave batch out")
        raise NotTaken(why)

    async def json(self, method: str, path: str, **sent: Any) -> Any:
        raw = await self.request(method, path, **sent)
        try:
            return _checked(json.loads(raw))
        except ValueError:
            raise JudgeUnreachable(
                f"judge {self.settings.name!r}: {self.settings.address}{path} gave no JSON; run this again"
            ) from None

    async def lines(self, path: str) -> tuple[list[Mapping[str, Any]], bytes]:
        """A file of results. One that breaks off is fetched again; then what is missing has no result."""
        for _ in range(BATCH_TRIES):
            raw = await self.request("GET", path)
            rows = [_row(line) for line in raw.splitlines() if line.strip()]
            if None not in rows:
                break
        return [row for row in rows if row is not None], raw


class _OpenAI(_Requests):
    """OpenAI's: a file of requests goes up, a file of results and one of errors come down."""

    async def send(self, name: str, bodies: Mapping[str, Any]) -> str:
        rows = [
            {"custom_id": line, "method": "POST", "url": "/v1/chat/completions", "body": body}
            for line, body in bodies.items()
        ]
        file = "".join(json.dumps(row) + "\n" for row in rows).encode()
        up = {"files": {"file": (f"{name}.jsonl", file, "application/jsonl")}, "data": {"purpose": "batch"}}
        uploaded = await self.json("POST", "/files", **up)
        order = {
            "input_file_id": uploaded["id"],
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "metadata": {TAG: name},
        }
        return str((await self.json("POST", "/batches", once=True, json=order))["id"])

    async def find(self, name: str, *, since: float, lines: set[str], known: set[str]) -> str:
        after: dict[str, str] = {}
        for _ in range(PAGES):
            page = await self.json("GET", "/batches", params={"limit": str(PER_PAGE), **after})
            for each in page["data"]:
                if (each.get("metadata") or {}).get(TAG) == name:
                    return str(each["id"])
            if not page.get("has_more") or not page["data"]:
                break
            after = {"after": str(page["data"][-1]["id"])}
        return ""

    async def look(self, remote: str) -> BatchState:
        found = await self.json("GET", f"/batches/{remote}")
        if found["status"] == "failed":
            problems = (found.get("errors") or {}).get("data") or [{}]
            return BatchState(True, refused=shown(str(problems[0].get("message") or "it gave no reason")))
        files = [found.get(name) for name in ("output_file_id", "error_file_id")]
        return BatchState(
            found["status"] in ("completed", "expired", "cancelled"), tuple(str(file) for file in files if file)
        )

    async def results(self, state: BatchState) -> tuple[dict[str, LineResult], bytes]:
        found: dict[str, LineResult] = {}
        whole = b""
        for file in state.files:
            rows, raw = await self.lines(f"/files/{file}/content")
            whole += raw
            for row in rows:
                answer = row.get("response") or {}
                why = (row.get("error") or {}).get("message") or "it brought no answer"
                status = answer.get("status_code")
                result = LineResult(status, answer.get("body")) if isinstance(status, int) else LineResult(0, why)
                found.setdefault(str(row.get("custom_id")), result)
        return found, whole


class _Anthropic(_Requests):
    """Anthropic's: the requests go inline, the results come as lines."""

    async def send(self, name: str, bodies: Mapping[str, Any]) -> str:
        rows = [{"custom_id": line, "params": body} for line, body in bodies.items()]
        return str((await self.json("POST", "/messages/batches", once=True, json={"requests": rows}))["id"])

    async def find(self, name: str, *, since: float, lines: set[str], known: set[str]) -> str:
        """A batch has no name there: it is ours if its results are those of our lines."""
        after: dict[str, str] = {}
        for _ in range(PAGES):
            page = await self.json("GET", "/messages/batches", params={"limit": str(PER_PAGE), **after})
            recent = [each for each in page["data"] if _seconds(each.get("created_at")) >= since]
            for each in recent:
                remote = str(each["id"])
                if remote in known or sum(each.get("request_counts", {}).values()) not in (0, len(lines)):
                    continue
                while not (state := await self.look(remote)).over:
                    await asyncio.sleep(FIRST_LOOK)
                if lines.intersection((await self.results(state))[0]):
                    return remote
            if len(recent) < len(page["data"]) or not page.get("has_more") or not page["data"]:
                break
            after = {"after_id": str(page["data"][-1]["id"])}
        return ""

    async def look(self, remote: str) -> BatchState:
        found = await self.json("GET", f"/messages/batches/{remote}")
        return BatchState(found["processing_status"] == "ended", (remote,))

    async def results(self, state: BatchState) -> tuple[dict[str, LineResult], bytes]:
        found: dict[str, LineResult] = {}
        rows, raw = await self.lines(f"/messages/batches/{state.files[0]}/results")
        for row in rows:
            result = row.get("result") or {}
            if result.get("type") == "succeeded":
                read = LineResult(200, result.get("message"))
            elif result.get("type") == "errored":
                error = result.get("error") or {}
                inner = error.get("error") or error
                read = LineResult(400 if inner.get("type") == "invalid_request_error" else 0, inner)
            else:
                read = LineResult(0, f"it was {result.get('type') or 'left out'}")
            found.setdefault(str(row.get("custom_id")), read)
        return found, raw


def _row(line: bytes) -> Mapping[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _checked(document: Any) -> Any:
    if not isinstance(document, dict):
        raise ValueError("no object")
    return document


def _seconds(stamp: Any) -> float:
    """Seconds since 1970 of a time as the endpoint writes it; one that cannot be read is recent.

    >>> _seconds("2026-01-01T00:00:00Z"), _seconds(None)
    (1767225600.0, inf)
    """
    from datetime import datetime

    try:
        return datetime.fromisoformat(str(stamp)).timestamp()
    except ValueError:
        return float("inf")
