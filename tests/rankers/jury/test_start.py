"""A start tells the search where to look. It is no evidence; whoever chooses it by the draws gets other draws."""

import random

import numpy as np
import pytest

from juryrank.errors import BadInput, UnknownName
from juryrank.rankers.jury.core.opinion import Start
from juryrank.rankers.jury.core.table import draw_key
from juryrank.rankers.jury.options import seed_hash
from tests.rankers.jury.tables import play, table
from tests.rankers.jury.test_rules import BOLD, LEVEL, claim, count, one_judge
from tests.statistics import surely_above

SHARES = {("a", "b"): 0.85, ("a", "c"): 0.9, ("a", "d"): 0.95, ("b", "c"): 0.6, ("b", "d"): 0.7, ("c", "d"): 0.6}
RIGHT = {"a": [1.5, 0.3], "b": [0.2, 0.4], "c": [-0.2, 0.4], "d": [-0.7, 0.4]}
WRONG = {item: [-mean, width] for item, (mean, width) in RIGHT.items()}


def calls(strengths, seeds=range(12)):
    """The mean number of calls until the best of four is proven."""
    total = 0
    for seed in seeds:
        start = {} if strengths is None else {"start_from": {"strengths": strengths}}
        jury = table(SHARES, cases=60, seed=seed).jury(resolution=0, seed=seed, **start)
        total += len(play(jury, table(SHARES, cases=60, seed=seed).answer))
        assert jury.ranking.proven and jury.ranking.order[0] == "a"
    return total / len(seeds)


def test_a_good_start_saves_calls_and_a_reversed_one_costs_little():
    cold = calls(None)
    assert calls(RIGHT) < 0.9 * cold
    assert calls(WRONG) < 1.3 * cold  # 12 runs: their own noise is 10 %


def test_a_start_counts_once_answers_speak_for_it_and_not_where_they_speak_against_it():
    told = np.array([0]), np.array([1]), np.array([6.0])
    for share, weighs in ((1.0, True), (0.0, False)):
        start = Start([(1.5, 0.2), (-1.5, 0.2)])
        start.learn(*told, np.array([share]), strength=2.25, pair=0.09)
        assert (start.weights(2) > 1).all() == weighs and (start.weights(2) == 0).all() != weighs


def test_a_restored_jury_goes_on_alike():
    world = table(SHARES, cases=20)
    jury = world.jury(resolution=0, start_from={"strengths": RIGHT})
    play(jury, world.answer, most=20)
    again = type(jury).restore(jury.snapshot())
    left = [[(q.left, q.right, q.case) for q in play(one, world.answer)] for one in (jury, again)]
    assert left[0] == left[1]


@pytest.mark.parametrize(
    ("start", "problem"),
    [
        ({"strengths": {"a": [0.0, 0.1]}}, "fewer than two"),
        ({"strengths": {"a": [0.0, 0.1], "b": [0.0, 0.0]}}, "width"),
        ({"strengths": {"a": [99, 0.1], "b": [0.0, 1.0]}}, "log-odds"),
        ({"weights": {}}, "no record"),
        ({"strengths": {"a": [0, 1], "b": [0, 1]}, "not_seed": seed_hash(1)}, "same seed"),
    ],
)
def test_what_is_no_start_is_refused(start, problem):
    with pytest.raises(BadInput, match=problem):
        table(SHARES).jury(start_from=start)


def test_a_strength_of_nobody_is_refused():
    with pytest.raises(UnknownName):
        table(SHARES).jury(start_from={"strengths": {"a": [0, 1], "x": [0, 1]}})


# ---------------------------------------------------------------------- each rule, and the world without it
def yesterday_and_today(seed, *, key):
    """Yesterday's search says who leads after 12 of 60 answers, half of which are +1 and a little less: today the
    leader's claim is fixed at once. `key`: of today's draws. None: it did not look good, and nobody claims it."""
    values = [1.0] * 29 + [-1.0] * 31
    random.Random(1).shuffle(values)
    book, _ = claim(one_judge(60))
    lead = sum(values[book.draw(seed, ("a", "b"), (1.0,), calls=1).cell] for _ in range(12))
    if lead < 4:
        return None
    book, attempt = claim(one_judge(60), prior=BOLD)
    for place in range(60):
        drawn = book.draw(key(seed), ("a", "b"), (1.0,), calls=1)
        book.settle(place, values[drawn.cell])
        if count(book, attempt):
            return True
    return False


def rate(key, runs=600):
    found = [one for one in (yesterday_and_today(seed, key=key) for seed in range(runs)) if one is not None]
    return sum(found), len(found)


def test_a_start_from_the_same_cells_has_draws_of_its_own():
    """With the same seed and nothing else in the draw, the draws that chose the claim would prove it."""
    false, runs = rate(lambda seed: draw_key(seed, ["a start"]))
    assert not surely_above(false, runs, LEVEL)
    false, runs = rate(lambda seed: seed)
    assert false / runs > 2.5 * LEVEL and surely_above(false, runs, LEVEL)


def from_last_week(seed, *, carried):
    """Last week's cases have proven it, and on today's it is just false. `carried`: with last week's evidence."""
    values = [1.0] * 29 + [-1.0] * 31
    book, attempt = claim(one_judge(60))
    if carried:
        wealth = attempt._stake(0)
        wealth += 2.0  # last week's, of 2.3 that prove it
    for place in range(60):
        book.settle(place, values[book.draw(seed, ("a", "b"), (1.0,), calls=1).cell])
        if count(book, attempt):
            return True
    return False


def test_no_evidence_is_carried_over():
    for carried, breaks in ((False, False), (True, True)):
        false = sum(from_last_week(seed, carried=carried) for seed in range(60))
        assert surely_above(false, 60, LEVEL) is breaks


@pytest.mark.parametrize("changed", ["start", "weights", "prices", "cases", "items"])
def test_whatever_is_on_record_before_the_seed_is_part_of_each_draw(changed):
    world = table({("a", "b"): 0.5, ("a", "c"): 0.5, ("b", "c"): 0.5}, judges=2, cases=30)
    other = {
        "start": {"start_from": {"strengths": {"a": [1, 1], "b": [0, 1]}}},
        "weights": {"weights": {"0": 1.0, "1": 1.0}},
        "prices": {"prices": {"0": 2.0, "1": 2.0}},
        "cases": {"case_weights": {str(case): 3.0 for case in range(30)}},
        "items": {"absent": [["a", "b", ["29"]]]},
    }[changed]
    assert world.jury().state.key != world.jury(**other).state.key
    assert world.jury().state.key == world.jury(error=0.2, objective="order", resolution=0).state.key
