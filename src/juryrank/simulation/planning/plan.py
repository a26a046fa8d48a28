"""What will it cost? Per ranker: questions expected, simulated where that is quick, else the formula's order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from juryrank import theory
from juryrank.core.compiling import warm, without_compiling
from juryrank.core.levels import check_error, read_objective
from juryrank.defaults import (
    DEFAULT_BUDGET_PER_ITEM,
    DEFAULT_ERROR,
    DEFAULT_SITTING,
    PLAN_GAP,
    PLAN_RUNS,
    TYPICAL_MAJORITY,
)
from juryrank.errors import BadInput, UnknownName
from juryrank.options import CertifiedChoices
from juryrank.rankers.choice import GUESS, PEOPLE, TRUTH, WhoAnswers, choose
from juryrank.rankers.contract.limits import SHARED, option_names
from juryrank.rankers.paper.core.constants import PAPER
from juryrank.rankers.registry import ranker_class, ranker_names
from juryrank.simulation.planning.cases import CasePlan, plan_cases
from juryrank.simulation.planning.cases import Progress as CaseProgress
from juryrank.simulation.planning.people import PeoplePlan, plan_people
from juryrank.simulation.play import Run, play, repeat_rng
from juryrank.simulation.players.by_law import play_by_law
from juryrank.simulation.players.live import live_player
from juryrank.simulation.worlds.kinds import Bernoulli
from juryrank.theory.adaptive import FORMULAS, formula, subset_for
from juryrank.theory.margins import margins

IN_TEN = 0.9
QUICK_ITEMS = 300  # the paper's rankers: seconds per run beyond this
QUICK_MARGIN = 0.04  # the paper's rankers: below it, duels are so long that their laws take minutes
QUICK_QUESTIONS = 15_000  # other rankers: played question by question
PLAIN_ITEMS = 60  # up to this, a few runs are over before a compiler would be
TAKEN = SHARED | {"objective", "k", "joining"}  # the plan itself says what these are
SIMULATED, FORMULA, NEVER = "simulated", "formula", "never"


@dataclass(frozen=True, slots=True)
class Estimate:
    """One ranker's line. `how`: simulated (the median of `runs`), formula (an order of magnitude), or never."""

    ranker: str
    how: str
    questions: float
    most: float | None = None  # questions that nine runs in ten stayed below
    runs: int = 0
    formula: float = math.inf
    money: float | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole forecast."""

    items: int
    judges: tuple[str, ...]
    accuracies: tuple[float, ...]
    error: float
    estimates: tuple[Estimate, ...]
    limit: float  # the least possible with the best judge known
    terms: theory.AdaptiveCost  # Theorem 2 for ada-iir
    subset: int | None  # Lemma "alph-opt" for these judges
    warning: str | None


def plan_rankers(
    items: int,
    accuracies: Mapping[str, float] | Sequence[float],
    *,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    rankers: Sequence[str] | None = None,
    runs: int = PLAN_RUNS,
    seed: int = 0,
    objective: str = CertifiedChoices.default("objective"),
    options: Mapping[str, Any] | None = None,
) -> Plan:
    """Forecast every ranker (or those named) for judges of these accuracies.

    With an `objective` other than the order (best, top-3): the rankers that can prove it. `options` go to the
    rankers that have them: {"insert": "breadth"}.

    >>> prices = {"ann": 0.5, "bob": 9}
    >>> found = plan_rankers(8, {"ann": 0.9, "bob": 0.7}, error=0.1, rankers=["oracle"], prices=prices)
    >>> line = found.estimates[0]
    >>> line.how, line.money == line.questions * 0.5
    ('simulated', True)
    """
    judges = _named(accuracies)
    values = tuple(judges.values())
    if isinstance(items, bool) or not isinstance(items, int) or items < 2:
        raise BadInput(f"the number of items is {items!r}; a plan needs 2 or more")
    check_error(error)
    if runs < 1:
        raise BadInput(f"runs is {runs!r}; it must be 1 or more")
    margins(values)
    paid = _prices(prices, judges)
    names = _able(objective) if rankers is None else list(rankers)
    _some_have(names, options or {})
    case = _Case(items, judges, error, paid, runs, seed, objective, options or {})
    k = read_objective(objective)[1]
    least = theory.limits(items, max(values), error=error, k=k)
    return Plan(
        items=items,
        judges=tuple(judges),
        accuracies=values,
        error=error,
        estimates=tuple(case.estimate(name) for name in names),
        limit=least.finite if least.leading is None else least.leading,
        terms=theory.adaptive_cost(values, items=items, error=error),
        subset=subset_for(values, error),
        warning=theory.many_judges_warning(items, len(judges)),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    items: int
    judges: Mapping[str, float]
    error: float
    prices: Mapping[str, float] | None
    runs: int
    seed: int
    objective: str
    options: Mapping[str, Any]

    def estimate(self, ranker: str) -> Estimate:
        if ranker in _planned() and ranker not in _able(self.objective):
            able = ", ".join(_able(self.objective))
            raise BadInput(f"the ranker {ranker!r} only proves the whole order; for {self.objective}: {able}")
        if ranker not in _planned():
            known = ", ".join(_planned())
            raise UnknownName(f"there is no plan for a ranker {ranker!r}; there are: {known}")
        if max(self.judges.values()) <= 0.5:  # nobody is right more often than not
            return Estimate(ranker, NEVER, math.inf)
        order = formula(ranker, tuple(self.judges.values()), items=self.items, error=self.error)
        if math.isinf(order):
            return Estimate(ranker, NEVER, order)
        if not self._quick(ranker):
            return Estimate(ranker, FORMULA, order, formula=order, money=self._money(None, order))
        played = self._play(ranker)
        questions = [run.questions for run in played]
        return Estimate(
            ranker,
            SIMULATED,
            float(np.median(questions)),
            most=float(np.quantile(questions, IN_TEN, method="higher")) + 1 if len(played) > 1 else None,
            runs=len(played),
            formula=order,
            money=self._money(played, float(np.median(questions))),
        )

    def _quick(self, ranker: str) -> bool:
        found = margins(tuple(self.judges.values()))
        if ranker not in FORMULAS:
            return 2 * theory.information_limit(self.items, max(found) + 0.5) <= QUICK_QUESTIONS
        least = max(found) if "best" in option_names(ranker_class(ranker)) else sum(found) / len(found)
        return self.items <= QUICK_ITEMS and least >= QUICK_MARGIN

    def _play(self, ranker: str) -> list[Run]:
        if ranker not in FORMULAS:
            return [self._live(ranker, repeat) for repeat in range(self.runs)]
        plain = self.items <= PLAIN_ITEMS and not warm(play_by_law)
        with without_compiling() if plain else nullcontext():
            return [self._by_law(ranker, repeat) for repeat in range(self.runs)]

    def _by_law(self, ranker: str, repeat: int) -> Run:
        world = Bernoulli(tuple(self.judges.values()))
        return play(ranker, world, items=self.items, seed=self.seed, repeat=repeat, error=self.error)

    def _live(self, ranker: str, repeat: int) -> Run:
        """Question by question: only the live ranker weighs prices and says whom it asked."""
        known = option_names(ranker_class(ranker))
        return live_player(ranker)(
            Bernoulli(tuple(self.judges.values())),
            items=self.items,
            rng=repeat_rng(self.seed, repeat),
            error=self.error,
            constants=PAPER,
            budget=DEFAULT_BUDGET_PER_ITEM * self.items,
            prices=None if self.prices is None else dict(enumerate(self.prices.values())),
            **({} if self.objective == "order" else {"objective": self.objective, "joining": False}),
            **{name: value for name, value in self.options.items() if name in known},
        )

    def _money(self, played: Sequence[Run] | None, questions: float) -> float | None:
        if self.prices is None:
            return None
        paid = list(self.prices.values())
        if len(set(paid)) == 1:
            return questions * paid[0]
        if played is None:
            return questions * sum(paid) / len(paid)
        return float(np.median([np.dot(run.by_judge, paid) for run in played]))


def _some_have(names: Sequence[str], options: Mapping[str, Any]) -> None:
    """Refuse an option that no ranker of the plan has; the paper's rankers are simulated as they are."""
    played = [name for name in names if name in _planned() and name not in FORMULAS]
    known = {option for name in played for option in option_names(ranker_class(name))}
    for option in options:
        if option not in known - TAKEN:
            raise BadInput(f"no ranker of this plan has an option {option!r}; there are: {_listed(known - TAKEN)}")


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _able(objective: str) -> list[str]:
    """The rankers that can prove this."""
    if objective == "order":
        return _planned()
    return [name for name in _planned() if "objective" in option_names(ranker_class(name))]


