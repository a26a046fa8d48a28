"""The certified ranker's result, recomputed from the raw events.

The promise: if the assumption holds, then with probability at least 1 - δ every claim of every attempt is true.
What is claimed is computed here from the questions and answers alone; the ranker's own result is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.quoting import in_sentence
from juryrank.statements.promises import AWAITED, LinksPromise, Withheld
from juryrank.types import Link
from juryrank.verify.certified.answers import Answers, answers_of
from juryrank.verify.certified.attempts import STEADY, Attempt, CertifiedOptions, options_of, read_attempts
from juryrank.verify.certified.claims import claimed_links, contradictory, rank_ranges
from juryrank.verify.certified.cross_examination import CrossExamination
from juryrank.verify.certified.elimination import check_elimination
from juryrank.verify.certified.monitor import Alarm, alarms, check_repeats, withheld
from juryrank.verify.certified.recount import Recount, delivered, recount
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Claim, Finding, Missing
from juryrank.verify.room import STEPS_PER_VALUE, Room

LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one


def check(record: Record, shown: Sequence[str]) -> Finding:
    """What the events prove. `shown`, the order that an open result shows, makes no difference here."""
    options, allowed = options_of(record.settings)
    if options.eliminates:
        return check_elimination(record, options, allowed)
    if record.joins and not options.joining:
        allowed = Check("options", False, "items joined, although the study was made for the first ones alone")
    attempts, rules = read_attempts(record, options.assume)
    checks = (allowed, rules, check_repeats(record, options.repeats))
    if not all(found.ok for found in checks):
        return Finding(checks)
    _afford(record, attempts)
    counts = [recount(attempt) for attempt in attempts if attempt.began > record.void]
    answers = answers_of(record, attempts)
    cross = CrossExamination(record, answers, options.trust_repeats)
    doubts_of: dict[int, Doubts] = {}
    for count in counts:
        doubts_of[count.attempt.number], fault = _doubted(count, cross, record.room)
        if fault:
            return Finding((*checks, Check("repeats", False, fault)))
    weak = {number: doubt.weak for number, doubt in doubts_of.items()}
    last = _whole(record, counts)
    suspects = doubts_of[last.attempt.number].suspects if last is not None else frozenset()
    awaited = last is not None and bool(suspects) and cross.is_awaited(last.attempt)
    resting = sorted({judge for doubt in doubts_of.values() for judge in doubt.resting_on})
    doubts = alarms(answers, last.attempt.order, steady=options.assume == STEADY) if last is not None else []
    why_not = _withheld(last, weak, doubts, suspects, trust=options.trust_repeats)
    why_not = why_not or (AWAITED if awaited else None)
    order = None if why_not else _proven_order(record, last)
    claims = _claims(counts, weak)
    return Finding(
        checks,
        proven=order is not None,
        order=order if options.k is None else None,
        claims=tuple(claims),
        ranges=_ranges(record, order if options.k is None else None, claims),
        promise=_promise(record, options, order, claims, why_not, resting),
        details=_details(options, counts),
        links=_links(counts[-1], claims) if counts else (),
        notes=(*_unchanging(answers, counts, suspects), *(alarm.words for alarm in doubts)),
        levels=tuple(float(count.attempt.level) for count in counts),
        partial=not contradictory((a, b) for a, b, _ in claims),
        missing=_missing(counts, weak, record.room),
    )


def _afford(record: Record, attempts: Sequence[Attempt]) -> None:
    """Each answer is one row of an attempt's links, and under steady each judge has such a row."""
    for attempt in attempts:
        record.room.take(_rows(attempt), "so many answers about so long a list")


def _rows(attempt: Attempt) -> float:
    rows = 6 * len(attempt.questions) + 10 * len(attempt.priors)
    return rows * len(attempt.pairs) / STEPS_PER_VALUE


def _missing(counts: Sequence[Recount], weak: dict[int, frozenset[int]], room: Room) -> Missing | None:
    """Would all claims stand if every missing answer about them had gone against them?"""
    missing, stands = 0, True
    for count in counts:
        claimed = set(claimed_links(count, weak=weak.get(count.attempt.number, frozenset())))
        without = _without(count.attempt, claimed) if claimed else 0
        if without:
            room.take(_rows(count.attempt), "so many answers about so long a list")
            missing += without
            stands = stands and claimed <= set(claimed_links(recount(count.attempt, against=True)))
    return Missing(missing, stands) if missing else None


def _without(attempt: Attempt, claimed: Collection[tuple[str, str]]) -> int:
    """How many answers are missing at these links; under steady, where each counts for all links, at any."""
    silent = [question for _, question in delivered(attempt) if question.missing]
    if attempt.assume == STEADY:
        return len(silent)
    return sum(attempt.pairs[attempt.link_of(question)] in claimed for question in silent)


@dataclass(frozen=True, slots=True)
class Doubts:
    """What of an attempt may rest on memory: links that are not claimed, and judges on whom claims rest."""

    weak: frozenset[int] = frozenset()
    suspects: frozenset[str] = frozenset()
    resting_on: frozenset[str] = frozenset()


