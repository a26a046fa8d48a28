"""Forecasts of what judges will say: recorded verdicts, scores per case, or a cheap judge who is asked beforehand.

They are on record by the root of a hash tree before the first draw (rankers/jury/core/forecasts.py).
"""

from __future__ import annotations

import asyncio
import csv
import inspect
import io
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from statistics import fmean
from typing import Any

from juryrank.defaults import OPEN_AT_ONCE
from juryrank.errors import BadInput, JudgeFailed, JudgeUnreachable, shown
from juryrank.judges.models.cache import Cache
from juryrank.judges.models.judge import ModelJudge
from juryrank.judges.recorded import TableJudge, table
from juryrank.rankers.jury.core.forecasts import UNIT, Forecasts, OfPair, keep
from juryrank.rankers.jury.core.table import Pair
from juryrank.rankers.jury.foresight import LONGEST_SOURCE
from juryrank.run.calls import run_to_end
from juryrank.run.cases import CaseCatalogue
from juryrank.run.items import Catalogue
from juryrank.run.models import scope_of
from juryrank.run.start import NAMES, start_options
from juryrank.types import TIE, Grade, NonVote, Question

ONLY_ON_CASES = "forecast is for systems on cases; leave it out, or give the cases"
Cell = tuple[Any, Any, str]  # the system shown left, the other one, the case
Scores = Mapping[str, Mapping[str, float]]  # system: case: score
Both = tuple[float, float]  # f of two systems on a case, the first one shown left, and right
Foreseen = Callable[[str, str, str], Both | None]  # None: nobody knows


def before_options(given: Mapping[str, Any], catalogue: Catalogue, judges: Sequence[str]) -> dict[str, Any]:
    """The ranker's options for what is on record before the seed: `start_from` and `forecast`, where given."""
    start, forecast = given.get("start_from"), given.get("forecast")
    options = {} if start is None else start_options(start, catalogue, judges)
    return options if forecast is None else options | forecast_options(forecast, catalogue)


def forecast_options(given: Any, catalogue: Catalogue) -> dict[str, Any]:
    """The ranker's option for forecasts; the values are kept for whoever knows their root."""
    if not isinstance(catalogue, CaseCatalogue):
        raise BadInput(ONLY_ON_CASES)
    by, foreseen = _read(given, catalogue)
    names, cases = [str(name) for name in catalogue.names], list(catalogue.cases)
    values: dict[Pair, OfPair] = {}
    known = cells = 0
    for i, j in combinations(range(len(names)), 2):
        there = set(_common(catalogue, catalogue.names[i], catalogue.names[j]))
        row = [foreseen(names[i], names[j], case) if case in there else None for case in cases]
        known, cells = known + sum(f is not None for f in row), cells + len(there)
        found = [round(UNIT * f) for both in row for f in (both or (0.0, 0.0))]
        values[i, j] = found[::2] if found[::2] == found[1::2] else found
    if not known:
        raise BadInput(f"{by} forecasts nothing about these systems on these cases; names must be the same")
    if known < cells:
        said = f"{by} forecasts {known:,} of {cells:,} pairs on a case; the others count as even"
        warnings.warn(said, stacklevel=2)
    return {"forecast": {"root": keep(Forecasts(tuple(names), values)), "by": by[:LONGEST_SOURCE]}}


def _read(given: Any, catalogue: CaseCatalogue) -> tuple[str, Foreseen]:
    """Who forecasts, and how."""
    if isinstance(given, str | Path):
        path = Path(given)
        return path.name, _of_columns(path) or _of_table(table(path))
    if isinstance(given, TableJudge):
        return Path(given.source).name, _of_table(given)
    if isinstance(given, Mapping):
        return "scores", _of_scores(_scores(given))
    if isinstance(given, ModelJudge):
        return given.settings.name, _asked(given, catalogue)
    if callable(given):
        return getattr(given, "__name__", type(given).__name__), _asked(given, catalogue)
    raise BadInput(
        f"forecast is {shown(given)}; give a file (verdicts, or columns item, case, score, or left, right, case, "
        "forecast), scores as {system: {case: score}}, or a function (left, right, case)"
    )


# ---------------------------------------------------------------------- recorded verdicts, and a judge asked now
def _of_table(judge: TableJudge) -> Foreseen:
    def foreseen(one: str, other: str, case: str) -> Both | None:
        said = judge(one, other, case) if judge.has(one, other, case) else None
        return (said.x, said.x) if isinstance(said, Grade) else None

    return foreseen


