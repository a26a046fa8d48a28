"""A case is what all systems answered, such as a prompt: an id, an input, maybe a group and a weight."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.votes.formats.arena_hard import turn_name
from juryrank.votes.formats.shape import text_of
from juryrank.votes.tables import FileContent, FileTable, JsonRow, decode, plain_table

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


# ----------------------------------------------------------------------------
# Rows of a file (CSV, .xlsx, JSON, JSON Lines or Parquet), or of a data frame
TABLES = (".csv", ".tsv", ".xlsx", ".json", ".jsonl", ".parquet")


def read_rows(path: Path) -> list[Any]:
    """The rows of a file by its ending; what cannot be read is named with its line."""
    kind = path.suffix.lower()[1:]
    content = FileContent(path, kind="csv" if kind == "tsv" else None if kind == "xlsx" else kind)
    if not content.data.strip():
        return []
    try:
        if kind in ("csv", "tsv", "xlsx"):
            rows = table_rows(plain_table(content))
        elif kind == "json" and not isinstance(content.document, list | None):
            raise BadInput(f"it must hold a JSON list; it holds one {type(content.document).__name__}")
        else:
            rows = content.rows
    except BadInput as problem:
        raise BadInput(f"{path} cannot be read: {problem}") from None
    bad = next((row for row in rows if row.problem), None)
    if bad is not None:
        quotes = "" if kind.startswith("json") else "; put quotes around texts that hold a separator"
        raise BadInput(f"line {bad.line} of {path}: {bad.problem}{quotes}")
    return [row.value for row in rows]


def table_rows(table: FileTable) -> list[JsonRow]:
    """The rows of a table, with their cells by name; bad ones with their problem."""
    found = zip(table.lines.tolist(), table.rows(table.header), strict=True)
    rows = [JsonRow(line, dict(zip(table.header, cells, strict=True))) for line, cells in found]
    return [*rows, *(JsonRow(bad.line, {}, bad.why) for bad in table.broken)]


def frame_rows(given: Any) -> list[Any] | None:
    """The rows of a data frame (pandas, Polars, Arrow); None where it is something else.

    >>> frame_rows([{"system": "new"}]) is None
    True
    """
    if not hasattr(given, "columns"):
        return None
    for reader in ("to_dicts", "to_pylist"):  # Polars, Arrow
        if hasattr(given, reader):
            return list(getattr(given, reader)())
    return list(given.to_dict("records")) if hasattr(given, "to_dict") else None


def as_mapping(given: Any) -> Mapping[Any, Any] | None:
    """A mapping, or a pandas series as one; None where it is something else."""
    if isinstance(given, Mapping):
        return given
    series = hasattr(given, "index") and hasattr(given, "to_dict") and not hasattr(given, "columns")
    return dict(given.to_dict()) if series else None


def column_of(row: Mapping[Any, Any], name: str) -> Any:
    """What a row itself calls a column: its case, and blanks around it, do not matter; None where there is none.

    >>> column_of({"Weight ": 2}, "weight"), column_of({"wait": 2}, "weight")
    ('Weight ', None)
    """
    if name in row:
        return name
    return next((own for own in row if isinstance(own, str) and own.strip().casefold() == name), None)


def name_in(cell: Any) -> str:
    """A name as text; 3.0 is 3, since tables with gaps make their whole numbers so.

    >>> name_in("q1"), name_in(3.0), name_in(2.5)
    ('q1', '3', '2.5')
    """
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def is_nothing(cell: Any) -> bool:
    """Is this no value at all: None, or a table's sign for a gap (NaN, NA)?

    >>> is_nothing(None), is_nothing(float("nan")), is_nothing("")
    (True, True, False)
    """
    if cell is None:
        return True
    try:
        return isinstance(cell, Hashable) and bool(cell != cell)
    except (TypeError, ValueError):  # pandas' NA has no truth; an array has many
        return type(cell).__name__ == "NAType"
