"""Files of millions of rows, piece by piece: through Arrow, and equal rows counted instead of kept."""

from __future__ import annotations

import csv
import importlib.util
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadInput, need_extra

COUNT_FROM = 1 << 20  # rows up to which each is kept by itself, with its line
HELD = 1 << 24  # rows that wait to be counted
HASHED = 1 << 25  # rows that are looked through for repeats, where columns are left out
CSV_FROM = 1 << 23  # bytes: smaller files are read row by row
BLOCK = 1 << 24  # bytes at a time
MOST_KEYS = 1 << 62
SIMPLE_CELL = rb'(?:(?<=^)|(?<=[\n%s]))"[^"\r\n]*"(?=[%s\r\n]|$)'  # quoted, without quotes or line ends inside

Numbers = NDArray[Any]

# ----------------------------------------------------------------------------
# How far it is, for whoever shows it
_shown: ContextVar[Callable[[str], None] | None] = ContextVar("progress", default=None)


@contextmanager
def shown_to(show: Callable[[str], None]) -> Iterator[None]:
    """While this runs, every piece of work is told to `show`."""
    token = _shown.set(show)
    try:
        yield
    finally:
        _shown.reset(token)


def tell(words: str) -> None:
    """Say how far it is."""
    if (show := _shown.get()) is not None:
        show(words)


# ----------------------------------------------------------------------------
# Columns as numbers


class Coded(NamedTuple):
    """Per column the code of each row and the distinct values; the line of each row, and how many rows each stands
    for (None: one); how many there were, and how many repeat another in every column (None: nobody looked)."""

    columns: dict[str, tuple[Numbers, list[Any]]]
    lines: Numbers
    counts: Numbers | None
    rows: int
    repeats: int | None


def too_large(rows: int, columns: int) -> BadInput:
    """A small packed file may hold more rows than fit a memory."""
    return BadInput(f"it has {rows:,} rows of {columns:,} columns or more: leave out columns, or split the file")


class Coder:
    """Takes pieces of a table of at most so many cells; where it may `count`, above `COUNT_FROM` rows it keeps
    each distinct row once, with its first line."""

    def __init__(self, header: Sequence[str], kept: Collection[str], *, count: bool, most: int) -> None:
        self._may_count, self._most = count, most
        self.kept = [name for name in header if name in kept]
        self.known = {name: dict[Any, int]() for name in self.kept}
        self.hashes: list[Numbers] | None = [] if len(self.kept) < len(header) else None
        self.counted = False  # from the first time that rows were too many to be kept
        self.rows = 0
        self._held: list[list[Numbers]] = []  # each: codes by columns, then lines, then counts

    def add(self, batch: Any, lines: Numbers) -> None:
        """A batch of Arrow's, with the line of each row."""
        if self.hashes is not None:
            hashed = need_extra("pandas.util", extra="votes", what="a large file").hash_pandas_object
            self.hashes.append(hashed(batch.to_pandas(strings_to_categorical=True), index=False).to_numpy())
        columns = list[Numbers]()
        for name in self.kept:
            values, places = _distinct(batch.column(name))
            used = np.flatnonzero(np.bincount(places, minlength=len(values)))
            known, number = self.known[name], np.zeros(len(values), dtype=np.int32)
            number[used] = [known.setdefault(values[k], len(known)) for k in used.tolist()]
            columns.append(number[places])
        self.rows += len(lines)
        self._held.append([*columns, lines, np.ones(len(lines), dtype=np.int32)])
        held = sum(len(part[-1]) for part in self._held)
        if self._may_count and held > max(HELD, 2 * len(self._held[0][-1])):
            self._count()
            held = len(self._held[0][-1])
        if held * len(self.kept) > self._most:
            raise too_large(held, len(self.kept))
        if self.rows > HASHED and self.hashes is not None:
            self.hashes = []

    def done(self) -> Coded:
        """All of it."""
        if self._may_count and self.rows > COUNT_FROM:
            self._count()
        *codes, lines, counts = self._whole()
        columns = {name: (line, list(self.known[name])) for name, line in zip(self.kept, codes, strict=True)}
        many = counts if self.counted else None
        return Coded(columns, lines, many, self.rows, self._repeats(columns, many))

    def _whole(self) -> list[Numbers]:
        """What is held, column by column."""
        held, self._held = self._held, []
        types = [*(np.int32 for _ in self.kept), np.int64, np.int32]
        return [np.concatenate([np.zeros(0, kind), *parts]) for kind, *parts in zip(types, *held, strict=True)]

    def _repeats(self, columns: dict[str, tuple[Numbers, list[Any]]], counts: Numbers | None) -> int | None:
        if self.hashes is not None:
            return None if self.rows > HASHED else self.rows - len(np.unique(np.concatenate([*self.hashes, []])))
        if counts is not None:
            return self.rows - len(counts)
        return self.rows - len(np.unique(self._keys([codes for codes, _ in columns.values()])))

    def _keys(self, columns: Sequence[Numbers]) -> Numbers:
        """One number for each distinct row."""
        keys, size = np.zeros(columns[0].shape if columns else 0, dtype=np.int64), 1
        for codes, known in zip(columns, self.known.values(), strict=False):
            if size * max(len(known), 1) > MOST_KEYS:
                found, keys = np.unique(keys, return_inverse=True)
                size = len(found)
            keys, size = keys * max(len(known), 1) + codes, size * max(len(known), 1)
        return keys

    def _count(self) -> None:
        tell(f"counting {self.rows:,} rows")
        whole = self._whole()
        keys = self._keys(whole[:-2])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        start = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
        many, first = np.add.reduceat(whole[-1][order], start), order[start]
        self._held, self.counted = [[*(line[first] for line in whole[:-1]), many]], True


