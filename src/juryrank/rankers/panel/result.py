"""A panel's result: from counted answers to ranges, lines, open pairs, and the words that go with them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.core.panel.bradley_terry import Floats, weighted_strengths
from juryrank.core.panel.counting import Counting
from juryrank.core.panel.field_share import FieldShare
from juryrank.core.panel.fixed_judges import FixedJudges
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.core.panel.sittings import Sittings
from juryrank.core.panel.tournament import (
    groups,
    knots,
    ranges_from_lines,
    rank_ranges,
    reaches,
    settled_lines,
    shortest_cycle,
    top_members,
)
from juryrank.rankers.panel import wording
from juryrank.rankers.panel.forecast import whole_forecast
from juryrank.rankers.panel.open_pairs import open_pairs
from juryrank.types import Item, Link, Ranking

if TYPE_CHECKING:
    from juryrank.rankers.panel.ranker import Panel

FORECAST_ITEMS = 60  # with more items, a forecast is made only when asked for: panel.forecast()


@dataclass(frozen=True, slots=True)
class PanelView:
    """Everything that is known, by item index: the best guess, what is promised, what follows."""

    guess: Floats
    order: list[int]
    settled: NDArray[np.bool_]  # what the statement covers
    ranges: list[tuple[int, int]]
    lines: list[int]
    cycles: list[list[int]]
    agreement: dict[int, tuple[int, int]]  # judge: (answers that agree with the others' strengths, choices)

    @property
    def promised_pairs(self) -> int:
        return int(self.settled.sum())

    @classmethod
    def of(cls, counted: Counting, book: Sittings) -> PanelView:
        guess, agreement = _best_guess(counted, book)
        order = counted.order(guess)
        settled, lines = promised(counted, order)
        ranges = rank_spans(counted, order)
        cycles = [shortest_cycle(counted.settled, knot) for knot in knots(counted.settled)]
        return cls(guess, order, settled, ranges, lines, cycles, agreement)


def _best_guess(counted: Counting, book: Sittings) -> tuple[Floats, dict[int, tuple[int, int]]]:
    """Bradley-Terry with judge weights; no promise."""
    if isinstance(counted, FixedJudges):
        return counted.guide(), {}
    rows = [(s.judge, b, w) for s in book.counted_sittings() for b, w in s.preferences()]
    if not rows:
        return np.zeros(counted.items), {}
    answers = np.array(rows, dtype=np.int64)
    names, compact = np.unique(answers[:, 0], return_inverse=True)
    guess, gaps = weighted_strengths(counted.items, np.column_stack((compact, answers[:, 1:])), len(names))
    right = np.bincount(compact, weights=gaps > 0, minlength=len(names))
    chosen = np.bincount(compact, minlength=len(names))
    agreement = {int(u): (int(r), int(c)) for u, r, c in zip(names, right, chosen, strict=True)}
    return guess, agreement


def promised(counted: Counting, order: list[int]) -> tuple[NDArray[np.bool_], list[int]]:
    """The pairs and the lines that the statement covers."""
    settled = counted.settled if counted.objective is Objective.RANGES else counted.at_least_half(order)
    if isinstance(counted, FieldShare) or (
        counted.objective is Objective.ORDER and isinstance(counted, FixedJudges)
    ):
        settled = reaches(settled) & ~np.eye(counted.items, dtype=bool)
    lines = settled_lines(settled, order)
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
    settled, lines = promised(counted, order)
    if counted.objective in (Objective.TIERS, Objective.TOP):
        return ranges_from_lines(order, lines)
    return rank_ranges(settled)


def build_ranking(panel: Panel, view: PanelView) -> Ranking:
    """The whole result of a panel."""
    counted, items = panel._counted, panel.items
    details = _details(panel, view)
    certified = all(best == worst == place for place, (best, worst) in enumerate(_sorted(view), 1))
    return Ranking(
        order=tuple(items[i] for i in view.order),
        certified=certified and len(items) > 1 and (panel.about == "panel" or panel.done),
        error=panel.error,
        questions=panel.questions,
        ranker=panel.name,
        links=tuple(_link(panel, view, a, b) for a, b in pairwise(view.order)),
        judges=panel.judges,
        ranges=tuple(_sorted(view)),
        statement=wording.statement(
            error=panel.error,
            objective=panel.objective,
            k=panel.k,
            about=panel.about,
            relation=panel.relation,
            judges=len(panel.judge_names),
        ),
        warnings=wording.warnings(panel, counted, view),
        details=details,
    )


def _sorted(view: PanelView) -> list[tuple[int, int]]:
    return [view.ranges[i] for i in view.order]


def _link(panel: Panel, view: PanelView, better: int, worse: int) -> Link:
    counted = panel._counted
    evidence = None
    if isinstance(counted, HeadToHead | FieldShare):
        evidence = float(np.exp(min(float(counted.evidence[better, worse]), 700.0)))
    return Link(
        panel.items[better],
        panel.items[worse],
        settled=bool(view.settled[better, worse]),
        evidence=evidence,
        level=counted.level or None,
        answers_for=int(counted.wins[better, worse]),
        answers_against=int(counted.wins[worse, better]),
    )


def _details(panel: Panel, view: PanelView) -> dict[str, Any]:
    counted, n = panel._counted, len(panel.items)
    names = panel.items
    said = int(counted.wins.sum())
    return {
        "objective": wording.objective_name(panel.objective, panel.k),
        "about": panel.about,
        "relation": panel.relation,
        "k": panel.k,
        "groups": [[names[i] for i in group] for group in groups(view.order, view.lines) if group],
        "lines": view.lines,
        "top": {k: _top(view, names, k) for k in range(1, n)},
        "settled_count": view.promised_pairs,
        "pairs_count": n * (n - 1) // 2,
        "settled_pairs": [
            [names[i], names[j], int(counted.wins[i, j]), int(counted.wins[j, i])]
            for i in view.order
            for j in view.order
            if view.settled[i, j]
        ],
        "open_pairs": open_pairs(panel, view),
        "forecast": whole_forecast(panel) if n <= FORECAST_ITEMS else {},
        "cycles": [[names[i] for i in cycle] for cycle in view.cycles],
        "people": panel.people,
        "answers": said,
        "ties": panel._ties,
        "skips": panel._skips,
        "level": counted.level,
    }


def _top(view: PanelView, names: list[Item], k: int) -> dict[str, list[Item]]:
    inside, outside, undecided = top_members(view.ranges, k)
    place = {i: position for position, i in enumerate(view.order)}
    words = {"in": inside, "out": outside, "open": undecided}
    return {word: [names[i] for i in sorted(members, key=place.__getitem__)] for word, members in words.items()}
