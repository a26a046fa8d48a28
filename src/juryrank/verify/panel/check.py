"""The independent checker of the ranker `panel`: plans before answers, tallies, levels, claims.

It reads sittings from the raw events, counts them in order of arrival, and recomputes what is settled by its own
formulas.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from itertools import combinations

from juryrank.statements.numbers import number_of
from juryrank.statements.promises import CountedPromise, PeoplePromise, Promise
from juryrank.verify.panel.counts import Claims, Pairwise, Scores, Votes
from juryrank.verify.panel.options import RANGES, TIERS, TOP, PanelOptions, name_of, options_of
from juryrank.verify.panel.sittings import SittingRead, read_sittings
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Finding, Missing

# ----------------------------------------------------------------------------
# The independent checker of the ranker `panel`: plans before answers, tallies, levels, claims
BY_LOT = (
    "The promise about scores needs pairs drawn by lot: the study's seed drew them; that nobody chose the "
    "seed with the answers in mind is taken as given."
)


def check(record: Record, shown: Sequence[str]) -> Finding:
    """What a panel's events prove; `shown` is the order along which lines are drawn."""
    options, allowed = options_of(record.settings, items=len(record.items), judges=len(record.judges))
    whole = sorted(shown) == sorted(record.items)
    drawn = Check("shown", whole, f"the order shown {'holds' if whole else 'does not hold'} each item once")
    if not allowed.ok or not whole:
        return Finding((allowed, drawn))
    if record.withdrawn and (options.about == "panel" or options.scores):
        return Finding((allowed, drawn, Check("plans", False, "items were withdrawn that such a panel must keep")))
    count = _these_judges if options.about == "panel" else _population
    checks, claims, missing = count(record, options)
    settled, lines = claims.promised(shown)
    spans = claims.spans(list(record.items), settled)
    by_rank = sorted(record.items, key=spans.__getitem__)
    complete = len(by_rank) > 1 and list(shown) == by_rank
    complete = complete and all(spans[item] == (rank, rank) for rank, item in enumerate(by_rank, start=1))
    proven = complete or _met(options, claims, lines, len(shown))
    return Finding(
        (allowed, drawn, *checks),
        proven=proven,
        order=tuple(by_rank) if complete else None,
        claims=tuple((a, b, claims.level) for a, b in sorted(claims.compared(settled))),
        ranges=spans,
        promise=_promise(record, options, claims, promised=proven or bool(settled)),
        details={
            "objective": name_of(options.objective, options.k),
            "about": options.about,
            "relation": options.relation,
            "lines": [sorted(shown[:line]) for line in lines],
        },
        links=claims.links(shown, settled),
        notes=(BY_LOT, *_own_work(record)) if options.scores else (),
        levels=claims.levels,
        missing=_would_stand(record, options, claims, shown) if missing else None,
    )


def _promise(record: Record, options: PanelOptions, claims: Claims, *, promised: bool) -> Promise:
    if options.about == "panel":
        tied, pairs = len(claims.tied()) // 2, len(claims.items) * (len(claims.items) - 1) // 2
        return CountedPromise(
            error=record.error,
            goal=name_of(options.objective, options.k),
            judges=len(record.judges),
            promised=promised or bool(tied or claims.settled),
            level=(tied, pairs) if pairs and not claims.settled else None,
        )
    return PeoplePromise(
        error=record.error,
        goal=name_of(options.objective, options.k),
        scores=options.scores,
        promised=promised or bool(claims.tied()),
        own=any(q.terms.get("own") for q in record.asked),
    )


def _own_work(record: Record) -> list[str]:
    """Own work is entered before a person's pairs are drawn, and changes the draw; the seed foretells it."""
    people = len({q.judge for q in record.asked if q.terms.get("own")})
    if not people:
        return []
    return [
        f"Own work was entered for {number_of(people, 'person', 'people')}, and changed which pairs they "
        "were given: that nobody entered it with the draw in mind is taken as given."
    ]


