"""Forecasts save calls and prove nothing, however they lie; each rule with the world that breaks it."""

import random

import numpy as np
import pytest

from juryrank.errors import BadInput
from juryrank.rankers.jury.core import forecasts
from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.evidence import Prior, Resolutions
from juryrank.rankers.jury.core.forecasts import Forecasts, Foresight, Remaining, foresight_of, keep
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Table, draw_key
from tests.rankers.jury.tables import play, table
from tests.rankers.jury.test_rules import BOLD, LEVEL, PRIOR, breaks, count, holds, just_false, one_judge

ALL_IN = Foresight(shares=(1e-6, 1e-6, 1.0))  # everything rests on the forecasts


def claim(whole, rows, *, prior=PRIOR, foresight=ALL_IN, start=0):
    """A book of one pair with forecasts, and the claim that its first item is better, at LEVEL."""
    book = PairBook(whole, (0, 1))
    attempt = Attempt(
        1, error=LEVEL / 0.8, resolutions=Resolutions((0.0,)), order=[0, 1], claims=[(0, 1)], priors=[prior],
        foresight=foresight,
    )  # fmt: skip
    attempt.starts[0, 1] = start
    book.foresee([np.array(row, dtype=np.int64) for row in rows])
    return book, attempt


def asked(book, attempt, values, key, *, most=10**6, chances=(1.0,)):
    """Is it proven, asking cell after cell?"""
    for place in range(min(most, len(values) * len(chances))):
        drawn = book.draw(key, ("a", "b"), chances, calls=1)
        book.settle(place, values[drawn.cell])
        if count(book, attempt):
            return True
    return False


# ---------------------------------------------------------------------- any forecast
def lies(kind, values):
    """Forecasts in thousandths that know every answer, and what they make of it."""
    turned = {"right": 1, "contrary": -1, "for it": 0, "against it": 0}[kind]
    beside = {"for it": 1000, "against it": -1000}.get(kind, 0)
    return [round(1000 * turned * x) + beside for x in values]


@pytest.mark.parametrize("kind", ["right", "contrary", "for it", "against it"])
@pytest.mark.parametrize("foresight", [ALL_IN, Foresight()], ids=["all in", "shared"])
def test_no_forecast_proves_what_is_false(kind, foresight):
    def run(seed):
        values = just_false(60, seed)
        book, attempt = claim(one_judge(60), [lies(kind, values)], foresight=foresight)
        return asked(book, attempt, values, seed)

    assert holds(run, 30)


def test_a_payoff_has_the_mean_of_the_claim_whatever_was_foreseen():
    """Exactly, over all cells that could be drawn: with weights, two judges, one of them set aside, refusals."""
    rng = random.Random(5)
    whole = Table(weights=(0.3, 0.5, 0.2), case_weights=(3, 1, 2, 5), sides=1)
    values = {(u, case): rng.choice([1.0, -1.0, 0.0, 0.3, None]) for u in range(3) for case in range(4)}
    rows = np.array([[rng.randint(-1000, 1000) for _ in range(4)] for _ in range(3)])
    for sign in (1, -1):
        means = {}
        for u, case in [cell for cell in values if cell[0] != 2]:
            book, _ = claim(whole, rows)
            drawn = book.draw(1, ("a", "b"), book.chances((1.0, 2.0, 1.0), {2}), calls=1)
            drawn.judge, drawn.cell = u, case  # as if this one had been drawn
            seen = book.seen(sign, chances=drawn.chances, square=1.0, refusals_against=False)
            ahead = book.foreseen(sign, drawn, (1.0, 1.0, 1.0))
            twice, x = 0.1, values[u, case]
            z = 0.0 if x is None else sign * x + twice
            for theta in forecasts.THETAS:
                g = theta * (ahead.own + twice)
                y = seen.answers + twice * (seen.answered + seen.against) - seen.against
                y += theta * (ahead.total + twice * seen.left) + book.payoff(drawn) * (z - g)
                chance = drawn.chances[u] * whole.case_weights[case] / 11
                means[theta] = means.get(theta, 0.0) + chance * y
        weights = {(u, case): whole.weights[u] * whole.case_weights[case] / 11 for u, case in values}
        said = [0.0 if x is None else sign * x + 0.1 for x in values.values()]
        z = [-1 + 0.1 if u == 2 else one for (u, _), one in zip(values, said, strict=True)]
        claimed = sum(v * one for v, one in zip(weights.values(), z, strict=True))
        assert list(means.values()) == pytest.approx([claimed] * 3)


