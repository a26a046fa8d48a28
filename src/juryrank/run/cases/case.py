"""A case is what all systems answered, such as a prompt: an id, an input, maybe a group and a weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.run.cases.files import TABLES, column_of, frame_rows, is_nothing, name_in, read_rows
from juryrank.votes.formats.arena_hard import turn_name
from juryrank.votes.formats.shape import text_of
from juryrank.votes.tables import decode

ID_KEYS = ("id", "case", "question_id", "uid")
INPUT_KEYS = ("input", "prompt", "question", "text", "instruction")


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `input` is what judges see of it; a plain thing is its own input.

    >>> from juryrank import Case, rank
    >>> sums = [Case("q1", "2 + 2?", group="easy"), Case("q2", "17 * 23?", group="hard")]
    >>> systems = {"right": {"q1": "4", "q2": "391"}, "wrong": {"q1": "5", "q2": "400"}}
    >>> marker = {"ann": lambda question, left, right: left if left in ("4", "391") else right}
    >>> rank(systems, marker, cases=sums, seed=1).order
    ('right', 'wrong')
    """

    id: str
    input: Any
    group: str | None = None
    weight: float | None = None


def read_cases(given: Any) -> list[Case]:
    """Cases from a list of plain things or rows with an id, a mapping id -> input, a data frame, a file, a number.

    >>> [case.id for case in read_cases(["2 + 2?", {"id": "q2", "input": "3 + 3?", "group": "sums"}])]
    ['2 + 2?', 'q2']
    """
    if isinstance(given, bool) or given is None:
        raise BadInput(f"cases is {given!r}; give a list of cases, or the path of a file")
    if isinstance(given, int):
        given = range(1, given + 1)
    if isinstance(given, str | Path):
        given = case_rows(Path(given))
    if (rows := frame_rows(given)) is not None:
        given = rows
    if isinstance(given, Mapping):
        given = [{"id": name, "input": value} for name, value in given.items()]
    return distinct_cases(_case(thing, place) for place, thing in enumerate(_turns_apart(given), 1))


def distinct_cases(cases: Iterable[Case]) -> list[Case]:
    """The cases, if there is at least one and no id is listed twice."""
    found = list(cases)
    if not found:
        raise BadInput("there is no case; give at least one")
    seen: set[str] = set()
    for case in found:
        if case.id in seen:
            raise BadInput(f"case {shown(case.id)} is listed twice; each case must be given once")
        seen.add(case.id)
    return found


def case_rows(path: Path) -> list[Any]:
    """The cases in a file: lines of text, or rows of a table."""
    if path.suffix.lower() in TABLES:
        return read_rows(path)
    try:
        lines = decode(path.read_bytes())[0].removeprefix("\ufeff").split("\n")
    except OSError as problem:
        raise BadInput(f"{path} cannot be read ({problem}); give the path of a file of cases") from None
    return [line.strip() for line in lines if line.strip()]


def _turns_apart(given: Iterable[Any]) -> Iterator[Any]:
    """Questions with several turns (MT-Bench) are a case per turn, as their answers are."""
    for thing in given:
        turns = thing.get("turns") if isinstance(thing, Mapping) else None
        if not isinstance(turns, list) or _first(thing, ID_KEYS) is None:
            yield thing
            continue
        texts = [str(text_of(turn)) for turn in turns]
        for n in range(1, len(texts) + 1):
            name = turn_name(_first(thing, ID_KEYS), n)
            yield {"group": thing.get("category"), **thing, "id": name, "input": "\n\n".join(texts[:n])}


def _case(thing: Any, place: int) -> Case:
    if isinstance(thing, Case):
        return replace(thing, id=name_in(thing.id), weight=_weight(thing.weight, thing.id))
    if not isinstance(thing, Mapping):
        return Case(name_in(thing), thing)
    name = _first(thing, ID_KEYS)
    if name is None:
        raise BadInput(f"case {place} has no id; give each case one (it has: {', '.join(map(str, thing))})")
    given = _first(thing, INPUT_KEYS)
    cells = (thing.get(column_of(thing, name)) for name in ("group", "weight"))
    group, weight = ((None if is_nothing(cell) else cell) for cell in cells)
    return Case(
        name_in(name),
        dict(thing) if given is None else given,
        None if group in (None, "") else str(group),
        _weight(weight, name),
    )


def _weight(given: Any, name: Any) -> float | None:
    if given in (None, ""):
        return None
    try:
        weight = float(given)
    except (TypeError, ValueError):
        weight = 0.0
    if not 0 < weight < float("inf"):
        raise BadInput(
            f"the weight of case {shown(name)} is {given!r}; it must be more than 0: to give a case no "
            "weight, leave it out"
        )
    return weight


def _first(row: Mapping[str, Any], keys: Iterable[str]) -> Any:
    columns = (column_of(row, key) for key in keys)
    there = (row[column] for column in columns if column is not None and not is_nothing(row[column]))
    return next((cell for cell in there if not (isinstance(cell, str) and cell == "")), None)
