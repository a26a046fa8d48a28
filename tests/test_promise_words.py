"""A promise in words: everywhere the same, never rounded up, and not a word of it where nothing is promised."""

from __future__ import annotations

import html
import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from juryrank import SKIP, TIE, create_study, rank
from juryrank.report import certificate_report, picture_svg, result_html, result_text
from juryrank.statements.promises import PaperPromise
from juryrank.storage import MemoryStorage
from juryrank.study import Study
from juryrank.types import Ranking
from juryrank.verify import verify
from tests.quick import quick
from tests.ranking import rank_with

ERRORS = (0.3, 0.25, 0.1, 0.05, 0.025, 0.02, 0.01, 0.005, 0.001, 1e-4, 1e-7, 1e-9)
AWKWARD = (1 / 3, 2 / 7, 0.0333333, 0.0499999, 0.123456, 0.9996, 3.3e-8, 1.2345e-11, 1e-13)
PAPER = 4  # kinds, which come first
RESOLUTIONS = (0, 0.05, 1 / 30, 0.0004, "falling")
PROMISE = re.compile(r"(?:probability at least|with) ((?:1 - [\d.]+e-\d+)|[\d.]+ %)(?= confidence|[ :,.])", re.I)
EVERY = quick([12, 1])  # each kind plays every twelfth: twelve kinds play them all
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
    {"ranker": "panel", "objective": "ranges", "relation": "field-share", "people": 36},
    {"objective": "best", "cases": 60},
    {"objective": "order", "cases": 60},
    {"objective": "top-2", "items": "abc", "cases": 60},
)


def named(kinds: tuple[dict[str, Any], ...]) -> Callable[[int], str]:
    """The name of a test, by the number of its kind."""
    return lambda number: "-".join(map(str, kinds[number].values()))


def result_of(error: float, *, people: int = 0, cases: int = 0, items: str = "ab", **options: Any) -> Ranking:
    """Two or three things by judges who always agree, by people, or on cases."""
    if people:
        crowd: dict[str, Any] = {f"p{k}": min for k in range(people)}
        return rank_with(list(items), crowd, error=error, seed=1, **options)
    names = ("ann", "bob")
    if cases:
        answers = {name: lambda left, right, case: min(left, right) for name in names}
        return rank_with(
            list(items), answers, cases=[f"{k}" for k in range(cases)], error=error, seed=1, **options
        )
    return rank_with(
        list(items), dict.fromkeys(names, min), error=error, seed=1, fresh=True, budget=1900, **options
    )


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


def one_sentence(result: Ranking) -> dict[str, Any]:
    """The certificate of a result, which says what the result says."""
    certificate = result.certificate()
    assert result.statement == verify(certificate).statement
    return certificate


@pytest.mark.parametrize("number", range(len(KINDS)), ids=named(KINDS))
def test_a_result_its_certificate_and_its_check_say_the_same_and_never_more(number):
    kind, spoken = KINDS[number], 0
    errors = (0.025, 1 / 3)[number < PAPER :]  # the paper's ask thousands of questions at a small one
    for error in errors:
        result = result_of(error, **kind)
        certificate = one_sentence(result)
        report = verify(certificate)
        assert report.true and result.statement == report.statement
        said = check_words(result.statement, error)
        spoken += bool(said)
        for text in surfaces(result, certificate):
            assert check_words(html.unescape(text), error) <= said, (error, text)
    assert spoken == (0 if kind.get("about") == "panel" else len(errors))


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("number", range(PAPER, len(KINDS)), ids=named(KINDS))
def test_every_goal_says_the_same_at_every_error(number, every):
    for error in ERRORS[number % every :: every]:
        result = result_of(error, **KINDS[number])
        one_sentence(result)
        check_words(result.statement, error)


def test_the_papers_rankers_say_the_same_at_every_error():
    """They ask thousands of questions each: their words alone."""
    for error in (*ERRORS, *AWKWARD):
        for finished, fresh in product((True, False), repeat=2):
            check_words(PaperPromise(error=error, finished=finished, fresh=fresh).words, error)


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("number", range(len(RESOLUTIONS)), ids=lambda number: f"{RESOLUTIONS[number]}")
def test_a_jury_says_the_same_at_every_error_and_resolution(number, every):
    for error in ERRORS[number % every :: every]:
        one_sentence(result_of(error, cases=60, objective="best", resolution=RESOLUTIONS[number]))


# ---------------------------------------------------------------------- everything else that can happen
def noisy(chance: float, rng: random.Random) -> Callable[..., str]:
    return lambda left, right, *_: min(left, right) if rng.random() < chance else max(left, right)


