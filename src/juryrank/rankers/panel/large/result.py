"""The result of a panel with many items: the same claims as of a few, from a graph instead of tables."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.core.levels import Objective
from juryrank.core.relation import Ints, Relation, arranged, lines_of, reach_of
from juryrank.defaults import FRONT_PLACES
from juryrank.rankers.panel.core.bradley_terry import Floats
from juryrank.rankers.panel.core.tournament import ranges_from_lines
from juryrank.rankers.panel.large.ballot import LargeBallot, Pair, sorted_pair
from juryrank.rankers.panel.large.judges import LargeJudges
from juryrank.rankers.panel.result import promise_of, ranking_of, shared_details
from juryrank.rankers.panel.state import PanelState
from juryrank.statements.details import CountedDetails, MajorityDetails
from juryrank.types import Link, Ranking

OPEN_LISTED = 200  # open pairs in a result: neighbours, and nobody reads more


@dataclass(frozen=True, slots=True)
class LargeView:
    """Everything that is known, by item number."""

    order: list[int]
    ranges: list[tuple[int, int]]
    lines: list[int]
    promised: list[Pair]  # settled pairs that the statement covers
    knots: list[list[int]]  # items that go in a circle
    cycles: list[list[int]]  # of each knot one shortest circle
    blocked: set[int]  # sizes of top groups that a circle leaves no line for
    impossible: set[int]  # the same for circles and ties

    @classmethod
    def of(cls, count: LargeBallot | LargeJudges, guess: Floats) -> LargeView:
        items, settled = count.items, count.settled
        jury = count if isinstance(count, LargeJudges) else None
        over = jury.not_below() if jury else settled
        order = arranged(over, guess, inside=lambda block: _inside(settled, block))
        blocks = [block for block in over.blocks() if len(block) > 1]
        knots = [block for block in settled.blocks() if len(block) > 1]
        in_order = count.objective is Objective.ORDER
        below, above = reach_of(over, over.blocks(), items) if in_order else settled.degrees(items)
        lines = lines_of(below, above, order)
        if count.objective is Objective.TOP:
            lines = [line for line in lines if line == count.k]
        if count.objective in (Objective.TIERS, Objective.TOP):
            ranges = ranges_from_lines(order, lines)
        else:
            ranges = _spans(settled, [] if in_order else knots, below, above)
        promised = _promised(count, order, lines, blocks)
        blocked = _no_lines(settled, knots, items)
        impossible = _no_lines(over, blocks, items) if jury else blocked
        cycles = [shortest_way_round(settled, knot) for knot in knots]
        return cls(order, ranges, lines, promised, knots, cycles, blocked, impossible)


def _no_lines(over: Relation, circles: list[list[int]], items: int) -> set[int]:
    """Sizes of top groups for which there is no line: any would cut a circle."""
    if not circles:
        return set()
    reach = reach_of(over, over.blocks(), items)
    blocked: set[int] = set()
    for circle in circles:  # above a line with all that is above it, or below one with all that is below it
        above, below = int(reach.above[circle[0]]), int(reach.below[circle[0]])
        blocked.update(range(items - below - len(circle) + 1, above + len(circle)))
    return blocked


def _inside(settled: Relation, block: list[int]) -> list[int]:
    """The order within a circle or a tie: nobody before those settled over them, else by how many they lead."""
    members = set(block)
    inner = Relation((i, j) for i in block for j in settled.below.get(i, ()) if j in members)
    lead = np.array([len(inner.below.get(i, ())) - len(inner.above.get(i, ())) for i in block], dtype=float)
    number = {item: place for place, item in enumerate(block)}
    within = Relation((number[i], number[j]) for i, j in inner)
    order = arranged(within, lead, inside=lambda some: sorted(some, key=lambda at: (-lead[at], at)))
    return [block[at] for at in order]


def _spans(settled: Relation, knots: list[list[int]], below: Ints, above: Ints) -> list[tuple[int, int]]:
    """Best and worst possible rank of each item; those of a circle share theirs."""
    below, above = below.copy(), above.copy()
    for knot in knots:
        members = set(knot)
        over = [above[i] - len(settled.above.get(i, set()) & members) for i in knot]
        under = [below[i] - len(settled.below.get(i, set()) & members) for i in knot]
        above[knot], below[knot] = min(over), min(under)
    return [(1 + int(a), len(above) - int(b)) for a, b in zip(above, below, strict=True)]


def _promised(
    count: LargeBallot | LargeJudges, order: list[int], lines: list[int], blocks: list[list[int]]
) -> list[Pair]:
    """The settled pairs that the statement covers, along the order."""
    place = {item: at for at, item in enumerate(order)}
    if count.objective in (Objective.TIERS, Objective.TOP):
        drawn = np.searchsorted(lines, np.arange(len(order)), side="right")  # lines above each place
        found = [(i, j) for i, j in count.settled if drawn[place[i]] < drawn[place[j]]]
    elif count.objective is Objective.ORDER:
        block_of = {item: k for k, block in enumerate(blocks) for item in block}
        found = [(i, j) for i, j in count.settled if block_of.get(i, -1) != block_of.get(j, -2)]
    else:
        found = list(count.settled)
    return sorted(found, key=lambda pair: (place[pair[0]], place[pair[1]]))


def shortest_way_round(settled: Relation, members: list[int]) -> list[int]:
    """One shortest circle: each over the next, the last over the first."""
    best: list[int] = []
    inside = set(members)
    for start in members:
        came_from = {start: start}
        front = [start]
        path: list[int] = []
        while front and not path:
            following = []
            for here in front:
                for there in sorted(settled.below.get(here, set()) & inside):
                    if there == start:
                        path = [here]
                        break
                    if there not in came_from:
                        came_from[there] = here
                        following.append(there)
                if path:
                    break
            front = following
        while path and path[-1] != start:
            path.append(came_from[path[-1]])
        if path and (not best or len(path) < len(best)):
            best = path[::-1]
    return best


# ----------------------------------------------------------------------------
# The ranking
def build_large(panel: PanelState, view: LargeView, *, ranker: str) -> Ranking:
    """The whole result."""
    count = panel.large
    assert isinstance(count, LargeBallot | LargeJudges)
    spans = [view.ranges[i] for i in view.order]
    points = all(span == (place, place) for place, span in enumerate(spans, 1))
    wanted = count.wanted_lines()
    if count.objective is Objective.ORDER:
        met = points
    elif wanted:
        met = wanted <= set(view.lines)
    else:
        met = panel.finished() and not (isinstance(count, LargeJudges) and count.unanswered())
    counted = isinstance(count, LargeJudges)
    told = bool(count.settled) or (counted and bool(count.tied())) if counted else bool(view.promised)  # type: ignore[union-attr]
    settled = set(view.promised)
    return ranking_of(
        panel,
        view,
        ranker=ranker,
        certified=points and (counted or panel.finished()),
        proven=met,
        links=tuple(_link(panel, count, settled, a, b) for a, b in itertools.pairwise(view.order)),
        promised=promise_of(panel, promised=told or met, level=_level(count)),
        details=_details(panel, count, view),
    )


def _level(count: LargeBallot | LargeJudges) -> tuple[int, int] | None:
    if isinstance(count, LargeBallot) or len(count.settled):
        return None
    return len(count.tied()), count.items * (count.items - 1) // 2


def _link(
    panel: PanelState, count: LargeBallot | LargeJudges, settled: set[Pair], better: int, worse: int
) -> Link:
    evidence = None
    if isinstance(count, LargeBallot):
        evidence = float(np.exp(min(count.peak_evidence(better, worse), 700.0)))
    ahead, against = count.tally(better, worse)
    return Link(
        panel.items[better],
        panel.items[worse],
        settled=(better, worse) in settled,
        evidence=evidence,
        level=count.level or None,
        answers_for=ahead,
        answers_against=against,
    )


def _details(panel: PanelState, count: LargeBallot | LargeJudges, view: LargeView) -> MajorityDetails:
    names = panel.items
    found = shared_details(
        panel,
        view,
        top=sorted({1, FRONT_PLACES, *([count.k] if count.k else [])}),
        settled=view.promised,
        tally=count.tally,
        answers=sum(count.wins.values()),
    )
    found |= {"open_pairs": _open(panel, count, view), "forecast": {}}
    if not isinstance(count, LargeJudges):
        return MajorityDetails(**found)
    ties = [block for block in _tie_blocks(count) if len(block) > 1]
    return CountedDetails(
        **found,
        counted_count=len(count.settled),
        tied_count=len(count.tied()),
        tied=[[names[i] for i in view.order if i in group] for group in map(set, ties)],
        impossible_lines=sorted(view.impossible),
        finished=count.finished(),
    )


def _tie_blocks(count: LargeJudges) -> list[list[int]]:
    return Relation(pair for i, j in count.tied() for pair in ((i, j), (j, i))).blocks()


def _open(panel: PanelState, count: LargeBallot | LargeJudges, view: LargeView) -> list[dict[str, Any]]:
    """The first neighbours of the order without a verdict."""
    rows = []
    for a, b in itertools.pairwise(view.order):
        if (a, b) in count.settled or (b, a) in count.settled:
            continue
        ahead, against = count.tally(a, b)
        row = {"first": panel.items[a], "second": panel.items[b], "first_preferred": ahead}
        said = count.said.get(sorted_pair(a, b), (0,))[0] if isinstance(count, LargeJudges) else ahead + against
        rows.append({**row, "answers": said, "people_needed": None, "note": "too few answers yet"})
        if len(rows) == OPEN_LISTED:
            break
    return rows
