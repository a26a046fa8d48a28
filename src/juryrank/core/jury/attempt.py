"""One attempt: a list of claims fixed before its evidence, each proven on its own at the attempt's full level.

A false statement has a false claim in it, fixed with the list, and that one is proven with probability at most
δ_m: so no claim pays for the number of claims. Claims stand in a fixed sequence, surest first, and within it
resolution falls: all claims at the coarsest ε, then all at the next. What is stated is everything before the
first one unproven.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from juryrank.core.jury.claims import Claim
from juryrank.core.jury.evidence import Floats, Prior, Resolutions, log_sum_exp
from juryrank.core.jury.pair import Drawn, PairBook
from juryrank.core.jury.table import Pair
from juryrank.core.levels import level_of


class Attempt:
    """Claims in their sequence, the prior of each, and the evidence so far."""

    def __init__(
        self,
        number: int,
        *,
        error: float,
        resolutions: Resolutions,
        order: Sequence[int],
        claims: Sequence[Claim],
        priors: Sequence[Prior],
    ) -> None:
        self.number, self.order, self.resolutions = number, list(order), resolutions
        self.level = level_of(error, number)
        self.claims, self.priors = list(claims), list(priors)
        self.place = {(min(c), max(c)): k for k, c in enumerate(self.claims)}  # claim of a pair
        shape = (len(self.claims), len(resolutions))
        self._wealth = [resolutions.prior(prior) for prior in self.priors]
        self.evidence: Floats = np.zeros(shape)  # log E now
        self.proven: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.counted_true: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.counted_false: NDArray[np.bool_] = np.zeros(shape, dtype=bool)

    def sign(self, pair: Pair) -> int:
        """1 if the claim says that the pair's first item is better, -1 if the second; 0: no claim."""
        at = self.place.get(pair)
        return 0 if at is None else (1 if self.claims[at][0] == pair[0] else -1)

    def count(self, book: PairBook, drawn: Drawn, *, refusals_against: bool) -> None:
        """One more cell as evidence, before the book counts it. Cells drawn for another attempt are none."""
        at = self.place.get(book.pair)
        if at is None or drawn.attempt != self.number:
            return
        sign, square = self.sign(book.pair), self.priors[at].square
        seen = book.seen(sign, chances=drawn.chances, square=square, refusals_against=refusals_against)
        against = 1.0 if drawn.aside else (1 - drawn.answered if refusals_against else 0.0)
        answered = 0.0 if drawn.aside else drawn.answered
        x = 0.0 if drawn.aside else sign * drawn.x
        self._wealth[at] += self.resolutions.growth(seen, book.payoff(drawn), x, answered, against)
        self.evidence[at] = log_sum_exp(self._wealth[at])
        self.proven[at] |= self.evidence[at] >= math.log(1 / self.level)

    def recount(self, book: PairBook, *, refusals_against: bool) -> None:
        """What the counted cells of a pair already decide, whatever the others will say."""
        at = self.place.get(book.pair)
        if at is None or not self.resolutions.countable(book.unknown):
            return
        seen = book.standing(self.sign(book.pair), refusals_against=refusals_against)
        true, false = self.resolutions.by_count(seen, book.unknown)
        self.counted_true[at], self.counted_false[at] = true, false
        self.proven[at] |= true

    # ------------------------------------------------------------------ what may be said
    @property
    def stated(self) -> NDArray[np.bool_]:
        """claims x resolutions: what stands before the first unproven one in the sequence."""
        flat = self.proven.T.ravel()  # all claims at the coarsest resolution, then at the next
        prefix = np.logical_and.accumulate(flat) if flat.size else flat
        return prefix.reshape(self.proven.T.shape).T

    @property
    def steps(self) -> int:
        """How many resolutions are proven for all claims."""
        whole = self.proven.all(axis=0)
        return int(np.logical_and.accumulate(whole).sum()) if len(self.claims) else len(self.resolutions)

    @property
    def resolution(self) -> float | None:
        """The finest resolution proven for all claims; None: not even the coarsest."""
        steps = self.steps
        return self.resolutions.values[steps - 1] if steps else None

    @property
    def complete(self) -> bool:
        return self.steps == len(self.resolutions)

    def state(self) -> dict[str, object]:
        return {"wealth": [w.tolist() for w in self._wealth], "proven": self.proven.tolist()}

    def load(self, wealth: Sequence[Sequence[Sequence[float]]], proven: Sequence[Sequence[bool]]) -> None:
        self._wealth = [np.array(rows) for rows in wealth]
        self.proven = np.array(proven, dtype=bool).reshape(self.proven.shape)
        for at, rows in enumerate(self._wealth):
            self.evidence[at] = log_sum_exp(rows)