def recalling(chance: float, rng: random.Random) -> Callable[..., str]:
    """Right about some pairs, and always the same about each."""
    said: dict[tuple[str, str], str] = {}

    def judge(left: str, right: str, *_: Any) -> str:
        pair = (min(left, right), max(left, right))
        return said.setdefault(pair, pair[0] if rng.random() < chance else pair[1])

    return judge


def round_and_round(left: str, right: str, *_: Any) -> str:
    return left if (ord(right) - ord(left)) % 3 == 1 else right


def juries(rng: random.Random) -> dict[str, dict[str, Any]]:
    """Judges of every kind that somebody may have."""
    skips = noisy(0.9, rng)
    return {
        "agree": {name: noisy(1, rng) for name in ("ann", "bob", "cid")},
        "noisy": {name: noisy(0.8, rng) for name in ("ann", "bob", "cid")},
        "coins": {name: noisy(0.5, rng) for name in ("ann", "bob", "cid")},
        "tie": {name: lambda left, right, *_: TIE for name in ("ann", "bob")},
        "skip": {
            "ann": lambda left, right, *_: SKIP if rng.random() < 0.3 else skips(left, right),
            "bob": noisy(1, rng),
        },
        "circle": {"ann": round_and_round, "bob": round_and_round, "cid": noisy(1, rng)},
        "level": {"ann": noisy(1, rng), "bob": noisy(0, rng)},
        "recall": {"ann": recalling(0.7, rng), "bob": recalling(0.9, rng)},
        "alone": {"ann": recalling(0.6, rng)},
    }


CASES = list("0123")
GOALS = ("best", "top-2", "order")
ANYTHING: tuple[dict[str, Any], ...] = (
    {"ranker": "guess"},
    *({"ranker": name, "fresh": True} for name in ("iir", "ada-iir", "two-stage", "subset-two-stage")),
    {"ranker": "oracle", "best": "ann", "fresh": True},
    {"ranker": "certified", "repeats": 1, "error": 0.3},
    *({"ranker": "certified", "fresh": True, "objective": goal} for goal in GOALS),
    {"ranker": "certified", "fresh": True, "assume": "steady"},
    {"ranker": "certified", "fresh": True, "objective": "best", "trust_repeats": True},
    *({"ranker": "panel", "about": "panel", "objective": goal} for goal in ("ranges", "tiers", *GOALS)),
    *({"ranker": "panel", "objective": goal} for goal in ("ranges", "tiers", "best", "top-2")),
    {"ranker": "panel", "relation": "field-share"},
    *({"cases": CASES, "objective": goal} for goal in GOALS),
    *({"cases": CASES, "objective": goal, "resolution": 0} for goal in GOALS),
    *({"cases": CASES, "require": claims} for claims in (["a over b"], ["b over a"], ["a over b", "b over c"])),
    {"cases": CASES, "require": ["b over a"], "resolution": "falling"},
    {"cases": CASES, "require": ["b over a"], "resolution": 1 / 30},
)


@pytest.mark.parametrize("every", EVERY)
@pytest.mark.parametrize("number", range(len(ANYTHING)), ids=named(ANYTHING))
def test_a_result_and_its_certificate_say_the_same_whatever_happens(number, every):
    """Circles, ties, refusals, judges who recall, proofs withheld, no best one, no budget, one item."""
    kind = ANYTHING[number]
    paper = kind.get("ranker") in ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage")
    plays = [(who, 160, "abc") for who in juries(random.Random(0))]
    plays += [("agree", 0, "abc"), ("level", 3, "abc"), ("coins", 25, "abcd")]
    plays += [] if "require" in kind or kind.get("objective") == "top-2" else [("agree", 9, "a")]
    for who, budget, items in plays[number % every :: every]:
        judges = juries(random.Random(len(who)))[who]
        result = rank_with(
            list(items), judges, seed=1, budget=min(budget, 40) if paper else budget, **{"error": 0.2, **kind}
        )
        certificate = one_sentence(result)
        assert certificate["result"]["proven"] == result.proven
    assert verify(certificate).true


def test_a_promise_of_another_kind_is_not_confirmed():
    certificate = result_of(0.1, cases=60, objective="best").certificate()
    assert "With probability at least 90 %:" in verify(certificate).statement
    certificate["result"]["promise"]["counted"] = True
    assert not verify(certificate).true


def test_a_jury_that_was_asked_everything_is_counted():
    judges = {name: noisy(0.9, random.Random(1)) for name in ("ann", "bob")}
    result = rank(list("ab"), judges, cases=CASES, error=0.001, seed=1)
    assert result.proven and result.statement.startswith(
        "Counted: against each other system, taken singly, a gets"
    )
    one_sentence(result)


