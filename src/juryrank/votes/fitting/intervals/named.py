"""The two intervals of a fit, by the question that they answer.

*these judges*: where would the scores be on endlessly many cases like these, with exactly these judges? Errors
are clustered by case, or by vote where there are no cases.

*judges like these*: where would they be with endlessly many judges drawn alike as well? What judges add is their
own two-way share: by judge, plus by case, less by judge and case (Cameron, Gelbach and Miller 2011), each with
its own t quantile. A half-width is never below that of these judges. With one quantile for the whole sum,
intervals of three judges who agree would be nearly twice too wide: the few degrees of freedom are those of the
judges' part alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from juryrank.core.student import t_quantiles
from juryrank.votes.fitting.arrays import Floats, Ints
from juryrank.votes.fitting.intervals.influence import ANSWERS, CELLS, JUDGES
from juryrank.votes.fitting.intervals.sandwich import Spread

THESE, LIKE_THESE = "these judges", "judges like these"


@dataclass(frozen=True, slots=True)
class Interval:
    """Half-widths at a level, under the name of what they cover; `errors`: `Errors` or `SparseErrors`."""

    name: str
    errors: Any

    def scores(self, level: float) -> Floats:
        """Of each score minus its scale's mean."""
        return np.sqrt(self._squares(lambda name: self.errors.scores(name), level))

    def pairs(self, level: float, inside: Ints) -> Floats:
        """Of each difference between some items, each on its own."""
        return np.sqrt(self._squares(lambda name: self.errors.pairs(name, inside), level))

    def variance(self) -> Floats:
        """Of each score minus its scale's mean."""
        return self._squares(lambda name: self.errors.scores(name), None)

    def _squares(self, spread: Any, level: float | None) -> Floats:
        these = _square(spread(ANSWERS), level)
        if self.name == THESE:
            return these
        both = _square(spread(CELLS), level) if CELLS in self.errors.effective else these
        return these + np.maximum(_square(spread(JUDGES), level) - both, 0.0)


def _square(spread: Spread, level: float | None) -> Floats:
    """A squared half-width; without a level the variance itself."""
    if level is None:
        return spread.variance
    return t_quantiles(level, spread.effective - 1) ** 2 * spread.variance
