"""The independent checker of the ranker `panel`: tallies -> table -> claims, plans before answers.

It reads sittings from the raw events, counts them in order of arrival, and recomputes what is settled. Shared
with the ranker are the evidence formulas (the lead table, the field-share factor) and the words of the promise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.core.levels import Objective, read_objective
from juryrank.rankers.panel.wording import statement
from juryrank.verify.panel.counts import Chain, Claims, Pairwise, Scores, Votes
from juryrank.verify.panel.sittings import SittingRead, read_sittings
from juryrank.verify.record import Asked, Record
from juryrank.verify.report import Check, Finding

Pair = tuple[str, str]


def check(record: Record, result: Mapping[str, Any]) -> Finding:
    """Recompute a panel's result from its events."""
    options = dict(record.settings.get("options") or {})
    objective, k = read_objective(options.get("objective", "ranges"), options.get("k"))
    about, relation = options.get("about", "population"), options.get("relation", "head-to-head")
    if about == "panel":
        checks, claims = _these_judges(record, objective, k)
    else:
        checks, claims = _population(record, objective, k, relation, options)
    order = [str(item) for item in result["order"]]
    settled, lines = claims.promised(order)
    ranges = claims.ranges(order)
    words = statement(
        error=float(result["error"]),
        objective=objective,
        k=k,
        about=about,
        relation=relation,
        judges=len(record.judges),
    )
    # an attempt that the ranker gave up may have proven more by its last sittings than the ranker claims
    checks.append(_compare(result, settled, lines, ranges, exact=not isinstance(claims, Chain)))
    return Finding(
        tuple(checks),
        certified=_whole(ranges) and bool(result["certified"]),
        statement=words,
        ranges=tuple(ranges),
        details={"lines": lines, "settled_count": len(settled)},
    )


def _compare(
    result: Mapping[str, Any], settled: set[Pair], lines: list[int], ranges: list[tuple[int, int]], *, exact: bool
) -> Check:
    """What the certificate claims against what its events prove; not `exact`: it may claim less."""
    details = result["details"]
    claimed = {(str(row[0]), str(row[1])) for row in details.get("settled_pairs") or ()}
    shown = [(int(best), int(worst)) for best, worst in result["ranges"]]
    drawn = [int(line) for line in details.get("lines") or []]
    if claimed - settled:
        better, worse = sorted(claimed - settled)[0]
        return Check("claims", False, f"{better!r} over {worse!r} is claimed, but the answers do not settle it")
    if set(drawn) - set(lines) or (exact and drawn != lines):
        return Check("claims", False, f"the lines claimed are {drawn}; the answers settle {lines}")
    for item, span, proven in zip(result["order"], shown, ranges, strict=True):
        narrower = span[0] > proven[0] or span[1] < proven[1]
        if narrower or (exact and span != proven):
            words = f"{item!r} is said to rank {_to(span)}; the answers give {_to(proven)}"
            return Check("claims", False, words)
    if result["certified"] and not _whole(ranges):
        return Check("claims", False, "called certified, but the answers do not settle the whole order")
    words = f"{len(settled)} settled pairs, {len(lines)} lines and all ranges follow from the answers"
    return Check("claims", True, words)


def _to(span: tuple[int, int]) -> str:
    return f"{span[0]} to {span[1]}"


def _whole(ranges: list[tuple[int, int]]) -> bool:
    return len(ranges) > 1 and all(span == (place, place) for place, span in enumerate(ranges, 1))


# ---------------------------------------------------------------------- a population: sittings
def _population(
    record: Record, objective: Objective, k: int | None, relation: str, options: Mapping[str, Any]
) -> tuple[list[Check], Claims]:
    sittings, faults, foreign = read_sittings(record)
    claims: Claims
    joined = sum(len(items) for _, items in record.joins)
    first = list(record.items)[: len(record.items) - joined]
    shared: dict[str, Any] = {"error": float(record.settings["error"]), "objective": objective, "k": k}
    joining = bool(options.get("joining", True))
    if relation == "field-share":
        claims = Scores(first, **shared, joining=joining, size=int(options.get("sitting", 10)))
    elif objective is Objective.ORDER:
        claims = Chain(first, **shared)
    else:
        claims = Pairwise(first, **shared, joining=joining)
    counted = _count_in_order(record, sittings, claims)
    words = f"{len(sittings)} sittings, each with its plan on record before its answers, one a person"
    more = f"; {foreign} questions outside any plan, not counted" if foreign else ""
    checks = [Check("plans", not faults, faults[0] if faults else words + more)]
    checks.append(Check("arrivals", True, f"{counted} sittings counted, in order of arrival"))
    return checks, claims


def _count_in_order(record: Record, sittings: list[SittingRead], claims: Claims) -> int:
    """A sitting counts once it and all before it are closed; items that joined in between open a new epoch."""
    joins = list(record.joins)
    last_seq = 0
    counted = 0
    for sitting in sittings:
        closed = sitting.closed_at()
        if closed is None:
            break
        last_seq = max(last_seq, closed)
        while joins and joins[0][0] < last_seq:
            claims.join(list(joins[0][1]), arrived=sum(s.begun < joins[0][0] for s in sittings))
            joins.pop(0)
        claims.count(sitting)
        counted += 1
    for seq, items in joins:
        claims.join(list(items), arrived=sum(s.begun < seq for s in sittings))
    return counted


# ---------------------------------------------------------------------- these judges: votes
def _these_judges(record: Record, objective: Objective, k: int | None) -> tuple[list[Check], Claims]:
    votes = Votes(list(record.items), objective=objective, k=k, judges=len(record.judges))
    faults: list[str] = []
    asked: set[tuple[str, frozenset[str]]] = set()
    for q in record.asked:
        if (q.judge, q.pair) in asked:
            faults.append(f"question {q.id} asks {q.judge!r} about a pair a second time")
            continue
        asked.add((q.judge, q.pair))
        if q.terms.get("vote"):
            _hear(votes, q)
    words = f"{len(asked)} questions, each judge asked about a pair at most once"
    return [Check("repeats", not faults, faults[0] if faults else words)], votes


def _hear(votes: Votes, q: Asked) -> None:
    if not q.open:
        votes.hear(q.left, q.right, q.winner)
