"""How far a certified ranking is, and what it knows of its judges."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np

from juryrank.rankers.certified.core.judge_accuracy import CREDITED, MEAN, RIGHT
from juryrank.rankers.certified.core.prove.evidence import ACCURACY_GRID, GRID_SIZE
from juryrank.rankers.certified.outlook import Outlook
from juryrank.rankers.certified.result import settled_links
from juryrank.rankers.certified.state import takes_most
from juryrank.types import JudgeReport, Progress

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

PHASE_WORDS = (
    "placing the items",
    "repairing the list",
    "proving the list",
    "certified",
    "ruling out all but the best",
)
CROSS_WORDS = "examining a judge who never changes an answer"
GAVE_UP_WORDS = "given up: two items cannot be told apart"
MOSTLY_ONE = ": most questions go to one close pair"
CREDIBLE = 0.05  # tails of the interval shown for a judge's accuracy


def judge_report(state: CertifiedState, u: int) -> JudgeReport:
    """What is known of a judge."""
    jury = state.machine.jury
    known = jury.real[u, CREDITED] > 0
    tail = jury.tail[u]
    low = float(ACCURACY_GRID[int(np.count_nonzero(tail >= 1 - CREDIBLE)) - 1])
    high = float(ACCURACY_GRID[min(int(np.count_nonzero(tail >= CREDIBLE)), GRID_SIZE - 1)])
    paused = u in state.roster.paused
    leads = u == state.machine.cursor.leader
    return JudgeReport(
        name=state.judge_names[u],
        asked=state.roster.asked[u],
        answered=state.roster.answered[u],
        right=round(float(jury.real[u, RIGHT]), 3),
        accuracy=float(jury.real[u, MEAN]) if known else None,
        low=low if known else None,
        high=high if known else None,
        active=not paused,
        note="paused" if paused else _asked_words(state, u, leads=leads and bool(known)),
        price=state.roster.price(u),
    )


def _asked_words(state: CertifiedState, u: int, *, leads: bool) -> str:
    """How much a judge is asked, beside the one who is asked most."""
    asked, most = state.roster.asked[u], max(state.roster.asked)
    if leads:
        return "kept: asked most" if asked == most else "kept: asked most from now on"
    return "not asked" if not asked else "seldom asked" if 2 * asked <= most else ""


def progress_of(state: CertifiedState, ahead: Outlook | None) -> Progress:
    """How far it is; `ahead`: what it still takes, unless it was given up."""
    s = state.machine
    c, total = s.cursor, len(state.items)
    links = max(total - 1, 0)
    whole = None if ahead is None else ahead.whole()
    expected, low, high = (None,) * 3 if whole is None else (state.questions + left for left in astuple(whole))
    return Progress(
        items=total,
        placed=int(c.placed),
        settled=settled_links(state),
        links=links,
        judges=len(state.judge_names),
        active_judges=len(state.judge_names) - len(state.roster.paused),
        questions=state.questions,
        open=len(state.open_questions),
        expected=expected,
        expected_low=low,
        expected_high=high,
        cost=state.outstanding.cost,
        phase=phase_words(state),
    )


def phase_words(state: CertifiedState) -> str:
    """What it is doing."""
    if state.cross.goes_on:
        return CROSS_WORDS
    words = PHASE_WORDS[state.views.cursor.phase]
    return GAVE_UP_WORDS if state.gave_up else words + MOSTLY_ONE if takes_most(state) else words
