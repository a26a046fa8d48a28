"""The whole state of the certified ranker: one record of scalars, and arrays; so that it runs plain and compiled.

Scalars are read and written by name (`s.cursor.attempt`). Live they are a plain namespace, which is quickest in
Python; for compiled play `recorded(s)` makes a record of them, and `live(s)` the namespace again.
Elements of arrays keep columns with names in capitals: live, an access by a record's field took 30 times as long
(22 to 33 µs beside 0.7 µs, on a busy machine).
"""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core import compiling
from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.judge_accuracy import HARD_PAIRS, JudgeBeliefs, jury
from juryrank.rankers.certified.core.max_tree import MaxTree, max_tree
from juryrank.rankers.certified.core.pair_answers import Tallies, empty
from juryrank.rankers.certified.core.phases import (
    CANDIDATES_JOINED,
    ELIMINATION,
    ITEMS_JOINED,
    NOTHING_TO_RANK,
    ORDER,
    change_phase,
)
from juryrank.rankers.certified.core.prove.evidence import PRIOR_SIZE
from juryrank.rankers.certified.core.search.gaps import BREADTH, DEPTH, Slots, room_in_flight, slots

BETTER_THAN_CHANCE, STEADY = 0, 1
NO_LINK: Final = -1
ASSUMPTIONS = ("better-than-chance", "steady")
ANYBODY = -1  # no judge was named: choose one
UNLIMITED = 0  # repeats


class Cursor(SimpleNamespace):
    """Scalars, updated in place. The order is that of snapshots: new ones go to the end of their kind."""

    phase: int  # see `phases.py`
    placed: int
    items: int
    next_arrival: int
    in_flight: int  # newcomers being placed
    rows: int  # of `slots`, ever used
    leader: int  # the judge asked most
    assume: int
    repeats: int
    search_judges: int  # with limited repeats: how many the search may ask about a pair
    attempt: int
    proven: int  # links of this attempt
    open_links: int  # with questions out
    claimed: int  # links from the surest on, without a gap
    claims: int  # of attempts that are over
    link_nodes: int
    questions: int
    answers: int
    redo_at: int  # questions at which the whole list is looked over again
    pool_at: int  # answers credited at which the pool of judges is learned anew
    draft_judge: int
    draft_first: int
    draft_second: int
    draft_phase: int
    draft_position: int
    attempt_asked: int
    searched: int  # answers credited
    stay: int  # an attempt is not given up, whatever the answers say
    gave_up: int  # this and the next three: see `giving_up.py`
    stuck_low: int
    stuck_high: int
    turns: int
    objective: int  # this and the next: see `above` and `below`
    top: int  # k of top-k
    joining: bool  # may items join? Then elimination keeps some of δ for them
    claims_first: (
        bool  # once the list is very probably right, links are asked in the order in which they are claimed
    )
    insert: int  # DEPTH or BREADTH: see `search/gaps.py`
    error: float
    threshold: float  # log 1/δ_m
    common: float  # steady: what all links share of their evidence
    bits_left: float  # of insertion
    budget_left: float  # questions
    draft_bet: float
    even_limit: float  # the ranker's `patience`


def _of_kind(*kinds: str) -> tuple[str, ...]:
    return tuple(name for name, kind in Cursor.__annotations__.items() if kind in kinds)


COUNTS: Final = _of_kind("int", "bool")
REALS: Final = _of_kind("float")
DRAFT: Final = (*(name for name in COUNTS if name.startswith("draft_")), "draft_bet", "budget_left")
CURSOR: Final = np.dtype((np.record, [(name, "i8") for name in COUNTS] + [(name, "f8") for name in REALS]))

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
    """The running attempt. Which pair link k is: `pair_at`."""

    link: NDArray[np.int64]
    worth: NDArray[np.float64]
    node: NDArray[np.int64]
    judge: NDArray[np.int64]
    logs: NDArray[np.float64]
    prior: NDArray[np.float64]  # (judge, PRIOR_SIZE): steady
    claims: NDArray[np.int64]  # (claim, 3): better, worse, attempt; of attempts that are over


