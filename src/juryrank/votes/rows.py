"""One row of a file as a vote: which cell is what. (What a result says: `winners.py`.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from juryrank.errors import BadInput
from juryrank.votes.columns import FLAGS, Columns
from juryrank.votes.tables import FileRow, FileTable
from juryrank.votes.vote import Outcome, Vote
from juryrank.votes.winners import Numbers, numbers_meaning, outcome_of

NOBODY = "unknown"  # the judge of files that name none


class Rows:
    """Understands the rows of one file: its columns, and how it spells results."""

    def __init__(self, table: FileTable, columns: Columns) -> None:
        self.columns = columns
        self.graded = bool(table.format)  # a plain table may call anything a grade
        self.seen: dict[str, int] = {}
        records = [record for record in table.records if not record.problem]
        self.numbers, self.names_first = self._convention(records)
        self.empty = sum(not self._cell(record, "winner") for record in records)

    def _convention(self, records: Sequence[FileRow]) -> tuple[Numbers | None, bool]:
        """How results are spelled, decided once for the whole file."""
        said = [(self._cell(r, "winner"), {self._cell(r, "left"), self._cell(r, "right")}) for r in records]
        said = [(value, names) for value, names in said if value]
        named = sum(value in names for value, names in said)
        return numbers_meaning(usual_values(value for value, _ in said)), 2 * named > len(said)

    def notes(self) -> list[str]:
        told = []
        if "judge" not in self.columns.of:
            told.append(f"no column names the judges: all votes are taken as one judge's, {NOBODY!r}")
        if self.columns.sideless:
            told.append(
                "only winner and loser are known: the winner is written as left, position bias cannot be seen"
            )
        elif self.columns.flags:
            told.append(f"results are read from the columns {', '.join(FLAGS)}")
        elif not self.columns.ours:
            spelled = "name the item" if self.names_first else "name the side"
            told.append(f"results {spelled}" if self.numbers is None else f"results: {self.numbers.value}")
            if self.empty:
                told.append(f"an empty result is a tie (rows: {self.empty:,})")
        return told

    def vote(self, number: int, record: FileRow) -> Vote:
        if record.problem:
            raise BadInput(record.problem)
        left, right, outcome, winner = self._pair(record)
        if not left or not right:
            raise BadInput(f"the {'left' if not left else 'right'} item is empty")
        if left == right:
            raise BadInput(f"both items are {left!r}; a vote compares two different ones")
        return Vote(
            vote_id=self._identity(record, number),
            study=self._cell(record, "study"),
            judge=self._cell(record, "judge") or self._nobody(),
            left=left,
            right=right,
            winner=winner,
            outcome=outcome,
            asked_at=self._cell(record, "asked_at"),
            answered_at=self._cell(record, "answered_at"),
            response_time=self._number(record, "response_time"),
            cost=self._number(record, "cost"),
            source=self._cell(record, "source"),
            comment=self._cell(record, "comment"),
            case=self._cell(record, "case"),
            grade=float(grade) if self.graded and (grade := record.cells.get("grade")) else None,
        )

    def _pair(self, record: FileRow) -> tuple[str, str, Outcome, str]:
        left, right, said = (self._cell(record, what) for what in ("left", "right", "winner"))
        if self.columns.sideless:
            return said, self._cell(record, "loser"), Outcome.LEFT, said
        if self.columns.ours:
            return left, right, *self._ours(record, left, right, said)
        outcome = self._flag(record) if self.columns.flags else None
        outcome = outcome or outcome_of(
            said, left=left, right=right, names_first=self.names_first, numbers=self.numbers
        )
        if outcome is None:
            raise BadInput(
                f"the result is {said!r}, which is neither {left!r} nor {right!r}, nor a side, nor a tie"
            )
        return left, right, outcome, {Outcome.LEFT: left, Outcome.RIGHT: right}.get(outcome, "")

    def _ours(self, record: FileRow, left: str, right: str, said: str) -> tuple[Outcome, str]:
        """A row of our own export: the outcome decides, and must agree with the winner."""
        word = self._cell(record, "outcome")
        try:
            outcome = Outcome(word)
        except ValueError:
            raise BadInput(f"the outcome is {word!r}; it is one of {', '.join(Outcome)}") from None
        expected = {Outcome.LEFT: (left,), Outcome.RIGHT: (right,), Outcome.LATE: (left, right, "")}
        expected |= {Outcome.RETRACTED: (left, right, "")}
        if said not in expected.get(outcome, ("",)):
            raise BadInput(f"the outcome is {word!r} but the winner is {said!r}: they contradict each other")
        return outcome, said

    def _flag(self, record: FileRow) -> Outcome:
        marks = [record.cells.get(name, "").strip() for name in FLAGS]
        raised = [k for k, mark in enumerate(marks) if mark.casefold() in ("1", "1.0", "true")]
        if len(raised) != 1:
            raise BadInput(f"of {', '.join(FLAGS)} exactly one must be 1; they are {', '.join(map(repr, marks))}")
        return (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE)[raised[0]]

    def _identity(self, record: FileRow, number: int) -> int | str:
        given = self._cell(record, "vote_id")
        if not given:
            return number
        if self.columns.ours and given in self.seen:
            raise BadInput(f"the vote {given!r} is listed twice (also on line {self.seen[given]})")
        self.seen.setdefault(given, record.line)
        return int(given) if given.isdecimal() and len(given) < 16 else given

    def _nobody(self) -> str:
        if "judge" in self.columns.of:
            raise BadInput("it does not say which judge it is from")
        return NOBODY

    def _number(self, record: FileRow, what: str) -> float | None:
        text = self._cell(record, what)
        try:
            number = float(text) if text else None
        except ValueError:
            number = None  # "3 s" or a date: of no consequence for the ranking
        return number if number is not None and number == number and abs(number) != float("inf") else None

    def _cell(self, record: FileRow, what: str) -> str:
        value = record.cells.get(self.columns.of.get(what, ""), "")
        return value if self.columns.ours else value.strip()


def usual_values(values: Iterable[str]) -> list[str]:
    """Values that are not rare: one mistyped cell does not change what a column means."""
    counted = Counter(values)
    total = sum(counted.values())
    return [value for value, count in counted.items() if count * 1000 >= total]
