"""Votes that are hard to make sense of: clear words, finite numbers, nothing silently dropped."""

import io
import math

import numpy as np
import pytest

import juryrank
from juryrank.errors import BadInput, BadVotes, UnknownName
from tests.quick import quick
from tests.votes.fitting.worlds import rows_of, world


def finite(fitted):
    values = [v for item in fitted.items for v in (item.score, item.low, item.high)]
    return all(map(math.isfinite, values)) and all(item.low <= item.score <= item.high for item in fitted.items)


def check(fitted, name):
    (found,) = [check for check in fitted.checks if check.name == name]
    return found


@pytest.mark.parametrize("model", ["bt", "hbtl"])
def test_groups_that_no_vote_links_have_scales_of_their_own(model):
    one, _ = world(np.random.default_rng(1), items=4, judges=9, votes=20)
    rows = rows_of(one) + [(u, f"other {a[-1]}", f"other {b[-1]}", y) for u, a, b, y in rows_of(one)]
    fitted = juryrank.fit(rows, model=model)
    assert finite(fitted) and not check(fitted, "connected").ok
    assert "2 groups" in check(fitted, "connected").words
    assert sorted(item.rank_high for item in fitted.items)[-1] <= 4
    for scale in (1, 2):
        assert sum(item.score for item in fitted.items if item.scale == scale) == pytest.approx(0, abs=1e-6)
    with pytest.raises(UnknownName, match="no common scale"):
        fitted.win("item 0", "other 0")


@pytest.mark.parametrize("model", ["bt", "hbtl"])
def test_an_unbeaten_item_is_finite_and_said(model):
    rows = [(f"j{k}", "best", name, "best") for k in range(8) for name in ("b", "c")]
    rows += [(f"j{k}", "b", "c", "left" if k % 2 else "right") for k in range(8)]
    fitted = juryrank.fit(rows, model=model)
    assert finite(fitted) and fitted.order[0] == "best"
    assert check(fitted, "unbeaten").details["unbeaten"] == ["best"]
    assert "virtual tie" in check(fitted, "unbeaten").words


def test_one_judge_is_told_what_intervals_cover():
    ballots, _ = world(np.random.default_rng(2), items=4, judges=1, votes=60)
    fitted = juryrank.fit(rows_of(ballots))
    assert finite(fitted) and fitted.model == "bt"
    assert "one judge cannot say" in check(fitted, "intervals").words and not check(fitted, "intervals").ok
    assert finite(juryrank.fit(rows_of(ballots), model="hbtl"))


@pytest.mark.parametrize("how", [{}, {"model": "hbtl"}, {"ties": "half"}, {"scale": "probability"}])
def test_all_ties(how):
    rows = [(f"j{k}", a, b, "tie") for k in range(9) for a, b in (("x", "y"), ("y", "z"))]
    fitted = juryrank.fit(rows, **how)
    assert finite(fitted) and [item.rank for item in fitted.items] == [1, 1, 1]
    assert "every vote is a tie" in check(fitted, "ties").words
    assert fitted.win("x", "z") == pytest.approx(0.5)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("model", ["bt", "hbtl"])
@pytest.mark.parametrize(
    "how",
    quick([{"judges": 40, "votes": 1}, {"judges": 12, "votes": 50, "side": 30}, {"judges": 3, "votes": 40}]),
    ids=str,
)
def test_votes_that_say_little_give_finite_numbers_without_warnings(model, how):
    for scores in (np.zeros(6), np.arange(6) * 10.0):
        ballots, _ = world(np.random.default_rng(4), items=6, scores=scores, **how)
        fitted = juryrank.fit(rows_of(ballots), model=model)
        assert finite(fitted) and len(fitted.judges) == len(ballots.judges) and fitted.checks


def test_an_item_that_only_tied_is_not_known_exactly():
    """Ties pull at no score, so the judges show no spread; an interval from 0.00 to 0.00 would claim certainty."""
    tied = [(f"j{k}", a, b, "tie") for k in range(10) for a, b in (("x", "y"), ("y", "z"), ("z", "x"))]
    assert all(item.low < -2 and item.high > 2 for item in juryrank.fit(tied).items)
    halves = juryrank.fit(tied, ties="half").items
    assert all(0.4 < item.high < 0.9 for item in halves)  # as of 20 independent votes each
    decided = [(f"j{k}", "x", "y", "x" if k % 3 else "y") for k in range(10)]
    z = next(item for item in juryrank.fit(tied + decided).items if item.name == "z")
    assert z.high - z.low > 0.5


