"""What a result says about the best item or the set of the k best."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from juryrank.core.certified import phases
from juryrank.core.certified import state as st
from juryrank.core.certified.objectives.links import ELIMINATION
from juryrank.core.levels import elimination_level, level_of
from juryrank.types import Link

if TYPE_CHECKING:
    from juryrank.rankers.certified.ranker import Certified

MOST_NAMED = 8  # items named in a sentence, at most
LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one


def what_is_proven(ranker: Certified, order: list[int]) -> str:
    """The claim of a proven objective, in words."""
    if ranker.aim.k is None:
        return "this is the whole true order"
    if ranker.aim.k == 1:
        return f"{ranker.items[order[0]]} is the best item"
    k = ranker.aim.k
    names = ", ".join(str(ranker.items[x]) for x in order[: min(k, MOST_NAMED)])
    more = f" and the next {k - MOST_NAMED} of the list" if k > MOST_NAMED else ""
    return f"the {k} best items are {names}{more}"


def candidates(ranker: Certified) -> list[int]:
    """Items that may still be the best, the champion first."""
    s = ranker._machine
    return [int(x) for x in s.order[: s.cursor.items] if not s.proof.link[x, st.IS_PROVEN]]


def still_possible(ranker: Certified, share: str) -> str:
    """What elimination has shown before it is done."""
    left, out = len(candidates(ranker)), int(ranker._machine.cursor.proven)
    return (
        f"Not proven yet. With probability at least {share} the best item is one of {left}: {out} of "
        f"{len(ranker.items)} items are ruled out"
    )


def aim_details(ranker: Certified) -> dict[str, Any]:
    """For the result's `details`; nothing where the whole order is wanted."""
    if ranker.aim.k is None:
        return {}
    found: dict[str, Any] = {"objective": ranker.aim.words, "k": ranker.aim.k}
    if ranker.aim.kind == ELIMINATION:
        p = ranker._machine.proof
        ruled_out = np.flatnonzero(p.link[: len(ranker.items), st.IS_PROVEN])
        found["eliminated"] = [ranker.items[x] for x in ruled_out]
    return found


def claim_level(ranker: Certified, attempt: int) -> float:
    """The level at which something was claimed."""
    if ranker.aim.kind == ELIMINATION:
        return elimination_level(ranker.error, attempt, ranker.joining)
    return level_of(ranker.error, attempt)


def accused_links(ranker: Certified, *, settled: bool) -> tuple[Link, ...]:
    """The candidate over every other item, with the evidence that the other is not the best.

    None is settled before all are: until then an item that is ruled out may have lost to somebody else.
    """
    s, items = ranker._machine, ranker.items
    level, first = claim_level(ranker, int(s.cursor.attempt)), items[int(s.order[0])]
    found = []
    for x in s.order[1 : s.cursor.placed].tolist():
        evidence = math.exp(min(float(s.proof.worth[x, st.BEST]), LARGEST_LOG))
        lost, won = int(s.proof.link[x, st.LOSSES]), int(s.proof.link[x, st.WINS])
        found.append(Link(first, items[x], settled, evidence, level, lost, won, {}))
    return tuple(found)


def elimination_ranges(ranker: Certified, order: list[int], *, proven: bool) -> list[tuple[int, int]]:
    """Whoever is ruled out is second at best; the last one left is first."""
    s, total = ranker._machine, len(ranker.items)
    done = proven and s.cursor.phase == phases.CERTIFIED
    weak = ranker._cross.weak
    ranges = []
    for x in order:
        out = bool(s.proof.link[x, st.IS_PROVEN]) and x not in weak
        ranges.append((2, total) if out else (1, 1) if done and x == s.order[0] else (1, total))
    return ranges