def test_a_gate_that_fails_is_said_to_fail_and_no_certificate_calls_it_proven():
    judges = juries(random.Random(1))["agree"]
    result = rank(list("ab"), judges, cases=CASES, goal=["b over a"], error=0.2, seed=1)
    report = verify(one_sentence(result))
    assert not result.proven and report.true and not report.proven
    coins, claims = juries(random.Random(1))["coins"], ["a over b", "b over c"]
    tossed = rank(list("abc"), coins, cases=[*CASES, *"4567"], goal=claims, error=0.2, seed=1)
    assert tossed.statement.startswith(
        "Counted: a is not at least as good as b. This is about all answers of the whole evaluation (3 judges"
    )
    assert not PROMISE.search(tossed.statement)
    assert not verify(one_sentence(tossed)).proven  # it holds at a coarser resolution, which nobody asked for


def test_a_proof_that_is_withheld_says_why_everywhere():
    """A judge who repeats itself; the same for what gold pairs say, and for the best one."""
    judges = {name: recalling(0.85, random.Random(5)) for name in ("x", "y", "z")}
    seen = set()
    for objective, seed in product(("order", "best", "top-2"), range(3)):
        how = {"ranker": "certified", "fresh": True, "objective": objective, "error": 0.1}
        result = rank_with(list("abcd"), judges, seed=seed, budget=400, **how)
        one_sentence(result)
        seen.add(result.statement.split(":")[0])
    assert seen >= {
        "Not certified, although every link was proven",
        "Not proven, although all items but one are ruled out",
    }


@pytest.mark.parametrize("objective", ["order", "best"])
def test_a_study_says_what_its_certificate_says(objective):
    """Also which judge skipped a lot: a certificate has always said so."""
    study = create_study(
        list("abc"), name="s", judges=["ann", "bob"], ranker="panel", error=0.1, seed=1,
        storage=MemoryStorage(), options={"about": "panel", "objective": objective},
    )  # fmt: skip
    for judge in ("ann", "bob", "ann", "bob", "ann", "bob"):
        _answered(study, judge, skip=judge == "bob")
        assert study.ranking().statement == verify(study.certificate()).statement
    assert "most by bob: " in study.ranking().statement


def _answered(study: Study, judge: str, *, skip: bool) -> None:
    question = study.ask(judge)
    if question is not None:
        study.tell(question, SKIP if skip else min(question.left, question.right))


@pytest.mark.parametrize("resolution", RESOLUTIONS, ids=str)
def test_a_share_is_never_rounded_up(resolution):
    result = result_of(0.1, cases=60, objective="best", resolution=resolution)
    assert result.proven and result.statement == verify(result.certificate()).statement
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
    *({"ranker": "panel", "objective": goal} for goal in ("ranges", "tiers", "best")),
    {"ranker": "panel", "relation": "field-share"},
    {"cases": [str(k) for k in range(30)], "objective": "best"},
    {"cases": [str(k) for k in range(30)], "objective": "order"},
)


def mostly_first(rng: random.Random) -> Callable[..., str]:
    return lambda left, right, *_: min(left, right) if rng.random() < 0.95 else max(left, right)


@pytest.mark.parametrize("kind", EARLY, ids=str)
@pytest.mark.parametrize("budget", [2, 12])
def test_no_confidence_is_spoken_of_where_nothing_is_promised(kind, budget):
    judges = {name: mostly_first(random.Random(2)) for name in ("ann", "bob", "cid")}
    result = rank_with(
        list("abcdefgh"), judges, error=0.0123, seed=1, budget=budget, fresh="cases" not in kind, **kind
    )
    certificate = result.certificate()
    if certificate["result"]["claims"] or set(result.ranges) != {(1, 8)}:
        return  # something is
    for text in (result.statement, *surfaces(result, certificate)):
        said = html.unescape(text)
        assert not re.search(r"confidence|probability at least|98.77 %|every range below", said), said


@pytest.mark.parametrize("name", ["iir", "ada-iir", "two-stage", "subset-two-stage"])
def test_ranks_are_promised_by_the_paper_only_with_the_whole_order(name):
    judges = {judge: mostly_first(random.Random(3)) for judge in ("ann", "bob", "cid")}
    result = rank(list("abcde"), judges, ranker=name, error=1 / 3, seed=1, budget=600, fresh=True)
    assert not result.certified and set(result.ranges) == {(1, 5)}
