"""One call of an endpoint, tried again where trying again can help.

429, 529, 408, 409, 5xx, time-outs, lost connections, broken bodies    again, after a growing, jittered pause
                                                                       (or as Retry-After says); then an outage
the same, time-outs aside, while the endpoint answers other calls      MORE_TRIES more: that one passes
no connection, or no answer in time, before the judge's first answer   once more, then unusable: nothing runs there
400 that complains about the schema, or about the name max_tokens      again without it, and never with it again
400 of a content filter                                                a refusal
400 that says too long, 413, a body that is too long                   this question fails, now and later
other 400s                                                             an outage: an empty account, say
401, 402, 403, 404                                                     unusable: a wrong key, no such model
Retry-After of more than ten minutes                                   unusable: a day's limit is reached

A refusal and a failure are what came of the question: they are final and kept. An outage (JudgeUnreachable; a
judge that is unusable is one that lasts) says nothing about the question, which stays open (`judge.py`).
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import logging
import random
import re
import threading
import time
import weakref
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

from juryrank.defaults import (
    ANSWER_BYTES,
    CONNECT_SECONDS,
    DOWN_AFTER,
    FIRST_TRIES,
    KEY_SECONDS,
    LONGEST_REST,
    MODEL_PAUSES,
    MORE_TRIES,
    WORD_AFTER,
)
from juryrank.errors import (
    BadInput,
    JudgeFailed,
    JudgeRefused,
    JudgeUnreachable,
    JudgeUnusable,
    JuryrankError,
    need_extra,
)
from juryrank.judges.models import wire
from juryrank.judges.models.money import BILL, Bill, Purse, Sent, WindowLimit
from juryrank.judges.models.settings import ModelSettings

AGAIN = {408, 409, 425, 429, 529}
JUDGE_FAILS = {
    401: "the key is wrong or missing",
    402: "the account has no money left",
    403: "the key may not use it",
    404: "there is no such model or address",
}
ABOUT_THE_KEY = {401, 403}
FILTERED = re.compile(rb"content_filter|content management policy|ResponsibleAIPolicyViolation", re.I)
TOO_LONG = re.compile(r"context|too long|too large|maximum|exceed", re.I)
GROWS_UNTIL = 4  # tries: between further ones the pause grows no more
LAST_WORDS = 200  # characters of an endpoint's own complaint that are shown
RUN_AGAIN = "and run this again"  # ends the advice of an error that has some: nobody needs more
SHORTEST_KEY = 8  # characters of a key that is a secret: "x" for a server that wants none is part of many words
logger = logging.getLogger("juryrank")


@dataclass(slots=True)
class Client:
    """The connection to one judge's endpoint, with its limits and its money."""

    settings: ModelSettings
    purse: Purse = field(default_factory=Purse)
    transport: Any = None  # for tests
    calls: int = 0
    cost: float = 0.0
    first_pause: float = MODEL_PAUSES[0]
    form: wire.Form = wire.USUAL  # what the endpoint takes, as far as it has said
    over: str = ""  # it counted more tokens than a call can have: what it said
    heard: bool = False  # has it ever answered?
    lost: int = 0  # tries in a row, of any call, that came to nothing
    stopping: bool = False  # no further try: what is under way may still come
    waited: bool = False  # was it said that we wait for its first answer?
    gone: str = ""  # why it cannot be used, once that is known: then nothing more is sent
    _key: tuple[str | None, float] | None = field(default=None, repr=False)
    _key_lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _requests: WindowLimit = field(init=False)
    _tokens: WindowLimit = field(init=False)
    _https: Any = field(default_factory=weakref.WeakKeyDictionary)  # an event loop: its connections

    def __post_init__(self) -> None:
        rate = self.settings.rate
        self._requests = WindowLimit(rate.requests, rate.window, spread=True)
        self._tokens = WindowLimit(rate.tokens, rate.window)

    async def call(self, messages: wire.Messages) -> wire.ModelReply:
        """The endpoint's answer, charged; raises JudgeUnreachable after the last try."""
        try:
            return await self._tried(messages)
        except JudgeUnusable as problem:
            self.gone = str(problem)
            raise

    async def _tried(self, messages: wire.Messages) -> wire.ModelReply:
        problem, tries = _Again("", charged=False), 0
        while not tries or self._worth_another(problem, tries):
            if tries:
                await asyncio.sleep(problem.pause or self.growing(tries))
            if self.gone:
                raise JudgeUnusable(self.gone)
            tries += 1
            try:
                reply = await self._once(messages)
                self.lost = 0
                return reply
            except _Again as once_more:
                problem = once_more
                self.lost += not problem.answered
        in_tries = f"in {tries} {'tries' if tries > 1 else 'try'}"
        name, where = self.settings.name, self.settings.address
        if problem.unconnected or (problem.first_tries and not self.heard):
            longer = "" if problem.unconnected else ", give it longer with timeout"
            raise JudgeUnusable(
                f"judge {name!r}: nothing answers at {where} ({problem}, {in_tries}). Start the model there, or "
                f"correct its url{longer}, {RUN_AGAIN}"
            )
        raise JudgeUnreachable(f"judge {name!r}: {where} gave no answer {in_tries}: {problem}")

    def _worth_another(self, problem: _Again, tries: int) -> bool:
        """Is a call tried again after so many tries? An outage that passes is waited for, not one that lasts."""
        if self.stopping or (problem.first_tries and not self.heard and tries >= problem.first_tries):
            return False
        if tries <= self.settings.retries:
            return True
        return problem.passing and tries <= self.settings.retries + MORE_TRIES and self.lost < DOWN_AFTER

    async def _once(self, messages: wire.Messages) -> wire.ModelReply:
        most_in, most_out = wire.most_tokens(self.settings, messages)
        self.check_bound()
        tokens = await self._tokens.take(most_in + most_out)
        request, price = None, self.settings.price
        try:
            request = await self._requests.take()
            held = await self.purse.take(price.of(input=most_in, output=most_out) if price else 0.0)
        except BaseException:  # nothing was sent
            self._ended(tokens, request, 0)
            raise
        spent, used = held, most_in + most_out  # an answer that we do not see is paid for all the same
        try:
            reply = await self._send(messages)
            spent, used = self.cost_of(reply, (most_in, most_out), held)
            return reply
        except _Again as problem:
            spent = held if problem.charged else 0.0
            raise
        except _TooLong:
            raise
        except JuryrankError:  # a complaint, or nothing was sent
            spent = 0.0
            raise
        finally:
            self.settle(held, spent=spent)
            self._ended(tokens, request, used)

    def cost_of(
        self, reply: wire.ModelReply, most: tuple[int, int], held: float, *, share: float = 1.0
    ) -> tuple[float, int]:
        """What an answer cost, and its tokens, by the endpoint's own count; `most`: tokens in and out."""
        price, (most_in, most_out) = self.settings.price, most
        got_in = most_in if reply.input_tokens is None else reply.input_tokens
        got_out = most_out if reply.output_tokens is None else reply.output_tokens
        spent = share * price.of(input=got_in, output=got_out) if price else 0.0
        if spent > held:
            self.over = f"{got_in:,} tokens in and {got_out:,} out, where at most {most_in:,} and {most_out:,}"
        return spent, got_in + got_out

    def settle(self, held: float, *, spent: float) -> None:
        """A call is over: what it cost is on the purse, on this judge's account and on the question's bill."""
        self.purse.settle(held, spent=spent)
        self.cost += spent
        bill = BILL.get()
        if bill is not None:
            bill.cost += spent

    def check_bound(self) -> None:
        """A cap relies on an upper bound per call: an endpoint that has exceeded it is not asked again."""
        if self.over and self.purse.cap is not None:
            raise JudgeUnusable(
                f"judge {self.settings.name!r}: its endpoint counted {self.over} were possible: it does not "
                "keep to max_tokens, so a cap on money cannot hold; leave the cap out, or this judge"
            )

    def _ended(self, tokens: Sent, request: Sent | None, used: int) -> None:
        self._tokens.settle(tokens, used)
        if request is not None:
            self._requests.settle(request)

    async def _send(self, messages: wire.Messages) -> wire.ModelReply:
        httpx = need_extra("httpx", extra="models", what="a model as a judge")
        form, key = self.form, await self.fetched_key()
        post = {
            "json": wire.body(self.settings, messages, form),
            "headers": wire.headers(self.settings, key),
        }
        if self.stopping:
            raise JudgeUnreachable(f"judge {self.settings.name!r}: stopped before it was asked")
        self.calls += 1
        bill = BILL.get() or Bill()
        bill.under_way += 1
        word = None if self.heard else asyncio.get_running_loop().call_later(WORD_AFTER, self._say_waiting)
        try:  # the limit is on the whole call: an endpoint may send a little now and then, for ever
            async with (
                asyncio.timeout(self.settings.timeout),
                self.http().stream("POST", wire.path_of(self.settings), **post) as got,
            ):
                raw = without_key(key, await _limited(got))
        except httpx.ConnectTimeout:
            raise _Unconnected(f"no connection within {self._connect_limit:g} s", first_tries=1) from None
        except (httpx.TimeoutException, TimeoutError):
            raise _TooSlow(f"no answer within {self.settings.timeout:g} s") from None
        except httpx.ConnectError as problem:
            raise _Unconnected(str(problem) or "no connection", first_tries=FIRST_TRIES) from None
        except httpx.HTTPError as problem:
            raise _Again(f"the connection broke ({type(problem).__name__})", charged=True) from None
        finally:
            bill.under_way -= 1
            if word is not None:
                word.cancel()
        if got.status_code != 200:
            self._complain(got.status_code, raw, got.headers, form)
        try:
            reply = wire.reply(self.settings, json.loads(raw))
            self.heard = True
            return reply
        except (ValueError, RecursionError, wire.BadBody):
            raise _Again("its answer broke off or is not in its own format", charged=True) from None

    def _say_waiting(self) -> None:
        """Nobody looks at a silent screen: say once whom we wait for, and until when."""
        if self.heard or self.waited:
            return
        self.waited = True
        left = FIRST_TRIES * self.settings.timeout - WORD_AFTER
        until = time.strftime("%H:%M:%S", time.localtime(time.time() + max(left, 0.0)))
        logger.warning(
            "judge %s: waiting for a first answer from %s until about %s (%d tries of %g s, the judge's timeout)",
            self.settings.name, self.settings.address, until, FIRST_TRIES, self.settings.timeout,
        )  # fmt: skip

    def _complain(self, status: int, raw: bytes, headers: Any, form: wire.Form) -> NoReturn:
        """Raise what an error means: try again, a refusal, this question fails, or the judge is unusable."""
        said = " ".join(raw[:2000].decode(errors="replace").split())[:LAST_WORDS]
        name, where = self.settings.name, self.settings.address
        if status in JUDGE_FAILS:
            key = f"; the key is read from {self._key_source}" if status in ABOUT_THE_KEY else ""
            raise JudgeUnusable(f"judge {name!r} at {where}: {JUDGE_FAILS[status]} (HTTP {status}){key}: {said}")
        if status in AGAIN or status >= 500:
            pause = _retry_after(headers)
            if pause > LONGEST_REST:  # the limit of a day or a month: nobody waits for that without a word
                raise JudgeUnusable(
                    f"judge {name!r}: {where} asks to be left alone for {pause:,.0f} s (HTTP "
                    f"{status}); run it again then, answers given so far are kept: {said}"
                )
            raise _Again(f"HTTP {status}", charged=False, pause=pause)
        simpler = wire.simpler_form(form, said) if status in (400, 422) else None
        if simpler is not None:
            self.form = simpler
            raise _Simpler(f"it refuses a part of the request: {said}", charged=False, pause=0.001)
        if status == 400 and FILTERED.search(raw):
            raise JudgeRefused(f"judge {name!r} refused to compare these two")
        final = status == 413 or TOO_LONG.search(said)
        kind = JudgeFailed if final else JudgeUnreachable
        raise kind(f"judge {name!r}: {where} refuses the question (HTTP {status}): {said}")

    def complaint(self, status: int, raw: bytes, form: wire.Form) -> tuple[str, bool]:
        """Why a line of a batch is worth another try, and whether that counts as one; raises where it is not."""
        try:
            self._complain(status, raw, {}, form)
        except _Again as again:
            return str(again), not isinstance(again, _Simpler)

    @property
    def _key_source(self) -> str:
        """Where the key comes from, in words."""
        if self.settings.key_command:
            return "its key_command"
        name = self.settings.key_name
        return f"the environment variable {name}" if name else "nowhere: name a variable with key_env"

    @property
    def _connect_limit(self) -> float:
        return min(CONNECT_SECONDS, self.settings.timeout)

    async def fetched_key(self) -> str | None:
        """The key; a program that prints it is run outside the event loop, and not for every call."""
        if not self.settings.key_command:
            return self._key_now()
        fetched = self._key
        return fetched[0] if fetched and _lasts(fetched) else await asyncio.to_thread(self._key_now)

    def _key_now(self) -> str | None:
        with self._key_lock:
            if self._key is None or not _lasts(self._key):
                try:
                    self._key = self.settings.key(), time.monotonic()
                except BadInput as problem:
                    raise JudgeUnusable(str(problem)) from None
            return self._key[0]

    def http(self) -> Any:
        """This event loop's connections."""
        loop = asyncio.get_running_loop()
        if loop not in self._https:
            httpx = need_extra("httpx", extra="models", what="a model as a judge")
            limits = httpx.Limits(max_connections=self.settings.concurrency)
            time_limit = httpx.Timeout(self.settings.timeout, connect=self._connect_limit, pool=None)
            self._https[loop] = httpx.AsyncClient(
                timeout=time_limit, limits=limits, transport=self.transport, follow_redirects=False,
                trust_env=True, verify=_certificates(),
            )  # fmt: skip
        return self._https[loop]

    def growing(self, tries: int) -> float:
        """The pause before another try."""
        grown = tries if tries <= self.settings.retries else min(tries, GROWS_UNTIL)
        return float(min(MODEL_PAUSES[1], self.first_pause * 2 ** (grown - 1)) * random.uniform(0.5, 1.5))

    async def close(self) -> None:
        """Close the connections of this event loop."""
        http = self._https.pop(asyncio.get_running_loop(), None)
        if http is not None:
            await http.aclose()


