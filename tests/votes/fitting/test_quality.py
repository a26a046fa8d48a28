"""Checks, judges, reliability, models on judges held back, scales."""

from pathlib import Path

import numpy as np
import pytest

import juryrank
from juryrank.errors import BadInput
from juryrank.votes.fitting import judges as measures
from juryrank.votes.fitting.core import estimate
from juryrank.votes.fitting.model import Spec, spec_for
from juryrank.votes.fitting.sources import ballots_of
from juryrank.votes.fitting.validation import compare
from tests.votes.fitting.worlds import rows_of, world

RECORDED = Path(__file__).parents[4] / "shared" / "data"


@pytest.fixture(scope="module")
def fitted():
    ballots, _ = world(np.random.default_rng(1), items=8, judges=15, votes=80, tie=-0.7, side=0.6)
    return juryrank.fit(rows_of(ballots))


def check(fitted, name):
    (found,) = [check for check in fitted.checks if check.name == name]
    return found


def test_a_lean_to_one_side_is_found(fitted):
    found = check(fitted, "sides")
    assert not found.ok and found.details["low"] > 0.5 and "allows for it" in found.words


@pytest.mark.parametrize(
    ("judges", "each", "leans"), [(1, 1, False), (1, 8, False), (1, 9, True), (4, 9, False), (9, 2, True)]
)
def test_a_few_votes_for_the_left_are_no_lean(judges, each, leans):
    """All on one side by chance alone: 8 votes of one judge in one of 128 files, 9 in one of 256."""
    found = check(juryrank.fit([(f"j{k}", "a", "b", "left") for k in range(judges)] * each), "sides")
    assert found.ok is not leans and found.details["high"] == 1 > found.details["low"] > 0


def test_judges_who_happen_to_be_alike_do_not_narrow_the_share():
    rows = [(f"j{k}", "a", "b", side) for k in range(2) for side in ("left", "left", "left", "right")]
    found = check(juryrank.fit(rows), "sides")
    assert found.ok and found.details["low"] < 0.5


def test_circles_are_counted():
    ring = [(f"j{k}", a, b, "left") for k in range(3) for a, b in (("x", "y"), ("y", "z"), ("z", "x"))]
    assert check(juryrank.fit(ring), "circles").details == {"circles": 1, "triangles": 1}
    line = [(f"j{k}", a, b, "left") for k in range(3) for a, b in (("x", "y"), ("y", "z"), ("x", "z"))]
    assert check(juryrank.fit(line), "circles").details == {"circles": 0, "triangles": 1}


def test_judges_have_slopes_ties_sides_and_agreement(fitted):
    judge = fitted.judges[0]
    assert judge.votes == 80 and judge.slope_low < judge.slope < judge.slope_high
    assert 0 <= judge.ties <= 1 and 0.5 < judge.agreement <= 1 and judge.agreement_low < judge.agreement
    assert np.mean([judge.infit for judge in fitted.judges]) == pytest.approx(1, abs=0.15)


def test_a_judge_who_answers_at_random_is_flat_and_misfits():
    rng = np.random.default_rng(2)
    ballots, _ = world(rng, items=8, judges=20, votes=100, scores=np.linspace(-2, 2, 8))
    ballots.outcome[ballots.judge == 4] = rng.integers(2, size=100)
    found = juryrank.fit(rows_of(ballots))
    assert min(found.judges, key=lambda judge: judge.slope).name == "judge 4"
    assert measures.misfitting(found.estimate)[0] == "judge 4"


def test_agreement_leaves_the_judge_out():
    """A judge who alone decides an item would otherwise always agree with it."""
    rows = [(f"j{k}", "x", "y", "left") for k in range(9)] + [("odd", "x", "y", "right")] * 6
    odd = next(judge for judge in juryrank.fit(rows, model="bt").judges if judge.name == "odd")
    assert odd.agreement == 0


def test_chances_add_up_and_favour_the_better(fitted):
    best, worst = fitted.order[0], fitted.order[-1]
    assert sum(fitted.chances(best, worst)) == pytest.approx(1)
    assert fitted.win(best, worst) > 0.5 and fitted.win(best, worst) + fitted.win(worst, best) == pytest.approx(1)