def _planned() -> list[str]:
    """The product's own rankers first, then the paper's. What people prefer has another plan: `--people`."""
    found = (name for name in ranker_names() if ranker_class(name).true_order)
    return sorted(found, key=lambda name: name in FORMULAS)


def _named(accuracies: Mapping[str, float] | Sequence[float]) -> dict[str, float]:
    if isinstance(accuracies, Mapping):
        return dict(accuracies)
    return {f"judge-{k}": accuracy for k, accuracy in enumerate(accuracies, start=1)}


def _prices(prices: Mapping[str, float] | None, judges: Mapping[str, float]) -> dict[str, float] | None:
    if prices is None:
        return None
    for name, price in prices.items():
        if name not in judges:
            raise UnknownName(f"there is a price for {name!r}, who is not a judge here: {', '.join(judges)}")
        if not 0 <= price < math.inf:
            raise BadInput(f"the price of {name!r} is {price!r}; it must be a number, 0 or more")
    missing = [name for name in judges if name not in prices]
    if missing:
        raise BadInput(f"judge {missing[0]!r} has no price; give every judge one, or none at all")
    return {name: float(prices[name]) for name in judges}


# ----------------------------------------------------------------------------
# `juryrank.plan`: what a ranking will cost, in the words of `juryrank.rank`.


