"""Claims as data, and claims as sentences: for rankers, the checker, reports, pages and the terminal alike.

numbers   1 - δ, resolutions and evidence in words     promises   what is claimed of the true order, of a majority
details   what else a result says                      cases      what is claimed of judges on cases

The checker uses this too: it shares words with the rankers, no arithmetic. Certificates hold claims; the sentences
are made on reading, so a better sentence voids no proof.
"""

from __future__ import annotations

from juryrank.statements.numbers import (
    RecordedCount,
    below_of,
    evidence_of,
    failing_at,
    level_words,
    missing_words,
    most_of,
    needed_at,
    recorded_of,
    refuted_of,
    resolution_of,
    risk_of,
    share_of,
    strength_of,
    sure_of,
)
from juryrank.statements.promises import Name, Promise

__all__ = [
    "Name",
    "Promise",
    "RecordedCount",
    "below_of",
    "evidence_of",
    "failing_at",
    "level_words",
    "missing_words",
    "most_of",
    "needed_at",
    "recorded_of",
    "refuted_of",
    "resolution_of",
    "risk_of",
    "share_of",
    "strength_of",
    "sure_of",
]