def test_scales_are_the_same_order():
    rows = rows_of(world(np.random.default_rng(3), items=6, judges=10, votes=60)[0])
    logit, elo, share = (juryrank.fit(rows, scale=scale) for scale in ("logit", "elo", "probability"))
    assert logit.order == elo.order == share.order
    for one, two, three in zip(logit.items, elo.items, share.items, strict=True):
        assert two.score == pytest.approx(1000 + one.score * 400 / np.log(10))
        assert 0 < three.low < three.score < three.high < 1
    best = share.items[0]
    assert best.score == pytest.approx(
        np.mean([share.win(best.name, other) for other in share.order[1:]]), abs=1e-3
    )


def test_separation_is_the_share_that_is_no_error():
    ballots, scores = world(np.random.default_rng(4), items=20, judges=30, votes=60, scores=np.linspace(-2, 2, 20))
    fit = estimate(ballots, Spec("bt"))
    found = measures.reliability(fit, splits=5)
    true = np.corrcoef(fit.scores, scores)[0, 1] ** 2
    assert found.separation == pytest.approx(true, abs=0.03)
    assert found.clustered <= found.separation + 0.02
    assert 0.85 < found.split_half < 1 and 0 < found.alpha < 1
    nothing, _ = world(np.random.default_rng(5), items=20, judges=30, votes=60, scores=np.zeros(20))
    found = measures.reliability(estimate(nothing, Spec("bt")), splits=5)
    assert found.separation < 0.5 and abs(found.split_half) < 0.5 and abs(found.alpha) < 0.1


def test_alpha_does_not_depend_on_which_item_comes_first():
    ballots, _ = world(np.random.default_rng(6), items=4, judges=12, votes=30)
    rows = rows_of(ballots)
    renamed = [(u, f"{9 - int(a[-1])}", f"{9 - int(b[-1])}", y) for u, a, b, y in sorted(rows, reverse=True)]
    one, two = (measures.krippendorff_alpha(ballots_of(r)) for r in (rows, renamed))
    assert one == pytest.approx(two)


def test_alpha_is_about_agreement_with_others():
    """By hand: three judges, two pairs, one say each. Repeating oneself is no agreement; one judge has none."""
    rows = [("ann", "x", "y", "x"), ("bob", "y", "x", "x"), ("cid", "x", "y", "y")]
    rows += [("ann", "y", "z", "y"), ("bob", "z", "y", "y"), ("cid", "y", "z", "y")]
    # observed: of 6 ordered couples of judges per pair, 4 disagree about the first and none about the second;
    # expected: both ways round, 12 values, half of them for the first: 2 * 6 * 6 / (12 * 11)
    by_hand = 1 - (4 / 12) / (72 / 132)
    assert measures.krippendorff_alpha(ballots_of(rows)) == pytest.approx(by_hand)
    assert measures.krippendorff_alpha(ballots_of(rows * 5)) == pytest.approx(by_hand)
    assert measures.krippendorff_alpha(ballots_of([("ann", *row[1:]) for row in rows])) is None
    opposed = [("ann", a, b, a) for a, b in ("xy", "yz", "xz")] + [("bob", a, b, b) for a, b in ("xy", "yz", "xz")]
    assert measures.krippendorff_alpha(ballots_of(opposed * 30)) < -0.5


def specs(ballots):
    return [spec_for(ballots, model=m, ties="davidson", side="auto") for m in ("bt", "hbtl")]


@pytest.mark.parametrize("held_back", ["votes", pytest.param("judges", marks=pytest.mark.slow)])
def test_judges_who_differ_are_predicted_better_by_hbtl(held_back):
    ballots, _ = world(
        np.random.default_rng(7), items=10, judges=25, votes=60, slope=0.9, tie=-0.5, tie_spread=1.0
    )
    plain, ours = compare(ballots, specs(ballots), held_back=held_back, folds=3)
    assert (plain.worse, ours.votes, ours.held_back) == (0, len(ballots), held_back)
    assert ours.worse < (-2 if held_back == "votes" else 2) * ours.error


def test_slopes_do_not_take_sides_between_two_camps():
    """Slopes that differ would side with one camp and call the other one blunt: scores were those of half the
    judges, and the next judge was predicted worse than by equal slopes."""
    rng, items = np.random.default_rng(7), 12
    common, apart, rows = rng.normal(0, 1, items), rng.normal(0, 1.2, items), []
    for judge in range(24):
        worth = common + (apart if judge % 2 else -apart)
        for _ in range(40):
            a, b = rng.choice(items, 2, replace=False)
            rows.append(
                (
                    f"j{judge}",
                    f"{a}",
                    f"{b}",
                    f"{a if rng.random() < 1 / (1 + np.exp(worth[b] - worth[a])) else b}",
                )
            )
    fitted = juryrank.fit(rows)
    found = {item.name: item.score for item in fitted.items}
    assert fitted.model == "hbtl" and np.corrcoef([found[f"{k}"] for k in range(items)], common)[0, 1] > 0.9
    assert {judge.slope for judge in fitted.judges} == {1.0}


