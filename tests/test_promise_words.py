"""A promise in words: everywhere the same, never rounded up, and not a word of it where nothing is promised."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from juryrank import rank
from juryrank.report import certificate_report, picture_svg, result_html, result_text
from juryrank.types import Ranking
from juryrank.verify import verify

ERRORS = (0.3, 0.25, 0.1, 0.05, 0.025, 0.02, 0.01, 0.005, 0.001, 1e-4, 1e-7, 1e-9)
AWKWARD = (1 / 3, 2 / 7, 0.0333333, 0.0499999, 0.123456, 0.9996, 3.3e-8, 1.2345e-11, 1e-13)
PAPER = 4  # kinds, which come first
RESOLUTIONS = (0, 0.05, 1 / 30, 0.0004, "falling")
PROMISE = re.compile(r"(?:probability at least|with) ((?:1 - [\d.]+e-\d+)|[\d.]+ %)(?= confidence|[ :,.])", re.I)
SHARE = re.compile(r"gets at least ([\d.]+) % of the answers")

KINDS: tuple[dict[str, Any], ...] = (
    {"ranker": "iir"},
    {"ranker": "ada-iir"},
    {"ranker": "oracle", "best": "ann"},
    {"ranker": "two-stage"},
    {"ranker": "certified", "trust_repeats": True},
    {"ranker": "certified", "objective": "best", "trust_repeats": True},
    {"ranker": "certified", "objective": "top-2", "items": "abc", "trust_repeats": True},
    {"ranker": "certified", "assume": "steady", "trust_repeats": True},
    {"ranker": "panel", "about": "panel"},
    {"ranker": "panel", "objective": "ranges", "people": 36},
    {"ranker": "panel", "objective": "tiers", "people": 36},
    {"ranker": "panel", "objective": "best", "people": 36},
    {"ranker": "panel", "objective": "order", "people": 36},
    {"ranker": "panel", "objective": "ranges", "relation": "field-share", "people": 36},
    {"ranker": "panel", "objective": "best", "assume": "winner", "people": 36},
    {"objective": "best", "cases": 60},
    {"objective": "order", "cases": 60},
    {"objective": "top-2", "items": "abc", "cases": 60},
)


def result_of(error: float, *, people: int = 0, cases: int = 0, items: str = "ab", **options: Any) -> Ranking:
    """Two or three things by judges who always agree, by people, or on cases."""
    if people:
        crowd: dict[str, Any] = {f"p{k}": min for k in range(people)}
        return rank(list(items), crowd, error=error, seed=1, **options)
    names = ("ann", "bob")
    if cases:
        answers = {name: lambda left, right, case: min(left, right) for name in names}
        return rank(list(items), answers, cases=[f"{k}" for k in range(cases)], error=error, seed=1, **options)
    return rank(list(items), dict.fromkeys(names, min), error=error, seed=1, fresh=True, budget=1900, **options)


def surfaces(result: Ranking, certificate: dict[str, Any]) -> Iterator[str]:
    """What people read: terminal, notebook, picture, report."""
    yield " ".join(result_text(result, width=100).split())
    yield result_html(result)
    yield picture_svg(result)
    yield certificate_report(certificate, format="md")


def worth(said: str) -> Fraction:
    """The probability that the words name."""
    if said.startswith("1 - "):
        return 1 - Fraction(said.removeprefix("1 - "))
    return Fraction(said.removesuffix(" %")) / 100


def check_words(text: str, error: float) -> set[str]:
    """Every probability that is spoken of; none is above 1 - δ, nor much below."""
    found = set(PROMISE.findall(text))
    exact = 1 - Fraction(str(error))
    assert all(exact - min(exact, 1 - exact) / 50 < worth(said) <= exact for said in found), (error, found)
    return found


def errors_of(number: int) -> tuple[float, ...]:
    """Some errors of the grid for each kind; the paper's rankers, which ask most, take few."""
    grid = (*ERRORS, *AWKWARD)
    return (0.025, 1 / 3) if number < PAPER else (0.025, 1 / 3, *grid[number % 6 :: 6])


@pytest.mark.parametrize(
    "number", range(len(KINDS)), ids=lambda number: "-".join(map(str, KINDS[number].values()))
)
def test_a_result_its_certificate_and_its_check_say_the_same_and_never_more(number):
    kind, spoken = KINDS[number], 0
    for error in errors_of(number):
        result = result_of(error, **kind)
        certificate = result.certificate()
        report = verify(certificate)
        assert report.true
        assert result.statement == certificate["result"]["statement"] == report.statement, error
        said = check_words(result.statement, error)
        spoken += bool(said)
        if error in (0.025, 1 / 3):
            for text in surfaces(result, certificate):
                assert check_words(html.unescape(text), error) <= said, (error, text)
    assert spoken >= (0 if kind.get("about") == "panel" else 2)


@pytest.mark.parametrize("resolution", RESOLUTIONS, ids=str)
def test_a_share_is_never_rounded_up(resolution):
    result = result_of(0.1, cases=60, objective="best", resolution=resolution)
    assert result.proven and result.statement == result.certificate()["result"]["statement"]
    promised = Fraction(1, 2) - Fraction(str(result.resolution))
    assert result.statement.count("gets at least") == 1
    said = Fraction(SHARE.findall(result.statement)[0]) / 100
    assert promised - Fraction(1, 1000) < said <= promised


# ---------------------------------------------------------------------- where nothing is promised
EARLY: tuple[dict[str, Any], ...] = (
    *({"ranker": name} for name in ("iir", "ada-iir", "two-stage", "subset-two-stage", "certified", "guess")),
    {"ranker": "oracle", "best": "ann"},
    {"ranker": "certified", "objective": "best"},
    {"ranker": "certified", "objective": "top-2"},
    {"ranker": "panel", "about": "panel"},
    *({"ranker": "panel", "objective": goal} for goal in ("ranges", "tiers", "best", "order")),
    {"ranker": "panel", "relation": "field-share"},
    {"ranker": "panel", "objective": "best", "assume": "winner"},
    {"cases": [str(k) for k in range(30)], "objective": "best"},
    {"cases": [str(k) for k in range(30)], "objective": "order"},
)


def mostly_first(rng: random.Random) -> Callable[..., str]:
    return lambda left, right, *_: min(left, right) if rng.random() < 0.95 else max(left, right)


@pytest.mark.parametrize("kind", EARLY, ids=str)
@pytest.mark.parametrize("budget", [2, 12])
def test_no_confidence_is_spoken_of_where_nothing_is_promised(kind, budget):
    judges = {name: mostly_first(random.Random(2)) for name in ("ann", "bob", "cid")}
    result = rank(list("abcdefgh"), judges, error=0.0123, seed=1, budget=budget, fresh="cases" not in kind, **kind)
    certificate = result.certificate()
    if certificate["result"]["claims"] or set(result.ranges) != {(1, 8)}:
        return  # something is
    for text in (result.statement, *surfaces(result, certificate)):
        said = html.unescape(text)
        assert not re.search(r"confidence|probability at least|98.77 %|every range below", said), said
