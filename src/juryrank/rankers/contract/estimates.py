"""A ranker's estimates: the best guess about every item, from all answers it has heard.

What is promised bounds them. Where there is one truth behind the answers, they also are in the order of the
ranker's own list; `opinions` (a panel's, a jury's) are weighed by themselves, and may turn close items round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.tallies import CountTable
from juryrank.defaults import ESTIMATE_LEVEL, ESTIMATE_TOP
from juryrank.quoting import in_sentences
from juryrank.rankers.guess.core.chances import Chances, Promised
from juryrank.rankers.guess.core.estimate import MOST_ITEMS, components, estimate
from juryrank.rankers.guess.core.many import estimate_many
from juryrank.statements.numbers import number_of
from juryrank.types import Estimates, Item, ItemEstimate, Ranking, Source

DIGITS = 4  # more would be noise
NAMED = 4  # items in one sentence
CIRCLE = (
    "The answers go in a circle, and these estimates suppose one order behind them: about the items of the circle "
    "they are surer than they should be."
)
FALLING = ("score", "score_low", "score_high", "best", "top", "beats")  # down the order; ranks rise
OF_PLACES = ("rank", "rank_low", "rank_high", "best", "top")  # what promised ranges bound


class LastEstimates:
    """The estimates beside a ranker's latest result: made once for each state of the answers."""

    state: tuple[Any, ...] = ()
    made: Estimates

    def beside(
        self, ranking: Ranking, table: CountTable, *, items: Sequence[Item], judges: int, opinions: bool
    ) -> Estimates:
        """`items`: in the order of their numbers in the table."""
        state = (
            table.answers,
            judges,
            None if opinions else ranking.order,  # opinions have no list of the ranker's own to follow
            dict(zip(ranking.order, ranking.ranges, strict=False)),
            ranking.details.k,
            goes_round(ranking),
            [no_top(ranking, k) for k in (1, ranking.details.k or ESTIMATE_TOP)],
        )
        if self.state != state:
            numbers = {item: k for k, item in enumerate(items)}
            self.made = estimates_of(ranking, table, numbers=numbers, judges=judges, opinions=opinions)
            self.state = state
        return self.made.along(ranking.order)


def estimates_of(
    ranking: Ranking, table: CountTable, *, numbers: Mapping[Item, int], judges: int, opinions: bool
) -> Estimates:
    """What the answers say about every item of a result.

    `numbers`: the items as the table knows them.
    """
    items = len(ranking.order)
    k = _top(ranking, items)
    if not items:
        return Estimates((), level=ESTIMATE_LEVEL, k=k, note=_note(ranking, table, numbers))
    order = np.array([numbers[item] for item in ranking.order], np.int64)
    proven = None if opinions or any(best < worst for best, worst in ranking.ranges or [(1, items)]) else order
    promised = _promised(ranking, order, own=not opinions) if proven is None else None
    how: dict[str, Any] = {"items": items, "judges": judges, "opinions": opinions, "level": ESTIMATE_LEVEL, "k": k}
    if items > MOST_ITEMS:
        found = estimate_many(table, **how)
    else:
        found = estimate(table, **how, order=proven, promised=promised)
    columns = {name: np.asarray(values)[order] for name, values in found._asdict().items()}
    if not opinions:
        columns = _along(columns, ranking)
    columns = _within(columns, ranking, k)
    seen = np.bincount(np.append(table.low, table.high), minlength=items)[order] > 0
    guesses = tuple(
        ItemEstimate(item=item, known=bool(known), source=source, **_row(columns, place))
        for place, (item, known, source) in enumerate(
            zip(ranking.order, seen, _sources(ranking, seen.tolist()), strict=True)
        )
    )
    given = table.answers - _unasked(ranking)
    return Estimates(guesses, level=ESTIMATE_LEVEL, k=k, answers=given, note=_note(ranking, table, numbers))


def goes_round(ranking: Ranking) -> bool:
    """Do the answers go in a circle, as far as this result can tell?"""
    return bool(ranking.details.cycles or ranking.details.jury.get("circles"))


def no_top(ranking: Ranking, k: int) -> bool:
    """Is it counted or proven that no k items are the top k (no item the best), as the answers go in a circle?"""
    jury = ranking.details.jury
    if jury:
        return bool(jury["none_exists"]) and ranking.details.k == k
    return k in ranking.details.impossible_lines or (k == 1 and _circle_on_top(ranking))


def _circle_on_top(ranking: Ranking) -> bool:
    """Do items go in a circle that stands above all others, and is that counted or proven?"""
    circles, known = ranking.details.circles, ranking.details.circles_are
    if not circles or not ranking.ranges:
        return False
    spans = dict(zip(ranking.order, ranking.ranges, strict=True))
    return known != "estimated" and any(spans[circle[0]] == (1, len(circle)) for circle in circles)


def _top(ranking: Ranking, items: int) -> int:
    """The k that the result is about, else three (of few items: one)."""
    return int(ranking.details.k or (ESTIMATE_TOP if items > ESTIMATE_TOP + 1 else 1))


def _promised(ranking: Ranking, order: np.ndarray, *, own: bool) -> Promised | None:
    """The ranges of ranks that are promised, where anything is."""
    if all(tuple(span) == (1, len(order)) for span in ranking.ranges):
        return None
    best, worst = np.array(ranking.ranges, np.int64).T
    return Promised(order, best, worst, own)


