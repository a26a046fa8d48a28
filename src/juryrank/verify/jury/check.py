"""What the events of a jury prove: every draw drawn again, every count counted again."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from juryrank.statements import resolution_of
from juryrank.types import Link
from juryrank.verify.arithmetic.levels import attempt_level
from juryrank.verify.jury.circles import against, ranks
from juryrank.verify.jury.failing import failing_claims, none_exists
from juryrank.verify.jury.lists import Listed, needed, prove
from juryrank.verify.jury.robust import strength
from juryrank.verify.jury.setup import JuryOptions, read_setup
from juryrank.verify.jury.statement import changes, failing, statement
from juryrank.verify.jury.walk import LogWalk
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Claim, Finding
from juryrank.verify.words import several

ASSUMED = (
    "That an answer does not depend on what else is asked is taken as given; so is that nobody knew the seed."
)

LARGEST_LOG = 700.0  # evidence is shown as a number; more than e^700 does not fit one
PAUSES = (
    "Before or while it was asked, judges were set aside or came back {:,} times. Who knows the seed, and may "
    "choose when, chooses what is drawn: ask why it was done, if it was often."
)
UNCHECKED = "Ties recorded without asking, as both outputs were the same: {:,}. The outputs are not on record."


def check(record: Record, shown: Sequence[str]) -> Finding:
    """The jury's own checks, and what they prove."""
    try:
        setup = read_setup(record)
    except (ValueError, TypeError, KeyError) as problem:
        return Finding((Check("options", False, f"these are not options of this ranker: {problem}"),))
    if sorted(shown) != sorted(record.items):
        return Finding((Check("options", False, "the order shown does not hold each item once"),))
    options = Check(
        "options",
        True,
        f"{_objective(setup)}, {several(len(setup.cases), 'case')}, resolution {_resolution(setup)}",
    )
    walk = LogWalk(setup, record)
    try:
        walk.run()
    except ValueError as problem:
        return Finding((options, Check("draws", False, str(problem))))
    setup = walk.setup  # as it is at the end
    drawn = sum(len(book.draws) for book in walk.books.values())
    more = f"; {several(walk.foreign, 'question')} outside any draw, not counted" if walk.foreign else ""
    draws = Check(
        "draws", True, f"{several(drawn, 'cell')}, each drawn again from the seed and shown as drawn{more}"
    )
    best = _best(setup, walk, shown)
    evidence = Check(
        "evidence", True, f"{several(len(walk.lists), 'list')} fixed before the evidence, recounted in order"
    )
    unchecked = (UNCHECKED.format(walk.outputs.unchecked),) if walk.outputs.unchecked else ()
    pauses = (PAUSES.format(walk.pauses),) if walk.pauses else ()
    return _finding(walk, (options, draws, evidence), best, extra=(*unchecked, *pauses))


def _best(setup: JuryOptions, walk: LogWalk, shown: Sequence[str]) -> Listed:
    """The list that proves most: one on record, or the order shown where counting alone decides it.

    Of lists that prove as much, the one that is shown.
    """
    current = walk.lists[walk.since :]
    for listed in current:
        prove(setup, listed, walk.found, walk.record.room)
    claims = needed(setup, shown, walk.record.room) if len(setup.items) > 1 else []
    blank = [[False] * len(setup.resolutions) for _ in claims]
    counted = Listed(0, list(shown), claims, [(0.0, 0.0)] * len(claims), 1.0, blank)
    prove(setup, counted, walk.found, walk.record.room)
    wanted = set(claims)

    def proves(one: Listed) -> tuple[int, int, bool, int]:
        return one.steps, sum(one.stated().values()), set(one.claims) == wanted, one.number

    return max([counted, *current], key=proves)


def _finding(
    walk: LogWalk,
    checks: tuple[Check, ...],
    best: Listed,
    *,
    extra: tuple[str, ...] = (),
) -> Finding:
    setup, steps, stated = walk.setup, best.steps, best.stated()
    strong = strength(walk, best) if steps and len(setup.items) > 1 else None
    resolution = setup.resolutions[steps - 1] if steps else None
    chain = setup.objective == "order" and resolution == 0 and len(setup.items) > 1
    turned = against(best.order, walk.books.values()) if chain else []
    walk.record.room.take(3 * len(turned) * len(best.order), "so many circles")
    whole = chain and not turned
    level = None if best.number == 0 else float(attempt_level(setup.error, best.number))
    claims: list[Claim] = [(better, worse, level) for better, worse in sorted(stated)]
    rows = [[a, b, setup.resolutions[stated[a, b] - 1] if (a, b) in stated else None] for a, b in best.claims]
    return Finding(
        checks,
        proven=steps > 0,
        order=tuple(best.order) if whole else None,
        claims=tuple(claims),
        ranges=ranks(best.order, turned) if chain else _ranges(setup, best.order, resolution),
        statement=" ".join([_words(walk, best, circle=bool(turned)), *(strong.words() if strong else ())]),
        details={
            "objective": _objective(setup),
            "resolution": resolution,
            "cases": 0 if setup.cases == (None,) else len(setup.cases),
            "judges": [judge for u, judge in enumerate(setup.judges) if u not in setup.left],
            "dropped": [setup.judges[u] for u in sorted(walk.dropped)],
            "joined": walk.joined,
            "mode": "fresh" if setup.fresh else "table",
            "attempt": best.number or None,
            "claims": rows,
            **(strong.details() if strong else {}),
        },
        links=tuple(_links(walk, best, level)),
        notes=(ASSUMED, *extra),
    )


def _words(walk: LogWalk, best: Listed, *, circle: bool) -> str:
    setup, steps = walk.setup, best.steps
    against_it = failing(
        setup,
        steps,
        required=failing_claims(setup, steps, walk.found),
        none=none_exists(setup, steps, walk.books.values(), walk.record.room),
    )
    counted = steps > 0 and all(reached[steps - 1] is None for reached in best.most)
    return statement(
        setup, best.order, steps, counted=counted, changes=_changes(walk), circle=circle, failing=against_it
    )


def _links(walk: LogWalk, best: Listed, level: float | None) -> Iterator[Link]:
    """Each claim with the most evidence that it had, at the finest resolution at which it is stated."""
    stated = best.stated()
    for pair, reached in zip(best.claims, best.most, strict=True):
        log = reached[max(stated.get(pair, 1) - 1, 0)]
        evidence = None if log is None or level is None else math.exp(min(log, LARGEST_LOG))
        book = walk.found(*pair)
        yield Link(*pair, pair in stated, evidence, level, *(book.votes(pair[0]) if book else ()))


def _changes(walk: LogWalk) -> str:
    """Who is not in the table any more, or was not from the start."""
    record, setup = walk.record, walk.setup
    dropped = [setup.judges[u] for u in sorted(walk.dropped)]
    return changes(dropped, setup.judges[record.founders :], setup.items[record.first_items :])


def _ranges(setup: JuryOptions, order: Sequence[str], resolution: float | None) -> dict[str, tuple[int, int]]:
    n, k = len(order), setup.k
    if resolution != 0 or setup.objective in (
        "order",
        "require",
    ):  # at ε > 0 whoever is stated over another may be behind it
        return dict.fromkeys(setup.items, (1, n))
    return {item: (1, k) if rank <= k else (k + 1, n) for rank, item in enumerate(order, 1)}


def _objective(setup: JuryOptions) -> str:
    if setup.objective == "top":
        return "best" if setup.k == 1 else f"top-{setup.k}"
    return setup.objective


def _resolution(setup: JuryOptions) -> str:
    return ", ".join(map(resolution_of, setup.resolutions))
