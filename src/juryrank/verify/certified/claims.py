"""What may be claimed of an attempt, and which ranks each item can still have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from juryrank.verify.certified.attempts import Attempt
from juryrank.verify.certified.recount import LinkCount

ROUNDING = 1e-9  # of log evidence: sums in another order differ by less


def proven(attempt: Attempt, link: LinkCount) -> bool:
    """Has the link's evidence once reached 1/δ_m?"""
    return link.most >= attempt.needed - ROUNDING


def claimed_links(attempt: Attempt, links: Sequence[LinkCount]) -> list[tuple[str, str]]:
    """The links before the first unproven one, in the order fixed when the attempt began."""
    claims = []
    for k in attempt.surest:
        if not proven(attempt, links[k]):
            break
        claims.append((attempt.order[k], attempt.order[k + 1]))
    return claims


def rank_ranges(items: Sequence[str], claims: Iterable[tuple[str, str]]) -> dict[str, tuple[int, int]]:
    """The best and the worst possible rank of each item, from all chains of claims.

    >>> rank_ranges(["a", "b", "c"], [("a", "b")])
    {'a': (1, 2), 'b': (2, 3), 'c': (1, 3)}
    """
    claims = set(claims)
    below = _counts(items, claims)
    above = _counts(items, {(worse, better) for better, worse in claims})
    return {item: (1 + above[item], len(items) - below[item]) for item in items}


def _counts(items: Sequence[str], steps: set[tuple[str, str]]) -> dict[str, int]:
    """To how many other items chains of steps lead from each."""
    ends: defaultdict[str, list[str]] = defaultdict(list)
    for start, end in steps:
        ends[start].append(end)
    if all(len(nexts) == 1 for nexts in ends.values()):
        return _along_chains(items, {start: nexts[0] for start, nexts in ends.items()})
    return {item: len(_reached(item, ends)) for item in items}


def _along_chains(items: Sequence[str], end: dict[str, str]) -> dict[str, int]:
    """The usual case, one attempt: every item has one step at most, so a chain's length says it all."""
    count: dict[str, int] = {}
    for item in items:
        trail = [item]
        while trail[-1] in end and trail[-1] not in count and len(trail) <= len(items):
            trail.append(end[trail[-1]])
        steps = count.get(trail[-1], 0)
        for here in reversed(trail[:-1]):
            steps += 1
            count[here] = min(steps, len(items) - 1)
        count.setdefault(item, 0)
    return count


def _reached(start: str, ends: dict[str, list[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for end in ends.get(waiting.pop(), ()):
            if end not in found:
                found.add(end)
                waiting.append(end)
    return found - {start}