def _along(columns: Mapping[str, np.ndarray], ranking: Ranking) -> dict[str, np.ndarray]:
    """The same numbers along a ranker's own list: it knows more than the model, and their orders may differ.

    Chances of places change hands only among items with the same promise.
    """
    alike: dict[Any, list[int]] = {}
    for place, span in enumerate(ranking.ranges or [(1, 1)] * len(ranking.order)):
        alike.setdefault(tuple(span), []).append(place)
    found = {name: values.copy() for name, values in columns.items()}
    for name, values in found.items():
        for places in alike.values() if name in OF_PLACES else [range(len(values))]:
            rising = np.sort(values[list(places)])
            values[list(places)] = rising[::-1] if name in FALLING else rising
    return found


def _within(columns: dict[str, np.ndarray], ranking: Ranking, k: int) -> dict[str, np.ndarray]:
    """No estimate leaves the range of ranks that is promised, not even in a circle (no order keeps it).

    Where it is known that there is no best, or no top k, nobody has a chance of being that.
    """
    for name, places in (("best", 1), ("top", k)):
        if no_top(ranking, places):
            columns = {**columns, name: np.zeros_like(columns[name])}
    if not ranking.ranges:
        return columns
    best, worst = np.array(ranking.ranges).T
    bounded = {name: np.clip(columns[name], best, worst) for name in ("rank", "rank_low", "rank_high")}
    for name, places in (("best", 1), ("top", k)):
        bounded[name] = np.where(worst <= places, 1.0, np.where(best > places, 0.0, columns[name]))
    return {**columns, **bounded}


def _row(columns: Mapping[str, np.ndarray], place: int) -> dict[str, Any]:
    return {
        name: int(columns[name][place])
        if name in ("rank_low", "rank_high")
        else round(float(columns[name][place]), DIGITS)
        for name in Chances._fields
    }


def _sources(ranking: Ranking, seen: list[bool]) -> list[Source]:
    """A list being made has its own places; items it has not placed stand by their insertion's weights."""
    if ranking.details.placed is None:
        return [Source.MODEL] * len(seen)
    waiting = set(ranking.details.unplaced)
    return [
        Source.LIST if item not in waiting else Source.INSERTION if known else Source.MODEL
        for item, known in zip(ranking.order, seen, strict=True)
    ]


def _unasked(ranking: Ranking) -> int:
    """Answers of nobody: ties of outputs that are the same."""
    return int(ranking.details.jury.get("identical", 0))


def _note(ranking: Ranking, table: CountTable, numbers: Mapping[Item, int]) -> str:
    items, same = len(ranking.order), _unasked(ranking)
    if not table.answers:
        return "No answers yet: every order is as likely as any other."
    given = table.answers - same
    ties = f" and {number_of(same, 'tie')} that needed no call" if same else ""
    said = f"Estimates from {number_of(given, 'answer')}{ties}; they promise nothing."
    ends = np.unique(np.append(table.low, table.high))
    seen, groups = set(ends.tolist()), len(np.unique(components(table, items=items)[ends]))
    if groups > 1:
        said += (
            f" The answers leave {groups} groups of items that nobody compared with each other: between groups "
            "the order is hardly more than a guess."
        )
    if goes_round(ranking):
        said += " " + CIRCLE
    return said + _unseen_words([item for item in ranking.order if numbers[item] not in seen])


def _unseen_words(unseen: Sequence[Item]) -> str:
    """Items without any answer: their place is open, whatever the others' places are."""
    if not unseen:
        return ""
    who = in_sentences(unseen) if len(unseen) <= NAMED else f"{len(unseen):,} items"
    place = "its place is" if len(unseen) == 1 else "their places are"
    return f" No answer tells anything about {who} yet: {place} open."


# ----------------------------------------------------------------------------
# An order of all items while a list is still being made: newcomers stand where their answers put them so far.
def whole_order(placed: Sequence[int], flights: Mapping[int, float], arrivals: Sequence[int]) -> list[int]:
    """All of `arrivals`, best first: placed items by position, newcomers by their mean gap, others in the middle.

    Gap g of the list stands just before position g, the last one at its end. Ties go by arrival. An item that
    nobody was asked about is as likely anywhere, so no place is better than the middle.

    >>> whole_order([4, 2], {7: 1.9}, [4, 2, 7, 9])
    [4, 9, 2, 7]
    """
    key = dict.fromkeys(arrivals, (len(placed) - 1) / 2)
    key |= {item: gap - 0.5 for item, gap in flights.items()}
    key |= {item: float(position) for position, item in enumerate(placed)}
    return sorted(arrivals, key=key.__getitem__)


def mean_gap(ends: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    """Where a newcomer is expected, by intervals of gaps: each one's last gap, and the weight of each gap in it.

    >>> mean_gap(np.array([0, 1, 2]), np.array([1.0, 0.0, 1.0])), mean_gap(np.array([9]), np.array([0.2]))
    (1.0, 4.5)
    """
    firsts = np.append(0, ends[:-1] + 1)
    mass = weights * (ends - firsts + 1)
    return float(mass @ (firsts + ends) / 2 / mass.sum())
