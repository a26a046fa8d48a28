"""About exactly these judges: which pair to ask whom, and what a vote does. See `core/panel/fixed_judges.py`."""

from __future__ import annotations

import numpy as np

from juryrank.core import chance
from juryrank.core.panel.fixed_judges import FixedJudges
from juryrank.rankers.contract.draft import JUDGE_STREAM, Draft
from juryrank.rankers.panel.state import PanelState
from juryrank.types import SKIP, TIE, Answer, Question


def choose_vote(panel: PanelState, jury: FixedJudges, judge: int | None) -> Draft | None:
    """The pair nearest to a majority, among those the objective needs first; then the one that decides most."""
    judges = (
        [u for u in range(len(panel.judge_names)) if u not in panel.roster.paused] if judge is None else [judge]
    )
    first, votes = panel.cached("priorities", jury.priorities)
    i, j = jury.pairs
    asked = jury.asked[:, i, j].sum(axis=0)
    open_ = jury.open_pairs
    order = np.lexsort((-asked, -jury.decides(), votes, ~first, ~open_))
    for c in order[: int(open_.sum())]:
        pair = int(i[c]), int(j[c])
        free = [u for u in judges if not jury.asked[u][pair]]
        if free:
            least = min(panel.roster.asked[u] for u in free)
            fewest = [u for u in free if panel.roster.asked[u] == least]
            whom = chance.pick(fewest, panel.seed, JUDGE_STREAM, panel.outstanding.next_id)
            return Draft(whom, *pair, terms={"vote": True})
    return None


def record_vote(panel: PanelState, question: Question, answer: Answer | None) -> None:
    """One judge's word on a pair; None: it never came."""
    jury = panel.counted
    assert isinstance(jury, FixedJudges)
    u, i, j = panel.indices(question)
    chosen = answer is not None and answer is not TIE and answer is not SKIP
    better = panel.roster.item(answer) if chosen else None
    jury.vote(u, i, j, better=better, even=answer is TIE, silent=answer is None)
