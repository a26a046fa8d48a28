"""Votes in: what a file says row by row, and what is wrong with it.

>>> reading = read_votes(b"annotator,item_a,item_b,label\\nann,x,y,y\\nbob,y,x,\\n")
>>> [f"{line}: {vote.judge} {vote.outcome}" for line, vote in zip(reading.lines, reading.votes)]
['2: ann right', '3: bob tie']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from juryrank.errors import BadInput, BadVotes
from juryrank.log import Event
from juryrank.votes.columns import FLAGS, Columns, find_columns
from juryrank.votes.from_log import votes_of
from juryrank.votes.tables import Record, Table, read_table
from juryrank.votes.vote import Outcome, Vote
from juryrank.votes.winners import Numbers, numbers_meaning, outcome_of

NOBODY = "unknown"  # the judge of files that name none
PROBLEMS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that cannot be used."""

    line: int
    why: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


@dataclass(frozen=True, slots=True)
class Reading:
    """A file as it was understood. `lines[k]` is where `votes[k]` starts."""

    votes: tuple[Vote, ...]
    lines: tuple[int, ...]
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def items(self) -> list[str]:
        """All items, in order of appearance."""
        return list(dict.fromkeys(name for vote in self.votes for name in (vote.left, vote.right)))

    @property
    def judges(self) -> list[str]:
        """All judges, in order of appearance."""
        return list(dict.fromkeys(vote.judge for vote in self.votes))

    def checked(self, *, skip_bad: bool = False) -> tuple[Vote, ...]:
        """The votes; raises where a row is bad, unless bad rows are to be left out, or where none is good."""
        if self.problems and not skip_bad:
            shown = "\n".join(f"  {problem}" for problem in self.problems[:PROBLEMS_SHOWN])
            more = len(self.problems) - PROBLEMS_SHOWN
            rest = f"\n  ... and {more} more" if more > 0 else ""
            raise BadVotes(
                f"{len(self.problems)} of {len(self.problems) + len(self.votes)} rows cannot be used:\n"
                f"{shown}{rest}\n"
                "Nothing was imported. Mend them, or leave them out with --skip-bad."
            )
        if not self.votes:
            raise BadVotes("there is no usable vote in the file; nothing was imported")
        return self.votes

    def summary(self) -> str:
        """One line: how many of what."""
        kinds = Counter(vote.outcome for vote in self.votes)
        counts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Outcome if kinds[kind])
        bad = f"; {len(self.problems):,} bad" if self.problems else ""
        votes = _many(len(self.votes), "vote")
        items, judges = _many(len(self.items), "item"), _many(len(self.judges), "judge")
        return f"{votes} ({counts}){bad}; {items}, {judges}"


