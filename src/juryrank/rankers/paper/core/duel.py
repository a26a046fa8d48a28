"""A duel: one pair asked until a verdict. Paper: Attempt-To-Compare (ATC).

After r answers of which w prefer the newcomer, the duel ends when |w/r - 1/2| ≥ c_r with
c_r = sqrt(log(π² r² / (3δ)) / (2r)), or when r = r_max = ceil(log(2/δ) / (2ε²)). In integers: when the
lead |2w - r| reaches a table entry, `lead[r]`; at r_max the entry is 0, so that any lead ends it.
The newcomer wins only with more than half: a draw at r_max counts against it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.paper.core.constants import WALK_STEP_SUCCESS, Constants

ROOT, LEAF, INNER = 0, 1, 2  # the three kinds of node: a step asks at most one, two, three duels there
# the chance that one duel at such a node may go wrong, so that the whole step goes right with 15/16
NODE_ERROR: Final = tuple(1 - WALK_STEP_SUCCESS ** (1 / duels) for duels in (1, 2, 3))


def longest(epsilon: float, error: float, constants: Constants) -> int:
    """The most answers a duel can take (r_max).

    >>> from juryrank.rankers.paper.core.constants import PAPER
    >>> longest(0.25, NODE_ERROR[ROOT], PAPER)
    28
    """
    return int(np.ceil(constants.log(2 / error) / (2 * epsilon**2)))


def lead_table(epsilon: float, error: float, constants: Constants) -> NDArray[np.int64]:
    """The lead that ends a duel after r = 0 .. r_max answers."""
    r = np.arange(1, longest(epsilon, error, constants) + 1, dtype=np.float64)
    logs = np.log2 if constants.base2 else np.log
    radius = np.sqrt(logs(np.pi**2 * r**2 / (3 * error)) / (2 * r))
    lead = np.ceil(2 * r * radius).astype(np.int64)
    lead[-1] = 0
    return np.concatenate(([np.iinfo(np.int64).max], lead))
