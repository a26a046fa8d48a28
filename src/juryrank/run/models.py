"""Language models among the judges of one run: their money, their cache, and what they did, for the result."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from typing import Any

from juryrank.core.watches import turns_with_side
from juryrank.defaults import MANY_FAILURES
from juryrank.errors import BadInput, shown
from juryrank.judges.models.cache import Cache
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import Purse
from juryrank.judges.models.prompts import prompt
from juryrank.log.bodies import Asked, Expired, Probed, Told
from juryrank.log.chain import Event
from juryrank.log.folding import recorded_question
from juryrank.log.gold import gold_words
from juryrank.quoting import in_sentence
from juryrank.rankers.registry import ranker_class
from juryrank.run.calls import run_to_end
from juryrank.run.items import Catalogue
from juryrank.types import Grade, Question, Ranking

PAIRS, DRAWS = 3, 4  # questions, and draws of each, to see whether a model answers anew
PROBE_DRAW = 1_000_000  # the first number of those draws: they are never evidence, and nothing else gets there


class Draws:
    """Which draw of its question a call is: the number that keeps two answers of a model apart in its cache.

    A log knows how often a judge was asked the same before. So a ranking that goes on pays for no draw twice, and
    takes none for two. `key`: what makes two questions the same.
    """

    def __init__(self, key: Callable[[Question], Hashable]) -> None:
        self._key = key
        self._times: Counter[Hashable] = Counter()
        self._number: dict[int, int] = {}

    def number(self, question: Question) -> int:
        """How often its judge had been asked the same before; questions come here in the order asked."""
        if question.id not in self._number:
            key = self._key(question)
            self._number[question.id] = self._times[key]
            self._times[key] += 1
        return self._number[question.id]


class Models:
    """The models of one run; empty where there are none."""

    def __init__(self, judges: Mapping[str, Callable[..., Any]]) -> None:
        self.judges = {name: judge for name, judge in judges.items() if isinstance(judge, ModelJudge)}
        self.purse = Purse()
        self.tried: list[Probed] = []  # what asking again has shown in this run
        self.found: list[Probed] = []  # and in an earlier one
        self._run = ""  # a name for the command
        self.draws = Draws(lambda question: question.id)

    def __bool__(self) -> bool:
        return bool(self.judges)

    @property
    def priced(self) -> bool:
        """Is any model's price known? Then what a run costs is money."""
        return any(judge.settings.price is not None for judge in self.judges.values())

    @property
    def cached(self) -> set[str]:
        """Those whose answers are in the cache as soon as they arrive."""
        return {name for name, judge in self.judges.items() if judge.cache is not None}

    @property
    def in_batches(self) -> bool:
        """Is any of them asked in batches?"""
        return any(judge.settings.batch for judge in self.judges.values())

    @property
    def at_once(self) -> int:
        """Questions that they can work on together."""
        return sum(judge.settings.concurrency for judge in self.judges.values())

    def begin(self, *, scope: str, money: float | None, cache: bool) -> None:
        """Set one cap on money for all of them; answers paid for before in the same scope are not paid again."""
        self.purse = Purse(cap=money)
        kept = Cache() if cache else None
        for judge in self.judges.values() if kept is None else ():
            if judge.settings.batch:
                raise BadInput(
                    f"judge {shown(judge.settings.name)}: batch needs the cache, where batches that are out are "
                    "on record; run it with the cache, or without batch"
                )
        for judge in self.judges.values():
            judge.settings.check_key()
            judge.begin(scope=scope, purse=self.purse, cache=kept)

    def go_on(self, **command: Any) -> None:
        """Pass over the draws that this very command was proven without: so it says the same again, for nothing.

        They stay open for every other one.
        """
        at_once = {name: judge.settings.concurrency for name, judge in self.judges.items()}
        self._run = hashlib.sha256(repr((command, at_once)).encode(errors="replace")).hexdigest()
        for name, judge in self.judges.items():
            if judge.cache is not None:
                judge.passed_over = judge.cache.outages(self._run, name)

    def end(self, *, proven: bool) -> None:
        """What a proof did without is kept with it; else the next run asks it again, on the same draws."""
        for name, judge in self.judges.items():
            kept = judge.outages if proven else {}
            if judge.cache is not None and kept != judge.passed_over:
                judge.cache.keep_outages(self._run, name, kept)

    def resume(self, catalogue: Catalogue, events: Iterable[Event], *, spent: float) -> dict[str, list[str]]:
        """Go on with a log: its draws have their numbers, its answers are counted, its money is spent.

        Returns why questions had no answer, by judge.
        """
        why: dict[str, list[str]] = {}
        self.draws, self.purse.spent = Draws(partial(self._prompted, catalogue)), spent
        asked: dict[int, Question] = {}
        known = set(catalogue.names)
        for body in (event.body for event in events):
            if isinstance(body, Asked) and body.judge in self.judges and {body.left, body.right} <= known:
                asked[body.q] = recorded_question(body)
                self.draws.number(asked[body.q])
            elif isinstance(body, Told | Expired) and body.q in asked and not catalogue.identical(asked[body.q]):
                question = asked[body.q]
                name, shown = str(question.judge), catalogue.lettered_for(question)
                failed = self.judges[name].recall(*shown, draw=self.draws.number(question))
                if isinstance(body, Expired):
                    why.setdefault(name, []).append(failed or "no answer")
        return why

    def _prompted(self, catalogue: Catalogue, question: Question) -> Hashable:
        name = str(question.judge)
        text = prompt(self.judges[name].settings, *catalogue.lettered_for(question))
        return name, hashlib.sha256(text.encode(errors="replace")).digest()

    def seed(self, drawn: int, catalogue: Catalogue, before: Sequence[Any] = ()) -> int:
        """The seed that the same ranking used before, or this one; without a cache always this one.

        "The same" covers everything that is shown and every setting of a judge that decides an answer, word for
        word: whoever changes an output or a prompt may have seen which questions the old seed drew, and needs a
        new one. Limits and prices decide no answer: with a new seed for each of them one could draw again for
        nothing until something is proven, and would pay for other questions without meaning to. What is on record
        `before` the seed, a start or forecasts, needs a seed of its own.
        """
        whole = hashlib.sha256()
        judges = [(name, each.settings.identity(), each.settings.sides) for name, each in self.judges.items()]
        for part in (*catalogue.everything(), *judges, *before):
            whole.update(repr(part).encode(errors="replace") + b"\0")
        for judge in self.judges.values():
            if judge.cache is not None:
                return judge.cache.seed(f"{judge.scope} {whole.hexdigest()}", drawn)
        return drawn

    def answer_afresh(self, catalogue: Catalogue, *, known: Sequence[Probed] = ()) -> bool:
        """Does every one of them change its mind now and then when asked the same question again?

        A model that is sure of every pair seems not to: it is then asked each pair once, which is safe.
        """
        if known:
            self.found = list(known)
            return all(each.found["fresh"] for each in known)
        pairs = list(islice(combinations(catalogue.names, 2), PAIRS))
        there, back = (
            [catalogue.shown_for(Question(0, "", *pair)) for pair in side]
            for side in (pairs, [pair[::-1] for pair in pairs])
        )

        async def one(name: str, judge: ModelJudge) -> Probed:
            calls = [judge(*pair, draw=PROBE_DRAW + k) for pair in there for k in range(DRAWS)]
            turned = [judge(*pair, draw=PROBE_DRAW) for pair in back]
            said = await asyncio.gather(*calls, *turned, return_exceptions=True)
            answers = [_different(said[k : k + DRAWS]) for k in range(0, len(calls), DRAWS)]
            fresh = any(len(each) > 1 for each in answers) if any(answers) else None
            both = [
                (one, other) for one, other in zip(said[: len(calls) : DRAWS], said[len(calls) :], strict=True)
            ]
            known = [pair for pair in both if not any(isinstance(each, BaseException | Grade) for each in pair)]
            flips = {"flips": sum(one != other for one, other in known), "both": len(known)}
            cost = None if judge.settings.price is None else judge.client.cost
            return Probed(judge=name, found={"fresh": fresh, **flips}, model=_behind(judge), cost=cost)

        async def every() -> None:
            self.found = self.tried = await asyncio.gather(*(one(*each) for each in self.judges.items()))
            await self.close()

        run_to_end(every)
        return bool(self.tried) and all(each.found["fresh"] for each in self.tried)

    async def close(self) -> None:
        """Close their connections on this event loop."""
        for judge in self.judges.values():
            await judge.close()

    def told(self, ranking: Ranking) -> Ranking:
        """The result with what the models did and cost, and what should be known about it."""
        if not self:
            return ranking
        details = replace(ranking.details, models=self.did())
        return replace(ranking, details=details).with_warnings(*self.remarks(), *assumed_of_models(ranking))

    def did(self) -> dict[str, Any]:
        """What each model did and cost, as plain values."""
        return {name: _did(judge) for name, judge in self.judges.items()}

    def remarks(self) -> list[str]:
        """What should be known about what they did, in sentences."""
        said = []
        for place, (name, judge) in enumerate(self.judges.items()):
            used = judge.usage
            if used.failed + used.refused > MANY_FAILURES * max(used.questions, 1):
                said.append(
                    f"Judge {in_sentence(name)} gave no answer to {used.failed + used.refused} of "
                    f"{used.questions} questions ({used.failed} failed, {used.refused} refused)."
                )
            if turns_with_side(used.flips, used.both, place=place):
                said.append(
                    f"Judge {in_sentence(name)} changed its verdict with the side in {used.flips} of {used.both} "
                    "pairs."
                )
        for tried in self.found:
            flips, both = tried.found["flips"], tried.found["both"]
            if flips and not tried.found["fresh"] and self.judges[tried.judge].settings.sides != "both":
                said.append(
                    f"Judge {in_sentence(tried.judge)}, shown {both} pairs turned round, changed its verdict on "
                    f"{flips}: "
                    'asked a pair once, it may follow the side more than the items. sides = "both" asks on both '
                    "and counts a flip as a tie."
                )
        return said


