"""Objective-first plans against round robin, and the time to make a plan: `python -m benchmarks.people`.

Worlds: items' scores normal, people of unequal slope, spread so that a typical pair has the stated majority.
Ten items, sixty people with ten questions each: 120 answers per item. Same people, same evidence, same levels;
only the choice of questions differs.
"""

from __future__ import annotations

import argparse
import itertools
import time

import numpy as np

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.plans import Asked, Needs, people_needed
from juryrank.rankers.panel.ranker import Panel
from juryrank.rankers.panel.view import promised, rank_spans
from juryrank.simulation.planning.people import world
from juryrank.simulation.worlds.people import Population, normal_scores, play

ITEMS, PEOPLE, SITTING, ERROR = 10, 60, 10, 0.1
EARLY_SEED = 7000  # the plan for estimates was chosen on smaller ones
MAJORITIES = (0.7, 0.75, 0.8, 0.85, 0.9, 0.97)


class RoundRobin(HeadToHead):
    """Every pair in turn, from one random list of all pairs."""

    def plan(self, size, asked, rng):
        pairs = list(zip(*self.pairs, strict=True))
        if not hasattr(self, "turn"):
            self.turn, self.deal = 0, rng.permutation(len(pairs))
        chosen = [pairs[self.deal[(self.turn + k) % len(pairs)]] for k in range(min(size, len(pairs)))]
        self.turn += size
        return [(int(i), int(j)) for i, j in chosen]


def settle(ballot: HeadToHead, population: Population, rng: np.random.Generator) -> tuple[bool, int, float]:
    """Let everybody answer: is the best settled, how many groups, how wide are the ranges?"""
    asked = Asked.nothing(ballot.items)
    for number in range(1, PEOPLE + 1):
        if ballot.finished():
            break
        person = population.person(rng)
        plan = ballot.plan(SITTING, asked, rng)
        ballot.count_person(number, [(i, j) if person.prefers(i, j) else (j, i) for i, j in plan])
    order = ballot.order(ballot.guide())
    _, lines = promised(ballot, order)
    width = float(np.mean([worst - best for best, worst in rank_spans(ballot, order)]))
    return 1 in lines, len(lines) + 1, width


def cell(kind: type[HeadToHead], objective: Objective, majority: float, runs: int) -> np.ndarray:
    seen = []
    for run in range(runs):
        rng = np.random.default_rng([run, 77])
        population = world(ITEMS, majority, "unequal", rng)
        k = 1 if objective is Objective.TOP else None
        ballot = kind(ITEMS, error=ERROR, objective=objective, k=k)
        ballot.truth = population.theta()
        seen.append(settle(ballot, population, rng))
    return np.array(seen, dtype=float).mean(axis=0)


def against_round_robin(runs: int) -> None:
    print(f"{runs} worlds per cell, N = {ITEMS}, {PEOPLE} people x {SITTING} questions, δ = {ERROR}")
    print("majority   best settled          groups                ranges' width")
    print("           robin  plan           robin  plan  ratio    robin  plan  narrower")
    for majority in MAJORITIES:
        columns = []
        for objective, column in ((Objective.TOP, 0), (Objective.TIERS, 1), (Objective.RANGES, 2)):
            columns.append([cell(kind, objective, majority, runs)[column] for kind in (RoundRobin, HeadToHead)])
        (best_a, best_b), (groups_a, groups_b), (width_a, width_b) = columns
        print(
            f"{majority:>7.2f}    {best_a:>5.0%} {best_b:>5.0%}          {groups_a:>5.2f} {groups_b:>5.2f}  "
            f"{groups_b / groups_a:>5.2f}    {width_a:>5.2f} {width_b:>5.2f}   {1 - width_b / width_a:>5.0%}",
            flush=True,
        )


def plan_times() -> None:
    """A plan for an arriving person, in milliseconds (best of five, tallies spread over all pairs)."""
    for items, answers in ((50, 10_000), (500, 100_000)):
        for objective in (Objective.RANGES, Objective.TIERS, Objective.TOP):
            rng = np.random.default_rng(1)
            ballot = HeadToHead(
                items, error=ERROR, objective=objective, k=3 if objective is Objective.TOP else None
            )
            for _ in range(answers):
                i, j = sorted(rng.choice(items, 2, replace=False))
                ballot.count(*((i, j) if rng.random() < 0.5 + 0.4 * (j - i) / items else (j, i)))
            best = min(_timed(ballot, Asked.nothing(items), rng) for _ in range(5))
            print(f"plan, N = {items:>3}, {answers:>7,} answers, {objective.value:<7} {1000 * best:>7.1f} ms")


