"""The likelihood, its solvers, and other programs' answers."""

import sys
from dataclasses import replace

import numpy as np
import pytest

import juryrank
from juryrank.errors import BadInput, MissingExtra
from juryrank.votes.fitting.ballots import graph_of
from juryrank.votes.fitting.core import estimate
from juryrank.votes.fitting.model import Likelihood, Spec, spec_for
from juryrank.votes.fitting.solver import solve_by_mm
from tests.votes.fitting.worlds import rows_of, world

CASES = [
    Spec("bt"),
    Spec("bt", tie=True, side=True),
    Spec("hbtl", tie=True, side=True, judge_tie=True, judge_side=True),
    Spec("hbtl", side=True, judge_side=True),
]


@pytest.mark.parametrize("spec", CASES, ids=str)
def test_the_gradient_is_the_slope_of_the_value(spec):
    rng = np.random.default_rng(1)
    ballots, _ = world(rng, items=6, judges=7, votes=30, tie=-0.5, slope=0.4)
    like = Likelihood(ballots, spec, anchors=np.linspace(0, 1, 6))
    x, way = rng.normal(size=like.layout.size), rng.normal(size=like.layout.size)
    up, down = like(x + 1e-5 * way)[0], like(x - 1e-5 * way)[0]
    assert like(x)[1] @ way == pytest.approx((up - down) / 2e-5, rel=1e-5)


def test_bt_agrees_with_choix():
    import choix

    ballots, _ = world(np.random.default_rng(2), items=12, judges=5, votes=80)
    winner = np.where(ballots.outcome == 0, ballots.left, ballots.right)
    loser = np.where(ballots.outcome == 0, ballots.right, ballots.left)
    theirs = choix.ilsr_pairwise(12, list(zip(winner.tolist(), loser.tolist(), strict=True)))
    fitted = juryrank.fit(rows_of(ballots), model="bt")
    ours = {item.name: item.score for item in fitted.items}
    assert [ours[f"item {k}"] for k in range(12)] == pytest.approx(list(theirs), abs=1e-4)


def test_bt_agrees_with_evalica_where_ties_are_half_a_win_each():
    import evalica

    ballots, _ = world(np.random.default_rng(3), items=10, judges=5, votes=120, tie=0.0)
    assert ballots.ties > 100
    said = [(evalica.Winner.X, evalica.Winner.Y, evalica.Winner.Draw)[y] for y in ballots.outcome]
    names = ballots.items
    theirs = evalica.bradley_terry(
        [names[k] for k in ballots.left], [names[k] for k in ballots.right], said, tolerance=1e-12, limit=10_000
    ).scores
    logs = {name: float(np.log(theirs[name])) for name in names}
    mean = sum(logs.values()) / len(logs)
    ours = {item.name: item.score for item in juryrank.fit(rows_of(ballots), model="bt", ties="half").items}
    assert ours == pytest.approx({name: value - mean for name, value in logs.items()}, abs=1e-4)


@pytest.mark.parametrize("spec", [Spec("bt"), Spec("bt", tie=True)], ids=["half", "davidson"])
@pytest.mark.parametrize("anchored", [False, True])
def test_numpy_alone_finds_the_same(spec, anchored):
    ballots, _ = world(np.random.default_rng(4), items=9, judges=4, votes=60, tie=-0.5)
    if anchored:  # item 0 never loses
        ballots = ballots.part(
            (ballots.left != 0) & (ballots.right != 0) | (ballots.outcome == 0) & (ballots.left == 0)
        )
    graph = graph_of(ballots)
    assert graph.strong == (not anchored,)
    like = Likelihood(ballots, spec, anchors=graph.anchors())
    by_mm = graph.centred(solve_by_mm(like).x[:9])
    assert by_mm == pytest.approx(estimate(ballots, spec).scores, abs=2e-4)


def test_without_scipy_auto_is_plain_and_says_so(monkeypatch):
    ballots, _ = world(np.random.default_rng(5), items=5, judges=12, votes=40, tie=-0.5)
    with_it = juryrank.fit(rows_of(ballots), model="bt")
    monkeypatch.setattr("juryrank.votes.fitting.core.has_scipy", lambda: False)
    monkeypatch.setattr("juryrank.votes.fitting.entry.has_scipy", lambda: False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "scipy"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "scipy", None)
    fitted = juryrank.fit(rows_of(ballots))
    assert fitted.model == "bt" and any("scipy" in note for note in fitted.to_dict()["notes"])
    for one, two in zip(fitted.items, with_it.items, strict=True):
        assert (one.name, one.rank_low, one.rank_high) == (two.name, two.rank_low, two.rank_high)
        assert (one.score, one.low, one.high) == pytest.approx((two.score, two.low, two.high), abs=1e-3)
    with pytest.raises(MissingExtra, match=r"pip install .*\[fit\]"):
        juryrank.fit(rows_of(ballots), model="hbtl")


def test_judges_effects_are_found():
    rng = np.random.default_rng(6)
    ballots, scores = world(
        rng, items=15, judges=60, votes=150, slope=0.6, tie=-0.5, tie_spread=0.8, side=0.3
    )  # fmt: skip
    fit = estimate(ballots, spec_for(ballots, model="hbtl", ties="davidson", side="auto"))
    spread = fit.solution.spread
    assert 0.4 < spread["slope"] < 0.8 and 0.6 < spread["tie"] < 1.0 and spread["side"] < 0.2
    assert fit.layout.value(fit.solution.x, "side") == pytest.approx(0.3, abs=0.1)
    assert np.corrcoef(fit.scores, scores)[0, 1] > 0.99


def test_a_judge_who_reverses_is_found():
    ballots, _ = world(np.random.default_rng(7), items=8, judges=20, votes=80)
    turned = ballots.judge == 3
    ballots = replace(ballots, outcome=np.where(turned, 1 - ballots.outcome, ballots.outcome).astype(np.int8))
    fitted = juryrank.fit(rows_of(ballots))
    (check,) = [check for check in fitted.checks if check.name == "below_chance"]
    assert not check.ok and check.details["judges"] == ["judge 3"]


def test_auto_takes_judges_apart_only_where_there_are_five():
    few, many = (world(np.random.default_rng(9), items=4, judges=k, votes=30)[0] for k in (4, 5))
    assert juryrank.fit(rows_of(few)).model == "bt" and juryrank.fit(rows_of(many)).model == "hbtl"
    assert juryrank.fit([row[1:] for row in rows_of(many)]).model == "bt"  # no judges named


@pytest.mark.parametrize("word", ["model", "ties", "side", "scale"])
def test_words_that_are_no_option_are_refused(word):
    with pytest.raises(BadInput, match=r"nonsense.*there are:"):
        juryrank.fit([("ann", "x", "y", "x")], **{word: "nonsense"})
    with pytest.raises(BadInput, match="level"):
        juryrank.fit([("ann", "x", "y", "x")], level=95)
