"""The promise where people go on, own items, leave and dawdle; and where it is not kept, as the docs say."""

from __future__ import annotations

import pytest

from tests.rankers.panel.conduct import ALLOWED, NOT_ALLOWED, Conduct, ever_false
from tests.statistics import surely_above

ERROR = 0.2


def wrong(conduct: Conduct, runs: int, *, people: int, first: int = 0, **options: object) -> int:
    return sum(
        ever_false(seed, conduct, people=people, error=ERROR, **options) for seed in range(first, first + runs)
    )


def test_in_small() -> None:
    assert not surely_above(wrong(ALLOWED["all at once"], 8, people=40), 8, ERROR)


def test_leaving_by_opinion_breaks_it() -> None:
    """Who prefers the second of two equals leaves before saying so: the first is soon "proven" better."""
    assert wrong(NOT_ALLOWED, 4, people=120) == 4


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("objective", ["ranges", "tiers", "best"])
@pytest.mark.parametrize("name", list(ALLOWED))
def test_at_large(name: str, objective: str) -> None:
    runs = 200
    found = wrong(ALLOWED[name], runs, people=150, first=1000, objective=objective)
    assert not surely_above(found, runs, ERROR), (name, objective, found)
