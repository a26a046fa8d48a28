"""The certificate: a result and the raw events behind it, as one JSON document.

    {"format": "juryrank-certificate/1", "version": "...",
     "settings":  what the ranking was created with (the data of its first event),
     "events":    every event, each {"seq", "kind", "data", "at", "hash"}, the hash chained to the one before,
     "head":      the hash of the last event,
     "result":    promises and counts (see `result`): a function of the events, which `verify` computes again,
     "estimates": the order shown until one is proven, accuracies, forecasts: no promise, checked by --rerun only,
     "signature": the installation's signature of the head, where there is one}

What the events prove is computed here by the checker, not taken from the ranker. If the ranker claims more, no
certificate is issued.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any, Protocol

from juryrank._version import __version__
from juryrank.errors import BadInput, JuryrankError
from juryrank.quoting import in_sentence
from juryrank.types import Ranking
from juryrank.verify.chain import check_chain
from juryrank.verify.checkers import CHECKERS, checker_for
from juryrank.verify.reading import EVENT_FIELDS, FORMAT
from juryrank.verify.record import Record, read_events
from juryrank.verify.record.conduct import REFUSALS_COUNT
from juryrank.verify.report import Finding, Missing
from juryrank.verify.result import besides, outcome_of


class Logged(Protocol):
    """An event as any log holds it."""

    @property
    def seq(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...
    @property
    def at(self) -> str | None: ...
    @property
    def hash(self) -> str: ...


def certificate(
    events: Iterable[Logged], ranking: Ranking, *, signature: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The certificate of a ranking whose whole log is `events`.

    >>> from juryrank.log import GENESIS, chained, settings
    >>> from juryrank.types import Ranking
    >>> start = settings(["a"], judges=["ann"], ranker="certified", error=0.1)
    >>> one = chained(GENESIS, 1, "created", start)
    >>> document = certificate([one], Ranking(("a",), True, 0.1, 0, "certified"))
    >>> document["head"] == one.hash, document["result"]["order"]
    (True, ['a'])
    """
    log = plain_log(events)
    estimates = estimates_of(ranking)
    finding, result = _proven(log, estimates["order"])
    more = exceeds(ranking, finding) if not result["post_hoc"] else ""
    if more:
        raise JuryrankError(
            f"the ranker claims more than its answers prove ({more}), so no certificate was issued. This is a "
            "defect of juryrank: please report it with the exported log"
        )
    document = {
        "format": FORMAT,
        "version": __version__,
        "settings": log[0]["data"],
        "head": log[-1]["hash"],
        "result": result,
        "estimates": estimates,
        **({} if signature is None else {"signature": dict(signature)}),
        "events": log,
    }
    return document


def plain_log(events: Iterable[Logged]) -> list[dict[str, Any]]:
    """A log as plain values, as a file would give it."""
    log = [{name: getattr(event, name) for name in EVENT_FIELDS} for event in events]
    if not log or log[0]["kind"] != "created":
        raise BadInput("a certificate needs the whole log, from its `created` event on; this one has no beginning")
    try:
        plain: list[dict[str, Any]] = json.loads(json.dumps(log, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError) as problem:
        raise BadInput(f"a certificate is JSON, and {problem}: use strings as items and judges") from None
    return plain


def _proven(log: list[dict[str, Any]], order: list[str]) -> tuple[Finding, dict[str, Any]]:
    """What the checker makes of the log; raises where the log does not keep the rules."""
    record = read_events(log)
    checks = [check_chain(log, log[-1]["hash"]), *record.checks()]
    finding = Finding(())
    if all(check.ok for check in checks):
        finding = checker_for(record.settings["ranker"])(record, order)
        checks += finding.checks
    for check in checks:
        if not check.ok:
            raise JuryrankError(
                f"no certificate can be issued from this log: {check.words} (check {check.name!r}). Find out who "
                "changed it; a back-up may be whole"
            )
    return finding, outcome_of(record, finding).result


def exceeds(ranking: Ranking, finding: Finding) -> str:
    """What a ranker claims beyond what its events prove, in words; empty: nothing."""
    order = [str(item) for item in ranking.order]
    if ranking.certified and (finding.order is None or list(finding.order) != order):
        return "the whole order is called certified, and is not proven"
    if ranking.proven and not finding.proven:
        return "what was asked for is called proven, and is not"
    if ranking.refuted and not finding.refuted:
        return "what was required is called refuted, and is not"
    if not finding.partial or finding.order is not None:
        return ""
    claimed = {(better, worse) for better, worse, _ in finding.claims}
    for link in ranking.links:
        if link.settled and (str(link.better), str(link.worse)) not in claimed:
            return (
                f"{in_sentence(link.better)} over {in_sentence(link.worse)} is called settled, and is not proven"
            )
    for item, (best, worst) in zip(order, ranking.ranges, strict=False):
        low, high = finding.ranges[item]
        if best > low or worst < high:
            return f"{in_sentence(item)} is given ranks {best}-{worst}; the answers prove {low}-{high}"
    return ""


def estimates_of(ranking: Ranking) -> dict[str, Any]:
    """What a ranking shows without promising it: plain values, ready for JSON."""
    told = ranking.to_dict()
    more = told.get("estimates")
    shown = {name: told[name] for name in ("order", "judges", "cost", "details")}
    shown["details"] = {name: value for name, value in told["details"].items() if name != "missing"}  # no estimate
    plain: dict[str, Any] = _finite(_without_words({**shown, **({"estimates": more} if more else {})}))
    plain["order"] = [str(item) for item in plain["order"]]
    return plain


WORDS = {"note", "words", "label", "outcome", "reason"}  # sentences: a certificate holds none


def _without_words(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_words(inner) for name, inner in value.items() if name not in WORDS}
    return [_without_words(inner) for inner in value] if isinstance(value, list) else value


def _finite(value: Any) -> Any:
    """The same value, with null for numbers that JSON does not have."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(inner) for name, inner in value.items()}
    return [_finite(inner) for inner in value] if isinstance(value, list) else value


# ----------------------------------------------------------------------------
# The statement of a running result, as the checker words it: a result, its certificate and `verify` say the
# same
#
# A ranker states what its answers prove. Who skipped, changed or let expire more than a few questions is in the
# log alone, and belongs to the same sentence. So does whether a proof would stand had all missing answers gone
# against it: whoever lets unwelcome ones expire chooses what counts, and a log shows how many are missing, never
# what they would have said.
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
        details = replace(ranking.details, missing={} if missing is None else asdict(missing))
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
    claims = (*details.claims, *(link for link in ranking.links if link.settled))
    stated = [claim for claim in details.jury.get("claims", ()) if claim["resolution"] is not None]
    settled = details.lines or details.settled_count
    return bool(
        ranking.proven
        or ranking.refuted
        or claims
        or stated
        or settled
        or any(s != anywhere for s in ranking.ranges)
    )
