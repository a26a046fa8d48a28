"""A panel's result: from counted answers to ranges, lines, open pairs, and the words that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.levels import Objective
from juryrank.rankers.panel import wording
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.tournament import groups, impossible_lines
from juryrank.rankers.panel.open_pairs import open_pairs
from juryrank.rankers.panel.state import PanelState
from juryrank.rankers.panel.status import judge_reports, whole_forecast
from juryrank.rankers.panel.view import PanelView
from juryrank.statements.details import CountedDetails, Details, MajorityDetails
from juryrank.statements.promises import CountedPromise, PeoplePromise, Promise
from juryrank.types import Estimates, Item, Link, Ranking

if TYPE_CHECKING:
    from juryrank.rankers.panel.large.result import LargeView

FORECAST_ITEMS = 60  # with more items, a forecast is made only when asked for: panel.forecast()


def outline(panel: PanelState, view: PanelView | LargeView) -> Ranking:
    """What estimates must know of a result: its order, what is promised, the k that it is about, circles."""
    order, details = tuple(panel.items[i] for i in view.order), Details(k=panel.options.k, cycles=view.cycles)
    return Ranking(order, False, panel.error, 0, "", ranges=tuple(_sorted(view)), details=details)


def by_rank(panel: PanelState, found: Estimates) -> Floats:
    """A guess for each item (higher is better): its place by expected rank."""
    guess = np.zeros(len(panel.items))
    for place, one in enumerate(sorted(found.items, key=lambda one: (one.rank, -one.score))):
        guess[panel.roster.item(one.item)] = -place
    return guess


def build_ranking(panel: PanelState, view: PanelView, *, ranker: str) -> Ranking:
    """The whole result of a panel."""
    placed = all(best == worst == place for place, (best, worst) in enumerate(_sorted(view), 1))
    return ranking_of(
        panel,
        view,
        ranker=ranker,
        certified=placed and len(panel.items) > 1 and (panel.options.about == "panel" or panel.finished()),
        proven=objective_met(panel, view),
        links=tuple(_link(panel, view, a, b) for a, b in pairwise(view.order)),
        promised=promise(panel, view),
        details=_details(panel, view),
    )


def ranking_of(
    panel: PanelState,
    view: PanelView | LargeView,
    *,
    ranker: str,
    certified: bool,
    proven: bool,
    links: tuple[Link, ...],
    promised: Promise,
    details: MajorityDetails,
) -> Ranking:
    """The result, however it was counted."""
    return Ranking(
        order=tuple(panel.items[i] for i in view.order),
        certified=certified,
        error=panel.error,
        questions=sum(panel.roster.asked),
        ranker=ranker,
        links=links,
        judges=judge_reports(panel),
        ranges=tuple(_sorted(view)),
        statement=promised.words,
        warnings=wording.warnings(panel, view),
        details=details,
        proven=proven,
    )


def objective_met(panel: PanelState, view: PanelView) -> bool:
    """Is what was asked for settled, with its promise? (A circle that ends the asking meets no objective, and
    neither do judges of whom none answered.)"""
    wanted = panel.counted.wanted_lines()
    if panel.counted.objective is Objective.ORDER and len(view.order) > 1:
        return all(span == (place, place) for place, span in enumerate(_sorted(view), 1))
    if wanted:
        return wanted <= set(view.lines)
    return panel.finished() and not (isinstance(panel.counted, FixedJudges) and panel.counted.unanswered.any())


def anything_promised(panel: PanelState, view: PanelView) -> bool:
    """Is any pair settled? Of a fixed list of judges also ties, and pairs of a circle."""
    told = panel.counted.not_below if isinstance(panel.counted, FixedJudges) else view.settled
    return bool(told.any()) or objective_met(panel, view)


def promise(panel: PanelState, view: PanelView) -> Promise:
    """What is claimed, and of whom."""
    counted, level = panel.counted, None
    if isinstance(counted, FixedJudges) and not counted.settled.any() and counted.items >= 2:
        level = (int(np.triu(counted.tied, 1).sum()), len(counted.pairs[0]))
    return promise_of(panel, promised=anything_promised(panel, view), level=level)


def promise_of(panel: PanelState, *, promised: bool, level: tuple[int, int] | None) -> Promise:
    """The promise of a panel. `level`: of exactly these judges, the pairs that tie where none is settled."""
    options = panel.options
    goal = wording.objective_name(options.objective, options.k)
    if options.about == "panel":
        judges = len(panel.judge_names)
        return CountedPromise(error=panel.error, goal=goal, judges=judges, promised=promised, level=level)
    return PeoplePromise(
        error=panel.error,
        goal=goal,
        scores=options.relation == "field-share",
        promised=promised,
        own=any(sitting.own for sitting in panel.book.sittings),
    )


def _sorted(view: PanelView | LargeView) -> list[tuple[int, int]]:
    return [view.ranges[i] for i in view.order]


def _link(panel: PanelState, view: PanelView, better: int, worse: int) -> Link:
    counted = panel.counted
    evidence = None
    if isinstance(counted, HeadToHead | FieldShare):
        evidence = float(np.exp(min(float(counted.peak_evidence[better, worse]), 700.0)))  # what settled it
    return Link(
        panel.items[better],
        panel.items[worse],
        settled=bool(view.settled[better, worse]),
        evidence=evidence,
        level=counted.level or None,
        answers_for=int(counted.wins[better, worse]),
        answers_against=int(counted.wins[worse, better]),
    )


def _details(panel: PanelState, view: PanelView) -> MajorityDetails:
    counted, n = panel.counted, len(panel.items)
    found = shared_details(
        panel,
        view,
        top=range(1, n),
        settled=[(i, j) for i in view.order for j in view.order if view.settled[i, j]],
        tally=lambda i, j: (int(counted.wins[i, j]), int(counted.wins[j, i])),
        answers=int(counted.wins.sum()),
    )
    found |= {
        "open_pairs": open_pairs(panel, view),
        "forecast": whole_forecast(panel) if n <= FORECAST_ITEMS else {},
    }
    if isinstance(counted, FixedJudges):
        return CountedDetails(**found, **_by_count(counted, view, panel.items))
    return MajorityDetails(**found)


def shared_details(
    panel: PanelState,
    view: PanelView | LargeView,
    *,
    top: Iterable[int],
    settled: Sequence[tuple[int, int]],
    tally: Callable[[int, int], tuple[int, int]],
    answers: int,
) -> dict[str, Any]:
    """What is said of any panel. `top`: the k's of which the members are listed; `settled`: what is promised."""
    names, n = panel.items, len(panel.items)
    return {
        "objective": wording.objective_name(panel.options.objective, panel.options.k),
        "about": panel.options.about,
        "relation": panel.options.relation,
        "k": panel.options.k,
        "groups": [[names[i] for i in group] for group in groups(view.order, view.lines) if group],
        "lines": view.lines,
        "top": {k: _top(view, names, k) for k in top},
        "settled_count": len(settled),
        "pairs_count": n * (n - 1) // 2,
        "settled_pairs": [[names[i], names[j], *tally(i, j)] for i, j in settled],
        "cycles": [[names[i] for i in cycle] for cycle in view.cycles],
        "circles": [[names[i] for i in view.order if i in circle] for circle in map(set, view.knots)],
        "circles_are": circles_are(panel),
        "people": panel.people,
        "answers": answers,
        "ties": panel.ties,
        "skips": panel.skips,
        "level": panel.count.level,
        "withdrawn": [names[i] for i in sorted(panel.withdrawn)] if panel.withdrawn else (),
    }