def _asked(judge: Callable[..., Any], catalogue: CaseCatalogue) -> Foreseen:
    """A function, or a model, that is asked about everything now, on both sides."""
    said: dict[Cell, float] = {}
    if isinstance(judge, ModelJudge):
        judge.settings.check_key()
        judge.begin(scope=f"forecast {scope_of(catalogue)}", cache=Cache())

    async def one(question: Question, turn: asyncio.Semaphore) -> None:
        async with turn:
            try:
                answer = judge(*catalogue.shown_for(question))
                answer = catalogue.answer(question, await answer if inspect.isawaitable(answer) else answer)
            except JudgeUnreachable:
                raise
            except JudgeFailed:
                return  # nobody knows
        if isinstance(answer, Grade) or not isinstance(answer, NonVote):
            at = question.left, question.right, str(question.case)
            said[at] = answer.x if isinstance(answer, Grade) else 1.0 if answer == question.left else -1.0
        elif answer is TIE:
            said[question.left, question.right, str(question.case)] = 0.0

    async def every() -> None:
        turn = asyncio.Semaphore(OPEN_AT_ONCE)
        pairs = permutations(catalogue.names, 2)
        asked = (Question(0, "", a, b, case=case) for a, b in pairs for case in _common(catalogue, a, b))
        await asyncio.gather(*(one(question, turn) for question in asked))
        if isinstance(judge, ModelJudge):
            await judge.close()

    run_to_end(every)

    return _by_side(said)


def _by_side(said: Mapping[Cell, float]) -> Foreseen:
    """What was said for the one shown left; where one side alone is known, it stands for both."""

    def foreseen(one: str, other: str, case: str) -> Both | None:
        left, right = said.get((one, other, case)), said.get((other, one, case))
        if left is None and right is None:
            return None
        if left is None or right is None:
            left = -right if right is not None else left
            return left or 0.0, left or 0.0
        return left, -right

    return foreseen


def _common(catalogue: CaseCatalogue, one: Any, other: Any) -> Iterator[str]:
    """The cases on which both systems have an output."""
    has = catalogue.outputs
    return (case for case in catalogue.cases if has is None or (case in has[one] and case in has[other]))


# ---------------------------------------------------------------------- scores of each system on each case
def _of_scores(scores: Scores) -> Foreseen:
    """The difference of two scores, squashed: tanh of it in units of the usual difference on a case."""
    by_case: dict[str, list[float]] = {}
    for given in scores.values():
        for case, score in given.items():
            by_case.setdefault(case, []).append(score)
    spread = [(score - fmean(on)) ** 2 for on in by_case.values() if len(on) > 1 for score in on]
    usual = math.sqrt(2 * fmean(spread)) if spread else 0.0

    def foreseen(one: str, other: str, case: str) -> Both | None:
        first, second = (scores.get(name, {}).get(case) for name in (one, other))
        if first is None or second is None:
            return None
        f = math.tanh((first - second) / usual) if usual else 0.0
        return f, f

    return foreseen


def _scores(given: Mapping[Any, Any]) -> Scores:
    found: dict[str, dict[str, float]] = {}
    for name, row in given.items():
        if not isinstance(row, Mapping):
            raise BadInput(f"the forecast of {shown(name)} is {shown(row)}; give its scores: {{case: 0.5, ...}}")
        found[str(name)] = {str(case): _score(name, case, score) for case, score in row.items()}
    return found


def _score(name: Any, case: Any, given: Any) -> float:
    try:
        score = float(given)
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        raise BadInput(f"the score of {shown(name)} on case {shown(case)} is {shown(given)}; it must be a number")
    return score


def _of_columns(path: Path) -> Foreseen | None:
    """A table of scores (item or system, case, score), or of forecasts (left, right, case, forecast: from 1 for
    the left one to -1); None: it is something else."""
    try:
        rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig")))
        columns = set(rows.fieldnames or ())
    except (OSError, UnicodeDecodeError, csv.Error):
        return None
    if {"left", "right", "case", "forecast"} <= columns:
        said: dict[Cell, float] = {}
        for row in rows:
            at = row["left"], row["right"], row["case"]
            if at in said:
                raise BadInput(
                    f"{path} has two forecasts of {shown(at[0])} against {shown(at[1])} on case {shown(at[2])}"
                )
            said[at] = _forecast(row)
        return _by_side(said)
    name = next((column for column in NAMES if column in columns), None)
    if name is None or not {"case", "score"} <= columns:
        return None
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row["case"] in found.setdefault(row[name], {}):
            raise BadInput(f"{path} has two scores of {shown(row[name])} on case {shown(row['case'])}")
        if row["score"] not in ("", None):
            found[row[name]][row["case"]] = _score(row[name], row["case"], row["score"])
    return _of_scores(found)


def _forecast(row: Mapping[str, Any]) -> float:
    found = _score(row["left"], row["case"], row["forecast"])
    if not -1 <= found <= 1:
        raise BadInput(
            f"the forecast of {shown(row['left'])} against {shown(row['right'])} on case {shown(row['case'])} is "
            f"{found:g}; it must be from -1 (the right one is better) to 1"
        )
    return found
