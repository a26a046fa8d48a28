"""What the systems gave for the cases: {system: {case: output}}, from a mapping, rows, a folder or a file.

mapping   {"gpt": {"q1": "...", "q2": "..."}, "llama": {...}}
rows      a list of mappings, or a data frame, with the columns system, case, output
file      CSV, JSON, JSON Lines or Parquet with the same columns
folder    one folder per system with a file per case (llama/q1.txt), or a file per system (llama.jsonl) with
          the columns case, output; a folder of files alone is one system, of the folder's name
others    files of other programs (`juryrank.votes.formats`), one or several, or a folder of them

None and a table's sign for a gap are no output; an empty text is one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from juryrank.errors import BadInput, shown
from juryrank.votes.formats.registry import contents_of, foreign, outputs_in
from juryrank.votes.formats.shape import Output
from juryrank.votes.tables import FileContent, FileTable, JsonRow, plain_table

Outputs: TypeAlias = dict[str, dict[str, Any]]
SYSTEM_KEYS, CASE_KEYS, OUTPUT_KEYS = ("system", "model", "item"), ("case", "id"), ("output", "text", "answer")


class FoundOutputs(dict[str, dict[str, Any]]):
    """Outputs from the files of other programs, with what those say about the cases."""

    def __init__(self) -> None:
        super().__init__()
        self.inputs: dict[str, Any] = {}
        self.groups: dict[str, str | None] = {}


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Files of outputs, each with the name of its system where the caller gives one."""

    files: tuple[tuple[str | None, Path], ...]
    format: str | None = None

    def __str__(self) -> str:
        return ", ".join(str(path) for _, path in self.files)


def read_outputs(given: Any) -> Outputs | None:
    """The outputs per system and case; None where the systems are plain things.

    >>> read_outputs({"new": {"q1": "4"}, "old": {"q1": "5"}})["old"]["q1"]
    '5'
    >>> read_outputs(["new", "old"]) is None
    True
    """
    if isinstance(given, Path) or (isinstance(given, str) and Path(given).exists()):
        return outputs_at(Path(given))
    if (files := files_in(given)) is not None:
        return outputs_of(files)
    rows = frame_rows(given)
    if rows is not None or _are_rows(given):
        return from_rows(given if rows is None else rows, where="the table")
    if isinstance(given, Mapping):
        found = {name: as_mapping(outputs) for name, outputs in given.items()}
        plain = [name for name, outputs in found.items() if outputs is None]
        if plain and len(plain) < len(given):
            raise BadInput(
                f"system {shown(plain[0])} has no outputs per case, others have; give all of them theirs"
            )
        if not plain:
            return {
                str(name): {name_in(case): out for case, out in (outputs or {}).items() if not is_nothing(out)}
                for name, outputs in found.items()
            }
    return None


def files_in(given: Any) -> OutputFiles | None:
    """Several files, as a list of paths or by the name of a system; None where it is something else."""
    if isinstance(given, OutputFiles):
        return given
    named = list(given.items()) if isinstance(given, Mapping) else []
    named = [(None, path) for path in given] if isinstance(given, list | tuple) else named
    if not named or not all(isinstance(path, Path) and path.exists() for _, path in named):
        return None
    return OutputFiles(tuple(named)) if isinstance(given, Mapping) or foreign(named[0][1]) else None


def outputs_of(given: OutputFiles) -> FoundOutputs:
    """What all of the files hold; an output given twice is refused."""
    found: list[tuple[Output, Path]] = []
    for content, format in contents_of([path for _, path in given.files], format=given.format):
        path = content.path or Path()
        named = next((name for name, place in given.files if place == path or place in path.parents), None)
        if format is None and path.suffix.lower() not in TABLES:
            outputs_at(path)
        if format is not None:
            found += [(row._replace(system=named or row.system), path) for row in outputs_in(content, format)]
            continue
        system = named if named or any(column_of(row, "system") for row in read_rows(path)[:1]) else path.stem
        table = from_rows(read_rows(path), where=str(path), system=system)
        found += [(Output(name, c, out), path) for name, row in table.items() for c, out in row.items()]
    return _joined(_with_tasks(found))


def _with_tasks(found: list[tuple[Output, Path]]) -> list[tuple[Output, Path]]:
    """Several tasks: cases are named with theirs; but one model on the same inputs is a system per task."""
    if len({row.part for row, _ in found}) < 2:
        return found
    inputs: dict[str, set[str]] = {}
    for row, _ in found:
        inputs.setdefault(row.case, set()).add(str(row.input))
    if len({row.system for row, _ in found}) == 1 and all(len(texts) == 1 for texts in inputs.values()):
        return [(row._replace(system=f"{row.system}, {row.part}"), path) for row, path in found]
    return [(row._replace(case=f"{row.part}: {row.case}", group=row.part), path) for row, path in found]


def _joined(found: list[tuple[Output, Path]]) -> FoundOutputs:
    joined, seen = FoundOutputs(), dict[tuple[str, str], Path]()
    for row, path in found:
        other = seen.setdefault((row.system, row.case), path)
        known = joined.get(row.system, {})
        if row.again and known.get(row.case) == row.output:
            continue
        if row.case in known or other is not path:
            where = f"{other} and {path} both give" if other != path else f"{path} gives twice"
            raise BadInput(
                f"{where} an output of system {shown(row.system)} for case {shown(row.case)}; leave one out, "
                f"or name them apart: juryrank rank new={other} old={path} (in Python: {{name: Path}})"
            )
        outputs = joined.setdefault(row.system, {})
        if not is_nothing(row.output):
            outputs[row.case] = row.output
        joined.inputs.setdefault(row.case, row.case if row.input is None else row.input)
        joined.groups.setdefault(row.case, row.group)
    return joined


