"""Reliability as in educational assessment, from a study's answers: separation, split halves, misfits."""

from __future__ import annotations

from statistics import NormalDist, fmean, pvariance

from juryrank.errors import JuryrankError
from juryrank.study import Study
from juryrank.types import Estimates
from juryrank.votes.fitting.entry import fit
from juryrank.votes.fitting.judges import Reliability


def study_reliability(study: Study) -> Reliability:
    """All of these are estimates, from every answer so far; where there are too few, the words say so."""
    try:
        return fit(study, model="bt").reliability
    except JuryrankError as problem:
        return Reliability(None, None, None, None, (), (f"There are too few answers to say: {problem}.",))


# ---------------------------------------------------------------------------- from the estimates, at once
FEWEST_ITEMS = 3  # fewer have no spread to speak of
MEANINGS = (  # from this reliability on
    (0.9, "another group of judges would give nearly the same order"),
    (0.8, "another group would give much the same order, with neighbours swapped"),
    (0.6, "another group would agree on the broad picture, not on the places"),
    (0.0, "another group could give quite another order"),
)


def estimated_reliability(found: Estimates | None) -> float | None:
    """The share of the scores' spread that is no noise (as of expected a posteriori scores): what the scores of
    two groups of judges like these would correlate; None: there are too few items."""
    scores = [one for one in found.items if one.known] if found else []
    if found is None or len(scores) < FEWEST_ITEMS:
        return None
    width = 2 * NormalDist().inv_cdf((1 + found.level) / 2)
    noise = fmean(((one.score_high - one.score_low) / width) ** 2 for one in scores)
    spread = pvariance([one.score for one in scores])
    return spread / (spread + noise) if spread + noise > 0 else None


def reliability_words(value: float) -> str:
    """What it means, in one sentence.

    >>> reliability_words(0.82)
    'another group would give much the same order, with neighbours swapped'
    """
    return next(words for least, words in MEANINGS if value >= least)
