"""Rows of a file (CSV, .xlsx, JSON, JSON Lines or Parquet), or of a data frame."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput
from juryrank.votes.tables import FileContent, FileTable, JsonRow, plain_table

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
