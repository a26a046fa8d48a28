"""Every ranker of the paper asks what the paper's pseudocode asks, question by question, on the same answers."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from juryrank.core import chance
from juryrank.rankers import make_ranker
from juryrank.rankers.contract.limits import JUDGE_STREAM
from juryrank.rankers.paper.two_stage import TIE_STREAM, default_subset
from juryrank.verify.paper.pseudocode import Globals, PaperSettings

RANKERS = ("iir", "ada-iir", "oracle", "two-stage", "two-stage/median", "subset-two-stage")


def answer_pattern(kind, seed, n_judges):
    """How judges answer: well, at chance, always the newcomer, by turns, or each with an accuracy of its own."""
    rng = random.Random(seed)
    truth = list(range(100))
    rng.shuffle(truth)
    accuracy = [rng.uniform(0.45, 1) for _ in range(n_judges)]

    def prefers(judge, z, j, k):
        if kind == "turns":
            return k % 2 == 0
        if kind == "newcomer":
            return True
        right = {"perfect": 1.0, "chance": 0.5, "good": 0.9}.get(kind, accuracy[judge])
        return (truth[z] > truth[j]) == (rng.random() < right)

    return prefers


def reference(name, run, n_items, error, seed, n_judges, alpha, subset):
    users = list(range(n_judges))
    if name == "oracle":
        return run.iir(list(range(n_items)), error, [n_judges - 1])
    if name in ("iir", "ada-iir"):
        return run.iir(list(range(n_items)), error, users)
    if name == "subset-two-stage":
        members = sorted(chance.shuffled(users, seed, 4)[:subset])
        step = alpha if run.set.released else alpha / 2
        return run.two_stage(members=members, stages=4, alpha=step)
    return run.two_stage(
        members=users,
        stages=3,
        alpha=alpha,
        median=name.endswith("median"),
        tie_break=lambda asked, u: chance.uniform(seed, TIE_STREAM, asked + u),
    )


def play_both(name, constants, n_items, n_judges, error, seed, kind, most):
    """Feed ranker and pseudocode the same answers; both must ask the same and end alike."""
    alpha = 0.3 if "median" in name else {"paper": 0.15, "released": 0.05}[constants]
    options = {"constants": constants}
    if name == "oracle":
        options["best"] = n_judges - 1
    if "two-stage" in name:
        options["alpha"] = alpha
    if name.endswith("median"):
        options["selection"] = "median"
    ranker = make_ranker(
        name.split("/")[0], range(n_items), judges=range(n_judges), error=error, seed=seed, budget=most, **options
    )
    rules = PaperSettings(n_items, n_judges, error, constants == "released", name == "ada-iir")
    run = Globals(rules)
    subset = default_subset(n_judges, alpha=alpha, error=error)
    steps = reference(name, run, n_items, error, seed, n_judges, alpha, subset)
    prefers = answer_pattern(kind, seed, n_judges)
    expected = next(steps)
    for k in range(most):
        question = ranker.ask()
        judge, z, j = chance.pick(sorted(expected.users), seed, JUDGE_STREAM, k + 1), expected.z, expected.j
        assert question is not None, f"the ranker stopped after {k} questions; the paper would ask {expected}"
        assert (question.judge, {question.left, question.right}) == (judge, {z, j}), f"question {k + 1}"
        assert question.terms == {"stage": expected.stage, "duel": expected.duel}
        yes = prefers(judge, z, j, k)
        ranker.tell(question, z if yes else j)
        try:
            expected = steps.send((judge, yes))
        except StopIteration as end:
            assert ranker.done and ranker.ranking.order == tuple(reversed(end.value))
            if name == "ada-iir":
                assert [r.name for r in ranker.judges if r.active] == run.users
            if name in ("iir", "ada-iir", "oracle"):
                assert [r.right for r in ranker.judges] == run.n
                assert [r.asked for r in ranker.judges] == run.s
            return k + 1
    return most


@pytest.mark.parametrize("constants", ["paper", "released"])
@pytest.mark.parametrize("name", RANKERS)
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    n_items=st.integers(2, 9),
    n_judges=st.integers(1, 6),
    error=st.sampled_from([0.01, 0.1, 0.25, 0.9]),
    seed=st.integers(0, 2**32),
    kind=st.sampled_from(["perfect", "good", "own", "chance", "newcomer", "turns"]),
)
def test_same_questions(name, constants, n_items, n_judges, error, seed, kind):
    play_both(name, constants, n_items, n_judges, error, seed, kind, most=1500)


@pytest.mark.parametrize(("name", "constants"), [("iir", "paper"), ("ada-iir", "released")])
def test_same_to_the_end(name, constants):
    """Whole runs, with an elimination in the middle for ada-iir."""
    asked = play_both(name, constants, 5, 3, 0.25, 11, "own", most=200_000)
    assert 100 < asked < 200_000
