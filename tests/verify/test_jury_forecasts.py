"""Forecasts in certificates: recounted by other code, never more than fractions give, and not forged."""

import copy
import random
from fractions import Fraction
from types import SimpleNamespace

import pytest

from juryrank.rankers.jury.core.forecasts import Forecasts, keep
from juryrank.verify import verify
from juryrank.verify.jury.counting import SettledDraws
from juryrank.verify.jury.evidence import THETAS, Backed, most_evidence, payoffs_with_forecasts
from juryrank.verify.jury.forecasts import CellForecasts
from juryrank.verify.jury.lists import backed
from juryrank.verify.jury.setup import read_setup
from juryrank.verify.jury.walk import LogWalk
from juryrank.verify.record import read_events
from juryrank.verify.room import Room
from tests.verify.logs import drawn_up, names_failed, reforge
from tests.verify.test_jury import CASES, ITEMS, played
from tests.verify.test_jury_evidence import TINY, WEIGHTS, draws_of

PAIRS = [(i, j) for i in range(4) for j in range(i + 1, 4)]


def foreseen(seed=1, *, sided=False, lacking=()):
    """Forecasts of all pairs but those `lacking`, on record."""
    rng = random.Random(seed)
    size = len(CASES) * (1 + sided)
    values = {(i, j): [max(-1000, min(1000, round(rng.gauss(300 * (j - i), 500)))) for _ in range(size)]
              for i, j in PAIRS if (i, j) not in lacking}  # fmt: skip
    return {"root": keep(Forecasts(tuple(ITEMS), values)), "by": "a cheap judge"}


MODES = [
    {"objective": "order", "resolution": 0.05},
    {"objective": "top-2"},
    {"sides": "both", "resolution": 0.1, "objective": "order"},
    {"sides": "single", "objective": "order", "resolution": 0.1},
    {"refusals": "against", "weights": {"m0": 1, "m1": 2, "m2": 3.5},
     "case_weights": {case: 1 + k for k, case in enumerate(CASES)}, "resolution": 0.05},
    {"fresh": True, "resolution": 0.1},
    {"require": ["a over d", ["b", "d"]], "resolution": 0.05},
    {"require": ["d over a"], "resolution": 0.0},
    {"absent": [["a", "b", CASES[:20]], ["c", "d", CASES[5:]]], "resolution": 0.1},
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(MODES)))
def test_checker_and_ranker_agree_on_every_number(number):
    sided, named = number % 2 == 1, number % 3 == 0
    options = {**MODES[number], "forecast": foreseen(number, sided=sided, lacking={(0, 2)})}
    prices = {"m0": 1, "m1": 4, "m2": 9} if named else None
    session = played(options, named=named, prices=prices, most=250)
    ranking, document = session.ranking, session.certificate()
    report = verify(document)
    assert report.true, report.failures
    assert report.proven == ranking.proven
    if ranking.proven:
        assert "Forecasts by a cheap judge" in report.statement
        for strength in ("survives", "from_first_draw"):
            assert report.result["details"][strength] is ranking.details.jury[strength]
    walk = LogWalk(read_setup(read_events(document["events"])), read_events(document["events"]))
    walk.run()
    compared = 0
    for theirs, ours in zip(walk.lists, session.ranker.state.machine.attempts, strict=True):
        for at, claim in enumerate(theirs.claims):
            if walk.found(*claim) is None:
                continue
            counted = backed(theirs, at, walk.found)
            for step, epsilon in enumerate(walk.setup.resolutions):
                (most,) = most_evidence([counted], epsilon)
                assert most == pytest.approx(float(ours.most[at, step]), rel=1e-9, abs=1e-9)
                assert most <= ours.most[at, step] + 1e-12  # rounded down
                compared += counted.counting.rows.shape[1] - counted.start
    assert compared > 10


