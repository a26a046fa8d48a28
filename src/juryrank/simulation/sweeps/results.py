"""The results file of a sweep: one JSON line per finished cell, added as it finishes.

A killed run leaves at most one unfinished line, at the end; it is cut off when the sweep is resumed. Where a line
is broken anywhere else, the sweep refuses and changes nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

from juryrank.errors import BadInput
from juryrank.simulation.sweeps.cells import Cell, CellRow, Settings

try:
    import fcntl
except ImportError:  # Windows: nobody keeps a second process away
    fcntl = None  # type: ignore[assignment]

FILE_NAME = "cells.jsonl"


class Results:
    """Rows on disk, for one set of settings; rows of other settings stay in the file, unread."""

    def __init__(self, file: IO[str], rows: dict[Cell, CellRow], settings: Settings) -> None:
        self._file = file
        self._settings = asdict(settings)
        self.rows = rows

    def add(self, row: CellRow) -> None:
        """Write a row, so that it outlives this process."""
        self._file.write(json.dumps({**self._settings, **row.to_json()}) + "\n")
        self._file.flush()
        self.rows[row.cell] = row


@contextmanager
def open_results(folder: Path, settings: Settings) -> Iterator[Results]:
    """Open (or begin) the results in a folder; one process at a time."""
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            f"the results cannot be written to {str(folder)!r}: {problem.strerror or problem}. "
            "Choose another folder with --out"
        ) from problem
    with file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"another process is writing to {str(path)!r}; wait, or choose another --out") from None
        rows = _read(file, path, settings)
        yield Results(file, rows, settings)


def _read(file: IO[str], path: Path, settings: Settings) -> dict[Cell, CellRow]:
    file.seek(0)
    try:
        text = file.read()
    except UnicodeDecodeError:
        raise BadInput(f"{str(path)!r} is not a results file; nothing was changed. Use another --out") from None
    whole = text[: text.rfind("\n") + 1]
    rows = {}
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            given = json.loads(line)
            row = CellRow.from_json(given)
            ours = all(given[name] == value for name, value in asdict(settings).items())
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                f"line {number} of {str(path)!r} is broken; nothing was changed. "
                "Delete that line (its cell is played again), or use another --out"
            ) from None
        if ours and not row.error:  # a cell that failed gets another chance
            rows[row.cell] = row
    if whole != text:
        file.truncate(len(whole.encode("utf-8")))
    file.seek(0, os.SEEK_END)
    return rows