def assumed_of_models(ranking: Ranking) -> list[str]:
    """What a promise about right answers assumes of models, in a sentence; nothing where it is about opinions."""
    if not ranker_class(ranking.ranker).true_order:
        return []
    gold = ranking.details.gold
    tested = "; ".join(f"{in_sentence(judge)}: {gold_words(record)}" for judge, record in gold.items())
    said = (
        f"Gold pairs may refute it, never support it ({tested})."
        if tested
        else "Gold pairs (--gold) may refute it."
    )
    return [
        "This promise assumes that no model is wrong about a pair more often than right, which nobody can know of "
        f"models: one that is wrong about a pair is so for ever. {said}"
    ]


def scope_of(catalogue: Catalogue) -> str:
    """A name for what is ranked: the same things ranked again find the answers paid for before.

    >>> scope_of(Catalogue(["a", "b"])) == scope_of(Catalogue(["b", "a"]))
    True
    """
    return "rank " + hashlib.sha256("\0".join(sorted(catalogue.names)).encode(errors="replace")).hexdigest()[:16]


def _different(said: Iterable[Any]) -> set[str]:
    """The answers among what calls gave, each once."""
    return {repr(answer) for answer in said if not isinstance(answer, BaseException)}


def _behind(judge: ModelJudge) -> str:
    return f"{judge.settings.api}:{judge.settings.model}"


def _did(judge: ModelJudge) -> dict[str, Any]:
    used = judge.usage
    return {
        "model": _behind(judge),
        "questions": used.questions,
        "cached": used.cached,
        "failed": used.failed,
        "refused": used.refused,
        "chose_first": used.first,
        "verdicts": used.verdicts,
        "flips": used.flips if used.both else None,
        "tokens": used.input_tokens + used.output_tokens,
        "cost": judge.client.cost if judge.settings.price else None,
    }