class _TooLong(JudgeFailed):
    """An answer that was given, and paid for, but is too long to be accepted."""


class _Again(Exception):
    """Try again. `charged`: the endpoint may have done its work, so the money set aside counts as spent."""

    unconnected = False
    passing = True  # may another try soon be lucky, if others are?
    answered = False  # it was answered: no sign that the endpoint is down
    first_tries = 0  # so many of these end it before the judge's first answer; 0: as many as ever

    def __init__(self, why: str, *, charged: bool, pause: float = 0.0) -> None:
        super().__init__(why)
        self.charged, self.pause = charged, pause


class _Simpler(_Again):
    """The endpoint refused a part of the request, which is left out from now on."""

    answered = True


class _TooSlow(_Again):
    """There was no answer in time: the same again would take as long again, and is paid for."""

    passing, first_tries = False, FIRST_TRIES

    def __init__(self, why: str) -> None:
        super().__init__(why, charged=True)


class _Unconnected(_Again):
    """There was no connection."""

    unconnected = True

    def __init__(self, why: str, *, first_tries: int) -> None:
        super().__init__(why, charged=False)
        self.first_tries = first_tries


@cache
def _certificates() -> Any:
    """Whom to trust, read once: it takes longer than a call, and every event loop of every judge needs it."""
    return need_extra("httpx", extra="models", what="a model as a judge").create_ssl_context()


