"""Small logs to verify: made by hand, one event per line."""

import contextlib
import copy

from juryrank.errors import JuryrankError
from juryrank.log import GENESIS, chained, event_hash, settings
from juryrank.verify import Finding, verify
from juryrank.verify.checkers import checker_for
from juryrank.verify.record import read_events
from juryrank.verify.result import outcome_of


def make_log(*steps, items=("a", "b", "c"), judges=("ann", "bob"), ranker="toy", error=0.1, **more):
    """Events from (kind, data) or (kind, data, at) steps, after a `created` event."""
    start = settings(items, judges=judges, ranker=ranker, error=error, **more)
    events, previous = [], GENESIS
    for seq, step in enumerate([("created", start), *steps], start=1):
        kind, data, at = (*step, None)[:3]
        events.append(chained(previous, seq, kind, data, at))
        previous = events[-1].hash
    return events


def asked(q, judge="ann", left="a", right="b", **more):
    return ("asked", {"q": q, "judge": judge, "left": left, "right": right, "terms": {}, "deadline": None, **more})


def told(q, answer="left", **more):
    return ("told", {"q": q, "answer": answer, **more})


def expired(q):
    return ("expired", {"q": q})


def nothing_proven(record, shown):
    """A checker that proves nothing, for logs of the ranker `toy`."""
    return Finding(())


def document(events, *, order=("a", "b", "c"), **claims):
    """A certificate as somebody would draw it up who follows these events, and then claims more."""
    log = [{name: getattr(e, name) for name in ("seq", "kind", "data", "at", "hash")} for e in events]
    return drawn_up(log, order=order, **claims)


def drawn_up(log, *, order, **claims):
    record = read_events(log)
    result = {}
    if all(check.ok for check in record.checks()):
        finding = checker_for(record.settings["ranker"])(record, list(order))
        result = outcome_of(record, finding).result | claims
    return {
        "format": "juryrank-certificate/1",
        "version": "0",
        "settings": log[0]["data"],
        "head": log[-1]["hash"],
        "result": result,
        "estimates": {"order": list(order)},
        "events": log,
    }


def reforge(forged):
    """Make the chain and the settings fit again, as a forger would."""
    previous = GENESIS
    for seq, event in enumerate(forged["events"], start=1):
        event["seq"] = seq
        previous = event["hash"] = event_hash(previous, seq, event["kind"], event["data"], event["at"])
    forged["head"] = previous
    forged["settings"] = forged["events"][0]["data"]
    return forged


def gets_through(document, change):
    """Does a document with changed events, drawn up anew by somebody who knows the checker, prove anything?"""
    forged = copy.deepcopy(document)
    change(forged["events"])
    forged = reforge(forged)
    with contextlib.suppress(JuryrankError, ValueError, KeyError):
        forged = drawn_up(forged["events"], order=forged["estimates"]["order"])
    try:
        report = verify(forged)
    except JuryrankError:
        return False
    return report.true and report.proven


def names_failed(report):
    return {check.name for check in report.failures}