def test_no_bet_risks_more_than_all():
    """With every forecast and answer at its worst, no factor is below 0, at any θ and resolution."""
    rng = random.Random(2)
    for seed in range(30):
        values = [rng.choice([1.0, -1.0, -1.0, None]) for _ in range(8)]
        rows = [[rng.choice([-1000, 1000, 250]) for _ in range(8)]]
        book, attempt = claim(one_judge(8), rows, prior=Prior(0.95, 0.0, 1.0))
        attempt.resolutions = Resolutions((0.1, 0.0))
        for place in range(8):
            drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
            seen = book.seen(1, chances=drawn.chances, square=1.0, refusals_against=False)
            ahead = book.foreseen(1, drawn, (1.0, 1.0, 1.0))
            for x, answered, against in ((-1.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
                grown = forecasts.growth(
                    attempt.resolutions, seen, ahead, book.payoff(drawn), x, answered, against
                )
                assert np.isfinite(grown).all()
            book.settle(place, values[drawn.cell])
            book.count()


def test_the_largest_that_is_left_is_known_at_every_moment():
    rng, cells = random.Random(1), 40
    whole = Table(weights=(0.5, 0.5), case_weights=(1,) * cells, sides=1, absent={(0, 1): frozenset({3, 7})})
    row = np.array([rng.randint(-1000, 1000) for _ in range(cells)])
    ahead = Remaining(whole, (0, 1), [row, row])
    left = [set(range(cells)) - {3, 7} for _ in range(2)]
    for _ in range(70):
        judge = rng.choice([u for u in range(2) if left[u]])
        assert ahead.largest(judge, 1) == max(row[c] for c in left[judge])
        assert ahead.largest(judge, -1) == max(-row[c] for c in left[judge])
        assert ahead.sums[judge] == sum(row[c] for c in left[judge])
        cell = rng.choice(sorted(left[judge]))
        left[judge].remove(cell)
        ahead.take(judge, cell, 1.0)


# ---------------------------------------------------------------------- each rule, and the world without it
def after_the_seed(seed, *, rooted):
    """The owner takes the seed, looks which 12 cells it draws, and forecasts -1 there and +1 elsewhere.

    `rooted`: each draw is a hash of the forecasts, too. The evidence after 12 answers, all against the claim.
    """
    cells = 400
    book, _ = claim(one_judge(cells), [[0] * cells])
    known = {book.draw(seed, ("a", "b"), (1.0,), calls=1).cell for _ in range(12)}
    row = [-1000 if cell in known else 1000 for cell in range(cells)]
    key = draw_key(seed, [Forecasts(("a", "b"), {(0, 1): row}).root]) if rooted else seed
    sure = Foresight(shares=(1e-6, 1e-6, 1.0), squares=(0.0, 0.0))
    book, attempt = claim(one_judge(cells), [row], prior=BOLD, foresight=sure)
    for place in range(12):
        book.draw(key, ("a", "b"), (1.0,), calls=1)
        book.settle(place, -1.0)
        count(book, attempt)
    return float(np.exp(attempt.most[0, 0]))


def test_forecasts_made_after_the_seed_prove_nothing():
    assert min(after_the_seed(seed, rooted=False) for seed in range(5)) > 300  # with every answer against it
    assert max(after_the_seed(seed, rooted=True) for seed in range(30)) < 10


def set_aside(seed):
    """Of judge 0 four in five answers are for it; judge 1 is set aside, and its cells are forecast at +1."""
    whole = Table(weights=(0.6, 0.4), case_weights=(1,) * 60, sides=1)
    book, attempt = claim(whole, [[0] * 60, [1000] * 60], prior=BOLD)
    values = [1.0] * 47 + [-1.0] * 13
    return asked(book, attempt, values, seed, chances=(1.0, 0.0), most=60)


def test_cells_of_judges_set_aside_are_not_counted_twice(monkeypatch):
    assert holds(set_aside, 10)
    true = PairBook.foreseen

    def twice(self, sign, drawn, known):
        found = true(self, sign, drawn, known)
        everybody = sum(self.weight(u, each) for u, each in enumerate(self.forecast.sums)) / 1000
        return type(found)(sign * everybody, found.own, found.tops, found.squares)

    monkeypatch.setattr(PairBook, "foreseen", twice)
    assert breaks(set_aside, least=0.9, runs=5)


def a_deck(seed):
    """Half of the cells are forecast at +1, the others at -1; all answers but a few are what was foreseen."""
    values = just_false(60, seed)
    book, attempt = claim(one_judge(60), [lies("right", values)], prior=BOLD)
    return asked(book, attempt, values, seed)


def test_the_cells_summed_are_those_that_can_be_drawn(monkeypatch):
    """Not the same R everywhere: the sum of forecasts goes on with cells that were drawn."""

    def run(seed):
        values = [1.0] * 25 + [-1.0] * 35
        book, attempt = claim(one_judge(60), [lies("for it", values)], prior=BOLD)
        return asked(book, attempt, values, seed)

    assert holds(run, 15) and holds(a_deck, 15)
    true = Remaining.take

    def stale(self, judge, cell, x):
        before = list(self.sums)
        true(self, judge, cell, x)
        self.sums = before

    monkeypatch.setattr(Remaining, "take", stale)
    assert breaks(run, least=0.8, runs=8)


def test_a_bet_of_more_than_one_over_b_is_too_bold(monkeypatch):
    """With the bound of a draw without forecasts, a factor may fall below 0: kept above it, it wins too often."""

    def run(seed):
        values = just_false(60, seed)
        rng = random.Random(seed)
        row = [1000 if rng.random() < 0.04 else -1000 for _ in values]  # what is seldom weighs most
        book, attempt = claim(one_judge(60), [row], prior=BOLD)
        return asked(book, attempt, values, seed)

    assert holds(run, 30)
    true = forecasts.np.log1p
    monkeypatch.setattr(forecasts, "MOST_RISKED", 12.0)
    monkeypatch.setattr(forecasts.np, "log1p", lambda x: true(np.maximum(x, -0.5)))
    assert breaks(run, least=0.3, runs=30)


# ---------------------------------------------------------------------- what they save, and what the search learns
def test_the_stake_goes_where_answers_spread_least():
    rng = random.Random(3)
    x = [rng.choice([1.0, -1.0]) for _ in range(150)]
    good = foresight_of([(x, [round(700 * v + rng.uniform(-300, 300)) for v in x])], 1.0)
    useless = foresight_of([(x, [rng.choice([1000, -1000]) for _ in x])], 1.0)
    assert good.shares[2] > 0.7 and useless.shares[0] > 0.9


SHARES = {("a", "b"): 0.6, ("a", "c"): 0.7, ("b", "c"): 0.6}


def on_record(world, r):
    """Forecasts that are the answer with a chance of r, else that to another cell; in both sides of each case."""
    rng, values = random.Random(4), {}
    for pair, x in world.values.items():
        flat = x[0].reshape(-1).tolist()
        said = [v if rng.random() < r else rng.choice(flat) for v in flat]
        values[tuple("abc".index(item) for item in pair)] = [round(1000 * v) for v in said]
    return {"forecast": {"root": keep(Forecasts(("a", "b", "c"), values)), "by": "a cheap judge"}}


def calls(world, **options):
    total = 0
    for seed in range(6):
        jury = world.jury(objective="order", resolution=0.05, seed=seed, **options)
        total += len(play(jury, world.answer))
        assert jury.ranking.proven
    return total


def test_good_forecasts_save_calls_and_useless_ones_cost_little():
    world = table(SHARES, cases=150)
    plain = calls(world)
    assert calls(world, **on_record(world, 0.8)) < 0.8 * plain
    assert calls(world, **on_record(world, 0.0)) < 1.25 * plain  # 6 runs: their own noise is 15 %


def test_a_restored_jury_goes_on_alike_and_knows_the_forecasts_of_its_lists(monkeypatch):
    world = table(SHARES, cases=60)
    jury = world.jury(resolution=0, objective="order", **on_record(world, 0.8))
    while not jury.state.machine.attempts:
        question = jury.ask()
        jury.tell(question, world.answer(question))
    saved = jury.snapshot()
    monkeypatch.setattr(forecasts, "_kept", {})  # another process
    again = type(jury).restore(saved)
    left = [[(q.left, q.right, q.case) for q in play(one, world.answer, most=40)] for one in (jury, again)]
    assert left[0] == left[1] and left[0]


def test_without_the_values_no_list_is_fixed():
    world = table(SHARES, cases=60)
    jury = world.jury(resolution=0, forecast={"root": "0" * 64, "by": "cheap.csv"})
    with pytest.raises(BadInput, match="give the same ones again"):
        play(jury, world.answer)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"root": "0" * 64}, "no record"),
        ({"root": "x", "by": "me"}, "no record"),
        ({"root": "0" * 64, "by": ""}, "by whom"),
        ({"root": "0" * 64, "by": "x" * 300}, "by whom"),
    ],
)
def test_what_is_no_record_of_forecasts_is_refused(given, problem):
    with pytest.raises(BadInput, match=problem):
        table(SHARES).jury(forecast=given)


def test_forecasts_are_of_pairs():
    world = table(SHARES, cases=20)
    with pytest.raises(BadInput, match="leave one of the two out"):
        world.jury(at_once="all", **on_record(world, 1))


def test_nothing_changes_without_forecasts():
    world = table(SHARES, cases=20)
    assert (
        world.jury().state.key
        == world.jury(forecast=None).state.key
        != world.jury(**on_record(world, 1)).state.key
    )
    assert "forecasts" not in world.jury().snapshot() and "forecast" not in world.jury().options
