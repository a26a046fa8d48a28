"""The methods that take part in the race."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks.peers.crowd_bt import CrowdBT
from benchmarks.peers.information import InformationGain
from benchmarks.peers.merge_sort import MergeSort
from benchmarks.peers.method import Method
from benchmarks.peers.ours import Ours, PlacedFirst
from benchmarks.peers.random_pairs import RandomPairs
from benchmarks.peers.rating import Rating
from juryrank import ranker_names

Maker = Callable[[int, int, np.random.Generator], Method]

VOTES = (1, 3, 7, 15, 31, 63)  # a comparison of the merge sorts
PEERS: tuple[Maker, ...] = (RandomPairs, Rating, CrowdBT, InformationGain)
CERTIFIED = {"certified": "better-than-chance", "certified (steady)": "steady"}
LIST = "certified, placed items first"
BREADTH = "certified, breadth first"
GUESSES = 300  # ten questions per item: beyond, a proof is near
PAPER = ("ada-iir", "iir", "two-stage")


def certified() -> Iterator[Maker]:
    """The default ranker under both assumptions, its list as it was shown once, breadth first, and the guess."""
    if "certified" in ranker_names():
        for label, assume in CERTIFIED.items():
            yield partial(Ours, "certified", label=label, assume=assume, repeats=None)
        yield partial(PlacedFirst, "certified", label=LIST, assume="better-than-chance", repeats=None, budget=400)
        yield partial(
            Ours, "certified", label=BREADTH, assume="better-than-chance", repeats=None, insert="breadth"
        )
        yield partial(Ours, "guess", budget=GUESSES)


def paper() -> Iterator[Maker]:
    """The paper's rankers: tens of thousands of questions per run."""
    for name in PAPER:
        yield partial(Ours, name)


def peers() -> Iterator[Maker]:
    """What a user would pick instead."""
    yield from PEERS
    for votes in VOTES:
        yield partial(MergeSort, votes=votes)
