"""What the certified ranker may be asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from juryrank.core.levels import level_of
from juryrank.errors import BadInput
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.prove.attempt import write_prior
from juryrank.rankers.certified.core.prove.evidence import BET_MOST, BETA, PRIOR_SIZE
from juryrank.rankers.certified.core.search.gaps import DEPTH, INSERTIONS


def check_options(
    *,
    assume: Any,
    repeats: Any,
    trust_repeats: Any,
    patience: Any,
    joining: Any = True,
    claims_first: Any = True,
    insert: Any = INSERTIONS[DEPTH],
) -> None:
    """Say what is wrong, if anything is.

    >>> check_options(assume="steady", repeats=None, trust_repeats=False, patience=500)
    >>> check_options(assume="steady", repeats=0, trust_repeats=False, patience=500)
    Traceback (most recent call last):
        ...
    juryrank.errors.BadInput: repeats is 0; it is how often a judge may be asked the same pair: 1 or more, or None where every answer is fresh
    """  # noqa: E501
    if assume not in st.ASSUMPTIONS:
        raise BadInput(f"assume is {assume!r}; it is one of: {', '.join(st.ASSUMPTIONS)}")
    if not _count(repeats):
        raise BadInput(
            f"repeats is {repeats!r}; it is how often a judge may be asked the same pair: 1 or more, "
            "or None where every answer is fresh"
        )
    if not isinstance(trust_repeats, bool):
        raise BadInput(
            f"trust_repeats is {trust_repeats!r}; it is True (a judge who never changes an answer answers "
            "afresh all the same) or False (such a judge is cross-examined)"
        )
    for name, given in (("joining", joining), ("claims_first", claims_first)):
        if not isinstance(given, bool):
            raise BadInput(f"{name} is {given!r}; it is True or False")
    if insert not in INSERTIONS:
        raise BadInput(
            f"insert is {insert!r}; it is 'depth' (one item after the other finds its place) or 'breadth' (all "
            "of them together: a better order early, for a few more questions until it is proven)"
        )
    if not _count(patience):
        raise BadInput(
            f"patience is {patience!r}; it is how many evenly split answers about one pair are enough to give "
            "up: 1 or more, or None to go on until the budget ends"
        )


def _count(given: Any) -> bool:
    """Is it 1 or more, or None?"""
    return given is None or (isinstance(given, int) and not isinstance(given, bool) and given >= 1)


STEADY = "every judge is right equally often on every pair and at every moment, at least half the time"
FAIR = "every answer is, given all answers before it, right at least half of the time"


def assumptions(*, assume: str | None, repeats: int | None) -> tuple[str, str]:
    """What the certificate assumes with these options, in words for people."""
    if repeats is None:
        again = "a judge who is asked a pair again answers anew (the study was made with this said)"
    else:
        often = "once" if repeats == 1 else f"{repeats} times"
        again = f"nobody's memory helps: no judge is asked a pair more than {often}"
    return (STEADY if assume == "steady" else FAIR, again)


def unanimous_judges(error: float) -> int:
    """How many judges who all agree a link needs in a first attempt, where each answers it once.

    >>> unanimous_judges(0.1)
    4
    """
    return math.ceil(-math.log(level_of(error, 1)) / math.log1p(BET_MOST))


# ----------------------------------------------------------------------------
# What a question fixes of its judge's accuracy under the steady model: into its terms, and back out of them
def prior_terms(s: Any, judge: int) -> dict[str, Any]:
    """A judge's prior as it goes on record: weights on the grid, and the Beta where it has weight."""
    prior = np.zeros(PRIOR_SIZE)
    write_prior(s, judge, prior)
    terms: dict[str, Any] = {"prior": prior[:BETA].tolist()}
    return terms | {"beta": prior[BETA:].tolist()} if prior[BETA] > 0 else terms


def recorded_prior(terms: Mapping[str, Any]) -> list[float]:
    """The prior that a question fixed, for the machine."""
    return [*terms["prior"], *terms.get("beta", (0.0, 0.0, 0.0))]
