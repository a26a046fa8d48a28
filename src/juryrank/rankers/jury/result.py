"""A jury's result: what is stated, at which resolution, and the evidence for each claim."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from juryrank.core.levels import Objective
from juryrank.rankers.jury import breakdown, shares, wording
from juryrank.rankers.jury.asking import current_order, needed_claims
from juryrank.rankers.jury.breakdown import Turned, open_stretches, turned_pairs
from juryrank.rankers.jury.core import robust
from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.machine import pair_of
from juryrank.rankers.jury.core.table import ALL
from juryrank.statements.details import CasesDetails, JuryDetails
from juryrank.types import JudgeReport, Link, Ranking

if TYPE_CHECKING:
    from juryrank.rankers.jury.foresight import KnownForecasts
from juryrank.rankers.jury.state import JuryState

LARGEST = 700.0  # of a logarithm whose exponential is still a number


def ranking(jury: JuryState, *, ranker: str, judges: tuple[JudgeReport, ...]) -> Ranking:
    """The whole result."""
    order = current_order(jury)
    names = [jury.items[i] for i in order]
    attempt = _shown_attempt(jury)
    resolution = proven_resolution(jury)
    whole = (
        not jury.machine.required and jury.read.objective is Objective.ORDER and resolution == 0 and len(order) > 1
    )
    turned = turned_pairs(jury, order) if whole else []
    strength = _strength(jury, jury.machine.refutation if jury.machine.refuted and resolution is None else attempt)
    found = _details(jury, attempt, order)
    if strength:
        found["survives"], found["from_first_draw"] = strength["survives"], strength["from_first_draw"]
    found["circles"], found["circles_are"] = _circles(jury, names, turned), _circles_are(jury, order, turned)
    return Ranking(
        order=tuple(names),
        certified=whole and not any(pair.counts for pair in turned),
        proven=resolution is not None,
        error=jury.error,
        questions=jury.questions,
        ranker=ranker,
        links=tuple(_link(jury, attempt, a, b) for a, b in pairwise(order)),
        judges=judges,
        ranges=_ranges(jury, resolution, turned),
        statement=wording.promise(jury, attempt, turned=turned, strength=strength).words,
        warnings=_warnings(jury, names, turned) if len(order) > 1 else (),
        details=CasesDetails(
            objective=wording.objective_name(jury),
            k=None if jury.machine.required else jury.read.k,
            jury=found,
        ),
    )


def _strength(jury: JuryState, attempt: Attempt | None) -> dict[str, bool]:
    """Would the proof survive the worst of all that was not said, and does it stand whichever list was chosen?"""
    machine = jury.machine
    if attempt is None or not attempt.proven.any() or len(jury.items) < 2:
        return {}
    if not attempt.steps and attempt is not machine.refutation:
        return {}
    now = (machine.drawn, machine.counted, len(machine.attempts), machine.since)
    state = (*now, attempt.number, attempt.steps)
    if jury.strength[0] != (state, tuple(attempt.claims)):
        dropped = jury.members.left - jury.members.unseen
        jury.strength = (
            (state, tuple(attempt.claims)),
            {
                "survives": robust.survives(machine, attempt, jury.table_of(jury.members.unseen), dropped),
                "from_first_draw": robust.from_first_draw(machine, attempt),
            },
        )
    return jury.strength[1]


def _circles(jury: JuryState, names: list[Any], turned: list[Turned]) -> list[list[Any]]:
    """Items that go in a circle: stretches of the order, or else the first three that are counted."""
    counted = [jury.items[i] for i in _circle(jury)]
    return [names[first : last + 1] for first, last in open_stretches(turned)] or ([counted] if counted else [])


def _circles_are(jury: JuryState, order: list[int], turned: list[Turned]) -> str:
    """How circles are known: links are proven, and the answers that close a circle may all be in."""
    closing = [(order[pair.above], order[pair.below]) for pair in turned if pair.counts]
    if not closing:
        return "counted"
    return "proven" if all(jury.machine.loses[-1][pair] for pair in closing) else "estimated"


def _warnings(jury: JuryState, names: list[Any], turned: list[Turned]) -> tuple[str, ...]:
    circle = [jury.items[i] for i in _circle(jury)]
    return (*wording.turned_words(names, turned), *wording.warnings(jury, circle))


def done_words(jury: JuryState) -> str:
    """Why nothing more is asked."""
    return wording.failing_words(jury) or "Everything asked for is proven: there is nothing left to ask."


def proven_resolution(jury: JuryState) -> float | None:
    """The finest resolution at which the list shown is proven: all that a simulation asks of a result."""
    attempt = _shown_attempt(jury)
    return attempt.resolution if attempt else None


def _shown_attempt(jury: JuryState) -> Attempt | None:
    attempt = jury.machine.best
    shown = set(needed_claims(jury))
    return attempt if attempt is not None and set(attempt.claims) == shown else None


def _ranges(jury: JuryState, resolution: float | None, turned: list[Turned]) -> tuple[tuple[int, int], ...]:
    """Possible ranks under the statement: at ε > 0 whoever is stated over another may still be behind it.

    Items that go in a circle can have every rank of it.
    """
    n, k = len(jury.items), jury.read.k
    if resolution != 0 or n < 2 or jury.machine.required:
        return ((1, n),) * n
    if jury.read.objective is Objective.ORDER:
        ranges = [(r, r) for r in range(1, n + 1)]
        for first, last in open_stretches(turned):
            ranges[first : last + 1] = [(first + 1, last + 1)] * (last + 1 - first)
        return tuple(ranges)
    assert k is not None
    return ((1, k),) * k + ((k + 1, n),) * (n - k)


def _link(jury: JuryState, attempt: Attempt | None, better: int, worse: int) -> Link:
    book = jury.machine.books.get(pair_of(better, worse))
    wins = _votes(jury, better, worse) if book else {}
    at = attempt.place.get(pair_of(better, worse)) if attempt else None
    evidence, settled, level = None, False, None
    if attempt is not None and at is not None and attempt.claims[at] == (better, worse):
        step = attempt.shown_step(at)
        evidence = None if attempt.counted_true[at, step] else _evidence(attempt, at)[step]
        settled, level = bool(attempt.stated[at].any()), attempt.level
    return Link(
        jury.items[better],
        jury.items[worse],
        settled=settled,
        evidence=evidence,
        level=level,
        answers_for=sum(w for w, _ in wins.values()),
        answers_against=sum(lost for _, lost in wins.values()),
        by={jury.judge_names[u]: counts for u, counts in wins.items()},
    )


def _votes(jury: JuryState, better: int, worse: int) -> dict[int, tuple[int, int]]:
    """Judge: (answers for, answers against); ties are neither."""
    book = jury.machine.books[pair_of(better, worse)]
    sign = 1 if better < worse else -1
    found: dict[int, tuple[int, int]] = {}
    for drawn in book.drawn:
        if drawn.x:
            won, lost = found.get(drawn.judge, (0, 0))
            found[drawn.judge] = (won + 1, lost) if sign * drawn.x > 0 else (won, lost + 1)
    return found


def _circle(jury: JuryState) -> list[int]:
    """Three items that the counted answers send round in a circle, if the table is known that far."""
    loses = jury.machine.loses[-1]
    beats = loses.T & ~loses  # "j over i" is counted false; refusals may speak against both: then nobody beats
    n = len(beats)
    for a in range(n):
        for b in beats[a].nonzero()[0].tolist():
            closing = (beats[b] & beats[:, a]).nonzero()[0]
            if len(closing):
                return [a, b, int(closing[0])]
    return []


def _details(jury: JuryState, attempt: Attempt | None, order: list[int]) -> JuryDetails:
    machine, table = jury.machine, jury.table
    asked = machine.drawn
    pairs = len(jury.items) * (len(jury.items) - 1) // 2
    found: JuryDetails = {
        "objective": wording.objective_name(jury),
        "resolution": attempt.resolution if attempt else None,
        "resolutions": list(jury.read.resolutions),
        "mode": "fresh" if table.fresh else "table",
        "cases": 0 if jury.read.unnamed else table.cases,
        "cells": None if table.fresh else _calls_in_all(jury) if jury.read.together else pairs * table.cells,
        "cells_asked": asked,
        "calls_in_all": None if table.fresh else _calls_in_all(jury),
        "attempts": len(machine.attempts),
        "attempt": attempt.number if attempt else None,
        "level": attempt.level if attempt else None,
        "claims": [_claim(jury, attempt, at) for at in range(len(attempt.claims))] if attempt else [],
        "identical": sum(jury.tally.identical),
        "started_from": 0 if jury.read.start is None else int(jury.read.start.known.sum()),
        "refused": sum(jury.tally.refused),
        "failed": sum(jury.tally.failed),
        "ties": sum(jury.tally.ties),
        "pairs": shares.pair_rows(jury, order, attempt),
        "by_judge": breakdown.by_judge(jury),
        "by_group": breakdown.by_group(jury, order),
        "disagreements": breakdown.disagreements(jury, needed_claims(jury)),
        "group_disagreements": breakdown.group_disagreements(jury, needed_claims(jury)),
        "telling_cases": breakdown.telling_cases(jury, order),
        "cases_apart": breakdown.cases_apart(jury, order),
        "even_cases": breakdown.even_cases(jury, order),
        "dropped_judges": [jury.judge_names[u] for u in sorted(jury.roster.paused)],
        "judges": [name for u, name in enumerate(jury.judge_names) if u not in jury.members.left],
        "changes": jury.members.changes(jury.items, jury.judge_names),
        "seed_from": jury.options["seed_from"],
        # what was refused may have been in anybody's favour
        "none_exists": machine.none_exists and not jury.read.refusals_against,
        "refuted": [_refuted(jury, claim) for claim in wording.refuted_claims(jury)],
    }
    if jury.forecasts is not None:
        found["forecast"] = _foreseen(jury.forecasts, attempt)
    return found


def _foreseen(forecasts: KnownForecasts, attempt: Attempt | None) -> dict[str, Any]:
    """By whom there are forecasts, and how much of the stake of the list shown rests on them."""
    foresight = None if attempt is None else attempt.foresight
    used = None if foresight is None else round(1 - foresight.shares[0] / sum(foresight.shares), 3)
    return {"by": forecasts.by, "used": used}


def _calls_in_all(jury: JuryState) -> int:
    """The calls of all pairs that matter here; two outputs that are the same are a tie without one."""
    if jury.read.together:
        return (jury.table.judge_cells(ALL) - jury.same_outputs * jury.table.sides) * jury.table.active
    n, absent = len(jury.items), set(jury.table.absent)
    pairs = n * (n - 1) // 2
    if required := {pair_of(*claim) for claim in jury.machine.required}:  # no other pair is ever asked about
        pairs, absent = len(required), absent & required
    whole = (pairs - len(absent)) * jury.table.cases * jury.table.sides
    some = sum(jury.table.judge_cells(pair) for pair in absent)
    same = jury.same_outputs * jury.table.sides
    return (whole + some - same) * jury.table.active * jury.read.calls


def _claim(jury: JuryState, attempt: Attempt, at: int) -> dict[str, Any]:
    better, worse = attempt.claims[at]
    pair = pair_of(better, worse)
    book = jury.machine.books.get(pair)
    stated = [e for e, ok in zip(jury.read.resolutions, attempt.stated[at], strict=True) if ok]
    apart = shares.cases_apart(jury, better, worse) if jury.machine.required else []
    return {
        "better": jury.items[better],
        "worse": jury.items[worse],
        "asked": len(book.drawn) if book else 0,  # cells
        "calls": 0 if book is None else shares.calls_of(jury, book),
        **_share(jury, better, worse),
        "evidence": _evidence(attempt, at),
        "proven": [bool(value) for value in attempt.proven[at]],
        "counted": bool(attempt.counted_true[at, attempt.shown_step(at)]),
        "resolution": stated[-1] if stated else None,
        "refuted": _is_refuted(jury, (better, worse)),
        **({"cases": apart} if apart else {}),
    }


def _is_refuted(jury: JuryState, claim: tuple[int, int]) -> bool:
    """Is this one false? Of several claims, only counting tells which: else it is proven that not all hold."""
    if claim not in wording.refuted_claims(jury):
        return False
    return len(jury.machine.required) == 1 or bool(_refuted(jury, claim)["counted"])


def _refuted(jury: JuryState, claim: tuple[int, int]) -> dict[str, Any]:
    """A required claim whose refutation is proven, or counted."""
    turned, (better, worse) = jury.machine.refutation, claim
    assert turned is not None
    at = turned.place[pair_of(better, worse)]
    counted = bool(turned.counted_true[at, 0])
    names = {"better": jury.items[better], "worse": jury.items[worse]}
    return {
        **names,
        "counted": counted,
        "evidence": None if counted else _evidence(turned, at)[0],
        "level": turned.level,
    }


def _evidence(attempt: Attempt, at: int) -> list[float]:
    """The most that a claim had at each resolution: it may fall again, and proves no less for that."""
    return [math.exp(min(float(value), LARGEST)) for value in attempt.most[at]]


def _share(jury: JuryState, better: int, worse: int) -> dict[str, float | None]:
    """The better item's share of the answers, ties half, with its interval: an estimate."""
    book = jury.machine.books.get(pair_of(better, worse))
    found = None if book is None else shares.share_of_pair(book)
    if found is None:
        return {"share": None, "low": None, "high": None}
    row = (found if better < worse else found.turned()).row()
    return {name: row[name] for name in ("share", "low", "high")}
