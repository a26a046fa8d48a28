"""What counting alone decides of a claim: exactly, where the sums of floats are too close to tell.

A judge may weigh next to nothing, and its answers may still turn a claim. Weights, resolutions and grades are the
decimals that were given: so one half is one half.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from juryrank.rankers.jury.core.attempt import Attempt, Counted
from juryrank.rankers.jury.core.evidence import UNKNOWN, Resolutions
from juryrank.rankers.jury.core.forecasts import Foresight
from juryrank.rankers.jury.core.pair import PairBook

NEAR = 1e-9  # a million sums of floats err by less
ROUNDED = Fraction(1, 1 << 51)  # the mean of two graded answers errs by less


def countable(resolutions: Resolutions, book: PairBook) -> bool:
    """Can the cells counted decide anything against those unknown? (A quick no for most pairs.)"""
    twice = 2 * resolutions.values[0]
    return book.unknown * (1 - twice) <= (1 - book.unknown) * (1 + twice) + NEAR


def by_count(resolutions: Resolutions, book: PairBook, sign: int, *, refusals_against: bool) -> Counted:
    """For each resolution: is the claim true, or false, whatever the cells not known yet will say?

    Where nobody gave an answer, nothing is true of "the answers given": it is neither.
    """
    seen = book.standing(sign, refusals_against=refusals_against)
    part, twice = resolutions.seen_part(seen), resolutions.twice
    silent = book.unknown * (1 + twice) + 2 * book.lost  # a call that failed might have said anything
    least, most = part - book.unknown * (1 - twice), part + silent
    true, false = least > 0 if resolutions.strict else least >= 0, most < 0
    for step in np.flatnonzero(np.minimum(abs(least), abs(most)) < NEAR):
        exact = _exactly(book, sign, resolutions.values[step], refusals_against=refusals_against)
        true[step] = exact[0] > 0 if resolutions.strict else exact[0] >= 0
        false[step] = exact[1] < 0
    return true & (seen.answered > 0), false


def _exactly(book: PairBook, sign: int, epsilon: float, *, refusals_against: bool) -> tuple[Fraction, Fraction]:
    """The least and the most that the claim's sum can be in the end, in cells' own weights."""
    twice, weights = 2 * decimal(epsilon), [decimal(weight) for weight in book.table.as_given]
    unknown = sum(weights, Fraction()) * book.total
    least = most = Fraction()
    for judge, whole, z, doubt, lost in _values(book, sign, twice, refusals_against=refusals_against):
        weight = weights[judge] * whole
        unknown -= weight
        least += weight * (z - doubt)
        most += weight * (z + doubt + 2 * lost)
    return least - unknown * (1 - twice), most + unknown * (1 + twice)


def _values(
    book: PairBook, sign: int, twice: Fraction, *, refusals_against: bool
) -> Iterator[tuple[int, int, Fraction, Fraction, Fraction]]:
    """Judge, whole weight, z, what z may err by, and the share lost, of the counted cells that ended alike."""
    for (judge, calls, x, answered, refused, lost), whole in book.ended.items():
        against = decimal(lost) + (decimal(refused) if refusals_against else 0)
        z = sign * decimal(x) + twice * (decimal(answered) + against) - against
        doubt = ROUNDED if calls > 1 and not (2 * x).is_integer() else Fraction()
        yield judge, whole, z, doubt, decimal(lost)


def decimal(number: float) -> Fraction:
    """A number as it is written: 0.1 is one tenth.

    >>> decimal(0.1)
    Fraction(1, 10)
    """
    return Fraction(repr(float(number)))


# ----------------------------------------------------------------------------
# The refutation of what is required: that Z < 0, by the same bets from the other side.
#
# "i over j at resolution ε" claims Z = Σ v (x + 2ε) >= 0. Seen from j, that it is false is a claim of the same
# kind, at resolution -ε: Σ v (-x - 2ε) = -Z > 0. So it has the same payoff, the same bets and the same theorem,
# with a prior that nobody chose. What failed counts against the refutation, too: nobody is refuted by silence. A
# tie (Z = 0) is never refuted by count.
#
# The level. Claims and refutation both have the attempt's whole level α. With one claim, Z >= 0 or Z < 0: only
# one of the two can be stated falsely, and that happens with probability α at most. With m claims, what is
# stated is "not all of them hold", from the first refutation that reaches m/α. If all hold, it is stated with
# probability m α/m at most, and no claim can be stated falsely; if some claim is false, it is true, and a false
# claim is stated with probability α at most. With several resolutions the finest is refuted: where that claim
# holds, all coarser ones do.
def refutation_of(attempt: Attempt) -> Attempt:
    """Every claim of a list turned round, about the cells that count for the list."""
    turned = Attempt(
        attempt.number,
        error=1.0,
        resolutions=Resolutions((-attempt.resolutions.values[-1],), strict=True),
        order=attempt.order[::-1],
        claims=[(worse, better) for better, worse in attempt.claims],
        priors=[UNKNOWN] * len(attempt.claims),
        level=attempt.level / max(len(attempt.claims), 1),
        foresight=None if attempt.foresight is None else Foresight(),
    )
    turned.starts = attempt.starts
    return turned
