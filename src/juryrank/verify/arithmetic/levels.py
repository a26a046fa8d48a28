"""How the error δ is shared, written a second time for the checker and in exact fractions.

attempts (certified, jury)           δ_1 = 4/5 δ,  δ_m = 1/5 δ / (m(m-1)):  all of them sum to δ
epochs (panel, after items joined)   δ_0 = 4/5 δ,  δ_e = 1/5 δ / (e(e+1));  all of δ where nothing may join
claims of one epoch                  δ_e / (number of fixed pairs that catch every false statement)
"""

from __future__ import annotations

from fractions import Fraction

FIRST = Fraction(4, 5)


def attempt_level(error: float, attempt: int) -> Fraction:
    """The level of the m-th attempt.

    >>> [float(attempt_level(0.5, m)) for m in (1, 2, 3)]
    [0.4, 0.05, 0.016666666666666666]
    """
    whole = Fraction(error)
    return FIRST * whole if attempt == 1 else (1 - FIRST) * whole / (attempt * (attempt - 1))


def epoch_level(error: float, epoch: int, *, joining: bool) -> Fraction:
    """The share of δ for statements made after items have joined `epoch` times.

    >>> float(epoch_level(0.5, 0, joining=True)), float(epoch_level(0.5, 0, joining=False))
    (0.4, 0.5)
    """
    if not joining:
        return Fraction(error)
    return FIRST * Fraction(error) if epoch == 0 else (1 - FIRST) * Fraction(error) / (epoch * (epoch + 1))


def pairs_that_catch(items: int, objective: str, *, scores: bool = False) -> int:
    """How many fixed pairs suffice to catch every false statement (docs/people-proof.md has the proofs).

    >>> [pairs_that_catch(10, objective) for objective in ("ranges", "tiers", "top-k")]
    [45, 12, 10]
    >>> pairs_that_catch(10, "tiers", scores=True)
    9
    """
    every = max(1, items * (items - 1) // 2)
    neighbours = max(1, items - 1)
    if objective == "ranges":
        return every
    if scores:
        return neighbours
    with_cycles = neighbours + items // 3
    return min(every, with_cycles if objective == "tiers" else min(items, with_cycles))
