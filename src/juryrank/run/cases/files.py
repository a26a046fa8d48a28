"""Rows of a file (CSV, JSON, JSON Lines or Parquet), or of a data frame."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, need_extra

SEPARATORS = ",;\t"


def read_rows(path: Path) -> list[Any]:
    """The rows of a file by its ending; what cannot be read is named with its line."""
    ending = path.suffix.lower()
    try:
        if ending == ".parquet":
            parquet = need_extra("pyarrow.parquet", extra="votes", what="reading Parquet")
            rows: list[Any] = parquet.read_table(path).to_pylist()
            return rows
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not UTF-8 text; save it as UTF-8") from None
    except OSError as problem:
        raise BadInput(f"{path} cannot be read: {problem.strerror or problem}; give the path of a file") from None
    if ending == ".csv":
        return _csv_rows(path, text)
    return _json_lines(path, text) if ending == ".jsonl" else _json_list(path, text)


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


def _csv_rows(path: Path, text: str) -> list[Any]:
    """The rows of a CSV file with commas, semicolons or tabs: the one that its first line has most of."""
    first = text.partition("\n")[0]
    previous = csv.field_size_limit(max(len(text), 131_072))  # an output may be as long as it likes
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=max(SEPARATORS, key=first.count))
        found = []
        for row in reader:
            if None in row:
                raise BadInput(
                    f"the row that ends in line {reader.line_num} of {path} has more cells than columns; "
                    "put quotes around texts that hold a separator"
                )
            found.append(row)
        return found
    except csv.Error as problem:
        raise BadInput(f"{path} cannot be read as CSV: {problem}") from None
    finally:
        csv.field_size_limit(previous)


def _json_lines(path: Path, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(
        text.split("\n"), 1
    ):  # not splitlines: texts may hold other signs for a new line
        if line.strip():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError as problem:
                raise BadInput(f"line {number} of {path} is not JSON: {problem.msg}") from None
    return found


def _json_list(path: Path, text: str) -> list[Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise BadInput(f"{path} is not JSON: {problem.msg} at line {problem.lineno}") from None
    if not isinstance(found, list):
        raise BadInput(f"{path} must hold a JSON list; it holds one {type(found).__name__}")
    return found