def _would_stand(record: Record, options: PanelOptions, claims: Claims, shown: Sequence[str]) -> Missing:
    """Would all of it stand if every missing answer had gone against it?"""
    count = _these_judges if options.about == "panel" else _population
    _, again, missing = count(record, options, against=True)
    return Missing(missing, again.holds(claims, shown))


def _met(options: PanelOptions, claims: Claims, lines: list[int], items: int) -> bool:
    """Is what was asked for settled: the line, all lines, every pair?"""
    if options.objective == TOP:
        return options.k in lines
    if options.objective == TIERS:
        return len(lines) == items - 1
    if options.objective == RANGES:
        return all(claims.decided(*pair) for pair in combinations(claims.items, 2))
    return items < 2


# ---------------------------------------------------------------------- a population: sittings
def _population(
    record: Record, options: PanelOptions, *, against: bool = False
) -> tuple[list[Check], Claims, int]:
    """What sittings prove, and how many answers are missing; `against`: had they gone against it."""
    found = read_sittings(record, options)
    if record.joins and not options.joining:
        found.faults.append("items joined, although all of δ was spent on the first ones")
    first = list(record.items)[: record.first_items]
    kind = Scores if options.scores else Pairwise
    claims: Claims = kind(first, options, record.error, record.room)
    sittings, faults = found.sittings, found.faults
    in_order = 0 if faults else _count_in_order(record, sittings, claims, against=against)
    missing = sum(len(sitting.missing()) for sitting in sittings[:in_order])
    words = (
        f"{number_of(len(sittings), 'sitting')}, each with its plan on record before its answers, one per person"
    )
    more = f"; {number_of(len(found.foreign), 'question')} outside any plan, not counted" if found.foreign else ""
    return [
        Check("plans", not faults, faults[0] if faults else words + more),
        Check("arrivals", True, f"{number_of(in_order, 'sitting')} counted, in order of arrival"),
    ], claims, missing  # fmt: skip


def _count_in_order(record: Record, sittings: list[SittingRead], claims: Claims, *, against: bool) -> int:
    """A sitting counts once it and all before it are closed; items that joined in between open a new epoch."""
    joins, begun = deque(record.joins), [sitting.begun for sitting in sittings]  # in order of arrival
    last_seq = 0
    done = 0
    for sitting in sittings:
        closed = sitting.closed_at()
        if closed is None:
            break
        last_seq = max(last_seq, closed)
        while joins and joins[0][0] < last_seq:
            seq, items = joins.popleft()
            claims.join(items, arrived=bisect_left(begun, seq))
        if against:
            claims.without(sitting)
        claims.count(sitting)
        claims.wins.update(sitting.preferences())
        done += 1
    for seq, items in joins:
        claims.join(items, arrived=bisect_left(begun, seq))
    return done


# ---------------------------------------------------------------------- these judges: votes
def _these_judges(
    record: Record, options: PanelOptions, *, against: bool = False
) -> tuple[list[Check], Claims, int]:
    """What the answers of fixed judges settle, and how many are missing; `against`: had they gone against it."""
    silent = 0
    votes = Votes(list(record.items), options, len(record.judges), record.room)
    faults: list[str] = []
    if len(record.judges) > record.founders:
        faults.append("judges joined a study about the majority of a fixed list")
    asked: set[tuple[str, frozenset[str]]] = set()
    for q in record.asked:
        if (q.judge, q.pair) in asked:
            faults.append(f"question {q.id} asks {q.judge!r} about a pair a second time")
        asked.add((q.judge, q.pair))
        if q.terms.get("vote") is True and not q.open:
            silent += q.missing
            answered = q.in_time and not q.taken_back
            lost = against and q.missing and answered  # what never came is against every claim anyway
            votes.hear(q.left, q.right, q.winner, answered=answered, even=q.answer == "tie", missing=lost)
    words = f"{number_of(len(asked), 'question')}, each judge asked about a pair at most once"
    return [Check("repeats", not faults, faults[0] if faults else words)], votes, silent
