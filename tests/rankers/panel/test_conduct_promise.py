"""The promise where people go on, own items, idle, leave, dawdle and come back; and where the docs say it fails.

`python -m tests.rankers.panel.test_conduct_promise` [RUNS [WORD]] prints how often each cell (whose name has that
word) was wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from juryrank.simulation.sweep import HERE, Where, open_results, sweep
from tests.quick import quick
from tests.rankers.panel.conduct import (
    ALL_WORLDS,
    ALLOWED,
    AND_BACK,
    EVERYTHING,
    ITEMS,
    NOT_ALLOWED,
    Conduct,
    ever_false,
)
from tests.rankers.panel.promise import OPTIONS, fitting, label
from tests.statistics import surely_above

ERROR, RUNS = 0.2, 60  # a quarter of an hour in all


def wrong(conduct: Conduct, runs: int, *, people: int, first: int = 0, where: Where = HERE, **options: Any) -> int:
    one = partial(ever_false, conduct=conduct, people=people, error=ERROR, **options)
    with open_results(where.out, {"conduct": conduct, "people": people, "options": options}, bool) as results:
        return sum(sweep(one, range(first, first + runs), where=where, results=results))


def cells() -> Iterator[tuple[str, str, Conduct, int, dict[str, Any]]]:
    """Name, objective, conduct, people, options: each habit alone, then all habits at once on every world."""
    for name, conduct in ALLOWED.items():
        for objective in ("ranges", "tiers", "best"):
            yield f"two ties, {name}", objective, conduct, 150, {"objective": objective, "strict": True}
    for world in ALL_WORLDS:
        for options in OPTIONS:
            # field-share cannot go on without an item
            conduct = replace(EVERYTHING, withdraw=()) if "relation" in options else EVERYTHING
            yield world, label(options), conduct, 140, {**fitting(options, ITEMS), "world": world, "sitting": 9}
    for world in ALL_WORLDS:
        here: dict[str, Any] = {"objective": "ranges", "world": world, "sitting": 9}
        yield f"{world}, idle, and back", "ranges", AND_BACK, 140, here
    for world in ("normal", "circle, coins"):  # ten items: a third of a sitting is far from every pair
        here = {"objective": "ranges", "world": world, "sitting": 10, "items": 10}
        yield f"{world}, ten items, idle, and back", "ranges", AND_BACK, 140, here


def test_in_small() -> None:
    found = wrong(EVERYTHING, 6, people=40) + wrong(AND_BACK, 6, people=40, world="circle, coins")
    assert not surely_above(found, 12, ERROR)


@pytest.mark.parametrize("name", quick(NOT_ALLOWED))
def test_what_depends_on_the_opinion_breaks_it(name: str) -> None:
    """Who prefers the second of two equals leaves, or is late, before saying so: the first is "proven" better."""
    assert wrong(NOT_ALLOWED[name], 4, people=150, strict=True) >= 3


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("cell", list(cells()), ids=lambda cell: f"{cell[0]}-{cell[1]}")
def test_at_large(cell: tuple[str, str, Conduct, int, dict[str, Any]], where: Where) -> None:
    _, _, conduct, people, options = cell
    found = wrong(conduct, RUNS, people=people, first=1000, where=where, **options)
    assert not surely_above(found, RUNS, ERROR), found


if __name__ == "__main__":
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print("world,objective,error,runs,false,broken")
    for name, objective, conduct, people, options in cells():
        if not all(word in name for word in sys.argv[2:]):
            continue
        found = wrong(conduct, runs, people=people, first=1000, **options)
        print(f'"{name}",{objective},{ERROR},{runs},{found},{surely_above(found, runs, ERROR)}', flush=True)
