"""Compiled play of successive elimination: finding a good judge on one settled pair (the two-stage rankers).

The test after every answer is EliminateUser's own. Where it provably cannot drop anybody yet, nor the selection
end, the answers until then are drawn together: as many as that takes, split among the judges by chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.gears import kernel
from juryrank.rankers.paper.core.elimination import eliminate, fewest_answers, radius
from juryrank.simulation.players.by_answer import prefers
from juryrank.simulation.players.tally import FINISHED, QUESTIONS, SPENT
from juryrank.simulation.worlds.base import STEADY, accuracy

WORTH_IT = 4  # draw together from this many answers per judge upwards


@kernel
def play_selection(
    stage: Any, pool: Any, rule: Any, better: int, worse: int, epsilon: float, counts: Any, budget: int, rng: Any
) -> int:
    """Ask until one judge is left or the radius is under ε. `better`, `worse`: the pair as it was settled."""
    answers = 0
    while pool.n_active[0] > 1 and radius(pool, rule) >= epsilon:
        if counts[QUESTIONS] >= budget:
            return SPENT
        together = min(uneventful(pool, rule, epsilon, answers) + 1, budget - counts[QUESTIONS])
        if stage.kind == STEADY and together >= WORTH_IT * pool.n_active[0]:
            draw_together(stage, pool, better, worse, together, rng)
        else:
            for k in range(together):
                u = pool.active[int(rng.random() * pool.n_active[0])]
                pool.answered[u] += 1
                if prefers(stage, u, better, worse, counts[QUESTIONS] + k, rng):
                    pool.right[u] += 1
        answers += together
        counts[QUESTIONS] += together
        eliminate(pool, rule, answers)
    return FINISHED


@kernel
def uneventful(pool: Any, rule: Any, epsilon: float, answers: int) -> int:
    """A number of answers after which surely nobody has been dropped and the selection has not ended."""
    m = pool.n_active[0]
    enough = np.floor(rule.log_pool[m] / (2.0 * epsilon * epsilon)) - 1.0  # one less: rounding cannot matter
    missing = 0.0
    for k in range(m):
        missing += max(enough - pool.answered[pool.active[k]], 0.0)
    quiet = rule.threshold - 1.0 - answers
    fewest = fewest_answers(pool)
    if fewest > 0:
        # An answer moves one share by 1/s at the most, s the fewest answers; and r falls by less than r/(2s).
        r = radius(pool, rule)
        quiet = max(quiet, fewest * (2.0 * r - spread(pool)) / (1.0 + r) - 1.0)
    return int(max(min(missing - 1.0, quiet), 0.0))


@kernel
def spread(pool: Any) -> float:
    """The best active judge's share of right answers less the worst one's."""
    best = 0.0
    worst = 1.0
    for k in range(pool.n_active[0]):
        u = pool.active[k]
        best = max(best, pool.right[u] / pool.answered[u])
        worst = min(worst, pool.right[u] / pool.answered[u])
    return best - worst


@kernel
def draw_together(stage: Any, pool: Any, better: int, worse: int, answers: int, rng: Any) -> None:
    """Answers to random active judges, all at once: how many each got, and how many agree with the pair."""
    left = answers
    m = pool.n_active[0]
    for k in range(m):
        u = pool.active[k]
        given = left
        if k < m - 1:
            given = rng.binomial(left, 1.0 / (m - k))
        p = accuracy(stage, u, max(better, worse), min(better, worse), 0)
        if better < worse:
            p = 1.0 - p  # the pair was settled the wrong way round
        pool.answered[u] += given
        pool.right[u] += rng.binomial(given, p)
        left -= given
