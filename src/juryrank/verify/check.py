"""Verify a certificate: chain, questions and answers, then the result, all recomputed from the raw events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from itertools import accumulate
from typing import Any

from juryrank.errors import install_line
from juryrank.log.receipts import counted_words, holds, is_signed, successor_text
from juryrank.quoting import skeleton
from juryrank.verify.chain import check_chain, check_receipt
from juryrank.verify.checkers import GOES_ON_WITHOUT_ITEMS, SEARCHED, checker_for
from juryrank.verify.compare import difference
from juryrank.verify.reading import whole
from juryrank.verify.record import Record, read_events
from juryrank.verify.record.conduct import haste, set_back
from juryrank.verify.report import Check, Finding, Report
from juryrank.verify.result import ComputedResult, outcome_of
from juryrank.verify.room import AsksTooMuch, Room

# ----------------------------------------------------------------------------
# Was the head signed, by whom, and is it the key that somebody expects?
NAME = "signature"


def check_signature(document: Mapping[str, Any], *, key: str | None = None) -> Check | None:
    """The installation's signature, if the file has one or a key is expected; None: neither.

    `key`: the public key that the installation is known by. One that replaced it counts, if the old one signed it.
    """
    signature = document.get("signature")
    if key is None and not can_check():
        return None  # `not_checked` says so
    if signature is None:
        return None if key is None else Check(NAME, False, f"not signed, and the key {key[:16]}… is expected")
    if signature["head"] != document["head"]:
        return Check(NAME, False, "the signature is of a head other than this file's")
    if not is_signed(signature):
        return Check(NAME, False, "the signature does not fit the head, the time and the key: it was forged")
    words = f"head signed at {signature['time'][:19]} by the key {signature['key'][:16]}…"
    if key is None:
        return Check(NAME, True, f"{words}; --key checks whose key it is")
    keys = successors(key, document["events"])
    if signature["key"] not in keys:
        return Check(NAME, False, f"{words}, which is not the expected key {key[:16]}… nor one that it named")
    return Check(NAME, True, f"{words}, as expected" + ("" if signature["key"] == key else " (a named successor)"))


def studies_counted(document: Mapping[str, Any]) -> tuple[str, ...]:
    """A note where the signature says how many studies there were, of which this is the one that is shown."""
    signature = document.get("signature")
    if signature is None or not can_check() or not is_signed(signature):
        return ()
    return (counted_words(signature["made"], signature["deleted"]),)


def can_check() -> bool:
    """Is there a library for signatures? `pip install juryrank` alone brings none."""
    return find_spec("cryptography") is not None


def not_checked(document: Mapping[str, Any]) -> tuple[str, ...]:
    """A note where the file is signed and nobody looked at the signature."""
    if "signature" not in document or can_check():
        return ()
    return (f"The signature was not checked: {install_line('study')} brings what is needed.",)


def successors(key: str, events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The key and those that replaced it, each signed by the one before."""
    keys = [key]
    for event in events:
        if event["kind"] != "key_changed" or event["data"]["old"] not in keys:
            continue
        old, new = event["data"]["old"], event["data"]["new"]
        if holds(old, successor_text(old, new), event["data"]["signature"]):
            keys.append(new)
    return keys


# ----------------------------------------------------------------------------
# Verify a certificate: chain, questions and answers, then the result, all recomputed from the raw events
GIVEN_UP = (
    "Questions or sittings that ended without a deadline in the log: {count}. Why they ended is taken as given."
)
SET_BACK = (
    "Event {seq} says a time that is {seconds:,.0f} s before that of an earlier event: a clock was set back, or "
    "times were altered. Deadlines rest on them."
)
REWORDED = (
    "What judges were shown was changed after answers had been given ({where}): read what it was before, too."
)
RECALLED = "recalled"  # the source of an answer that was given in an earlier ranking
KNOWN = (
    "Answers known from an earlier ranking of the same judges: {count:,}. Each ranking has an error δ of its own: "
    "ask what the earlier ones found."
)


def verify(
    document: Mapping[str, Any],
    *,
    head: str | None = None,
    rerun: bool = False,
    key: str | None = None,
    receipt: str | None = None,
) -> Report:
    """Recompute everything a certificate promises; `head` is the hash its last event has in the study's own log.

    `key`: the public key that must have signed it. `receipt`: a judge's code that must be in it. `rerun`: also
    play the log through the ranker itself, which must ask the same questions and show the same result and
    estimates. (Of rankers whose proof rests on it, the search is played again in any case.) A report is returned
    for true and for false certificates alike; BadSnapshot is raised only for something that is not a certificate
    at all.

    >>> from juryrank import rank
    >>> document = rank(["a", "b"], {"ann": min, "bob": min}, seed=1).certificate()
    >>> verify(document).proven
    True
    >>> document["events"][-1]["at"] = "2000-01-01T00:00:00+00:00"
    >>> verify(document).proven
    False
    """
    document = whole(dict(document) if isinstance(document, Mapping) else document)
    checks = [check_chain(document["events"], document["head"])]
    if head is not None:
        checks.append(_check_head(document, head))
    signed = check_signature(document, key=key)
    checks += [signed] if signed is not None else []
    if receipt is not None:
        checks.append(check_receipt(receipt, document["events"]))
    checks.append(_check_settings(document))
    outcome = None
    record = Record(document["settings"])
    try:
        if all(check.ok for check in checks):
            record = read_events(document["events"])
            checks += record.checks()
        if all(check.ok for check in checks):
            finding = _finding(record, document["estimates"]["order"])
            checks += finding.checks
            if finding.ok:
                outcome = outcome_of(record, finding)
                checks += _check_result(document, record, outcome)
        if outcome is not None and record.settings["ranker"] in SEARCHED and not record.edits:
            from juryrank.verify.rerun import check_search

            checks.append(check_search(document, record.room))
    except AsksTooMuch as problem:
        outcome = None  # nor is it played again
        checks.append(Check("size", False, str(problem)))
    if rerun and outcome is not None:
        from juryrank.verify.rerun import check_rerun

        checks += check_rerun(document, outcome.finding, edited=bool(record.edits))
    return _report(document, record, checks, outcome)


