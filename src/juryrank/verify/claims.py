"""What may be claimed of an attempt, and which ranks each item can still have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from juryrank.verify.attempts import Attempt
from juryrank.verify.recount import LinkCount

ROUNDING = 1e-9  # of log evidence: sums in another order differ by this much at most


def proven(attempt: Attempt, link: LinkCount, *, slack: float = ROUNDING) -> bool:
    """Has the link's evidence once reached 1/δ_m?"""
    return link.most >= attempt.needed - slack


def claimed_links(attempt: Attempt, links: Sequence[LinkCount]) -> list[tuple[str, str]]:
    """The links before the first unproven one, in the order fixed when the attempt began."""
    claims = []
    for k in attempt.surest:
        if not proven(attempt, links[k]):
            break
        claims.append((attempt.order[k], attempt.order[k + 1]))
    return claims


def rank_ranges(order: Sequence[str], claims: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
    """The best and the worst possible rank of each item of `order`, from all chains of claims.

    >>> rank_ranges(["a", "b", "c"], [("a", "b")])
    [(1, 2), (2, 3), (1, 3)]
    """
    claims = list(claims)
    below = _reached(order, claims)
    above = _reached(order, [(worse, better) for better, worse in claims])
    return [(1 + above[item].bit_count(), len(order) - below[item].bit_count()) for item in order]


def _reached(order: Sequence[str], steps: Iterable[tuple[str, str]]) -> dict[str, int]:
    """For each item the set (as bits) of items that chains of steps lead to."""
    bit = {item: 1 << k for k, item in enumerate(order)}
    nexts: defaultdict[str, list[str]] = defaultdict(list)
    for start, end in steps:
        nexts[start].append(end)
    reached: dict[str, int] = {}
    for item in order:  # depth first without recursion: chains may be as long as the order
        stack = [item]
        while stack:
            here = stack[-1]
            waiting = [end for end in nexts[here] if end not in reached]
            if waiting and here not in reached:
                if any(end in stack for end in waiting):
                    raise ValueError(f"the claims go round in a circle at {here}")
                stack.extend(waiting[:1])
                continue
            stack.pop()
            if here not in reached:
                found = 0
                for end in nexts[here]:
                    found |= bit[end] | reached[end]
                reached[here] = found
    return reached
