"""The evidence of claims, written a second time: S, B, λ, E of many claims at once, at one resolution.

    Y = S + (v/π) z,   E ← E (1 + λ Y) for each of 15 alternatives,   λ = mean Y / mean Y², at most .95/B

λ may be any number that was fixed before the draw, so it may be rounded as it comes. S and Y may not: `counting`
says by how much its sums may be off, and everything that speaks for a claim is rounded down (`rounding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from juryrank.verify.arithmetic.evidence import logs_of_means
from juryrank.verify.arithmetic.rounding import below_all, step_down
from juryrank.verify.jury.counting import Floats, SettledDraws
from juryrank.verify.jury.forecasts import Ahead, ListedForesight

MEANS = np.array([0.01, 0.02, 0.04, 0.07, 0.1, 0.15, 0.2, 0.27, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95])
RISK = 0.95
LEAST_VARIANCE = 0.03
TRUST = 20.0  # answers that the search's mean square is worth
FLAT = 0.02
LEAST_SPREAD = 0.05
TINY = 1e-12
UNCHOSEN = (0.2, 0.4)  # mean and spread of a prior that nobody chose
BLOCK = 4096  # draws of all claims that are counted at once


@dataclass(frozen=True, slots=True)
class Backed:
    """A claim with the draws that may count for it: those from the place `start` on."""

    counting: SettledDraws
    sign: int  # -1: it says that the pair's second item is better
    start: int
    prior: tuple[float, float]  # mean, spread
    square: float
    foresight: ListedForesight | None = None


def most_evidence(claims: Sequence[Backed], epsilon: float) -> list[float]:
    """The largest log of each claim's evidence, after whichever draw: it may fall again, and proves no less."""
    found = [0.0] * len(claims)
    sizes = [claim.counting.rows.shape[1] - claim.start for claim in claims]
    for number, claim in enumerate(claims):
        if claim.foresight is not None and claim.counting.ahead is not None and sizes[number] > 0:
            found[number] = max(most_with_forecasts(claim, claim.foresight, claim.counting.ahead, epsilon), 0.0)
            sizes[number] = 0
    for numbers in _blocks(sizes):
        block = [claims[number] for number in numbers]
        for number, most in zip(numbers, _most(block, epsilon).tolist(), strict=True):
            found[number] = max(most, 0.0)
    return found


