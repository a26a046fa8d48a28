"""The best item by elimination, recomputed: every item but one must have reached the evidence that is needed.

The promise: if every answer is, given all before it, right at least half of the time, then the best item is ruled
out with probability at most δ. A question that counts says in its terms, fixed when it was asked, which of its two
items is tested for being the best, and the bet λ:

    {"phase": "best", "item": x, "bet": λ}    the first question about a set of items also has "epoch" and "level"

log E_x adds log(1 + λ) when x loses and log(1 - λ) when x wins, in the order asked. Items that join keep what was
found against those before them (whoever is the best of all was the best of fewer), at the next epoch's level.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from juryrank.statements.numbers import number_of
from juryrank.statements.promises import AWAITED, BestPromise, Withheld
from juryrank.types import Link
from juryrank.verify.arithmetic.evidence import log_of_bet
from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.arithmetic.rounding import below, needed_at
from juryrank.verify.certified.answers import answers_of
from juryrank.verify.certified.attempts import ROUNDING, CertifiedOptions
from juryrank.verify.certified.cross_examination import PHASE as CROSS_EXAMINE
from juryrank.verify.certified.cross_examination import repeats_of
from juryrank.verify.certified.monitor import check_repeats
from juryrank.verify.certified.recount import due
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check, Finding, Missing
from juryrank.verify.terms import is_number

PHASE, NAME = "best", "eliminations"
EXAMINING = (PHASE, CROSS_EXAMINE)
LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one


@dataclass(slots=True)
class Accused:
    """One item: what was found against it."""

    now: float = 0.0  # log E_x, rounded down
    most: float = 0.0
    lost: int = 0
    won: int = 0

    def add(self, vote: Asked, item: str) -> None:
        """One more answer about it; one that is missing speaks for it."""
        loses = vote.winner is not None and vote.winner != item
        self.lost += loses
        self.won += not loses
        self.now = below(self.now + log_of_bet(vote.terms["bet"], loses), 0.0)
        self.most = max(self.most, self.now)


def check_elimination(record: Record, options: CertifiedOptions, allowed: Check) -> Finding:
    """What the events prove about the best item."""
    queues, rules = _read(record, options)
    checks = (allowed, rules, check_repeats(record, options.repeats))
    if not all(found.ok for found in checks):
        return Finding(checks)
    if record.void:
        return _void(record, options, checks)
    exact = _level(record, options, math.inf)
    needed = needed_at(exact)
    votes = {item: [vote for _, vote in due(queue) if vote.winner is not None] for item, queue in queues.items()}
    tested = {item: _recount(votes.get(item, []), item) for item in record.items}
    ruled_out = [item for item, found in tested.items() if found.most >= needed]
    left = _others(record.items, ruled_out)
    suspects = frozenset(() if options.trust_repeats else answers_of(record, []).never_changing())
    weak = _weak(record, votes, ruled_out, needed, suspects)
    if len(left) > 1:  # what a complete elimination would not count is not ruled out before either
        ruled_out, weak = _others(ruled_out, weak), []
        left = _others(record.items, ruled_out)
    awaited = bool(suspects) and any(
        q.open and q.terms.get("phase") in EXAMINING for q in record.questions.values()
    )
    best = left[0] if len(left) == 1 and not weak and not awaited else None
    level = float(exact)
    claims = tuple((best, item, level) for item in ruled_out) if best is not None else ()
    return Finding(
        checks,
        proven=best is not None,
        claims=claims,
        ranges=_ranges(record, best, _others(ruled_out, weak)),
        promise=BestPromise(
            error=record.error,
            assume=options.assume,
            items=len(record.items),
            ruled_out=len(ruled_out),
            best=best,
            withheld=_withheld(weak, awaited=awaited, left=len(left)),
            trusted=options.trusted,
        ),
        details={
            "objective": "best", "assume": options.assume, "repeats": options.repeats, "eliminated": ruled_out,
        },
        missing=_missing(queues, ruled_out, needed),
        links=tuple(
            Link(best or left[0], item, best is not None, math.exp(min(found.most, LARGEST_LOG)), level,
                 found.lost, found.won, {})
            for item, found in tested.items() if left and item != left[0]
        ),
        narrowed=bool(_others(ruled_out, weak)),
    )  # fmt: skip


def _others(items: Iterable[str], gone: Collection[str]) -> list[str]:
    without = set(gone)
    return [item for item in items if item not in without]


def _missing(queues: dict[str, list[Asked]], ruled_out: Collection[str], needed: float) -> Missing | None:
    """Would these items be ruled out if every missing answer about them had spoken for them?"""
    missing, stands = 0, True
    for item in ruled_out:
        heard = [vote for _, vote in due(queues[item]) if vote.winner is not None or vote.missing]
        without = sum(vote.missing for vote in heard)
        missing += without
        stands = stands and (not without or _recount(heard, item).most >= needed)
    return Missing(missing, stands) if missing else None


def _void(record: Record, options: CertifiedOptions, checks: tuple[Check, ...]) -> Finding:
    """What was found rests on the answers of a judge whom gold pairs refute."""
    details: dict[str, Any] = {
        "objective": "best",
        "assume": options.assume,
        "repeats": options.repeats,
        "eliminated": [],
    }
    void = BestPromise(error=record.error, assume=options.assume, items=len(record.items), ruled_out=0, void=True)
    return Finding(checks, ranges=_ranges(record, None, ()), promise=void, details=details)


def _read(record: Record, options: CertifiedOptions) -> tuple[dict[str, list[Asked]], Check]:
    """The questions that count, by tested item in the order asked, and whether all keep the rules."""
    queues: defaultdict[str, list[Asked]] = defaultdict(list)
    faults = []
    if record.joins and not options.joining:
        faults.append("items joined, although all of δ was spent on those before")
    for question in record.questions.values():
        if question.terms.get("phase") != PHASE:
            continue
        fault = _fault(question, record, options)
        if record.refuted.get(question.judge, question.seq) < question.seq:
            fault = f"asked of {question.judge}, whom gold pairs had refuted"
        if fault:
            faults.append(f"question {question.id}: {fault}")
        else:
            queues[question.terms["item"]].append(question)
    if faults:
        return queues, Check(NAME, False, faults[0] + (f" (and {len(faults) - 1} more)" if faults[1:] else ""))
    questions = sum(map(len, queues.values()))
    return queues, Check(
        NAME, True, f"{number_of(questions, 'question')}, each with the tested item and the bet fixed when asked"
    )


def _fault(question: Asked, record: Record, options: CertifiedOptions) -> str:
    """What is wrong with a question that is to count; or nothing."""
    item, bet = question.terms.get("item"), question.terms.get("bet")
    if item not in (question.left, question.right):
        return f"tests {item!r}, which it does not show"
    if not is_number(bet) or not 0 <= bet < 1:
        return f"its bet is {bet!r}, not a number from 0 to below 1"
    level = question.terms.get("level")
    if level is None:
        return ""
    right = float(_level(record, options, question.seq))
    if not is_number(level) or not math.isclose(level, right, rel_tol=ROUNDING):
        return f"says level {level!r}; the promise allows {right:.3g}"
    epoch = _epoch(record, question.seq)
    said = question.terms.get("epoch")
    return "" if type(said) is int and said == epoch else f"says epoch {said!r}; it is epoch {epoch}"


def _epoch(record: Record, seq: float) -> int:
    """How many sets of two items or more there have been at this moment."""
    return max(record.sets_before(seq), 1)


def _level(record: Record, options: CertifiedOptions, seq: float) -> Fraction:
    """The level of the set of items at this moment; all of δ where none may join."""
    return attempt_level(record.error, _epoch(record, seq)) if options.joining else Fraction(record.error)


def _recount(votes: list[Asked], item: str) -> Accused:
    found = Accused()
    for vote in votes:
        found.add(vote, item)
    return found


def _weak(
    record: Record,
    votes: dict[str, list[Asked]],
    ruled_out: Collection[str],
    needed: float,
    suspects: Collection[str],
) -> list[str]:
    """Items that would not be ruled out without the repeats of suspects: judges who never changed an answer."""
    if not suspects:
        return []
    repeats = repeats_of(record)
    kept = {
        item: [v for v in votes.get(item, []) if v.judge not in suspects or v.id not in repeats]
        for item in ruled_out
    }
    return [item for item, those in kept.items() if _recount(those, item).now < needed]


def _ranges(record: Record, best: str | None, ruled_out: Collection[str]) -> dict[str, tuple[int, int]]:
    total, out = len(record.items), set(ruled_out)
    return {
        item: (2, total) if item in out else (1, 1) if item == best or total == 1 else (1, total)
        for item in record.items
    }


def _withheld(weak: list[str], *, awaited: bool, left: int) -> Withheld | None:
    """Why it is not enough that all items but one are ruled out; None: it is."""
    if weak:
        return Withheld("repeats", items=(weak[0],))
    return AWAITED if awaited and left == 1 else None
