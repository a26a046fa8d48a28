"""The certified ranker's result, recomputed from the raw events.

Every check is of the form "no more is claimed than the events prove": a certificate that claims less than it
could is true. The promise: whatever the judges' accuracies, if the assumption holds, then with probability at
least 1 - δ every claim of every attempt is true.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.core.certified.prove.evidence import level_of
from juryrank.core.monitor.repeats import withholding
from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.core.monitor.watches import Alarm, watch
from juryrank.verify.certified.attempts import Attempt, options_of, read_attempts, trusts_repeats
from juryrank.verify.certified.claims import claimed_links, proven, rank_ranges
from juryrank.verify.certified.cross_examination import check_cross_examination, examine
from juryrank.verify.certified.links import as_links, check_links, last_attempt
from juryrank.verify.certified.recount import LinkCount, recount
from juryrank.verify.record import Record
from juryrank.verify.repeats import check_repeats
from juryrank.verify.report import Check, Finding

ASSUMED = {
    "better-than-chance": "every answer is, given all before it, right at least half of the time",
    "steady": "every judge is right equally often on every pair and at every moment, at least half of the time",
}


def check(record: Record, result: Mapping[str, Any]) -> Finding:
    """Recount all attempts and hold the claimed result against them."""
    assume, repeats = options_of(record.settings)
    attempts, rules = read_attempts(record, assume)
    rules_of_repeats = check_repeats(record, repeats)
    counts = {attempt.number: recount(attempt) for attempt in attempts}
    last, links = last_attempt(attempts, result)
    seen = _tallies(record)
    alarms = watch(seen, result["order"], steady=assume == "steady") if _complete(record, result) else ()
    examined = examine(record, last, seen, trust=trusts_repeats(record.settings))
    claims = [link for attempt in attempts for link in claimed_links(attempt, counts[attempt.number])]
    ranges = rank_ranges(list(record.items), claims)
    checks = (
        rules,
        rules_of_repeats,
        check_links(last, links, result, claims=set(claims), exact=not record.retracted),
        _check_claims(attempts, counts, result),
        _check_ranges(record, ranges, result, last, links),
        _check_details(record, attempts, counts, result, assume),
        check_cross_examination(examined, last, result),
        _check_certified(record, last, links, result, withholding(alarms, examined.suspects)),
    )
    certified = bool(result["certified"]) and all(found.ok for found in checks)
    return Finding(
        checks,
        certified=certified,
        statement=_statement(result, certified, assume),
        links=as_links(last, links, set(claims)),
        ranges=tuple(map(tuple, result["ranges"])),
        notes=tuple(alarm.words for alarm in alarms),
        details={
            "assume": assume,
            "attempts": [_described(attempt, counts[attempt.number]) for attempt in attempts],
        },
    )


def _complete(record: Record, result: Mapping[str, Any]) -> bool:
    return len(record.items) > 1 and set(result["order"]) == set(record.items)


def _check_claims(
    attempts: Sequence[Attempt], counts: Mapping[int, Sequence[LinkCount]], result: Mapping[str, Any]
) -> Check:
    """Every claimed link comes before the first unproven one, in the order its attempt fixed at the start."""
    allowed = {
        (attempt.number, *link): attempt.level
        for attempt in attempts
        for link in claimed_links(attempt, counts[attempt.number])
    }
    claims = result["details"].get("claims", [])
    for claim in claims:
        key = (claim["attempt"], claim["better"], claim["worse"])
        if key not in allowed:
            return Check("claims", False, f"{claim['better']} over {claim['worse']} may not be claimed")
        if not math.isclose(claim["level"], allowed[key], rel_tol=1e-9):
            return Check("claims", False, f"{claim['better']} over {claim['worse']} is claimed at the wrong level")
    words = f"{len(claims)} claims, each before the first unproven link in the order fixed at the start"
    return Check("claims", True, words if claims else "none made")


def _check_ranges(
    record: Record, ranges: Mapping[str, tuple[int, int]], result: Mapping[str, Any],
    last: Attempt | None, links: Sequence[LinkCount],
) -> Check:  # fmt: skip
    """No item's range of possible ranks is narrower than the claims make it."""
    if last is not None and all(proven(last, link) for link in links):
        ranges = {item: (k + 1, k + 1) for k, item in enumerate(last.order)}
    if len(result["ranges"]) not in (0, len(result["order"])):
        return Check("ranges", False, "there is not one range for each item")
    for item, (best, worst) in zip(result["order"], result["ranges"], strict=False):
        low, high = ranges[item]
        if best > low or worst < high:
            return Check("ranges", False, f"{item} is given ranks {best}-{worst}; the claims allow {low}-{high}")
    open_items = sum(best != worst for best, worst in result["ranges"])
    words = (
        f"{open_items} of {len(record.items)} items could still have another rank" if open_items else "exact ranks"
    )
    return Check("ranges", True, f"{words}, as the claims and all chains of them allow")


