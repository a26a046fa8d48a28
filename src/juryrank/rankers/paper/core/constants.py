"""The two constant sets of the paper's rankers, one word each: `paper` and `released`.

`paper` is the text with its slips settled; `released` is what the authors' program does, so that figures
can be compared with theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import kernel
from juryrank.errors import UnknownName
from juryrank.rankers.paper.core.elimination import NODE_ERROR, lead_table
from juryrank.rankers.paper.core.interval_tree import height

WALK_STEP_SUCCESS = 15 / 16  # Ren et al. 2019 (q): least chance that a step of the walk goes the right way
STEPS_PER_LOG = 512 / 25  # Ren et al. 2019: walk steps per log(2/δ)
STEPS_PER_LEVEL = 4  # Ren et al. 2019: at least this many steps per level of the tree
FINAL_SHARE = (5, 16)  # Ren et al. 2019: a leaf visited 1 + 5/16 of all steps is taken at the end
BASEL = math.pi**2 / 6  # Σ 1/t²: attempts share δ as 6δ/(π² t²)


@dataclass(frozen=True, slots=True)
class Constants:
    """What the text and the authors' program do differently."""

    name: str
    base2: bool  # logs to base 2 in duel, walk and elimination
    short_circuit: bool  # a border duel that decides a conjunction spares the other one
    split_elimination: bool  # elimination at δ/(N-1) instead of δ
    final_strict: bool  # the walk's last test is ">" instead of "≥"
    threshold_strict: bool  # elimination starts strictly above its threshold instead of at it
    judge_epsilon: float  # selection stops when its radius is below this
    split_stages: bool  # two-stage: δ/3 per stage (subset: δ/4), then the single best judge; else δ, all survivors

    def log(self, x: float) -> float:
        return math.log2(x) if self.base2 else math.log(x)


PAPER = Constants("paper", False, True, True, False, False, 0.15, True)
RELEASED = Constants("released", True, False, False, True, True, 0.05, False)
CONSTANTS = {"paper": PAPER, "released": RELEASED}


def constants_named(name: str) -> Constants:
    """A constant set by its name.

    >>> constants_named("paper").judge_epsilon
    0.15
    """
    if name not in CONSTANTS:
        raise UnknownName(f"there is no constant set {name!r}; there are: {', '.join(CONSTANTS)}")
    return CONSTANTS[name]


# ----------------------------------------------------------------------------
# Thresholds of the walk as integers, made once by NumPy: the same in both gears to the last bit.
class Tables(NamedTuple):
    """Thresholds for attempts 1 .. n."""

    n_attempts: int
    leads: NDArray[np.int64]  # duels: three kinds of node an attempt, one after the other
    lead_start: NDArray[np.int64]
    lead_stop: NDArray[np.int64]
    insert_at: NDArray[np.int64]  # visits that place the item at once, by step
    insert_start: NDArray[np.int64]
    base_steps: NDArray[np.int64]  # steps by attempt ...
    min_steps: NDArray[np.int64]  # ... and at least these, by the number of ranked items


def tables(n_items: int, item_error: float, constants: Constants, *, attempts: int) -> Tables:
    """Thresholds for the first `attempts` attempts at inserting an item, each item at `item_error` (δ/(N-1))."""
    leads: list[NDArray[np.int64]] = []
    insert_at: list[NDArray[np.int64]] = []
    base_steps = np.zeros(attempts + 1, np.int64)
    logs = np.log2 if constants.base2 else np.log
    for t in range(1, attempts + 1):
        epsilon, error = 2.0 ** -(t + 1), item_error / (BASEL * t**2)
        leads += [lead_table(epsilon, duel_error, constants) for duel_error in NODE_ERROR]
        base_steps[t] = int(np.ceil(STEPS_PER_LOG * constants.log(2 / error)))
        most = max(int(base_steps[t]), STEPS_PER_LEVEL * height(n_items))
        step = np.arange(1, most + 1, dtype=np.float64)
        bound = step / 2 + np.sqrt(step / 2 * logs(np.pi**2 * step**2 / (3 * error))) + 1
        insert_at.append(np.concatenate(([np.iinfo(np.int64).max], np.floor(bound).astype(np.int64) + 1)))
    lead_start, lead_stop = _bounds(leads)
    insert_start, _ = _bounds(insert_at)
    return Tables(
        attempts,
        np.concatenate(leads),
        lead_start,
        lead_stop,
        np.concatenate(insert_at),
        np.concatenate(([0], insert_start)),
        base_steps,
        STEPS_PER_LEVEL * np.ceil(1 + np.log2(1 + np.arange(n_items + 1))).astype(np.int64),
    )


def _bounds(parts: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    stops = np.cumsum([len(part) for part in parts]).astype(np.int64)
    return np.concatenate(([0], stops[:-1])).astype(np.int64), stops


@kernel
def table_index(attempt: int, kind: int) -> int:
    """Which table of `leads` belongs to a duel at this kind of node."""
    return 3 * (attempt - 1) + kind
