"""Does a certificate stand without the repeats of judges who may merely repeat themselves?

Suspect is who was asked pairs again and never gave another answer, unless a record on new pairs clears: enough
pairs first asked in cross-examination and answered in line with the list (or all pairs there are), none against
it. Without the repeats of suspects every link of the list must still have the evidence that its level needs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.core.monitor.repeats import never_changing, probes_needed
from juryrank.core.monitor.tallies import AnswerTallies
from juryrank.verify.certified.attempts import Attempt, terms_fault
from juryrank.verify.certified.claims import ROUNDING
from juryrank.verify.certified.recount import counted_votes, evidence_of
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check

NAME = "cross-examination"
PHASE = "cross-examine"


@dataclass(frozen=True)
class Examined:
    """What the cross-examination of an attempt left."""

    questions: Sequence[Asked] = ()
    repeats: Container[int] = frozenset()  # questions about a pair that their judge had been asked before
    suspects: frozenset[str] = frozenset()  # judges whose repeats do not count


def examine(record: Record, last: Attempt | None, seen: AnswerTallies, *, trust: bool) -> Examined:
    """Who is suspect still, from the raw events; nobody where repeats are `trust`ed."""
    if last is None or trust:
        return Examined()
    questions = [q for q in record.questions.values() if _belongs(q, last)]
    repeats = _repeats(record)
    new = Counter(
        q.judge for q in questions if "link" not in q.terms and q.winner is not None and q.id not in repeats
    )
    never = map(str, never_changing(seen))
    suspects = (judge for judge in never if not _cleared(judge, new[judge], last, record, seen))
    return Examined(questions, repeats, frozenset(suspects))


def check_cross_examination(examined: Examined, last: Attempt | None, result: Mapping[str, Any]) -> Check:
    """Only a certificate needs it: what is claimed short of one promises nothing about judges who remember."""
    if not result["certified"] or last is None:
        return Check(NAME, True, "not needed: not called certified" if last else "not needed: nothing was proven")
    if not examined.suspects:
        return Check(NAME, True, "no judge is suspected of repeating itself, or repeats are trusted by name")
    votes = sum(link["answers_for"] + link["answers_against"] for link in result["links"])
    others = [q for q in examined.questions if "link" in q.terms and q.winner is not None]
    kept = [
        q for q in [*counted_votes(last)[:votes], *others]
        if q.judge not in examined.suspects or q.id not in examined.repeats
    ]  # fmt: skip
    for k, value in enumerate(evidence_of(last, kept)):
        if value < last.needed - ROUNDING:
            return Check(
                NAME, False, f"{last.order[k]} over {last.order[k + 1]} rests on repeats of "
                f"{_names(examined.suspects)}, who never changed an answer",
            )  # fmt: skip
    return Check(NAME, True, f"every link stands without the repeats of {_names(examined.suspects)}")


def _belongs(question: Asked, last: Attempt) -> bool:
    """Is it a question of the cross-examination about this attempt's list, in good order?"""
    terms = question.terms
    if terms.get("phase") != PHASE or terms.get("attempt") != last.number or question.seq < last.began:
        return False
    if "link" not in terms:
        return True
    better, worse = terms["link"]
    fits = {question.left, question.right} == {better, worse}
    return fits and last.place.get(worse) == last.place.get(better, -2) + 1 and not terms_fault(last, question)


def _cleared(judge: str, new: int, last: Attempt, record: Record, seen: AnswerTallies) -> bool:
    """Is the judge's record good enough: nothing against the list, and `new` pairs (or all) in line with it?"""
    items = len(last.order)
    pairs = [pair for name, pair in seen.pairs if str(name) == judge]
    if any(last.place[str(x)] > last.place[str(y)] for x, y in pairs):
        return False
    return new >= probes_needed(items - 1, record.settings["error"]) or len(pairs) == items * (items - 1) // 2


def _repeats(record: Record) -> frozenset[int]:
    asked: set[tuple[str, frozenset[str]]] = set()
    found = set()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        if key in asked:
            found.add(question.id)
        asked.add(key)
    return frozenset(found)


def _names(judges: Collection[Any]) -> str:
    some = sorted(map(str, judges))
    return ", ".join(some[:3]) + (f" and {len(some) - 3} more" if len(some) > 3 else "")
