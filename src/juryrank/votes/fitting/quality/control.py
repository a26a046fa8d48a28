"""What a control does, and what the scores would be without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from juryrank.votes.fitting.core import FittedScores
from juryrank.votes.fitting.intervals.influence import ANSWERS, BY_JUDGE, CELLS, by_case


@dataclass(frozen=True, slots=True)
class ControlEffect:
    """`effect`: log odds that one standard deviation more on a side adds to it, with the fit's interval;
    `deviation`: how much that is in the column's own unit."""

    name: str
    effect: float
    low: float
    high: float
    deviation: float

    @property
    def words(self) -> str:
        """For people."""
        clear = "" if self.low > 0 or self.high < 0 else "; it may be nothing"
        return (
            f"control {self.name}: {self.deviation:.4g} more (one standard deviation of the difference) adds "
            f"{self.effect:+.2f} to a side's log odds ({self.low:+.2f} to {self.high:+.2f}){clear}"
        )


def control_effects(fit: FittedScores, *, level: float) -> tuple[ControlEffect, ...]:
    """Each control's effect, with the interval that scores are shown with."""
    votes, lay = fit.ballots, fit.layout
    shared = [name for name in lay.shared if name != "swap"]
    cases = int(votes.case.max()) + 1 if by_case(votes) and votes.case is not None else len(votes)
    groups = {ANSWERS: cases, BY_JUDGE: len(votes.judges), CELLS: max(cases, len(votes.judges))}
    found = []
    for k, (name, deviation) in enumerate(votes.controls):
        weights = np.zeros(len(shared))
        for column, at_one in ((2 * k, 1.0), (2 * k + 1, float(np.tanh(1.0)))):
            weights[shared.index(lay.controls[column])] = at_one
        values = np.array([fit.solution.x[lay.place(name)] for name in shared])
        effect, half = float(weights @ values), fit.shown.shared(level, weights, groups=groups)
        found.append(ControlEffect(name, effect, effect - half, effect + half, deviation))
    return tuple(found)
