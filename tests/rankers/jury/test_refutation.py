"""What is required is proven, refuted, or neither: the refutation keeps its level; silence refutes nobody."""

import copy
import json

import pytest

from juryrank import SKIP, rank
from juryrank.rankers.jury.core.counting import refutation_of
from juryrank.rankers.jury.ranker import Jury
from juryrank.verify.check import verify
from tests.statistics import lower_bound

CASES = 20
ERROR = 0.2


def table(wins, ties=0):
    """Of 40 cells (case, side), so many are for `new`."""
    values = [1] * wins + [0] * ties + [-1] * (2 * CASES - wins - ties)
    return {(case, side): values[(7 * (2 * case + side)) % 40] for case in range(CASES) for side in range(2)}


def play(values, *, seed, claims=("new over old",), items=("new", "old"), fail=None, **options):
    """Ask to the end; every pair has the same table, from the side of whoever stands first in `items`."""
    how = {"require": list(claims), "error": ERROR, "seed": seed, "resolution": 0, **options}
    jury = Jury(list(items), judges=["j"], cases=CASES, **how)
    while (question := jury.ask()) is not None:
        first_left = items.index(question.left) < items.index(question.right)
        x = values[int(question.case) - 1, 0 if first_left else 1]
        first, second = (question.left, question.right) if first_left else (question.right, question.left)
        if fail is not None and fail(x):
            jury.fail(question)
        else:
            jury.tell(question, first if x > 0 else second if x < 0 else SKIP)
    return jury


@pytest.mark.parametrize("runs", [20, pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(3600)])])
@pytest.mark.parametrize("wins", [20, 21], ids=["an exact tie", "one answer ahead"])
def test_a_claim_that_holds_is_refuted_as_seldom_as_promised(wins, runs):
    """At a tie both directions hold: it is proven in the end, and refuted before with probability δ at most."""
    found = [play(table(wins), seed=seed) for seed in range(runs)]
    assert lower_bound(sum(jury.ranking.refuted for jury in found), runs) <= 0.8 * ERROR  # the first list's level
    assert all(jury.ranking.proven != jury.ranking.refuted for jury in found)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_of_two_claims_that_hold_none_is_refuted_more_often():
    """Both at the very edge: what is refuted is that both hold."""
    runs, three, claims = 400, ("new", "mid", "old"), ("new over old", "mid over old")
    found = [play(table(20), seed=seed, items=three, claims=claims) for seed in range(runs)]
    assert lower_bound(sum(jury.ranking.refuted for jury in found), runs) <= 0.8 * ERROR


def test_a_claim_that_fails_is_refuted_in_fewer_calls_than_the_table_has():
    found = [play(table(8), seed=seed) for seed in range(12)]
    assert all(jury.ranking.refuted for jury in found)
    assert sum(jury.questions for jury in found) / 12 < 25
    assert "With probability at least 80 %: new gets less than 50 % of the answers" in found[0].ranking.statement


def test_nobody_is_refuted_by_calls_that_fail():
    """Every answer for `new` is lost: what is left is against it, and might be the whole truth or nothing."""
    jury = play(table(30), seed=3, fail=lambda x: x > 0)
    assert not jury.ranking.proven and not jury.ranking.refuted
    assert "is not at least as good" not in jury.ranking.statement


def test_of_two_claims_it_is_refuted_that_both_hold():
    three = ("new", "mid", "old")
    jury = play(table(6), seed=1, items=three, claims=("new over old", "mid over old"))
    assert jury.ranking.refuted and "not all 2 required claims hold" in jury.ranking.statement
    attempt = jury.state.machine.attempts[0]
    assert refutation_of(attempt).level == attempt.level / 2
    assert jury.state.machine.refutation.level == attempt.level / 2
    rows = jury.ranking.details.jury
    assert rows["refuted"] and not any(row["refuted"] for row in rows["claims"])  # not which one


