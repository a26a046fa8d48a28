"""An order of all items while a list is still being made: newcomers stand where their answers put them so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]  # by gap of the list: gap g stands just before position g, the last one at the end


def whole_order(placed: Sequence[int], flights: Mapping[int, Weights], arrivals: Sequence[int]) -> list[int]:
    """All of `arrivals`, best first: placed items by position, newcomers by their mean gap, others in the middle.

    Ties go by arrival.

    >>> whole_order([4, 2], {7: np.array([0.0, 0.1, 0.9])}, [4, 2, 7, 9])
    [4, 9, 2, 7]
    """
    middle = (len(placed) - 1) / 2
    key = dict.fromkeys(arrivals, middle)
    key |= {item: mean_gap(weights) - 0.5 for item, weights in flights.items()}
    key |= {item: float(position) for position, item in enumerate(placed)}
    return sorted(arrivals, key=key.__getitem__)


def mean_gap(weights: Weights) -> float:
    """Where a newcomer is expected among the gaps of the list.

    >>> mean_gap(np.array([1.0, 0.0, 1.0]))
    1.0
    """
    return float(np.arange(len(weights)) @ weights / weights.sum())
