"""A claim that is counted is true to the last digit, whoever weighs how little; the ranker claims the same."""

import random

import pytest

from juryrank.run.session import Session
from juryrank.types import TIE, Grade
from juryrank.verify import verify
from tests.verify.logs import drawn_up


def tied_but_for(weight):
    """The heavy judge is always undecided, the light one prefers B."""
    weights = {"heavy": 1.0, "light": weight}
    options = {"cases": 4, "resolution": 0.0, "weights": weights, "objective": "best"}
    session = Session(["A", "B"], judges=list(weights), ranker="jury", error=0.05, seed=3, options=options)
    while (question := session.ask()) is not None:
        session.tell(question, TIE if question.judge == "heavy" else "B")
    return session


@pytest.mark.parametrize("weight", [1e-9, 1e-12, 9e-13, 1e-16, 1e-30])
def test_a_judge_of_next_to_no_weight_still_turns_a_tie(weight):
    """A over B was called counted at 9e-13, and a run at 1e-12 ended in "the ranker claims more"."""
    made = tied_but_for(weight).certificate()
    report = verify(made)
    assert report.true and report.proven and made["estimates"]["order"] == ["B", "A"]
    other = verify(drawn_up(made["events"], order=["A", "B"]))
    assert not other.proven and not other.result["claims"]


@pytest.mark.parametrize("sides", ["random", "both", "single"])
@pytest.mark.parametrize("graded", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_one_half_is_one_half_for_ranker_and_checker(sides, graded, seed):
    """0.1 + 0.2 against 0.3: whole ties, in decimals that no float has."""
    weights = {"m": 0.1, "n": 0.2, "o": 0.3}
    options = {"cases": 3, "resolution": 0.0, "weights": weights, "sides": sides, "objective": "order"}
    session = Session(["A", "B"], judges=list(weights), ranker="jury", error=0.01, seed=seed, options=options)
    while (question := session.ask(random.Random(seed).choice(list(weights))) or session.ask()) is not None:
        wins = "B" if question.judge == "o" else "A"
        size = 0.7 if wins == question.left else -0.7
        session.tell(question, Grade(size) if graded else wins)
    report = verify(session.certificate())
    assert report.true and report.proven and "Counted" in report.statement
    if graded and sides == "both":  # the ranker keeps the mean of two grades as a float, and is on the safe side
        assert not session.ranking.proven
    else:
        assert session.ranking.statement == report.statement


def test_a_share_at_the_edge_of_a_resolution_is_counted():
    """At ε = 0.15, 35 % of the answers are enough; as a float, 0.15 is a little less."""
    options = {"cases": 20, "resolution": 0.15, "sides": "single", "require": ["A over B"]}
    session = Session(["A", "B"], judges=["m"], ranker="jury", error=1e-6, seed=1, options=options)
    while (question := session.ask()) is not None:
        session.tell(question, "A" if int(question.case) <= 7 else "B")
    report = verify(session.certificate())
    assert report.true and report.proven and session.ranking.proven
