"""What a jury is given: cases, weights, resolution, refusals, sides; checked, and put into a table."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from juryrank.core.levels import Objective, check_top, read_objective
from juryrank.errors import BadInput, UnknownName
from juryrank.options.jury import COMMITTED, ENTROPY, FALLING, OWNER, JuryChoices
from juryrank.rankers.jury.core.table import Pair, Table, shares, whole_weights
from juryrank.types import Item, Judge

STEPS: Final = (0.1, 0.05, 0.02, 0.0)  # of a falling resolution
MOST_CASES: Final = 1_000_000
OVER: Final = " over "  # between the two names of a required claim
MOST_READINGS: Final = 100  # of a required claim: no name holds that word so often


@dataclass(frozen=True, slots=True)
class JuryOptions:
    """Options in the words of the program."""

    objective: Objective
    k: int | None
    resolutions: tuple[float, ...]
    cases: tuple[str, ...]
    unnamed: bool  # no cases were given: the pair itself is the only one
    calls: int  # per cell: 2 where both sides are one cell
    single: bool  # each case is shown on one side only
    recorded: bool  # the side it was recorded on: the first item is written as left; pairs may have no cell
    refusals_against: bool


def listed_claims(require: Iterable[Any] | str) -> list[Any]:
    """Required claims as a list; one claim need not stand in a list.

    >>> listed_claims("new over old"), listed_claims([("new", "old")])
    (['new over old'], [['new', 'old']])
    """
    return [
        claim if isinstance(claim, str) else list(claim)
        for claim in ([require] if isinstance(require, str) else require)
    ]


def read_required(rows: Iterable[Any], items: Sequence[Item]) -> list[tuple[int, int]]:
    """Claims to be proven, (better, worse) or "better over worse", by number.

    >>> read_required(["new over old", ("new", "mid")], ["old", "mid", "new"])
    [(2, 0), (2, 1)]
    >>> read_required(["game over over new"], ["new", "game over"])
    [(1, 0)]
    """
    place = {item: at for at, item in enumerate(items)}
    found: dict[tuple[int, int], None] = {}  # in their order
    for row in rows:
        better, worse = _claim_names(row, place)
        claim = place[better], place[worse]
        if claim[0] == claim[1] or claim in found or claim[::-1] in found:
            raise BadInput(f"the claim {row!r} repeats or contradicts another, or compares an item with itself")
        found[claim] = None
    return list(found)


def _claim_names(row: Any, items: Mapping[Item, int]) -> tuple[Item, Item]:
    """The two items of a claim; a name may itself hold the word "over"."""
    ways = _ways_to_read(row) if isinstance(row, str) else [list(row)]
    fitting = [(way[0], way[1]) for way in ways if len(way) == 2 and all(_is_one(name, items) for name in way)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise BadInput(f"the claim {row!r} can be read in {len(fitting)} ways; rename a system")
    some = ", ".join(map(str, islice(items, 5)))
    if len(ways) != 1 or len(ways[0]) != 2:
        raise BadInput(f"{row!r} is not a claim about two items; write 'new over old'. There are: {some}")
    name = next(name for name in ways[0] if not _is_one(name, items))
    raise UnknownName(f"the claim {row!r} names {name!r}, which is not an item here; there are: {some}")


def _is_one(name: Any, items: Mapping[Item, int]) -> bool:
    return isinstance(name, Hashable) and name in items


def _ways_to_read(claim: str) -> list[list[Item]]:
    places = [match.start() for match in islice(re.finditer(f"(?={OVER})", claim), MOST_READINGS)]
    return [[claim[:at].strip(), claim[at + len(OVER) :].strip()] for at in places]


def as_kept(chosen: JuryChoices) -> dict[str, Any]:
    """Options as plain values, as snapshots and logs keep them."""
    found, claims = chosen.given(), listed_claims(chosen.require)
    cases, seldom = chosen.cases, ("same_outputs", "joining", "seed_commitment")
    if chosen.resolution is None:  # a gate: what holds at a coarse resolution alone would let worse systems pass
        found["resolution"] = 0.0 if claims else FALLING
    found["cases"] = cases if cases is None or isinstance(cases, int) else [str(case) for case in cases]
    for name in ("weights", "case_weights", "groups"):
        found[name] = None if found[name] is None else dict(found[name])
    found |= {"absent": [[a, b, list(without)] for a, b, without in chosen.absent], "require": claims}
    found["seed_from"] = chosen.seed_from or OWNER
    return {name: value for name, value in found.items() if value or name not in seldom}


def read_options(options: Mapping[str, Any], *, items: int) -> JuryOptions:
    """What was asked for, in the words of the program; refuses what cannot be."""
    goal, k = read_objective(options["objective"], options["k"])
    if goal not in (Objective.TOP, Objective.ORDER):
        raise BadInput(f"a jury settles best, top-k or order, not {options['objective']!r}")
    check_top(k, items)
    seed_from, sides = options["seed_from"], options["sides"]
    if seed_from not in (ENTROPY, OWNER, COMMITTED):
        raise BadInput(f"seed_from is {seed_from!r}; say {ENTROPY}, {OWNER} or {COMMITTED}")
    names, unnamed = read_cases(options["cases"])
    return JuryOptions(
        objective=goal,
        k=k,
        resolutions=read_resolution(options["resolution"]),
        cases=names,
        unnamed=unnamed,
        calls=2 if sides == "both" else 1,
        single=sides in ("single", "recorded"),
        recorded=sides == "recorded",
        refusals_against=options["refusals"] == "against",
    )


def read_resolution(given: Any) -> tuple[float, ...]:
    """A number, or "falling".

    >>> read_resolution(0.05), read_resolution("falling")
    ((0.05,), (0.1, 0.05, 0.02, 0.0))
    """
    return STEPS if given == FALLING else (float(given),)


def read_cases(cases: Any) -> tuple[tuple[str, ...], bool]:
    """Names of the cases, and whether there are none: then the pair itself is the only case.

    >>> read_cases(["q1", "q2"]), read_cases(3)[0], read_cases(None)
    ((('q1', 'q2'), False), ('1', '2', '3'), (('',), True))
    """
    if cases is None:
        return ("",), True
    if isinstance(cases, int) and not isinstance(cases, bool):
        if cases > MOST_CASES:
            raise BadInput(f"{cases:,} cases are more than can be kept; give at most {MOST_CASES:,}")
        cases = range(1, cases + 1)
    if isinstance(cases, str):
        raise BadInput(f"cases is one text, {cases[:20]!r}; give a list of names, or a number of cases")
    names = tuple(str(case) for case in cases)
    if not names:
        raise BadInput("there is no case; give at least one, or leave cases out to compare the items themselves")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadInput(f"case {name!r} is listed twice; each case must be given once")
        seen.add(name)
    return names, False


def read_weights(given: Mapping[Any, float] | None, names: Sequence[Hashable], *, what: str) -> list[float]:
    """A positive weight for each name; 1 where none is given."""
    if given is None:
        return [1.0] * len(names)
    known = set(names)
    for name, weight in given.items():
        if name not in known:
            raise UnknownName(f"there is a weight for {name!r}, which is not a {what} here")
        if not (isinstance(weight, int | float) and 0 < weight < math.inf):
            raise BadInput(
                f"the weight of {what} {name!r} is {weight!r}; it must be more than 0: to give a {what} "
                f"no weight, leave that {what} out"
            )
    missing = [name for name in names if name not in given]
    if missing:
        raise BadInput(f"{what} {missing[0]!r} has no weight; give every {what} one, or none at all")
    return [float(given[name]) for name in names]


def make_table(
    options: JuryOptions,
    items: Sequence[Item],
    judges: Sequence[Judge],
    *,
    weights: Mapping[Judge, float] | None,
    case_weights: Mapping[str, float] | None,
    absent: Iterable[Sequence[Any]],
    fresh: bool,
    left: Collection[int] = (),
) -> Table:
    """The whole evaluation that the promise is about; judges who `left` weigh nothing."""
    found = read_weights(weights, list(judges), what="judge")
    given = tuple(0.0 if u in left else weight for u, weight in enumerate(found))
    table = Table(
        weights=shares(given),
        given=given,
        case_weights=whole_weights(read_weights(case_weights, list(options.cases), what="case")),
        sides=1 if options.single or options.calls == 2 else 2,
        fresh=fresh,
        absent=_absent(options, items, absent),
    )
    for i, j in table.absent:
        if table.total((i, j)) == 0 and not options.recorded:
            raise BadInput(
                f"{items[i]!r} and {items[j]!r} have no case in common, so they cannot be compared; give both an "
                "output for some case, or leave one of them out"
            )
    return table


def _absent(
    options: JuryOptions, items: Sequence[Item], rows: Iterable[Sequence[Any]]
) -> dict[Pair, frozenset[int]]:
    """(item, item, cases that this pair does not have) by number."""
    number = {case: at for at, case in enumerate(options.cases)}
    place = {item: at for at, item in enumerate(items)}
    found: dict[Pair, frozenset[int]] = {}
    for first, second, cases in rows:
        try:
            i, j = sorted((place[first], place[second]))
            found[i, j] = frozenset(number[str(case)] for case in cases)
        except KeyError as unknown:
            raise UnknownName(f"absent names {unknown.args[0]!r}, which is not an item or a case here") from None
    return found
