"""Which list to prove: the likeliest one under the search's opinion. It may be wrong; the proof will say so."""

from __future__ import annotations

import math
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.rankers.jury.core.claims import ClaimList
from juryrank.rankers.jury.core.evidence import Floats
from juryrank.rankers.jury.core.opinion import Opinion

if TYPE_CHECKING:
    from juryrank.rankers.jury.core.attempt import Attempt
    from juryrank.rankers.jury.core.machine import Machine

COUNTED_FALSE = -1e6  # in place of the logarithm of a claim's chance: what is counted outweighs any doubt
ALIKE = 6  # digits of a doubt or a hope that count: processors differ in the sixteenth
LEAST_GAIN = 1e-5  # of an exchange, in logarithms: sums that hold COUNTED_FALSE are rounded at about 1e-9
ALL_ORDERS_UP_TO = 7  # items: 5,040 orders, a millisecond
MOST_SWAPS = 20  # exchanges between inside and outside per look; one or two are usual


def candidate(
    opinion: Opinion, objective: Objective, k: int | None, epsilon: float, reach: float, closed: NDArray[np.bool_]
) -> list[int]:
    """The items in order; for top-k, the chosen ones first. `closed[i, j]`: "i over j" will never be proven."""
    order = insertion_order(opinion)
    by_links = objective is Objective.ORDER or k is None
    if by_links and not closed[order[:-1], order[1:]].any():
        return order
    everyone = np.arange(opinion.items)
    doubt = np.where(closed, 1.0, opinion.doubts(everyone[:, None], everyone[None, :], epsilon, reach))
    with np.errstate(divide="ignore"):
        hopes = np.maximum(np.log(1 - doubt), COUNTED_FALSE)
    hopes = np.round(hopes, ALIKE)  # lists that are alike stay alike on every processor
    np.fill_diagonal(hopes, 0.0)
    if by_links or k is None:
        return _moved(order, hopes)
    if k == 1:
        best = max(order, key=lambda i: round(float(hopes[i].sum()), ALIKE))
        return [best, *(i for i in order if i != best)]
    return _swapped(order, k, hopes)


def insertion_order(opinion: Opinion) -> list[int]:
    """By strength, then each item up past those it is thought to beat: each beats the next, even in a cycle."""
    order: list[int] = []
    for item in np.argsort(-opinion.strengths, kind="stable").tolist():
        at = len(order)
        while at > 0 and opinion.odds[item, order[at - 1]] > 0:
            at -= 1
        order.insert(at, item)
    return order


def _moved(order: list[int], hopes: Floats) -> list[int]:
    """The order whose links are likeliest together; of many items, by moving one after the other."""
    if len(order) <= ALL_ORDERS_UP_TO:
        every = np.array(list(permutations(order)))  # the order given comes first, and stays where none is better
        return [int(i) for i in every[np.argmax(np.round(hopes[every[:, :-1], every[:, 1:]].sum(axis=1), ALIKE))]]
    at = np.array(order)
    for _ in range(MOST_SWAPS * len(order)):
        gains = np.round(_gains_of_moves(hopes[np.ix_(at, at)]), ALIKE)
        place, slot = divmod(int(np.argmax(gains)), len(at) + 1)
        if gains[place, slot] <= LEAST_GAIN:
            break
        at = np.insert(np.delete(at, place), slot - (slot > place), at[place])
    return [int(i) for i in at]


def _gains_of_moves(hopes: Floats) -> Floats:
    """(place, slot): what the links gain if the item at a place moves to just before the item at another one.

    >>> _gains_of_moves(np.array([[0.0, -5.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]))[1].tolist()
    [5.0, 0.0, 0.0, 5.0]
    """
    n, links = len(hopes), np.diagonal(hopes, 1)
    gains = np.zeros((n, n + 1))
    gains[:, 1:] += hopes.T  # after the item before the slot
    gains[:, :-1] += hopes  # before the item behind it
    gains[:, 1:-1] -= links  # which were neighbours
    gains[1:] -= links[:, None]  # and it leaves its own
    gains[:-1] -= links[:, None]
    gains[1:-1] += np.diagonal(hopes, 2)[:, None]  # who then are neighbours
    stays = np.arange(n)
    gains[stays, stays] = gains[stays, stays + 1] = 0.0
    return gains


def _swapped(order: list[int], k: int, hopes: Floats) -> list[int]:
    """Exchange a chosen item for another while that makes all claims together likelier."""
    inside, outside = list(order[:k]), list(order[k:])
    for _ in range(MOST_SWAPS):
        gain = np.round(_swap_gains(inside, outside, hopes), ALIKE)
        a, b = np.unravel_index(int(np.argmax(gain)), gain.shape)
        if gain[a, b] <= LEAST_GAIN:
            break
        inside[int(a)], outside[int(b)] = outside[int(b)], inside[int(a)]
    place = {item: at for at, item in enumerate(order)}
    return sorted(inside, key=place.__getitem__) + sorted(outside, key=place.__getitem__)


