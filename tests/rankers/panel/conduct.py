"""Panels of people who go on, own items, idle, leave and dawdle. It may depend on skill, not on opinion.

A person's skill scales how clearly they see the scores; their opinion is which of two they prefer. The majority's
side of a pair is the same at every skill, so whoever stays, the answers lean to the true side or to none. Where
leaving depends on the opinion itself, what is counted leans to the side that stays, and the promise is not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from juryrank.rankers.panel.ranker import Panel
from juryrank.types import SKIP

SCORES = np.array([1.2, 1.2, 0.5, 0.0, 0.0, -0.8])  # two pairs of equals: whatever is claimed of them is false
SKILLS = (0.1, 1.0, 3.0)
SITTING, BEYOND = 5, 8
AT_ONCE = 6  # people who sit at the same time


@dataclass
class Person:
    """Somebody at the table."""

    name: int
    skill: float
    rng: np.random.Generator
    own: frozenset[int] = frozenset()
    answered: int = 0
    opinions: dict[tuple[int, int], bool] = field(default_factory=dict)

    def prefers(self, i: int, j: int) -> bool:
        """Is i preferred to j? Said once, the same ever after."""
        low, high = min(i, j), max(i, j)
        if (low, high) not in self.opinions:
            chance = 1 / (1 + np.exp(-self.skill * (SCORES[low] - SCORES[high])))
            self.opinions[low, high] = bool(self.rng.random() < chance)
        return self.opinions[low, high] == (i < j)


@dataclass(frozen=True)
class Conduct:
    """How people behave; each rule sees the person, and `leaves` the question as well."""

    leaves: Callable[[Person, int, int], bool] = lambda person, i, j: False
    goes_on: Callable[[Person], bool] = lambda person: False
    speed: Callable[[Person], float] = lambda person: 1.0
    owns: int = 0  # items that each person owns, at random


def by_skill(person: Person, i: int, j: int) -> bool:
    """Who sees little soon leaves."""
    return bool(person.rng.random() < (0.25 if person.skill < 1 else 0.02))


def by_opinion(person: Person, i: int, j: int) -> bool:
    """Of two equals, who prefers the second leaves before saying so: not allowed."""
    return {i, j} == {0, 1} and not person.prefers(0, 1)


ALLOWED = {
    "going on by skill": Conduct(goes_on=lambda person: person.skill > 1),
    "own work": Conduct(owns=1),
    "leaving by skill": Conduct(leaves=by_skill),
    "slow by skill": Conduct(speed=lambda person: person.skill),
    "slow by opinion, nobody late": Conduct(speed=lambda person: 5.0 if person.prefers(0, 1) else 0.2),
    "all at once": Conduct(by_skill, lambda person: person.skill > 1, lambda person: person.skill, owns=1),
}
NOT_ALLOWED = Conduct(leaves=by_opinion)


def ever_false(seed: int, conduct: Conduct, *, people: int, error: float, **options: Any) -> bool:
    """Does one panel ever claim something false?"""
    rng = np.random.default_rng([seed, people])
    panel = Panel(range(len(SCORES)), error=error, seed=seed, sitting=SITTING, beyond=BEYOND, **options)
    sitting: list[Person] = []
    came, seen = 0, -1
    while came < people or sitting:
        if came < people and len(sitting) < AT_ONCE:
            sitting.append(_arrive(panel, came, conduct, rng))
            came += 1
            continue
        speeds = np.array([conduct.speed(person) for person in sitting])
        person = sitting[rng.choice(len(sitting), p=speeds / speeds.sum())]
        if not _step(panel, person, conduct):
            sitting.remove(person)
        if panel.state.version != seen:
            seen = panel.state.version
            claims = panel.claims()
            if (claims & (SCORES[:, None] <= SCORES[None, :])).any():
                return True
    return False


def _arrive(panel: Panel, name: int, conduct: Conduct, rng: np.random.Generator) -> Person:
    own = frozenset(int(k) for k in rng.choice(len(SCORES), size=conduct.owns, replace=False))
    panel.add_judge(name)
    return Person(name, float(rng.choice(SKILLS)), np.random.default_rng(rng.integers(2**32)), own)


def _step(panel: Panel, person: Person, conduct: Conduct) -> bool:
    """One question; False: the person is gone, and an unfinished sitting lapses."""
    question = panel.ask(person.name)
    if question is None:
        return False
    enough = person.answered >= SITTING
    left, right = int(question.left), int(question.right)
    if (enough and not conduct.goes_on(person)) or conduct.leaves(person, left, right):
        panel.lapse(question.terms["sitting"])
        return False
    if person.own & {left, right}:
        panel.tell(question, SKIP)  # passed over unseen, and another one is asked in its place
        return True
    panel.tell(question, left if person.prefers(left, right) else right)
    person.answered += 1
    return True
