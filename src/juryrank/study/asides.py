"""Questions of a run that never count: gold pairs, and models' opinions in a study about people.

Gold pairs are asked at the start and then now and then. In a study about people a model is not a judge: it is
asked what the people were asked, and its answers stand beside theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any, Final

from juryrank.defaults import MOST_OPINIONS
from juryrank.errors import BadInput, shown
from juryrank.judges.models.gold import gold_pairs
from juryrank.judges.models.judge import ModelJudge
from juryrank.log import Event, LogReader
from juryrank.log.bodies import Aside, Asked, Told
from juryrank.log.chain import answer_anew
from juryrank.log.kinds import Purpose
from juryrank.run.gold import GoldPlan, GoldQuestion, shown_sides
from juryrank.study.study import Study
from juryrank.votes.asides import models_in

GOLD: Final = "gold"  # the key among a study's settings
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
    if not answer_anew(created):
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

    def __init__(self, study: Study, *, gold: Any, beside: Mapping[str, ModelJudge], most: int | None) -> None:
        self.study, self.beside, self.most = study, beside, MOST_OPINIONS if most is None else most
        pairs = gold_pairs(study.settings.get(GOLD) if gold is None else gold)
        self.gold = GoldPlan(pairs, seed=study.created["seed"], asked=_Gold().walk(study.events()).asked)

    def opinions(self) -> dict[str, Iterator[GoldQuestion]]:
        """What each model is asked once: pairs that people were asked."""
        return {name: self._opinions(name) for name in self.beside}

    def _opinions(self, name: str) -> Iterator[GoldQuestion]:
        pairs = _pairs_for(self.study, name)[: self.most]
        return (GoldQuestion(name, BESIDE_DRAW, left, right, "") for left, right in pairs)

    def keep(self, question: GoldQuestion, answer: str, *, seconds: float, **known: Any) -> bool:
        """Keep an answer that never counts; True: its judge was set aside as surely wrong."""
        purpose = {"purpose": Purpose.GOLD.value, "better": question.better}
        if not question.better:
            purpose = {"purpose": Purpose.BESIDE.value}
        said = {"left": question.left, "right": question.right, "answer": answer, "case": question.case}
        more = {"response_time": seconds, **known, **said}
        more = {key: value for key, value in more.items() if value is not None}
        return self.study.judge(question.judge).put_aside(**purpose, **more)


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
