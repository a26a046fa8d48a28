"""The promise by simulation: worlds where the majority is known, and whether it is broken more often than δ."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from juryrank.simulation.worlds.people import Population, all_tied, circle, clusters, normal_scores, without_order


def nearly_tied(items, rng):
    """The hardest truth: every majority is thin."""
    return Population("thin", np.sort(rng.normal(0, 0.15, (1, items)))[:, ::-1].copy(), np.ones(1))


WORLDS = {
    "normal": lambda n, rng: normal_scores(n, rng),
    "normal, coins": lambda n, rng: without_order(normal_scores(n, rng, unequal=False)),
    "clusters": lambda n, rng: clusters(n, rng),
    "circle": lambda n, rng: circle(n),
    "circle, coins": lambda n, rng: without_order(circle(n, spread=0.4)),
    "ties": lambda n, rng: all_tied(n),
    "ties, coins": lambda n, rng: without_order(all_tied(n)),
    "thin": nearly_tied,
}
WITHOUT_CYCLE = ("normal", "normal, coins", "thin", "ties", "ties, coins")  # where `order` promises something

OPTIONS = [
    {"objective": "ranges"},
    {"objective": "tiers"},
    {"objective": "best"},
    {"objective": "top-k", "k": 1},  # k = N // 2 where N > 2: see `fitting`
    {"objective": "ranges", "relation": "field-share"},
    {"objective": "tiers", "relation": "field-share"},
    {"objective": "order"},
]


def fitting(options: dict, n: int) -> dict:
    """The options for n items: top-k is about the better half."""
    return {**options, "k": max(1, n // 2)} if "k" in options else options


def shaken(population: Population, *, leave: float) -> Population:
    """With ties, skips and people who leave."""
    return replace(population, tie=0.1, skip=0.05, leave=leave)


def too_often(wrong: int, runs: int, allowed: float, confidence: float = 0.99) -> bool:
    """Is the one-sided Clopper-Pearson lower bound of the failure rate above `allowed`?

    The bound exceeds `allowed` exactly when so many failures have a chance below 1 - confidence at that rate.
    """
    return tail(wrong, runs, allowed) < 1 - confidence


def tail(wrong: int, runs: int, rate: float) -> float:
    """P(Binomial(runs, rate) ≥ wrong), in logarithms: runs go into the thousands."""
    if rate <= 0:
        return float(wrong == 0)
    logs = [
        math.lgamma(runs + 1) - math.lgamma(k + 1) - math.lgamma(runs - k + 1)
        + k * math.log(rate) + (runs - k) * math.log1p(-rate)
        for k in range(wrong, runs + 1)
    ]  # fmt: skip
    return min(1.0, sum(map(math.exp, logs)))


def lower_bound(wrong: int, runs: int, confidence: float = 0.99) -> float:
    """The Clopper-Pearson lower bound of the failure rate."""
    low, high = 0.0, wrong / runs
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(wrong, runs, middle) < 1 - confidence else (low, middle)
    return low