def _check_details(
    record: Record, attempts: Sequence[Attempt], counts: Mapping[int, Sequence[LinkCount]],
    result: Mapping[str, Any], assume: str,
) -> Check:  # fmt: skip
    """What is said about assumption, attempts and proven links."""
    details = result["details"]
    if details.get("assume", assume) != assume:
        return Check("details", False, f"the result assumes {details['assume']}; the study was made for {assume}")
    asked = {attempt.number: len(attempt.questions) for attempt in attempts}
    for told in details.get("attempts", []):
        number = told["attempt"]
        if not math.isclose(told["level"], level_of(record.settings["error"], number), rel_tol=1e-9):
            return Check("details", False, f"attempt {number} is said to have level {told['level']!r}")
        if told["questions"] != asked.get(number, 0) and not record.retracted:
            return Check("details", False, f"attempt {number} is said to have {told['questions']} questions")
    most = max((sum(proven(a, link) for link in counts[a.number]) for a in attempts), default=0)
    if details.get("proven_links", 0) > most:
        return Check("details", False, f"{details['proven_links']} links are said to be proven, not {most}")
    return Check("details", True, f"assumption ({assume}), attempts and their levels as in the log")


def _check_certified(
    record: Record, last: Attempt | None, links: Sequence[LinkCount], result: Mapping[str, Any],
    alarms: Sequence[Alarm],
) -> Check:  # fmt: skip
    """`certified` needs every link of one attempt over all items, and answers that look as assumed."""
    if not result["certified"]:
        return Check("verdict", True, "not called certified")
    if sorted(result["order"]) != sorted(record.items):
        return Check("verdict", False, "called certified, but does not order all items")
    everything = len(record.items) < 2 or (last is not None and all(proven(last, link) for link in links))
    if not everything:
        return Check("verdict", False, "called certified, but not every link is proven")
    if alarms:
        return Check("verdict", False, f"called certified, although: {alarms[0].words}")
    return Check("verdict", True, "every link was proven in one attempt")


def _tallies(record: Record) -> AnswerTallies:
    votes = [q for q in record.questions.values() if q.winner is not None]
    votes.sort(key=lambda q: q.told or 0)
    return AnswerTallies.of((q.judge, q.left, q.right, q.winner) for q in votes)


def _described(attempt: Attempt, links: Sequence[LinkCount]) -> dict[str, Any]:
    return {
        "attempt": attempt.number,
        "level": attempt.level,
        "questions": len(attempt.questions),
        "proven": sum(proven(attempt, link) for link in links),
        "claimed": len(claimed_links(attempt, links)),
    }


def _statement(result: Mapping[str, Any], certified: bool, assume: str) -> str:
    sure = f"{1 - result['error']:.4g}"
    if certified:
        return f"With probability at least {sure} this is the whole true order, if {ASSUMED[assume]}."
    claims = len(result["details"].get("claims", []))
    if claims:
        return (
            f"Not certified as a whole. With probability at least {sure} all {claims} claimed links hold, and "
            f"with them every range of ranks, if {ASSUMED[assume]}."
        )
    return "Not certified: the order is a best guess, without a promise."
