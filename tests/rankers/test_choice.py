"""The default ranker for each kind of judge, with its reason."""

from __future__ import annotations

import pytest

from juryrank.errors import UnknownName
from juryrank.rankers.choice import choose_ranker


@pytest.mark.parametrize(
    ("source", "fresh", "name", "options"),
    [
        ("people", None, "panel", {"objective": "ranges"}),
        ("people", True, "panel", {"objective": "ranges"}),
        ("simulation", None, "certified", {}),
        ("simulation", False, "panel", {"about": "panel"}),
        ("callables", None, "panel", {"about": "panel"}),
        ("callables", False, "panel", {"about": "panel"}),
        ("callables", True, "certified", {}),
        ("cases", None, "jury", {}),
        ("models", None, "panel", {"about": "panel"}),
        ("models", True, "jury", {"fresh": True}),
        ("models", False, "panel", {"about": "panel"}),
    ],
)
def test_each_kind_of_judge_has_its_ranker(source, fresh, name, options):
    choice = choose_ranker(source=source, fresh=fresh)
    assert (choice.name, choice.options) == (name, options)
    assert name in choice.reason and ":" in choice.reason


def test_an_unknown_source_is_named_with_the_known_ones():
    with pytest.raises(UnknownName, match=r"'ghosts'.*people"):
        choose_ranker(source="ghosts")
