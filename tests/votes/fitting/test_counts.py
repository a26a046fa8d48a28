"""Equal votes counted first: the same scores, intervals, judges and checks as from every vote by itself."""

from dataclasses import replace

import numpy as np
import pytest

import juryrank
from juryrank.votes.fitting.judges import reliability
from juryrank.votes.fitting.solver import curvature
from tests.votes.fitting.worlds import world


def counted(votes):
    """The same votes, each kind of them once with how many there are."""
    columns = [votes.judge, votes.left, votes.right, votes.outcome]
    columns += [] if votes.case is None else [votes.case]
    columns += [] if votes.grade is None else [(votes.grade * 4).astype(int)]
    _, first, many = np.unique(np.stack(columns), axis=1, return_index=True, return_counts=True)
    return replace(votes.part(first), count=many)


def votes_of(kind):
    rng = np.random.default_rng(3)
    votes, _ = world(rng, items=6, judges=12, votes=150, slope=0.5, tie=-0.5, tie_spread=0.4, side=0.2)
    if kind == "cases":
        case = rng.integers(8, size=len(votes)).astype(np.int32)
        return replace(votes, case=case, cases=tuple("abcdefgh"))
    grade = np.array([1.0, -1.0, 0.0])[votes.outcome] * rng.choice([0.5, 1.0], size=len(votes))
    return replace(votes, grade=grade) if kind == "grades" else votes


KINDS = [("plain", "bt", "auto"), ("plain", "hbtl", "auto"), ("cases", "hbtl", "drop"), ("grades", "bt", "auto")]


@pytest.mark.parametrize(("kind", "model", "ties"), KINDS)
def test_counted_votes_say_what_every_vote_by_itself_says(kind, model, ties):
    votes = votes_of(kind)
    few = counted(votes)
    assert len(few) < len(votes) == few.total and len(few.one_by_one()) == len(votes)
    one, other = (juryrank.fit(some, model, ties=ties) for some in (votes, few))
    error = np.sqrt(one.estimate.errors.naive_variance()).min()
    assert one.estimate.scores == pytest.approx(other.estimate.scores, abs=1e-6 * error)
    for a, b in zip(one.items, other.items, strict=True):
        assert (a.name, a.votes, a.rank_low, a.rank_high) == (b.name, b.votes, b.rank_low, b.rank_high)
        ends = [(row.low, row.high, row.these_judges.low, row.judges_like_these.high) for row in (a, b)]
        assert ends[0] == pytest.approx(ends[1], abs=1e-6 * error)
    for a, b in zip(one.judges, other.judges, strict=True):
        rows = [(row.votes, row.ties, row.left, row.agreement, row.infit, row.outfit) for row in (a, b)]
        assert rows[0] == pytest.approx(rows[1])
    assert [check.words for check in one.checks] == [check.words for check in other.checks]
    same = [fitted.against("judge 0").judges[0] for fitted in (one, other)]
    assert (same[0].in_common, same[0].agreement) == (same[1].in_common, same[1].agreement)


def test_reliability_and_models_compared_from_counts():
    votes = votes_of("plain")
    one, other = (juryrank.fit(some, "bt") for some in (votes, counted(votes)))
    kept = [reliability(fitted.estimate, splits=2) for fitted in (one, other)]
    assert kept[0].words == kept[1].words
    losses = [fitted.compare(folds=2)[0].loss for fitted in (one, other)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


def test_slopes_of_many_votes_are_those_that_the_votes_ask_for():
    """Else what they leave over is taken for tastes: at 4 million votes intervals were twice too wide."""
    votes, _ = world(np.random.default_rng(5), items=30, judges=20, votes=20_000, slope=0.8)
    fit = juryrank.fit(votes, "hbtl").estimate
    slopes, like = fit.layout.block("slope"), fit.likelihood
    left_over = like(fit.solution.x)[1][slopes] / np.sqrt(curvature(like, fit.solution.x)[slopes])
    assert np.sqrt(np.mean(left_over**2)) < 0.5
