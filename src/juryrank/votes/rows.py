"""What the rows of a table say, whole columns at a time: judge, two items, outcome, case; and what is wrong with a
row. (What a result says: `winners.py`. Which column is which: `columns.py`.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.columns import FLAGS, find_columns
from juryrank.votes.tables import FileTable, RowProblem, TextColumn
from juryrank.votes.vote import Outcome, Vote
from juryrank.votes.winners import NO_ANSWER, Numbers, number_in, numbers_meaning, outcome_of

NOBODY = "unknown"  # the judge of files that name none
OUTCOMES = tuple(Outcome)  # an outcome is its place here
PLACE = {outcome: place for place, outcome in enumerate(OUTCOMES)}
LEFT, RIGHT, TIE, SKIP = (PLACE[o] for o in (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE, Outcome.SKIP))
UNCLEAR = -1
RARE = 1000  # a spelling on fewer than one row in so many does not change what a column means
Ints = NDArray[Any]
CODE, SMALL = np.int32, np.int8  # of names, of outcomes: millions of rows fit


@dataclass(frozen=True, slots=True)
class Names:
    """Distinct texts, and per row which one it is."""

    names: dict[str, int]
    codes: Ints

    @property
    def blank(self) -> Any:
        """Rows that say nothing."""
        return self.codes == self.names.get("", UNCLEAR)


class Rows:
    """The rows of one table, understood by one convention for the whole of it.

    `ties` are further words for "no difference".
    """

    def __init__(
        self, table: FileTable, *, columns: Mapping[str, str] | None = None, ties: tuple[str, ...] = ()
    ) -> None:
        self.table, self.found = table, find_columns(table.header, given=columns)
        self._columns: dict[str, TextColumn] = {}
        self.ties = frozenset(word.strip().casefold() for word in ties)
        if table.format and "grade" in table.header:  # a plain table may call anything a grade
            self.found = self.found.with_grade()
        self._work_out()

    def _work_out(self) -> None:
        of, two = self.found.of, ("winner", "loser") if self.found.sideless else ("left", "right")
        self.left, self.right = named_alike(self.column(two[0]), self.column(two[1]))
        self.judge = named_alike(self.column("judge"))[0]
        self.names_first = False
        self.numbers: Numbers | None = None
        self.empty = 0
        self.grade = self._grades() if "grade" in of else None
        self.outcome = self._outcomes()
        if self.grade is not None:
            graded = ~np.isnan(self.grade)
            by_grade = np.where(self.grade > 0, LEFT, np.where(self.grade < 0, RIGHT, TIE)).astype(SMALL)
            self.outcome = np.where(graded, by_grade, self.outcome)
            self.outcome[np.abs(self.grade) > 1] = UNCLEAR

    @property
    def many(self) -> Any:
        """How many rows each one stands for."""
        return 1 if self.table.counts is None else self.table.counts

    def column(self, meaning: str) -> TextColumn:
        """A column's texts, without blanks around them (our own export is taken literally); empty: no such one."""
        if meaning not in self._columns:
            self._columns[meaning] = self._column(meaning)
        return self._columns[meaning]

    def _column(self, meaning: str) -> TextColumn:
        name = self.found.of.get(meaning)
        if name is None:
            return TextColumn(np.zeros(len(self.table.lines), dtype=np.int32), ("",))
        column = self.table.columns[name]
        if self.found.ours:
            return column
        return TextColumn(column.codes, tuple(value.strip() for value in column.values))

    def numbers_of(self, meaning: str) -> NDArray[np.float64]:
        """A column of numbers; nan where it says nothing that is one ("3 s", a date)."""
        column = self.column(meaning)
        return column.each(lambda text: np.nan if (n := number_in(text)) is None else n, float)

    def _grades(self) -> NDArray[np.float64]:
        column = self.column("grade")
        wrong = float("inf")  # beyond 1, so that it is named
        return column.each(lambda t: np.nan if not t else wrong if (n := number_in(t)) is None else n, float)

    # ------------------------------------------------------------------ outcomes
    def _outcomes(self) -> Ints:
        if self.found.sideless:
            return np.full(len(self.table.lines), LEFT, dtype=SMALL)
        if self.found.flags:
            return self._flagged()
        if "winner" not in self.found.of:
            return np.full(len(self.table.lines), SKIP, dtype=SMALL)
        said = self.column("winner")
        by_name = said.each(lambda value: self.left.names.get(value, UNCLEAR) if value else UNCLEAR, CODE)
        is_left, is_right = by_name == self.left.codes, by_name == self.right.codes
        if self.found.ours:
            return self._ours(is_left, is_right, said.each(lambda value: not value, bool))
        counted = Counter[str]()
        times = np.bincount(said.codes, self.table.counts, len(said.values))
        for value, many in zip(said.values, times, strict=True):
            counted[value] += int(many)
        gaps = NO_ANSWER - self.ties
        self.empty = sum(counted.pop(word) for word in list(counted) if word.casefold() in gaps)
        total = sum(counted.values())
        self.names_first = bool(2 * np.sum((is_left | is_right) * self.many) > total)
        self.numbers = numbers_meaning(value for value, many in counted.items() if many * RARE >= total)
        by_word = said.each(self._word, SMALL)
        by_side = np.where(is_right, SMALL(RIGHT), np.where(is_left, SMALL(LEFT), SMALL(UNCLEAR)))
        first, second = (by_side, by_word) if self.names_first else (by_word, by_side)
        return np.where(first != UNCLEAR, first, second)

    def _word(self, value: str) -> int:
        if value.casefold() in self.ties:
            return TIE
        outcome = outcome_of(value, numbers=self.numbers)
        return UNCLEAR if outcome is None else PLACE[outcome]

    def _ours(self, is_left: Any, is_right: Any, empty: Any) -> Ints:
        """Our own export: the outcome decides, and must agree with the winner."""
        words = {outcome.value: place for outcome, place in PLACE.items()}
        outcome = self.column("outcome").each(lambda word: words.get(word, UNCLEAR), np.int64)
        either = np.isin(outcome, [PLACE[Outcome.LATE], PLACE[Outcome.RETRACTED]])
        agrees = np.where(
            outcome == LEFT,
            is_left,
            np.where(outcome == RIGHT, is_right, empty | (either & (is_left | is_right))),
        )
        return np.where(agrees, outcome, UNCLEAR)

    def _flagged(self) -> Ints:
        """Of the three columns exactly one must be 1."""
        marks = np.stack([self.table.columns[name].each(_raised, bool) for name in FLAGS])
        return np.where(marks.sum(0) == 1, marks.argmax(0), UNCLEAR)

    # ------------------------------------------------------------------ bad rows
    @cached_property
    def clear(self) -> NDArray[np.bool_]:
        """Rows that are votes, whatever their outcome."""
        clear: NDArray[np.bool_] = (self.outcome != UNCLEAR) & (self.left.codes != self.right.codes)
        clear &= ~self.left.blank & ~self.right.blank
        if "judge" in self.found.of:
            clear &= ~self.judge.blank
        if self.found.ours:
            clear[self._listed_twice] = False
        return clear

    @cached_property
    def _listed_twice(self) -> Ints:
        """Rows of our own export whose vote was there before."""
        ids = named_alike(self.column("vote_id"))[0]
        first = np.unique(ids.codes, return_index=True)[1]
        again = np.setdiff1d(np.arange(len(ids.codes)), first)
        listed: Ints = again[~ids.blank[again]]
        return listed

    @cached_property
    def problems(self) -> tuple[RowProblem, ...]:
        """All rows that cannot be used, with the reason of each, in their order."""
        bad = [
            RowProblem(
                int(self.table.lines[k]),
                self._why(k),
                self.table.file_of(k),
                1 if self.table.counts is None else int(self.table.counts[k]),
            )
            for k in np.flatnonzero(~self.clear).tolist()
        ]
        return tuple(sorted((*self.table.broken, *bad), key=lambda problem: (problem.file, problem.line)))

    def _why(self, k: int) -> str:
        left, right, said = (self.cell(what, k) for what in ("left", "right", "winner"))
        if self.found.sideless:
            left, right = said, self.cell("loser", k)
        if not left or not right:
            return f"the {'left' if not left else 'right'} item is empty"
        if left == right:
            return f"both items are {left!r}; a vote compares two different ones"
        if "judge" in self.found.of and self.judge.blank[k]:
            return "it does not say which judge it is from"
        if self.outcome[k] == UNCLEAR:
            return self._unclear(k, said)
        first = int(np.flatnonzero(self.column("vote_id").codes == self.column("vote_id").codes[k])[0])
        listed = f"the vote {self.cell('vote_id', k)!r} is listed twice"
        return f"{listed} (also on line {int(self.table.lines[first])})"

    def _unclear(self, k: int, said: str) -> str:
        if self.grade is not None and abs(self.grade[k]) > 1:
            return f"the grade is {self.cell('grade', k)!r}; grades go from 1 (left) to -1 (right)"
        if self.found.flags:
            marks = [self.table.columns[name].texts()[k].strip() for name in FLAGS]
            return f"of {', '.join(FLAGS)} exactly one must be 1; they are {', '.join(map(repr, marks))}"
        word = self.cell("outcome", k)
        if self.found.ours and word not in list(Outcome):
            return f"the outcome is {word!r}; it is one of {', '.join(Outcome)}"
        if self.found.ours:
            return f"the outcome is {word!r} but the winner is {said!r}: they contradict each other"
        return f"the result is {said!r}: neither one of the two items, nor a side, nor a tie"

    # ------------------------------------------------------------------ what was understood
    def notes(self) -> list[str]:
        """How the table was understood, for people."""
        if self.table.format:
            return [*self.table.notes, f"format: {self.table.format}"]
        told = [*self.table.notes, self.found.words()]
        if "judge" not in self.found.of:
            told.append(f"no column names the judges: all votes are taken as one judge's, {NOBODY!r}")
        if self.found.sideless:
            told.append(
                "only winner and loser are known: the winner is written as left, position bias cannot be seen"
            )
        elif self.found.flags:
            told.append(f"results are read from the columns {', '.join(FLAGS)}")
        elif not self.found.ours and "winner" in self.found.of:
            spelled = "name the item" if self.names_first else "name the side"
            told.append(f"results {spelled}" if self.numbers is None else f"results: {self.numbers.value}")
            told += [f"an empty result is no answer, not a tie (rows: {self.empty:,})"] if self.empty else []
        return told

    @property
    def sided(self) -> bool:
        """Is it known which item was on which side?"""
        return self.table.sided and not self.found.sideless

    def cell(self, meaning: str, k: int) -> str:
        """What one row says in a column."""
        column = self.column(meaning)
        return column.values[int(column.codes[k])]

    def votes(self) -> Iterator[tuple[int, Vote]]:
        """The good rows as votes, each with its line."""
        names, judged = list(self.left.names), "judge" in self.found.of
        texts = {what: self.column(what).texts() for what in ("judge", "vote_id", "winner", *PLAIN)}
        numbers = {what: self.numbers_of(what).tolist() for what in ("response_time", "cost")}
        grades = None if self.grade is None else self.grade.tolist()
        for k in np.flatnonzero(self.clear).tolist():
            left, right = names[self.left.codes[k]], names[self.right.codes[k]]
            outcome = OUTCOMES[self.outcome[k]]
            said = texts["winner"][k] if self.found.ours else ""
            known: dict[str, Any] = {what: texts[what][k] for what in PLAIN}
            known |= {what: None if np.isnan(column[k]) else column[k] for what, column in numbers.items()}
            vote = Vote(
                vote_id=_identity(texts["vote_id"][k], k + 1),
                judge=texts["judge"][k] if judged else NOBODY,
                left=left,
                right=right,
                winner={Outcome.LEFT: left, Outcome.RIGHT: right}.get(outcome, said),
                outcome=outcome,
                grade=None if grades is None or np.isnan(grades[k]) else grades[k],
                **known,
            )
            yield int(self.table.lines[k]), vote


PLAIN = ("study", "asked_at", "answered_at", "source", "comment", "case")  # taken as they are


def named_alike(*columns: TextColumn) -> list[Names]:
    """Columns whose texts have common numbers."""
    names: dict[str, int] = {}
    for column in columns:
        for value in column.values:
            names.setdefault(value, len(names))
    return [Names(names, column.each(names.__getitem__, CODE)) for column in columns]


def _raised(mark: str) -> bool:
    return mark.strip().casefold() in ("1", "1.0", "true")


def _identity(given: str, number: int) -> int | str:
    if not given:
        return number
    return int(given) if given.isdecimal() and len(given) < 16 else given
