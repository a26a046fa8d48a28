"""What a live result says about missing answers: the checker's own word, so that a certificate says the same.

A proof counts the answers that were given. Whoever lets unwelcome ones expire, or has them skipped, chooses what
counts; a log shows how many are missing, never what they would have said. So every proof says whether it would
stand had all of them gone against it: with a contrary answer at each such place, at the bet or prior on record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

from juryrank.types import Ranking
from juryrank.verify.certificate import Logged, plain_log
from juryrank.verify.checkers import checker_for
from juryrank.verify.record import read_events
from juryrank.verify.report import Missing
from juryrank.verify.result import outcome_of

SAY_IT = ("certified", "panel")  # rankers whose checker counts missing answers
ENDS = ("expired", "lapsed")  # events that end a question without an answer


def missing_of(events: Sequence[Logged], order: Iterable[object]) -> Missing | None:
    """What is missing from a log that promises something; `order`: the one shown."""
    if events[0].data.get("ranker") not in SAY_IT or not any(map(_leaves_out, events)):
        return None
    record = read_events(plain_log(events))
    finding = checker_for(record.settings["ranker"])(record, [str(item) for item in order])
    return outcome_of(record, finding).finding.missing if finding.ok else None


def _leaves_out(event: Logged) -> bool:
    return event.kind in ENDS or (event.kind == "told" and event.data["answer"] == "skip")


def with_missing(ranking: Ranking, missing: Missing | None) -> Ranking:
    """The result with that in its details, and in its statement where it would not stand."""
    if missing is None:
        return ranking
    statement = ranking.statement if missing.stands else f"{ranking.statement} {missing.words}"
    return replace(ranking, statement=statement, details={**ranking.details, "missing": asdict(missing)})
