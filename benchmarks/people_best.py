"""Would a majority winner, taken for granted, be found sooner? `python -m benchmarks.people_best [VOTES ...]`.

The objective `best` of a panel assumes nothing about the majority and shares δ over the items. If some item is
preferred by a majority to every other one (an assumption), then "x is that item" can be refuted for each x at the
whole δ, whoever it loses to: one factor per person, 1 + λ (losses - wins of x among the places that accuse x) / m,
m = the number of those places in the person's plan. Whoever is left is the winner. Columns:

    today       the objective `best` as it is
    winner      one E per item, as above; every item left meets the best guess, and the best guess its first rival
    ceiling     today's plans with every pair at the whole δ: no promise, but hardly anybody can settle more

Worlds as in `benchmarks.people` (ten items, sixty people, ten questions each, δ = 0.1); with VOTES files, people
of the file drawn with replacement, one answer per person and pair, as in `benchmarks.people_replay`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.people import ERROR, ITEMS, MAJORITIES, PEOPLE, SITTING
from benchmarks.people_replay import one_answer_each, read
from juryrank.core.lead_table import LeadTable
from juryrank.core.levels import Objective, epoch_error
from juryrank.core.panel.counting import BySittings, Plan
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.core.panel.plans import GUIDE_ANSWERS
from juryrank.simulation.planning.people import world

MOST_BET = 0.9
Asked = Callable[[int, int], bool | None]  # does a person prefer the first? None: no answer


class Winner(BySittings):
    """Evidence against "x is preferred by a majority to every other item", for each x."""

    def __init__(self, items: int, *, error: float) -> None:
        self.objective, self.k = Objective.TOP, 1
        self._blank(items)
        self.level = epoch_error(error, 0, joining=True)
        self.evidence, self.out = np.zeros(items), np.zeros(items, dtype=bool)
        self.bets: dict[tuple[int, int], float] = {}  # of the last plan: (accused, by whom): λ

    @property
    def settled(self) -> NDArray[np.bool_]:
        left = np.flatnonzero(~self.out)
        found = np.zeros((self.items, self.items), dtype=bool)
        if len(left) == 1:
            found[left[0], np.arange(self.items) != left[0]] = True
        return found

    def plan(self, size: int, waiting: NDArray[np.int64], rng: np.random.Generator) -> Plan:
        """Everybody left against the best guess; bets by what the tallies and the guide say so far."""
        guess = self.guide()
        noisy = guess + 1e-9 * rng.random(self.items)
        left = [int(x) for x in np.argsort(-noisy) if not self.out[x]]
        pairs = [(x, left[0]) for x in left[1:]]
        chosen = [pairs[k] for k in sorted(rng.permutation(len(pairs))[:size])]
        self.bets = {(x, y): self._bet(guess, x, y) for x, y in chosen}
        self.bets |= {(y, x): self._bet(guess, y, x) for x, y in chosen if x == left[1]}
        return chosen

    def _bet(self, guess: NDArray[np.float64], x: int, y: int) -> float:
        """λ on "x loses to y": the best bet if the share that says so is what is guessed now."""
        heard = self.wins[x, y] + self.wins[y, x] + GUIDE_ANSWERS
        prior = 1 / (1 + math.exp(guess[x] - guess[y]))
        share = (self.wins[y, x] + GUIDE_ANSWERS * prior) / heard
        return float(min(max(2 * share - 1, 0.0), MOST_BET))

    def count_person(self, number: int, preferences: Plan, *, arrived: int) -> None:
        said = set(preferences)
        for (x, y), bet in self.bets.items():  # each item is accused once in a plan: m = 1
            self.evidence[x] += math.log1p(bet * (((y, x) in said) - ((x, y) in said)))
        for better, worse in preferences:
            self.wins[better, worse] += 1
        self.out |= self.evidence >= math.log(1 / self.level)

    def join(self, more: int, *, arrived: int) -> None:
        raise NotImplementedError

    def state(self) -> dict[str, Any]:
        raise NotImplementedError

    def load(self, state: Mapping[str, Any]) -> None:
        raise NotImplementedError


class Ceiling(HeadToHead):
    """Every pair at the whole δ, which promises nothing."""

    def _set_level(self) -> None:
        self.level = epoch_error(self.error, self.epoch, joining=self.joining)
        self.table = LeadTable(self.level)


WAYS: dict[str, Callable[[int], BySittings]] = {
    "today": lambda items: HeadToHead(items, error=ERROR, objective=Objective.TOP, k=1),
    "winner": lambda items: Winner(items, error=ERROR),
    "ceiling": lambda items: Ceiling(items, error=ERROR, objective=Objective.TOP, k=1),
}


def best_of(ballot: BySittings, people: Callable[[], Asked], rng: np.random.Generator) -> int | None:
    """The item that is settled as the best, if there is one, after sixty people."""
    waiting = np.zeros(len(ballot.pairs[0]), dtype=np.int64)
    for number in range(1, PEOPLE + 1):
        if ballot.finished():
            break
        prefers = people()
        said = [(pair, prefers(*pair)) for pair in ballot.plan(SITTING, waiting, rng)]
        choices = [pair if first else pair[::-1] for pair, first in said if first is not None]
        ballot.count_person(number, choices, arrived=number)
    over = np.flatnonzero(ballot.settled.sum(axis=1) == ballot.items - 1)
    return int(over[0]) if len(over) else None


def simulated(runs: int, majorities: Sequence[float]) -> None:
    """Shares of worlds in which the best is settled, and how often wrongly."""
    print("| typical majority | " + " | ".join(WAYS) + " | wrong |\n|---" + "|---" * (len(WAYS) + 1) + "|")
    for majority in majorities:
        found = dict.fromkeys(WAYS, 0)
        wrong = dict.fromkeys(WAYS, 0)
        for run in range(runs):
            for way, make in WAYS.items():
                rng = np.random.default_rng([run, 77])
                population = world(ITEMS, majority, "unequal", rng)
                best = best_of(make(ITEMS), lambda: population.person(rng).prefers, rng)  # noqa: B023
                if best is not None:
                    found[way] += 1
                    wrong[way] += bool((np.delete(population.theta()[best], best) < 0.5).any())
        shares = " | ".join(f"{100 * found[way] / runs:.0f} %" for way in WAYS)
        print(f"| {majority:.0%} | {shares} | {', '.join(map(str, wrong.values()))} |", flush=True)


def replayed(path: str, orders: int) -> None:
    """The same for a file of recorded votes."""
    everything = read(path)
    names = sorted({item for answers in everything.values() for pair in answers for item in pair})
    found = dict.fromkeys(WAYS, 0)
    for seed in range(orders):
        votes = one_answer_each(everything, seed)
        for way, make in WAYS.items():
            rng = np.random.default_rng([seed, 78])

            def arrives() -> Asked:
                said = votes[str(rng.choice(sorted(votes)))]  # noqa: B023

                def prefers(i: int, j: int) -> bool | None:
                    winner = said.get(frozenset((names[i], names[j])))
                    return winner == names[i] if winner else None

                return prefers

            found[way] += best_of(make(len(names)), arrives, rng) is not None
    print(
        f"{path}: " + ", ".join(f"{way} {100 * count / orders:.0f} %" for way, count in found.items()), flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("votes", nargs="*", help="votes files; none: the simulated worlds")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--majorities", type=float, nargs="+", default=MAJORITIES)
    given = parser.parse_args()
    for path in given.votes:
        replayed(path, given.runs)
    if not given.votes:
        simulated(given.runs, given.majorities)


if __name__ == "__main__":
    main()
