"""Reading the things to rank: lines, texts between lines of ---, CSV or .xlsx (column id or item) or JSON, from a
file or standard input; or a folder with a file for each."""

from __future__ import annotations

import json
import math
import mimetypes
import shlex
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from juryrank.defaults import MOST_ITEMS
from juryrank.errors import BadInput
from juryrank.run.cases.case import TABLES, table_rows
from juryrank.run.items import ID_KEYS, in_blocks, named_texts
from juryrank.votes.formats import arena_hard, devpost
from juryrank.votes.formats.registry import ENDINGS
from juryrank.votes.tables import ZIP, FileContent, decode, kind_of, plain_table

if TYPE_CHECKING:
    from juryrank.run.cases.outputs import OutputFiles

FORMATS = ("lines", "csv", "json")
BY_OPTION = " (if letters look wrong, say --encoding NAME)"  # which `fit` has


def read_items(source: str, *, format: str | None = None) -> list[Any]:
    """The items in a file (`-`: standard input) or a folder. The ending tells the format, unless one is named."""
    if source != "-" and Path(source).is_dir():
        return files(Path(source))
    data = _data(source)
    kind = format or _guess(source, data)
    if kind not in FORMATS:
        raise BadInput(f"there is no format {kind!r}; there are: {', '.join(FORMATS)}")
    found = rows(data) if kind == "csv" else (lines if kind == "lines" else values)(_text(data))
    if not found:
        raise BadInput(f"{source} holds no items; put one on each line, or use CSV or JSON")
    return found


def lines(text: str) -> list[Any]:
    """One item per line, without blank lines; or texts between lines of three dashes, named by their first lines.

    >>> lines("apple\\n\\n pear \\n")
    ['apple', 'pear']
    >>> lines("Apple\\nA fruit.\\n---\\nPear")
    [{'id': 'Apple', 'text': 'Apple\\nA fruit.'}, 'Pear']
    """
    if in_blocks(text):
        return [name if name == whole else {"id": name, "text": whole} for name, whole in named_texts(text)]
    return [line.strip() for line in text.splitlines() if line.strip()]


def holds_items(folder: Path) -> bool:
    """Is each file of this folder an item? (Folders within it, tables and logs hold the outputs of systems.)"""
    found, others = _visible(folder), (*TABLES, *ENDINGS)
    return bool(found) and not any(entry.is_dir() or entry.suffix.lower() in others for entry in found)


def files(folder: Path) -> list[dict[str, str]]:
    """An item for each file: what is in it, or where it is if it is no text (a picture, a recording)."""
    found = _visible(folder)
    stems = [entry.stem for entry in found]
    names = stems if len(set(stems)) == len(stems) else [entry.name for entry in found]
    return [{"id": name, **_content(entry)} for name, entry in zip(names, found, strict=True)]


def _visible(folder: Path) -> list[Path]:
    return sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))


def _content(path: Path) -> dict[str, str]:
    kind = (mimetypes.guess_type(path.name)[0] or "").partition("/")[0]
    shown = kind in ("image", "audio", "video")
    return {"file": str(path)} if shown else {"text": _text(_data(str(path))).strip()}


def rows(data: bytes) -> list[dict[str, str]]:
    """Rows of CSV or of a workbook, named by the column `id` or `item`; judges see the whole row (of Devpost's:
    not who made it).

    >>> rows(b"id;colour\\nx;red\\ny;blue\\n")
    [{'id': 'x', 'colour': 'red'}, {'id': 'y', 'colour': 'blue'}]
    """
    table = plain_table(FileContent(data, kind=ZIP if kind_of(data) == ZIP else "csv"))
    _say(note for note in table.notes if note.startswith(("encoding", "sheet")))
    found, columns = table_rows(table), list(table.header)
    bad = next((row for row in found if row.problem), None)
    if bad is not None:
        raise BadInput(f"line {bad.line}: {bad.problem}; put quotes around texts that hold a separator")
    named = [row.value for row in found]
    if devpost.recognises(columns):
        return _all_named(devpost.items(named), "id")
    key = next((column for column in ID_KEYS if column in columns), None)
    if key is None:
        raise BadInput(
            f"the CSV needs a column `id` or `item`; it has: {', '.join(columns) or 'none'}. "
            "Rename the one that names the items. (Outputs of systems need the columns system, case, output.)"
        )
    return _all_named(named, key)


def _all_named(found: list[dict[str, str]], key: str) -> list[dict[str, str]]:
    for number, row in enumerate(found, start=2):
        if not row[key]:
            raise BadInput(f"line {number} of the CSV has nothing in the column {key!r}; every item needs a name")
    return found


