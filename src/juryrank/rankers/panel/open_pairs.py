"""Pairs without a verdict: their tallies, and how many more people each would take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.defaults import TOO_CLOSE
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.counting import Counting
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.state import PanelState
from juryrank.rankers.panel.view import PanelView

HARDLY_ASKED = 5  # with fewer answers than this, a number of people needed would be a guess about nothing
OPEN_LISTED = 2000  # open pairs in a result: with hundreds of items there are more than anybody reads
EXACT_TIE, NOBODY_CHOSE = "exact tie", "nobody chose"  # everybody was heard, and neither side has more


def open_pairs(panel: PanelState, view: PanelView) -> list[dict[str, Any]]:
    """Pairs without a verdict: those the objective needs, then the nearest to one first.

    `first` is the better one by the best guess. Pairs that have their evidence, but stand under no settled line
    yet, are neither promised nor open.
    """
    counted, names = panel.counted, panel.items
    place = {i: position for position, i in enumerate(view.order)}
    needed, wanted = _needed(panel), _wanted(counted)
    reached = view.settled | counted.settled
    first, second = counted.pairs
    open_ = np.flatnonzero(~(reached | reached.T)[first, second])
    noted = _noted(counted, first[open_], second[open_], needed[open_])
    listed = open_[np.lexsort((needed[open_], noted, ~wanted[open_]))[:OPEN_LISTED]]
    rows = []
    for c in listed:
        a, b = sorted((int(first[c]), int(second[c])), key=place.__getitem__)
        answers = int(counted.wins[a, b] + counted.wins[b, a])
        people, note = _people(panel, counted, a, b, float(needed[c]), answers)
        row = {"first": names[a], "second": names[b], "first_preferred": int(counted.wins[a, b])}
        rows.append({**row, "answers": answers, "people_needed": people, "note": note})
    return rows


def _noted(counted: Counting, i: NDArray[np.int64], j: NDArray[np.int64], needed: Floats) -> NDArray[np.bool_]:
    """Which of these pairs get a note instead of a number of people: they are listed last."""
    if isinstance(counted, FixedJudges):
        return counted.heard[i, j] >= counted.judges
    hardly = np.zeros(len(i), dtype=bool)
    if not isinstance(counted, FieldShare):
        hardly = counted.wins[i, j] + counted.wins[j, i] < HARDLY_ASKED
    noted: NDArray[np.bool_] = hardly | (needed > TOO_CLOSE)
    return noted


def _wanted(counted: Counting) -> NDArray[np.bool_]:
    """The pairs that the objective needs next."""
    if isinstance(counted, HeadToHead):
        s = counted.guide()
        return counted.first(s, counted.needs(s).people, counted.open_pairs)
    return np.zeros(len(counted.pairs[0]), dtype=bool)


def _needed(panel: PanelState) -> Floats:
    counted = panel.counted
    if isinstance(counted, FixedJudges):
        return counted.missing_votes().astype(float)
    if isinstance(counted, FieldShare):
        i, j = counted.pairs
        have = np.maximum(counted.evidence[i, j], counted.evidence[j, i])
        missing = np.maximum(math.log(1 / counted.level) - have, 0)
        pace: Floats = have / max(counted.people, 1)
        return np.maximum(missing / np.maximum(pace, 1e-4), 1.0)
    assert isinstance(counted, HeadToHead)
    said = int(counted.wins.sum())
    per_choice = (said + panel.ties + panel.skips) / said if said else 1.0
    return counted.needs(counted.guide()).people * per_choice


def _people(
    panel: PanelState, counted: Counting, a: int, b: int, needed: float, answers: int
) -> tuple[int | None, str]:
    """A rounded number of people, or the reason why none is given."""
    if isinstance(counted, FixedJudges):
        if counted.heard[a, b] < counted.judges:
            return int(needed), ""
        if counted.silent[a, b]:
            return None, "no answer came"
        return None, EXACT_TIE if counted.tied[a, b] else NOBODY_CHOSE
    if not isinstance(counted, FieldShare) and answers < HARDLY_ASKED:
        return None, "too few answers yet"
    if needed > TOO_CLOSE:
        return None, "too close"
    step = 1 if needed < 20 else 10  # no more digits than are known
    return int(math.ceil(needed / step) * step), ""
