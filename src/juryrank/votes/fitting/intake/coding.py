"""Text columns as numbers: each distinct text once, and per row which one it is.

A million rows of four names are 16 MB this way, and a gigabyte as objects.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.tables import FileRow, cell_text


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Row k holds the text `values[codes[k]]`."""

    codes: NDArray[np.int32]
    values: tuple[str, ...]

    def at(self, row: int) -> str:
        return self.values[self.codes[row]]


@dataclass(frozen=True, slots=True)
class CodedTable:
    """The columns that matter; `broken` are rows that are no rows (too few or too many cells)."""

    header: tuple[str, ...]
    columns: Mapping[str, TextColumn]
    lines: NDArray[np.int64]
    broken: tuple[FileRow, ...] = ()
    duplicates: int = 0
    notes: tuple[str, ...] = ()


class Coder:
    """Gives each distinct text of a column its number."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.codes = array("i")

    def add(self, text: str) -> None:
        """Append a row."""
        self.codes.append(self.known.setdefault(text, len(self.known)))

    def column(self) -> TextColumn:
        """What was added, stripped of blanks at both ends."""
        values = tuple(text.strip() for text in self.known)
        return TextColumn(np.array(self.codes, dtype=np.int32), values)


def code_rows(
    header: Sequence[str],
    rows: Iterable[tuple[int, Sequence[str]]],
    *,
    wanted: Sequence[str],
    notes: tuple[str, ...] = (),
    record: Callable[[Sequence[str], int, Sequence[str]], FileRow],
) -> CodedTable:
    """A table from (line, cells); `record` makes the row that says what is wrong with a broken one."""
    places = [header.index(name) for name in wanted]
    coders = [Coder() for _ in wanted]
    seen: set[int] = set()
    lines, broken, total = array("q"), [], 0
    for line, cells in rows:
        if len(cells) != len(header):
            row = record(header, line, cells)
            if row.problem:
                broken.append(row)
                continue
        for coder, place in zip(coders, places, strict=True):
            coder.add(cells[place])
        seen.add(hash(tuple(cells)))
        lines.append(line)
        total += 1
    columns = {name: coder.column() for name, coder in zip(wanted, coders, strict=True)}
    numbers = np.array(lines, dtype=np.int64)
    return CodedTable(tuple(header), columns, numbers, tuple(broken), total - len(seen), notes)


def code_frame(frame: Any, *, wanted: Sequence[str]) -> CodedTable:
    """A table from a data frame (pandas, or anything that can become one)."""
    import pandas

    columns = {}
    for name in wanted:
        codes, values = pandas.factorize(frame[name], use_na_sentinel=False)
        texts = tuple(cell_text(None if pandas.isna(value) else plain(value)).strip() for value in values)
        columns[name] = TextColumn(codes.astype(np.int32), texts)
    try:
        repeats = int(frame.duplicated().sum())
    except TypeError:  # a column holds lists: rows that cannot be compared are not called repeats
        repeats = 0
    header = tuple(str(name) for name in frame.columns)
    return CodedTable(header, columns, np.arange(len(frame)), (), repeats, ("lines are row numbers, from 0",))


def plain(value: Any) -> Any:
    """A numpy value as Python's own."""
    return value.item() if isinstance(value, np.generic) else value