def _lasts(fetched: tuple[str | None, float]) -> bool:
    return time.monotonic() - fetched[1] < KEY_SECONDS


def without_key(key: str | None, raw: bytes) -> bytes:
    r"""What an endpoint sent, with our key removed: some endpoints repeat it, as JSON or an address may spell it.

    >>> without_key("sk-12/345", rb"sk-12\/345, s\u006b-12/345, sk-12%2F345")
    b'(key), (key), (key)'
    """
    if key is None or len(key) < SHORTEST_KEY:
        return raw
    spelled = (rf"(?:\\?{re.escape(sign)}|(?i:\\u00{ord(sign):02x}|%{ord(sign):02x}))" for sign in key)
    return re.sub("".join(spelled).encode(), b"(key)", raw)


async def _limited(got: Any) -> bytes:
    parts, size = [], 0
    async for part in got.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > ANSWER_BYTES:
            raise _TooLong(f"the endpoint's answer is longer than {ANSWER_BYTES:,} bytes; set max_tokens")
    return b"".join(parts)


def _retry_after(headers: Any) -> float:
    """Seconds to wait, as the endpoint says; 0: it does not say.

    >>> _retry_after({"retry-after": "2"}), _retry_after({})
    (2.0, 0.0)
    """
    text = headers.get("retry-after") or ""
    try:
        seconds = float(text)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError):
            return 0.0
    return max(seconds, 0.0) if seconds == seconds else 0.0
