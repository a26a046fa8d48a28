"""What the systems gave for the cases: {system: {case: output}}, from a mapping, rows, a folder or a file.

mapping   {"gpt": {"q1": "...", "q2": "..."}, "llama": {...}}
rows      a list of mappings, or a data frame, with the columns system, case, output (or model, prompt, response),
          or with a prompt and a column for each system
file      CSV, JSON, JSON Lines or Parquet with the same columns
folder    one folder per system with a file per case (llama/q1.txt), or a file per system (llama.jsonl) with
          the columns case, output; a folder of files alone is one system, of the folder's name
others    files of other programs (`juryrank.votes.formats`), one or several, or a folder of them

None and a table's sign for a gap are no output; an empty text is one.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from juryrank.errors import BadInput, shown
from juryrank.run.cases.case import TABLES, as_mapping, column_of, frame_rows, is_nothing, name_in, read_rows
from juryrank.votes.columns import find_columns
from juryrank.votes.formats.registry import (
    contents_of,
    files_below,
    foreign,
    outputs_in,
    passed_over,
    unread_words,
)
from juryrank.votes.formats.shape import CaseNames, Output
from juryrank.votes.tables import FileContent

Outputs: TypeAlias = dict[str, dict[str, Any]]
SYSTEM_KEYS, CASE_KEYS = ("system", "model", "item"), ("case", "id")
OUTPUT_KEYS = ("output", "text", "answer", "response", "completion")
PROMPT_KEYS = ("prompt", "input", "question", "instruction")  # of rows that name no case: the prompt is its name
OF_CASES = (*CASE_KEYS, *PROMPT_KEYS, "group", "category", "weight", "reference", "expected", "target", "gold")


class FoundOutputs(dict[str, dict[str, Any]]):
    """Outputs from a file, with what it says about the cases."""

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
    found, plain = (
        list[tuple[Output, Path]](),
        [at for _, at in given.files if at.is_dir() and not files_below(at)],
    )
    for name, path in given.files:
        systems = _folder(path) if path in plain else {}
        if name and len(systems) > 1:
            raise BadInput(f"{path} holds {len(systems)} systems; {name}=FOLDER names one, with a file per case")
        found += [
            (Output(name or own, c, out, None), path) for own, row in systems.items() for c, out in row.items()
        ]
    for content, format in contents_of([at for _, at in given.files if at not in plain], format=given.format):
        path = content.path or Path()
        named = next((name for name, place in given.files if place == path or place in path.parents), None)
        if format is None and path.suffix.lower() not in TABLES:
            outputs_at(path)
        if format is not None:
            found += [(row._replace(system=named or row.system), path) for row in outputs_in(content, format)]
            continue
        rows = read_rows(path)
        system = named if named or _names_systems(rows) else path.stem
        table = from_rows(rows, where=str(path), system=system)
        found += [
            (Output(name, c, out, table.inputs.get(c)), path)
            for name, row in table.items()
            for c, out in row.items()
        ]
    _say_unread([name for _, path in given.files if path not in plain for name in passed_over(path)])
    return _joined(_with_tasks(found))


def _names_systems(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Do the rows say of which systems they are? (A model that is the same everywhere is the file's own.)"""
    if not rows or column_of(rows[0], "system") or systems_across(rows[0]):
        return bool(rows)
    model = column_of(rows[0], "model")
    return model is not None and len({str(row.get(model)) for row in rows}) > 1


def _say_unread(names: Sequence[str]) -> None:
    if names:
        warnings.warn(unread_words(names), stacklevel=2)


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
    """Is this a list of rows that name a system and a case, or a prompt?"""
    if not (isinstance(given, list | tuple) and given and all(isinstance(row, Mapping) for row in given)):
        return False
    if all(column_of(row, "system") and column_of(row, "case") for row in given):
        return True
    ids = next((name for key in ("id", "item") if (name := column_of(given[0], key)) is not None), None)
    if ids is not None and len({str(row.get(ids)) for row in given}) == len(given):
        return False  # each row is an item
    first = given[0]
    model = column_of(first, "system") or column_of(first, "model")
    if model and _prompt_in(first) and any(column_of(first, key) for key in OUTPUT_KEYS):
        return True
    return ids is None and bool(_prompt_in(first)) and bool(systems_across(first))


def _prompt_in(row: Mapping[str, Any]) -> str | None:
    """The column that holds the prompt."""
    return next((name for key in PROMPT_KEYS if (name := column_of(row, key)) is not None), None)


