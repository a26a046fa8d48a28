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

from juryrank.core.compiling import kernel
from juryrank.rankers.paper.core.constants import FINAL_SHARE
from juryrank.rankers.paper.core.elimination import LEAF, ROOT
from juryrank.rankers.paper.core.interval_tree import descend, kind_of, middle
from juryrank.rankers.paper.core.state import Walk
from juryrank.rankers.paper.core.thresholds import Tables, table_index

GOING_ON, UNSURE = -1, -2  # what a verdict leads to, besides a place in the list
LEFT, RIGHT, MIDDLE = 0, 1, 2  # which border or split of the node the newcomer meets
FINAL_NUMERATOR, FINAL_DENOMINATOR = FINAL_SHARE


@kernel
def begin(walk: Walk, tables: Tables, attempt: int) -> None:
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
def open_node(walk: Walk) -> None:
    """Arrive at a node: the first duel there is against its left border (at the root: its middle)."""
    c = walk.cursor
    c.probe = MIDDLE if c.depth == 0 else LEFT
    open_duel(walk)


@kernel
def open_duel(walk: Walk) -> None:
    c = walk.cursor
    c.wins = 0
    c.answers = 0
    c.duel += 1


@kernel
def position(walk: Walk) -> int:
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
def opponent(walk: Walk) -> int:
    """The item that the newcomer meets now."""
    return walk.ranked[position(walk)]


@kernel
def answer(walk: Walk, tables: Tables, won: bool) -> int:
    """One answer to the running duel: GOING_ON while it has no verdict, else what `verdict` says."""
    c = walk.cursor
    c.answers += 1
    c.wins += won
    k = table_index(c.attempt, kind_of(walk.path, c.depth))
    if abs(2 * c.wins - c.answers) < tables.leads[tables.lead_start[k] + c.answers]:
        return GOING_ON
    return verdict(walk, tables, 2 * c.wins > c.answers)


@kernel
def longest_duel(walk: Walk, tables: Tables) -> int:
    """The most answers that the running duel can take (r_max)."""
    c = walk.cursor
    k = table_index(c.attempt, kind_of(walk.path, c.depth))
    return tables.lead_stop[k] - tables.lead_start[k] - 1


@kernel
def verdict(walk: Walk, tables: Tables, won: bool) -> int:
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
def settle(walk: Walk, tables: Tables, won: bool) -> int:
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
def step_down(walk: Walk, to_right: bool) -> None:
    c = walk.cursor
    descend(walk.path, c.depth, to_right)
    c.depth += 1


@kernel
def count_leaf(walk: Walk, tables: Tables, inside: bool) -> int:
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
def next_step(walk: Walk) -> int:
    c = walk.cursor
    if c.step == c.max_steps:
        return most_visited(walk)
    c.step += 1
    open_node(walk)
    return GOING_ON


@kernel
def most_visited(walk: Walk) -> int:
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
def insert(walk: Walk, place: int) -> None:
    """Put the newcomer before the list position `place`."""
    c = walk.cursor
    for k in range(c.n_ranked, place, -1):
        walk.ranked[k] = walk.ranked[k - 1]
    walk.ranked[place] = c.newcomer
    c.n_ranked += 1
    c.finished = c.n_ranked == len(walk.ranked)
