"""Where the search of a jury starts: an earlier result, a fit, scores. Strengths with a width, and never evidence.

A result on cases gives the strengths that its search ended with. Scores without a width can be in any unit: they
are scaled to a standard deviation of 1 in log-odds, with a width of .75.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import NormalDist, fmean, pstdev
from typing import Any

from juryrank.errors import BadInput, JuryrankError, shown
from juryrank.log import Event, fold
from juryrank.log.chain import opened_in
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.jury.options import LEAST_KNOWN, MOST_ODDS, WIDTHS, read_cases, seed_hash
from juryrank.run.cases.catalogue import CaseCatalogue
from juryrank.run.items import Catalogue

UNSCALED = 0.75  # the width of a score whose unit nobody knows
NAMES, WIDTH = ("item", "system", "name", "id"), "width"  # columns of a table of scores
ONLY_ON_CASES = "start_from is for systems on cases; leave it out, or give the cases"
ELO = math.log(10) / 400  # log-odds of one point
Strengths = Mapping[str, tuple[float, float]]


def _odds(share: float) -> float:
    return math.log(max(share, 1e-6) / max(1 - share, 1e-6))


UNITS: Mapping[str, Callable[[float], float]] = {"logit": float, "elo": lambda score: ELO * score}  # else a chance


def start_record(given: Any, items: Sequence[str], judges: Sequence[str], cases: Any) -> dict[str, Any]:
    """What goes on record of a start, for those of the items that have a strength in it.

    >>> start_record({"new": 2, "old": 1, "gone": 3}, ["new", "old"], ["m"], None)["strengths"]
    {'new': [0.0, 0.75], 'old': [-1.224745, 0.75]}
    """
    ranker, strengths = _read(given)
    common = {item: strengths[item] for item in items if item in strengths}
    if len(common) < LEAST_KNOWN:
        raise BadInput(
            f"the search cannot start from {_where(given)}: it knows {len(common)} of these {len(items)} items "
            f"({', '.join(map(shown, list(strengths)[:3]))} and so on); names must be the same"
        )
    record: dict[str, Any] = {"strengths": {item: _within(*row) for item, row in common.items()}}
    if ranker is not None and _same_cells(ranker, judges, cases):
        record["not_seed"] = seed_hash(ranker.seed)
    return record


def start_options(given: Any, catalogue: Catalogue, judges: Sequence[str]) -> dict[str, Any]:
    """The ranker's option for a start."""
    if not isinstance(catalogue, CaseCatalogue):
        raise BadInput(ONLY_ON_CASES)
    return {"start_from": start_record(given, catalogue.names, judges, list(catalogue.cases))}


def _within(mean: float, width: float) -> list[float]:
    bounded = min(max(mean, -MOST_ODDS), MOST_ODDS), min(max(width, WIDTHS[0]), WIDTHS[1])
    return [round(value, 6) for value in bounded]


def _same_cells(ranker: Ranker, judges: Sequence[str], cases: Any) -> bool:
    """Could a cell of that result be one of these?"""
    before, now = (set(read_cases(each)[0]) for each in (ranker.options.get("cases"), cases))
    return bool(before & now and set(map(str, ranker.judge_names)) & set(judges))


def _read(given: Any) -> tuple[Ranker | None, Strengths]:
    """The jury that it comes from, if any, and all strengths in it."""
    if isinstance(given, str | Path):
        given = _file(Path(given))
    record = getattr(given, "record", None)
    if record is not None and hasattr(record, "events"):
        return _of_result(record.events)
    if hasattr(given, "to_dict") and hasattr(given, "order"):
        given = given.to_dict()
    if not isinstance(given, Mapping):
        raise BadInput(f"start_from is {shown(given)}; give a result, a fit, scores, or a file of one")
    if "events" in given:
        from juryrank.verify.reading import whole

        rows = whole(given)["events"]
        return _of_result([Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in rows])
    if given.get("kind") == "estimate" and "items" in given:
        return None, _of_fit(given)
    return None, _scores([(str(name), *_score(name, row)) for name, row in given.items()])


def _of_result(events: Sequence[Event]) -> tuple[Ranker, Strengths]:
    from juryrank.rankers.jury.ranker import Jury

    try:
        ranker = fold(events, secret=opened_in(events)).ranker
    except (JuryrankError, KeyError, TypeError, ValueError, IndexError) as problem:
        raise BadInput(f"start_from is a result that cannot be followed: {problem}") from None
    if not isinstance(ranker, Jury):
        raise BadInput("start_from is a result of another kind; give one of systems on cases, a fit, or scores")
    return ranker, dict(zip(map(str, ranker.items), ranker.strengths, strict=True))


def _of_fit(fit: Mapping[str, Any]) -> Strengths:
    """Scores in log-odds, with the width that their intervals have."""
    times = 2 * NormalDist().inv_cdf((1 + fit["level"]) / 2)
    unit = UNITS.get(fit["scale"], _odds)
    return {
        row["name"]: (unit(row["score"]), (unit(row["high"]) - unit(row["low"])) / times) for row in fit["items"]
    }


def _scores(rows: Sequence[tuple[str, float, float | None]]) -> Strengths:
    """Scores with a width are log-odds; others are scaled."""
    if all(width is not None for _, _, width in rows):
        return {name: (score, float(width or 0)) for name, score, width in rows}
    found = [score for _, score, _ in rows]
    middle, spread = fmean(found), pstdev(found) or 1.0
    return {name: ((score - middle) / spread, UNSCALED) for name, score, _ in rows}


def _score(name: Any, row: Any) -> tuple[float, float | None]:
    pair = row if isinstance(row, list | tuple) and len(row) == 2 else (row, None)
    try:
        score, width = float(pair[0]), None if pair[1] in (None, "") else float(pair[1])
    except (TypeError, ValueError):
        raise BadInput(
            f"the score of {shown(name)} is {shown(row)}; it must be a number, or (score, width)"
        ) from None
    if not math.isfinite(score) or not (width is None or 0 < width < math.inf):
        raise BadInput(f"the score of {shown(name)} is {shown(row)}; it must be finite, with a width above 0")
    return score, width


def _file(path: Path) -> Any:
    """A certificate, a fit or scores as JSON, or scores as CSV: item, score and, if known, width."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{path} cannot be read ({problem}); give a certificate, a fit, or scores as CSV") from None
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text)
        except ValueError as problem:
            raise BadInput(f"{path} is no whole JSON document: {problem}") from None
    rows = list(csv.DictReader(io.StringIO(text)))
    name = next((column for column in NAMES if rows and column in rows[0]), None)
    if name is None or "score" not in rows[0]:
        raise BadInput(f"{path} has no columns item and score; give a certificate, a fit, or such a table")
    return {row[name]: (row["score"], row.get(WIDTH)) for row in rows}


def _where(given: Any) -> str:
    return str(given) if isinstance(given, str | Path) else "that"
