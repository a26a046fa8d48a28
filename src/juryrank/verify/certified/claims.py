"""What may be claimed of attempts, and which ranks each item can still have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Sequence

from juryrank.verify.certified.recount import Recount
from juryrank.verify.room import Room

Pair = tuple[str, str]


def claimed_links(count: Recount, *, weak: Container[int] = ()) -> list[Pair]:
    """The links before the first unproven one, in the order fixed with the list; weak ones are left out."""
    claims = []
    for k in count.attempt.surest:
        if not count.proven(k):
            break
        if k not in weak:
            claims.append(count.attempt.pairs[k])
    return claims


def rank_ranges(items: Sequence[str], claims: Iterable[Pair], room: Room) -> dict[str, tuple[int, int]]:
    """The best and the worst possible rank of each item, from all chains of claims.

    >>> rank_ranges(["a", "b", "c"], [("a", "b")], Room())
    {'a': (1, 2), 'b': (2, 3), 'c': (1, 3)}
    """
    claims = set(claims)
    below = _counts(items, claims, room)
    above = _counts(items, {(worse, better) for better, worse in claims}, room)
    return {item: (1 + above[item], len(items) - below[item]) for item in items}


def contradictory(claims: Iterable[Pair]) -> bool:
    """Do the claims go round in a circle?

    >>> contradictory([("a", "b"), ("b", "c")]), contradictory([("a", "b"), ("b", "a")])
    (False, True)
    """
    ends = _ends(claims)
    below = defaultdict(int, {item: 0 for nexts in ends.values() for item in nexts})
    for nexts in ends.values():
        for item in nexts:
            below[item] += 1
    free = [item for item in ends if not below[item]]
    left = sum(below.values())
    while free:
        for item in ends.get(free.pop(), ()):
            below[item] -= 1
            left -= 1
            if not below[item]:
                free.append(item)
    return left > 0


def _ends(steps: Iterable[Pair]) -> dict[str, list[str]]:
    ends: defaultdict[str, list[str]] = defaultdict(list)
    for start, end in set(steps):
        ends[start].append(end)
    return ends


def _counts(items: Sequence[str], steps: Collection[Pair], room: Room) -> dict[str, int]:
    """To how many other items chains of steps lead from each."""
    ends = _ends(steps)
    if all(len(nexts) == 1 for nexts in ends.values()):
        return _along_chains(items, {start: nexts[0] for start, nexts in ends.items()})
    return {item: len(_reached(item, ends, room)) for item in items}


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


def _reached(start: str, ends: dict[str, list[str]], room: Room) -> set[str]:
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for end in ends.get(waiting.pop(), ()):
            if end not in found:
                found.add(end)
                waiting.append(end)
    room.take(3 * len(found), "the ranks that chains of claims leave open")
    return found - {start}
