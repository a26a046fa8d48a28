"""Do the parts of a result agree: the order shown, ranges, lines, groups, tops, circles?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from juryrank.types import Item, Ranking


def contradictions(ranking: Ranking) -> list[str]:
    """What a reader would stumble over, in words; empty: nothing."""
    return [*_places(ranking), *_lines(ranking), *_tops(ranking), *_circles(ranking), *_ties(ranking)]


def _ranges(ranking: Ranking) -> dict[Item, tuple[int, int]]:
    return dict(zip(ranking.order, ranking.ranges, strict=True))


def _places(ranking: Ranking) -> Iterator[str]:
    for place, (item, (best, worst)) in enumerate(_ranges(ranking).items(), 1):
        if not best <= place <= worst:
            yield f"{item} stands at place {place}, and can only have ranks {best} to {worst}"


def _lines(ranking: Ranking) -> Iterator[str]:
    lines = ranking.details.lines
    if lines is None:
        return
    for line in lines:
        if any(worst > line for _, worst in ranking.ranges[:line]) or any(
            best <= line for best, _ in ranking.ranges[line:]
        ):
            yield f"ranges cross the line after rank {line}"
    cuts = [0, *lines, len(ranking.order)]
    groups = [list(ranking.order[top:bottom]) for top, bottom in pairwise(cuts) if bottom > top]
    if groups != ranking.details.groups:
        yield f"the groups {ranking.details.groups} are not those of the lines, {groups}"


def _tops(ranking: Ranking) -> Iterator[str]:
    spans = _ranges(ranking)
    for k, said in ranking.details.top.items():
        inside = [item for item in ranking.order if spans[item][1] <= int(k)]
        out = [item for item in ranking.order if spans[item][0] > int(k)]
        if said["in"] != inside or said["out"] != out:
            yield f"the top {k} is not that of the ranges: {said}"
        if not len(inside) <= int(k) <= len(inside) + len(said["open"]):
            yield f"the top {k} names {len(inside)} and leaves {len(said['open'])} open"
        if len(inside) == int(k) and said["open"]:
            yield f"the top {k} is full, and {said['open']} may still be in it"


def _circles(ranking: Ranking) -> Iterator[str]:
    spans = _ranges(ranking)
    jury = ranking.details.jury
    for circle in jury.get("circles") or ranking.details.circles:
        places = sorted(ranking.order.index(item) for item in circle)
        if jury is None and places != list(range(places[0], places[-1] + 1)):
            yield f"the circle {circle} does not stand together: {ranking.order}"
        if len({spans[item] for item in circle}) > 1:
            yield f"the items of the circle {circle} have different ranges"


def _ties(ranking: Ranking) -> Iterator[str]:
    spans = _ranges(ranking)
    for group in ranking.details.tied:
        for above, below in pairwise(group):
            if spans[above][1] < spans[below][0]:
                yield f"{above} and {below} are bound by exact ties, and a line runs between them"
        if ranking.certified or (ranking.proven and ranking.details.objective in ("order", "tiers")):
            yield f"an order is called settled, with exact ties among {group}"