def test_alike_judges_on_a_sparse_graph_are_not_told_apart():
    """Beside scores that its own votes have moved, every judge agrees with itself: slopes would know no bounds."""
    ballots, _ = world(np.random.default_rng(0), items=120, judges=30, votes=40)
    plain, ours = specs(ballots)
    fit = estimate(ballots, ours)
    assert fit.solution.spread["slope"] < 0.1
    assert fit.scores == pytest.approx(estimate(ballots, plain).scores, abs=0.2)
    _, found = compare(ballots, [plain, ours], held_back="judges", folds=3)
    assert found.worse < 0, "gaps beside the other judges are told less surely"


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded votes are not part of the repository")
@pytest.mark.slow
@pytest.mark.parametrize("name", ["mtbench_human", "llmfao_crowd", "gpt4_vicuna80", "gpt4_openassistant"])
def test_hbtl_is_never_worse_than_bt_on_recorded_votes(name):
    (path,) = (RECORDED / name).glob("votes.csv*")
    ballots = ballots_of(path)
    for held_back in ("judges", "votes") if len(ballots.judges) > 5 else ("votes",):
        _, ours = compare(ballots, specs(ballots), held_back=held_back)
        assert ours.worse <= 2 * ours.error


def test_a_picture_of_two_scales_says_that_they_cannot_be_compared():
    from matplotlib.figure import Figure

    from juryrank.votes.fitting.figures import _calibration, _judges, _scores

    rows = [(f"j{u}", *pair, winner) for u in range(9) for pair in ("ab", "bc", "xy") for winner in pair]
    ax, judges, fit = Figure().subplots(3)
    fitted = juryrank.fit(rows)
    _scores(ax, fitted)
    _judges(judges, fitted)
    _calibration(fit, fitted)
    (said,) = [text.get_text() for text in ax.texts]
    assert "cannot be compared" in said
    assert judges.get_ylim()[0] <= 0.5 and judges.get_ylim()[1] >= 2
    ends = [end for line in fit.collections for path in line.get_paths() for end in path.vertices[:, 1]]
    assert min(ends) >= 0 and max(ends) <= 1


def test_one_duplicate_row_is_one():
    found = juryrank.fit(b"judge,left,right,winner\nann,x,y,x\nann,x,y,x\n")
    words = " ".join(check.words for check in found.checks)
    assert "duplicate rows: 1 that say the same" in words and "1 rows" not in words and "1 items" not in words


def of_cases(judges, cases=30):
    """Rows with a case each: every judge answers two pairs of every case."""
    ballots, _ = world(np.random.default_rng(11), items=4, judges=judges, votes=2 * cases)
    names = ("judge", "left", "right", "winner")
    return [
        dict(zip(names, row, strict=True)) | {"case": k // 2 % cases} for k, row in enumerate(rows_of(ballots))
    ]


def test_with_few_judges_whole_cases_are_held_back():
    assert {row.held_back for row in juryrank.fit(of_cases(3)).compare(folds=2)} == {"cases"}
    assert {row.held_back for row in juryrank.fit(of_cases(6)).compare(folds=2)} == {"judges"}
    without = [{name: row[name] for name in row if name != "case"} for row in of_cases(3)]
    assert {row.held_back for row in juryrank.fit(without).compare(folds=2)} == {"votes"}
    with pytest.raises(BadInput, match="no column for cases"):
        juryrank.fit(without).compare(held_back="cases")


def test_a_share_of_votes_that_lean_by_case_is_less_sure():
    """On half of the cases everybody prefers the left: 60 votes are 20 cases then."""
    rows = [(f"j{u}", "a", "b", "left" if c % 2 else "right", f"c{c}") for u in range(2) for c in range(20)]
    names = ("judge", "left", "right", "winner", "case")
    with_cases = juryrank.fit([dict(zip(names, row, strict=True)) for row in rows])
    alone = juryrank.fit([row[:4] for row in rows])
    wide = [check(fit, "sides").details["high"] for fit in (with_cases, alone)]
    assert wide[0] > wide[1] + 0.04