def read_votes(
    source: str | Path | bytes,
    *,
    kind: str | None = None,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> Reading:
    """A vote file (or its bytes) as votes; `columns` says which column is which where the names do not."""
    table = read_table(source, kind=kind, encoding=encoding)
    if table.events:
        return _from_events(table)
    found = find_columns(table.header, given=columns)
    rows = _Rows(table, found)
    votes, lines, problems = [], [], []
    for number, record in enumerate(table.records, start=1):
        try:
            vote = rows.vote(number, record)
        except BadInput as problem:
            problems.append(Problem(record.line, str(problem)))
            continue
        votes.append(vote)
        lines.append(record.line)
    notes = (*table.notes, found.words(), *rows.notes())
    return Reading(tuple(votes), tuple(lines), tuple(problems), notes)


def events_of(table: Table) -> list[Event]:
    """The events of a raw log."""
    try:
        return [
            Event(row["seq"], row["kind"], row["data"], row.get("at"), row.get("hash", "")) for row in table.raw
        ]
    except (KeyError, TypeError) as problem:
        raise BadInput(f"this is not a whole log of juryrank: an event lacks {problem}") from None


def _from_events(table: Table) -> Reading:
    events = events_of(table)
    try:
        votes = votes_of(events)
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(
            f"this is not a whole log of juryrank ({problem!r}): it is cut off or was changed"
        ) from None
    return Reading(tuple(votes), tuple(vote.seq or 0 for vote in votes), (), ("raw events of juryrank",))


class _Rows:
    """Understands the rows of one file: its columns, and how it spells results."""

    def __init__(self, table: Table, columns: Columns) -> None:
        self.columns = columns
        self.seen: dict[str, int] = {}
        records = [record for record in table.records if not record.problem]
        self.numbers, self.names_first = self._convention(records)
        self.empty = sum(not self._cell(record, "winner") for record in records)

    def _convention(self, records: Sequence[Record]) -> tuple[Numbers | None, bool]:
        """How results are spelled, decided once for the whole file."""
        said = [(self._cell(r, "winner"), {self._cell(r, "left"), self._cell(r, "right")}) for r in records]
        said = [(value, names) for value, names in said if value]
        named = sum(value in names for value, names in said)
        return numbers_meaning(_most(value for value, _ in said)), 2 * named > len(said)

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
                told.append(f"an empty result is a tie ({_many(self.empty, 'row')})")
        return told

    def vote(self, number: int, record: Record) -> Vote:
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
        )

    def _pair(self, record: Record) -> tuple[str, str, Outcome, str]:
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

    def _ours(self, record: Record, left: str, right: str, said: str) -> tuple[Outcome, str]:
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

    def _flag(self, record: Record) -> Outcome:
        marks = [record.cells.get(name, "").strip() for name in FLAGS]
        raised = [k for k, mark in enumerate(marks) if mark.casefold() in ("1", "1.0", "true")]
        if len(raised) != 1:
            raise BadInput(f"of {', '.join(FLAGS)} exactly one must be 1; they are {', '.join(map(repr, marks))}")
        return (Outcome.LEFT, Outcome.RIGHT, Outcome.TIE)[raised[0]]

    def _identity(self, record: Record, number: int) -> int | str:
        given = self._cell(record, "vote_id")
        if not given:
            return number
        if self.columns.ours and given in self.seen:
            raise BadInput(f"the vote {given!r} is there twice (also on line {self.seen[given]})")
        self.seen.setdefault(given, record.line)
        return int(given) if given.isdecimal() and len(given) < 16 else given

    def _nobody(self) -> str:
        if "judge" in self.columns.of:
            raise BadInput("it does not say which judge it is from")
        return NOBODY

    def _number(self, record: Record, what: str) -> float | None:
        text = self._cell(record, what)
        try:
            number = float(text) if text else None
        except ValueError:
            number = None  # "3 s" or a date: of no consequence for the ranking
        return number if number is not None and number == number and abs(number) != float("inf") else None

    def _cell(self, record: Record, what: str) -> str:
        value = record.cells.get(self.columns.of.get(what, ""), "")
        return value if self.columns.ours else value.strip()


def _most(values: Iterable[str]) -> list[str]:
    """Values that are not rare: one mistyped cell does not change what a column means."""
    counted = Counter(values)
    total = sum(counted.values())
    return [value for value, count in counted.items() if count * 1000 >= total]


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def row_words(line: int, vote: Vote) -> str:
    """What a row says, for a dry run.

    >>> row_words(2, Vote(1, judge="ann", left="a", right="b", winner="b", outcome=Outcome.RIGHT))
    "line 2: 'ann' was shown 'a' (left) and 'b' (right): prefers 'b'"
    """
    said = {
        Outcome.TIE: "a tie",
        Outcome.SKIP: "skipped",
        Outcome.OPEN: "not answered yet",
        Outcome.EXPIRED: "not answered in time",
        Outcome.LATE: f"answered {vote.winner!r}, too late" if vote.winner else "answered too late",
        Outcome.RETRACTED: "taken back",
    }.get(vote.outcome, f"prefers {vote.winner!r}")
    return f"line {line}: {vote.judge!r} was shown {vote.left!r} (left) and {vote.right!r} (right): {said}"