def _are_rows(given: Any) -> bool:
    """Is this a list of rows that name a system and a case?"""
    listed = isinstance(given, list | tuple) and bool(given) and all(isinstance(row, Mapping) for row in given)
    return listed and all(column_of(row, "system") and column_of(row, "case") for row in given)


def holds_outputs(path: Path) -> bool:
    """Is this a table with the columns system, case and output, and not a list of items?"""
    if path.is_file() and foreign(path) is not None:
        return True
    if path.suffix.lower() not in TABLES or not path.is_file():
        return False
    try:
        rows = read_rows(path)
    except BadInput:
        return False
    return _are_rows(rows) and any(column_of(rows[0], key) for key in OUTPUT_KEYS)


def outputs_at(path: Path) -> Outputs:
    """The outputs in a file or a folder."""
    if foreign(path) is not None:
        return outputs_of(OutputFiles(((None, path),)))
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() not in TABLES:
        kinds = ", ".join(TABLES)
        raise BadInput(
            f"{path} holds no outputs of systems, which --cases and --require need: it is "
            f"{FileContent(path).seen()}. "
            f"Give a folder for each system, a {kinds} file with the columns system, case, output, or a known "
            "program's file"
        )
    return from_rows(read_rows(path), where=str(path))


def from_rows(rows: Iterable[Any], *, where: str, system: str | None = None) -> Outputs:
    """Rows with system, case and output; an output given twice is refused.

    >>> from_rows([{"system": "new", "case": 1, "output": "4"}], where="a list")
    {'new': {'1': '4'}}
    """
    found: Outputs = {}
    seen: set[tuple[str, str]] = set()
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise BadInput(f"row {number} of {where} is {row!r}; it must have the columns system, case, output")
        name = system or name_in(_column(row, SYSTEM_KEYS, number, where))
        own = row.get(column_of(row, "system"))
        if system and own not in (None, "", system):
            raise BadInput(
                f"row {number} of {where} is of system {shown(own)}, and the file's name says "
                f"{shown(system)}; name the file as the system, or put all rows into one file"
            )
        case = name_in(_column(row, CASE_KEYS, number, where))
        outputs = found.setdefault(name, {})
        if (name, case) in seen:
            raise BadInput(f"row {number} of {where} gives {shown(name)} a second output for case {shown(case)}")
        seen.add((name, case))
        if (output := _cell(row, OUTPUT_KEYS, number, where)) is not None:
            outputs[case] = output
    if not found:
        raise BadInput(f"{where} holds no outputs; it needs rows with system, case, output")
    return found


def _column(row: Mapping[str, Any], keys: tuple[str, ...], number: int, where: str) -> Any:
    found = _cell(row, keys, number, where)
    if found is None:
        raise BadInput(f"row {number} of {where} has nothing under {keys[0]!r}; every row needs one")
    return found


def _cell(row: Mapping[str, Any], keys: tuple[str, ...], number: int, where: str) -> Any:
    """What stands in the first of these columns that says something; None where none of them does."""
    there = [column for column in (column_of(row, key) for key in keys) if column is not None]
    if not there:
        columns = ", ".join(map(str, row)) or "none"
        raise BadInput(
            f"row {number} of {where} has no {keys[0]!r}; it has: {columns}. Outputs of systems "
            "are read from rows with system, case and output, or from a folder for each system"
        )
    return next((row[key] for key in there if not is_nothing(row[key])), None)


def _folder(path: Path) -> Outputs:
    found: Outputs = {}
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            name, outputs = entry.name, _files(_files_in(entry))
        elif entry.suffix.lower() in TABLES:
            name = entry.stem
            outputs = from_rows(read_rows(entry), where=str(entry), system=name)[name]
        else:
            continue
        if name in found:
            raise BadInput(f"{path} holds system {shown(name)} twice; leave one of the two out")
        found[name] = outputs
    if not found and (files := _files_in(path)):  # a file per case and nothing else: the folder is one system
        found[path.resolve().name] = _files(files)
    return found


def _files_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))


def check_systems(outputs: Outputs, *, least: int, where: object) -> None:
    """Refuse a file or folder with fewer systems than are needed.

    >>> check_systems({"new": {"q1": "4"}}, least=1, where="newer/")
    """
    if len(outputs) < least:
        number = f"{len(outputs)} system{'' if len(outputs) == 1 else 's'}"
        raise BadInput(
            f"{where} holds {number}, and {least} or more are needed; give each a folder with a file per case "
            "(llama/q1.txt), or a file with the columns case, output (llama.jsonl)"
        )


def _files(files: Iterable[Path]) -> dict[str, Any]:
    """One output per file, named without its ending; two files for one case are refused."""
    found: dict[str, Path] = {}
    for file in files:
        if file.stem in found:
            other = found[file.stem].name
            raise BadInput(
                f"{file} and {other} are both for case {shown(file.stem)}; rename or remove one of them"
            )
        found[file.stem] = file
    return {case: _text(file) for case, file in found.items()}


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8 text; save it as UTF-8") from None


# ----------------------------------------------------------------------------
# Rows of a file (CSV, .xlsx, JSON, JSON Lines or Parquet), or of a data frame.
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
        raise BadInput(f"line {bad.line} of {path}: {bad.problem}; put quotes around texts that hold a separator")
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
