"""Where every item may have every rank: why that is, and what to try."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from juryrank.core.intervals import t_quantile
from juryrank.errors import shown
from juryrank.votes.fitting.intervals.influence import by_case
from juryrank.votes.fitting.intervals.named import LIKE_THESE, THESE
from juryrank.votes.fitting.quality.checks import VoteCheck

if TYPE_CHECKING:
    from juryrank.votes.fitting.result import Fitted

MOST_TIMES = 1000  # beyond this many times as many votes, a number says no more than "nothing tells them apart"


def open_ranks(fitted: Fitted) -> tuple[VoteCheck, ...]:
    """A check that fails where no rank is known; nothing where one is, or where there is nothing to rank."""
    rows = [row for row in fitted.items if row.scale == 1]
    if len(rows) < 2 or any(row.rank_low > 1 or row.rank_high < len(rows) for row in rows):
        return ()
    words = [f"ranks: every item may have every rank, for {fitted.interval}", _gap_words(fitted)]
    if fitted.interval == LIKE_THESE and any(row.these_judges.rank_high < len(rows) for row in rows):
        words.append(f"for {THESE} some ranks are known, so it is the judges who differ: ask more of them")
    words.append(_to_try(fitted))
    return (VoteCheck("ranks", False, "; ".join(filter(None, words))),)


def _gap_words(fitted: Fitted) -> str:
    """The clearest pair (first and last), and how many times the votes would tell it apart."""
    first, last = (row.name for row in (fitted.items[0], [r for r in fitted.items if r.scale == 1][-1]))
    gap = fitted.difference(first, last)
    half = (gap.high - gap.low) / 2 * _for_all(fitted)
    times = (half / gap.ahead) ** 2 if gap.ahead > 0 else np.inf
    if times > MOST_TIMES:
        return "nothing tells even the first and the last apart"
    what = "judges" if fitted.interval == LIKE_THESE else "cases" if by_case(fitted.estimate.ballots) else "votes"
    return (
        f"{shown(first)} is ahead of {shown(last)} by {gap.ahead:.2f} ± {half:.2f} (for all pairs together); "
        f"about {max(times, 1.1):.1f} times as many {what} would tell the two apart"
    )


def _for_all(fitted: Fitted) -> float:
    """How much wider an interval is that holds for all pairs together."""
    many = sum(row.scale == 1 for row in fitted.items)
    pairs = many * (many - 1) // 2
    return t_quantile(1 - (1 - fitted.level) / pairs, 1e9) / t_quantile(fitted.level, 1e9)


def _to_try(fitted: Fitted) -> str:
    if len(fitted.estimate.ballots.judges) < 2:
        return ""
    others = [name for name in ("hbtl", "crowd") if name != fitted.model]
    return f"--compare says whether --model {' or '.join(others)} predicts these judges better"
