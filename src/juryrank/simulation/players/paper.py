"""Fast players of the paper's rankers: the live rankers' own walk and elimination, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.compiling import compiled, kernel
from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.paper.core.elimination import eliminate, fewest_answers, radius
from juryrank.rankers.paper.two_stage import SubsetTwoStage, TwoStage, default_subset
from juryrank.simulation.play import Run, true_ranks
from juryrank.simulation.players.by_answer import FINISHED, QUESTIONS, SPENT, prefers
from juryrank.simulation.players.insertion import Played, play_insertion
from juryrank.simulation.players.live import live_player
from juryrank.simulation.worlds.base import STEADY, accuracy
from juryrank.simulation.worlds.kinds import World, stage_of

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


def play_iir(world: World, *, items: int, rng: np.random.Generator, **rest: Any) -> Run:
    """Non-adaptive: everybody is asked, all the time."""
    truth = true_ranks(items, rng)
    return _run(play_insertion(stage_of(world, items), truth, rng=rng, **rest), truth)


def play_ada_iir(world: World, **given: Any) -> Run:
    """Adaptive: judges who are surely worse than another are dropped."""
    return play_iir(world, adaptive=True, **given)


def play_oracle(world: World, **given: Any) -> Run:
    """Only the best judge is asked, as if known."""
    return play_iir(world, members=[world.best_judge], **given)


def play_two_stage(world: World, *, alpha: float | None = None, **given: Any) -> Run:
    """Find a good judge on one pair, then rank with that judge (constants `released`: with all survivors)."""
    if given.pop("selection", "successive") != "successive":
        return live_player("two-stage")(world, selection="median", alpha=alpha, **given)
    epsilon = given["constants"].judge_epsilon if alpha is None else alpha
    return _staged(world, list(range(world.judges)), parts=TwoStage.stages, epsilon=epsilon, **given)


def play_subset_two_stage(
    world: World, *, subset: int | None = None, alpha: float | None = None, **given: Any
) -> Run:
    """The same, looking for the judge among a few drawn at random."""
    if given.pop("selection", "successive") != "successive":
        return live_player("subset-two-stage")(world, selection="median", subset=subset, alpha=alpha, **given)
    epsilon = given["constants"].judge_epsilon if alpha is None else alpha
    size = default_subset(world.judges, alpha=epsilon, error=given["error"]) if subset is None else subset
    drawn = given["rng"].permutation(world.judges)[: min(size, world.judges)]
    halved = epsilon / 2 if given["constants"].split_stages else epsilon
    return _staged(world, sorted(drawn.tolist()), parts=SubsetTwoStage.stages, epsilon=halved, **given)


def _staged(
    world: World,
    candidates: list[int],
    *,
    parts: int,
    epsilon: float,
    items: int,
    rng: np.random.Generator,
    error: float,
    constants: Constants,
    budget: int,
    **rest: Any,
) -> Run:
    """Settle a pair with everybody, select among the candidates, rank with the judge selected."""
    stage, truth = stage_of(world, items), true_ranks(items, rng)
    share = error / parts if constants.split_stages else error
    common: dict[str, Any] = {"error": share, "constants": constants, "budget": budget, "rng": rng, **rest}
    pair = play_insertion(stage, truth[:2], **common)
    if not pair.finished or items < 2:
        return _run(pair, truth[:2], selection=pair.questions)
    counts = np.zeros(3, np.int64)
    counts[QUESTIONS] = pair.questions
    worse, better = truth[pair.order]
    pool = elimination.pool(world.judges, candidates)
    rule = elimination.rule(items, len(candidates), share, constants)
    code = compiled(play_selection)(stage, pool, rule, better, worse, epsilon, counts, budget, rng)
    asked = int(counts[QUESTIONS])
    spent = pair.by_judge + pool.answered
    survivors = pool.active[: pool.n_active[0]].tolist()
    if code != FINISHED:
        return Run(asked, asked, exact=False, certified=False, active_judges=len(survivors), by_judge=tuple(spent))
    members = [_best(pool, survivors)] if constants.split_stages else survivors
    ranked = play_insertion(stage, truth, members=members, asked=asked, **common)
    return _run(ranked, truth, selection=asked, spent=spent)


def _best(pool: elimination.Pool, survivors: list[int]) -> int:
    """The survivor with the best share of right answers (the first of them, if several)."""
    return max(survivors, key=lambda u: (int(pool.right[u]) / max(int(pool.answered[u]), 1), -u))


def _run(played: Played, truth: Any, *, selection: int = 0, spent: Any = 0) -> Run:
    exact, by_judge = played.exact(truth), tuple(played.by_judge + spent)
    return Run(played.questions, selection, exact, played.finished, len(played.active), by_judge=by_judge)
