"""Every rule of the jury has a world in which it matters: false proofs stay below δ with the rule, not without it.

The worlds are played by a plain bettor (one pair, one claim, the claim just false), so that a rule can be switched
off in one place; what it uses of the product is the product's own: draws, books, evidence.
"""

import random
from dataclasses import replace

import numpy as np
import pytest

from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.evidence import Prior, Resolutions
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Table
from tests.rankers.jury.tables import Table as Answers
from tests.rankers.jury.tables import play, table
from tests.statistics import surely_above

LEVEL = 0.1  # of each attempt in these tests: error is 1.25 times that, as the first attempt gets .8
RUNS = 40
PRIOR = Prior(mean=0.25, spread=0.2, square=1.0)
BOLD = Prior(mean=0.9, spread=0.0, square=1.0)  # four good answers prove it


def claim(book_table, *, resolution=0.0, prior=PRIOR, start=0):
    """A book of one pair and the claim that its first item is better, at LEVEL, fixed before place `start`."""
    book = PairBook(book_table, (0, 1))
    attempt = Attempt(
        1, error=LEVEL / 0.8, resolutions=Resolutions((resolution,)), order=[0, 1], claims=[(0, 1)], priors=[prior]
    )
    attempt.starts[0, 1] = start
    return book, attempt


def count(book, attempt, *, against=False):
    """Count what is due, as the machine does."""
    while book.counted < len(book.drawn) and book.drawn[book.counted].settled:
        attempt.count(book, book.drawn[book.counted], refusals_against=against)
        book.count()
    return bool(attempt.proven[0, 0])


def one_judge(cells):
    return Table(weights=(1.0,), case_weights=(1,) * cells, sides=1)


