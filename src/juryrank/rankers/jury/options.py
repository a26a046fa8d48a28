"""What a jury is given: cases, weights, resolution, refusals, sides; checked, and put into a table."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Any, Final

from juryrank.core.levels import Objective, check_top, read_objective
from juryrank.defaults import MOST_CASES, SYSTEMS_AT_ONCE
from juryrank.errors import BadInput, UnknownName
from juryrank.options import FALLING, OWNER, PAIRS, JuryChoices
from juryrank.rankers.jury.core.opinion import Start
from juryrank.rankers.jury.core.table import Pair, Table, shares, whole_weights
from juryrank.types import Item, Judge

STEPS: Final = (0.1, 0.05, 0.02, 0.0)  # of a falling resolution
LEAST_KNOWN: Final = 2  # items with a strength: one alone compares nothing
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
    together: bool = False  # one call shows all systems
    start: Start | None = None  # strengths that the search starts from: a guess, and never evidence


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
    cases, seldom = chosen.cases, ("same_outputs", "start_from", "forecast", "joining", "seed_commitment")
    if chosen.resolution is None:  # a gate: what holds at a coarse resolution alone would let worse systems pass
        found["resolution"] = 0.0 if claims else FALLING
    found["cases"] = cases if cases is None or isinstance(cases, int) else [str(case) for case in cases]
    for name in ("weights", "case_weights", "groups"):
        found[name] = None if found[name] is None else dict(found[name])
    found |= {"absent": [[a, b, list(without)] for a, b, without in chosen.absent], "require": claims}
    found["seed_from"] = chosen.seed_from or OWNER
    if chosen.at_once == PAIRS:
        del found["at_once"]
    return {name: value for name, value in found.items() if value or name not in seldom}


def read_options(options: Mapping[str, Any], *, items: int, start: Start | None = None) -> JuryOptions:
    """What was asked for, in the words of the program; refuses what cannot be."""
    goal, k = read_objective(options["objective"], options["k"])
    if goal not in (Objective.TOP, Objective.ORDER):
        raise BadInput(f"a jury settles best, top-k or order, not {options['objective']!r}")
    check_top(k, items)
    sides = options["sides"]
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
        together=_together(options, items=items, unnamed=unnamed),
        start=start,
    )


def _together(options: Mapping[str, Any], *, items: int, unnamed: bool) -> bool:
    """Does one call put all systems in order? Refuses what does not go with that."""
    if options.get("at_once", PAIRS) == PAIRS:
        return False
    check_together(items)
    if unnamed:
        raise BadInput("at_once='all' shows all outputs of a case, and there are no cases; leave it out")
    if options.get("forecast") is not None:
        raise BadInput("forecasts are of pairs, and at_once='all' asks about none; leave one of the two out")
    for name, usual in (("sides", "random"), ("fresh", False)):
        if options[name] != usual:
            raise BadInput(
                f"at_once='all' shows each case in two opposite orders and asks each once, so {name}="
                f"{options[name]!r} does not go with it; leave one of the two out"
            )
    return True


def check_together(items: int) -> None:
    """Refuse more systems than one call can put in order."""
    if items > SYSTEMS_AT_ONCE:
        raise BadInput(
            f"at_once='all' puts up to {SYSTEMS_AT_ONCE} systems in order, and there are {items}: leave it out "
            "or rank the best of them"
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


# ----------------------------------------------------------------------------
# Where the search starts, as it stands on record: {"strengths": {item: [log-odds, width]}, "not_seed": HASH}
MOST_ODDS = 20.0  # of a strength: beyond this nobody can tell
WIDTHS = (0.01, 20.0)


def read_start(given: Any, items: Sequence[Item], seed: int) -> Start | None:
    """The strengths of those items that have one; `not_seed` is the hash of a seed that may not be used again.

    >>> read_start({"strengths": {"new": [0.5, 0.2], "old": [-0.5, 0.2]}}, ["new", "old"], 1).means.tolist()
    [0.5, -0.5]
    """
    if given is None:
        return None
    fits = isinstance(given, Mapping) and {"strengths"} <= given.keys() <= {"strengths", "not_seed"}
    if not fits or not isinstance(given["strengths"], Mapping):
        raise BadInput("start_from is no record of strengths; juryrank.rank and --start-from make one of a file")
    known = {str(item): at for at, item in enumerate(items)}
    found: list[tuple[float, float] | None] = [None] * len(items)
    for name, row in given["strengths"].items():
        if name not in known:
            raise UnknownName(f"start_from has a strength of {name!r}, which is not an item here")
        good = isinstance(row, list | tuple) and len(row) == 2 and all(isinstance(x, int | float) for x in row)
        if not (good and abs(row[0]) <= MOST_ODDS and WIDTHS[0] <= row[1] <= WIDTHS[1]):
            raise BadInput(f"the strength of {name!r} is {row!r}; it is log-odds and a width from 0.01 to 20")
        found[known[name]] = (float(row[0]), float(row[1]))
    if sum(one is not None for one in found) < LEAST_KNOWN:
        raise BadInput("start_from knows fewer than two of these items, so it says nothing; leave it out")
    if given.get("not_seed") == seed_hash(seed):
        raise BadInput(
            "start_from is a result on these very cells with the same seed, whose draws would choose what they "
            "prove; leave the seed out, or give another one"
        )
    return Start(found)


def seed_hash(seed: int) -> str:
    """What a start says of the seed that it came from."""
    return hashlib.sha256(f"juryrank start {seed}".encode()).hexdigest()


def on_record(
    options: Mapping[str, Any], items: Sequence[Item], judges: Sequence[Judge], prices: Sequence[float]
) -> list[Any]:
    """What is on record before the first draw, in one form whoever wrote it down: its hash is part of each draw.

    What decides no draw (the goal, the resolution, δ, a budget) is not in it: nobody draws anew by changing that.
    """
    weights, cases, start = options["weights"], options["case_weights"], options.get("start_from")
    return [
        list(items),
        list(judges),
        options["cases"],
        None if weights is None else [float(weights[judge]) for judge in judges],
        None if cases is None else [float(cases[case]) for case in cases_of(options)],
        list(prices),
        options["absent"],
        None if start is None else sorted([name, *map(float, row)] for name, row in start["strengths"].items()),
        *([] if options.get("forecast") is None else [options["forecast"]["root"]]),
    ]


def cases_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the cases of a jury."""
    return read_cases(options["cases"])[0]


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
    if options.together:
        table = replace(table, alone=_alone(table, len(items)))
    for i, j in table.absent:
        if table.total((i, j)) == 0 and not options.recorded:
            raise BadInput(
                f"{items[i]!r} and {items[j]!r} have no case in common, so they cannot be compared; give both an "
                "output for some case, or leave one of them out"
            )
    return table


def _alone(table: Table, items: int) -> frozenset[int]:
    """Cases that fewer than two items have an output for. (What a pair lacks, one of its two items must lack.)"""
    pairs = list(combinations(range(items), 2))
    for case in frozenset[int]().union(*table.absent.values()):
        there = {i for pair in pairs if case not in table.absent.get(pair, ()) for i in pair}
        if any(case in table.absent.get(pair, ()) for pair in combinations(sorted(there), 2)):
            raise BadInput("at_once='all' shows all that have an output; absent leaves out a pair of those")
    return frozenset(c for c in range(table.cases) if pairs and all(c in table.absent.get(p, ()) for p in pairs))


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
