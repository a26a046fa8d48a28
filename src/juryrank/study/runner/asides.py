"""Questions of a run that never count: gold pairs, and models' opinions in a study about people.

Gold pairs are asked at the start and then now and then. In a study about people a model is not a judge: it is
asked what the people were asked, and its answers stand beside theirs.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from juryrank.errors import BadInput, JudgeRefused, JudgeUnreachable, JudgeUnusable, MoneySpent, shown
from juryrank.judges.models.gold import gold_pairs
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.models.money import charged
from juryrank.log import Event, LogReader
from juryrank.log.bodies import REFUSED, Aside, Asked, Told
from juryrank.log.kinds import Purpose
from juryrank.run.calls import in_words
from juryrank.run.gold import GoldPlan, GoldQuestion, said_as_side, shown_sides
from juryrank.run.session import LONGEST_REASON
from juryrank.study.study import Study
from juryrank.votes.asides import models_in

if TYPE_CHECKING:
    from juryrank.study.runner.runner import ActiveRun

GOLD: Final = "gold"  # the key among a study's settings
MOST_PAIRS = 500  # opinions that a model gives in one run, unless the run's budget says otherwise
BESIDE_DRAW = 3_000_000  # the first number of their draws in the cache: no other draw gets there


def beside_of(study: Study, judges: Mapping[str, Callable[..., Any]]) -> dict[str, ModelJudge]:
    """The models of a run whose answers stand beside the people's; none where models count."""
    if study.log.counts_models:
        return {}
    models = {name: judge for name, judge in judges.items() if isinstance(judge, ModelJudge)}
    if taken := models.keys() & set(study.judges):
        raise BadInput(
            f"{shown(min(taken))} is a model, and study {shown(study.name)} is about people: as one of its judges "
            "it would be counted as a person. Give the model a name that no judge of the study has; its answers "
            "then stand beside the people's"
        )
    return models


def check_fresh(study: Study, judges: Mapping[str, Callable[..., Any]]) -> None:
    """Refuse a model that a probe found to repeat itself, where the study takes every answer for a new draw."""
    created = study.created
    if not (created.get("fresh") or (created.get("options") or {}).get("fresh")):
        return
    for name, found in models_in(study.events()).probes.items():
        if name in judges and found.get("fresh") is False:
            raise BadInput(
                f"a probe found that {shown(name)} repeats itself, and study {shown(study.name)} takes every "
                "answer for a new draw: its repeats would prove nothing. Create the study without --fresh, so "
                "that each pair is asked once; or probe the judge again at a higher temperature"
            )


class Asides:
    """What a run asks beside the ranking."""

    def __init__(self, run: ActiveRun, *, gold: Any, beside: Mapping[str, ModelJudge]) -> None:
        self.run, self.beside = run, beside
        study = run.study
        pairs = gold_pairs(study.settings.get(GOLD) if gold is None else gold)
        self.gold = GoldPlan(pairs, seed=study.created["seed"], asked=_Gold().walk(study.events()).asked)
        self.asked = 0

    def first(self) -> list[GoldQuestion]:
        """The gold pairs before anything that counts."""
        return [question for name in (*self.run.judges, *self.beside) for question in self.gold.start(name)]

    async def after(self, judge: str) -> None:
        """A judge has answered one more question that counts."""
        due = self.gold.due(judge)
        if due is not None and judge not in self.run.report.failed:
            await self.ask(due)

    async def opinions(self) -> None:
        """Ask every model once about each pair that people were asked."""
        if self.beside:
            await asyncio.gather(*(self._opinions(name) for name in self.beside))

    async def _opinions(self, name: str) -> None:
        found = await self.run._visit(partial(_pairs_for, self.run.study, name))
        budget = self.run.budget
        for left, right in found[: MOST_PAIRS if budget is None else budget]:
            if name in self.run.report.failed or self.run.report.state == "money" or self.run.stopping:
                return
            await self.ask(GoldQuestion(name, BESIDE_DRAW, left, right, ""))
            await self.after(name)

    async def ask(self, question: GoldQuestion) -> None:
        """Ask, and keep what the judge says."""
        run, name = self.run, question.judge
        async with run.calls.turn(name):
            if name in run.report.failed or run.report.state == "money" or run.stopping:
                return
            began, answer, comment = time.monotonic(), "skip", None
            try:
                pair = await run.calls.pair_aside(question)
                answer, cost = await run.calls.answer_aside(question, pair)
                answer = said_as_side(question, pair, answer)
            except MoneySpent as problem:
                run.report.state = "money"
                comment, cost = in_words(problem)[:LONGEST_REASON], charged()
                if not cost:
                    return
            except JudgeRefused:
                comment, cost = REFUSED, charged()
            except Exception as problem:
                if run.interrupted and isinstance(problem, JudgeUnreachable):
                    return  # it was not asked because we stop
                comment, cost = in_words(problem)[:LONGEST_REASON], charged()
                if isinstance(problem, JudgeUnusable):
                    run.report.failed[name] = comment
            taken = round(time.monotonic() - began, 6)
        known = {"response_time": taken, "cost": cost, "comment": comment}
        await self._keep(question, answer, {key: value for key, value in known.items() if value is not None})

    async def _keep(self, question: GoldQuestion, answer: str, known: dict[str, Any]) -> None:
        purpose = {"purpose": Purpose.GOLD.value, "better": question.better}
        if not question.better:
            purpose = {"purpose": Purpose.BESIDE.value}
        if question.case is not None:
            known["case"] = question.case
        shown_pair = {"left": question.left, "right": question.right, "answer": answer}
        keep = partial(self.run.study.judge(question.judge).put_aside, **purpose, **shown_pair, **known)
        self.asked += 1
        if await self.run._visit(keep):
            self.run.report.failed[question.judge] = "it is wrong about gold pairs more often than right"


class _Gold(LogReader):
    """How many gold pairs each judge was asked."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()

    def on_aside(self, event: Event, aside: Aside) -> None:
        self.asked[aside.judge] += aside.purpose == Purpose.GOLD


class _Pairs(LogReader):
    """Which pairs people were asked how often, and which a model has answered."""

    def __init__(self, name: str) -> None:
        self.name, self.people, self.done = name, Counter[tuple[str, str]](), set[tuple[str, str]]()
        self._shown: dict[int, tuple[str, str]] = {}

    def on_asked(self, event: Event, asked: Asked) -> None:
        self._shown[asked.q] = pair_of(asked.left, asked.right)

    def on_told(self, event: Event, told: Told) -> None:
        self.people[self._shown[told.q]] += 1

    def on_aside(self, event: Event, aside: Aside) -> None:
        if aside.judge == self.name and aside.purpose == Purpose.BESIDE:
            self.done.add(pair_of(aside.left, aside.right))


def pair_of(one: str, other: str) -> tuple[str, str]:
    """Two names as one key, whichever was shown first."""
    return (one, other) if one <= other else (other, one)


def _pairs_for(study: Study, name: str) -> list[tuple[str, str]]:
    """The pairs that a model has not answered yet, those asked of most people first; sides are drawn at random."""
    read = _Pairs(name).walk(study.events())
    asked = [pair for pair, _ in read.people.most_common()]
    rest: Iterable[tuple[str, str]] = (pair_of(a, b) for a, b in combinations(study.items, 2))
    seed, found = study.created["seed"], list(dict.fromkeys([*asked, *rest]))
    return [shown_sides(*pair, seed, name) for pair in found if pair not in read.done]
