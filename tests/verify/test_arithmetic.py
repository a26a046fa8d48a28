"""The checker's evidence is never more than fractions give, and never too little for an honest ranker."""

import math
import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from juryrank.core.compiling import without_compiling
from juryrank.core.levels import MARGIN
from juryrank.rankers.certified.core.prove.attempt import write_prior
from juryrank.rankers.certified.core.prove.evidence import BETA, GRID_SIZE, PRIOR_SIZE
from juryrank.rankers.certified.ranker import Certified
from juryrank.verify.arithmetic.evidence import (
    SHAPES,
    AccuracyPrior,
    Mixture,
    log_of_best,
    log_of_majority,
    log_of_mean,
    logs_of_edge,
    majority,
    settles,
)
from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.arithmetic.rounding import below, needed_at
from juryrank.verify.certified.attempts import Attempt
from juryrank.verify.certified.recount import evidence_of
from juryrank.verify.record import Asked
from juryrank.verify.room import Room
from tests.verify import exact

ENDS = (0.0, 5e-324, 1e-300, 1e-17, 2.0**-53, 0.02, 0.5, 0.98, 1 - 1e-16, math.nextafter(1, 0))
NOISE = Decimal("1e-50")  # of the exact logarithm itself
LOSS = MARGIN / 10  # what rounding down may take from honest evidence, at most


def attempt_of(links, votes, *, assume, priors=()):
    """An attempt at a list of so many links and its votes: (judge, link, agrees, bet)."""
    order = [f"i{k}" for k in range(links + 1)]
    attempt = Attempt(1, 1, order, Fraction(1, 25), list(range(links)), assume)
    attempt.priors = {
        judge: AccuracyPrior(weights, tuple(beta)) for judge, (weights, beta) in dict(priors).items()
    }
    questions = []
    for q, (judge, k, agrees, bet) in enumerate(votes, start=1):
        terms = {"link": [order[k], order[k + 1]], "bet": bet}
        answer = "left" if agrees else "right"
        questions.append(Asked(q, q, judge, order[k], order[k + 1], terms, answer=answer, told=q))
    return attempt, questions


def close_below(rounded, fraction, loss):
    """At most the exact logarithm, and hardly less."""
    true = exact.log_of(fraction)
    assert Decimal(float(rounded)) <= true + NOISE, (rounded, true)
    assert true - Decimal(float(rounded)) < Decimal(loss)


def random_bet(rng):
    return rng.choice([rng.choice(ENDS), rng.random(), 10 ** rng.uniform(-20, 0), 1 - 10 ** rng.uniform(-16, 0)])


@pytest.mark.parametrize("seed", range(30))
def test_bets_never_give_more_than_fractions(seed):
    rng = random.Random(seed)
    chance = rng.choice([0.2, 0.5, 0.8, 1.0])
    votes = [("j", 0, rng.random() < chance, random_bet(rng)) for _ in range(rng.choice([1, 2, 7, 40, 400]))]
    attempt, questions = attempt_of(1, votes, assume="better-than-chance")
    close_below(evidence_of(attempt, questions)[0], exact.bets((bet, agrees) for *_, agrees, bet in votes), 1e-9)


@pytest.mark.parametrize(("bet", "agrees"), [(bet, agrees) for bet in ENDS for agrees in (True, False)])
def test_a_long_product_of_one_bet(bet, agrees):
    """Up and down again: what rounding loses is small, and never won."""
    votes = [("j", 0, agrees ^ (k % 2 == 0), bet) for k in range(301)]
    attempt, questions = attempt_of(1, votes, assume="better-than-chance")
    close_below(evidence_of(attempt, questions)[0], exact.bets((bet, agrees) for *_, agrees, bet in votes), 1e-8)


def random_prior(rng):
    """Weights on the grid and a Beta, both in the range that a checker allows."""
    share = rng.choice([0.0, 0.5, 1.0, rng.random(), 1e-12])
    raw = [rng.choice([0.0, 5e-324, rng.random(), rng.random() ** 20]) for _ in range(GRID_SIZE)]
    total = sum(raw) or 1.0
    weights = [(1 - share) * weight / total for weight in raw]
    weights[0] += max(0.0, 1 - share - sum(weights))
    ends = math.log10(SHAPES[0]), math.log10(SHAPES[1])
    beta = [share, *(rng.choice([*SHAPES, 10 ** rng.uniform(*ends)]) for _ in range(2))]
    return weights, beta


@pytest.mark.parametrize("seed", range(40))
def test_a_mixture_never_gives_more_than_fractions(seed):
    rng = random.Random(seed)
    weights, beta = random_prior(rng)
    mixture, chance = Mixture(AccuracyPrior(weights, tuple(beta))), rng.choice([0.0, 0.5, 0.9, 1.0])
    for _ in range(rng.choice([1, 2, 20, 150])):
        mixture.answer(rng.random() < chance)
    assert mixture.log <= 0
    close_below(mixture.log, exact.mixture(weights, beta, mixture.agreeing, mixture.disagreeing), 1e-9)