def ceiling(runs: int) -> None:
    """Groups: the plan, a plan that knows every true share, and the most there could be, knowing all answers."""
    print(f"{runs} worlds per cell: groups by round robin, by plan, by a plan that knows every share, and at most")
    table = HeadToHead(ITEMS, error=ERROR, objective=Objective.TIERS).table
    for majority in (0.65, *MAJORITIES):
        means = [cell(kind, Objective.TIERS, majority, runs)[1] for kind in (RoundRobin, HeadToHead, Knowing)]
        most = [_at_most(majority, run, table.leads(PEOPLE)) for run in range(runs)]
        print(f"{majority:>7.2f}    " + "  ".join(f"{mean:>5.2f}" for mean in [*means, np.mean(most)]), flush=True)


def early(runs: int, *, items: int = 25) -> None:
    """What few answers are worth if a panel goes for proofs at once, and if every item is heard of first."""
    print(f"{runs} worlds, {items} items, {SITTING} questions per person: pairs in the wrong order, pairs settled")
    agreeing = Population("agreeing", 10.0 * np.arange(items)[None, ::-1], np.ones(1))
    for spread, name, people in itertools.product((False, True), ("differing", "agreeing"), (15, PEOPLE)):
        found = []
        for run in range(EARLY_SEED, EARLY_SEED + runs):
            rng = np.random.default_rng([run, items])
            population = normal_scores(items, rng) if name == "differing" else agreeing
            panel = Panel(range(items), error=ERROR, seed=run, spread=spread)
            play(panel, population, people=people, rng=rng)
            share = population.theta()
            wrong = [share[a, b] < 0.5 for a, b in itertools.combinations(panel.ranking.order, 2)]
            found.append((100 * np.mean(wrong), panel.claims().sum()))
        means, errors = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / np.sqrt(runs)
        print(f"spread={spread!s:5} {name} people, {people}: wrong {means[0]:4.1f} % ± {errors[0]:3.1f}, "
              f"settled {means[1]:4.1f} ± {errors[1]:3.1f}", flush=True)  # fmt: skip


class Knowing(HeadToHead):
    """The same rule with the truth for a guide: strengths and shares as they are."""

    truth: np.ndarray

    def guide(self) -> np.ndarray:
        return self.truth.sum(axis=1)

    def needs(self, s: np.ndarray) -> Needs:
        i, j = self.pairs
        share = self.truth[i, j]
        have = np.where(share >= 0.5, self.evidence[i, j], self.evidence[j, i])
        return Needs(share, people_needed(share, np.log(1 / self.level) - have))


def _at_most(majority: float, run: int, leads: np.ndarray) -> int:
    """Groups that sixty people can hold at most: every answer of everybody known, the best lines chosen."""
    rng = np.random.default_rng([run, 77])
    population = world(ITEMS, majority, "unequal", rng)
    utility = np.array([population.person(rng).utility for _ in range(PEOPLE)])
    over = np.cumsum(np.where(utility[:, :, None] > utility[:, None, :], 1, -1), axis=0)
    reached = over >= leads[np.arange(1, PEOPLE + 1)][:, None, None]
    cost = np.where(reached.any(axis=0), reached.argmax(axis=0) + 1.0, np.inf)
    order = np.argsort(-(np.isfinite(cost).sum(axis=1) - np.isfinite(cost).sum(axis=0)), kind="stable")
    cost = cost[np.ix_(order, order)]
    lines = [k for k in range(1, ITEMS) if np.isfinite(cost[:k, k:]).all()]
    for count in range(len(lines), 0, -1):
        if any(_together(cost, chosen) <= PEOPLE * SITTING for chosen in itertools.combinations(lines, count)):
            return count + 1
    return 1


def _together(cost: np.ndarray, lines: tuple[int, ...]) -> float:
    """Answers that settle all these lines."""
    needed = np.zeros_like(cost, dtype=bool)
    for line in lines:
        needed[:line, line:] = True
    return float(cost[needed].sum())


def _timed(ballot: HeadToHead, asked: Asked, rng: np.random.Generator) -> float:
    start = time.perf_counter()
    ballot.plan(SITTING, asked, rng)
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--times-only", action="store_true")
    parser.add_argument("--ceiling", action="store_true", help="only: how many groups any rule could have")
    parser.add_argument("--early", action="store_true", help="only: what few people's answers are worth")
    arguments = parser.parse_args()
    if arguments.early:
        early(arguments.runs)
        return
    if arguments.ceiling:
        ceiling(arguments.runs)
        return
    plan_times()
    if not arguments.times_only:
        against_round_robin(arguments.runs)


if __name__ == "__main__":
    main()
