"""How far a certified ranking is, and what it knows of its judges."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np

from juryrank.core.certified.judge_accuracy import CREDITED, MEAN, RIGHT
from juryrank.core.certified.prove.evidence import ACCURACY_GRID, GRID_SIZE
from juryrank.rankers.certified.giving_up import takes_most
from juryrank.rankers.certified.result import settled_links
from juryrank.types import JudgeReport, Progress

if TYPE_CHECKING:
    from juryrank.rankers.certified.ranker import Certified

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


def judge_report(ranker: Certified, u: int) -> JudgeReport:
    """What is known of a judge."""
    jury = ranker._machine.jury
    known = jury.real[u, CREDITED] > 0
    tail = jury.tail[u]
    low = float(ACCURACY_GRID[int(np.count_nonzero(tail >= 1 - CREDIBLE)) - 1])
    high = float(ACCURACY_GRID[min(int(np.count_nonzero(tail >= CREDIBLE)), GRID_SIZE - 1)])
    paused = u in ranker.roster.paused
    leads = u == ranker._machine.cursor.leader
    return JudgeReport(
        name=ranker.judge_names[u],
        asked=ranker.roster.asked[u],
        answered=ranker.roster.answered[u],
        right=round(float(jury.real[u, RIGHT]), 3),
        accuracy=float(jury.real[u, MEAN]) if known else None,
        low=low if known else None,
        high=high if known else None,
        active=not paused,
        note="paused" if paused else "kept: asked most" if leads and known else "seldom asked",
        price=ranker.prices[ranker.judge_names[u]],
    )


def progress_of(ranker: Certified) -> Progress:
    """How far it is."""
    s = ranker._machine
    c, total = s.cursor, len(ranker.items)
    links = max(total - 1, 0)
    whole = None if ranker.gave_up else ranker._outlook().whole()
    expected, low, high = (None,) * 3 if whole is None else (ranker.questions + left for left in astuple(whole))
    return Progress(
        items=total,
        placed=int(c.placed),
        settled=settled_links(ranker),
        links=links,
        judges=len(ranker.judge_names),
        active_judges=len(ranker.judge_names) - len(ranker.roster.paused),
        questions=ranker.questions,
        open=len(ranker.open_questions),
        expected=expected,
        expected_low=low,
        expected_high=high,
        cost=ranker.cost,
        phase=phase_words(ranker),
    )


def phase_words(ranker: Certified) -> str:
    """What it is doing."""
    if ranker._cross.goes_on:
        return CROSS_WORDS
    words = PHASE_WORDS[ranker._hand.cursor.phase]
    return GAVE_UP_WORDS if ranker.gave_up else words + MOSTLY_ONE if takes_most(ranker) else words
