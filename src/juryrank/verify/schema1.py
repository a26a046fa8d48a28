"""Certificates of schema 1: is what they claim proven by their events?

Their result holds claims among numbers that cannot be recomputed (forecasts, accuracies). Each claim is held
against what the events prove, and may be smaller, never larger. What is printed is the checker's own result.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from juryrank.types import Link
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Finding
from juryrank.verify.terms import is_number

NOTE = (
    "This certificate has schema 1: its claims were checked, and what is printed here was computed anew. Other "
    "numbers in it (accuracies, forecasts, tallies) were not checked."
)
ROUNDING = 1e-9


def check_claims(result: Mapping[str, Any], record: Record, finding: Finding) -> Check:
    """Every claim of the result against what the events prove."""
    try:
        fault = _fault(result, record, finding)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as problem:
        fault = f"the result is not one that this ranker gives ({problem!r})"
    return Check("claims", not fault, fault or "nothing is claimed that the events do not prove")


def _fault(result: Mapping[str, Any], record: Record, finding: Finding) -> str:
    return (
        _about_the_study(result, record)
        or _order_fault(result, record, finding)
        or _links_fault(result, record, finding)
        or _ranges_fault(result, finding)
        or _details_fault(result["details"], record, finding)
    )


def _about_the_study(result: Mapping[str, Any], record: Record) -> str:
    for name in ("ranker", "error"):
        if result[name] != record.settings[name]:
            return f"the result is for {name} {result[name]!r}; the study has {record.settings[name]!r}"
    if result["questions"] != len(record.questions):
        return f"the result counts {result['questions']} questions; the log has {len(record.questions)}"
    if result["post_hoc"] != record.edits:
        return f"the result lists {len(result['post_hoc'])} edits after the fact; the log has {len(record.edits)}"
    return ""


def _order_fault(result: Mapping[str, Any], record: Record, finding: Finding) -> str:
    order = result["order"]
    if len(set(order)) != len(order) or not set(order) <= record.items.keys():
        return "the order lists something twice, or something that is not an item"
    if result["certified"] and record.edits:
        return "called certified, although it was edited after the answers were seen"
    if result["certified"] and (finding.order is None or list(finding.order) != order):
        return "called certified, but the events do not prove this order"
    return ""


def _links_fault(result: Mapping[str, Any], record: Record, finding: Finding) -> str:
    claimed = {(better, worse) for better, worse, _ in finding.claims}
    fresh = record.options.get("fresh", True)
    pairs = [(link["better"], link["worse"]) for link in result["links"]]
    if pairs and pairs != list(pairwise(result["order"])):
        return "the links are not those of the order"
    recounted = {(link.better, link.worse): link for link in finding.links}
    for link in result["links"]:
        pair = (link["better"], link["worse"])
        if not isinstance(link["settled"], bool):
            return f"{pair[0]} over {pair[1]} is neither settled nor open"
        granted = pair in claimed if finding.partial else fresh
        if link["settled"] and not granted and not record.edits:
            return f"{pair[0]} over {pair[1]} is called settled, and is not"
        fault = _level_fault(link, finding)
        if fault:
            return f"{pair[0]} over {pair[1]}: {fault}"
        fault = _evidence_fault(link, recounted.get(pair), exact=not record.undone)
        if fault:
            return f"{pair[0]} over {pair[1]}: {fault}"
    return ""


def _evidence_fault(link: Mapping[str, Any], known: Link | None, *, exact: bool) -> str:
    """`exact`: nobody took an answer back, so that the tallies must be the same."""
    if link["evidence"] is None:
        return ""
    if known is None or known.evidence is None:
        return f"evidence {link['evidence']!r} is claimed; there is none"
    if not is_number(link["evidence"]) or link["evidence"] > known.evidence * (1 + ROUNDING):
        return f"evidence {link['evidence']!r} is claimed; there is {known.evidence:.4g}"
    tally = (link["answers_for"], link["answers_against"], {j: tuple(n) for j, n in link["by"].items()})
    if exact and tally != (known.answers_for, known.answers_against, dict(known.by)):
        return "the answers for and against are not those in the log"
    return ""


def _level_fault(link: Mapping[str, Any], finding: Finding) -> str:
    level, evidence = link["level"], link["evidence"]
    if level is None and evidence is None:
        return ""
    if not any(is_number(level) and math.isclose(level, allowed, rel_tol=ROUNDING) for allowed in finding.levels):
        return f"level {level!r} is not one of this study's"
    return ""


def _ranges_fault(result: Mapping[str, Any], finding: Finding) -> str:
    if len(result["ranges"]) not in (0, len(result["order"])):
        return "there is not one range for each item"
    if not finding.partial or not finding.ranges:
        return ""
    for item, (best, worst) in zip(result["order"], result["ranges"], strict=False):
        low, high = finding.ranges[item]
        if type(best) is not int or type(worst) is not int or best > low or worst < high:
            return f"{item} is given ranks {best!r}-{worst!r}; the answers prove {low}-{high}"
    return ""


def _details_fault(details: Mapping[str, Any], record: Record, finding: Finding) -> str:
    claimed = {(better, worse): level for better, worse, level in finding.claims}
    if record.edits:
        return ""
    for claim in details.get("claims") or ():
        pair = (claim["better"], claim["worse"])
        if pair not in claimed:
            return f"{pair[0]} over {pair[1]} may not be claimed"
        attempts = (a for a in finding.details["attempts"] if a["attempt"] == claim["attempt"])
        if not any(math.isclose(claim["level"], attempt["level"], rel_tol=ROUNDING) for attempt in attempts):
            return f"{pair[0]} over {pair[1]} is claimed at the wrong level"
    for better, worse, *_ in details.get("settled_pairs") or ():
        if (better, worse) not in claimed:
            return f"{better!r} over {worse!r} is claimed, but the answers do not settle it"
    lines = [len(top) for top in finding.details.get("lines", ())]
    if not set(details.get("lines") or ()) <= set(lines):
        return f"the lines claimed are {details['lines']}; the answers settle {lines}"
    if "assume" in details and details["assume"] != finding.details.get("assume"):
        return f"the result assumes {details['assume']!r}; the study was made otherwise"
    return _attempts_fault(details, record, finding)


def _attempts_fault(details: Mapping[str, Any], record: Record, finding: Finding) -> str:
    known = {attempt["attempt"]: attempt for attempt in finding.details.get("attempts", ())}
    for told in details.get("attempts") or ():
        attempt = known.get(told["attempt"])
        if attempt is None:
            if told["questions"]:
                return f"there was no attempt {told['attempt']!r}"
            continue
        if not math.isclose(told["level"], attempt["level"], rel_tol=ROUNDING):
            return f"attempt {told['attempt']} is said to have level {told['level']!r}"
        if told["questions"] != attempt["questions"] and not record.undone:
            return f"attempt {told['attempt']} is said to have {told['questions']} questions"
    most = max((attempt["proven_links"] for attempt in known.values()), default=0)
    if details.get("proven_links", 0) > most:
        return f"{details['proven_links']} links are said to be proven, not {most}"
    return ""
