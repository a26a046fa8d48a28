"""The statement of a running result, as the checker words it: with what judges left out or changed.

A ranker states what its answers prove. Who skipped, changed or let expire more than a few questions is in the log
alone, and belongs to the same sentence: a result, its certificate and `verify` say the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from juryrank.types import Ranking
from juryrank.verify.certificate import Logged
from juryrank.verify.reading import EVENT_FIELDS
from juryrank.verify.record import read_events
from juryrank.verify.result import besides


def as_certified(ranking: Ranking, events: Iterable[Logged]) -> Ranking:
    """The ranking with the statement that a certificate of it has; `events`: its whole log."""
    if ranking.post_hoc or not _promises(ranking):
        return ranking
    record = read_events([{name: getattr(event, name) for name in EVENT_FIELDS} for event in events])
    return replace(ranking, statement=" ".join([ranking.statement, *besides(record)]))


def _promises(ranking: Ranking) -> bool:
    """Is anything claimed: what was asked for, a pair, a rank that is not any rank?"""
    details, anywhere = ranking.details, (1, len(ranking.order))
    claims = (*(details.get("claims") or ()), *(link for link in ranking.links if link.settled))
    stated = [claim for claim in details.get("jury", {}).get("claims", ()) if claim["resolution"] is not None]
    settled = details.get("lines") or details.get("settled_count")
    return bool(ranking.proven or claims or stated or settled or any(s != anywhere for s in ranking.ranges))
