"""The terms of a question: what its ranker fixed when it asked. One row per name, in `TERMS`.

An `asked` event that holds a name without a row, or a value outside of its range, is not read: neither from a log
nor from a certificate. So a checker cannot rest on a term of which this table does not say who chooses it.

    >>> fault({"phase": "prove", "bet": 0.5})
    ''
    >>> fault({"bet": 1.5}), fault({"mood": 1})
    ('its term bet is 1.5; it must be a number from 0 to below 1', "it has a term 'mood', which no question has")
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from juryrank.errors import shown
from juryrank.log.fields import COUNT, LEVEL, LIMIT, MAPPING, NAME, Row, Value
from juryrank.log.kinds import ARRIVAL, LOT, RANKER

PHASES: Final = ("insert", "repair", "prove", "best", "cross-examine")
STAGES: Final = ("rank", "pair", "select")
FIXED_KEYS: Final = frozenset({"rule", "number", "after", "goal", "order", "claims", "square"})
GRID: Final = 30  # accuracies over which a prior puts weights
NARROWEST, WIDEST = 1e-4, 1e6  # shape of a Beta: no judge is known to within a millionth
SURE: Final = 1e6  # of a prior mean or spread: answers lie between -1 and 1
CERTIFIED, PANEL, JURY = ("certified",), ("panel",), ("jury",)
PAPER = ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage")


def _number(low: float, high: float) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        plain = isinstance(value, int | float) and not isinstance(value, bool)
        return plain and math.isfinite(value) and low <= value <= high

    return fits


def _listed(fits: Callable[[Any], bool], *, length: int | None = None) -> Callable[[Any], bool]:
    def all_fit(value: Any) -> bool:
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            return False
        return all(map(fits, value))

    return all_fit


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple) and len(value) == 2 and all(map(NAME.fits, value)) and value[0] != value[1]
    )


def _is_beta(value: Any) -> bool:
    if not _listed(_number(0, WIDEST), length=3)(value):
        return False
    return bool(value[0] <= 1 and min(value[1:]) >= NARROWEST)


def _is_fixed_list(value: Any) -> bool:
    """A jury's: number, place, goal, order, each claim with mean and spread of its prior, the mean square."""
    if not isinstance(value, Mapping) or value.keys() - {"forecast"} != FIXED_KEYS:
        return False
    if "forecast" in value and not _is_foresight(value["forecast"]):
        return False
    known = COUNT.fits(value["rule"]) and COUNT.fits(value["number"]) and _number(0, 0.5)(value["goal"])
    listed = LIMIT.fits(value["after"]) and NAMED.fits(value["order"]) and _listed(_is_claim)(value["claims"])
    return known and listed and _number(0, 1)(value["square"])


def _is_foresight(value: Any) -> bool:
    """Of forecasts: how a list shares its stake, mean squares, and its pairs in thousandths, with paths."""
    if not isinstance(value, Mapping) or value.keys() != {"shares", "squares", "pairs"}:
        return False
    shared = _listed(_number(1e-6, 1), length=3)(value["shares"])
    return shared and _listed(_number(0, 4), length=2)(value["squares"]) and _listed(_is_forecast)(value["pairs"])


def _is_forecast(row: Any) -> bool:
    known = isinstance(row, list | tuple) and len(row) == 4 and _is_pair(row[:2]) and NAMED.fits(row[3])
    return known and _listed(lambda f: type(f) is int and -1000 <= f <= 1000)(row[2])


def _is_claim(row: Any) -> bool:
    known = isinstance(row, list | tuple) and len(row) == 4 and _is_pair(row[:2])
    return known and _number(-SURE, SURE)(row[2]) and _number(0, SURE)(row[3])


def _is_ahead(value: Any) -> bool:
    return _listed(lambda row: isinstance(row, Mapping) and not fault(row, "jury", ahead=True))(value)


def _one_of(words: tuple[str, ...]) -> Value:
    return Value(
        " or ".join((", ".join(words[:-1]), words[-1])), lambda value: isinstance(value, str) and value in words
    )


YES = Value("true", lambda value: value is True)
NAMED = Value("a list of texts, none empty", _listed(NAME.fits))
PAIR = Value("two different texts", _is_pair)
PAIRS = Value("a list of pairs of texts", _listed(_is_pair))
NUMBERED = Value("a list of whole numbers from 0 on", _listed(LIMIT.fits))
BET = Value("a number from 0 to below 1", lambda value: _number(0, 1)(value) and value < 1)
PRIOR = Value(f"{GRID} numbers from 0 to 1", _listed(_number(0, 1), length=GRID))
BETA = Value("a weight from 0 to 1, then two shapes from 1e-4 to 1e6", _is_beta)
CHANCES = Value("a list of numbers from 0 to 1", _listed(_number(0, 1)))
FIXED_LIST = Value(
    "an object: rule, number, after, goal, order, claims and square, and forecast where there are any",
    _is_fixed_list,
)
AHEAD = Value("a list of objects: first, second and the terms of a draw", _is_ahead)
SIDE_OF_CELL = Value("0 or 1", lambda value: type(value) is int and value in (0, 1))


