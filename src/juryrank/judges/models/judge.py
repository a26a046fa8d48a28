"""A model as a judge: an async callable `(left, right, case)` that returns the better item, TIE, or a grade."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from juryrank.errors import (
    BadInput,
    JudgeFailed,
    JudgeRefused,
    JudgeUnreachable,
    JudgeUnusable,
    MoneySpent,
    StorageError,
    need_extra,
    shown,
)
from juryrank.judges.models.batches import Batches
from juryrank.judges.models.cache import AnswerKey, Cache, Kept, Outage, key_of
from juryrank.judges.models.client import Client
from juryrank.judges.models.money import BILL, Bill, Purse
from juryrank.judges.models.prompts import (
    FIRST,
    SECOND,
    Unreadable,
    again,
    first_message,
    is_refusal,
    letters_in,
    prompt,
    read_letters,
    read_verdict,
    verdict_words,
)
from juryrank.judges.models.settings import ANSWERS, ModelSettings
from juryrank.judges.models.wire import ModelReply
from juryrank.judges.ordering import Lettered, Ordered, read_order
from juryrank.log.bodies import FAILED, REFUSED
from juryrank.types import TIE, Answer, Grade

TIE_WORD = "tie"
Said = TypeVar("Said")
logger = logging.getLogger("juryrank")


@dataclass(slots=True)
class Usage:
    """What a judge has done so far."""

    questions: int = 0
    cached: int = 0
    failed: int = 0
    refused: int = 0
    first: int = 0  # verdicts for the one shown first
    verdicts: int = 0  # for the first or the second
    flips: int = 0  # of questions asked on both sides
    both: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(eq=False)
class ModelJudge:
    """One model with its settings; `usage` counts, `purse` pays."""

    settings: ModelSettings
    purse: Purse = field(default_factory=Purse)
    cache: Cache | None = None
    scope: str = ""  # of the cache: the study, or what was put in its place
    usage: Usage = field(default_factory=Usage)
    _client: Client | None = None
    outages: dict[str, Outage] = field(default_factory=dict)  # draws of this run that stay open
    passed_over: dict[str, Outage] = field(default_factory=dict)  # those that this very run was proven without
    _drawn: Counter[bytes] = field(default_factory=Counter)
    _places: Any = None
    batches: Batches | None = None

    @property
    def client(self) -> Client:
        """The connection to the endpoint, made when it is first needed."""
        if self._client is None:
            self._client = Client(self.settings, self.purse)
        return self._client

    def begin(self, *, scope: str, purse: Purse | None = None, cache: Cache | None = None) -> None:
        """Set the scope (a study or ranking), the money and the cache to work with."""
        need_extra("httpx", extra="models", what="a model as a judge")  # before the first question, not at it
        if purse is not None:
            if purse.cap is not None and self.settings.price is None:
                raise BadInput(
                    f"judge {shown(self.settings.name)} has no price, so a cap on money could not hold; give it "
                    "price = { input = ..., output = ... } per million tokens, or leave the cap out"
                )
            self.purse = self.client.purse = purse
        self.usage, self.client.cost, self.client.gone = Usage(), 0.0, ""  # of this run alone
        self.client.stopping = False
        self.client.waited, self.outages, self.passed_over = False, {}, {}
        self._drawn.clear()  # the same draws again: they were paid for
        self.scope, self.cache = scope, cache if self.settings.cache else None
        self.batches = None  # a probe has no cache: it asks at once
        if self.settings.batch and self.cache is not None:
            self.batches = Batches(self.client, self.cache)

    async def __call__(self, left: Any, right: Any, case: Any = None, *, draw: int | None = None) -> Answer:
        """The better of the two as this model sees it; raises JudgeFailed or JudgeRefused."""
        if self.settings.sides == "both":
            return await self._counted(self._both(left, right, case, draw))
        return self._answer(await self._counted(self._verdict(left, right, case, draw)), left, right)

    async def _counted(self, asked: Awaitable[Said]) -> Said:
        """One question more, unless there is no money for it."""
        self.usage.questions += 1
        bill = BILL.get() or Bill()
        before = bill.cost
        try:
            return await asked
        except MoneySpent:
            paid = bill.cost > before  # a try before this one, or the other side, was paid for
            self.usage.questions -= not paid
            self.usage.failed += paid
            raise

    async def order(self, outputs: Mapping[str, Any], case: Any, *, draw: int | None = None) -> Ordered:
        """All outputs of a case, each under a letter, in this model's order; raises as for two."""
        return read_order(await self._counted(self._verdict(Lettered(outputs), case, None, draw)), outputs)

    async def _both(self, left: Any, right: Any, case: Any, draw: int | None) -> Answer:
        """Ask with both orders shown; an answer that does not hold in both is a tie (for grades, the mean)."""
        sides = (self._verdict(left, right, case, draw), self._verdict(right, left, case, draw, turned=True))
        there, back = await _all_over(sides)
        self.usage.both += 1
        self.usage.flips += there == back and there != TIE_WORD
        if not self._plain:
            return Grade((self._place_of(there) - self._place_of(back)) / 2)
        one, other = self._answer(there, left, right), self._answer(back, right, left)
        return one if one == other else TIE

    async def _verdict(self, left: Any, right: Any, case: Any, draw: int | None, *, turned: bool = False) -> str:
        message = first_message(self.settings, left, right, case)
        key = self._key(message["content"], draw, turned)
        if key in self.passed_over:
            self._out(key, self.passed_over[key].problem)
        kept = None if self.cache is None else self.cache.get(key)
        if kept is None:
            try:
                kept = await self._asked(message, key)
            except JudgeUnreachable as problem:
                self._out(key, problem)
            self._put(key, kept)
        else:
            self.usage.cached += 1
        self._tally(kept)
        if kept.outcome == REFUSED:
            raise JudgeRefused(f"judge {self.settings.name!r} refused to compare these two")
        if kept.outcome == FAILED:
            raise JudgeFailed(kept.why)
        return kept.outcome

    def _tally(self, kept: Kept) -> None:
        self.usage.refused += kept.outcome == REFUSED
        self.usage.failed += kept.outcome == FAILED
        self.usage.verdicts += kept.outcome in (FIRST, SECOND)
        self.usage.first += kept.outcome == FIRST

    def recall(self, left: Any, right: Any, case: Any = None, *, draw: int) -> str:
        """Count an answer that a log holds from an earlier run, as far as the cache still knows what it was.

        Returns why there was none.
        """
        self.usage.questions += 1
        both = self.settings.sides == "both" and not isinstance(left, Lettered)
        keys = [self._key(prompt(self.settings, left, right, case), draw, False)]
        if both:
            keys.append(self._key(prompt(self.settings, right, left, case), draw, True))
        for key in keys:
            if key in self.passed_over:
                self.usage.failed += 1
                self.outages[key] = self.passed_over[key]
                return self.outages[key].why
        found = [] if self.cache is None else [kept for kept in map(self.cache.get, keys) if kept is not None]
        for kept in found:
            self.usage.cached += 1
            self._tally(kept)
        words = [kept.outcome for kept in found]
        if both and len(words) == 2 and not {REFUSED, FAILED}.intersection(words):
            self.usage.both += 1
            self.usage.flips += words[0] == words[1] != TIE_WORD
        return next((kept.why for kept in found if kept.outcome == FAILED), "")

    def _out(self, key: str, problem: JudgeUnreachable) -> NoReturn:
        """The endpoint could not be asked: nothing has come of this draw, which stays open."""
        self.usage.failed += 1
        self.outages[key] = Outage(str(problem), unusable=isinstance(problem, JudgeUnusable))
        raise problem

    def _put(self, key: str, kept: Kept) -> None:
        """Keep an answer in the cache; if that fails (a full disk), it was paid for and counts all the same."""
        if self.cache is None:
            return
        try:
            self.cache.put(key, self.settings.name, kept)
        except StorageError as problem:
            logger.warning("judge %s goes on without the cache: %s", self.settings.name, problem)
            self.cache = None

    def _key(self, text: str, draw: int | None, turned: bool) -> str:
        """The cache's key for an answer."""
        number = draw
        if number is None:  # nobody keeps a log: count here, by a short name of the prompt
            name = hashlib.sha256(f"{turned} {text}".encode(errors="replace")).digest()
            number = self._drawn[name]
            self._drawn[name] += 1
        return key_of(self.settings, text, AnswerKey(self.scope, number, turned))

    async def _asked(self, message: dict[str, Any], key: str) -> Kept:
        """What comes of a question: a verdict, a refusal or a failure, each final for this draw.

        Raises JudgeUnreachable where the endpoint could not be asked: then nothing has come of it.
        """
        async with self._place():
            try:
                return await self._read(message, key)
            except (MoneySpent, JudgeUnreachable):
                raise
            except JudgeRefused:
                return Kept(REFUSED, 0, 0)
            except JudgeFailed as problem:
                return Kept(FAILED, 0, 0, why=str(problem))

    async def _read(self, message: dict[str, Any], key: str) -> Kept:
        """Ask the endpoint; if the answer cannot be read, ask once more, saying what was wrong (in no batch)."""
        words, messages, letters = verdict_words(self.settings), [message], letters_in([message])
        for last in (False, True):
            batches = None if last else self.batches
            reply = await (self.client.call(messages) if batches is None else batches.reply(key, messages))
            self.usage.input_tokens += reply.input_tokens or 0
            self.usage.output_tokens += reply.output_tokens or 0
            if reply.refused:
                return self._keep(REFUSED, reply)
            try:
                said = read_letters(reply.text, letters) if letters else read_verdict(reply.text, words)
                return self._keep(said, reply)
            except Unreadable as problem:
                if is_refusal(reply.text):  # it has said so: nobody is asked until they give in
                    return self._keep(REFUSED, reply)
                why = "it broke off before the verdict; raise max_tokens" if reply.cut else str(problem)
                if last:
                    why = f"judge {self.settings.name!r} gave no readable verdict twice: {why}"
                    return self._keep(FAILED, reply, why)
                messages += [
                    {"role": "assistant", "content": reply.text or "(nothing)"},
                    {"role": "user", "content": again(self.settings, why, letters)},
                ]
        raise AssertionError("not reached")

    @staticmethod
    def _keep(outcome: str, reply: ModelReply, why: str = "") -> Kept:
        return Kept(outcome, reply.input_tokens or 0, reply.output_tokens or 0, reply.text[:2000], why)

    def _place(self) -> Any:
        """The limit of `concurrency` questions at once, for whichever event loop is running."""
        loop = asyncio.get_running_loop()
        if self._places is None or self._places[0] is not loop:
            self._places = (loop, asyncio.Semaphore(self.settings.concurrency))
        return self._places[1]

    @property
    def _plain(self) -> bool:
        """Does it say left, right or tie (and not how much better)?"""
        return set(self.settings.answers) <= set(ANSWERS)

    def _answer(self, word: str, left: Any, right: Any) -> Answer:
        if not self._plain:
            return Grade(self._place_of(word))
        answer: Answer = {FIRST: left, SECOND: right, TIE_WORD: TIE}[word]
        return answer

    def _place_of(self, word: str) -> float:
        """A word's position on the scale: 1 is best for the item shown first, -1 for the second."""
        return 1.0 - 2.0 * self.settings.answers.index(word) / (len(self.settings.answers) - 1)

    async def close(self) -> None:
        """Close its connections."""
        if self.batches is not None:
            await self.batches.close()
        if self._client is not None:
            await self._client.close()

    def __repr__(self) -> str:
        return f"ModelJudge({self.settings.name!r}, {self.settings.api}:{self.settings.model})"


async def _all_over(calls: Iterable[Awaitable[str]]) -> list[str]:
    """What all of them give, or the first failure, once all are over: what each cost is then on the bill."""
    over = await asyncio.gather(*calls, return_exceptions=True)
    for each in over:
        if isinstance(each, BaseException):
            raise each
    return [each for each in over if isinstance(each, str)]
