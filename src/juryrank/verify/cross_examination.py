"""Does a certificate stand without the repeats of judges who may merely repeat themselves?

Suspect is who was asked pairs again and never gave another answer, unless a record on new pairs clears: enough
pairs first asked in cross-examination and answered in line with the list (or all pairs there are), none against
it. Without the repeats of suspects every link of the list must still have the evidence that its level needs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from juryrank.core.evidence import GRID_SIZE
from juryrank.core.remembered import never_changing, probes_needed
from juryrank.core.witness import Witness
from juryrank.verify.attempts import Attempt
from juryrank.verify.claims import ROUNDING
from juryrank.verify.record import Asked, Record
from juryrank.verify.recount import counted_votes, evidence_of
from juryrank.verify.report import Check

NAME = "cross-examination"
PHASE = "cross-examine"


def check_cross_examination(
    record: Record, last: Attempt | None, seen: Witness, result: Mapping[str, Any], *, trust: bool
) -> Check:
    """Only a certificate needs it: what is claimed short of one promises nothing about judges who remember."""
    if not result["certified"] or last is None:
        return Check(NAME, True, "not needed: not called certified" if last else "not needed: nothing was proven")
    if trust:
        return Check(NAME, True, "left out: whoever made the study says that repeats can be trusted")
    if not never_changing(seen):
        return Check(NAME, True, "not needed: every judge who was asked again has changed an answer")
    examined = [q for q in record.questions.values() if _belongs(q, last)]
    suspects = suspected(record, last, seen)
    votes = sum(link["answers_for"] + link["answers_against"] for link in result["links"])
    kept = [*counted_votes(last)[:votes], *(q for q in examined if "link" in q.terms and q.winner is not None)]
    repeats = _repeats(record)
    evidence = evidence_of(last, [q for q in kept if q.judge not in suspects or q.id not in repeats])
    for k, value in enumerate(evidence):
        if value < last.needed - ROUNDING:
            return Check(
                NAME, False, f"{last.order[k]} over {last.order[k + 1]} rests on repeats of {_names(suspects)}, "
                "who never changed an answer",
            )  # fmt: skip
    words = f"every link stands without the repeats of {_names(suspects)}" if suspects else "no suspect is left"
    return Check(NAME, True, f"{words}, {len(examined)} questions")


def suspected(record: Record, last: Attempt | None, seen: Witness) -> set[Any]:
    """Judges whose repeats do not count."""
    if last is None:
        return set()
    examined = [q for q in record.questions.values() if _belongs(q, last)]
    return {judge for judge in never_changing(seen) if not _cleared(str(judge), record, last, examined, seen)}


def _belongs(question: Asked, last: Attempt) -> bool:
    """Is it a question of the cross-examination about this attempt's list, in good order?"""
    terms = question.terms
    if terms.get("phase") != PHASE or terms.get("attempt") != last.number or question.seq < last.began:
        return False
    if "link" not in terms:
        return True
    prior = terms.get("prior")
    if prior is not None and len(prior) == GRID_SIZE:
        last.priors.setdefault(question.judge, list(prior))
    fits = {question.left, question.right} == set(terms["link"])
    return fits and last.place[terms["link"][1]] == last.place[terms["link"][0]] + 1


def _cleared(judge: str, record: Record, last: Attempt, examined: Collection[Asked], seen: Witness) -> bool:
    """Is the judge's record on new pairs good enough?"""
    items = len(last.order)
    pairs = [pair for name, pair in seen.pairs if str(name) == judge]
    if any(last.place[str(x)] > last.place[str(y)] for x, y in pairs):
        return False
    repeats = _repeats(record)
    probes = sum(
        q.judge == judge and "link" not in q.terms and q.winner is not None and q.id not in repeats
        for q in examined
    )
    return probes >= probes_needed(items - 1, record.settings["error"]) or len(pairs) == items * (items - 1) // 2


def _repeats(record: Record) -> set[int]:
    """Questions about a pair that their judge had been asked before."""
    asked: set[tuple[str, frozenset[str]]] = set()
    found = set()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        if key in asked:
            found.add(question.id)
        asked.add(key)
    return found


def _names(judges: Collection[Any]) -> str:
    some = sorted(map(str, judges))
    return ", ".join(some[:3]) + (f" and {len(some) - 3} more" if len(some) > 3 else "")
