"""Votes from a file, a data frame, rows, or a study, as ballots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from juryrank.errors import BadInput, BadVotes
from juryrank.votes.columns import FLAGS, Columns, find_columns, plain
from juryrank.votes.fitting.ballots import Ballots, Floats, assemble
from juryrank.votes.formats.registry import read_table
from juryrank.votes.logs import log_in, votes_of
from juryrank.votes.read import UNKNOWN_LINE, in_groups, refuse_bad, words_for
from juryrank.votes.rows import NOBODY, OUTCOMES, PLACE, Rows, named_alike
from juryrank.votes.tables import FileRow, FileTable, TextColumn, cell_text, table_of, texts_of
from juryrank.votes.vote import Vote
from juryrank.votes.winners import number_in

TUPLES = {3: ("left", "right", "winner"), 4: ("judge", "left", "right", "winner")}
MEANT = ("judge", "left", "right", "winner", "loser", "case", "grade", "outcome", "vote_id")  # of use to a fit
OURS = ("outcome", "vote_id")  # ... of our own export alone
COUNTED = 3  # the first outcomes: left, right, tie


def ballots_of(
    votes: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str | None = None,
    skip_bad: bool = False,
    format: str | None = None,
    tie: str | Sequence[str] = (),
    control: Sequence[str] = (),
) -> Ballots:
    """The counted votes of a path, bytes, data frame (Dask's too), study, or of rows (votes, mappings, tuples).

    >>> found = ballots_of([("ann", "x", "y", "y"), ("bob", "x", "y", "tie")])
    >>> len(found), found.items, found.ties
    (2, ('x', 'y'), 1)
    """
    if isinstance(votes, Ballots):
        return votes
    live = callable(getattr(votes, "events", None))
    table = None if live else _table(votes, columns, control, encoding=encoding, format=format)
    if control and (live or isinstance(table, list) or (table is not None and table.raw)):
        raise BadInput(f"--control {control[0]}: votes of a study have no such column; give a file that has it")
    if table is None:
        return _from_study(votes)
    if isinstance(table, list):
        return from_votes(table)
    if table.raw:
        return from_votes(votes_of(log_in(table).checked().events), notes=("raw events of juryrank",))
    return decode(Rows(table, columns=columns, ties=words_for(tie)), skip_bad=skip_bad, control=control)


def _table(
    votes: Any, columns: Mapping[str, str] | None, control: Sequence[str], **how: Any
) -> FileTable | list[Vote]:
    """A table of what was given, with the columns that matter; or votes."""
    if isinstance(votes, str | Path | bytes):
        return read_table(votes, keep=lambda header: _wanted(header, columns, control), **how)
    if isinstance(votes, list | tuple) and votes and all(isinstance(path, Path) for path in votes):
        return read_table(votes, **how)
    if type(votes).__module__.startswith("dask."):
        return _cluster_table(votes, _wanted(list(map(str, votes.columns)), columns, control))
    if hasattr(votes, "to_pandas"):
        votes = votes.to_pandas()
    if hasattr(votes, "columns") and hasattr(votes, "iloc"):
        frame = votes.rename(columns=str)
        return _frame_table(frame, _wanted(list(frame.columns), columns, control))
    if isinstance(votes, Iterable):
        return _row_table(votes)
    raise BadInput(
        f"votes are a {type(votes).__name__}; give a file's path, a data frame, a study, or rows "
        "such as (judge, left, right, winner)"
    )


def _wanted(header: Sequence[str], columns: Mapping[str, str] | None, control: Sequence[str]) -> set[str]:
    found = find_columns(header, given=columns)
    controls = {column for name in control for column in columns_for(header, found, name)}
    flags = set(FLAGS) if found.flags else set()
    meant = MEANT if found.ours else [what for what in MEANT if what not in OURS]
    return {found.of[what] for what in meant if what in found.of} | flags | controls


def _cluster_table(frame: Any, wanted: set[str]) -> FileTable:
    """A frame of Dask's: its workers count equal rows, and only the counts come here."""
    named = sorted(wanted)
    try:
        counts = frame[named].groupby(named, dropna=False).size().compute()
    except Exception as problem:  # whatever a worker raises
        raise not_counted(problem) from problem
    told = "equal rows were counted by Dask: they have no line numbers"
    table = _frame_table(counts.index.to_frame(index=False), wanted)
    many = counts.to_numpy()
    again = int(many.sum()) - len(many) if len(named) == len(frame.columns) else None
    return replace(table, counts=many, lines=np.full(len(many), UNKNOWN_LINE), duplicates=again, notes=(told,))


def not_counted(problem: Exception) -> BadInput:
    """What is said where a cluster, or the header read for it, fails."""
    first = problem.__cause__ or problem  # Dask wraps what pandas says
    return BadInput(
        f"the cluster could not count these votes ({type(first).__name__}: {str(first).strip()}). Can every "
        "worker read the files under these paths? If they are not UTF-8, say --encoding. What is broken in a file "
        "says juryrank fit FILE, without --engine"
    )


def _frame_table(frame: Any, wanted: set[str]) -> FileTable:
    import pandas

    header, found = tuple(frame.columns), {}
    for name in sorted(wanted):
        codes, values = pandas.factorize(frame[name], use_na_sentinel=False)
        texts = tuple(cell_text(None if pandas.isna(value) else _plain(value)) for value in values)
        found[name] = TextColumn(codes.astype(np.int32), texts)
    try:
        repeats = int(frame.duplicated().sum())
    except TypeError:  # a column holds lists: rows that cannot be compared are not called repeats
        repeats = 0
    return FileTable(header, found, np.arange(len(frame)), (), repeats, ("lines are row numbers, from 0",))


def _plain(value: Any) -> Any:
    """A numpy value as Python's own."""
    return value.item() if isinstance(value, np.generic) else value


def _row_table(rows: Iterable[Any]) -> FileTable | list[Vote]:
    rows = iter(rows)
    first = next(rows, None)
    if first is None:
        raise BadVotes("there are no votes: the rows are empty")
    rows = chain([first], rows)
    if isinstance(first, Vote):
        return list(rows)
    if isinstance(first, Mapping):
        listed = [{str(name): cell for name, cell in row.items()} for row in rows]
        header = tuple(dict.fromkeys(name for row in listed for name in row))
        return table_of(header, (FileRow(n, texts_of(row, header)) for n, row in enumerate(listed, start=1)))
    if isinstance(first, tuple | list) and len(first) in TUPLES:
        header = TUPLES[len(first)]
        return table_of(header, (_tuple_row(n, row, len(header)) for n, row in enumerate(rows, start=1)))
    raise BadInput(
        f"a row is {first!r}; rows are (judge, left, right, winner), (left, right, winner), or mappings with names"
    )


def _tuple_row(number: int, row: Any, wide: int) -> FileRow:
    cells = [cell_text(cell) for cell in row]
    return FileRow(
        number, cells, "" if len(cells) == wide else f"it has {len(cells)} values, the first has {wide}"
    )


def decode(rows: Rows, *, skip_bad: bool, control: Sequence[str] = ()) -> Ballots:
    """The counted votes of a table; raises where a row is bad, unless those are to be left out."""
    refuse_bad(rows.problems, good=int(np.sum(rows.clear * rows.many)), skip_bad=skip_bad)
    counted = rows.clear & (rows.outcome < COUNTED)
    left_out = [*(f"left out: {words}" for words in in_groups(rows.problems)), *_uncounted(rows)]
    apart = np.stack([differences(rows, name) for name in control], axis=1) if control else None
    if apart is not None and (unknown := int(np.sum((counted & np.isnan(apart).any(1)) * rows.many))):
        left_out.append(f"left out: {unknown:,} votes without a number for {' or '.join(control)}")
        counted &= ~np.isnan(apart).any(1)
    judged, judges = "judge" in rows.found.of, list(rows.judge.names)
    case = named_alike(rows.column("case"))[0]
    ballots = assemble(
        rows.judge.codes[counted], rows.left.codes[counted], rows.right.codes[counted], rows.outcome[counted],
        names=list(rows.left.names), judges=judges if judged else [NOBODY], judged=judged and judges != [NOBODY],
        case=np.where(case.blank, -1, case.codes)[counted] if "case" in rows.found.of else None,
        case_names=list(case.names),
        grade=None if rows.grade is None else rows.grade[counted],
        count=None if rows.table.counts is None else rows.table.counts[counted],
        control=None if apart is None else apart[counted], sided=rows.sided, left_out=tuple(left_out),
        duplicates=rows.table.duplicates, notes=tuple(rows.notes()),
    )  # fmt: skip
    return ballots if apart is None else _controlled(ballots, control)


def _controlled(ballots: Ballots, names: Sequence[str]) -> Ballots:
    """The same with each control in standard deviations, free to bend."""
    found = [
        checked(column, ballots, name=name)
        for column, name in zip(ballots.control.T, names, strict=True)  # type: ignore[union-attr]
    ]
    control = bent(np.stack([column for column, _ in found], axis=1))
    return replace(ballots, control=control, controls=tuple(zip(names, (s for _, s in found), strict=True)))


def _uncounted(rows: Rows) -> list[str]:
    many = None if rows.table.counts is None else rows.table.counts[rows.clear]
    kinds = np.bincount(rows.outcome[rows.clear], many, len(OUTCOMES)).astype(int)
    return [f"left out: {many:,} {kind}" for kind, many in zip(OUTCOMES, kinds, strict=True)
            if many and PLACE[kind] >= COUNTED]  # fmt: skip


def _from_study(study: Any) -> Ballots:
    events = list(study.events())
    known = {str(item) for event in events if event.kind == "created" for item in event.data.get("items", ())}
    known |= {str(item) for item in getattr(study, "items", ())}
    imported = next((e.data.get("settings", {}).get("imported") for e in events if e.kind == "created"), None)
    return from_votes(votes_of(events), sided=not imported or bool(imported.get("sides", True)), known=known)


def from_votes(
    votes: Sequence[Vote], *, sided: bool = True, notes: tuple[str, ...] = (), known: Iterable[str] = ()
) -> Ballots:
    """Ballots from vote objects; `known`: items that may have no vote."""
    header = ("judge", "left", "right", "winner", "outcome", "case", "grade", "vote_id", "answered_at")
    counted = [vote for vote in votes if vote.counts]
    kinds = [vote.outcome for vote in votes if not vote.counts]
    left_out = tuple(f"left out: {kinds.count(kind):,} {kind}" for kind in OUTCOMES if kind in kinds)
    rows = (FileRow(k, [cell_text(getattr(vote, name)) for name in header]) for k, vote in enumerate(counted, 1))
    table = table_of(header, rows)
    left, right = named_alike(table.columns["left"], table.columns["right"])
    judge, case = (named_alike(table.columns[name])[0] for name in ("judge", "case"))
    grade = table.columns["grade"].each(lambda text: float(text) if text else np.nan, float)
    return assemble(
        judge.codes, left.codes, right.codes, np.array([PLACE[vote.outcome] for vote in counted]),
        names=list(left.names), judges=list(judge.names), judged=not set(judge.names) <= {NOBODY, ""},
        case=np.where(case.blank, -1, case.codes), case_names=list(case.names), grade=grade,
        sided=sided, left_out=left_out, notes=notes, duplicates=table.duplicates,
        never_compared=tuple(sorted(set(known) - set(left.names))),
    )  # fmt: skip


# ----------------------------------------------------------------------------
# Numbers to control for, such as length: how much more of them left had than right, in standard deviations
#
# A control is a column of differences (left minus right), two columns by side (`length_a`, `length_b`), or, for
# `length`, two columns of texts. Its effect is free to bend: β d + γ tanh d, with tanh as in length-controlled win
# rates (Dubois et al. 2024), where twenty pages more are no longer ten times two.
SIDES = (("left", "right"), ("a", "b"), ("1", "2"), ("winner", "loser"), ("chosen", "rejected"))
LENGTH = "length"
TEXTS = ("response", "answer", "output", "completion", "generation", "text", "conversation")
OWN_LEAST = 0.001  # share of a control's variance that differs within a pair of items
OWN_PART_UP_TO = 3000  # items whose own part of a control is worked out


def columns_for(header: Sequence[str], found: Columns, name: str) -> tuple[str, ...]:
    """The column of differences, or the two by side, that a control means."""
    if name in header:
        return (name,)
    own = {plain(column): column for column in header if column not in found.of.values()}
    words = (plain(name), *(TEXTS if plain(name) == LENGTH else ()))
    for word in words:
        for sides in SIDES:
            for first, second in ((word + sides[0], word + sides[1]), (sides[0] + word, sides[1] + word)):
                if first in own and second in own:
                    return own[first], own[second]
    raise BadInput(
        f"--control {name}: the file has no column {name!r} (left minus right), and no two by side such as "
        f"{name}_a and {name}_b; its columns are {', '.join(map(repr, header[:20]))}"
    )


def differences(rows: Rows, name: str) -> Floats:
    """Left minus right, row by row; nan where a number is missing."""
    columns = columns_for(rows.table.header, rows.found, name)
    as_texts = len(columns) == 2 and plain(name) == LENGTH and not plain(columns[0]).count(LENGTH)
    values = [rows.table.columns[c].each(_length if as_texts else _number, float) for c in columns]
    found: Floats = values[0] if len(values) == 1 else values[0] - values[1]
    if np.isnan(found).all():
        raise BadInput(f"--control {name}: {' and '.join(map(repr, columns))} hold no numbers")
    return found


def _number(text: str) -> float:
    number = number_in(text)
    return np.nan if number is None else number


def _length(text: str) -> float:
    return float(len(text))


def checked(difference: Floats, votes: Ballots, *, name: str) -> tuple[Floats, float]:
    """The difference in standard deviations, and what one is; refused where nothing tells it from the items."""
    spread = float(np.sqrt(np.sum(difference**2 * votes.weight) / votes.total))
    if spread == 0:
        raise BadInput(f"--control {name}: the two sides never differ in it, so there is nothing to control for")
    if len(votes.items) <= OWN_PART_UP_TO and _own_share(difference, votes) < OWN_LEAST:
        raise BadInput(
            f"--control {name}: each item always has the same {name} here, so nothing tells its effect from the "
            "items themselves; it takes a number per answer, not per item"
        )
    return difference / spread, spread


def _own_share(difference: Floats, votes: Ballots) -> float:
    """The share of the differences that is not explained by a number per item."""
    left, right, many, items = votes.left, votes.right, votes.weight, len(votes.items)
    graph = np.diag(votes.seen()).astype(float)
    np.subtract.at(graph, (left, right), many)
    np.subtract.at(graph, (right, left), many)
    pull = np.bincount(left, difference * many, items) - np.bincount(right, difference * many, items)
    number = np.linalg.lstsq(graph, pull, rcond=None)[0]
    rest = difference - (number[left] - number[right])
    return float(np.sum(rest**2 * many) / np.sum(difference**2 * many))


def bent(differences: Floats) -> Floats:
    """The columns that the model has of each control (votes by controls): itself, and its hyperbolic tangent."""
    return np.stack([differences, np.tanh(differences)], axis=-1).reshape(len(differences), -1)
