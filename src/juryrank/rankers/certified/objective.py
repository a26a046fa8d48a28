"""What a certified ranking is to prove: the whole order, the best item, or the set of the k best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.levels import Objective, check_top, elimination_level, level_of, read_objective
from juryrank.errors import BadInput, UnknownName
from juryrank.quoting import in_sentence, in_sentences
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.objectives import links
from juryrank.rankers.certified.core.objectives.links import ELIMINATION
from juryrank.types import Link

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState


@dataclass(frozen=True, slots=True)
class Aim:
    """An objective: `k` is None for the whole order, 1 for the best."""

    k: int | None
    steady: bool

    @property
    def kind(self) -> int:
        """By which rule the machine proves it: links of an order, links of a set, or elimination."""
        if self.k is None:
            return links.ORDER
        return links.ELIMINATION if self.k == 1 and not self.steady else links.SET

    @property
    def words(self) -> str:
        """
        >>> Aim(None, False).words, Aim(1, False).words, Aim(10, True).words
        ('order', 'best', 'top-10')
        """
        return "order" if self.k is None else "best" if self.k == 1 else f"top-{self.k}"

    def top(self, items: int) -> int:
        """How many items the set holds: never all of them, so that there is something to prove."""
        return max(1, min(self.k or 1, items - 1))


def read_aim(objective: object, k: object, *, assume: str, items: int) -> Aim:
    """An objective as people write it.

    >>> read_aim("top-3", None, assume="steady", items=8).k
    3
    >>> read_aim("tiers", None, assume="steady", items=8)
    Traceback (most recent call last):
        ...
    juryrank.errors.UnknownName: certified has no objective 'tiers'; it has: order, best, top-k (such as top-3)
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise BadInput(f"k is {k!r}; it is how many items are wanted at the top, 1 or more")
    known = (Objective.ORDER, Objective.TOP)
    try:
        found, size = read_objective(str(objective), k)
    except UnknownName:
        found, size = Objective.RANGES, None
    if found not in known:
        raise UnknownName(f"certified has no objective {objective!r}; it has: order, best, top-k (such as top-3)")
    if items > 1 or size == 0:  # of one item alone more may be wanted: others may join
        check_top(size, items)
    return Aim(size, assume == "steady")


# ----------------------------------------------------------------------------
# What a result says about the best item or the set of the k best
LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one


def what_is_proven(state: CertifiedState, order: list[int]) -> str:
    """The claim of a proven objective, in words."""
    if state.aim.k is None:
        return "this is the whole true order"
    if state.aim.k == 1:
        return f"{in_sentence(state.items[order[0]])} is the best item"
    names = in_sentences(state.items[x] for x in order[: state.aim.k])
    return f"the {state.aim.k} best items are {names}"


def ruled_out(state: CertifiedState) -> list[int]:
    """Items that are not the best; before all but one are, only those that need no repeats which may be memory."""
    s = state.machine
    found: list[int] = np.flatnonzero(s.proof.link[: len(state.items), st.IS_PROVEN]).tolist()
    if s.cursor.phase == phases.CERTIFIED:
        return found
    weak = state.cross.unsupported(0, [(x, x) for x in found])
    return [x for x in found if (x, x) not in weak]


def still_possible(state: CertifiedState, sure: str) -> str:
    """What elimination has shown before it is done."""
    out = len(ruled_out(state))
    return (
        f"Not proven yet. With probability at least {sure} the best item is one of {len(state.items) - out}: "
        f"{out} of {len(state.items)} items are ruled out"
    )


def aim_details(state: CertifiedState) -> dict[str, Any]:
    """For the result's `details`; nothing where the whole order is wanted."""
    if state.aim.k is None:
        return {}
    found: dict[str, Any] = {"objective": state.aim.words, "k": state.aim.k}
    if state.aim.kind == ELIMINATION:
        found["eliminated"] = [state.items[x] for x in ruled_out(state)]
    return found


def claim_level(state: CertifiedState, attempt: int) -> float:
    """The level at which something was claimed."""
    if state.aim.kind == ELIMINATION:
        return elimination_level(state.error, attempt, state.joining)
    return level_of(state.error, attempt)


def accused_links(state: CertifiedState, *, settled: bool) -> tuple[Link, ...]:
    """The candidate over every other item, with the evidence that the other is not the best.

    None is settled before all are: until then an item that is ruled out may have lost to another item.
    """
    s, items = state.machine, state.items
    if s.cursor.placed < 2:
        return ()  # there is no other item, and nothing was tried at any level
    level, first = claim_level(state, int(s.cursor.attempt)), items[int(s.order[0])]
    found = []
    for x in s.order[1 : s.cursor.placed].tolist():
        evidence = math.exp(min(float(s.proof.worth[x, st.BEST]), LARGEST_LOG))
        lost, won = int(s.proof.link[x, st.LOSSES]), int(s.proof.link[x, st.WINS])
        found.append(Link(first, items[x], settled, evidence, level, lost, won, {}))
    return tuple(found)


def elimination_ranges(state: CertifiedState, order: list[int], *, proven: bool) -> list[tuple[int, int]]:
    """Whoever is ruled out is second at best; the last one left is first."""
    s, total = state.machine, len(state.items)
    done = proven and s.cursor.phase == phases.CERTIFIED
    gone = set(ruled_out(state)) - state.cross.weak.keys()
    ranges = []
    for x in order:
        ranges.append((2, total) if x in gone else (1, 1) if done and x == s.order[0] else (1, total))
    return ranges