def systems_across(row: Mapping[str, Any]) -> list[str]:
    """The systems of a table with a column for each of them; none where it is another table, such as of votes.

    >>> systems_across({"prompt": "2 + 2?", "gpt": "4", "llama": "5"}), systems_across({"case": 1, "output": "4"})
    (['gpt', 'llama'], [])
    """
    if any(column_of(row, key) for key in (*SYSTEM_KEYS, *OUTPUT_KEYS)):
        return []
    of_cases = {column_of(row, key) for key in OF_CASES}
    systems = [str(name) for name in row if name not in of_cases]
    if len(systems) < 2 or len(systems) == len(row):
        return []
    try:
        find_columns(list(map(str, row)))
    except BadInput:
        return systems
    return []


def holds_outputs(path: Path) -> bool:
    """Is this a table of outputs, and not a list of items?"""
    if path.is_file() and foreign(path) is not None:
        return True
    if path.suffix.lower() not in TABLES or not path.is_file():
        return False
    try:
        rows = read_rows(path)
    except BadInput:
        return False
    return _are_rows(rows) and (
        any(column_of(rows[0], key) for key in OUTPUT_KEYS) or bool(systems_across(rows[0]))
    )


def outputs_at(path: Path) -> Outputs:
    """The outputs in a file or a folder."""
    if foreign(path) is not None:
        return outputs_of(OutputFiles(((None, path),)))
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() not in TABLES:
        kinds = ", ".join(TABLES)
        raise BadInput(
            f"{path} holds no outputs of systems, which --cases, --require and several files need: it is "
            f"{FileContent(path).seen()}. "
            f"Give a folder for each system, a {kinds} file with the columns system, case, output, or a known "
            "program's file"
        )
    return from_rows(read_rows(path), where=str(path))


def from_rows(rows: Iterable[Any], *, where: str, system: str | None = None) -> FoundOutputs:
    """Rows with system, case and output; an output given twice is refused.

    >>> from_rows([{"system": "new", "case": 1, "output": "4"}], where="a list")
    {'new': {'1': '4'}}
    >>> from_rows([{"model": "new", "prompt": "2 + 2?", "response": "4"}], where="a list")
    {'new': {'2 + 2?': '4'}}
    """
    found, names = FoundOutputs(), CaseNames()
    seen: set[tuple[str, str]] = set()
    for number, row in _one_by_one(rows, where, system):
        name = system or name_in(_column(row, SYSTEM_KEYS, number, where))
        own = row.get(column_of(row, "system"))
        if system and own not in (None, "", system):
            raise BadInput(
                f"row {number} of {where} is of system {shown(own)}, and the file's name says "
                f"{shown(system)}; name the file as the system, or put all rows into one file"
            )
        prompt = next((row[key] for key in (_prompt_in(row),) if key and not is_nothing(row[key])), None)
        if prompt is not None and not any(column_of(row, key) for key in CASE_KEYS):
            case = names.name(prompt, of=name)
        else:
            case = name_in(_column(row, CASE_KEYS, number, where))
        outputs = found.setdefault(name, {})
        if (name, case) in seen:
            raise BadInput(f"row {number} of {where} gives {shown(name)} a second output for case {shown(case)}")
        seen.add((name, case))
        if prompt is not None:
            found.inputs.setdefault(case, prompt)
        if (output := _cell(row, OUTPUT_KEYS, number, where)) is not None:
            outputs[case] = output
    if not found:
        raise BadInput(f"{where} holds no outputs; it needs rows with system, case, output")
    return found


def _one_by_one(rows: Iterable[Any], where: str, system: str | None) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """The rows with their numbers; one with a column for each system as a row for each."""
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise BadInput(f"row {number} of {where} is {row!r}; it must have the columns system, case, output")
        across = systems_across(row) if system is None else []
        if across and number == 1:
            warnings.warn(f"{where} has a column for each system: {', '.join(across)}", stacklevel=2)
        rest = {name: cell for name, cell in row.items() if name not in across}
        yield from ((number, {**rest, "system": name, "output": row[name]}) for name in across)
        if not across:
            yield number, row


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
            "are read from rows with system, case and output, from a prompt with a column for each system, or "
            "from a folder for each"
        )
    return next((row[key] for key in there if not is_nothing(row[key])), None)


def _folder(path: Path) -> Outputs:
    found, unread = FoundOutputs(), list[str]()
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            unread.append(entry.name)
            continue
        if entry.is_dir():
            name, outputs = entry.name, _files(_files_in(entry))
        elif entry.suffix.lower() in TABLES:
            name = entry.stem
            table = from_rows(read_rows(entry), where=str(entry), system=name)
            outputs, found.inputs = table[name], table.inputs | found.inputs
        else:
            unread.append(entry.name)
            continue
        if name in found:
            raise BadInput(f"{path} holds system {shown(name)} twice; leave one of the two out")
        found[name] = outputs
    if not found and (files := _files_in(path)):  # a file per case and nothing else: the folder is one system
        found[path.resolve().name] = _files(files)
        unread = []
    _say_unread(unread)
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