def _swap_gains(inside: list[int], outside: list[int], hopes: Floats) -> Floats:
    """What exchanging each chosen item (row) for each other (column) adds to the sum of hopes."""
    i, o = np.array(inside), np.array(outside)
    out = hopes[np.ix_(i, o)]
    # the newcomer faces the rest of the outside, and the leaver, who is now outside
    joins = hopes[np.ix_(o, o)].sum(axis=1)[None, :] + hopes[np.ix_(o, i)].T
    leaves = out.sum(axis=1)[:, None]
    # the other chosen ones no longer face the newcomer, and now face the leaver
    faced = out.sum(axis=0)[None, :] - out
    faces = hopes[np.ix_(i, i)].sum(axis=0)[:, None]
    gains: Floats = joins - leaves - faced + faces
    return gains


# ----------------------------------------------------------------------------
# How many answers a claim is likely to need, and so how many questions it may have out at once.
SQUARE = 0.8  # usual mean square of an answer: some are ties
LEAST_MEAN = 0.05  # of z: below this a forecast is as good as endless
HEADROOM = 0.25  # of the forecast; half of it takes 2 to 7 % more calls where 32 are open, for 3 to 16 % less time


def allowed_open(machine: Machine, attempt: Attempt, claim: int, step: int) -> int:
    """The forecast of answers that the claim still needs, a little short, and 1 at least."""
    return max(1, round(HEADROOM * answers_needed(machine, attempt, claim, step)))


def answers_needed(machine: Machine, attempt: Attempt, claim: int, step: int) -> float:
    """A forecast of the answers that a claim still needs at a step; 0: it is proven."""
    if attempt.proven[claim, step]:
        return 0.0
    better, worse = attempt.claims[claim]
    missing = np.maximum(math.log(1 / attempt.level) - attempt.evidence[claim, step], 0.0)
    forecast = float(_forecasts(machine, machine.opinion.odds[better, worse], missing, step))
    return min(forecast, machine.cells_left((min(better, worse), max(better, worse))))


def needs_more(machine: Machine, attempt: Attempt, step: int, *, than: float, share: float = 1.0) -> bool:
    """Is this share of the answers that a list needs at a step more than that?"""
    claims = np.flatnonzero(~attempt.proven[:, step])
    missing = np.maximum(math.log(1 / attempt.level) - attempt.evidence[claims, step], 0.0)
    listed = ClaimList(attempt.better[claims], attempt.worse[claims])
    return _more(machine, listed, missing, step, than=than, share=share)


def would_need_more(machine: Machine, listed: ClaimList, step: int, *, level: float, than: float) -> bool:
    """The same of a list before it is fixed, at the level that it would have."""
    claims = np.flatnonzero(~machine.known_true[step][listed.better, listed.worse])
    missing = np.full(len(claims), math.log(1 / level))
    return _more(machine, ClaimList(listed.better[claims], listed.worse[claims]), missing, step, than=than)


def _more(
    machine: Machine, listed: ClaimList, missing: Floats, step: int, *, than: float, share: float = 1.0
) -> bool:
    """A pair is asked no more questions than it has cells left. Mostly that is clear of all pairs at once; else
    they are counted until it is: a list may have thousands of claims, and this is asked at every question."""
    odds = machine.opinion.odds[listed.better, listed.worse]
    forecasts = _forecasts(machine, odds, missing, step)
    for_all = machine.fewest_left
    if machine.together:  # an answer is about all of them
        return bool(share * np.minimum(forecasts, for_all).max(initial=0.0) > than)
    if not share * _sum(forecasts) > than:
        return False
    if share * _sum(np.minimum(forecasts, for_all)) > than:
        return True
    total = 0.0
    for at, forecast in enumerate(forecasts.tolist()):
        total += forecast if forecast <= for_all else min(forecast, machine.cells_left(listed.pair(at)))
        if share * total > than:
            return True
    return False


def _sum(values: Floats) -> float:
    """Added up one after the other."""
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _forecasts(machine: Machine, odds: Floats, missing: Floats, step: int) -> Floats:
    """How many answers claims need for the evidence that is missing, however many cells they have."""
    lead = np.tanh(odds / 2) + 2 * machine.resolutions.values[step]
    found: Floats = missing * 2 * SQUARE / np.minimum(np.maximum(lead, LEAST_MEAN), 1.0) ** 2
    return found
