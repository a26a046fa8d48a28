"""A world in numbers, as compiled play reads it: how likely a judge's answer to a pair is right.

Items are known here by their true rank (0 = worst), so one stage serves every repeat of a simulation: only the
order in which the items come differs.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.core.gears import kernel

STEADY, LOGISTIC, PROBIT, MARGINS, DRIFT, RECORDED = range(6)  # how accuracy depends on pair and time


class Stage(NamedTuple):
    """`kind` says which of the arrays are read."""

    kind: int
    judges: NDArray[np.float64]  # accuracy, scale or skill of each judge
    later: NDArray[np.float64]  # DRIFT: accuracy of each judge at the end
    horizon: float  # DRIFT: questions until then
    scores: NDArray[np.float64]  # LOGISTIC, PROBIT: utility by true rank
    margins: NDArray[np.float64]  # MARGINS: accuracy above 1/2 by (better, worse)
    recorded: NDArray[np.float32]  # RECORDED: share of right answers by (judge, better, worse)


def stage(kind: int, judges: Any, **given: Any) -> Stage:
    """A stage with the arrays it does not read left empty.

    >>> accuracy(stage(STEADY, [0.9, 0.6]), 1, 5, 2, 0)
    0.6
    """
    return Stage(
        kind,
        np.asarray(judges, np.float64),
        np.asarray(given.get("later", ()), np.float64),
        float(given.get("horizon", 1.0)),
        np.asarray(given.get("scores", ()), np.float64),
        np.asarray(given.get("margins", np.zeros((0, 0))), np.float64),
        np.asarray(given.get("recorded", np.zeros((0, 0, 0))), np.float32),
    )


@kernel
def accuracy(stage: Any, judge: int, better: int, worse: int, asked: int) -> float:
    """The chance that the judge prefers the truly better one, as the question after `asked` others."""
    if stage.kind == STEADY:
        return float(stage.judges[judge])
    if stage.kind == LOGISTIC:
        return 1.0 / (1.0 + math.exp(-stage.judges[judge] * (stage.scores[better] - stage.scores[worse])))
    if stage.kind == PROBIT:
        return 0.5 * math.erfc(
            -stage.judges[judge] * (stage.scores[better] - stage.scores[worse]) / math.sqrt(2.0)
        )
    if stage.kind == MARGINS:
        return float(0.5 + stage.judges[judge] * stage.margins[better, worse])
    if stage.kind == DRIFT:
        share = min(1.0, asked / stage.horizon)
        return float(stage.judges[judge] + share * (stage.later[judge] - stage.judges[judge]))
    return float(stage.recorded[judge, better, worse])
