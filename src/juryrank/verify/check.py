"""Verify a certificate: the chain, the questions and answers, then the ranker's own claims, all recomputed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.errors import BadInput
from juryrank.verify.certificate import whole
from juryrank.verify.chain import check_chain
from juryrank.verify.checkers import checker_for
from juryrank.verify.record import Record, read_events
from juryrank.verify.report import Check, Finding, Report


def verify(document: Mapping[str, Any], *, head: str | None = None) -> Report:
    """Recompute everything a certificate claims; `head` is the hash its last event has in the study's own log.

    A report is returned for true and for false certificates alike; BadSnapshot is raised only for something
    that is not a certificate at all.
    """
    document = whole(dict(document))
    events, result = document["events"], document["result"]
    checks = [check_chain(events, document["head"])]
    if head is not None:
        same = head == document["head"]
        words = (
            "the study's own log has the same hash at this event"
            if same
            else "the study's own log has another hash at this event: this was made from other events"
        )
        checks.append(Check("study's log", same, words))
    record = read_events(events) if events else Record({})
    checks.append(_check_settings(document, record))
    checks.extend(record.checks())
    finding = _finding(record, result) if all(check.ok for check in checks) else None
    checks.append(_check_edits(record, result))
    if finding is not None:
        checks.extend(finding.checks)
    return Report(
        checks=tuple(checks),
        ranker=str(result["ranker"]),
        order=tuple(result["order"]),
        error=float(result["error"]),
        events=len(events),
        questions=len(record.questions),
        answers=record.answers,
        head=document["head"],
        certified=finding is not None and finding.certified and not record.edits,
        statement=finding.statement if finding else "",
        links=finding.links if finding else (),
        ranges=finding.ranges if finding else (),
        post_hoc=tuple(record.edits),
        notes=(*record.notes, *(finding.notes if finding else ())),
        details=finding.details if finding else {},
    )


def _finding(record: Record, result: Mapping[str, Any]) -> Finding:
    """The ranker's own checks; a log it cannot make sense of is a failed check, not a crash."""
    try:
        return checker_for(str(result["ranker"]))(record, result)
    except (KeyError, TypeError, ValueError, IndexError, BadInput) as problem:
        words = f"the events do not make sense for this ranker: {problem}"
        return Finding((Check("result", False, words),), certified=False, statement="")


def _check_settings(document: Mapping[str, Any], record: Record) -> Check:
    """What the certificate says about the study must be what the log's first event says."""
    settings, result = record.settings, document["result"]
    if document["settings"] != settings:
        return Check("settings", False, "the settings are not those of the first event")
    for name in ("ranker", "error"):
        if result[name] != settings.get(name):
            return Check(
                "settings", False, f"the result is for {name} {result[name]!r}; the study was made with "
                f"{settings.get(name)!r}",
            )  # fmt: skip
    if len(set(result["order"])) != len(result["order"]) or not set(result["order"]) <= set(record.items):
        return Check("settings", False, "the order lists something twice, or something that is not an item")
    if result["certified"] and len(result["order"]) != len(record.items):
        return Check("settings", False, "called certified, but does not order all items")
    if result["questions"] != len(record.questions):
        return Check(
            "settings",
            False,
            f"the result counts {result['questions']} questions; the log has {len(record.questions)}",
        )
    words = f"{len(record.items)} items, {len(record.judges)} judges, δ = {result['error']}, {result['ranker']}"
    return Check("settings", True, words)


def _check_edits(record: Record, result: Mapping[str, Any]) -> Check:
    """Whatever was chosen after the answers were seen voids the promise, and must be listed."""
    hidden = [edit for edit in record.edits if edit not in result["post_hoc"]]
    invented = [edit for edit in result["post_hoc"] if edit not in record.edits]
    if hidden:
        return Check("edits", False, f"an edit after the fact is not listed: {hidden[0]}")
    if invented:
        return Check("edits", False, f"an edit is listed that the log does not have: {invented[0]}")
    if record.edits and result["certified"]:
        return Check("edits", False, "called certified, although it was edited after the answers were seen")
    if record.edits:
        return Check(
            "edits", True, f"{len(record.edits)} edits after the fact, all listed: post-hoc, not certified"
        )
    return Check("edits", True, "nothing was edited after the answers were seen")
