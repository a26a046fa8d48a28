"""What a question fixes of its judge's accuracy under the steady model: into its terms, and back out of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from juryrank.rankers.certified.core.prove.choose import write_prior
from juryrank.rankers.certified.core.prove.evidence import BETA, PRIOR_SIZE


def prior_terms(s: Any, judge: int) -> dict[str, Any]:
    """A judge's prior as it goes on record: weights on the grid, and the Beta where it has weight."""
    prior = np.zeros(PRIOR_SIZE)
    write_prior(s, judge, prior)
    terms: dict[str, Any] = {"prior": prior[:BETA].tolist()}
    return terms | {"beta": prior[BETA:].tolist()} if prior[BETA] > 0 else terms


def recorded_prior(terms: Mapping[str, Any]) -> list[float]:
    """The prior that a question fixed, for the machine."""
    return [*terms["prior"], *terms.get("beta", (0.0, 0.0, 0.0))]
