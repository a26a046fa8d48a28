"""What more questions would settle: the outlook of a certified ranking as plain values for results. No promise.

"forecast":   {"questions": 100, "links": 4, "low": 2, "high": 6, "likely": [{"better", "worse", "chance"}],
               "fixed": None or a span, "whole": None or a span}    a span: {"questions", "low", "high"}
              ("at_once": all links are settled by the same answer, or none is)
"open_pairs": [{"first", "second", "first_preferred", "answers", "questions_needed", "note"}, ...]
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from juryrank.rankers.certified.core import phases
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.objectives.links import ELIMINATION, pair_at
from juryrank.rankers.certified.forecast.outlook import HIGH, LOW, MIDDLE, Outlook

if TYPE_CHECKING:
    from juryrank.rankers.certified.state import CertifiedState

LIKELY = 0.05  # links are named from this chance on
NEXT_QUESTIONS = 100  # that a forecast is about, unless told otherwise
NAMED = 5  # ... and at most this many
WAITS = "proven, waits for those above"


def forecast_of(state: CertifiedState, ahead: Outlook, questions: int = NEXT_QUESTIONS) -> dict[str, Any]:
    """What `questions` more questions would settle, and how many the whole certificate takes."""
    if not ahead.steps:
        return {}
    if state.hand.cursor.objective == ELIMINATION:
        return _until_best(state, ahead, questions)
    chances = ahead.chances(questions)
    links, low, high = (sum(chance >= share for _, chance in chances) for share in (MIDDLE, HIGH, LOW))
    fixed, whole = ahead.fixed(), ahead.whole()
    return {
        "questions": questions,
        "links": links,
        "low": low,
        "high": high,
        "likely": [] if fixed else _likely(state, chances),
        "fixed": asdict(fixed) if fixed else None,
        "whole": asdict(whole) if whole else None,
    }


def _until_best(state: CertifiedState, ahead: Outlook, questions: int) -> dict[str, Any]:
    """No link is settled before the last item is eliminated, and then all are: what counts is when that is."""
    whole, every = ahead.whole(), len(state.items) - 1
    by_then = {} if whole is None else {"links": whole.questions, "low": whole.high, "high": whole.low}
    return {
        "questions": questions,
        **{name: every if by_then.get(name, math.inf) <= questions else 0 for name in ("links", "low", "high")},
        "likely": [],
        "fixed": None,
        "whole": asdict(whole) if whole else None,
        "at_once": True,
    }


def _likely(state: CertifiedState, chances: list[tuple[int, float]]) -> list[dict[str, Any]]:
    likely = [(pair_at(state.machine, k), chance) for k, chance in chances[:NAMED] if chance >= LIKELY]
    return [
        {"better": state.items[better], "worse": state.items[worse], "chance": round(chance, 3)}
        for (better, worse), chance in likely
    ]


def open_links(state: CertifiedState, ahead: Outlook) -> list[dict[str, Any]]:
    """The links of a fixed list that are not claimed yet, in the order in which they will be."""
    s = state.machine
    if s.cursor.phase != phases.PROVE:
        return []
    found = []
    for step in ahead.steps:
        better, worse = pair_at(s, step.link)
        won, lost = (int(s.proof.link[step.link, column]) for column in (st.WINS, st.LOSSES))
        proven = bool(s.proof.link[step.link, st.IS_PROVEN])
        found.append(
            {
                "first": state.items[better],
                "second": state.items[worse],
                "first_preferred": won,
                "answers": won + lost,
                "questions_needed": None if proven else max(1, round(step.alone)),
                "note": WAITS if proven else "",
            }
        )
    return found
