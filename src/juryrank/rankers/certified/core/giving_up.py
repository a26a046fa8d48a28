"""When to give up: where two items are equally good, or answers keep changing sides, more of them prove nothing.

    even    so many answers about one pair are so evenly split that it is as good as a tie
    turns   one pair has ended attempt after attempt: its answers keep changing sides

*Even* is a sequential test over all answers about a pair. `patience` says how many it may take at an even split,
which fixes a margin m: 1/2 ± m/2 are the accuracies that such a split rules out,

    n/2 · (-log(1 - m²)) = log(1/MISTAKEN) at n = patience.

The test compares "right with probability 1/2 + m/2", in either direction, with a fair coin. Where answers are
right at least that often, this likelihood ratio ever falls to MISTAKEN with probability at most MISTAKEN (Ville):
so a pair that is no closer than that is hardly ever given up. Giving up only stops asking: every claim made
holds as before, and nothing here carries the promise.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from juryrank.core.compiling import kernel
from juryrank.rankers.certified.core.pair_answers import HIGH_WINS, LOW_WINS, NEXT_NODE, NONE, chain
from juryrank.rankers.certified.core.phases import CERTIFIED, INSERT

if TYPE_CHECKING:
    from juryrank.rankers.certified.core.state import State

MISTAKEN = 0.001  # chance to give up a pair that is just not too close
MOST_TURNS = 25  # attempts in a row that one pair ends; a pair that is merely hard ends a handful
GOES_ON, EVEN, BACK_AND_FORTH = range(3)  # values of `cursor.gave_up`


@kernel
def margin_of(patience: float) -> float:
    """m: a pair about which judges are right less often than 1/2 + m/2 is too close.

    >>> [round(0.5 + margin_of(patience) / 2, 3) for patience in (500, 2_000, 20_000)]
    [0.583, 0.541, 0.513]
    """
    return math.sqrt(-math.expm1(2.0 * math.log(MISTAKEN) / patience))


@kernel
def as_good_as_even(one: int, other: int, patience: float) -> bool:
    """Do so many answers either way rule out that the pair can be told apart with this patience?

    >>> as_good_as_even(250, 250, 500), as_good_as_even(230, 270, 500), as_good_as_even(480, 520, 500)
    (True, False, True)
    """
    margin = margin_of(patience)
    ratio = max(one, other) * math.log1p(margin) + min(one, other) * math.log1p(-margin)
    return ratio <= math.log(MISTAKEN) + 1e-9


@kernel(inline=False)
def note_patience(s: State, x: int, y: int) -> None:
    """After an answer about x and y: give up if they are as good as equal."""
    c = s.cursor
    if c.answers < c.even_limit or c.gave_up != GOES_ON or c.phase == INSERT or c.phase == CERTIFIED:
        return
    low = 0
    high = 0
    node = chain(s.tallies, x, y)
    while node != NONE:
        low += s.tallies.node[node, LOW_WINS]
        high += s.tallies.node[node, HIGH_WINS]
        node = s.tallies.node[node, NEXT_NODE]
    if as_good_as_even(low, high, s.cursor.even_limit):
        c.gave_up = EVEN
        c.stuck_low = min(x, y)
        c.stuck_high = max(x, y)


@kernel
def note_turn(s: State, x: int, y: int) -> None:
    """The answers about x and y have ended an attempt: give up if they have done so again and again."""
    c = s.cursor
    if c.gave_up != GOES_ON:  # an answer that was out when it was given up elsewhere
        return
    same = c.stuck_low == min(x, y) and c.stuck_high == max(x, y)
    c.turns = c.turns + 1 if same else 1
    c.stuck_low = min(x, y)
    c.stuck_high = max(x, y)
    if c.turns >= MOST_TURNS and s.cursor.even_limit < math.inf:
        c.gave_up = BACK_AND_FORTH


def go_on(s: State) -> None:
    """A judge or an item joined after the ranker gave up: try once more, with twice the patience."""
    if s.cursor.gave_up != GOES_ON:
        s.cursor.gave_up = GOES_ON
        s.cursor.turns = 0
        s.cursor.even_limit *= 2.0