def just_false(cells, seed=0):
    """One cell less than half are +1."""
    values = [1.0] * (cells // 2 - 1) + [-1.0] * (cells // 2 + 1)
    random.Random(seed).shuffle(values)
    return values


def rate(run, runs=RUNS):
    return sum(run(seed) for seed in range(runs)) / runs, runs


def holds(run, runs=RUNS):
    share, n = rate(run, runs)
    return not surely_above(round(share * n), n, LEVEL)


def breaks(run, least=0.15, runs=RUNS):
    share, _ = rate(run, runs)
    return share > least


# ---------------------------------------------------------------------- the draw
def draws_of(seed, cells, values, *, order=None):
    """Bet on every cell of one pair; `order`: a fixed order of the cells, good ones first, instead of draws."""
    book, attempt = claim(one_judge(cells))
    for place in range(cells):
        drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
        x = values[drawn.cell] if order is None else values[order[place]]
        book.settle(place, x)
        if count(book, attempt):
            return True
    return False


def test_the_cell_is_drawn_after_the_bet():
    values = just_false(60)
    best_first = sorted(range(60), key=lambda cell: -values[cell])
    assert holds(lambda seed: draws_of(seed, 60, values))
    assert breaks(lambda seed: draws_of(seed, 60, values, order=best_first), least=0.9, runs=5)


def test_the_draw_is_by_the_place_within_the_pair_not_by_the_question_number():
    """Whoever knows the seed could wait with a question until its number hits a good cell."""
    values = just_false(60)

    def by_number(seed):
        book, attempt = claim(one_judge(60))
        rng = random.Random(seed)
        for place in range(60):
            drawn = book.draw(rng.random(), ("a", "b"), (1.0,), calls=1)
            for _ in range(6):  # the cheat: ask about other pairs until the draw is welcome
                if values[drawn.cell] > 0:
                    break
                book.drawn.pop()
                book.taken[0].remove(drawn.cell)
                book.open_weight[0] += 1
                drawn = book.draw(rng.random(), ("a", "b"), (1.0,), calls=1)
            book.settle(place, values[drawn.cell])
            if count(book, attempt):
                return True
        return False

    assert breaks(by_number, least=0.9, runs=10)


# ---------------------------------------------------------------------- S
def after_a_bad_start(seed):
    """The next card of a deck: the search saw 20 bad cards, so the 40 left are good; in all it is false."""
    rest = [1.0] * 29 + [-1.0] * 11
    random.Random(seed).shuffle(rest)
    book, attempt = claim(one_judge(60), start=20)
    for place, x in enumerate([-1.0] * 20 + rest):
        book.draw(seed, ("a", "b"), (1.0,), calls=1)
        book.settle(place, x)
        if count(book, attempt):
            return True
    return False


def test_the_seen_part_moves_with_what_was_seen(monkeypatch):
    assert holds(after_a_bad_start)
    true = PairBook.seen

    def blind(self, sign, **options):
        return replace(true(self, sign, **options), answers=0.0, answered=0.0, left=1.0, factor=1.0, worst=1.0)

    monkeypatch.setattr(PairBook, "seen", blind)
    monkeypatch.setattr(PairBook, "payoff", lambda self, drawn: 1.0)
    assert breaks(after_a_bad_start, least=0.8, runs=10)


# ---------------------------------------------------------------------- the order in which answers count
def many_open(seed, *, in_order=True, cells=80):
    """Forty questions out; good answers come back first, bad ones late."""
    values = just_false(cells)
    book, attempt = claim(one_judge(cells))
    proven = False
    for start in (0, 40):
        out = [book.draw(seed, ("a", "b"), (1.0,), calls=1) for _ in range(40)]
        places = sorted(range(start, start + 40), key=lambda place: -values[out[place - start].cell])
        if not in_order:  # counted as they come
            moved = [book.drawn[place] for place in places]
            book.drawn[start:] = moved
            places = range(start, start + 40)
        for place in places:
            book.settle(place, values[book.drawn[place].cell])
            proven = count(book, attempt) or proven
    return proven


def test_answers_count_in_the_order_asked():
    assert holds(many_open)
    assert breaks(lambda seed: many_open(seed, in_order=False), least=0.9, runs=10)


def test_open_questions_are_waited_for(monkeypatch):
    """Stopped with bad answers still out: they may not be left out of the count."""

    def stopped(seed, *, wait):
        values = just_false(80)
        book, attempt = claim(one_judge(80))
        for place in range(80):
            drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
            slow = values[drawn.cell] < 0
            if not slow or wait:
                book.settle(place, values[drawn.cell])
            elif not wait:
                book.drawn.pop()  # as if it had never been asked
                continue
            if count(book, attempt):
                return True
        return False

    assert holds(lambda seed: stopped(seed, wait=True))
    monkeypatch.setattr(PairBook, "settle", _settle_last(PairBook.settle))
    assert breaks(lambda seed: stopped(seed, wait=False), least=0.9, runs=5)


def _settle_last(settle):
    return lambda self, place, x: settle(self, len(self.drawn) - 1, x)


# ---------------------------------------------------------------------- refusals
def refusing(seed, *, left_alone=False):
    """The search saw 20 answers against it; of the 80 cells left 18 are for it, and the others refuse."""
    rest = [1.0] * 18 + [None] * 62
    random.Random(seed).shuffle(rest)
    book, attempt = claim(one_judge(100), start=20)
    for place, x in enumerate([-1.0] * 20 + rest):
        book.draw(seed, ("a", "b"), (1.0,), calls=1)
        book.settle(place, x)
        if x is None and left_alone:
            book.count()  # E stays as it is
        elif count(book, attempt):
            return True
    return False


def test_a_refusal_has_value_0_and_still_counts():
    assert holds(refusing)
    assert breaks(lambda seed: refusing(seed, left_alone=True), least=0.9, runs=6)


def test_a_refusal_is_not_passed_on_to_another_case():
    """Refused where it would be bad: asking somebody else instead makes the rest look good."""
    good = [1.0] * 30 + [-1.0] * 10 + [None] * 40  # refusals hide what would be against

    def run(seed, passed_on):
        values = good.copy()
        random.Random(3).shuffle(values)
        book, attempt = claim(one_judge(80))
        for place in range(80):
            drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
            x = values[drawn.cell]
            if x is None:
                x = (
                    random.Random(f"{seed}/{place}").choice([v for v in values if v is not None])
                    if passed_on
                    else -1.0
                )
            book.settle(place, x)
            if count(book, attempt):
                return True
        return False

    assert holds(lambda seed: run(seed, passed_on=False))  # "against": the hidden answers are what they would be
    assert breaks(lambda seed: run(seed, passed_on=True), least=0.3, runs=40)


# ---------------------------------------------------------------------- judges who are busy, paused, set aside
def two_judges(seed, *, busy=False, aside=False, cells=60):
    """Judge 0 is for it, judge 1 against; the second one is often busy, or set aside from the start."""
    book, attempt = claim(Table(weights=(0.49, 0.51), case_weights=(1,) * cells, sides=1))
    rng = random.Random(seed)
    for _ in range(2 * cells):
        out = {1} if aside or (busy and rng.random() < 0.8) else set()
        chances = book.chances((1.0, 1.0), out)
        if not chances:
            break
        drawn = book.draw(seed, ("a", "b"), chances, calls=1)
        book.settle(len(book.drawn) - 1, 1.0 if drawn.judge == 0 else -1.0)
        if count(book, attempt):
            return True
    return False


def forgetting_the_absent(monkeypatch):
    """Cells of judges who have no chance are left out of S."""
    true = PairBook.seen

    def seen(self, sign, **options):
        found = true(self, sign, **options)
        return replace(found, against=self._lost)

    monkeypatch.setattr(PairBook, "seen", seen)


@pytest.mark.parametrize("case", ["busy", "aside"])
def test_cells_of_absent_judges_count_against_the_claim(monkeypatch, case):
    run = lambda seed: two_judges(seed, **{case: True})  # noqa: E731
    assert holds(run)
    forgetting_the_absent(monkeypatch)
    assert breaks(run, least=0.9, runs=8)


# ---------------------------------------------------------------------- payoffs
def test_a_payoff_is_by_the_recorded_chance(monkeypatch):
    """The judge who likes it is drawn four times as often: only its smaller payoff makes that fair."""

    def run(seed):
        book, attempt = claim(Table(weights=(0.5, 0.5), case_weights=(1,) * 60, sides=1))
        for place in range(60):
            drawn = book.draw(seed, ("a", "b"), book.chances((4.0, 1.0), ()), calls=1)
            book.settle(place, (1.0 if drawn.cell % 8 else -1.0) if drawn.judge == 0 else -1.0)
            if count(book, attempt):
                return True
        return False

    assert holds(run)
    monkeypatch.setattr(PairBook, "payoff", lambda self, drawn: 1.0)
    true = PairBook.seen
    monkeypatch.setattr(
        PairBook, "seen", lambda self, sign, **options: replace(true(self, sign, **options), worst=1.0, factor=1.0)
    )
    assert breaks(run, least=0.5, runs=20)


# ---------------------------------------------------------------------- statements and attempts
def test_statements_stand_in_a_fixed_sequence():
    """Many claims, all just false: one of them is proven now and then, and may not be stated on its own."""
    claims, cells, runs = 40, 16, 20
    values = just_false(cells)
    stated = anywhere = 0
    for seed in range(runs):
        attempt = Attempt(
            1, error=LEVEL / 0.8, resolutions=Resolutions((0.0,)), order=list(range(claims + 1)),
            claims=[(0, k) for k in range(1, claims + 1)], priors=[BOLD] * claims,
        )  # fmt: skip
        for k in range(1, claims + 1):
            book = PairBook(one_judge(cells), (0, k))
            for place in range(cells):
                drawn = book.draw(seed, ("a", k), (1.0,), calls=1)
                book.settle(place, values[drawn.cell])
                count(book, attempt)
        stated += bool(attempt.stated.any())
        anywhere += bool(attempt.proven.any())
    assert not surely_above(stated, runs, LEVEL)
    assert surely_above(anywhere, runs, LEVEL)


def test_the_claim_is_fixed_before_its_evidence():
    """Search answers as evidence: the better half of a coin is chosen first, and its lead is counted twice."""

    def run(seed, *, from_search):
        values = just_false(60, seed=1)
        book, attempt = claim(one_judge(60), start=0 if from_search else 12)
        for place in range(60):
            drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
            book.settle(place, values[drawn.cell])
            proven = count(book, attempt)
            if place == 11 and sum(book.x) < 6:
                return None  # it did not look good: another claim would have been chosen
            if proven:
                return True
        return False

    def share(**how):
        found = [run(seed, **how) for seed in range(250)]
        kept = [one for one in found if one is not None]
        return sum(kept) / len(kept), len(kept)

    fair, n = share(from_search=False)
    unfair, _ = share(from_search=True)
    assert not surely_above(round(fair * n), n, LEVEL)
    assert unfair > 2 * LEVEL and unfair > fair


def test_fresh_answers_must_be_fresh():
    """The same fixed answer again and again is no evidence: with fixed answers every question needs a new case."""

    def run(seed, *, new_cases):
        rng = random.Random(seed)
        fixed = {case: rng.choice([1.0, -1.0]) for case in range(4)}
        book, attempt = claim(Table(weights=(1.0,), case_weights=(1,) * 4, sides=1, fresh=True))
        for place in range(120):
            drawn = book.draw(seed, ("a", "b"), (1.0,), calls=1)
            x = rng.choice([1.0, -1.0]) if new_cases else fixed[drawn.cell]
            book.settle(place, x)
            if count(book, attempt):
                return True
        return False

    assert holds(lambda seed: run(seed, new_cases=True), 15)
    assert breaks(lambda seed: run(seed, new_cases=False), least=0.2, runs=40)


def test_a_seed_that_was_chosen_proves_what_its_owner_likes():
    """A hundred seeds tried on known answers: that is why a chosen seed is said in the statement."""
    world = table({("a", "b"): 0.475}, cases=20)
    proven = 0
    for seed in range(100):
        jury = world.jury(require=["a over b"], resolution=0, seed=seed, error=0.1)
        play(jury, world.answer)
        proven += jury.ranking.proven
        if proven:
            assert "seed that its owner chose" in jury.ranking.statement
            break
    assert proven


def test_refusals_can_be_made_to_count_against():
    """The claim then holds whatever the refused answers would have said."""
    x = np.where(np.arange(80).reshape(1, 40, 2) % 3 == 0, 1.0, np.nan)
    world = Answers({("a", "b"): x})
    for refusals, proven in (("left out", True), ("against", False)):
        jury = world.jury(require=["a over b"], resolution=0, refusals=refusals)
        play(jury, world.answer)
        assert jury.ranking.proven is proven
