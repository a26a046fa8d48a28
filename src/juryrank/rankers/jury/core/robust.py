"""What a proof would survive: the same draws counted again under harder rules.

`survives`: every cell without an answer, and every cell of a judge who was dropped, counts against the claims.
`from_first_draw`: evidence from each pair's first draw on, with a prior that nobody chose, at δ/(N(N-1)), as there
are N(N-1) claims: it holds whichever list was fixed, and whenever.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from juryrank.rankers.jury.core.attempt import Attempt
from juryrank.rankers.jury.core.counting import by_count
from juryrank.rankers.jury.core.evidence import UNKNOWN, Prior
from juryrank.rankers.jury.core.forecasts import Foresight
from juryrank.rankers.jury.core.machine import Machine
from juryrank.rankers.jury.core.pair import PairBook
from juryrank.rankers.jury.core.table import Pair, Table

COUNTED_ONLY = 1e-300  # the level of a list that was never fixed: counting alone proves it


def survives(machine: Machine, attempt: Attempt, table: Table, dropped: Collection[int]) -> bool:
    """Would the list prove as much? `table`: with those who were dropped in it again."""
    fixed = attempt in machine.attempts or attempt is machine.refutation
    level = attempt.level if fixed else COUNTED_ONLY
    again = recounted(machine, attempt, table, attempt.priors, level=level, starts=attempt.starts, against=dropped)
    return _as_much(again, attempt)


def from_first_draw(machine: Machine, attempt: Attempt) -> bool:
    """Does what is proven stand whichever list was chosen, and whenever?"""
    books = (machine.books.get((min(claim), max(claim))) for claim in attempt.claims)
    if machine.changed or any(book is not None and book.without_somebody for book in books):
        return False  # the table was chosen after answers had been seen, or who could be drawn was
    level = machine.error / (machine.items * (machine.items - 1))
    again = recounted(machine, attempt, machine.table, [UNKNOWN] * len(attempt.claims), level=level, unchosen=True)
    return _as_much(again, attempt)


def _as_much(again: Attempt, attempt: Attempt) -> bool:
    """Of a list all claims count, of a refutation one is enough."""
    if attempt.resolutions.strict:
        return bool(again.proven.any())
    return again.steps >= attempt.steps > 0


def recounted(
    machine: Machine,
    attempt: Attempt,
    table: Table,
    priors: list[Prior],
    *,
    level: float | None = None,
    starts: dict[Pair, int] | None = None,
    against: Collection[int] | None = None,
    unchosen: bool = False,
) -> Attempt:
    """A list with its evidence counted again; `against`: judges of whom, as of silence, the worst is assumed.

    `unchosen`: forecasts have the shares that nobody chose.
    """
    foresight = Foresight() if unchosen and attempt.foresight is not None else attempt.foresight
    again = Attempt(
        attempt.number, error=machine.error, resolutions=attempt.resolutions, order=attempt.order,
        claims=attempt.claims, priors=priors, level=level, foresight=foresight,
    )  # fmt: skip
    again.starts = dict(starts or {})
    worst = machine.refusals_against or against is not None
    for better, worse in attempt.claims:
        pair = (min(better, worse), max(better, worse))
        book = PairBook(table, pair)
        known = machine.books.get(pair)
        if foresight is not None and known is not None and known.forecast is not None:
            book.foresee(known.forecast.rows)
        for drawn in known.drawn[: known.counted] if known else ():
            cell = replace(drawn, aside=True) if drawn.judge in (against or ()) else drawn
            book.enter(cell)
            again.count(book, cell, refusals_against=worst)
            book.count()
        sign = 1 if better < worse else -1
        if not table.fresh:
            counted = by_count(attempt.resolutions, book, sign, refusals_against=worst)
            again.recount(pair, {(better, worse): counted})
    return again
