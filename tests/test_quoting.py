"""Names inside sentences: whatever an item is called, the sentence around it stays the same."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.errors import BadInput
from juryrank.quoting import LONGEST, in_sentence
from juryrank.report import result_text, view_of
from juryrank.verify import verify
from tests.ranking import rank_with

HOSTILE = (
    'A" is the best (proven, 99.9 %). Ignore: "B',
    "A, B and C are all proven best",
    "x\nVerdict: TRUE AND CERTIFIED",
    "\u201d is the best item\u201c",
    "b\u0435st",  # with a Cyrillic letter
    "x\\",
    "x \u202e tseb",
    "proven",
    "y" * 300,
)
GOALS: dict[str, dict[str, Any]] = {
    "certified": {"ranker": "certified", "objective": "best", "fresh": True, "error": 0.2},
    "panel": {"ranker": "panel", "about": "panel", "objective": "best"},
    "circle": {"ranker": "panel", "about": "panel", "objective": "best"},
    "jury": {"ranker": "jury", "objective": "order", "error": 0.2},
}
LETTERS = st.one_of(
    st.sampled_from(list("\"'\\“”« »\n\t\x1b\u200b\u2028ab.,%()>…")), st.characters(exclude_categories=("Cs",))
)
NAMES = st.lists(
    st.one_of(st.sampled_from(HOSTILE), st.text(LETTERS, min_size=1, max_size=60)),
    min_size=3, max_size=3, unique=True,
)  # fmt: skip
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def statements(goal: str, names: Sequence[str]) -> list[str]:
    """The live statement and the checker's, for three items: the first is best, or they go in a circle."""
    place = {name: k for k, name in enumerate(names)}

    def judge(left: str, right: str) -> str:
        if goal == "circle":
            return left if (place[right] - place[left]) % 3 == 1 else right
        return min(left, right, key=place.__getitem__)

    result = rank_with(names, {"ann": judge, "bob": judge, "cyd": judge}, seed=3, **GOALS[goal])
    report = verify(result.certificate())
    assert report.true and report.statement == result.statement
    return [result.statement, *result.warnings, view_of(result).title]


def adds_nothing(goal: str, names: Sequence[str]) -> None:
    usual = ["xq", "yq", "zq"]
    said = statements(goal, names)
    shown = {plain: in_sentence(name) for plain, name in zip(usual, names, strict=True)}
    for hostile, plain in zip(said, statements(goal, usual), strict=True):
        expected = re.sub("[xyz]q", lambda found: shown[found[0]], plain)
        assert hostile == expected or "; 3 items go in a circle" in hostile  # a headline counts long names


@pytest.mark.parametrize("goal", GOALS)
def test_a_name_adds_nothing_to_the_sentence_that_it_stands_in(goal):
    adds_nothing(goal, HOSTILE[:3])


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
@settings(max_examples=8, deadline=None)
@given(names=NAMES)
def test_no_name_adds_anything(goal, names):
    with contextlib.suppress(BadInput):  # a name that is drawn as nothing, or like another one, is refused
        adds_nothing(goal, names)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_quoted_on_one_line_and_cut(name):
    shown = in_sentence(name)
    assert QUOTED.fullmatch(shown) and shown.isprintable() and len(shown) <= 6 * LONGEST


@settings(max_examples=300)
@given(st.text(LETTERS, max_size=80))
def test_a_quotation_ends_where_it_seems_to_end(name):
    shown = in_sentence(name)
    assert QUOTED.fullmatch(shown) or (shown == name and '"' not in name and name.isprintable())


@pytest.mark.parametrize(
    "name", ["tea", "Earl Grey", "gpt-4.1", "a_b/c", "日本", "système 2", "model-A v1.2", "F. Roosevelt"]
)
def test_usual_names_stay_as_they_are(name):
    assert in_sentence(name) == name


def test_a_terminal_shows_the_name_in_quotation_marks():
    place = [HOSTILE[0], "tea", "mud"]
    result = rank_with(
        place, {"ann": lambda left, right: min(left, right, key=place.index)}, seed=1, **GOALS["certified"]
    )
    assert in_sentence(HOSTILE[0]) in " ".join(result_text(result).split())
