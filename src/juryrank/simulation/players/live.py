"""Any ranker in any world through its live contract: ask, answer by chance, tell. Slow, and always there."""

from __future__ import annotations

from typing import Any

import numpy as np

from juryrank.rankers.contract.limits import option_names
from juryrank.rankers.paper.core.constants import Constants
from juryrank.rankers.registry import ranker_class
from juryrank.simulation.play import Player, Run, true_ranks
from juryrank.simulation.players.by_answer import prefers
from juryrank.simulation.worlds.kinds import World, stage_of

SELECTING = ("pair", "select")  # stages of a two-stage ranking that are not ranking


def live_player(ranker: str) -> Player:
    """A player that asks a live ranker for every question."""

    def play_live(
        world: World,
        *,
        items: int,
        rng: np.random.Generator,
        error: float,
        constants: Constants,
        budget: int,
        **options: Any,
    ) -> Run:
        truth, stage = true_ranks(items, rng), stage_of(world, items)
        own = _options(ranker, world, constants)
        live = ranker_class(ranker)(
            range(items), judges=range(world.judges), error=error, budget=budget,
            seed=int(rng.integers(2**62)), **own, **options,
        )  # fmt: skip
        selecting = 0
        while (question := live.ask()) is not None:
            left, right, judge = int(question.left), int(question.right), int(question.judge)  # type: ignore[call-overload]
            prefers_left = prefers(stage, judge, truth[left], truth[right], live.questions - 1, rng)
            selecting += question.terms.get("stage") in SELECTING
            live.tell(question, left if prefers_left else right)
        result = live.ranking
        ranks = [int(truth[item]) for item in result.order]  # type: ignore[call-overload]
        exact = ranks == list(range(items - 1, -1, -1))
        by_judge = tuple(float(judge.asked) for judge in live.judges)
        active = live.progress.active_judges
        return Run(live.questions, selecting, exact, result.certified, active, by_judge=by_judge)

    return play_live


def _options(ranker: str, world: World, constants: Constants) -> dict[str, Any]:
    """Options that this ranker has besides those of every ranker: the constants, or who the best judge is."""
    known = option_names(ranker_class(ranker))
    options: dict[str, Any] = {}
    if "constants" in known:
        options["constants"] = constants.name
    if "best" in known:
        options["best"] = world.best_judge
    return options
