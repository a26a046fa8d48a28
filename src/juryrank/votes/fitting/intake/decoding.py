"""Coded columns as ballots. Whole columns are understood at once; a row that does not fit is read by itself by the
rules of `votes.rows`, which either understand it or say what is wrong with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadInput, BadVotes
from juryrank.votes.columns import FLAGS, Columns
from juryrank.votes.fitting.intake.ballots import LEFT_WON, RIGHT_WON, TIED, Ballots, sorted_by_judge
from juryrank.votes.fitting.intake.coding import CodedTable, TextColumn
from juryrank.votes.read import PROBLEMS_SHOWN, RowProblem
from juryrank.votes.rows import NOBODY, Rows, usual_values
from juryrank.votes.tables import FileRow, FileTable
from juryrank.votes.vote import Outcome
from juryrank.votes.winners import numbers_meaning, outcome_of

CODES = {Outcome.LEFT: LEFT_WON, Outcome.RIGHT: RIGHT_WON, Outcome.TIE: TIED}
SKIPPED, UNCLEAR = 3, 4  # beside the three outcomes, while reading


@dataclass(frozen=True, slots=True)
class CodedRows:
    """The rows of a table as numbers: items by their place in `names`."""

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    outcome: NDArray[np.int64]
    names: dict[str, int]


def decode(table: CodedTable, found: Columns, *, skip_bad: bool = False) -> Ballots:
    """The votes of a coded table; raises where a row is bad, unless those are to be left out."""
    rows = Rows(FileTable(table.header, ()), found)
    drawn = _drawn(table, found, rows)
    judge, judges = _judges(table, found)
    clear = (drawn.outcome != UNCLEAR) & (drawn.left != drawn.right)
    blank = drawn.names.get("", -1)
    clear &= (drawn.left != blank) & (drawn.right != blank)
    if "judge" in found.of and "" in judges:
        clear &= judge != judges.index("")
    problems = [RowProblem(row.line, row.problem) for row in table.broken]
    for k in np.flatnonzero(~clear):
        try:
            _one_row(table, found, rows, int(k), drawn, clear)
        except BadInput as problem:
            problems.append(RowProblem(int(table.lines[k]), str(problem)))
    problems.sort(key=lambda problem: problem.line)
    refuse_bad(problems, good=int(clear.sum()), skip_bad=skip_bad)
    counted = clear & (drawn.outcome < SKIPPED)
    left_out = _left_out(problems, int((clear & ~counted).sum()))
    notes = (*table.notes, found.words(), *rows.notes())
    arrays = (judge[counted], drawn.left[counted], drawn.right[counted], drawn.outcome[counted])
    return assemble(
        *arrays, names=list(drawn.names), judges=judges, judged="judge" in found.of,
        case=_cases(table, found, counted), sided=not found.sideless,
        duplicates=table.duplicates, left_out=left_out, notes=notes,
    )  # fmt: skip


def refuse_bad(problems: list[RowProblem], *, good: int, skip_bad: bool) -> None:
    """Raise where rows are bad and are not to be left out."""
    if not problems or skip_bad:
        return
    shown = "\n".join(f"  {problem}" for problem in problems[:PROBLEMS_SHOWN])
    more = len(problems) - PROBLEMS_SHOWN
    rest = f"\n  ... and {more:,} more" if more > 0 else ""
    raise BadVotes(
        f"{len(problems):,} of {good + len(problems):,} rows cannot be used:\n{shown}{rest}\n"
        "Nothing was fitted. Fix them, or leave them out with --skip-bad (in Python: skip_bad=True)."
    )


def assemble(
    judge: Any,
    left: Any,
    right: Any,
    outcome: Any,
    *,
    names: list[str],
    judges: list[str],
    case: Any,
    **known: Any,
) -> Ballots:
    """Ballots from arrays, with only those items and judges that have a counted vote; -1 in `case` is no case."""
    if not len(outcome):
        why = "; ".join(known.get("left_out", ())) or "there are none"
        raise BadVotes(f"there is no vote to fit ({why}): it takes a preference or a tie between two items")
    used, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    sitting, seats = np.unique(judge, return_inverse=True)
    half = len(outcome)
    ballots = Ballots(
        judge=seats.astype(np.int32),
        left=places[:half].astype(np.int32),
        right=places[half:].astype(np.int32),
        outcome=np.asarray(outcome, dtype=np.int8),
        items=tuple(names[k] for k in used),
        judges=tuple(judges[k] for k in sitting),
        case=_numbered(case),
        **known,
    )
    return sorted_by_judge(ballots)


def _drawn(table: CodedTable, found: Columns, rows: Rows) -> CodedRows:
    if found.sideless:
        names, (left, right) = _items(table.columns[found.of["winner"]], table.columns[found.of["loser"]])
        return CodedRows(left, right, np.full(len(left), LEFT_WON), names)
    names, (left, right) = _items(table.columns[found.of["left"]], table.columns[found.of["right"]])
    if found.flags:
        return CodedRows(left, right, _flagged(table), names)
    said = table.columns[found.of["winner"]]
    by_name = np.array([names.get(value, -1) if value else -1 for value in said.values], dtype=np.int64)[
        said.codes
    ]
    empty = np.array([not value for value in said.values], dtype=bool)[said.codes]
    is_left, is_right = by_name == left, by_name == right
    rows.names_first = bool(2 * np.count_nonzero(is_left | is_right) > len(said.codes) - np.count_nonzero(empty))
    rows.numbers = numbers_meaning(usual_values(_counts(said)))
    rows.empty = int(np.count_nonzero(empty))
    return CodedRows(left, right, _outcomes(said, rows, is_left, is_right), names)


def _outcomes(said: TextColumn, rows: Rows, is_left: Any, is_right: Any) -> NDArray[np.int64]:
    """What each row says: names and words are looked up once per distinct text."""
    by_word = np.array([_word(value, rows) for value in said.values], dtype=np.int64)[said.codes]
    by_name = np.where(is_left, LEFT_WON, np.where(is_right, RIGHT_WON, UNCLEAR))
    first, second = (by_name, by_word) if rows.names_first else (by_word, by_name)
    return np.where(first != UNCLEAR, first, second)


def _word(value: str, rows: Rows) -> int:
    outcome = outcome_of(value, left="", right="", names_first=False, numbers=rows.numbers)
    if outcome is None:
        return UNCLEAR
    return CODES.get(outcome, SKIPPED)


def _items(*columns: TextColumn) -> tuple[dict[str, int], list[NDArray[np.int64]]]:
    names: dict[str, int] = {}
    for column in columns:
        for value in column.values:
            names.setdefault(value, len(names))
    return names, [np.array([names[v] for v in c.values], dtype=np.int64)[c.codes] for c in columns]


def _judges(table: CodedTable, found: Columns) -> tuple[NDArray[np.int64], list[str]]:
    if "judge" not in found.of:
        return np.zeros(len(table.lines), dtype=np.int64), [NOBODY]
    names, (codes,) = _items(table.columns[found.of["judge"]])
    return codes, list(names)


def _cases(table: CodedTable, found: Columns, counted: Any) -> Any:
    if "case" not in found.of:
        return None
    names, (codes,) = _items(table.columns[found.of["case"]])
    codes = codes[counted]
    return np.where(codes == names.get("", -1), -1, codes)


def _numbered(case: Any) -> Any:
    """Cases counted from 0, each -1 as a case of its own; None where no vote has one."""
    if case is None or not len(case) or np.max(case) < 0:
        return None
    alone = case < 0
    own = np.where(alone, np.max(case) + np.cumsum(alone), case)
    return np.unique(own, return_inverse=True)[1].astype(np.int32)


def _flagged(table: CodedTable) -> NDArray[np.int64]:
    """Of the three columns exactly one must be 1."""
    raised = []
    for name in FLAGS:
        column = table.columns[name]
        raised.append(np.array([v.casefold() in ("1", "1.0", "true") for v in column.values])[column.codes])
    marks = np.stack(raised)
    return np.where(marks.sum(0) == 1, marks.argmax(0), UNCLEAR)


def _counts(column: TextColumn) -> Counter[str]:
    counted = np.bincount(column.codes, minlength=len(column.values))
    total: Counter[str] = Counter()
    for value, count in zip(column.values, counted, strict=True):
        if value:
            total[value] += int(count)
    return total


def _one_row(table: CodedTable, found: Columns, rows: Rows, k: int, drawn: CodedRows, clear: Any) -> None:
    """Read one row by itself: it is understood after all, or the error says why not."""
    cells = {name: column.at(k) for name, column in table.columns.items()}
    vote = rows.vote(k + 1, FileRow(int(table.lines[k]), cells))
    drawn.left[k], drawn.right[k] = drawn.names[vote.left], drawn.names[vote.right]
    drawn.outcome[k] = CODES.get(vote.outcome, SKIPPED)
    clear[k] = True


def _left_out(problems: list[RowProblem], skipped: int) -> tuple[str, ...]:
    said = [f"left out: {problem}" for problem in problems[:PROBLEMS_SHOWN]]
    if len(problems) > PROBLEMS_SHOWN:
        said.append(f"left out: {len(problems) - PROBLEMS_SHOWN:,} more bad rows")
    if skipped:
        said.append(f"left out: {skipped:,} skipped questions (no preference and no tie)")
    return tuple(said)
