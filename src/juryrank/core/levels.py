"""What is promised, and how the error δ is shared over what could be claimed falsely. Every rule of δ is here.

    objective   a false statement needs a false proof on one of ...      head-to-head         field-share
    ranges      all pairs                                                N(N-1)/2             N(N-1)/2
    tiers       a fixed path and the closing edges of its cycles         N-1+⌊N/3⌋            N-1
    top-k, best the path's edges, and one more pair                      N                    N-1

Scores are numbers and cannot form a cycle, hence the smaller counts of field-share (docs/people-proof.md).
"""

from __future__ import annotations

import enum
import re
from typing import Final

from juryrank.core.compiling import kernel
from juryrank.errors import BadInput, UnknownName

# of δ for the first epoch or attempt; later attempts m share the rest as 1/(m(m-1)), which sums to 1 (untuned)
FIRST_SHARE: Final = 0.8


# Log evidence beyond 1/level that a ranker wants before it claims: its own sums are off by less, and the checker,
# which rounds against every claim, then never finds less than 1/level (tests/verify/test_arithmetic.py)
MARGIN: Final = 1e-7


LEAST_ERROR: Final = 1e-300  # below it, 1/δ is no number that a machine can hold


class Objective(enum.Enum):
    """What is to be settled."""

    RANGES = "ranges"
    TIERS = "tiers"
    TOP = "top-k"
    ORDER = "order"


def read_objective(text: str, k: int | None = None) -> tuple[Objective, int | None]:
    """An objective as people write it: "best" is top-1, "top-3" is top-k with k = 3.

    >>> read_objective("top-3")
    (<Objective.TOP: 'top-k'>, 3)
    >>> read_objective("ranges")
    (<Objective.RANGES: 'ranges'>, None)
    """
    word = str(text).strip().lower()
    numbered = re.fullmatch(r"top[- ]?(\d+)", word)
    if numbered:
        if k is not None and k != int(numbered[1]):
            raise BadInput(f"the objective {text!r} and k = {k} contradict each other; give one of them")
        return Objective.TOP, int(numbered[1])
    if word == "best":
        if k not in (None, 1):
            raise BadInput(f"the best one is top-1, but k is {k}; say objective='top-k' for more than one")
        return Objective.TOP, 1
    if word not in {objective.value for objective in Objective}:
        raise UnknownName(
            f"there is no objective {text!r}; there are: ranges, tiers, best, top-k (or top-3 and so on), order"
        )
    objective = Objective(word)
    if objective is Objective.TOP and k is None:
        raise BadInput("top of how many? Say k=3, or write the objective as 'top-3'")
    return objective, k if objective is Objective.TOP else None


def check_error(error: float, *, name: str = "error (δ)") -> None:
    """Refuse a δ that is no probability.

    >>> check_error(0.05)
    """
    if not (isinstance(error, int | float) and LEAST_ERROR <= error < 1):
        raise BadInput(f"{name} is {error!r}; it is a probability strictly between 0 and 1, such as 0.05")


def check_top(k: int | None, items: int) -> None:
    """Refuse a top-k that is none of these items, or all of them.

    >>> check_top(3, items=10)
    """
    if k is not None and not 1 <= k < max(items, 2):
        raise BadInput(f"top-{k} of {items} items makes no sense; k goes from 1 to {items - 1}")


def false_proofs(items: int, objective: Objective, *, scores: bool = False) -> int:
    """How many fixed pairs suffice to catch every false statement (the union bound runs over them).

    >>> [false_proofs(10, objective) for objective in (Objective.RANGES, Objective.TIERS, Objective.TOP)]
    [45, 12, 10]
    """
    pairs = max(1, items * (items - 1) // 2)
    if objective not in (Objective.TIERS, Objective.TOP):
        return pairs
    path = max(1, items - 1)
    if scores:
        return path
    lines = path + items // 3
    return min(pairs, lines if objective is Objective.TIERS else min(items, lines))


def epoch_error(error: float, epoch: int, *, joining: bool) -> float:
    """The share of δ for the statements made after items have joined `epoch` times; all shares sum to δ.

    >>> epoch_error(0.1, 0, joining=False), round(epoch_error(0.1, 0, joining=True), 3)
    (0.1, 0.08)
    """
    if not joining:
        return error
    if epoch == 0:
        return FIRST_SHARE * error
    return (1 - FIRST_SHARE) * error / (epoch * (epoch + 1))


@kernel
def level_of(error: float, attempt: int) -> float:
    """δ_m: the level of the m-th list that is to be proven, from 1 on. The levels of all attempts sum to δ.

    >>> round(level_of(0.1, 1), 6), round(level_of(0.1, 2), 6), round(level_of(0.1, 3), 6)
    (0.08, 0.01, 0.003333)
    """
    if attempt == 1:
        return FIRST_SHARE * error
    return (1.0 - FIRST_SHARE) * error / (attempt * (attempt - 1.0))


@kernel
def elimination_level(error: float, epoch: int, joining: bool) -> float:
    """The level at which items are eliminated after items joined `epoch` - 1 times; all of δ where none may join.

    >>> elimination_level(0.1, 1, False), round(elimination_level(0.1, 1, True), 3)
    (0.1, 0.08)
    """
    return level_of(error, epoch) if joining else error