def test_a_supremum_is_never_less_than_fractions():
    for answers in (1, 2, 3, 10, 99, 1000):
        for right in {0, 1, answers // 2, answers // 2 + 1, answers - 1, answers}:
            found = log_of_best(right, answers)
            assert 0 >= found and Decimal(found) >= exact.log_of(exact.best(right, answers)), (right, answers)


@pytest.mark.parametrize("seed", range(12))
def test_steady_evidence_never_exceeds_fractions(seed):
    rng = random.Random(seed)
    links, priors = rng.choice([1, 3, 6]), {judge: random_prior(rng) for judge in "abc"}
    chance = rng.choice([0.1, 0.6, 0.95])
    votes = [(rng.choice("abc"), rng.randrange(links), rng.random() < chance, 0.0) for _ in range(60)]
    attempt, questions = attempt_of(links, votes, assume="steady", priors=priors)
    logs = evidence_of(attempt, questions)
    for k in range(links):
        close_below(logs[k], exact.steady(priors, [vote[:3] for vote in votes], k), 1e-9)


def test_scores_never_exceed_fractions():
    rng = random.Random(7)
    for most in (2, 6, 10):
        edges = [rng.randint(-most, most) for _ in range(300)]
        logs = [0.0] * 5
        for edge in edges:
            logs = [below(old + new, 0.0) for old, new in zip(logs, logs_of_edge(edge, most), strict=True)]
        close_below(log_of_mean(logs), exact.scores([Fraction(edge, most) for edge in edges]), 1e-9)


@pytest.mark.parametrize("error", [0.05, 0.1, 1 / 3, 1 - 2**-53, 1e-7, 1e-300, 5e-324])
def test_what_is_needed_is_never_less_than_fractions(error):
    for level in (Fraction(error), *(attempt_level(error, attempt) for attempt in (1, 2, 50, 10**9))):
        true = exact.log_of(1 / level)
        assert 0 <= Decimal(needed_at(level)) - true < Decimal("1e-11")


def test_a_majority_is_decided_as_in_fractions():
    """Also at a level that it meets to the last digit, and at one that it misses by less than a double shows."""
    rng, hair = random.Random(3), 1 + Fraction(1, 10**30)
    for answers in [1, 2, 3, 7, 20, 150, 900]:
        for _ in range(25):
            wins = rng.randint(0, answers)
            exactly = majority(wins, answers - wins)
            tally = wins, answers - wins
            assert math.isclose(log_of_majority(*tally), exact.log_of(exactly), rel_tol=1e-11, abs_tol=1e-11)
            for level in (1 / exactly, 1 / exactly / hair, 1 / exactly * hair, Fraction(1, 20)):
                assert settles(*tally, level, Room()) is (2 * wins > answers and exactly * level >= 1)


@pytest.mark.parametrize("many", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_of_many_answers_rounding_takes_less_than_a_ranker_leaves(many):
    """So many bets at a link, and a fiftieth of them as answers of a steady judge."""
    rng = random.Random(1)
    votes = [("j", 0, rng.random() < 0.52, 0.04) for _ in range(many)]
    true = math.fsum(math.log1p(0.04 if agrees else -0.04) for *_, agrees, _ in votes)
    assert 0 < true - evidence_of(*attempt_of(1, votes, assume="better-than-chance"))[0] < LOSS
    prior, votes = {"j": ([0.5 / GRID_SIZE] * GRID_SIZE, [0.5, 70.0, 30.0])}, votes[: many // 50]
    found = evidence_of(*attempt_of(1, votes, assume="steady", priors=prior))[0]
    close_below(found, exact.steady(prior, [vote[:3] for vote in votes], 0), LOSS)


def posteriors(rng):
    """What may be known of a judge: everything between one accuracy and two far apart."""
    for low in range(GRID_SIZE):
        for high in range(low, GRID_SIZE):
            for share in (0.5, 1e-3, 0.999, 0.9995, 0.9998, float(rng.random())):
                known = np.zeros(GRID_SIZE)
                known[low] += 1 - share
                known[high] += share
                yield known
    for spread in (0.1, 1.0, 10.0):
        yield from rng.dirichlet([spread] * GRID_SIZE, size=40)


def test_shapes_that_a_ranker_writes_are_in_the_range_that_the_checker_allows():
    with without_compiling():
        machine = Certified("abc", judges=["ann"], assume="steady")._machine
        shapes = []
        for known in posteriors(np.random.default_rng(3)):
            machine.jury.posterior[0] = known
            prior = np.zeros(PRIOR_SIZE)
            write_prior(machine, 0, prior)
            shapes += prior[BETA + 1 :].tolist()
    assert SHAPES[0] * 5 < min(shapes) and max(shapes) < SHAPES[1] / 2
    assert min(shapes) == pytest.approx(7e-4, rel=0.1) and max(shapes) == pytest.approx(3.6e5, rel=0.1)