def _blocks(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Claims of about the same size together; those without a draw are left out.

    >>> list(_blocks([3, 0, 5000, 2]))
    [[2], [0, 3]]
    """
    block: list[int] = []
    for number in sorted(range(len(sizes)), key=lambda number: -sizes[number]):
        if sizes[number] < 1:
            break
        if block and (len(block) + 1) * sizes[block[0]] > BLOCK:
            yield block
            block = []
        block.append(number)
    if block:
        yield block


def _most(block: Sequence[Backed], epsilon: float) -> Floats:
    longest = block[0].counting.rows.shape[1] - block[0].start
    rows, there = np.zeros((13, len(block), longest)), np.zeros((len(block), longest), dtype=bool)
    for at, claim in enumerate(block):
        own = claim.counting.rows[:, claim.start :]
        rows[:, at, : own.shape[1]], there[at, : own.shape[1]] = own, True
    sign = np.array([[claim.sign] for claim in block])
    square = np.array([[claim.square] for claim in block])
    mean, spread = np.array([claim.prior for claim in block]).T
    with np.errstate(all="ignore"):  # what is no number proves nothing
        width = LEAST_SPREAD + spread
        stakes = np.exp(-0.5 * ((MEANS[:, None] - 2 * epsilon - mean) / width) ** 2) + FLAT
        first = below_all(np.log(len(MEANS) * stakes / stakes.sum(axis=0)))
        grown = np.where(there, _growth(rows, sign, square, epsilon), 0.0)
        sums, sizes = np.cumsum(grown, axis=2), np.cumsum(np.abs(grown), axis=2)
        rounded = 2.0**-52 * np.arange(1, longest + 1) * sizes
        logs = below_all(first[:, :, None] + sums - rounded, np.abs(first)[:, :, None] + sizes)
        evidence = logs_of_means(logs.reshape(len(MEANS), -1)).reshape(len(block), longest)
    found: Floats = np.where(there & ~np.isnan(evidence), evidence, -np.inf).max(axis=1)
    return found


def _growth(rows: Floats, sign: Floats, square: Floats, epsilon: float) -> Floats:
    """log(1 + λ Y) of each draw, under each alternative, rounded down."""
    left, factor, largest, _, squares, number = rows[3:9]
    seen, y = payoffs(rows, sign, epsilon)
    mean = MEANS[:, None, None]
    spread = np.maximum((TRUST * square + squares) / (TRUST + number) - (mean - 2 * epsilon) ** 2, LEAST_VARIANCE)
    squared = factor * (spread + mean * mean) + 2 * seen * left * mean + seen * seen
    bound = np.maximum(largest * (1 - 2 * epsilon) - seen, TINY)  # B
    stake = np.minimum(np.maximum((seen + left * mean) / np.maximum(squared, TINY), 0.0), RISK / bound)
    grown: Floats = below_all(np.log1p(np.maximum(below_all(stake * y), -1.0)))
    return grown


def payoffs(rows: Floats, sign: Floats | float, epsilon: float) -> tuple[Floats, Floats]:
    """S as near as floats come, and Y rounded down."""
    answers, answered, against, *_, x, given, lost, error = rows
    seen = sign * answers + 2 * epsilon * answered + (2 * epsilon - 1) * against
    payoff = rows[6] * (sign * x + 2 * epsilon * given + (2 * epsilon - 1) * lost)
    return seen, step_down(below_all(seen + payoff, np.abs(seen) + np.abs(payoff)) - error)


# ----------------------------------------------------------------------------
# With forecasts: a mixture over θ = 0, 1/2, 1 as well
THETAS = np.array([0.0, 0.5, 1.0])


def most_with_forecasts(claim: Backed, foresight: ListedForesight, ahead: Ahead, epsilon: float) -> float:
    """The largest log of a claim's evidence, where its list shares its stake over θ."""
    mean, spread = claim.prior
    with np.errstate(all="ignore"):
        stakes = np.exp(-0.5 * ((MEANS - 2 * epsilon - mean) / (LEAST_SPREAD + spread)) ** 2) + FLAT
        shares = np.array(foresight.shares) / sum(foresight.shares)
        first = below_all(np.log(len(THETAS) * len(MEANS) * np.outer(shares, stakes / stakes.sum())))
        grown = _growth_with_forecasts(claim, foresight, ahead, epsilon)
        sums, sizes = np.cumsum(grown, axis=2), np.cumsum(np.abs(grown), axis=2)
        rounded = 2.0**-52 * np.arange(1, grown.shape[2] + 1) * sizes
        logs = below_all(first[:, :, None] + sums - rounded, np.abs(first)[:, :, None] + sizes)
        evidence = logs_of_means(logs.reshape(len(THETAS) * len(MEANS), -1))
    return float(np.where(np.isnan(evidence), -np.inf, evidence).max())


def _growth_with_forecasts(claim: Backed, foresight: ListedForesight, ahead: Ahead, epsilon: float) -> Floats:
    """log(1 + λ Y) of each draw, under each θ and alternative, rounded down."""
    start, sign, twice = claim.start, claim.sign, 2 * epsilon
    rows = claim.counting.rows[:, start:]
    left, factor, _, _, squares, number = rows[3:9]
    seen, y = payoffs_with_forecasts(claim, ahead, epsilon)
    total, theta = sign * ahead.totals[start:], THETAS[:, None]
    highest = (ahead.most if sign > 0 else -ahead.least)[start:]
    foreseen = theta * (total + twice * left)
    worst = (ahead.ratios[start:] * (theta[..., None] * (highest + twice) + 1 - twice)).max(axis=2)
    bound = np.maximum(worst - seen - foreseen, TINY)[:, None]  # B, where no ratio is below 0
    beside = np.array((claim.square, *foresight.squares))[:, None]
    rest = squares - 2 * theta * ahead.products[start:] + theta**2 * ahead.squares[start:]
    mean_square = (TRUST * beside + rest) / (TRUST + number)
    mean = MEANS[:, None]
    lean = mean - twice - (theta * total / left)[:, None]
    spread = np.maximum(mean_square[:, None] - lean**2, LEAST_VARIANCE)
    beyond, centre = left * mean - foreseen[:, None], (seen + foreseen)[:, None]
    squared = factor * (spread + (beyond / left) ** 2) + 2 * beyond * centre + centre * centre
    stake = np.minimum(np.maximum((seen + left * mean) / np.maximum(squared, TINY), 0.0), RISK / bound)
    grown: Floats = below_all(np.log1p(np.maximum(below_all(stake * y[:, None]), -1.0)))
    return grown


def payoffs_with_forecasts(claim: Backed, ahead: Ahead, epsilon: float) -> tuple[Floats, Floats]:
    """S as near as floats come, and Y of each θ, rounded down: the sums of forecasts are off by a share of what is
    left to be drawn, as no forecast is beyond 1."""
    start, sign, twice, theta = claim.start, claim.sign, 2 * epsilon, THETAS[:, None]
    answers, answered, against, left, _, _, ratio, _, _, x, given, lost, error = claim.counting.rows[:, start:]
    seen = sign * answers + twice * answered + (twice - 1) * against
    total, own = sign * ahead.totals[start:], sign * ahead.own[start:]
    foreseen = theta * (total + twice * left)
    paid, off = ratio * (sign * x + twice * given + (twice - 1) * lost), ratio * theta * (own + twice)
    sizes = np.abs(seen) + np.abs(paid) + theta * (1 + abs(twice)) * (left + ratio)
    exact = below_all(seen + foreseen + paid - off, sizes)
    return seen, step_down(exact - error - 2 * claim.counting.off * theta * (1 + abs(twice)) * left)
