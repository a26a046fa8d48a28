"""An order of all items while a list is still being made: newcomers stand where their answers put them so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray


def whole_order(placed: Sequence[int], flights: Mapping[int, float], arrivals: Sequence[int]) -> list[int]:
    """All of `arrivals`, best first: placed items by position, newcomers by their mean gap, others in the middle.

    Gap g of the list stands just before position g, the last one at its end. Ties go by arrival. An item that
    nobody was asked about is as likely anywhere, so no place is better than the middle.

    >>> whole_order([4, 2], {7: 1.9}, [4, 2, 7, 9])
    [4, 9, 2, 7]
    """
    key = dict.fromkeys(arrivals, (len(placed) - 1) / 2)
    key |= {item: gap - 0.5 for item, gap in flights.items()}
    key |= {item: float(position) for position, item in enumerate(placed)}
    return sorted(arrivals, key=key.__getitem__)


def mean_gap(ends: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """Where a newcomer is expected, by intervals of gaps: each one's last gap, and the weight of each gap in it.

    >>> mean_gap(np.array([0, 1, 2]), np.array([1.0, 0.0, 1.0])), mean_gap(np.array([9]), np.array([0.2]))
    (1.0, 4.5)
    """
    firsts = np.append(0, ends[:-1] + 1)
    mass = weights * (ends - firsts + 1)
    return float(mass @ (firsts + ends) / 2 / mass.sum())
