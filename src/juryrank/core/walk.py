"""Inserting items one by one by a noisy walk on the tree. Paper: IIR, with IAI and ATI inside.

The state moves only when a duel has a verdict:

    begin(walk)             the next newcomer, first attempt                       (IIR → IAI → ATI)
    opponent(walk)          which ranked item the newcomer meets now
    answer(walk, won)       one answer to the running duel; where it gives a verdict:
    verdict(walk, won)      the walk takes a step, an attempt may end, the item may have found its place
    insert(walk, place)     the newcomer joins the list

    attempt  ──(leaf counter passes its bound, or is high at the end)──▶ placed ──▶ next newcomer, or finished
       └──(steps used up)──▶ next attempt with half the ε and a smaller δ

Duels against the sentinels are answered at once and for free. All functions run plain and compiled.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.constants import BASEL, FINAL_SHARE, STEPS_PER_LEVEL, STEPS_PER_LOG, Constants
from juryrank.core.duel import LEAF, NODE_ERROR, ROOT, lead_table
from juryrank.core.gears import kernel
from juryrank.core.pit import DEEPEST, descend, height, kind_of, middle

GOING_ON, UNSURE = -1, -2  # what a verdict leads to, besides a place in the list
LEFT, RIGHT, MIDDLE = 0, 1, 2  # which border or split of the node the newcomer meets
FINAL_NUMERATOR, FINAL_DENOMINATOR = FINAL_SHARE

CURSOR: Final = np.dtype(
    [
        ("newcomer", "i8"),  # the item being inserted (an index into the order of insertion)
        ("n_ranked", "i8"),
        ("attempt", "i8"),  # 1, 2, ...: the paper's t in IAI
        ("step", "i8"),  # the paper's t in ATI
        ("max_steps", "i8"),
        ("depth", "i8"),
        ("probe", "i8"),  # LEFT, RIGHT or MIDDLE
        ("left_won", "i8"),
        ("wins", "i8"),  # the running duel's tally
        ("answers", "i8"),
        ("duel", "i8"),  # how many duels have been begun
        ("n_visited", "i8"),
        ("finished", "i8"),
        ("short_circuit", "i8"),
        ("final_strict", "i8"),
    ]
)
RECORD: Final = np.dtype((np.record, CURSOR))  # the same, with its fields as attributes


class Walk(NamedTuple):
    """The whole state of an insertion ranking."""

    cursor: Any  # scalars, updated in place
    ranked: NDArray[np.int64]  # ranked[:n_ranked], worst first
    path: NDArray[np.int64]  # intervals from the root to the current node
    leaf_count: NDArray[np.int64]  # valid where leaf_stamp is the current attempt's
    leaf_stamp: NDArray[np.int64]
    visited: NDArray[np.int64]  # leaves counted in this attempt
    stamp: NDArray[np.int64]  # one number: changes with every attempt of every item


class Tables(NamedTuple):
    """Thresholds as integers for attempts 1 .. n, made once by NumPy, the same in both gears."""

    n_attempts: int
    leads: NDArray[np.int64]  # duels: three kinds of node an attempt, one after the other
    lead_start: NDArray[np.int64]
    lead_stop: NDArray[np.int64]
    insert_at: NDArray[np.int64]  # visits that place the item at once, by step
    insert_start: NDArray[np.int64]
    base_steps: NDArray[np.int64]  # steps by attempt ...
    min_steps: NDArray[np.int64]  # ... and at least these, by the number of ranked items


def start(n_items: int, constants: Constants) -> Walk:
    """Before the first insertion: item 0 is the whole list."""
    cursor = np.zeros(1, RECORD)[0]
    cursor["n_ranked"] = 1  # by item: setting a record's attribute takes five times as long
    cursor["short_circuit"] = constants.short_circuit
    cursor["final_strict"] = constants.final_strict
    cursor["finished"] = n_items < 2
    return Walk(
        cursor,
        np.zeros(max(n_items, 1), np.int64),
        np.zeros((DEEPEST, 2), np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(n_items + 1, np.int64),
        np.zeros(1, np.int64),
    )


def live(walk: Walk) -> Walk:
    """The same walk for the plain gear: scalars as Python numbers, which are several times as quick there."""
    return walk._replace(cursor=SimpleNamespace(**{name: int(walk.cursor[name]) for name in CURSOR.names or ()}))


def tables(n_items: int, item_error: float, constants: Constants, *, attempts: int) -> Tables:
    """Thresholds for the first `attempts` attempts at inserting an item, each item at `item_error` (δ/(N-1))."""
    leads: list[NDArray[np.int64]] = []
    insert_at: list[NDArray[np.int64]] = []
    base_steps = np.zeros(attempts + 1, np.int64)
    logs = np.log2 if constants.base2 else np.log
    for t in range(1, attempts + 1):
        epsilon, error = 2.0 ** -(t + 1), item_error / (BASEL * t**2)
        leads += [lead_table(epsilon, duel_error, constants) for duel_error in NODE_ERROR]
        base_steps[t] = int(np.ceil(STEPS_PER_LOG * constants.log(2 / error)))
        most = max(int(base_steps[t]), STEPS_PER_LEVEL * height(n_items))
        step = np.arange(1, most + 1, dtype=np.float64)
        bound = step / 2 + np.sqrt(step / 2 * logs(np.pi**2 * step**2 / (3 * error))) + 1
        insert_at.append(np.concatenate(([np.iinfo(np.int64).max], np.floor(bound).astype(np.int64) + 1)))
    lead_start, lead_stop = _bounds(leads)
    insert_start, _ = _bounds(insert_at)
    return Tables(
        attempts,
        np.concatenate(leads),
        lead_start,
        lead_stop,
        np.concatenate(insert_at),
        np.concatenate(([0], insert_start)),
        base_steps,
        STEPS_PER_LEVEL * np.ceil(1 + np.log2(1 + np.arange(n_items + 1))).astype(np.int64),
    )


def _bounds(parts: list[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    stops = np.cumsum([len(part) for part in parts]).astype(np.int64)
    return np.concatenate(([0], stops[:-1])).astype(np.int64), stops


@kernel
def table_index(attempt: int, kind: int) -> int:
    return 3 * (attempt - 1) + kind


@kernel
def begin(walk: Any, tables: Any, attempt: int) -> None:
    """The next item becomes the newcomer (attempt 1), or has another attempt; `tables` must reach that far."""
    c = walk.cursor
    c.newcomer = c.n_ranked
    c.attempt = attempt
    c.max_steps = max(tables.min_steps[c.n_ranked], tables.base_steps[attempt])
    c.step = 1
    c.depth = 0
    c.n_visited = 0
    walk.stamp[0] += 1
    walk.path[0, 0] = -1
    walk.path[0, 1] = c.n_ranked
    open_node(walk)


@kernel
def open_node(walk: Any) -> None:
    """Arrive at a node: the first duel there is against its left border (at the root: its middle)."""
    c = walk.cursor
    c.probe = MIDDLE if c.depth == 0 else LEFT
    open_duel(walk)


@kernel
def open_duel(walk: Any) -> None:
    c = walk.cursor
    c.wins = 0
    c.answers = 0
    c.duel += 1


@kernel
def position(walk: Any) -> int:
    """The list position that the newcomer meets now; -1 and n_ranked are the sentinels."""
    c = walk.cursor
    left = walk.path[c.depth, 0]
    right = walk.path[c.depth, 1]
    if c.probe == LEFT:
        return left
    if c.probe == RIGHT:
        return right
    return middle(left, right)


@kernel
def opponent(walk: Any) -> int:
    """The item that the newcomer meets now."""
    return walk.ranked[position(walk)]


@kernel
def answer(walk: Any, tables: Any, won: bool) -> int:
    """One answer to the running duel: GOING_ON while it has no verdict, else what `verdict` says."""
    c = walk.cursor
    c.answers += 1
    c.wins += won
    k = table_index(c.attempt, kind_of(walk.path, c.depth))
    if abs(2 * c.wins - c.answers) < tables.leads[tables.lead_start[k] + c.answers]:
        return GOING_ON
    return verdict(walk, tables, 2 * c.wins > c.answers)


@kernel
def longest_duel(walk: Any, tables: Any) -> int:
    """The most answers that the running duel can take (r_max)."""
    c = walk.cursor
    k = table_index(c.attempt, kind_of(walk.path, c.depth))
    return tables.lead_stop[k] - tables.lead_start[k] - 1


@kernel
def verdict(walk: Any, tables: Any, won: bool) -> int:
    """The running duel is decided, and so are those against sentinels that follow. Returns the newcomer's place
    in the list once it is found, UNSURE if the attempt ended without one, else GOING_ON."""
    c = walk.cursor
    place = settle(walk, tables, won)
    while place == GOING_ON:
        at = position(walk)
        if at == -1:
            place = settle(walk, tables, True)
        elif at == c.n_ranked:
            place = settle(walk, tables, False)
        else:
            break
    return place


@kernel
def settle(walk: Any, tables: Any, won: bool) -> int:
    """One duel's result, sentinels included; returns as `verdict` does."""
    c = walk.cursor
    kind = kind_of(walk.path, c.depth)
    if c.probe == LEFT:
        c.left_won = won
        if won or not c.short_circuit:
            c.probe = RIGHT
            open_duel(walk)
            return GOING_ON
        won = False  # the newcomer is left of this node: the right border need not be asked
    if kind == ROOT:
        step_down(walk, won)
    elif kind == LEAF:
        place = count_leaf(walk, tables, c.left_won and not won)
        if place >= 0:
            return place
    elif c.probe == MIDDLE:
        step_down(walk, won)
    elif c.left_won and not won:
        c.probe = MIDDLE
        open_duel(walk)
        return GOING_ON
    else:
        c.depth -= 1
    return next_step(walk)