def exact_payoffs(shares, draws, cases, rows, sign, epsilon, theta):
    """Y of each draw in fractions, and what its parts come to, in size."""
    seen, left = Fraction(), [set(range(cases)) for _ in shares]
    twice, theta = 2 * Fraction(epsilon), Fraction(theta)
    share = [Fraction(one) for one in shares]

    def g(judge, case):
        return theta * (sign * Fraction(rows[judge][case], 1000) + twice)

    for draw in draws:
        case = draw.cell[0]
        (x,) = draw.answers.values()
        z = Fraction() if x is None else sign * Fraction(x) + twice
        payoff = share[draw.judge] * len(left[draw.judge]) / cases / Fraction(draw.chances[draw.judge])
        able = [u for u, chance in enumerate(draw.chances) if chance > 0]
        ahead = sum((share[u] * g(u, each) / cases for u in able for each in left[u]), Fraction())
        yield seen + ahead + payoff * (z - g(draw.judge, case)), 4 + 4 * payoff
        seen += share[draw.judge] * z / cases
        left[draw.judge].remove(case)


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_no_payoff_is_more_than_fractions_give(weights):
    for seed in range(6):
        rng = random.Random(seed)
        cases = rng.choice([1, 7, 30])
        shares, draws = draws_of(rng, weights, cases)
        setup = SimpleNamespace(
            judges=weights, shares=tuple(shares), against=False, fresh=False, absent={}, sides=1, both=False,
            recorded=False, single=False, cases=[str(c) for c in range(cases)], case_weights=(1,) * cases,
        )  # fmt: skip
        given = [rng.choice([-1000, 1000, 0, rng.randint(-999, 999)]) for _ in range(cases)]
        cells = CellForecasts(setup, "a", "b", given, Room())
        cells.values = cells.values[:, :, :1]
        counting = SettledDraws(setup, cases, draws, cells)
        rows = cells.values[:, :, 0].tolist()
        for sign in (1, -1):
            claim = Backed(counting, sign, 0, (0.3, 0.1), 1.0)
            for epsilon in (0.0, 0.05, -0.1):
                _, rounded = payoffs_with_forecasts(claim, counting.ahead, epsilon)
                for theta, ys in zip(THETAS, rounded.tolist(), strict=True):
                    true = exact_payoffs(shares, draws, cases, rows, sign, epsilon, theta)
                    for y, (exact, size) in zip(ys, true, strict=True):
                        assert exact - (size + TINY) / 10**11 < Fraction(y) <= exact


# ---------------------------------------------------------------------- forged
@pytest.fixture(scope="module")
def honest():
    options = {"objective": "order", "resolution": 0.1, "forecast": foreseen()}
    made = played(options, seed=3).certificate()
    assert verify(made, rerun=True).true and verify(made).proven
    return made


def lists(events):
    for event in events:
        terms = event["data"].get("terms") or {}
        for row in (*terms.get("ahead", ()), terms):
            if "list" in row:
                yield row["list"]


def better_forecasts(events):
    """Other forecasts of a pair, made once its answers were known."""
    row = next(lists(events))["forecast"]["pairs"][0]
    row[2] = [1000 - abs(f) // 2 for f in row[2]]


def one_thousandth(events):
    next(lists(events))["forecast"]["pairs"][0][2][3] += 1


def another_root(events):
    events[0]["data"]["options"]["forecast"]["root"] = "0" * 64


def left_out(events):
    """A list that does without forecasts once it is known that they would not help."""
    for listed in lists(events):
        del listed["forecast"]


def brings_nothing(events):
    for listed in lists(events):
        listed["forecast"]["pairs"] = []


def off_the_record(events):
    del events[0]["data"]["options"]["forecast"]


def other_shares(events):
    for listed in lists(events):
        listed["forecast"]["shares"] = [0.01, 0.01, 0.98]


def turned_round(events):
    for listed in lists(events):
        for row in listed["forecast"]["pairs"]:
            row[0], row[1] = row[1], row[0]


def out_of_range(events):
    next(lists(events))["forecast"]["pairs"][0][2][0] = 1001


def too_long_a_path(events):
    next(lists(events))["forecast"]["pairs"][0][3].append("0" * 64)


FORGERIES = [
    better_forecasts, one_thousandth, another_root, left_out, brings_nothing, off_the_record, other_shares,
    turned_round, out_of_range, too_long_a_path,
]  # fmt: skip


@pytest.mark.parametrize("change", FORGERIES, ids=lambda change: change.__name__)
def test_forecasts_are_not_forged(honest, change):
    forged = copy.deepcopy(honest)
    change(forged["events"])
    forged = reforge(forged)
    failed = set()
    for again in (False, True):  # with the old result, and with one that somebody draws up who knows the checker
        try:
            document = drawn_up(forged["events"], order=forged["estimates"]["order"]) if again else forged
            report = verify(document)
        except Exception as problem:  # it is no certificate at all
            failed.add(type(problem).__name__)
            continue
        assert not (report.true and report.proven)
        failed |= names_failed(report)
    assert failed


def test_a_log_drawn_by_the_seed_alone_is_found_out(monkeypatch):
    """Forecasts made for the seed's own draws: as if they were no part of them."""
    from juryrank.rankers.jury import state

    with monkeypatch.context() as patched:
        patched.setattr(state, "on_record", lambda *given: _without(*given))
        session = played({"objective": "order", "resolution": 0.1, "forecast": foreseen()}, seed=3, most=60)
    events = [{k: getattr(e, k) for k in ("seq", "kind", "data", "at", "hash")} for e in session.events]
    report = verify(drawn_up(events, order=list(session.ranking.order)))
    assert not report.true and "draws" in names_failed(report)


def _without(options, *more):
    from juryrank.rankers.jury.options import on_record

    return on_record({**options, "forecast": None}, *more)
