"""The whole state of an insertion ranking as arrays, so that it runs plain and compiled; as JSON for snapshots."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.paper.core.interval_tree import DEEPEST

CURSOR: Final = np.dtype(
    [
        ("newcomer", "i8"),  # the item being inserted (an index into the order of insertion)
        ("n_ranked", "i8"),
        ("attempt", "i8"),  # 1, 2, ...: the paper's t in IAI
        ("step", "i8"),  # the paper's t in ATI
        ("max_steps", "i8"),
        ("depth", "i8"),
        ("probe", "i8"),  # LEFT, RIGHT or MIDDLE
        ("left_won", "i8"),
        ("wins", "i8"),  # the running duel's tally
        ("answers", "i8"),
        ("duel", "i8"),  # how many duels have been begun
        ("n_visited", "i8"),
        ("finished", "i8"),
        ("short_circuit", "i8"),
        ("final_strict", "i8"),
    ]
)
RECORD: Final = np.dtype((np.record, CURSOR))  # the same, with its fields as attributes


class Walk(NamedTuple):
    """The whole state of an insertion ranking."""

    cursor: Any  # scalars, updated in place
    ranked: NDArray[np.int64]  # ranked[:n_ranked], worst first
    path: NDArray[np.int64]  # intervals from the root to the current node
    leaf_count: NDArray[np.int64]  # valid where leaf_stamp is the current attempt's
    leaf_stamp: NDArray[np.int64]
    visited: NDArray[np.int64]  # leaves counted in this attempt
    stamp: NDArray[np.int64]  # one number: changes with every attempt of every item


def start(n_items: int, constants: Constants) -> Walk:
    """Before the first insertion: item 0 is the whole list."""
    cursor = np.zeros(1, RECORD)[0]
    cursor["n_ranked"] = 1  # by item: setting a record's attribute takes five times as long
    cursor["short_circuit"] = constants.short_circuit
    cursor["final_strict"] = constants.final_strict
    cursor["finished"] = n_items < 2
    return Walk(
        cursor,
        np.zeros(max(n_items, 1), np.int64),
        np.zeros((DEEPEST, 2), np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(1, np.int64),
    )


def live(walk: Walk) -> Walk:
    """The same walk for plain Python: scalars as Python numbers, which are several times as quick there."""
    return walk._replace(cursor=SimpleNamespace(**{name: int(walk.cursor[name]) for name in CURSOR.names or ()}))


def to_json(walk: Walk) -> dict[str, Any]:
    """A live walk as JSON values."""
    arrays = {name: getattr(walk, name).tolist() for name in Walk._fields if name != "cursor"}
    return {"cursor": {name: int(value) for name, value in vars(walk.cursor).items()}, **arrays}


def from_json(state: Mapping[str, Any]) -> Walk:
    """The live walk that `to_json` wrote."""
    arrays = [np.array(state[name], np.int64) for name in Walk._fields if name != "cursor"]
    return Walk(SimpleNamespace(**state["cursor"]), *arrays)
