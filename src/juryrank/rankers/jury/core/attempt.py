"""One attempt: a list of claims fixed before its evidence, each proven on its own at the attempt's full level.

A false statement has a false claim in it, fixed with the list, and that one is proven with probability at most
δ_m: so no claim pays for the number of claims. Claims stand in a fixed sequence, surest first, and within it
resolution falls: all claims at the coarsest ε, then all at the next. What is stated is everything before the
first one unproven.

Every cell of a claim's pair that is drawn after the list was fixed counts, whatever it was drawn for: nobody
chooses, with the cell before them, whether it does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import MARGIN, level_of
from juryrank.rankers.jury.core import forecasts
from juryrank.rankers.jury.core.claims import Claim
from juryrank.rankers.jury.core.evidence import Floats, Prior, Resolutions, log_sum_exp
from juryrank.rankers.jury.core.pair import Drawn, PairBook
from juryrank.rankers.jury.core.table import Pair

Counted: TypeAlias = tuple[NDArray[np.bool_], NDArray[np.bool_]]  # true, false by count, for each resolution


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
        goal: int = -1,
        level: float | None = None,
        foresight: forecasts.Foresight | None = None,
    ) -> None:
        self.foresight = foresight  # where forecasts are used
        self.number, self.order, self.resolutions = number, list(order), resolutions
        self.goal = goal % len(resolutions)  # the step of the resolution that it was fixed for
        self.after = 0  # it was fixed after so many cells of all pairs, in the order drawn
        self.starts: dict[Pair, int] = {}  # the first place of each pair that counts: set when the list is fixed
        self.level = level_of(error, number) if level is None else level
        self._bar = math.log(1 / self.level) + MARGIN
        self.claims, self.priors = list(claims), list(priors)
        self.better, self.worse = np.array(self.claims, dtype=np.int64).reshape(-1, 2).T
        self.place = {(min(c), max(c)): k for k, c in enumerate(self.claims)}  # claim of a pair
        shape = (len(self.claims), len(resolutions))
        self._wealth: dict[int, Floats] = {}  # by claim: the logarithm of each alternative's share of the stake
        self.evidence: Floats = np.zeros(shape)  # log E now
        self.most: Floats = np.zeros(shape)  # the largest log E so far: what proves a claim, whatever comes after
        self.proven: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.steps = self._steps()  # how many resolutions are proven for all claims
        self.counted_true: NDArray[np.bool_] = np.zeros(shape, dtype=bool)
        self.counted_false: NDArray[np.bool_] = np.zeros(shape, dtype=bool)

    @cached_property
    def claimed(self) -> frozenset[Claim]:
        return frozenset(self.claims)

    def sign(self, pair: Pair) -> int:
        """1 if the claim says that the pair's first item is better, -1 if the second; 0: no claim."""
        at = self.place.get(pair)
        return 0 if at is None else (1 if self.claims[at][0] == pair[0] else -1)

    def count(self, book: PairBook, drawn: Drawn, *, refusals_against: bool) -> None:
        """One more cell as evidence, before the book counts it. Cells drawn before the list was fixed are none."""
        at = self.place.get(book.pair)
        if at is None or book.counted < self.starts.get(book.pair, 0):
            return
        sign, square = self.sign(book.pair), self.priors[at].square
        seen = book.seen(sign, chances=drawn.chances, square=square, refusals_against=refusals_against)
        x, answered, refused, lost = drawn.parts
        against = lost + (refused if refusals_against else 0.0)
        wealth = self._stake(at)
        ended = book.payoff(drawn), sign * x, answered, against
        if self.foresight is None:
            wealth += self.resolutions.growth(seen, *ended)
        else:
            ahead = book.foreseen(sign, drawn, (square, *self.foresight.squares))
            wealth += forecasts.growth(self.resolutions, seen, ahead, *ended)
        self.evidence[at] = log_sum_exp(wealth)
        self.most[at] = np.maximum(self.most[at], self.evidence[at])
        self._prove(at, self.evidence[at] >= self._bar)

    def _stake(self, at: int) -> Floats:
        """A claim's wealth; before its first cell it is its prior. (Of thousands of claims, many have none.)"""
        if at not in self._wealth:
            prior = self.resolutions.prior(self.priors[at])
            self._wealth[at] = prior if self.foresight is None else self.foresight.stakes(prior)
        return self._wealth[at]

    def recount(self, pair: Pair, counted: Mapping[Claim, Counted]) -> None:
        """What the counted cells of a pair already decide, whatever the others will say."""
        at = self.place.get(pair)
        if at is not None:
            true, false = counted[self.claims[at]]
            self.counted_true[at], self.counted_false[at] = true, false
            self._prove(at, true)

    def _prove(self, at: int, reached: NDArray[np.bool_]) -> None:
        """What a claim has proven once stays proven."""
        if np.count_nonzero(reached):
            self.proven[at] |= reached
            self.steps = self._steps()

    def _steps(self) -> int:
        if not len(self.claims):
            return len(self.resolutions)
        return int(np.logical_and.accumulate(self.proven.all(axis=0)).sum())

    # ------------------------------------------------------------------ what may be said
    @property
    def stated(self) -> NDArray[np.bool_]:
        """claims x resolutions: what stands before the first unproven one in the sequence."""
        flat = self.proven.T.ravel()  # all claims at the coarsest resolution, then at the next
        prefix = np.logical_and.accumulate(flat) if flat.size else flat
        return prefix.reshape(self.proven.T.shape).T

    def shown_step(self, at: int) -> int:
        """The finest resolution at which a claim is stated; before that the coarsest, which comes first."""
        return max(int(self.stated[at].sum()) - 1, 0)

    @property
    def resolution(self) -> float | None:
        """The finest resolution proven for all claims; None: not even the coarsest."""
        return self.resolutions.values[self.steps - 1] if self.steps else None

    @property
    def complete(self) -> bool:
        return self.steps == len(self.resolutions)

    def state(self) -> dict[str, object]:
        wealth = [self._stake(at).tolist() for at in range(len(self.claims))]
        starts = [self.starts[min(c), max(c)] for c in self.claims]
        return {
            "wealth": wealth, "proven": self.proven.tolist(), "most": self.most.tolist(), "starts": starts
        }  # fmt: skip

    def load(self, state: Mapping[str, Any]) -> None:
        proven: Sequence[Sequence[bool]] = state["proven"]
        self._wealth = {at: np.array(rows) for at, rows in enumerate(state["wealth"])}
        self.starts = {(min(c), max(c)): start for c, start in zip(self.claims, state["starts"], strict=True)}
        self.most = np.array(state["most"], dtype=float).reshape(self.most.shape)
        self.proven = np.array(proven, dtype=bool).reshape(self.proven.shape)
        self.steps = self._steps()
        for at, rows in self._wealth.items():
            self.evidence[at] = log_sum_exp(rows)
