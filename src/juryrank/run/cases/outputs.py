"""What the systems gave for the cases: {system: {case: output}}, from a mapping, a folder or a file.

mapping   {"gpt": {"q1": "...", "q2": "..."}, "llama": {...}}
file      CSV, JSON, JSON Lines or Parquet with the columns system, case, output
folder    one folder per system with a file per case (llama/q1.txt), or a file per system (llama.jsonl) with
          the columns case, output
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from juryrank.errors import BadInput, shown
from juryrank.run.cases.files import read_rows

Outputs: TypeAlias = dict[str, dict[str, Any]]
SYSTEM_KEYS, CASE_KEYS, OUTPUT_KEYS = ("system", "model", "item"), ("case", "id"), ("output", "text", "answer")
TABLES = (".csv", ".json", ".jsonl", ".parquet")


def read_outputs(given: Any) -> Outputs | None:
    """The outputs per system and case; None where the systems are plain things.

    >>> read_outputs({"new": {"q1": "4"}, "old": {"q1": "5"}})["old"]["q1"]
    '5'
    >>> read_outputs(["new", "old"]) is None
    True
    """
    if isinstance(given, Path) or (isinstance(given, str) and Path(given).exists()):
        return outputs_at(Path(given))
    if isinstance(given, Mapping):
        plain = [name for name, outputs in given.items() if not isinstance(outputs, Mapping)]
        if plain and len(plain) < len(given):
            raise BadInput(
                f"system {shown(plain[0])} has no outputs per case, others have; give all of them theirs"
            )
        if not plain:
            return {
                str(name): {str(case): out for case, out in outputs.items()} for name, outputs in given.items()
            }
    return None


def outputs_at(path: Path) -> Outputs:
    """The outputs in a file or a folder."""
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() not in TABLES:
        kinds = ", ".join(TABLES)
        raise BadInput(f"{path} is neither a folder nor a {kinds} file; its rows need system, case, output")
    return from_rows(read_rows(path), where=str(path))


def from_rows(rows: Iterable[Any], *, where: str, system: str | None = None) -> Outputs:
    """Rows with system, case and output; an output given twice is refused.

    >>> from_rows([{"system": "new", "case": 1, "output": "4"}], where="a list")
    {'new': {'1': '4'}}
    """
    found: Outputs = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise BadInput(f"row {number} of {where} is {row!r}; it must have the columns system, case, output")
        name = system or str(_column(row, SYSTEM_KEYS, number, where))
        case = str(_column(row, CASE_KEYS, number, where))
        outputs = found.setdefault(name, {})
        if case in outputs:
            raise BadInput(f"row {number} of {where} gives {shown(name)} a second output for case {shown(case)}")
        outputs[case] = _column(row, OUTPUT_KEYS, number, where)
    if not found:
        raise BadInput(f"{where} holds no outputs; it needs rows with system, case, output")
    return found


def _column(row: Mapping[str, Any], keys: tuple[str, ...], number: int, where: str) -> Any:
    key = next((key for key in keys if row.get(key) is not None), None)
    if key is None:
        columns = ", ".join(map(str, row)) or "none"
        raise BadInput(f"row {number} of {where} has no {keys[0]!r}; it has: {columns}")
    return row[key]


def _folder(path: Path) -> Outputs:
    found: Outputs = {}
    for entry in sorted(path.iterdir()):
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            files = sorted(file for file in entry.iterdir() if file.is_file() and not file.name.startswith("."))
            found[entry.name] = {file.stem: _text(file) for file in files}
        elif entry.suffix.lower() in TABLES:
            found.update(from_rows(read_rows(entry), where=str(entry), system=entry.stem))
    if len(found) < 2:
        raise BadInput(
            f"{path} holds {len(found)} systems; give each a folder with a file per case (llama/q1.txt), or a "
            "file with the columns case, output (llama.jsonl)"
        )
    return found


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{file} is not UTF-8 text; save it as UTF-8") from None
