"""Does a proof stand without the repeats of judges who may merely repeat themselves?

A judge is suspect if it was asked a pair again and never changed an answer, unless its record on new pairs clears
it: enough pairs first asked in cross-examination and answered in line with the list, none against it. Without the
repeats of suspects every link must still have the evidence that its level needs.

Where there are too few pairs for that, a judge who answered all of them in line with the list is no suspect
either, as a program that is simply right would never be cleared; but nothing tells it from one that remembers a
mistake (with two items, anything at all). The statement then says on whom it rests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from juryrank.verify.certified.answers import Answers, upper
from juryrank.verify.certified.attempts import Attempt, link_fault, terms_fault
from juryrank.verify.certified.recount import Recount, counted_votes, evidence_of
from juryrank.verify.record import Asked, Record

PHASE = "cross-examine"
Pairs = Mapping[frozenset[str], Sequence[str]]  # what one judge was asked -> winners, in order


@dataclass(frozen=True, slots=True)
class NeverChanging:
    """Judges who, asked pairs again, never changed an answer, and were not cleared by enough new pairs."""

    suspects: frozenset[str] = frozenset()  # their repeats do not count
    consistent: frozenset[str] = frozenset()  # right about all the pairs there are: they count, and are named


def examined(record: Record, count: Recount, answers: Answers) -> NeverChanging:
    """What the cross-examination shows, for a list that is proven but for it."""
    attempt = count.attempt
    seen: set[tuple[str, frozenset[str]]] = set()
    new: Counter[str] = Counter()
    for q in record.questions.values():
        if _examines(q, attempt) and "link" not in q.terms and _counts(q, count) and (q.judge, q.pair) not in seen:
            new[q.judge] += 1
        seen.add((q.judge, q.pair))
    needed = pairs_needed(len(attempt.order) - 1, record.error)
    pairs, never = answers.by_judge(), answers.never_changing()
    contrary = {judge for judge in never if _contradicts(pairs[judge], attempt)}
    few = {judge for judge in never if new[judge] < needed} - contrary
    whole = {judge for judge in few if _knows_all(pairs[judge], attempt)}
    return NeverChanging(frozenset(contrary | few - whole), frozenset(whole))


def _examines(question: Asked, attempt: Attempt) -> bool:
    terms = question.terms
    return terms.get("phase") == PHASE and terms.get("attempt") == attempt.number and question.seq > attempt.began


def _counts(question: Asked, count: Recount) -> bool:
    """Is it a vote that came when the proof was complete? Until then there is nothing to cross-examine."""
    return question.winner is not None and question.told is not None and question.told > count.done


def _contradicts(pairs: Pairs, attempt: Attempt) -> bool:
    those = pairs.items()
    return any(upper(pair, attempt.place) != winners[0] for pair, winners in those if attempt.decides(pair))


def _knows_all(pairs: Pairs, attempt: Attempt) -> bool:
    """Did the judge answer all pairs there are? (Of a set, opinions could not contradict each other.)"""
    items = len(attempt.order)
    return attempt.top is None and len(pairs) == items * (items - 1) // 2


@cache
def pairs_needed(links: int, error: float) -> int:
    """How many new pairs a judge must answer in line with a list that rests on it alone.

    A judge who always errs on the same share ε of pairs got the list right with probability (1-ε)^links and
    answers n new pairs right with (1-ε)^n: the least n for which (1-ε)^n (1 - (1-ε)^links) ≤ error, whatever ε.

    >>> pairs_needed(9, 0.25), pairs_needed(9, 0.1)
    (9, 29)
    """
    most = 1
    while _slips_through(most, links) > error:
        most *= 2
    least = 0
    while least < most:
        middle = (least + most) // 2
        if _slips_through(middle, links) <= error:
            most = middle
        else:
            least = middle + 1
    return most


def _slips_through(n: int, links: int) -> float:
    """max over x from 0 to 1 of x^n (1 - x^links); it lies where x^links = n / (n + links)."""
    if not links:
        return 0.0
    share = n / (n + links)
    return math.exp(n / links * math.log(share)) * (1 - share) if n else 1.0


def is_awaited(record: Record, attempt: Attempt) -> bool:
    """Is a question of the cross-examination still out? Whoever could leave it out would choose what counts."""
    return any(_examines(q, attempt) and q.open for q in record.questions.values())


def cross_votes(record: Record, count: Recount) -> tuple[list[Asked], str]:
    """The votes on links that a cross-examination added, and what is wrong with its questions (or nothing).

    To be called once per attempt: a question may fix the prior of its judge, answered or not.
    """
    attempt, votes = count.attempt, list[Asked]()
    for q in record.questions.values():
        if _examines(q, attempt) and "link" in q.terms:
            fault = link_fault(attempt, q) or terms_fault(attempt, q)
            if fault:
                return votes, f"question {q.id}: {fault}"
            votes += [q] if _counts(q, count) else []
    return votes, ""


def weak_links(
    record: Record, count: Recount, suspects: Collection[str], crossed: Sequence[Asked]
) -> frozenset[int]:
    """The links of a complete proof that would not be proven without the repeats of suspects."""
    if not suspects:
        return frozenset()
    attempt, repeats = count.attempt, repeats_of(record)
    evidence = [
        evidence_of(attempt, (v for v in [*votes, *crossed] if v.judge not in suspects or v.id not in repeats))
        for votes in (
            count.votes,
            counted_votes(attempt),
        )  # under steady a ranker may notice later that it is done
    ]
    return frozenset(k for k, both in enumerate(zip(*evidence, strict=True)) if max(both) < attempt.needed)


def repeats_of(record: Record) -> frozenset[int]:
    """Questions about a pair that their judge had been asked before."""
    asked: set[tuple[str, frozenset[str]]] = set()
    found = set()
    for question in record.questions.values():
        key = (question.judge, question.pair)
        if key in asked:
            found.add(question.id)
        asked.add(key)
    return frozenset(found)
