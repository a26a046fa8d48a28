"""Files to tables: CSV of any dialect and encoding, JSON, JSON Lines, Parquet, workbooks.

A table holds each distinct text of a column once, and per row which one it is: a million rows of four names are
16 MB this way, and a gigabyte as objects. Each row has its line number.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
import zlib
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from juryrank.defaults import TABLE_CELLS
from juryrank.errors import BadInput, BadVotes, before_first_release
from juryrank.votes.containers import coded, is_flat, opened, parquet_rows, ungzipped

DELIMITERS = (",", "\t", ";", "|")
# Byte order marks, the longest first (UTF-16's is the beginning of UTF-32's).
MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
AS_VOTES = "bring the votes over as CSV, by `study export` with the juryrank that made it"
FALLBACK = "windows-1252"
KINDS = ("csv", "jsonl", "json", "parquet")
NO_OBJECT = "each vote must be a JSON object with named values"
ZIP = "zip"
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"  # how Excel's files began until 2003; today's are ZIP files
GZIP_MARK = b"\x1f\x8b"


# Which of a header's columns are kept; None: all of them.
Keep: TypeAlias = Callable[[Sequence[str]], Collection[str]]


class FileRow(NamedTuple):
    """One row: the line it starts on, its cells in the order of the header, and what is wrong with it as a row."""

    line: int
    cells: Sequence[str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row that cannot be used."""

    line: int
    why: str
    file: str = ""  # of several

    @property
    def place(self) -> str:
        """Where it is."""
        return f"line {self.line}" + (f" of {self.file}" if self.file else "")

    def __str__(self) -> str:
        return f"{self.place}: {self.why}"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """Row k holds the text `values[codes[k]]`."""

    codes: NDArray[np.int32]
    values: tuple[str, ...]

    def texts(self) -> list[str]:
        """The text of every row."""
        return [self.values[code] for code in self.codes.tolist()]

    def each(self, meaning: Callable[[str], Any], kind: Any) -> NDArray[Any]:
        """What every row means, worked out once per distinct text."""
        return np.array([meaning(value) for value in self.values], dtype=kind)[self.codes]


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file's columns; `notes` say how it was read. `raw`: the events, if it is a raw log of juryrank."""

    header: tuple[str, ...]
    columns: Mapping[str, TextColumn]
    lines: NDArray[np.int64]
    broken: tuple[RowProblem, ...] = ()  # rows that are not rows: too few cells, or not JSON
    duplicates: int = 0  # rows that repeat another row in every column
    notes: tuple[str, ...] = ()
    format: str = ""  # whose file it is, where it is not a plain table
    sided: bool = True  # is left what was shown on the left?
    raw: tuple[Mapping[str, Any], ...] = ()
    raw_lines: tuple[int, ...] = ()
    files: tuple[tuple[str, int], ...] = ()  # of several: each with its number of rows

    def rows(self, header: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The rows one by one, under these columns."""
        nothing = [""] * len(self.lines)
        columns = (self.columns[name].texts() if name in self.columns else nothing for name in header)
        return zip(*columns, strict=True)

    def file_of(self, row: int) -> str:
        """Which of several files a row is from."""
        ends = np.cumsum([rows for _, rows in self.files])
        return self.files[int(np.searchsorted(ends, row, side="right"))][0] if self.files else ""


def joined(tables: Mapping[str, FileTable], *, notes: tuple[str, ...] = ()) -> FileTable:
    """Several files as one table."""
    all_of = list(tables.values())
    header = tuple(dict.fromkeys(name for table in all_of for name in table.header))
    broken = (replace(row, file=name) for name, table in tables.items() for row in table.broken)
    rows = (
        FileRow(line, cells)
        for table in all_of
        for line, cells in zip(table.lines.tolist(), table.rows(header), strict=True)
    )
    told = (f"files: {len(tables)}", *dict.fromkeys(note for table in all_of for note in table.notes), *notes)
    whole = table_of(header, rows, notes=told, format=all_of[0].format, sided=all(t.sided for t in all_of))
    files = tuple((name, len(table.lines)) for name, table in tables.items())
    return replace(whole, broken=tuple(broken), files=files)


def too_large(rows: int, columns: int) -> BadInput:
    """A small packed file may hold more rows than fit a memory."""
    return BadInput(f"it has {rows:,} rows of {columns:,} columns or more: leave out columns, or split the file")


def table_of(
    header: Sequence[str], rows: Iterable[FileRow], *, keep: Keep | None = None, **known: Any
) -> FileTable:
    """A table from its rows, one by one."""
    kept = list(header) if keep is None else [name for name in header if name in keep(header)]
    places = [header.index(name) for name in kept]
    coders, codes = [dict[str, int]() for _ in kept], [array("i") for _ in kept]
    slots = list(zip(places, coders, codes, strict=True))
    seen: set[int] = set()
    lines, broken = array("q"), list[RowProblem]()
    for line, cells, problem in rows:
        if problem:
            broken.append(RowProblem(line, problem))
            continue
        if len(lines) * len(kept) > TABLE_CELLS:
            raise too_large(len(lines), len(kept))
        for place, coder, column in slots:
            column.append(coder.setdefault(cells[place], len(coder)))
        seen.add(hash(tuple(cells)))
        lines.append(line)
    columns = {
        name: TextColumn(np.array(column, dtype=np.int32), tuple(coder))
        for name, column, coder in zip(kept, codes, coders, strict=True)
    }
    repeats = len(lines) - len(seen)
    return FileTable(tuple(header), columns, np.array(lines, dtype=np.int64), tuple(broken), repeats, **known)


class FileContent:
    """What is inside a file: its bytes, and as far as they are asked for its text, its JSON and its rows."""

    def __init__(
        self, source: str | Path | bytes, *, kind: str | None = None, encoding: str | None = None
    ) -> None:
        self.path = None if isinstance(source, bytes) else Path(source)
        self.name = "the file" if self.path is None else str(self.path)
        self.data = read_bytes(source)
        self.kind = kind or kind_of(self.data)
        self.encoding = encoding
        if self.kind not in (*KINDS, ZIP):
            raise BadInput(f"there is no kind of vote file {kind!r}; there are: {', '.join(KINDS)}")

    @cached_property
    def decoded(self) -> tuple[str, tuple[str, ...]]:
        """The text, and how it was found."""
        text, notes = decode(self.data, encoding=self.encoding)
        if not text.strip():
            raise BadInput(f"{self.name} is empty: there are no votes to read")
        return text.removeprefix("\ufeff"), notes

    @cached_property
    def document(self) -> Any:
        """The one JSON value that the file is; None where it has a value per line, or is not JSON."""
        try:
            return json.loads(self.decoded[0]) if self.kind in ("json", "jsonl") else None
        except json.JSONDecodeError:
            return None

    @cached_property
    def rows(self) -> list[JsonRow]:
        """The rows of JSON or Parquet, with their own values; none of CSV."""
        if self.kind == "parquet":
            return [JsonRow(line, row) for line, row in enumerate(parquet_rows(self.data)[1], start=1)]
        return json_rows(self.decoded[0]) if self.kind in ("json", "jsonl") else []

    @cached_property
    def first(self) -> Mapping[str, Any]:
        """The first row that has columns."""
        if self.kind == "parquet":
            return next(iter(parquet_rows(self.data, most=1)[1]), {})
        return next((row.value for row in self.rows if isinstance(row.value, dict) and row.value), {})

    @cached_property
    def members(self) -> list[str]:
        """The names in a ZIP file; none where it cannot be read."""
        try:
            return zipfile.ZipFile(io.BytesIO(self.data)).namelist() if self.kind == ZIP else []
        except zipfile.BadZipFile:
            return []

    def seen(self) -> str:
        """What it looks like, for an error."""
        if self.kind == ZIP:
            some = ", ".join(self.members[:6]) + (", ..." if len(self.members) > 6 else "")
            return f"a ZIP file with {some}" if self.members else "a ZIP file that is damaged"
        if self.kind == "csv":
            text = self.decoded[0]
            _, header = next(csv_rows(text, delimiter_in(text)), (1, []))
            return f"CSV with the columns {', '.join(repr(name.strip()) for name in header[:20])}"
        one = isinstance(self.document, dict) and len(self.rows) <= 1
        keys = list(self.document if one else self.first)[:20]
        return f"{'one JSON object' if one else 'rows'} with {', '.join(map(repr, keys)) or 'no named values'}"


def plain_table(content: FileContent, *, keep: Keep | None = None) -> FileTable:
    """The rows of a file in which each is a vote, under columns with names."""
    if content.kind == "parquet":
        return _parquet(content, keep)
    if content.kind == ZIP:
        from juryrank.votes.workbook import is_workbook, sheet_rows

        if not is_workbook(content.members):
            raise BadInput(f"{content.name} is {content.seen()}: neither a workbook (.xlsx) nor a known program's")
        return _tabulated(*sheet_rows(content.data), keep=keep)
    text, notes = content.decoded
    if content.kind != "csv":
        return _json(content.rows, notes, keep)
    delimiter = delimiter_in(text)
    if delimiter != ",":
        notes += (f"columns are separated by {delimiter!r}",)
    return _tabulated(csv_rows(text, delimiter), notes, keep=keep)


def _parquet(content: FileContent, keep: Keep | None) -> FileTable:
    file, notes = opened(content.data), ("lines are row numbers",)
    header = tuple(map(str, file.schema_arrow.names))
    if not is_flat(file):
        numbered = (FileRow(row.line, texts_of(row.value, header)) for row in content.rows)
        return table_of(header, numbered, keep=keep, notes=notes)
    kept = list(header) if keep is None else [name for name in header if name in keep(header)]
    if file.metadata.num_rows * len(kept) > TABLE_CELLS:
        raise too_large(file.metadata.num_rows, len(kept))
    found, rows, repeats = coded(file, kept)
    columns = {name: TextColumn(codes, tuple(map(cell_text, values))) for name, (codes, values) in found.items()}
    return FileTable(header, columns, np.arange(1, rows + 1), (), repeats, notes)


def read_bytes(source: str | Path | bytes) -> bytes:
    """The bytes of a file, unpacked where it is gzip."""
    try:
        data = source if isinstance(source, bytes) else Path(source).read_bytes()
        return ungzipped(data) if data[:2] == GZIP_MARK else data
    except (OSError, EOFError, ValueError, zlib.error) as problem:
        said = getattr(problem, "strerror", None) or problem
        raise BadInput(f"cannot read {str(source)[:200]!r}: {said}; check the path") from None


def kind_of(data: bytes) -> str:
    """One of KINDS or a ZIP file, by the content; a workbook of before 2007 is refused."""
    if data.startswith(OLD_WORKBOOK):
        raise BadInput("this is a workbook of before 2007 (.xls): save the sheet of votes as .xlsx or CSV")
    if data.startswith(b"PK\x03\x04"):
        return ZIP
    if data[:4] == b"PAR1":
        return "parquet"
    return "json" if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "csv"


def decode(data: bytes, *, encoding: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Bytes as text, and which encodings were tried.

    >>> decode("Ü,ß".encode("cp1252"))[1]
    ('encoding: not utf-8, read as windows-1252 (if letters look wrong, say --encoding NAME)',)
    """
    marked = next((name for mark, name in MARKS if data.startswith(mark)), None)
    wanted = encoding or marked or "utf-8"
    try:
        text = data.decode(wanted)
        return text, () if wanted == "utf-8" else (f"encoding: {wanted}",)
    except LookupError:
        raise BadInput(f"there is no encoding {wanted!r}; try utf-8, utf-16, windows-1252 or latin-1") from None
    except UnicodeDecodeError as problem:
        if encoding or marked:
            raise BadInput(f"the file is not {wanted}: byte {problem.start} cannot be read; try another") from None
    try:
        text, used = data.decode(FALLBACK), FALLBACK
    except UnicodeDecodeError:
        text, used = data.decode("latin-1"), "latin-1"
    return text, (f"encoding: not utf-8, read as {used} (if letters look wrong, say --encoding NAME)",)


def _tabulated(rows: Iterator[tuple[int, list[str]]], notes: tuple[str, ...], *, keep: Keep | None) -> FileTable:
    """A table from rows of cells whose first names the columns; rows without any text are passed over."""
    header_line, header = next(rows, (1, []))
    names = tuple(name.strip() for name in header)
    if any(names.count(name) > 1 for name in names if name):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"line {header_line}: the column {twice!r} is listed twice; give each column one name")
    empty: list[int] = []
    table = table_of(names, _records(len(names), rows, empty), keep=keep)
    return replace(table, notes=(*notes, *empty_words(empty)))