@kernel
def step_down(walk: Any, to_right: bool) -> None:
    c = walk.cursor
    descend(walk.path, c.depth, to_right)
    c.depth += 1


@kernel
def count_leaf(walk: Any, tables: Any, inside: bool) -> int:
    """At a leaf: count up if the newcomer lies in its gap, else down, else leave; the place once it is sure."""
    c = walk.cursor
    leaf = walk.path[c.depth, 1]
    if walk.leaf_stamp[leaf] != walk.stamp[0]:
        walk.leaf_stamp[leaf] = walk.stamp[0]
        walk.leaf_count[leaf] = 0
        walk.visited[c.n_visited] = leaf
        c.n_visited += 1
    if inside:
        walk.leaf_count[leaf] += 1
        if walk.leaf_count[leaf] >= tables.insert_at[tables.insert_start[c.attempt] + c.step]:
            return leaf
    elif walk.leaf_count[leaf] > 0:
        walk.leaf_count[leaf] -= 1
    else:
        c.depth -= 1
    return GOING_ON


@kernel
def next_step(walk: Any) -> int:
    c = walk.cursor
    if c.step == c.max_steps:
        return most_visited(walk)
    c.step += 1
    open_node(walk)
    return GOING_ON


@kernel
def most_visited(walk: Any) -> int:
    """The attempt's steps are used up: the worst-placed leaf visited often enough, or UNSURE."""
    c = walk.cursor
    place = UNSURE
    for k in range(c.n_visited):
        leaf = walk.visited[k]
        surplus = FINAL_DENOMINATOR * (walk.leaf_count[leaf] - 1) - FINAL_NUMERATOR * c.max_steps
        if (surplus > 0 or (surplus == 0 and not c.final_strict)) and (place < 0 or leaf < place):
            place = leaf
    return place


@kernel
def insert(walk: Any, place: int) -> None:
    """Put the newcomer before the list position `place`."""
    c = walk.cursor
    for k in range(c.n_ranked, place, -1):
        walk.ranked[k] = walk.ranked[k - 1]
    walk.ranked[place] = c.newcomer
    c.n_ranked += 1
    c.finished = c.n_ranked == len(walk.ranked)


def to_json(walk: Walk) -> dict[str, Any]:
    """A live walk as JSON values."""
    arrays = {name: getattr(walk, name).tolist() for name in Walk._fields if name != "cursor"}
    return {"cursor": {name: int(value) for name, value in vars(walk.cursor).items()}, **arrays}


def from_json(state: Mapping[str, Any]) -> Walk:
    """The live walk that `to_json` wrote."""
    arrays = [np.array(state[name], np.int64) for name in Walk._fields if name != "cursor"]
    return Walk(SimpleNamespace(**state["cursor"]), *arrays)
