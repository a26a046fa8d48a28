"""What to know about the votes before believing scores; each check says in words what it found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.intervals import t_quantile
from juryrank.core.lead_table import share_up_to
from juryrank.core.tallies import FIT_LEVEL
from juryrank.errors import shown
from juryrank.votes.fitting.ballots import LEFT_WON, TIED, Ballots
from juryrank.votes.fitting.core import FittedScores
from juryrank.votes.fitting.influence import BY_JUDGE, FEWEST_DRAWN, by_case, by_judge
from juryrank.votes.fitting.intervals import FEW, LIKE_THESE, THESE
from juryrank.votes.fitting.judges import agreement

if TYPE_CHECKING:
    from juryrank.votes.fitting.result import Fitted


CIRCLES_UP_TO = 1000  # items: counting triangles takes a product of matrices
LISTED = 5  # names spelled out in a message
OUTSIDE = 0.05  # the chance that the interval of a share misses it


@dataclass(frozen=True, slots=True)
class VoteCheck:
    """`ok` false: scores, ranks or intervals have to be read with what `words` say in mind."""

    name: str
    ok: bool
    words: str
    details: dict[str, Any] = field(default_factory=dict)


def checks_of(fit: FittedScores) -> tuple[VoteCheck, ...]:
    """All checks, in the order in which they are printed."""
    votes = fit.ballots
    found = [connected(fit), unbeaten(fit), intervals(fit), sides(fit), ties(votes), below_chance(fit)]
    found += [circles(votes), duplicates(votes), left_out(votes)]
    return tuple(found)


def names(all_names: Sequence[str], chosen: Any) -> str:
    """Some names, and how many more.

    >>> names(["a", "b", "c"], [0, 2])
    "'a', 'c'"
    """
    listed = ", ".join(shown(all_names[k]) for k in list(chosen)[:LISTED])
    return listed + (f" and {len(chosen) - LISTED:,} more" if len(chosen) > LISTED else "")


def connected(fit: FittedScores) -> VoteCheck:
    """Can every item be compared with every other, directly or along others?"""
    graph, items = fit.graph, fit.ballots.items
    missing = fit.ballots.never_compared
    apart = (
        f"; {_items_were(len(missing))} never compared: {names(missing, range(len(missing)))}" if missing else ""
    )
    if graph.count == 1:
        return VoteCheck("connected", not missing, "connected: all items are on one scale" + apart, {"scales": 1})
    sizes = np.bincount(graph.component)
    first = [names(items, np.flatnonzero(graph.component == c)[:2]) for c in range(min(graph.count, 3))]
    words = (
        f"not connected: no vote links {graph.count:,} groups of items (of {_sizes(sizes)}; around "
        f"{'; '.join(first)}). Each group has a scale and ranks of its own: do not compare between groups"
    )
    return VoteCheck("connected", False, words + apart, {"scales": graph.count, "sizes": sizes.tolist()})


def _sizes(sizes: NDArray[np.int64]) -> str:
    listed = ", ".join(f"{size:,}" for size in sizes[:LISTED])
    return listed + (", ..." if len(sizes) > LISTED else "")


def unbeaten(fit: FittedScores) -> VoteCheck:
    """Items (or groups of them) that never lost, or never won: votes alone would put them at infinity."""
    votes = fit.ballots
    wins, losses = _won_and_lost(votes)
    top, bottom = np.flatnonzero(losses == 0), np.flatnonzero(wins == 0)
    details = {"unbeaten": [votes.items[k] for k in top], "winless": [votes.items[k] for k in bottom]}
    if all(fit.graph.strong):
        return VoteCheck("unbeaten", True, "unbeaten: none; every score is finite by the votes alone", details)
    said = [f"never lost: {names(votes.items, top)}"] if len(top) else []
    said += [f"never won: {names(votes.items, bottom)}"] if len(bottom) else []
    said = said or ["a group of items never lost to the others"]
    words = (
        f"unbeaten: {'; '.join(said)}. Votes alone would put such scores at infinity; they are finite because "
        "each item was given one virtual tie with an average one"
    )
    return VoteCheck("unbeaten", False, words, details)


def _won_and_lost(votes: Ballots) -> tuple[Any, Any]:
    n, score, many = len(votes.items), votes.score, votes.weight
    wins = np.bincount(votes.left, score * many, n) + np.bincount(votes.right, (1 - score) * many, n)
    return wins, votes.seen() - wins


def intervals(fit: FittedScores) -> VoteCheck:
    """What the intervals cover, and what nobody can say."""
    votes, other = fit.ballots, LIKE_THESE in fit.intervals
    many = 0 if votes.case is None else int(votes.case.max()) + 1
    of_cases = f"on other cases like these {many:,}" if by_case(votes) else "if they answered once more"
    if fit.shown.name == THESE:
        words = f"intervals: shown for {THESE}, {of_cases}"
    else:
        words = f"intervals: shown for {LIKE_THESE}: the {len(votes.judges):,} who voted count as drawn from many"
    thin = np.flatnonzero(fit.errors.effective[BY_JUDGE] < FEW) if other else np.array([], dtype=int)
    if not other:
        words += f"; {_who_cannot_say(votes)} what judges like these would say"
    if many and not by_case(votes):
        words += f"; fewer than {FEWEST_DRAWN} cases cannot say what holds on others"
    if len(thin):
        words += (
            f"; {_items_were(len(thin))} judged by hardly more than one judge ({names(votes.items, thin)}): such "
            "intervals do not cover other judges"
        )
    details = {"shown": fit.shown.name, "judges": len(votes.judges) if votes.judged else None, "cases": many}
    return VoteCheck("intervals", other and not len(thin) and (not many or by_case(votes)), words, details)


def _who_cannot_say(votes: Ballots) -> str:
    if not votes.judged:
        return "a file that names no judges cannot say"
    return "one judge cannot say" if len(votes.judges) == 1 else "two judges cannot say"


def sides(fit: FittedScores) -> VoteCheck:
    """Does the left side win more often than half?"""
    votes = fit.ballots
    decided = votes.part(votes.outcome != TIED)
    if not votes.sided or not len(decided):
        why = "the votes do not say what was shown where" if not votes.sided else "there is no decided vote"
        return VoteCheck("sides", not votes.sided or bool(len(decided)), f"sides: {why}")
    left = decided.outcome == LEFT_WON
    share, low, high = share_by_judge(decided, left)
    _, lower, upper = share_by_judge(decided, left, outside=FIT_LEVEL)
    fewer = min(decided.votes_where(left), decided.votes_where(~left))
    fair = lower <= 0.5 <= upper or 2 * share_up_to(fewer, decided.total) > FIT_LEVEL
    words = f"sides: left wins {share:.1%} of decided votes (95 %: {low:.1%} to {high:.1%})"
    if not fair:
        allowed = "the model allows for it" if fit.spec.side else "--side on allows for it"
        words += f"; if sides were drawn at random, judges lean to one side ({allowed})"
    return VoteCheck("sides", fair, words, {"left": share, "low": low, "high": high})


def share_by_judge(votes: Ballots, hit: Any, *, outside: float = OUTSIDE) -> tuple[float, float, float]:
    """A share of votes with its interval (95 %), clustered by judge and by case where there are enough of them.

    Votes that all agree show no spread at all; what they exclude is then counted exactly. Judges who happen to be
    alike do not make the error smaller than independent votes would.
    """
    share, off = votes.votes_where(hit) / votes.total, hit - votes.votes_where(hit) / votes.total
    groups = [votes.judge] if by_judge(votes) else []
    groups += [votes.case] if by_case(votes) and votes.case is not None else []
    counts = [votes.total, *(len(np.unique(group)) for group in groups)]
    if share in (0.0, 1.0):
        reach = (outside / 2) ** (1 / min(counts))  # Clopper and Pearson 1934, at the end of the scale
        return share, share * reach, 1 - (1 - share) * reach
    squares = [
        np.sum(off**2 * votes.weight),
        *(_square(np.bincount(group, off * votes.weight)) for group in groups),
    ]
    half = max(
        t_quantile(1 - outside, many - 1) * (float(square) * many / (many - 1)) ** 0.5 / votes.total
        for square, many in zip(squares, counts, strict=True)
        if many > 1
    )
    return share, max(share - half, 0.0), min(share + half, 1.0)


def _square(sums: Any) -> Any:
    return np.sum(sums**2)


def ties(votes: Ballots) -> VoteCheck:
    """How often votes are ties, and how much judges differ in it."""
    many, count = len(votes.judges), votes.per_judge()
    shares = np.bincount(votes.judge, (votes.outcome == TIED) * votes.weight, many) / np.maximum(count, 1)
    overall = votes.ties / votes.total
    details = {"share": overall, "least": float(shares.min()), "most": float(shares.max())}
    if votes.ties == votes.total:
        words = (
            "ties: every vote is a tie, so nothing tells the items apart, or says how far apart they may be; "
            "intervals are as wide as one virtual tie of each item with an average one leaves them"
        )
        return VoteCheck("ties", False, words, details)
    words = f"ties: {overall:.0%} of votes"
    if many > 1 and votes.ties:
        words += f"; by judge from {shares.min():.0%} to {shares.max():.0%} (median {np.median(shares):.0%})"
    return VoteCheck("ties", True, words, details)


def below_chance(fit: FittedScores) -> VoteCheck:
    """Judges who disagree with the others more often than a coin would."""
    votes = fit.ballots
    if len(votes.judges) < 2:
        return VoteCheck(
            "below_chance", True, "judges below chance: there is one judge only, nobody to compare with"
        )
    agree, asked = agreement(fit)
    worse = [
        int(u)
        for u in np.argsort(agree / np.maximum(asked, 1))
        if asked[u] and share_up_to(int(agree[u]), int(asked[u])) * len(votes.judges) < FIT_LEVEL
    ]
    if not worse:
        return VoteCheck("below_chance", True, "judges below chance: none", {"judges": []})
    words = (
        f"judges below chance: {len(worse)} of {len(votes.judges)} ({names(votes.judges, worse)}) agree with the "
        "rest less often than a coin would; were their answers coded the wrong way round?"
    )
    return VoteCheck("below_chance", False, words, {"judges": [votes.judges[u] for u in worse]})


def circles(votes: Ballots) -> VoteCheck:
    """Triangles of items in which the majorities go round."""
    n = len(votes.items)
    if n < 3 or n > CIRCLES_UP_TO:
        why = "it takes three items" if n < 3 else f"not counted above {CIRCLES_UP_TO:,} items"
        return VoteCheck("circles", True, f"circles: {why}")
    lead = (2 * votes.score - 1) * votes.weight
    balance = np.bincount(votes.left * n + votes.right.astype(np.int64), lead, n * n).reshape(n, n)
    beats = ((balance - balance.T) > 0).astype(float)
    either = beats + beats.T
    round_ = float(np.sum((beats @ beats) * beats.T)) / 3
    triangles = float(np.sum((either @ either) * either)) / 6
    centre = np.flatnonzero(votes.seen() == votes.total)
    if len(centre):
        name = shown(votes.items[int(centre[0])])
        words = (
            f"circles: everything was compared with {name} alone; how two others compare is inferred from their "
            f"votes against {name}, and no interval covers that this may be wrong"
        )
        return VoteCheck("circles", False, words, {"star": votes.items[int(centre[0])]})
    if triangles < 1:
        return VoteCheck("circles", True, "circles: no three items were all compared with each other")
    share = round_ / triangles
    words = f"circles: {round_:,.0f} of {triangles:,.0f} triangles of majorities go round"
    words += f" ({share:.0%}; 25 % by chance)"
    return VoteCheck("circles", share < 0.2, words, {"circles": int(round_), "triangles": int(triangles)})


def _items_were(number: int) -> str:
    return "1 item was" if number == 1 else f"{number:,} items were"


def duplicates(votes: Ballots) -> VoteCheck:
    """Rows that are there more than once."""
    if votes.duplicates is None:
        return VoteCheck("duplicates", True, "duplicate rows: not counted in a file of this size", {"rows": None})
    if not votes.duplicates:
        return VoteCheck("duplicates", True, "duplicate rows: none", {"rows": 0})
    words = (
        f"duplicate rows: {votes.duplicates:,} that say the same as another row in every column. They count; "
        "remove what was written twice"
    )
    return VoteCheck("duplicates", False, words, {"rows": votes.duplicates})


def left_out(votes: Ballots) -> VoteCheck:
    """What was not counted."""
    if not votes.left_out:
        return VoteCheck("left_out", True, "left out: nothing; every row was counted")
    return VoteCheck("left_out", False, "; ".join(votes.left_out), {"rows": list(votes.left_out)})


# ----------------------------------------------------------------------------
# Where every item may have every rank: why that is, and what to try
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
    other = "bt" if fitted.model == "hbtl" else "hbtl"
    return f"--compare says whether --model {other} predicts these judges better"
