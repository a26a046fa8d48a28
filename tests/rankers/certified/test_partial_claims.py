"""A proof that is stopped early claims nothing that the whole proof would withdraw: repeats may be memory."""

import itertools
import random

import pytest

from juryrank import create_study, rank
from juryrank.storage import MemoryStorage
from juryrank.verify import verify
from tests.quick import quick

ITEMS = "abcdefgh"


def stubborn(seed, wrong=3):
    """A program that always says the same, and is wrong about some neighbours."""
    rng = random.Random(seed)
    pairs = {frozenset(pair) for pair in rng.sample(list(itertools.pairwise(ITEMS)), wrong)}
    return lambda left, right: (max if {left, right} in pairs else min)(left, right)


def says_the_same(result):
    """The certificate of a result, which says and claims what the result does."""
    report = verify(result.certificate())
    assert report.true and report.statement == result.statement
    assert report.ranges == result.ranges
    assert len(report.result["claims"]) == len({(c["better"], c["worse"]) for c in result.details.claims})
    return report


@pytest.mark.parametrize("budget", range(40, 84, 4))
@pytest.mark.parametrize("seed", quick([1, 2]))
def test_a_program_that_is_wrong_claims_nothing_before_it_is_found_out(budget, seed):
    """Stopped at 50 it once claimed six links, two of them false; with 70 everything was withdrawn."""
    result = rank(list(ITEMS), {"p": stubborn(seed)}, fresh=True, ranker="certified", budget=budget, seed=seed)
    assert not [link for link in result.links if link.settled]
    assert set(result.ranges) == {(1, len(ITEMS))}
    report = verify(result.certificate())
    assert report.true and not report.result["claims"]


@pytest.mark.parametrize("objective", ["best", "top-2"])
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
@pytest.mark.parametrize("budget", [20, 30, 40])
def test_so_it_is_for_every_objective_and_assumption(objective, assume, budget):
    judges = {"p": stubborn(2), "q": stubborn(2)}
    result = rank(
        list(ITEMS), judges, fresh=True, ranker="certified", budget=budget, seed=1, goal=objective, assume=assume
    )
    assert set(result.ranges) == {(1, len(ITEMS))}
    if result.details.phase != "certified":
        says_the_same(result)


def partial(judge, *, error=0.2):
    """Results of one judge, each stopped while the list was being proven."""
    budgets = range(24, 100, 6)
    runs = (rank(list(ITEMS), {"p": judge}, fresh=True, ranker="certified", budget=budget, seed=3, error=error)
            for budget in budgets)  # fmt: skip
    found = [run for run in runs if run.details.phase == "prove" and run.details.proven_links > 1]
    assert found
    return found


def test_a_judge_who_changes_answers_now_and_then_is_believed_before_the_end():
    rng = random.Random(5)
    runs = partial(lambda left, right: (min if rng.random() < 0.85 else max)(left, right))
    assert sum(len(says_the_same(run).result["claims"]) for run in runs) > 0


def test_one_who_never_does_is_not_and_the_result_says_why():
    for run in partial(min):
        assert not says_the_same(run).result["claims"]
        assert any("Judge p never gave another answer when asked a pair again" in words for words in run.warnings)


@pytest.mark.parametrize("budget", [7, 9, 11, 13, 15, 17])
def test_on_few_pairs_a_partial_statement_names_whom_it_rests_on(budget):
    """With three items there is no fourth pair to ask about: the judge is believed, and named."""
    result = rank(list("abc"), {"ann": min}, fresh=True, ranker="certified", budget=budget, seed=2, error=0.1)
    says_the_same(result)
    if result.details.claims:
        assert "It rests on repeated answers of ann" in result.statement


@pytest.mark.parametrize(("seeds", "every"), [([1], 18), pytest.param(range(4), 9, marks=pytest.mark.slow)])
@pytest.mark.parametrize("assume", quick(["better-than-chance", "steady"]))
def test_claims_of_an_attempt_that_was_left_are_held_to_the_same(assume, seeds, every):
    """Items join while some links are claimed: what rests on a program that never changes stays out."""
    kept = 0
    for seed in seeds:
        study = create_study(
            list(ITEMS), name=f"s{seed}", judges=["p", "q"], ranker="certified", error=0.2, seed=seed,
            storage=MemoryStorage(), options={"repeats": None, "assume": assume},
        )  # fmt: skip
        tell, rng = stubborn(seed), random.Random(seed)
        for turn in range(160):
            question = study.ask()
            if question is None:
                break
            fickle = question.judge == "q" and rng.random() < 0.2
            study.tell(question.id, (max if fickle else tell)(question.left, question.right))
            if turn == 60:
                study.add_items(["z"])
            if turn % every == 0:
                now = study.ranking()
                report = verify(study.certificate())
                assert report.true  # the ranker claims no more; under steady it looks at a link when it asks
                assert assume == "steady" or report.ranges == now.ranges
                said = assume == "steady" or now.details.phase == "certified"
                assert said or report.statement == now.statement
                kept += turn > 60 and bool(now.details.claims)
    assert kept