def _report(
    document: Mapping[str, Any], record: Record, checks: list[Check], outcome: ComputedResult | None
) -> Report:
    alike = (*_look_alikes(record.items, "items"), *_look_alikes(record.judges, "judges"))
    given_up = (GIVEN_UP.format(count=record.given_up),) if record.given_up else ()
    other = (REWORDED.format(where="; ".join(record.reworded[:3])),) if record.reworded else ()
    back = set_back((event["seq"], event["at"]) for event in document["events"]) if outcome else None
    clock = (SET_BACK.format(seq=back[0], seconds=back[1]),) if back else ()
    hasty = haste(document["events"]) if outcome else ()
    count = sum(event["data"].get("source") == RECALLED for event in document["events"]) if outcome else 0
    known = (KNOWN.format(count=count),) if count and record.settings["ranker"] in SEARCHED else ()
    found = outcome.finding.notes if outcome else ()
    signed = (*not_checked(document), *studies_counted(document))
    notes = (*record.restored, *signed, *known, *given_up, *other, *clock, *hasty, *alike, *found)
    return Report(
        checks=tuple(checks),
        ranker=str(document["settings"].get("ranker")),
        error=float(document["events"][0]["data"]["error"]),
        head=document["head"],
        result=outcome.result if outcome else {},
        estimates=document["estimates"],
        promise=outcome.finding.promise if outcome else None,
        statement=outcome.statement if outcome else "",
        post_hoc=outcome.post_hoc if outcome else (),
        links=outcome.finding.links if outcome else (),
        notes=notes,
    )


def _finding(record: Record, shown: list[str]) -> Finding:
    """The ranker's own checker; a log it cannot make sense of is a failed check, not a crash."""
    ranker = str(record.settings["ranker"])
    if record.withdrawn and ranker not in GOES_ON_WITHOUT_ITEMS:
        return Finding(
            (Check("result", False, f"items were withdrawn, which the ranker {ranker} does not allow"),)
        )
    try:
        return checker_for(ranker)(record, shown)
    except AsksTooMuch:
        raise
    except Exception as problem:  # whatever a log made by hand may bring about
        return Finding((Check("result", False, f"the events do not make sense for this ranker: {problem}"),))


def _check_result(document: Mapping[str, Any], record: Record, outcome: ComputedResult) -> list[Check]:
    fault = difference(document["result"], outcome.result)
    shown = document["estimates"]["order"]
    if not fault and (len(set(shown)) != len(shown) or not set(shown) <= record.items.keys()):
        fault = "the order shown lists something twice, or something that is not an item"
    if not fault and outcome.finding.order is not None and shown != list(outcome.finding.order):
        fault = "the order shown is not the order proven"
    fault = fault or _line_fault(shown, outcome.finding, record.room)
    return [Check("result", not fault, fault or "every promise and every count is what the events give")]


def _line_fault(shown: list[str], finding: Finding, room: Room) -> str:
    """Where what was asked for is proven, the order shown must have the items above a proven line first.

    Where majorities go in a circle, somebody below may be preferred to somebody above, or share their ranks: that
    is no line.
    """
    if not finding.proven:
        return ""
    last = sorted(finding.ranges, key=lambda item: finding.ranges[item][1])  # by the worst rank that each can have
    bests = [finding.ranges[item][0] for item in last]
    best_below = list(accumulate(reversed(bests), min, initial=len(last) + 1))[::-1]  # of those from a place on
    worsts = [finding.ranges[item][1] for item in last]
    above, first = set[str](), set[str]()
    differ = 0  # items that are in one of the two only
    for line in range(1, len(shown)):
        differ += _put(shown[line - 1], first, above)
        while len(above) < len(last) and worsts[len(above)] <= line:
            differ += _put(last[len(above)], above, first)
        if len(above) != line or not differ or best_below[line] <= line:
            continue
        room.take(len(finding.claims), "the order shown against all claims")
        if not any(better not in above and worse in above for better, worse, *_ in finding.claims):
            return f"the order shown has other items in its first {line} than are proven to belong there"
    return ""


def _put(item: str, into: set[str], other: set[str]) -> int:
    """Put an item into one of two sets; by how much do they differ more?"""
    into.add(item)
    return -1 if item in other else 1


def _check_head(document: Mapping[str, Any], head: str) -> Check:
    same = head == document["head"]
    words = (
        "the study's own log has the same hash at this event"
        if same
        else "the study's own log has another hash at this event: this was made from other events"
    )
    return Check("study's log", same, words)


def _check_settings(document: Mapping[str, Any]) -> Check:
    """What the certificate says about the study must be what the log's first event says."""
    fault = difference(document["settings"], document["events"][0]["data"], at="settings")
    return Check("settings", not fault, fault or "the settings are those of the first event")


def _look_alikes(names: Iterable[str], what: str) -> list[str]:
    """A note for the first names that differ and can hardly be told apart by eye.

    >>> [len(_look_alikes(["x", "y", name], "items")) for name in ("x\u200b", "\u0445", "z")]
    [1, 1, 0]
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault("".join(skeleton(name).split()).casefold(), name)
        if other != name:
            return [f"These {what} look alike, and are not the same: {other!a} and {name!a}."]
    return []
