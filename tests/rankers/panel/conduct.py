"""Panels of people who go on, own items, idle, leave, dawdle and come back, on every world of the promise.

A person's *skill* may decide whether they stay, go on or are quick: whoever stays, the answers lean to the true
side of a pair or to none. In worlds of one camp skill is how clearly they see the scores; in worlds of several
camps the majority of the sharp may be another than everybody's, so there it is a diligence apart from the camp.
Where leaving or being late depends on the opinion itself, what is counted leans to the side that stays, and the
promise is not kept. Going on, or coming back when it is too late, may depend on anything: what comes of it never
counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import UNEQUAL_SLOPES, Population, SimulatedPerson, false_claims
from juryrank.types import SKIP, Question
from tests.rankers.panel.promise import WORLDS, shaken, withdraw_the_worst

ITEMS, SITTING, BEYOND = 6, 5, 8
AT_ONCE = 6  # people who sit at the same time
SKILLS = (0.1, 1.0, 3.0)
KEEN = 1.0  # skills above are the keen ones


def two_ties(items: int, rng: np.random.Generator) -> Population:
    """Two pairs of equals."""
    return Population("two ties", np.array([[1.2, 1.2, 0.5, 0.0, 0.0, -0.8]]), np.ones(1), SKILLS)


ALL_WORLDS = {**WORLDS, "two ties": two_ties}


@dataclass
class Person:
    """Somebody at the table."""

    name: int
    skill: float
    mind: SimulatedPerson
    own: frozenset[int] = frozenset()
    turns: int = 0  # of the room, since they came
    idle: int = 0  # turns of the room since their last answer
    late: bool = False  # their sitting has ended, and they are still there
    shown: Question | None = None  # before they look at it
    answered: int = 0
    opinions: dict[tuple[int, int], bool] = field(default_factory=dict)

    def prefers(self, i: int, j: int) -> bool:
        """Is i preferred to j? Said once, the same ever after."""
        low, high = min(i, j), max(i, j)
        if (low, high) not in self.opinions:
            self.opinions[low, high] = self.mind.prefers(low, high)
        return self.opinions[low, high] == (i < j)

    def luck(self) -> float:
        return float(self.mind.rng.random())


@dataclass(frozen=True)
class Conduct:
    """How people behave; each rule sees the person, and `leaves` the question as well."""

    leaves: Callable[[Person, int, int], bool] = lambda person, i, j: False
    goes_on: Callable[[Person], bool] = lambda person: False
    speed: Callable[[Person], float] = lambda person: 1.0
    owns: int = 0  # items that each person owns, at random
    limit: float | None = None  # a sitting ends after so many turns of the room, for each of its questions
    idle: int | None = None  # or so many turns after its last answer
    returns: Callable[[Person], bool] = lambda person: False  # goes on when the sitting has ended
    withdraw: Sequence[int] = ()  # after so many sittings the item most in the way is withdrawn


def by_skill(person: Person, i: int, j: int) -> bool:
    """Who sees little soon leaves."""
    return person.luck() < (0.25 if person.skill < KEEN else 0.02)


def by_opinion(person: Person, i: int, j: int) -> bool:
    """Of two equals, who prefers the second leaves before saying so: not allowed."""
    return {i, j} == {0, 1} and not person.prefers(0, 1)


def the_first_fast(person: Person) -> float:
    return 5.0 if person.prefers(0, 1) else 0.2


ALLOWED = {
    "going on by skill": Conduct(goes_on=lambda person: person.skill > KEEN),
    "going on by opinion": Conduct(goes_on=lambda person: person.prefers(0, 1)),
    "own work": Conduct(owns=1),
    "leaving by skill": Conduct(leaves=by_skill),
    "slow by skill, and late": Conduct(speed=lambda person: person.skill, limit=10.0),
    "slow by skill, and idle": Conduct(speed=lambda person: person.skill, idle=25),
    "slow by opinion, nobody late": Conduct(speed=the_first_fast),
    "idle, and back by opinion": Conduct(idle=3, returns=lambda person: person.prefers(0, 1)),
    "items withdrawn": Conduct(withdraw=(10, 20, 30)),
}
EVERYTHING = Conduct(
    leaves=lambda person, i, j: by_skill(person, i, j) and person.luck() < 0.3,
    goes_on=lambda person: person.prefers(0, 1),
    speed=lambda person: person.skill,
    owns=1,
    limit=10.0,
    withdraw=(70,),
)
AND_BACK = replace(EVERYTHING, idle=20, returns=lambda person: person.prefers(0, 1))
NOT_ALLOWED = {
    "leaving by opinion": Conduct(leaves=by_opinion),
    "slow by opinion, and late": Conduct(speed=the_first_fast, limit=4.8),
    "slow by opinion, and idle": Conduct(speed=the_first_fast, idle=12),
}


def ever_false(
    seed: int, conduct: Conduct, *, people: int, error: float, world: str = "two ties", strict: bool = False,
    sitting: int = SITTING, items: int = ITEMS, **options: Any,
) -> bool:  # fmt: skip
    """Does one panel ever claim something false? `strict`: a claim about two equals is false as well."""
    rng = np.random.default_rng([seed, people])
    population = shaken(ALL_WORLDS[world](items, rng), leave=0.0)
    if len(population.weights) == 1:
        population = replace(population, slopes=SKILLS if world == "two ties" else UNEQUAL_SLOPES)
    theta = population.theta() - (0.01 * (1 - np.eye(items)) if strict else 0.0)
    beyond = min(BEYOND, items * (items - 1) // 2 - sitting)
    panel = Panel(range(items), error=error, seed=seed, sitting=sitting, beyond=beyond, spread=True, **options)
    room: list[Person] = []
    came, seen, moments = 0, -1, list(conduct.withdraw)
    while (came < people and not panel.done) or room:
        if came < people and len(room) < AT_ONCE and not panel.done:
            room.append(_arrive(panel, came, conduct, population, rng))
            came += 1
            continue
        speeds = np.array([conduct.speed(person) for person in room])
        person = room[rng.choice(len(room), p=speeds / speeds.sum())]
        for one in list(room):
            one.turns, one.idle = one.turns + 1, one.idle + 1
            if not one.late and _over(one, conduct, sitting):
                _ends(panel, one)
                one.late = conduct.returns(one)
                if not one.late:
                    room.remove(one)
        if person in room and not _step(panel, person, conduct, sitting):
            room.remove(person)
        if panel.state.version != seen:
            seen = panel.state.version
            if false_claims(panel, theta) > 0:
                return True
            if moments and len(panel.sittings) >= moments[0]:
                moments.pop(0)
                withdraw_the_worst(panel)
    return False


def _arrive(panel: Panel, name: int, conduct: Conduct, population: Population, rng: np.random.Generator) -> Person:
    own = frozenset(int(k) for k in rng.choice(len(panel.items), size=conduct.owns, replace=False))
    one_camp = len(population.weights) == 1
    skill = float(rng.choice(population.slopes if one_camp else SKILLS))
    whom = replace(population, slopes=(skill,)) if one_camp else population
    panel.add_judge(name)
    panel.owns(name, own)
    person = Person(name, skill, whom.person(np.random.default_rng(rng.integers(2**32))), own)
    if conduct.idle is not None:
        person.shown = panel.ask(name)  # they press Start: the time that they may idle begins
    return person


def _over(person: Person, conduct: Conduct, sitting: int) -> bool:
    """Is the sitting's time up?"""
    late = conduct.limit is not None and person.turns > conduct.limit * sitting
    return late or (conduct.idle is not None and person.idle > conduct.idle)


def _ends(panel: Panel, person: Person) -> None:
    """The person is gone: an unfinished sitting lapses."""
    sitting = panel.state.book.of(panel.roster.judge(person.name))
    if sitting is not None:
        panel.lapse(sitting.number)
        person.shown = None


def _step(panel: Panel, person: Person, conduct: Conduct, size: int) -> bool:
    """One question; False: the person is gone."""
    question, person.shown = person.shown or panel.ask(person.name), None
    if question is None:
        return False
    enough = person.answered >= size
    left, right = int(question.left), int(question.right)
    if (enough and not conduct.goes_on(person)) or conduct.leaves(person, left, right):
        _ends(panel, person)
        return False
    if person.own & {left, right}:
        panel.tell(question, SKIP)  # passed over unseen, and another one is asked in its place
        return True
    said = person.mind.answer(left, right)
    if said in (left, right):
        said = left if person.prefers(left, right) else right
    panel.tell(question, said)
    person.answered, person.idle = person.answered + 1, 0
    return True
