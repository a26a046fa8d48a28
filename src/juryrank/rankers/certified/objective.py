"""What a certified ranking is to prove: the whole order, the best item, or the set of the k best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.levels import Objective, check_top, elimination_level, level_of, read_objective
from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.phases import ELIMINATION
from juryrank.statements.numbers import top_name
from juryrank.types import Link

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState


from collections.abc import Mapping

from juryrank.rankers.certified.core.prove.attempt import write_prior
from juryrank.rankers.certified.core.prove.evidence import BET_MOST, BETA, PRIOR_SIZE

STEADY = "every judge is right equally often on every pair and at every moment, at least half the time"
FAIR = "every answer is, given all answers before it, right at least half of the time"


def assumptions(*, assume: str | None, repeats: int | None) -> tuple[str, str]:
    """What the certificate assumes with these options, in words for people."""
    if repeats is None:
        again = "a judge who is asked a pair again answers anew (the study was made with this said)"
    else:
        often = "once" if repeats == 1 else f"{repeats} times"
        again = f"nobody's memory helps: no judge is asked a pair more than {often}"
    return (STEADY if assume == "steady" else FAIR, again)


def unanimous_judges(error: float) -> int:
    """How many judges who all agree a link needs in a first attempt, where each answers it once.

    >>> unanimous_judges(0.1)
    4
    """
    return math.ceil(-math.log(level_of(error, 1)) / math.log1p(BET_MOST))


# ----------------------------------------------------------------------------
# What a question fixes of its judge's accuracy under the steady model: into its terms, and back out of them
def prior_terms(s: Any, judge: int) -> dict[str, Any]:
    """A judge's prior as it goes on record: weights on the grid, and the Beta where it has weight."""
    prior = np.zeros(PRIOR_SIZE)
    write_prior(s, judge, prior)
    terms: dict[str, Any] = {"prior": prior[:BETA].tolist()}
    return terms | {"beta": prior[BETA:].tolist()} if prior[BETA] > 0 else terms


def recorded_prior(terms: Mapping[str, Any]) -> list[float]:
    """The prior that a question fixed, for the machine."""
    return [*terms["prior"], *terms.get("beta", (0.0, 0.0, 0.0))]


# ----------------------------------------------------------------------------
# What a certified ranking is to prove: the whole order, the best item, or the set of the k best.
@dataclass(frozen=True, slots=True)
class Aim:
    """An objective: `k` is None for the whole order, 1 for the best."""

    k: int | None
    steady: bool

    @property
    def kind(self) -> int:
        """By which rule the machine proves it: links of an order, links of a set, or elimination."""
        if self.k is None:
            return phases.ORDER
        return phases.ELIMINATION if self.k == 1 and not self.steady else phases.SET

    @property
    def words(self) -> str:
        """
        >>> Aim(None, False).words, Aim(1, False).words, Aim(10, True).words
        ('order', 'best', 'top-10')
        """
        return top_name(self.k)

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


def ruled_out(state: CertifiedState) -> list[int]:
    """Items that are not the best; before all but one are, only those that need no repeats which may be memory."""
    s = state.machine
    found: list[int] = np.flatnonzero(s.proof.link[: len(state.items), st.IS_PROVEN]).tolist()
    if s.cursor.phase == phases.CERTIFIED:
        return found
    weak = state.cross.unsupported(0, [(x, x) for x in found])
    return [x for x in found if (x, x) not in weak]


def claim_level(state: CertifiedState, attempt: int) -> float:
    """The level at which something was claimed."""
    if state.aim.kind == ELIMINATION:
        return elimination_level(state.error, attempt, state.joining)
    return level_of(state.error, attempt)


def elimination_links(state: CertifiedState, *, settled: bool) -> tuple[Link, ...]:
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