def _doubted(count: Recount, cross: CrossExamination, room: Room) -> tuple[Doubts, str]:
    """What may rest on memory, and what is wrong with the questions of a cross-examination (or nothing)."""
    crossed, fault = cross.cross_votes(count) if count.complete else ([], "")
    if fault or not cross.never or not claimed_links(count):
        return Doubts(), fault
    answers = 4 * sum(len(cross.answers.pairs_of(judge)) for judge in cross.never)
    room.take(answers + 2 * _rows(count.attempt), "every answer again for each attempt")
    never = cross.examined(count)
    weak = cross.weak_links(count, never.suspects, crossed)
    more = cross.weak_links(count, never.suspects | never.consistent, crossed) if never.consistent else weak
    rests = set(claimed_links(count, weak=more)) < set(claimed_links(count, weak=weak))
    return Doubts(weak, never.suspects, never.consistent if rests else frozenset()), ""


def _unchanging(answers: Answers, counts: Sequence[Recount], suspects: frozenset[str]) -> list[str]:
    """Judges whose repeats count although they never changed an answer: a reader should know."""
    if not any(count.complete for count in counts):
        return []
    return [
        f"Judge {in_sentence(judge)} was asked pairs again {times} times and never changed an answer; these "
        "repeats count, as nothing that the judge said contradicts the list, or as the study trusts them."
        for judge, times in answers.never_changing().items()
        if judge not in suspects
    ]


def _whole(record: Record, counts: Sequence[Recount]) -> Recount | None:
    """The last attempt, if all its links are proven and its list holds all items."""
    last = counts[-1] if counts else None
    if last is None or not last.complete or set(last.attempt.order) != record.items.keys():
        return None
    return last


def _proven_order(record: Record, last: Recount | None) -> tuple[str, ...] | None:
    if len(record.items) < 2:
        return tuple(record.items)
    return tuple(last.attempt.order) if last is not None else None


def _withheld(
    last: Recount | None,
    weak: dict[int, frozenset[int]],
    doubts: list[Alarm],
    suspects: frozenset[str],
    *,
    trust: bool,
) -> Withheld | None:
    """Why a proof of every link is not enough; None: it is, or there is none."""
    if last is None:
        return None
    resting = weak.get(last.attempt.number)
    if resting:
        link = last.attempt.pairs[min(resting)]
        return Withheld("repeats", items=tuple(link), judges=tuple(sorted(suspects)))
    speaking = withheld(doubts, frozenset() if trust else suspects)
    return speaking[0].withheld if speaking else None


def _claims(counts: Sequence[Recount], weak: dict[int, frozenset[int]]) -> list[Claim]:
    """Every claim of every attempt, each pair once, at the first level at which it was proven."""
    found: dict[tuple[str, str], float] = {}
    for count in counts:
        for pair in claimed_links(count, weak=weak.get(count.attempt.number, frozenset())):
            found.setdefault(pair, float(count.attempt.level))
    return [(better, worse, level) for (better, worse), level in found.items()]


def _ranges(record: Record, order: tuple[str, ...] | None, claims: list[Claim]) -> dict[str, tuple[int, int]]:
    if order is not None:
        place = {item: k for k, item in enumerate(order, start=1)}
        return {item: (place[item], place[item]) for item in record.items}
    pairs = [] if contradictory((a, b) for a, b, _ in claims) else [(a, b) for a, b, _ in claims]
    return rank_ranges(list(record.items), pairs, record.room)


def _promise(
    record: Record,
    options: CertifiedOptions,
    order: tuple[str, ...] | None,
    claims: list[Claim],
    why_not: Withheld | None,
    resting: Sequence[str],
) -> LinksPromise:
    return LinksPromise(
        error=record.error,
        assume=options.assume,
        k=options.k,
        proven=None if order is None else order[: options.k],
        claims=len(claims),
        contradictory=contradictory((a, b) for a, b, _ in claims),
        withheld=why_not,
        trusted=options.trusted,
        resting=tuple(resting),
    )


def _details(options: CertifiedOptions, counts: Sequence[Recount]) -> dict[str, Any]:
    return {
        **({} if options.k is None else {"objective": options.objective}),
        "assume": options.assume,
        "repeats": options.repeats,
        "trust_repeats": options.trust_repeats,
        "attempts": [
            {
                "attempt": count.attempt.number,
                "level": float(count.attempt.level),
                "questions": len(count.attempt.questions),
                "proven_links": sum(map(count.proven, range(len(count.links)))),
            }
            for count in counts
        ],
    }


def _links(last: Recount, claims: list[Claim]) -> tuple[Link, ...]:
    """The recomputed links of the last attempt: settled is what may be claimed."""
    pairs, claimed = last.attempt.pairs, {(a, b) for a, b, _ in claims}
    return tuple(
        Link(
            *pairs[k],
            pairs[k] in claimed,
            math.exp(min(link.most, LARGEST_LOG)),
            float(last.attempt.level),
            *link.tally,
            {judge: (both[0], both[1]) for judge, both in link.by.items()},
        )
        for k, link in enumerate(last.links)
    )
