"""EliminateUser: never empties the pool, never too early, one radius for the whole sweep."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core.constants import PAPER, RELEASED

counts = st.lists(st.tuples(st.integers(0, 4000), st.floats(0, 1)), min_size=1, max_size=12)


def pool_of(answers):
    pool = elimination.pool(len(answers))
    for u, (answered, share) in enumerate(answers):
        pool.answered[u], pool.right[u] = answered, round(answered * share)
    return pool


@given(answers=counts, error=st.sampled_from([0.01, 0.25]), constants=st.sampled_from([PAPER, RELEASED]))
def test_the_best_always_stays_and_only_the_surely_worse_go(answers, error, constants):
    pool = pool_of(answers)
    m = len(answers)
    total = int(pool.answered.sum())
    rule = elimination.rule(10, m, error, constants)
    gone = elimination.eliminate(pool, rule, total)
    kept = pool.active[: pool.n_active[0]].tolist()
    assert len(kept) == m - gone >= 1
    assert kept == sorted(set(kept))
    fewest = min(answered for answered, _ in answers)
    if fewest == 0 or total < 2 * m * m * constants.log(10 * m / error):
        assert gone == 0
        return
    share = pool.right / pool.answered
    r = math.sqrt(constants.log(2 * m / error) / (2 * fewest))
    if gone:
        assert kept == [u for u in range(m) if share[u] + r >= share.max() - r]
    assert int(np.argmax(share)) in kept


def test_a_judge_without_answers_blocks_elimination():
    pool = pool_of([(100_000, 0.99), (100_000, 0.5), (0, 0.0)])
    rule = elimination.rule(10, 3, 0.1, PAPER)
    assert elimination.eliminate(pool, rule, 200_000) == 0
    pool.answered[2] = 50_000
    assert elimination.eliminate(pool, rule, 250_000) == 2


def test_the_threshold_is_strict_only_in_the_released_program():
    for constants, expected in ((PAPER, 1), (RELEASED, 0)):
        pool = pool_of([(3000, 0.99), (3000, 0.5)])
        rule = elimination.rule(10, 2, 0.1, constants)._replace(threshold=6000.0)
        assert elimination.eliminate(pool, rule, 6000) == expected
        assert elimination.eliminate(pool_of([(3000, 0.99), (3000, 0.5)]), rule, 5999) == 0
