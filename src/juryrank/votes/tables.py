"""Files to rows: CSV of any dialect and encoding, JSON, JSON Lines, Parquet; each row with its line number."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from juryrank.errors import BadInput, need_extra

DELIMITERS = (",", "\t", ";", "|")
# Byte order marks, the longest first (UTF-16's is the beginning of UTF-32's).
MARKS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
FALLBACK = "windows-1252"
KINDS = ("csv", "jsonl", "json", "parquet")
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how Excel's files begin, today's and those until 2003


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row: the line it starts on, its cells as text, and what is wrong with it as a row."""

    line: int
    cells: Mapping[str, str]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file's header and rows; `notes` say how it was read. `raw`: the events, if it is a raw log of juryrank."""

    header: tuple[str, ...]
    records: tuple[FileRow, ...]
    notes: tuple[str, ...] = ()
    raw: tuple[Mapping[str, Any], ...] = ()
    raw_lines: tuple[int, ...] = ()


def read_table(source: str | Path | bytes, *, kind: str | None = None, encoding: str | None = None) -> FileTable:
    """A file, or its bytes, as rows. `kind` is one of KINDS; by default the content tells."""
    data = source if isinstance(source, bytes) else _bytes_of(Path(source))
    kind = kind or kind_of(data)
    if kind == "parquet":
        return _parquet(data)
    text, notes = decode(data, encoding=encoding)
    if not text.strip():
        raise BadInput("the file is empty: there are no votes to read")
    if kind == "csv":
        return _csv(text, notes)
    if kind not in KINDS:
        raise BadInput(f"there is no kind of vote file {kind!r}; there are: {', '.join(KINDS)}")
    return _json(text, notes)


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as problem:
        raise BadInput(f"cannot read {str(path)!r}: {problem.strerror or problem}") from None


def kind_of(data: bytes) -> str:
    """One of KINDS, by the content; a workbook of a spreadsheet program is refused."""
    if data.startswith(WORKBOOKS):
        raise BadInput("this is a workbook (Excel or the like) or a ZIP file: save the sheet of votes as CSV")
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


def _csv(text: str, notes: tuple[str, ...]) -> FileTable:
    delimiter = delimiter_in(text)
    if delimiter != ",":
        notes += (f"columns are separated by {delimiter!r}",)
    empty: list[int] = []
    rows = csv_rows(text, delimiter, empty=empty)
    header_line, header = next(rows, (1, []))
    names = tuple(name.strip() for name in header)
    if any(names.count(name) > 1 for name in names if name):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"line {header_line}: the column {twice!r} is listed twice; give each column one name")
    records = tuple(csv_record(names, line, cells) for line, cells in rows)
    return FileTable(names, records, (*notes, *empty_words(empty)))


def csv_rows(text: str, delimiter: str, *, empty: list[int]) -> Iterator[tuple[int, list[str]]]:
    """Rows with the line each starts on (a quoted cell may span lines); to `empty` go lines of separators only."""
    previous = csv.field_size_limit(max(len(text), 131_072))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            elif len(cells) > 1:
                empty.append(line)
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


def csv_record(names: Sequence[str], line: int, cells: Sequence[str]) -> FileRow:
    """A row with its cells by name; its problem where there are too few cells or too many."""
    extra = [cell for cell in cells[len(names) :] if cell.strip()]
    problem = ""
    if len(cells) < len(names):
        problem = f"it has {len(cells)} cells, and the first line names {len(names)} columns"
    elif extra:
        problem = f"it has {len(cells)} cells, and the first line names only {len(names)} columns"
    return FileRow(line, dict(zip(names, cells, strict=False)), problem)


def _json(text: str, notes: tuple[str, ...]) -> FileTable:
    """Rows of objects. One that cannot be read is a bad row among good ones; a log of juryrank must be whole."""
    rows = _objects(text)
    good = [row for row in rows if not row.problem]
    log = bool(good) and {"seq", "kind", "data"} <= set(good[0].value)
    bad = next((row for row in rows if row.problem), None)
    if bad is not None and (log or not good):
        raise BadInput(f"line {bad.line}: {bad.problem}")
    if log:
        return FileTable((), (), notes, tuple(row.value for row in rows), tuple(row.line for row in rows))
    header = tuple(dict.fromkeys(name for row in good for name in row.value))
    return FileTable(header, tuple(FileRow(row.line, _texts(row.value), row.problem) for row in rows), notes)


class JsonRow(NamedTuple):
    """One JSON object with its line; an empty one with its problem, where it is none."""

    line: int
    value: Mapping[str, Any]
    problem: str = ""


def _objects(text: str) -> list[JsonRow]:
    """JSON objects with a line each: of JSON Lines the real one, of one array the place in it."""
    text = text.removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        try:
            return [_object(line, value) for line, value in enumerate(json.loads(text), start=1)]
        except json.JSONDecodeError as problem:
            if problem.msg != "Extra data":  # else lines that happen to begin with an array
                raise BadInput(f"line {problem.lineno}: this is not JSON ({problem.msg})") from None
    found = []
    for line, row in enumerate(text.split("\n"), start=1):
        if row.strip():
            try:
                found.append(_object(line, json.loads(row)))
            except json.JSONDecodeError as problem:
                found.append(JsonRow(line, {}, f"this is not JSON ({problem.msg}); is the file cut off?"))
    return found


def _object(line: int, value: Any) -> JsonRow:
    if isinstance(value, dict):
        return JsonRow(line, value)
    return JsonRow(line, {}, "each vote must be a JSON object with named values")


def _texts(value: Mapping[str, Any]) -> dict[str, str]:
    return {name: cell_text(cell) for name, cell in value.items()}


def cell_text(cell: Any) -> str:
    """A cell's value as the text that a file would hold."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(int(cell))
    if isinstance(cell, float):
        return "" if cell != cell else f"{cell:.12g}"
    return cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False, default=str)


def _parquet(data: bytes) -> FileTable:
    parquet = need_extra("pyarrow.parquet", extra="votes", what="a Parquet file")
    try:
        table = parquet.read_table(io.BytesIO(data))
    except Exception as problem:  # pyarrow has no common base for what a broken file raises
        raise BadInput(f"this Parquet file cannot be read: {problem}") from None
    rows = enumerate(table.to_pylist(), start=1)
    header = tuple(str(name) for name in table.column_names)
    return FileTable(header, tuple(FileRow(line, _texts(row)) for line, row in rows), ("lines are row numbers",))
