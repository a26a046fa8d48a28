"""Asking gold pairs: at the start, and then one per `GOLD_EVERY` answers; none of them counts in the ranking.

`GoldPlan` says whom to ask what and when, `said_as_side` reads the answer, `aside_of` is the event that is kept.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.defaults import GOLD_AT_START, GOLD_EVERY
from juryrank.errors import BadAnswer
from juryrank.judges.models.gold import GoldPair
from juryrank.log.bodies import Aside
from juryrank.log.kinds import Purpose
from juryrank.rankers.contract.roster import SIDES
from juryrank.run.items import same
from juryrank.types import TIE, Answer, Grade, NonVote

GOLD_DRAW = 2_000_000  # the first number of their draws in the cache: no other draw gets there
CHOICES = ("left", "right")


@dataclass(frozen=True, slots=True)
class GoldQuestion:
    """A gold pair put to one judge; `draw` keeps its answers apart in the cache."""

    judge: str
    draw: int
    left: str
    right: str
    better: str  # the side
    case: str | None = None
    id: int = 0  # it has no number among the questions that count


def shown_sides(one: str, other: str, *drawn_from: object) -> tuple[str, str]:
    """The two in a random order, which is the same for the same seed, judge and number.

    >>> {shown_sides("a", "b", 1, "ann", number) for number in range(20)} == {("a", "b"), ("b", "a")}
    True
    """
    text = "\0".join(map(str, (*drawn_from, one, other)))
    first = hashlib.sha256(text.encode(errors="replace")).digest()[0]
    return (one, other) if first % 2 else (other, one)


class GoldPlan:
    """Which gold pair each judge is asked next, and when; `asked`: gold answers that a log holds already.

    >>> plan = GoldPlan([GoldPair("tea", "mud", "tea")], seed=1)
    >>> [question.better in ("left", "right") for question in plan.start("ann")], plan.due("ann")
    ([True], None)
    """

    def __init__(self, pairs: Sequence[GoldPair], *, seed: int, asked: Mapping[str, int] | None = None) -> None:
        self.pairs, self.seed = list(pairs), seed
        self._put: Counter[str] = Counter(asked or {})
        self._since: Counter[str] = Counter()

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def start(self, judge: str) -> list[GoldQuestion]:
        """What a judge is asked before anything that counts, minus what it was asked in earlier runs."""
        wanted = min(GOLD_AT_START, len(self.pairs))
        return [self._next(judge) for _ in range(self._put[judge], wanted)]

    def due(self, judge: str) -> GoldQuestion | None:
        """A judge has answered one more question that counts: is it time for a gold pair?"""
        self._since[judge] += 1
        if not self.pairs or self._since[judge] < GOLD_EVERY:
            return None
        self._since[judge] = 0
        return self._next(judge)

    def _next(self, judge: str) -> GoldQuestion:
        number = self._put[judge]
        self._put[judge] += 1
        pair = self.pairs[number % len(self.pairs)]
        left, right = shown_sides(pair.left, pair.right, self.seed, judge, number)
        better = "left" if pair.better == left else "right"
        return GoldQuestion(judge, GOLD_DRAW + number, left, right, better, pair.case)


def said_as_side(question: GoldQuestion, shown: Sequence[Any], said: Answer) -> str:
    """left, right, tie or skip: judges give back what they were shown, its name, or the word.

    >>> asked = GoldQuestion("ann", 0, "tea", "mud", "left")
    >>> [said_as_side(asked, ("tea", "mud"), said) for said in ("mud", TIE, "left")]
    ['right', 'tie', 'left']
    """
    if isinstance(said, Grade):
        return "left" if said.x > 0 else "right" if said.x < 0 else "tie"
    if isinstance(said, NonVote):
        return "tie" if said is TIE else "skip"
    for thing, name, word in zip(shown, (question.left, question.right), CHOICES, strict=False):
        if said is thing or same(said, thing) or same(said, name):
            return word
    if isinstance(said, str) and said in SIDES:
        return said
    raise BadAnswer("the answer to a gold pair is neither of the two, nor TIE or SKIP")


def aside_of(question: GoldQuestion, n: int, answer: str, **known: Any) -> Aside:
    """The event that an answer to a gold pair is kept as."""
    return Aside(
        judge=question.judge,
        n=n,
        purpose=Purpose.GOLD.value,
        left=question.left,
        right=question.right,
        answer=answer,
        better=question.better,
        case=question.case,
        **known,
    )
