"""Answers that go against an order whose links are proven: its items go in a circle, and their ranks stay open.

Each item over the next is proven; that the first is over the third is not, it follows only if "at least as good"
is transitive. Where the answers about the two say otherwise, they say that it is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from juryrank.rankers.jury.breakdown import answers_about

if TYPE_CHECKING:
    from juryrank.rankers.jury.state import JuryState

ENOUGH = 2  # answers about two items before they leave ranks open; a single one may be a slip
LEVEL = 1e-9  # sums of grades nearer to 0 than this are level


class Turned(NamedTuple):
    """Two places of an order, counted from 0 and no neighbours, whose answers prefer the item at the lower one."""

    above: int
    below: int
    answers: int
    share: float  # of the answers, in favour of the item above (ties half)

    @property
    def counts(self) -> bool:
        return self.answers >= ENOUGH


def turned_pairs(jury: JuryState, order: Sequence[int]) -> list[Turned]:
    """Every pair of places whose answers go against the order, neighbours apart: those are proven."""
    place = {item: at for at, item in enumerate(order)}
    found = []
    for pair in jury.machine.books:
        above, below = sorted(place[item] for item in pair)
        said = [answer.x for answer in answers_about(jury, order[above], order[below])]
        if below > above + 1 and sum(said) < -LEVEL:
            found.append(Turned(above, below, len(said), 0.5 + sum(said) / len(said) / 2))
    return sorted(found)


def open_stretches(turned: Sequence[Turned]) -> list[tuple[int, int]]:
    """The places that a circle holds, from the first to the last; circles that share an item are one.

    >>> open_stretches([Turned(0, 2, 2, 0.0), Turned(2, 4, 3, 0.3), Turned(5, 7, 1, 0.0)])
    [(0, 4)]
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted((pair.above, pair.below) for pair in turned if pair.counts):
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return found