class State(NamedTuple):
    """The whole state: arrays, and `cursor`, the scalars.

    Numbers of one kind share an array, a named column each: compiled kernels hand every array on by itself.
    """

    cursor: Cursor
    order: NDArray[np.int64]  # order[:placed], best first
    place: NDArray[np.int64]  # item -> position; valid once all are placed
    arrivals: NDArray[np.int64]  # the items in the order they are inserted
    out: NDArray[np.int64]  # open repair questions, by item
    rivals: NDArray[np.int64]  # to work with: see `search/moves.py`
    recheck: NDArray[np.int64]  # by item: may a move of it be right? See `search/moves.py`
    beyond: NDArray[np.float64]  # (link, DOWN or UP): see `search/moves.py`
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
    objective: int = ORDER,
    top: int = 1,
    joining: bool = True,
    claims_first: bool,
    insert: int = DEPTH,
) -> State:
    """Nothing is known: the first item to arrive is the whole list."""
    n, judges = len(arrivals), len(turn)
    cursor = Cursor(**dict.fromkeys(COUNTS, 0), **dict.fromkeys(REALS, 0.0))
    cursor.items, cursor.placed, cursor.next_arrival = n, min(n, 1), min(n, 1)
    cursor.objective, cursor.top, cursor.joining, cursor.claims_first = objective, top, joining, claims_first
    cursor.insert = insert
    change_phase(cursor, entry_event(n, objective))
    cursor.leader, cursor.assume, cursor.repeats = turn[0], assume, repeats
    cursor.search_judges = judges
    cursor.error, cursor.budget_left, cursor.even_limit = error, math.inf, patience
    cursor.bits_left = sum(placing_bits(cursor, i) for i in range(2, n + 1))
    known = jury(judges, turn, prices)
    if assume == STEADY:
        known.pool[HARD_PAIRS] = 0.0
    room = max(n, 2)
    order = np.zeros(room, np.int64)
    order[: min(n, 1)] = arrivals[:1]
    return State(
        cursor,
        order,
        np.zeros(room, np.int64),
        np.array(arrivals, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
        np.zeros((room, 2)),
        known,
        empty(room),
        slots(n, room_in_flight(n, breadth=insert == BREADTH)),
        max_tree(room),
        max_tree(room),
        proof(room, judges),
    )


def entry_event(items: int, objective: int) -> int:
    """What so many items to rank mean for the phase."""
    if items < 2:
        return NOTHING_TO_RANK
    return CANDIDATES_JOINED if objective == ELIMINATION else ITEMS_JOINED


@compiling.kernel
def placing_bits(cursor: Cursor, placed: int) -> float:
    """Bits needed to place an item, so that `placed` are placed; for a set, mostly that it is outside."""
    if cursor.objective == ORDER or placed <= cursor.top + 1:
        return math.log2(placed)
    inside = cursor.top / placed
    side = -inside * math.log2(inside) - (1.0 - inside) * math.log2(1.0 - inside)
    return side + inside * math.log2(cursor.top + 1.0)


def recorded(s: State) -> State:
    """The state for compiled play: the same arrays, a record of the scalars as they are now."""
    if not compiling.have_numba():
        return s
    record = np.zeros(1, CURSOR)[0]
    for name in (*COUNTS, *REALS):
        record[name] = getattr(s.cursor, name)
    return s._replace(cursor=record)


def live(s: State) -> State:
    """The state for plain Python, after compiled play."""
    record: Any = s.cursor
    if isinstance(record, Cursor):
        return s
    return s._replace(cursor=Cursor(**{name: record[name].item() for name in (*COUNTS, *REALS)}))


def as_views(s: State) -> Any:
    """The state for plain Python. (Whole rows of the judges' priors are passed on: one view per row.)"""
    views = compiling.as_views(s)
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
        np.zeros((judges, PRIOR_SIZE)),
        np.zeros((room, 3), np.int64),
    )


# ----------------------------------------------------------------------------
# Which pairs a fixed list rests on: link k joins a better and a worse item.
#
#     order         neighbours: the items at places k and k+1
#     top-k, best   a star around the pivot, which is the k-th item (place top - 1): each better item over the
#                   pivot, the pivot over each worse item; N - 1 links, as for the order
#
# A wrong list has a wrong link in either case, and which one is fixed by the list and the truth. For the star: if
# the set is wrong, some b outside is better than some a inside. If b is better than the pivot, the link "pivot
# over b" is wrong; else the pivot is better than b, which is better than a, and the link "a over pivot" is wrong.


@kernel
def above(s: State, k: int) -> int:
    """The better item of link k."""
    pivot = s.cursor.top - 1
    return s.order[k] if s.cursor.objective == ORDER or k < pivot else s.order[pivot]


@kernel
def below(s: State, k: int) -> int:
    """The worse item of link k."""
    pivot = s.cursor.top - 1
    return s.order[k + 1] if s.cursor.objective == ORDER or k >= pivot else s.order[pivot]


@kernel
def link_of(s: State, x: int, y: int) -> int:
    """The link that two items form, or NO_LINK."""
    first = min(s.place[x], s.place[y])
    last = max(s.place[x], s.place[y])
    if s.cursor.objective == ORDER:
        return first if last - first == 1 else NO_LINK
    pivot = s.cursor.top - 1
    if last == pivot:
        return first
    return last - 1 if first == pivot else NO_LINK


def decided(s: State, x: int, y: int) -> bool:
    """Does the list say which of two items is better? A set says it of those on different sides of the pivot."""
    if s.cursor.objective == ORDER:
        return True
    first, last = sorted((int(s.place[x]), int(s.place[y])))
    return first < s.cursor.top <= last or last == s.cursor.top - 1


def pair_at(s: State, k: int) -> tuple[int, int]:
    """Both items of link k, the better one first."""
    return int(above(s, k)), int(below(s, k))