TERMS: Final = (
    Row("phase", CERTIFIED, _one_of(PHASES), "what the question is for", RANKER, ("attempts", "eliminations")),
    Row("attempt", CERTIFIED, COUNT, "the attempt that it counts for", RANKER, ("attempts",)),
    Row("link", CERTIFIED, PAIR, "the link that it counts for: the better item first", RANKER, ("attempts",)),
    Row("list", CERTIFIED, NAMED, "with an attempt's first question: its list", RANKER, ("attempts",)),
    Row("top", CERTIFIED, COUNT, "with it: how many of the list are claimed as a set", RANKER, ("attempts",)),
    Row("surest", CERTIFIED, NUMBERED, "with it: the order in which links are claimed", RANKER, ("attempts",)),
    Row("level", CERTIFIED, LEVEL, "with it, or with an epoch's: its level", RANKER, ("attempts", "eliminations")),
    Row("bet", CERTIFIED, BET, "λ: how much of the evidence is at stake", RANKER, ("attempts", "eliminations")),
    Row("prior", CERTIFIED, PRIOR, "steady: weights on a grid of the judge's accuracies", RANKER, ("attempts",)),
    Row("beta", CERTIFIED, BETA, "steady: a Beta beside the grid", RANKER, ("attempts",)),
    Row("item", CERTIFIED, NAME, "the item placed, or tested for being the best", RANKER, ("eliminations",)),
    Row("epoch", CERTIFIED, COUNT, "the set of items that its level is for", RANKER, ("eliminations",)),
    Row("sitting", PANEL, COUNT, "the sitting's number, in order of arrival", RANKER, ("plans",)),
    Row("place", PANEL, LIMIT, "the place in the sitting's plan, from 0", RANKER, ("plans",)),
    Row("plan", PANEL, PAIRS, "with place 0: the pairs of the sitting", RANKER, ("plans",)),
    Row("counts", PANEL, COUNT, "with it: how many of its places count", RANKER, ("plans",)),
    Row("beyond", PANEL, YES, "the place does not count", RANKER, ("plans",)),
    Row("own", PANEL, NAMED, "with place 0: the items that are the person's own work", ARRIVAL, ("plans",)),
    Row("vote", PANEL, YES, "about these judges: it counts", RANKER, ("repeats",)),
    Row("place", JURY, LIMIT, "the place within the pair, from 0", RANKER, ("draws",)),
    Row("chances", JURY, CHANCES, "every judge's chance when the cell was drawn", RANKER, ("draws",)),
    Row("list", JURY, FIXED_LIST, "a list that is fixed after so many cells drawn", RANKER,
        ("draws", "evidence", "search")),
    Row("call", JURY, SIDE_OF_CELL, "the side of a cell that has both", LOT, ("draws",)),
    Row("ahead", JURY, AHEAD, "cells drawn for judges who have not come yet", RANKER, ("draws", "search")),
    Row("stage", PAPER, _one_of(STAGES), "which part of the algorithm asks", RANKER, ("replay",)),
    Row("duel", PAPER, LIMIT, "the duel that it counts for", RANKER, ("replay",)),
)  # fmt: skip

DRAWN_AHEAD: Final = (
    Row("first", JURY, NAME, "of a cell drawn ahead: the pair's first item", RANKER, ("draws", "search")),
    Row("second", JURY, NAME, "of a cell drawn ahead: its second item", RANKER, ("draws", "search")),
    Row("aside", JURY, YES, "of a cell drawn ahead: its judge was set aside, so it counts against all", RANKER,
        ("draws", "search")),
)  # fmt: skip


def _by_name(rows: Iterable[Row]) -> Mapping[str, tuple[Row, ...]]:
    found: defaultdict[str, tuple[Row, ...]] = defaultdict(tuple)
    for row in rows:
        found[row.name] += (row,)
    return dict(found)


_HAVE_TERMS = frozenset(ranker for row in TERMS for ranker in row.rankers)
_KNOWN = _by_name(TERMS)
_KNOWN_AHEAD = _by_name((*TERMS, *DRAWN_AHEAD))


def fault(terms: Mapping[str, Any], ranker: str = "", *, ahead: bool = False) -> str:
    """What is wrong with a question's terms; empty: nothing. `ranker`: whose they must be, if it has any."""
    known = _KNOWN_AHEAD if ahead else _KNOWN
    for name, held in terms.items():
        rows = [row for row in known.get(name, ()) if ranker in row.rankers or ranker not in _HAVE_TERMS]
        if not rows:
            who = f"question of the ranker {ranker}" if ranker in _HAVE_TERMS else "question"
            return f"it has a term {shown(name)}, which no {who} has"
        if not any(row.value.fits(held) for row in rows):
            either = ", or ".join(dict.fromkeys(row.value.words for row in rows))
            return f"its term {name} is {shown(held)}; it must be {either}"
    return ""


QUESTION_TERMS = Value(
    "an object of [terms](#the-terms-of-a-question)",
    lambda value: MAPPING.fits(value) and not fault(value),
    lambda value: fault(value) if MAPPING.fits(value) else "",
)
