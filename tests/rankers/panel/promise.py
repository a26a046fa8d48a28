"""The promise by simulation: worlds where the majority is known, and whether it is broken more often than δ."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import (
    Population,
    all_tied,
    circle,
    clusters,
    false_claims,
    normal_scores,
    play,
    without_order,
)


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

OPTIONS = [
    {"objective": "ranges"},
    {"objective": "tiers"},
    {"objective": "best"},
    {"objective": "top-k", "k": 1},  # k = N // 2 where N > 2: see `fitting`
    {"objective": "ranges", "relation": "field-share"},
    {"objective": "tiers", "relation": "field-share"},
]


def label(options: dict) -> str:
    """ranges, tiers, ..., field-share tiers."""
    words = "top-half" if "k" in options else options["objective"]
    return f"{options['relation']} {words}" if "relation" in options else words


def fitting(options: dict, n: int) -> dict:
    """The options for n items: top-k is about the better half."""
    return {**options, "k": max(1, n // 2)} if "k" in options else options


def shaken(population: Population, *, leave: float) -> Population:
    """With ties, skips and people who leave."""
    return replace(population, tie=0.1, skip=0.05, leave=leave)


def withdraw_the_worst(panel: Panel) -> None:
    """Withdraw the item with the most open pairs: what an owner would like to be rid of."""
    claims, left = panel.claims(), [i for i in range(len(panel.items)) if i not in panel.state.withdrawn]
    if len(left) > 2:
        settled = claims | claims.T
        panel.withdraw_items([panel.items[min(left, key=lambda i: int(settled[i].sum()))]])


def ever_false(panel: Panel, population: Population, *, rng, people: int, at_once: int, withdraw=()) -> bool:
    """Does one run ever show something false? `withdraw`: the item most in the way goes after so many sittings."""
    theta, moments = population.theta(), list(withdraw)
    seen, wrong = -1, False

    def look(panel):
        nonlocal seen, wrong
        if panel.state.version != seen:
            seen = panel.state.version
            wrong = wrong or false_claims(panel, theta) > 0
            if moments and len(panel.sittings) >= moments[0]:
                moments.pop(0)
                withdraw_the_worst(panel)

    play(panel, population, people=people, rng=rng, at_once=at_once, after=look)
    return wrong