def values(text: str) -> list[Any]:
    """A JSON list of texts, numbers, or objects with `id` or `item` (also under the key `items`).

    >>> values('{"items": ["a", {"id": "b"}]}')
    ['a', {'id': 'b'}]
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise BadInput(
            f"this is not JSON: {problem.msg} at {where}; correct it, or name a list of lines .txt"
        ) from None
    found = found.get("items") if isinstance(found, dict) else found
    if not isinstance(found, list):
        raise BadInput('the JSON must be a list of items, or an object with the key "items"')
    for number, thing in enumerate(found, start=1):
        if thing is None or isinstance(thing, bool):
            raise BadInput(f"item {number} of the JSON is {json.dumps(thing)}; give a text, a number or an object")
    return found


def _data(source: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as problem:
        raise BadInput(f"{source} cannot be read: {problem.strerror}; give the path of a file, or -") from None


def _text(data: bytes) -> str:
    if kind_of(data) == ZIP:
        plain_table(FileContent(data))  # says what is in it
    if b"\0" in data[:4096] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadInput("this is not text; give lines, CSV, .xlsx or JSON")
    text, notes = decode(data)
    _say(notes)
    return text.removeprefix("\ufeff")


def _say(notes: Iterable[str]) -> None:
    """What was guessed about a file."""
    for note in notes:
        if "utf-8-sig" not in note:
            typer.echo(f"juryrank: {note.removesuffix(BY_OPTION)}", err=True)


def _guess(source: str, data: bytes) -> str:
    ending = Path(source).suffix.lower()
    if ending in (".csv", ".tsv", ".xlsx"):
        return "csv"
    shown = source == "-" and data.lstrip()[:1] in (b"[", b"{")
    return "json" if ending == ".json" or shown else "lines"


# ----------------------------------------------------------------------------
# What is ranked: items, or where systems' outputs on cases are


def check_size(things: list[Any] | Path | OutputFiles, source: str) -> None:
    """Refuse more items than pairs can be chosen among quickly, before anything is made of them."""
    if not isinstance(things, list) or len(things) <= MOST_ITEMS:
        return
    least = int(math.lgamma(len(things) + 1) / math.log(2))  # no way of sorting takes fewer on average
    raise BadInput(
        f"{source} holds {len(things):,} items; this command compares at most {MOST_ITEMS:,} (an order of these "
        f"takes more than {least - least % 1000:,} answers). Rank a sample, and the best of several samples after "
        f"that: shuf -n 200 {shlex.quote(source)} > sample.txt; juryrank rank sample.txt"
    )


def read_things(given: str | list[str], *, on_cases: bool, format: str | None) -> list[Any] | Path | OutputFiles:
    """Items, or where systems' outputs are: a folder, a table, any file with cases, other programs' files."""
    from juryrank.run.cases.outputs import OutputFiles, holds_outputs
    from juryrank.votes.formats.registry import FORMATS as OTHERS

    sources = [given] if isinstance(given, str) else given
    source, place = sources[0], Path(sources[0])
    files = tuple((name, arena_hard.part(path, arena_hard.ANSWERS)) for name, path in map(named_file, sources))
    place = files[0][1] if len(files) == 1 else place
    if len(sources) > 1 or files[0][0] or format in OTHERS:
        gone = next((path for _, path in files if not path.exists()), None)
        if gone is not None:
            raise BadInput(f"{gone} is not there; give files or folders of the systems' outputs, or NAME=FILE")
        return OutputFiles(files, format)
    if source != "-" and format is None and holds_outputs(place):
        return place
    if not on_cases and place.is_dir() and holds_items(place):
        return read_items(source)
    if source != "-" and (on_cases or place.is_dir() or place.suffix.lower() in (".jsonl", ".parquet", ".eval")):
        if not place.exists():
            raise BadInput(f"{source} is not there; give the file or folder of the systems' outputs")
        return place
    return read_items(source, format=format)


def recorded_things(sources: list[str], judges: Mapping[str, Any]) -> tuple[list[Any], list[str]]:
    """The systems and cases of a recorded table, where that is what is ranked and it holds no outputs."""
    from juryrank.judges.recorded import TableJudge
    from juryrank.votes.formats.registry import outputs_at_hand

    table = next((j for j in judges.values() if isinstance(j, TableJudge) and [j.source] == sources), None)
    if table is None or outputs_at_hand(Path(table.source)):
        return [], []
    return table.items, table.cases


def named_file(text: str) -> tuple[str | None, Path]:
    """A file, or NAME=FILE: what the system in it is called.

    >>> named_file("new=logs/a.eval")
    ('new', PosixPath('logs/a.eval'))
    """
    name, equals, path = text.partition("=")
    return (name, Path(path)) if equals and name and path and not Path(text).exists() else (None, Path(text))
