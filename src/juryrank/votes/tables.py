"""Files to rows: CSV of any dialect and encoding, JSON, JSON Lines, Parquet; each row with its line number."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from juryrank.errors import BadInput, BadVotes, before_first_release, need_extra

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
    format: str = ""  # whose file it is, where it is not a plain table
    sided: bool = True  # is left what was shown on the left?
    raw: tuple[Mapping[str, Any], ...] = ()
    raw_lines: tuple[int, ...] = ()


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
            return f"CSV with the columns {', '.join(map(repr, plain_table(self).header[:20]))}"
        one = isinstance(self.document, dict) and len(self.rows) <= 1
        keys = list(self.document if one else self.first)[:20]
        return f"{'one JSON object' if one else 'rows'} with {', '.join(map(repr, keys)) or 'no named values'}"


def plain_table(content: FileContent) -> FileTable:
    """The rows of a file in which each is a vote, under columns with names."""
    if content.kind == "parquet":
        header, values = parquet_rows(content.data)
        rows = enumerate(values, start=1)
        return FileTable(header, tuple(FileRow(n, _texts(row)) for n, row in rows), ("lines are row numbers",))
    if content.kind == ZIP:
        raise BadInput(
            f"this is a workbook (Excel or the like) or {content.seen()}: save the sheet of votes as CSV"
        )
    text, notes = content.decoded
    return _csv(text, notes) if content.kind == "csv" else _json(content.rows, notes)


def read_bytes(source: str | Path | bytes) -> bytes:
    """The bytes of a file, unpacked where it is gzip."""
    try:
        data = source if isinstance(source, bytes) else Path(source).read_bytes()
        return gzip.decompress(data) if data[:2] == GZIP_MARK else data
    except (OSError, EOFError, ValueError, zlib.error) as problem:
        said = getattr(problem, "strerror", None) or problem
        raise BadInput(f"cannot read {str(source)[:200]!r}: {said}") from None


def kind_of(data: bytes) -> str:
    """One of KINDS or a ZIP file, by the content; an old workbook of a spreadsheet program is refused."""
    if data.startswith(OLD_WORKBOOK):
        raise BadInput("this is a workbook (Excel or the like): save the sheet of votes as CSV")
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


def _json(rows: Sequence[JsonRow], notes: tuple[str, ...]) -> FileTable:
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
        return FileTable((), (), notes, raw=events, raw_lines=tuple(row.line for row in rows))
    if good and "events" in good[0].value and str(good[0].value.get("format")).startswith("juryrank"):
        _refuse_certificate(good[0].value)
    header = tuple(dict.fromkeys(name for row in good for name in row.value))
    return FileTable(header, tuple(FileRow(row.line, _texts(row.value), row.problem) for row in rows), notes)


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


def parquet_rows(data: bytes) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The columns and rows of a Parquet file."""
    parquet = need_extra("pyarrow.parquet", extra="votes", what="a Parquet file")
    try:
        table = parquet.read_table(io.BytesIO(data))
    except Exception as problem:  # pyarrow has no common base for what a broken file raises
        raise BadInput(f"this Parquet file cannot be read: {problem}") from None
    return tuple(str(name) for name in table.column_names), table.to_pylist()
