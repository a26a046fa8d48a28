"""Votes from a file, a data frame, rows, or a study, as ballots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from juryrank.errors import BadInput, BadVotes
from juryrank.votes.columns import FLAGS, Columns, find_columns
from juryrank.votes.fitting.intake.ballots import Ballots
from juryrank.votes.fitting.intake.coding import CodedTable, code_frame, code_rows
from juryrank.votes.fitting.intake.decoding import CODES, assemble, decode, refuse_bad
from juryrank.votes.formats.registry import read_table
from juryrank.votes.from_log import votes_of
from juryrank.votes.read import Reading, votes_in
from juryrank.votes.rows import NOBODY
from juryrank.votes.tables import (
    FileTable,
    cell_text,
    csv_record,
    csv_rows,
    delimiter_in,
    empty_words,
    kind_of,
    read_bytes,
)
from juryrank.votes.tables import decode as decode_text
from juryrank.votes.vote import Outcome, Vote

TUPLES = {3: ("left", "right", "winner"), 4: ("judge", "left", "right", "winner")}
MEANT = ("judge", "left", "right", "winner", "loser", "case")  # the columns that a fit looks at


def ballots_of(
    votes: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    skip_bad: bool = False,
    format: str | None = None,
) -> Ballots:
    """The counted votes of a path, bytes, data frame, study, or of rows (votes, mappings, tuples).

    >>> found = ballots_of([("ann", "x", "y", "y"), ("bob", "x", "y", "tie")])
    >>> len(found), found.items, found.ties
    (2, ('x', 'y'), 1)
    """
    if isinstance(votes, Ballots):
        return votes
    how: dict[str, Any] = {"columns": columns, "skip_bad": skip_bad}
    if isinstance(votes, str | Path | bytes):
        return _from_file(votes, encoding=encoding, format=format, **how)
    if callable(getattr(votes, "events", None)):
        return _from_study(votes)
    if hasattr(votes, "to_pandas"):
        votes = votes.to_pandas()
    if hasattr(votes, "columns") and hasattr(votes, "iloc"):
        return _from_frame(votes, **how)
    if isinstance(votes, Iterable):
        return _from_rows(votes, **how)
    raise BadInput(
        f"votes are a {type(votes).__name__}; give a file's path, a data frame, a study, or rows "
        "such as (judge, left, right, winner)"
    )


def _from_file(
    source: str | Path | bytes, *, encoding: str | None, columns: Any, skip_bad: bool, format: str | None = None
) -> Ballots:
    folder = not isinstance(source, bytes) and Path(source).is_dir()
    data = b"" if folder else read_bytes(source)
    if folder or format or kind_of(data) != "csv":
        read = read_table(source, encoding=encoding, format=format)
        repeats = None if read.raw else _same_cells(read)
        return _from_reading(votes_in(read, columns=columns), skip_bad=skip_bad, duplicates=repeats)
    text, notes = decode_text(data, encoding=encoding)
    del data
    if not text.strip():
        raise BadInput("the file is empty: there are no votes to read")
    delimiter = delimiter_in(text)
    if delimiter != ",":
        notes += (f"columns are separated by {delimiter!r}",)
    empty: list[int] = []
    rows = csv_rows(text, delimiter, empty=empty)
    _, names = next(rows)
    header = tuple(name.strip() for name in names)
    found = find_columns(header, given=columns)
    if found.ours or len(set(header)) < len(header):  # questions without an answer, or a header that is refused
        reading = votes_in(read_table(text.encode(), kind="csv"), columns=columns)
        return _from_reading(reading, skip_bad=skip_bad)
    table = code_rows(header, rows, wanted=_wanted(found), notes=notes, record=csv_record)
    table = replace(table, notes=(*table.notes, *empty_words(empty)))
    return decode(table, found, skip_bad=skip_bad)


def _wanted(found: Columns) -> list[str]:
    if found.flags:
        return [*(found.of[what] for what in MEANT if what in found.of and what != "winner"), *FLAGS]
    return [found.of[what] for what in MEANT if what in found.of]


def _from_frame(frame: Any, *, columns: Any, skip_bad: bool) -> Ballots:
    frame = frame.rename(columns=str)
    found = find_columns(list(frame.columns), given=columns)
    if found.ours:
        return _from_file(frame.to_csv(index=False).encode(), encoding=None, columns=columns, skip_bad=skip_bad)
    return decode(code_frame(frame, wanted=_wanted(found)), found, skip_bad=skip_bad)


def _same_cells(table: FileTable) -> int:
    """Rows that repeat another one in every column."""
    rows = [tuple(row.cells.get(name, "") for name in table.header) for row in table.records if not row.problem]
    return len(rows) - len(set(rows))


def _from_reading(reading: Reading, *, skip_bad: bool, duplicates: int | None = None) -> Ballots:
    refuse_bad(list(reading.problems), good=len(reading.votes), skip_bad=skip_bad)
    said = tuple(f"left out: {problem}" for problem in reading.problems)
    return from_votes(
        reading.votes, sided=reading.sided, left_out=said, notes=reading.notes, duplicates=duplicates
    )


def _from_study(study: Any) -> Ballots:
    events = list(study.events())
    known = {str(item) for event in events if event.kind == "created" for item in event.data.get("items", ())}
    known |= {str(item) for item in getattr(study, "items", ())}
    imported = next((e.data.get("settings", {}).get("imported") for e in events if e.kind == "created"), None)
    return from_votes(votes_of(events), sided=not imported or bool(imported.get("sides", True)), known=known)


def from_votes(
    votes: Sequence[Vote],
    *,
    sided: bool = True,
    left_out: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
    known: Iterable[str] = (),
    duplicates: int | None = None,
) -> Ballots:
    """Ballots from vote objects; `known`: items that may have no vote; `duplicates`: rows, if counted before."""
    counted = [vote for vote in votes if vote.counts]
    kinds = Counter(vote.outcome for vote in votes if not vote.counts)
    left_out += tuple(f"left out: {kinds[kind]:,} {kind}" for kind in Outcome if kinds[kind])
    names: dict[str, int] = {}
    judges: dict[str, int] = {}
    cases: dict[str, int] = {"": -1}
    left = [names.setdefault(vote.left, len(names)) for vote in counted]
    right = [names.setdefault(vote.right, len(names)) for vote in counted]
    judge = [judges.setdefault(vote.judge, len(judges)) for vote in counted]
    case = [cases.setdefault(vote.case, len(cases)) for vote in counted]
    outcome = np.array([CODES[vote.outcome] for vote in counted], dtype=np.int8)
    return assemble(
        np.array(judge, dtype=np.int64), np.array(left, dtype=np.int64), np.array(right, dtype=np.int64), outcome,
        names=list(names), judges=list(judges), judged=set(judges) != {NOBODY} and set(judges) != {""},
        case=np.array(case, dtype=np.int64), sided=sided, left_out=left_out, notes=notes,
        duplicates=_repeats(counted) if duplicates is None else duplicates,
        never_compared=tuple(sorted(set(known) - set(names))),
    )  # fmt: skip


def _repeats(votes: Sequence[Vote]) -> int:
    """Rows with the same judge, sides, result, and id (or time of answer, where there is no id)."""
    seen = {(v.judge, v.left, v.right, v.outcome, v.vote_id, v.answered_at) for v in votes}
    return len(votes) - len(seen)


def _from_rows(rows: Iterable[Any], *, columns: Any, skip_bad: bool) -> Ballots:
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        raise BadVotes("there are no votes: the rows are empty")
    rows = chain([first], rows)
    if isinstance(first, Vote):
        return from_votes(list(rows))
    if isinstance(first, Mapping):
        listed = [dict(row) for row in rows]
        header = tuple(dict.fromkeys(str(name) for row in listed for name in row))
        cells = (([cell_text(row.get(name)) for name in header]) for row in listed)
        return _coded(header, cells, columns=columns, skip_bad=skip_bad)
    if isinstance(first, tuple | list) and len(first) in TUPLES:
        texts = ([cell_text(cell) for cell in row] for row in rows)
        return _coded(TUPLES[len(first)], texts, columns=columns, skip_bad=skip_bad)
    raise BadInput(
        f"a row is {first!r}; rows are (judge, left, right, winner), (left, right, winner), or mappings with names"
    )


def _coded(header: tuple[str, ...], rows: Iterable[list[str]], *, columns: Any, skip_bad: bool) -> Ballots:
    found = find_columns(header, given=columns)
    numbered = enumerate(rows, start=1)
    if found.ours:
        records = tuple(csv_record(header, line, cells) for line, cells in numbered)
        return _from_reading(votes_in(FileTable(header, records)), skip_bad=skip_bad)
    table: CodedTable = code_rows(header, numbered, wanted=_wanted(found), record=csv_record)
    return decode(table, found, skip_bad=skip_bad)
