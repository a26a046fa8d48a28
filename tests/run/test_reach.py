"""A budget too small to prove anything is spent on the best guess, and the result says so."""

import pytest

import juryrank
from juryrank.judges import simulated
from juryrank.run.options import out_of_reach
from tests.ranking import rank_with

ITEMS = [f"{k:02}" for k in range(12)]
JUDGES = simulated(ITEMS, {"good": 0.95, "fair": 0.8}, seed=1)


def test_a_small_budget_is_spent_on_the_best_guess():
    result = juryrank.rank(ITEMS, JUDGES, about="truth", budget=30, seed=1)
    assert result.ranker == "guess" and not result.proven and len(result.order) == 12
    assert "judges who never err did not" in result.details.reason and "No promise" in result.statement


@pytest.mark.parametrize(
    "how", [{"budget": 400}, {"budget": 30, "ranker": "certified"}, {"budget": 30, "patience": 9}]
)
def test_a_proof_in_reach_a_named_ranker_or_an_option_of_it_stand(how):
    assert rank_with(ITEMS, JUDGES, fresh=True, seed=1, **how).ranker == "certified"


def test_good_judges_decide_what_is_in_reach():
    how = {"items": 8, "judges": ["ann", "bob", "cem"], "error": 0.1}
    assert out_of_reach("certified", {}, budget=None, **how) == ""
    assert out_of_reach("certified", {}, budget=114, **how) == ""
    said = out_of_reach("certified", {}, budget=238, **{**how, "items": 20})  # who never errs would prove it
    assert "238 questions hardly prove the order of 20 items (none of 20 trial plays with judges" in said
    assert "25 questions hardly prove" in out_of_reach("certified", {}, budget=25, **how)
    assert out_of_reach("panel", {"about": "panel"}, budget=30, **how) == ""  # two agree: a majority of three
    alone = out_of_reach("panel", {"about": "panel"}, budget=1, **how)
    assert "1 question hardly proves anything about 8 items" in alone and "goal='order'" in alone


def test_the_reason_says_what_was_tried_and_not_what_can_never_be():
    """Judges who never err may prove an order with a budget that was too small in the trial play."""
    items = [f"{k:02}" for k in range(8)]
    jury = dict.fromkeys("abc", min)
    enough = juryrank.rank(items, jury, fresh=True, ranker="certified", seed=2)
    assert enough.proven
    said = juryrank.rank(items, jury, about="truth", budget=enough.questions, seed=2).details.reason
    assert "trial play with judges who never err did not" in said and "even if" not in said
