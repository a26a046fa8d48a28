"""Thresholds of the walk as integers, made once by NumPy: the same, compiled or not, to the last bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.constants import BASEL, STEPS_PER_LEVEL, STEPS_PER_LOG, Constants
from juryrank.rankers.paper.core.elimination import NODE_ERROR, lead_table
from juryrank.rankers.paper.core.interval_tree import height


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
