"""Everything that follows from a panel's counted answers: best guess, promised pairs, ranges, lines, circles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.rankers.panel.core.bradley_terry import Floats, gaps_without_own
from juryrank.rankers.panel.core.counting import Counting
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.sittings import Sittings
from juryrank.rankers.panel.core.tournament import (
    impossible_lines,
    knots,
    ranges_from_lines,
    rank_ranges,
    reaches,
    settled_lines,
    shortest_cycle,
)


@dataclass(frozen=True, slots=True)
class PanelView:
    """Everything that is known, by item index: the best guess, what is promised, what follows."""

    order: list[int]
    settled: NDArray[np.bool_]  # what the statement covers
    ranges: list[tuple[int, int]]
    lines: list[int]
    knots: list[list[int]]  # items that go in a circle, in the order shown
    cycles: list[list[int]]  # of each knot one shortest circle
    ties: list[list[int]]  # items that exact ties bind together
    blocked: set[int]  # sizes of top groups for which a circle leaves no line
    agreement: dict[int, tuple[int, int]]  # judge: (answers that agree with the others' strengths, choices)

    @property
    def promised_pairs(self) -> int:
        return int(self.settled.sum())

    @classmethod
    def of(cls, counted: Counting, book: Sittings) -> PanelView:
        order = counted.shown(counted.guide())
        settled, lines = promised(counted, order)
        ranges = rank_spans(counted, order)
        circles = knots(counted.settled)
        cycles = [shortest_cycle(counted.settled, circle) for circle in circles]
        ties = knots(counted.tied) if isinstance(counted, FixedJudges) else []
        blocked = impossible_lines(counted.settled) if circles else set()
        return cls(order, settled, ranges, lines, circles, cycles, ties, blocked, _agreement(counted, book))

    def ordered(self, counted: Counting, guess: Floats) -> PanelView:
        """The same with items by another guess, moved only where settled pairs say otherwise."""
        order = counted.shown(guess)
        settled, lines = promised(counted, order)
        return replace(self, order=order, settled=settled, lines=lines, ranges=rank_spans(counted, order))


def _agreement(counted: Counting, book: Sittings) -> dict[int, tuple[int, int]]:
    """How many of each person's answers agree with everybody else's, and how many there are."""
    if isinstance(counted, FixedJudges):
        return {}
    rows = [(s.judge, b, w) for s in book.counted_sittings() for b, w in s.preferences()]
    if not rows:
        return {}
    answers = np.array(rows, dtype=np.int64)
    names, compact = np.unique(answers[:, 0], return_inverse=True)
    gaps = gaps_without_own(counted.items, np.column_stack((compact, answers[:, 1:])), len(names))
    right = np.bincount(compact, weights=gaps > 0, minlength=len(names))
    chosen = np.bincount(compact, minlength=len(names))
    return {int(u): (int(r), int(c)) for u, r, c in zip(names, right, chosen, strict=True)}


def chained(counted: Counting) -> NDArray[np.bool_]:
    """Settled pairs, and what follows along chains of them (and of exact ties) where those may be used."""
    if not isinstance(counted, FieldShare) and counted.objective is not Objective.ORDER:
        return counted.settled
    reached = reaches(counted.not_below)
    return reached & ~reached.T  # in a circle everything is above everything: nothing follows


def promised(counted: Counting, order: list[int]) -> tuple[NDArray[np.bool_], list[int]]:
    """The pairs and the lines that the statement covers."""
    settled = chained(counted)
    lines = settled_lines(settled, order)
    if isinstance(counted, FixedJudges):
        settled = settled & counted.settled  # no chain is a count
    if counted.objective is Objective.TOP:
        lines = [line for line in lines if line == counted.k]
    if counted.objective in (Objective.TIERS, Objective.TOP):
        covered = np.zeros_like(settled)
        for line in lines:
            covered[np.ix_(order[:line], order[line:])] = True
        settled = covered
    return settled, lines


def rank_spans(counted: Counting, order: list[int]) -> list[tuple[int, int]]:
    """The range of ranks of each item that the statement covers."""
    _, lines = promised(counted, order)
    if counted.objective in (Objective.TIERS, Objective.TOP):
        return ranges_from_lines(order, lines)
    return rank_ranges(chained(counted))
