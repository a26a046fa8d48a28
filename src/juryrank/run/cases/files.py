"""Rows of a file: CSV, JSON, JSON Lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, need_extra


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
        return list(csv.DictReader(io.StringIO(text)))
    return _json_lines(path, text) if ending == ".jsonl" else _json_list(path, text)


def _json_lines(path: Path, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(text.splitlines(), 1):
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
