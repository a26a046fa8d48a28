"""A fast player of the certified ranker: the live ranker's own machine, compiled.

Questions go out in rounds: up to `parallel` at once, all answered before the next round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.compiling import compiled, kernel
from juryrank.errors import BadInput
from juryrank.rankers.certified.core import phases, resize
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.judge_accuracy import VOTES
from juryrank.rankers.certified.core.machine import Query, answered, asked, choose, cramped
from juryrank.rankers.certified.core.state import ANYBODY
from juryrank.rankers.certified.objective import Aim
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.certified.result import claims_of
from juryrank.rankers.paper.core.constants import Constants
from juryrank.simulation.play import Run, true_ranks
from juryrank.simulation.players.by_answer import prefers
from juryrank.simulation.worlds.kinds import World, stage_of

ASKED, ROUNDS, OUT, BACK, DIGEST = range(5)  # places in `WorldTable.flow`
JUDGE, FIRST, SECOND, PHASE, ATTEMPTED = range(5)  # columns of `WorldTable.out`
ENDED, CRAMPED = 0, 1  # why a stretch of play stopped
DIGEST_STEP, DIGEST_SIZE = 1_000_003, 2_147_483_647


class WorldTable(NamedTuple):
    """The questions of a round, and how far it is."""

    flow: NDArray[np.int64]
    out: NDArray[np.int64]  # judge, first, second, phase, attempt
    bet: NDArray[np.float64]


def table(parallel: int) -> WorldTable:
    """Nothing asked yet; room for `parallel` questions at once."""
    return WorldTable(np.zeros(5, np.int64), np.zeros((parallel, 5), np.int64), np.zeros(parallel))


def play_certified(
    world: World,
    *,
    items: int,
    rng: np.random.Generator,
    error: float,
    constants: Constants,
    budget: int,
    parallel: int = 1,
    **options: Any,
) -> Run:
    """One run of the certified ranker."""
    if isinstance(parallel, bool) or not isinstance(parallel, int) or parallel < 1:
        raise BadInput(f"parallel is {parallel!r}; it is how many questions may be open at once, 1 or more")
    truth = true_ranks(items, rng)
    options = {"joining": False, **options}  # all of δ is for the items that are here
    shared: dict[str, Any] = {"error": error, "budget": budget, "seed": int(rng.integers(2**62))}
    ranker = Certified(range(items), judges=range(world.judges), **shared, **options)
    s, board = play_out(ranker.state.machine, stage_of(world, items), truth, rng, budget=budget, parallel=parallel)
    ranker.state.machine, c = s, s.cursor
    order = s.order[: c.placed]
    proven = bool(c.phase == phases.CERTIFIED)
    proving = c.phase in (phases.PROVE, phases.CERTIFIED)
    return Run(
        questions=int(board.flow[ASKED]),
        selection_questions=0,
        exact=len(order) == items and is_right(ranker.aim, truth[order]),
        certified=proven,
        active_judges=world.judges,
        rounds=int(board.flow[ROUNDS]),
        attempts=int(c.attempt),
        by_judge=tuple(float(votes) for votes in s.jury.tally[:, VOTES]),
        proven_links=max(items - 1, 0) if c.phase == phases.CERTIFIED else int(c.proven) * proving,
        claimed_links=len({claim[:2] for claim in claims_of(ranker.state)}),
    )


def is_right(aim: Aim, found: NDArray[np.int64]) -> bool:
    """Is what was found right: the whole order, or the set? `found`: true ranks (0 = worst) as listed."""
    if aim.k is None:
        return bool(np.all(np.diff(found) < 0))
    return bool(found[: aim.k].min() > found[aim.k :].max(initial=-1))


def play_out(
    s: st.State, stage: Any, truth: NDArray[np.int64], rng: np.random.Generator, *, budget: int, parallel: int
) -> tuple[st.State, WorldTable]:
    """Play until the machine has nothing to ask or the budget is spent."""
    board, s = table(parallel), st.recorded(s)
    stretch = compiled(play_stretch)
    while stretch(s, stage, truth, board, budget, parallel, rng) == CRAMPED:
        s = resize.roomier(s)
    return st.live(s), board


@kernel
def play_stretch(s: Any, stage: Any, truth: Any, board: Any, budget: int, parallel: int, rng: Any) -> int:
    """Rounds of questions until the end, or until the state needs more room."""
    flow = board.flow
    while True:
        if flow[BACK] == 0:
            while flow[OUT] < parallel:
                if cramped(s):
                    return CRAMPED
                s.cursor.budget_left = budget - flow[ASKED]
                if flow[ASKED] >= budget or not choose(s, ANYBODY):
                    break
                send_out(s, board)
                s.cursor.budget_left = budget - flow[ASKED]
            if flow[OUT] == 0:
                return ENDED
            flow[ROUNDS] += 1
        while flow[BACK] < flow[OUT]:
            if cramped(s):
                return CRAMPED
            come_back(s, stage, truth, board, rng)
        flow[OUT] = 0
        flow[BACK] = 0


@kernel
def send_out(s: Any, board: Any) -> None:
    """Ask the question drafted."""
    flow = board.flow
    c = s.cursor
    k = flow[OUT]
    board.out[k, JUDGE] = c.draft_judge
    board.out[k, FIRST] = c.draft_first
    board.out[k, SECOND] = c.draft_second
    board.out[k, PHASE] = c.draft_phase
    board.out[k, ATTEMPTED] = c.attempt
    board.bet[k] = c.draft_bet
    asked(s, question_out(board, k), c.draft_position)
    flow[OUT] += 1
    flow[ASKED] += 1
    flow[DIGEST] = digested(flow[DIGEST], c.draft_judge, c.draft_first, c.draft_second)


@kernel
def question_out(board: Any, k: int) -> Any:
    """The k-th question of a round, as the machine knows it."""
    out = board.out
    judge = out[k, JUDGE]
    return Query(judge, out[k, FIRST], out[k, SECOND], out[k, PHASE], out[k, ATTEMPTED], board.bet[k])


@kernel
def digested(digest: int, judge: int, first: int, second: int) -> int:
    """A running digest of the questions asked."""
    return (digest * DIGEST_STEP + judge * 7919 + first * 104_729 + second) % DIGEST_SIZE


@kernel
def come_back(s: Any, stage: Any, truth: Any, board: Any, rng: Any) -> None:
    """The next answer of the round."""
    flow = board.flow
    k = flow[BACK]
    q = question_out(board, k)
    before = flow[ASKED] - flow[OUT] + k
    answered(s, q, prefers(stage, q.judge, truth[q.first], truth[q.second], before, rng))
    flow[BACK] += 1
