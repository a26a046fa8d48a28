"""How much sooner is the best found where a winner is assumed? `python -m benchmarks.people_best [VOTES ...]`.

    best      the objective `best`, which assumes nothing
    winner    the same with assume="winner": a majority prefers some item to every other one
    ceiling   the plans of `best` with every pair at the whole δ: no promise, but hardly anybody can settle more

Worlds as in `benchmarks.people` (ten items, sixty people, ten questions each, δ = 0.1); with VOTES files, people
of the file drawn with replacement, one answer per person and pair, as in `benchmarks.people_replay`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.people import ERROR, ITEMS, MAJORITIES, PEOPLE, SITTING
from benchmarks.people_replay import one_answer_each, read
from juryrank.core.lead_table import LeadTable
from juryrank.core.levels import Objective, epoch_error
from juryrank.core.panel.assumed_winner import AssumedWinner
from juryrank.core.panel.counting import BySittings
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.simulation.planning.people import world

Asked = Callable[[int, int], bool | None]  # does a person prefer the first? None: no answer


class Ceiling(HeadToHead):
    """Every pair at the whole δ, which promises nothing."""

    def _set_level(self) -> None:
        self.level = epoch_error(self.error, self.epoch, joining=self.joining)
        self.table = LeadTable(self.level)


WAYS: dict[str, Callable[[int], BySittings]] = {
    "best": lambda items: HeadToHead(items, error=ERROR, objective=Objective.TOP, k=1),
    "winner": lambda items: AssumedWinner(items, error=ERROR),
    "ceiling": lambda items: Ceiling(items, error=ERROR, objective=Objective.TOP, k=1),
}


def best_of(ballot: BySittings, people: Callable[[], Asked], rng: np.random.Generator) -> int | None:
    """The item that is settled as the best, if there is one, after sixty people."""
    waiting = np.zeros(len(ballot.pairs[0]), dtype=np.int64)
    for number in range(1, PEOPLE + 1):
        if ballot.finished():
            break
        prefers = people()
        plan = ballot.plan(SITTING, waiting, rng)
        ballot.begin(number, plan)
        said = [(pair, prefers(*pair)) for pair in plan]
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
