"""One simulated run of any ranker. `PLAYERS` says how: one line per algorithm that has a fast player.

A player is a function(world, *, items, rng, error, constants, budget, **options) -> Run. It draws everything from
`rng`, the true order first (`true_ranks`), so that rankers with the same seed meet the same orders. Rankers
without a line are played through their live contract (`players/live.py`), question by question.
"""

from __future__ import annotations

import importlib
import inspect
import threading
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from juryrank.defaults import DEFAULT_BUDGET_PER_ITEM, DEFAULT_ERROR
from juryrank.errors import BadInput
from juryrank.rankers.paper.core.constants import PAPER, Constants
from juryrank.rankers.registry import ranker_class
from juryrank.simulation.worlds.base import World

PLAYERS: dict[str, str] = {
    "iir": "juryrank.simulation.players.paper:play_iir",
    "ada-iir": "juryrank.simulation.players.paper:play_ada_iir",
    "oracle": "juryrank.simulation.players.paper:play_oracle",
    "two-stage": "juryrank.simulation.players.paper:play_two_stage",
    "subset-two-stage": "juryrank.simulation.players.paper:play_subset_two_stage",
    "certified": "juryrank.simulation.players.certified:play_certified",
}
_PCG_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645  # O'Neill 2014: the multiplier of PCG64
_MASK = (1 << 128) - 1
_own = threading.local()


@dataclass(frozen=True, slots=True)
class Run:
    """How one run went. `rounds` to `claimed_links`: rankers that know such things."""

    questions: int  # all of them, selecting judges included
    selection_questions: int
    exact: bool  # every item in its true place
    certified: bool  # ended by the ranker's own rule, within the budget, with its promise
    active_judges: int
    rounds: int | None = None
    attempts: int | None = None
    proven_links: int | None = None
    claimed_links: int | None = None  # different links claimed by any attempt: what a result may say
    by_judge: tuple[float, ...] = ()  # questions a judge was asked (in expectation, where nobody keeps count)


class Player(Protocol):
    """What stands behind a line of PLAYERS."""

    def __call__(
        self,
        world: World,
        *,
        items: int,
        rng: np.random.Generator,
        error: float,
        constants: Constants,
        budget: int,
        **options: Any,
    ) -> Run: ...


def true_ranks(items: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The true rank of every item, 0 = worst: the first thing a player draws."""
    return rng.permutation(items).astype(np.int64)


def repeat_rng(seed: int, repeat: int) -> np.random.Generator:
    """The random stream of one repeat: it depends on nothing else, so any process may play it."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(repeat,))))


def _reused_rng(seed: int, repeat: int) -> np.random.Generator:
    """The same stream as `repeat_rng` in one generator for all runs of a thread.

    Compiled code looks a new generator up through ctypes, which takes longer than a whole small run.
    """
    rng: np.random.Generator | None = getattr(_own, "rng", None)
    if rng is None:
        rng = _own.rng = np.random.Generator(np.random.PCG64(0))
    words = np.random.SeedSequence(seed, spawn_key=(repeat,)).generate_state(4, np.uint64).tolist()
    start, sequence = words[0] << 64 | words[1], words[2] << 64 | words[3]
    # O'Neill 2014, PCG: how a 128-bit generator is seeded
    increment = (sequence << 1 | 1) & _MASK
    state = ((increment + start) * _PCG_MULTIPLIER + increment) & _MASK
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": 0,
        "uinteger": 0,
    }
    return rng


THE_WORLDS = ("constants", "fresh")  # `play` takes the constants itself, and in a world every answer is anew


@cache
def player(ranker: str) -> Player:
    """The fastest way to play a ranker."""
    ranker_class(ranker)  # an unknown name is an error here, and says which there are
    path = PLAYERS.get(ranker)
    if path is None:
        from juryrank.simulation.players.live import live_player

        return live_player(ranker)
    module, _, name = path.partition(":")
    found: Player = getattr(importlib.import_module(module), name)
    return found


def player_options(ranker: str) -> dict[str, Any]:
    """The options of a ranker that its player takes, with their defaults.

    >>> player_options("certified")["parallel"], player_options("iir")
    (1, {})
    """
    given = inspect.signature(player(ranker)).parameters.values()
    found = {one.name: one.default for one in given if one.default is not one.empty}
    if ranker in PLAYERS and any(one.kind is one.VAR_KEYWORD for one in given):  # as the ranker takes
        found |= {o.name: o.default for o in ranker_class(ranker).declared.table() if o.name not in THE_WORLDS}
    return found


def play(
    ranker: str,
    world: World,
    *,
    items: int,
    seed: int,
    repeat: int = 0,
    error: float = DEFAULT_ERROR,
    constants: Constants = PAPER,
    budget: int | None = None,
    **options: Any,
) -> Run:
    """One run of a ranker in a world.

    >>> from juryrank.simulation.worlds.kinds import two_groups
    >>> run = play("ada-iir", two_groups(9, gamma_a=0.5, gamma_b=2.5), items=10, seed=1)
    >>> run.exact, run.active_judges
    (True, 3)
    """
    if world.items not in (None, items):
        raise BadInput(f"this world is about {world.items} items, not {items}")
    if budget is None:
        budget = DEFAULT_BUDGET_PER_ITEM * max(items, 1)
    rng = _reused_rng(seed, repeat)
    return player(ranker)(world, items=items, rng=rng, error=error, constants=constants, budget=budget, **options)
