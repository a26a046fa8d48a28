"""Fast players of the paper's rankers: the live rankers' own walk and elimination, compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.core.gears import compiled
from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.paper.two_stage import SubsetTwoStage, TwoStage, default_subset
from juryrank.simulation.play import Run, true_ranks
from juryrank.simulation.players.insertion import Played, play_insertion
from juryrank.simulation.players.live import live_player
from juryrank.simulation.players.selection import play_selection
from juryrank.simulation.players.tally import FINISHED, QUESTIONS
from juryrank.simulation.worlds.kinds import World, stage_of


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