@pytest.mark.parametrize("votes", [3, 60])
@pytest.mark.parametrize("model", ["bt", "hbtl"])
def test_ties_alone_bound_no_distance_and_intervals_are_those_of_one_virtual_tie(votes, model):
    tied = [("ann", a, b, "tie") for _ in range(votes) for a, b in (("x", "y"), ("y", "z"), ("z", "x"))]
    fitted = juryrank.fit(tied, model=model)
    assert all(2 < item.high < 4.5 and -4.5 < item.low < -2 for item in fitted.items)
    assert "one virtual tie" in check(fitted, "ties").words
    apart = [("ann", a, b, a) for a, b in (("u", "v"), ("v", "u"), ("v", "u"))]  # on a scale of their own
    rows = {item.name: item for item in juryrank.fit(tied + apart, model=model).items}
    assert 0.5 < rows["x"].high < 8 and rows["v"].score > 0


def test_all_ties_dropped_leaves_nothing():
    with pytest.raises(BadVotes, match="nothing remains"):
        juryrank.fit([("ann", "x", "y", "tie")], ties="drop")


def test_dropped_ties_are_counted_and_items_that_go_with_them_named():
    rows = [("ann", "x", "y", "x"), ("ann", "y", "x", "y"), ("bob", "x", "z", "tie")]
    fitted = juryrank.fit(rows, ties="drop")
    assert set(fitted.order) == {"x", "y"}
    assert "1 ties" in check(fitted, "left_out").words and "'z'" in check(fitted, "connected").words


def test_one_item_and_no_votes():
    with pytest.raises(BadVotes, match="both items are 'x'"):
        juryrank.fit([("ann", "x", "x", "x")])
    for nothing in ([], b"judge,left,right,winner\n", [("ann", "x", "y", "skip")]):
        with pytest.raises((BadVotes, BadInput), match="no vote"):
            juryrank.fit(nothing)


def test_one_vote_is_enough_to_say_little():
    fitted = juryrank.fit([("ann", "x", "y", "x")])
    assert finite(fitted) and fitted.order == ("x", "y")
    assert [(item.rank_low, item.rank_high) for item in fitted.items] == [(1, 2), (1, 2)]


def test_duplicate_rows_are_counted_and_kept():
    text = "judge,left,right,winner,question\n" + "ann,x,y,x,1\n" * 3 + "ann,x,y,x,2\nbob,x,y,y,1\n"
    fitted = juryrank.fit(text.encode())
    assert len(fitted.estimate.ballots) == 5
    assert check(fitted, "duplicates").details == {"rows": 2} and not check(fitted, "duplicates").ok


@pytest.mark.parametrize("votes", [400, pytest.param(20_000, marks=pytest.mark.slow)])
def test_ten_bad_rows_among_many_are_named_by_their_lines(votes):
    rng = np.random.default_rng(3)
    ballots, _ = world(rng, items=20, judges=50, votes=votes)
    out = io.StringIO()
    out.write("judge,left,right,winner\n")
    bad = {
        5: "ann,x",
        77: "ann,item 1,item 1,item 1",
        300: "ann,item 1,item 2,nonsense",
        301: ",item 1,item 2,item 1",
    }
    bad |= {301: ",item 1,item 2,item 1"} | {1000 + k: "ann,item 1,,item 1" for k in range(6)}
    lines = [",".join(row) for row in rows_of(ballots)]
    for line, text in sorted(bad.items()):
        lines.insert(line - 2, text)
    out.write("\n".join(lines) + "\n")
    with pytest.raises(BadVotes, match=f"10 of {50 * votes + 10:,} rows cannot be used") as refused:
        juryrank.fit(out.getvalue().encode())
    for line in (5, 77, 300, 301):
        assert f"line {line}:" in str(refused.value)
    assert "lines 1000, 1001, 1002, 1003, 1004, 1005: the right item is empty" in str(refused.value)
    fitted = juryrank.fit(out.getvalue().encode(), skip_bad=True, model="bt")
    assert len(fitted.estimate.ballots) == 50 * votes
    assert "line 300" in check(fitted, "left_out").words and not check(fitted, "left_out").ok


def test_skips_are_said():
    fitted = juryrank.fit([("ann", "x", "y", "x"), ("ann", "x", "y", "skip"), ("bob", "x", "y", "y")])
    assert "1 skip" in check(fitted, "left_out").words


def test_what_is_no_vote_at_all():
    for strange in (5, [3], [("a", "b")], object()):
        with pytest.raises(BadInput):
            juryrank.fit(strange)
    with pytest.raises(BadInput, match="cannot read"):
        juryrank.fit("/nowhere/votes.csv")