def _records(wide: int, rows: Iterator[tuple[int, list[str]]], empty: list[int]) -> Iterator[FileRow]:
    """Rows with as many cells as there are columns, or with what is wrong with them."""
    for line, cells in rows:
        many = len(cells)
        if not any(cells) or not any(cell.strip() for cell in cells):
            empty += [line] if many > 1 else []
        elif many < wide:
            yield FileRow(line, cells, f"it has {many} cells, and the first line names {wide} columns")
        elif many > wide and any(cell.strip() for cell in cells[wide:]):
            yield FileRow(line, cells, f"it has {many} cells, and the first line names only {wide} columns")
        else:
            yield FileRow(line, cells[:wide])


def csv_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line each starts on (a quoted cell may span lines); blank lines before the first are none."""
    previous = csv.field_size_limit(max(len(text), 131_072))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line, begun = 1, False
    try:
        for cells in reader:
            begun = begun or any(cell.strip() for cell in cells)
            if begun:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as problem:
        raise BadInput(
            f"line {line}: this is not CSV from here on ({problem}): probably a quote that is not closed, or not "
            'doubled inside a quoted cell (write "" for ")'
        ) from None
    finally:
        csv.field_size_limit(previous)


def empty_words(lines: Sequence[int]) -> tuple[str, ...]:
    """That rows without any text were passed over; nothing where there are none.

    >>> empty_words([3]), empty_words([3, 9])
    (('empty rows: 1, passed over (line 3)',), ('empty rows: 2, passed over (the first is line 3)',))
    """
    if not lines:
        return ()
    first = f"line {lines[0]}" if len(lines) == 1 else f"the first is line {lines[0]}"
    return (f"empty rows: {len(lines):,}, passed over ({first})",)


def delimiter_in(text: str) -> str:
    """What separates the columns, by the header."""
    found = re.search(r"[^\r\n]*\S[^\r\n]*", text)  # the first line that is not blank
    first = found[0] if found else ""
    return max(DELIMITERS, key=lambda d: (first.count(d), -DELIMITERS.index(d)))


def _json(rows: Sequence[JsonRow], notes: tuple[str, ...], keep: Keep | None) -> FileTable:
    """Rows of objects. One that cannot be read is a bad row among good ones; a log of juryrank must be whole."""
    rows = [
        row if row.problem or isinstance(row.value, dict) else JsonRow(row.line, {}, NO_OBJECT) for row in rows
    ]
    good = [row for row in rows if not row.problem]
    log = bool(good) and {"seq", "kind", "data"} <= set(good[0].value)
    bad = next((row for row in rows if row.problem), None)
    if bad is not None and (log or not good):
        raise BadInput(f"line {bad.line}: {bad.problem}")
    if log:
        _refuse_old(good[0].value)
        events = tuple(row.value for row in rows)
        return table_of((), (), notes=notes, raw=events, raw_lines=tuple(row.line for row in rows))
    if good and "events" in good[0].value and str(good[0].value.get("format")).startswith("juryrank"):
        _refuse_certificate(good[0].value)
    header = tuple(dict.fromkeys(name for row in good for name in row.value))
    records = (FileRow(row.line, texts_of(row.value, header), row.problem) for row in rows)
    return table_of(header, records, keep=keep, notes=notes)


def _refuse_old(event: Mapping[str, Any]) -> None:
    data = event["data"]
    if isinstance(data, dict) and isinstance(data.get("schema"), int):
        raise BadVotes(before_first_release("log", AS_VOTES))


def _refuse_certificate(document: Mapping[str, Any]) -> None:
    if document["format"] == "juryrank certificate":
        raise BadVotes(before_first_release("certificate", AS_VOTES))
    raise BadVotes(
        "this is a certificate, which `juryrank verify` checks; a study is brought here by its log, which "
        "`juryrank study export NAME --format jsonl` writes"
    )


class JsonRow(NamedTuple):
    """One JSON value with its line; an empty one with its problem, where it is none."""

    line: int
    value: Any
    problem: str = ""


def json_rows(text: str) -> list[JsonRow]:
    """JSON values with a line each: of JSON Lines the real one, of one array the place in it."""
    if text.lstrip().startswith("["):
        try:
            return [JsonRow(line, value) for line, value in enumerate(json.loads(text), start=1)]
        except json.JSONDecodeError as problem:
            if problem.msg != "Extra data":  # else lines that happen to begin with an array
                raise BadInput(f"line {problem.lineno}: this is not JSON ({problem.msg})") from None
    found = []
    for line, row in enumerate(text.split("\n"), start=1):  # not splitlines: texts may hold other line ends
        if row.strip():
            try:
                found.append(JsonRow(line, json.loads(row)))
            except json.JSONDecodeError as problem:
                found.append(JsonRow(line, {}, f"this is not JSON ({problem.msg}); is the file cut off?"))
    return found


def texts_of(value: Mapping[Any, Any], header: Sequence[str]) -> list[str]:
    """A row's values as texts, in the order of the header."""
    return [cell_text(value.get(name)) for name in header]


def cell_text(cell: Any) -> str:
    """A cell's value as the text that a file would hold."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float):
        return "" if cell != cell else f"{cell:.12g}"
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)