@overload
def plan(
    items: int,
    accuracies: Mapping[str, float] | Sequence[float],
    *,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    rankers: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Plan: ...
@overload
def plan(
    items: int,
    *,
    people: int,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    runs: int | None = None,
    seed: int = 0,
    sitting: int = DEFAULT_SITTING,
    majority: float = TYPICAL_MAJORITY,
    unlike: str = "unequal",
) -> PeoplePlan: ...
@overload
def plan(
    items: int,
    *,
    cases: int,
    judges: int = 1,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    gap: float = PLAN_GAP,
    progress: CaseProgress | None = None,
) -> CasePlan: ...
def plan(
    items: int,
    accuracies: Mapping[str, float] | Sequence[float] | None = None,
    *,
    people: int | None = None,
    cases: int | None = None,
    goal: str | None = None,
    error: float = DEFAULT_ERROR,
    prices: Mapping[str, float] | None = None,
    runs: int | None = None,
    seed: int = 0,
    **more: Any,
) -> Plan | PeoplePlan | CasePlan:
    """Forecast a ranking of so many items, by simulation; say who answers in one of three ways.

    accuracies   how often you guess each judge is right: [0.95, 0.8], or by name; the truth is to be proven
                 (more: rankers, options)
    people       how many people come; what most people would say is to be proven
                 (more: sitting, majority, unlike)
    cases        on how many cases systems are compared; what these judges say on all of them is to be proven
                 (more: judges, 1 unless told otherwise; gap; progress, told the plan so far and what is simulated)

    >>> plan(6, people=40, goal="best", majority=0.9, runs=3).fewest
    10
    >>> plan(3, cases=20, runs=1, gap=2.0).whole
    120
    >>> plan(8, {"ann": 0.9, "bob": 0.7}, error=0.1, rankers=["oracle"]).estimates[0].how
    'simulated'
    """
    if sum(who is not None for who in (accuracies, people, cases)) != 1:
        raise BadInput("say who answers, in one way: accuracies=[0.95, 0.8], people=40, or cases=500")
    shared: dict[str, Any] = {"error": error, "runs": PLAN_RUNS if runs is None else runs, "seed": seed}
    if people is not None:
        return plan_people(people, items, objective=planned(PEOPLE, goal), **shared, **more)
    if accuracies is not None:
        return plan_rankers(items, accuracies, objective=planned(TRUTH, goal), prices=prices, **shared, **more)
    if goal is not None:
        raise BadInput(f"a plan on cases shows every goal; leave goal={goal!r} out")
    judges = more.pop("judges", 1)
    return plan_cases(items, cases or 0, judges, prices=prices, **shared, **more)


def planned(about: str, goal: str | None) -> str:
    """The goal, if it can be proven of them.

    >>> planned("people", None), planned("truth", "top-3")
    ('ranges', 'top-3')
    """
    chosen = choose(WhoAnswers(people=about == PEOPLE), about=about, goal=goal)
    if chosen.name == GUESS:
        raise BadInput("goal='guess' proves nothing, and asks as much as you allow: there is nothing to plan")
    return str(chosen.options["objective"])