def circles_are(panel: PanelState) -> str:
    """How circles are known: by count, by proof, or only as the answers look."""
    if panel.options.about == "panel":
        return "counted"
    pairs = panel.options.objective is Objective.RANGES and panel.options.relation == "head-to-head"
    return "proven" if pairs else "estimated"


def _by_count(counted: FixedJudges, view: PanelView, names: list[Item]) -> dict[str, Any]:
    """What is counted besides: pairs, exact ties, and lines that circles and ties leave no place for."""
    return {
        "counted_count": int(counted.settled.sum()),
        "tied_count": int(np.triu(counted.tied, 1).sum()),
        "tied": [[names[i] for i in view.order if i in group] for group in map(set, view.ties)],
        "impossible_lines": sorted(impossible_lines(counted.not_below)),
        "finished": counted.finished(),
    }


def _top(view: PanelView | LargeView, names: Sequence[Item], k: int) -> dict[str, list[Item]]:
    """Who is in the top k, who is out, who is open, read off the ranges."""
    spans = [(i, view.ranges[i]) for i in view.order]
    inside = [names[i] for i, (_, worst) in spans if worst <= k]
    # where no place is left, nobody is open, although only a circle could say so of each
    undecided = [] if len(inside) == k else [names[i] for i, (best, worst) in spans if best <= k < worst]
    return {"in": inside, "out": [names[i] for i, (best, _) in spans if best > k], "open": undecided}
