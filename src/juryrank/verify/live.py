"""The statement of a running result, as the checker words it: a result, its certificate and `verify` say the same.

A ranker states what its answers prove. Who skipped, changed or let expire more than a few questions is in the log
alone, and belongs to the same sentence. So does whether a proof would stand had all missing answers gone against
it: whoever lets unwelcome ones expire chooses what counts, and a log shows how many are missing, never what they
would have said.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import asdict, replace

from juryrank.types import Ranking
from juryrank.verify.certificate import Logged, plain_log
from juryrank.verify.checkers import CHECKERS, checker_for
from juryrank.verify.record import Record, read_events
from juryrank.verify.record.conduct import REFUSALS_COUNT
from juryrank.verify.report import Missing
from juryrank.verify.result import besides, outcome_of

SAY_IT = CHECKERS.keys() - REFUSALS_COUNT  # rankers whose checker counts missing answers


class LiveStatement:
    """What the checker adds to the results of one log, which is read once for each state of it."""

    def __init__(self, events: Callable[[], Iterable[Logged]]) -> None:
        self._events = events
        self._state: Hashable = None
        self._missing: Missing | None = None
        self._besides: list[str] = []

    def complete(
        self, ranking: Ranking, *, state: Hashable, judges: bool, shown: Iterable[object] | None = None
    ) -> Ranking:
        """The ranking with the statement of its certificate; without `judges`, nothing is said about single ones.

        `state`: of the log, which is read again when it is another one. `shown`: the order, where the ranking has
        other names for items than the log.
        """
        if ranking.post_hoc or not _promises(ranking):
            return ranking
        if self._state != state:
            record = read_events(plain_log(self._events()))
            self._missing, self._besides = _missing(record, shown or ranking.order), besides(record)
            self._state = state
        missing, more = self._missing, self._besides if judges else []
        falls = [missing.words] if missing is not None and not missing.stands else []
        details = ranking.details if missing is None else {**ranking.details, "missing": asdict(missing)}
        return replace(ranking, statement=" ".join([ranking.statement, *falls, *more]), details=details)


def _missing(record: Record, shown: Iterable[object]) -> Missing | None:
    left_out = record.lapsed or any(question.missing for question in record.questions.values())
    if record.settings["ranker"] not in SAY_IT or not left_out:
        return None
    finding = checker_for(record.settings["ranker"])(record, [str(item) for item in shown])
    return outcome_of(record, finding).finding.missing if finding.ok else None


def _promises(ranking: Ranking) -> bool:
    """Is anything claimed: what was asked for, a pair, a rank that is not any rank?"""
    details, anywhere = ranking.details, (1, len(ranking.order))
    claims = (*(details.get("claims") or ()), *(link for link in ranking.links if link.settled))
    stated = [claim for claim in details.get("jury", {}).get("claims", ()) if claim["resolution"] is not None]
    settled = details.get("lines") or details.get("settled_count")
    return bool(ranking.proven or claims or stated or settled or any(s != anywhere for s in ranking.ranges))
