"""The whole state of the certified ranker as arrays, so that it runs plain and compiled.

    INSERT ──(all items placed)──▶ REPAIR ──(every link believed)──▶ PROVE ──(every link proven)──▶ CERTIFIED
       ▲                             ▲                                 │
       │                             └───(a link looks wrong: swap)────┤
       └───────────(items join, from any phase, certified too)─────────┘

The phase moves only with events (an answer, an expiry, a joining item), never by asking, so that a replayed
log takes the same path. In REPAIR and PROVE an answer may also be the last that is asked for: then it has given
up (GAVE_UP; see `giving_up.py`), and the phase stays.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core import gears
from juryrank.core.certified.judge_accuracy import HARD_PAIRS, JudgeBeliefs, jury
from juryrank.core.certified.max_tree import MaxTree, max_tree
from juryrank.core.certified.pair_answers import Tallies, empty
from juryrank.core.certified.prove.evidence import GRID_SIZE
from juryrank.core.certified.search.gaps import Slots, slots

INSERT, REPAIR, PROVE, CERTIFIED = 0, 1, 2, 3
PHASES = ("insert", "repair", "prove", "certified")
BETTER_THAN_CHANCE, STEADY = 0, 1
ASSUMPTIONS = ("better-than-chance", "steady")
ANYBODY = -1  # no judge was named: choose one
UNLIMITED = 0  # repeats

# Places in `numbers`
PHASE, PLACED, ITEMS, NEXT, IN_FLIGHT, ROWS, LEADER, ASSUME, REPEATS, SEARCH_JUDGES = range(10)
ATTEMPT, PROVEN, OPEN_LINKS, CLAIMED, CLAIMS, LINK_NODES, QUESTIONS, ANSWERS, REDO_AT, POOL_AT = range(10, 20)
DRAFT_JUDGE, DRAFT_FIRST, DRAFT_SECOND, DRAFT_PHASE, DRAFT_POSITION, ATTEMPT_ASKED, SEARCHED, STAY = range(20, 28)
GAVE_UP, STUCK_LOW, STUCK_HIGH, TURNS = range(28, 32)  # see `giving_up.py`
N_NUMBERS = 32  # STAY: an attempt is not given up, whatever the answers say
# Places in `reals`
ERROR, THRESHOLD, COMMON, BITS_LEFT, BUDGET_LEFT, DRAFT_BET, EVEN_LIMIT = range(7)
N_REALS = 7  # EVEN_LIMIT: the ranker's `patience`


# Columns of `Proof.link`: proven, questions out, answers for and against, chain of judges; as a list of its own,
# the links from the surest on, fixed when the attempt began; as another, the links with questions out (in any
# order), and where in it a link stands
IS_PROVEN, OPENED, WINS, LOSSES, LINK_HEAD, FIXED, OPEN_LIST, OPEN_AT = range(8)
NOW, BEST = 0, 1  # of `worth`: log evidence, and the largest it has been
NODE_JUDGE, FOR, AGAINST, NODE_NEXT = range(4)  # of `node`: one judge's answers at one link
# Columns of `judge` and `logs` (steady): has a prior, answers, those that agree, Σ over links of the larger of
# for and against; log of the mixture, log of the supremum
HAS_PRIOR, JUDGE_ANSWERS, AGREE, LARGER = range(4)
LOG_MIX, LOG_SUP = 0, 1


class Proof(NamedTuple):
    """The running attempt. Link k: between positions k and k+1."""

    link: NDArray[np.int64]
    worth: NDArray[np.float64]
    node: NDArray[np.int64]
    judge: NDArray[np.int64]
    logs: NDArray[np.float64]
    prior: NDArray[np.float64]  # (judge, grid): steady
    claims: NDArray[np.int64]  # (claim, 3): better, worse, attempt; of attempts that are over


class State(NamedTuple):
    """Everything."""

    numbers: NDArray[np.int64]
    reals: NDArray[np.float64]
    order: NDArray[np.int64]  # order[:PLACED], best first
    place: NDArray[np.int64]  # item -> position; valid once all are placed
    arrivals: NDArray[np.int64]  # the items in the order they are inserted
    out: NDArray[np.int64]  # open repair questions, by item
    rivals: NDArray[np.int64]  # to work with: see `search/opponents.py`
    restless: NDArray[np.int64]  # by item: may a move of it be right? See `search/moves.py`
    beyond: NDArray[np.float64]  # (link, DOWN or UP): see `search/move_doubt.py`
    jury: JudgeBeliefs
    tallies: Tallies
    slots: Slots
    doubt: MaxTree  # by link: how likely it is that a move across it is right
    unsure: MaxTree  # by link: minus the log odds of links still to be proven
    proof: Proof


def start(
    arrivals: list[int],
    turn: list[int],
    *,
    error: float,
    prices: list[float],
    assume: int,
    repeats: int,
    patience: float = math.inf,
) -> State:
    """Nothing is known: the first item to arrive is the whole list."""
    n, judges = len(arrivals), len(turn)
    numbers, reals = np.zeros(N_NUMBERS, np.int64), np.zeros(N_REALS)
    numbers[ITEMS], numbers[PLACED], numbers[NEXT] = n, min(n, 1), min(n, 1)
    numbers[PHASE] = CERTIFIED if n < 2 else INSERT
    numbers[LEADER], numbers[ASSUME], numbers[REPEATS] = turn[0], assume, repeats
    numbers[SEARCH_JUDGES] = judges
    reals[ERROR], reals[BUDGET_LEFT], reals[EVEN_LIMIT] = error, math.inf, patience
    reals[BITS_LEFT] = sum(math.log2(i) for i in range(2, n + 1))
    known = jury(judges, turn, prices)
    if assume == STEADY:
        known.pool[HARD_PAIRS] = 0.0
    room = max(n, 2)
    order = np.zeros(room, np.int64)
    order[: min(n, 1)] = arrivals[:1]
    return State(
        numbers,
        reals,
        order,
        np.zeros(room, np.int64),
        np.array(arrivals, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros((room, 2)),
        known,
        empty(room),
        slots(n),
        max_tree(room),
        max_tree(room),
        proof(room, judges),
    )


def in_hand(s: State) -> Any:
    """The state for the plain gear. (Of the judges' priors whole rows are handed on: a view for each.)"""
    views = gears.in_hand(s)
    rows = tuple(memoryview(row) for row in s.proof.prior)
    return views._replace(proof=views.proof._replace(prior=rows))


def proof(room: int, judges: int) -> Proof:
    """No attempt yet."""
    return Proof(
        np.zeros((room, 8), np.int64),
        np.zeros((room, 2)),
        np.zeros((room, 4), np.int64),
        np.zeros((judges, 4), np.int64),
        np.zeros((judges, 2)),
        np.zeros((judges, GRID_SIZE)),
        np.zeros((room, 3), np.int64),
    )