def test_of_two_claims_the_one_that_is_counted_false_is_refuted_by_itself():
    three = ("new", "mid", "old")
    jury = play(table(0), seed=1, items=three, claims=("new over old", "old over mid"), error=1e-9)
    rows = {row["better"]: row["refuted"] for row in jury.ranking.details.jury["claims"]}
    assert jury.ranking.refuted and rows == {"new": True, "old": False}


@pytest.mark.parametrize("wins", [0, 12])
def test_refusals_that_count_against_a_claim_are_named_where_they_do(wins):
    """Nobody said that `new` is worse: all refused, or those who did not were for `new`."""
    jury = play(table(wins, ties=40 - wins), seed=1, refusals="against")
    assert not jury.ranking.proven and not jury.ranking.refuted
    said = "Counted: new is not at least as good as old, with refusals counted against it."
    assert jury.ranking.statement == said


def test_only_the_finest_resolution_is_refuted():
    """45 % of the answers: at least as good at .1, not exactly."""
    jury = play(table(18), seed=2, resolution="falling")
    assert jury.ranking.proven and jury.ranking.resolution == 0.05 and not jury.ranking.refuted
    assert play(table(18), seed=2, resolution=0.02).ranking.refuted


def test_a_restored_gate_goes_on_alike():
    whole = play(table(12), seed=5)
    how = {"require": ["new over old"], "error": ERROR, "seed": 5, "resolution": 0}
    jury = Jury(["new", "old"], judges=["j"], cases=CASES, **how)
    values = table(12)
    while (question := jury.ask()) is not None:
        jury = Jury.restore(json.loads(json.dumps(jury.snapshot())))
        x = values[int(question.case) - 1, 0 if question.left == "new" else 1]
        jury.tell(question, "new" if x > 0 else "old")
    assert jury.questions == whole.questions and jury.ranking.refuted
    assert jury.state.machine.refutation.most.tolist() == whole.state.machine.refutation.most.tolist()


# ----------------------------------------------------------------------------
# The checker finds the same by itself, and no forged refutation passes
NAMES = [f"c{n}" for n in range(40)]
SYSTEMS = {name: {case: f"{name} {case}" for case in NAMES} for name in ("new", "old")}


def run(wins, **options):
    def judge(left, right, case):
        new, old = (left, right) if left.startswith("new") else (right, left)
        return new if int(str(new).split("c")[-1]) < wins else old

    return rank(SYSTEMS, {"j": judge}, goal="new over old", seed=1, **options)


@pytest.fixture(scope="module")
def refuted():
    result = run(8)
    assert result.refuted and not result.proven
    return result


def test_the_checker_confirms_a_refutation_in_the_same_words(refuted):
    report = verify(refuted.certificate(), rerun=True)
    assert report.verdict == "refuted" and report.statement == refuted.statement and not report.proven
    ((better, worse, level),) = report.result["details"]["refuted"]
    assert (better, worse) == ("new", "old") and level == pytest.approx(0.04)


def claim_more(document, honest):
    """The events of a run that ended too soon, with the result of one that refuted."""
    document["result"] = {**document["result"], **{k: honest["result"][k] for k in ("promise", "details")}}


def finer_level(document, honest):
    document["result"]["details"]["refuted"][0][2] = 0.001


def turned_round(document, honest):
    row = document["result"]["details"]["refuted"][0]
    row[0], row[1] = row[1], row[0]


def not_mentioned(document, honest):
    del document["result"]["details"]["refuted"]


@pytest.mark.parametrize("forge", [claim_more, finer_level, turned_round, not_mentioned])
def test_a_forged_refutation_is_not_true(forge, refuted):
    honest = refuted.certificate()
    document = copy.deepcopy(run(8, budget=3).certificate() if forge is claim_more else honest)
    assert verify(document).true
    forge(document, honest)
    assert not verify(document).true


def test_what_is_refuted_by_count_needs_no_level():
    report = verify(run(19, error=1e-9).certificate())
    assert report.verdict == "refuted" and report.result["details"]["refuted"] == [["new", "old", None]]
    assert report.statement.startswith("Counted: new is not at least as good as old.")