def _distinct(column: Any) -> tuple[list[Any], Numbers]:
    """The distinct values of a column, None the last, and which one each row holds."""
    found = column if hasattr(column, "dictionary") else column.dictionary_encode()
    values = found.dictionary.to_pylist()
    return [*values, None], found.indices.cast("int64").fill_null(len(values)).to_numpy()


# ----------------------------------------------------------------------------
# CSV through Arrow. What is unusual in a file (a line end inside quotes, a lone carriage return, bytes that are
# not UTF-8) is left to the reader that goes row by row, which says what is wrong.


class Unusual(Exception):
    """The file has to be read row by row."""


class CsvPiece(NamedTuple):
    """Rows as Arrow's batch, each with its line; and rows with more or fewer cells, as they are written."""

    batch: Any
    lines: Numbers
    odd: list[tuple[int, list[str]]]
    begin: int  # the first line
    block: bytes

    def blank(self) -> Numbers:
        """Rows without any text."""
        out = np.ones(len(self.lines), dtype=bool)
        for column in self.batch.columns:
            empty = np.array([not text.strip() for text in column.dictionary.to_pylist()], dtype=bool)
            out &= empty[column.indices.to_numpy()] if empty.any() else False
        return out

    def listed(self, blank: Numbers) -> list[int]:
        """The lines of blank rows that have cells."""
        written = self.block.split(b"\n") if blank.any() else []
        return [line for line in self.lines[blank].tolist() if written[line - self.begin].strip()]


def large_csv(path: Path | None) -> bool:
    """Is it worth Arrow, and is Arrow there?"""
    there = all(importlib.util.find_spec(name) for name in ("pyarrow", "pandas"))
    return there and path is not None and path.is_file() and path.stat().st_size >= CSV_FROM


def csv_pieces(path: Path, names: Sequence[str], *, delimiter: str, line: int, begin: int) -> Iterator[CsvPiece]:
    """The rows after the header, which ends before the byte `begin` and the line `line`."""
    with path.open("rb") as file:
        size, rest = path.stat().st_size, b""
        file.seek(begin)
        while True:
            block = file.read(BLOCK)
            cut = block.rfind(b"\n") + 1 if block else 0
            whole, rest = (rest + block[:cut], block[cut:]) if cut or not block else (b"", rest + block)
            if whole:
                yield _csv_piece(whole, names, delimiter, line)
                line += whole.count(b"\n")
            tell(f"reading {path.name}: {file.tell() / max(size, 1):.0%}")
            if not block:
                return


def _csv_piece(block: bytes, names: Sequence[str], delimiter: str, line: int) -> CsvPiece:
    import pyarrow as arrow
    from pyarrow import csv as reader

    mark = re.escape(delimiter.encode())
    if b'"' in block and b'"' in re.sub(SIMPLE_CELL % (mark, mark), b"", block):
        raise Unusual
    if block.count(b"\r") != block.count(b"\r\n"):
        raise Unusual
    try:
        block.decode()
    except UnicodeDecodeError:
        raise Unusual from None
    odd = list[Any]()

    def keep(row: Any) -> str:
        odd.append((row.number, row.text))
        return "skip"

    texts = arrow.dictionary(arrow.int32(), arrow.string())
    try:
        table = reader.read_csv(
            arrow.BufferReader(block),
            reader.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=list(names)),
            reader.ParseOptions(delimiter=delimiter, ignore_empty_lines=False, invalid_row_handler=keep),
            reader.ConvertOptions(column_types=dict.fromkeys(names, texts), strings_can_be_null=False),
        ).combine_chunks()
    except arrow.ArrowInvalid:
        raise Unusual from None
    odd_at = np.array([number - 1 for number, _ in odd], dtype=np.int64)
    lines = line + np.delete(np.arange(table.num_rows + len(odd)), odd_at)
    cells = [(line + number - 1, next(csv.reader([text], delimiter=delimiter), [])) for number, text in odd]
    batches = table.to_batches()
    batch = batches[0] if batches else table.schema.empty_table().to_batches()[0]
    return CsvPiece(batch, lines, cells, line, block)
