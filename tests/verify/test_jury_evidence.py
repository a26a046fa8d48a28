"""Evidence of a jury is never more than fractions give: payoffs that cancel, judges who weigh next to nothing."""

import random
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from juryrank.verify import verify
from juryrank.verify.jury.cells import Draw
from juryrank.verify.jury.counting import SettledDraws
from juryrank.verify.jury.evidence import Backed, most_evidence, payoffs
from tests.verify.logs import drawn_up, names_failed, reforge
from tests.verify.test_jury import played

GRADES = (1.0, -1.0, 0.5, 0.1, -0.1, 1 / 3, -1 / 3, 5e-324, -1 + 2**-53)
WEIGHTS = ([1.0], [1.0, 1.0], [1.0, 1e-9], [1.0, 1e-13], [3.0, 0.1, 1 / 3])


TINY = Fraction(1, 10**280)


def draws_of(rng, weights, cases):
    """Each cell of a pair once, in some order, with chances by open weight; and the weights as shares."""
    shares = [weight / sum(weights) for weight in weights]
    cells = [(u, case) for u in range(len(weights)) for case in range(cases)]
    rng.shuffle(cells)
    left, found = [cases] * len(weights), []
    for u, case in cells:
        due = [share * many for share, many in zip(shares, left, strict=True)]
        chances = tuple(part / sum(due) for part in due)
        said = {0: rng.choice([*GRADES, rng.uniform(-1, 1), None])}
        found.append(Draw(u, (case, 0), 1, chances, [None], answers=said))
        left[u] -= 1
    return shares, found


def exact_payoffs(shares, draws, cases, sign, epsilon):
    """Y of each draw as it is, and what its parts come to, in size."""
    seen, size, left = Fraction(), Fraction(), [cases] * len(shares)
    for draw in draws:
        (x,) = draw.answers.values()
        z = Fraction() if x is None else sign * Fraction(x) + 2 * Fraction(epsilon)
        share = Fraction(shares[draw.judge])
        payoff = share * left[draw.judge] / cases / Fraction(draw.chances[draw.judge]) * z
        yield seen + payoff, size + abs(payoff)
        seen += share * z / cases
        size += share / cases
        left[draw.judge] -= 1


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_no_payoff_is_more_than_fractions_give(weights):
    for seed in range(20):
        rng = random.Random(seed)
        cases = rng.choice([1, 7, 60])
        shares, draws = draws_of(rng, weights, cases)
        setup = SimpleNamespace(judges=weights, shares=tuple(shares), against=False, fresh=False)
        counting = SettledDraws(setup, cases, draws)
        for sign in (1, -1):
            for epsilon in (0.0, 0.02, 0.1):
                _, rounded = payoffs(counting.rows, sign, epsilon)
                for y, (true, size) in zip(
                    rounded.tolist(), exact_payoffs(shares, draws, cases, sign, epsilon), strict=True
                ):
                    assert true - (size + TINY) / 10**11 < Fraction(y) <= true


def test_many_claims_at_once_are_what_each_is_alone():
    rng, claims = random.Random(1), []
    for cases in (1, 3, 40, 40, 90, 2000):
        shares, draws = draws_of(rng, [1.0, 2.0], cases)
        setup = SimpleNamespace(judges=shares, shares=tuple(shares), against=False, fresh=False)
        counting = SettledDraws(setup, cases, draws)
        claims += [
            Backed(counting, sign, start, (0.3, 0.1), 1.0) for sign in (1, -1) for start in (0, 1, 2 * cases)
        ]
    together = most_evidence(claims, 0.05)
    alone = [most_evidence([claim], 0.05)[0] for claim in claims]
    assert np.allclose(together, alone, rtol=1e-12, atol=0) and max(together) > 0


def test_a_chance_that_is_small_is_still_the_rule_s():
    """A judge of little weight, with half of its chance: payoffs by the recorded chance would count it double."""
    weights = {"m0": 1.0, "m1": 1e-10, "m2": 1.0}
    document = played({"objective": "best", "resolution": 0.1, "weights": weights}, seed=2, most=40).certificate()
    assert verify(document).true
    first = next(event["data"]["terms"] for event in document["events"] if event["kind"] == "asked")
    first["chances"][1] /= 2
    report = verify(drawn_up(reforge(document)["events"], order=document["estimates"]["order"]))
    assert not report.true and "draws" in names_failed(report)
    assert "not by weight and price" in report.failures[0].words
