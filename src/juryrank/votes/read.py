"""Votes in: what a file says row by row, and what is wrong with it.

>>> reading = read_votes(b"annotator,item_a,item_b,label\\nann,x,y,y\\nbob,y,x,\\n")
>>> [f"{line}: {vote.judge} {vote.outcome}" for line, vote in zip(reading.lines, reading.votes)]
['2: ann right', '3: bob tie']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from juryrank.errors import BadInput, BadVotes
from juryrank.votes.columns import find_columns
from juryrank.votes.formats.registry import read_table
from juryrank.votes.from_log import votes_of
from juryrank.votes.raw_log import RawLog, log_in
from juryrank.votes.rows import Rows
from juryrank.votes.tables import FileTable
from juryrank.votes.vote import Outcome, Vote

PROBLEMS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class RowProblem:
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
    problems: tuple[RowProblem, ...] = ()
    notes: tuple[str, ...] = ()
    sided: bool = True  # is it known which item was on which side?

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
                "Nothing was imported. Fix them, or leave them out with --skip-bad."
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
    format: str | None = None,
) -> Reading:
    """A vote file (or its bytes) as votes; `columns` says which column is which where the names do not.

    >>> reading = read_votes(b"judge,left,right,winner\\nann,a,b,left\\nbob,a,b,right\\n", kind="csv")
    >>> [(vote.judge, vote.winner) for vote in reading.votes]
    [('ann', 'a'), ('bob', 'b')]
    """
    return votes_in(read_table(source, kind=kind, encoding=encoding, format=format), columns=columns)


def votes_in(table: FileTable, *, columns: Mapping[str, str] | None = None) -> Reading:
    """The votes of a table that was read before."""
    if table.raw:
        return _from_log(log_in(table))
    found = find_columns(table.header, given=columns)
    rows = Rows(table, found)
    votes, lines, problems = [], [], []
    for number, record in enumerate(table.records, start=1):
        try:
            vote = rows.vote(number, record)
        except BadInput as problem:
            problems.append(RowProblem(record.line, str(problem)))
            continue
        votes.append(vote)
        lines.append(record.line)
    how = (f"format: {table.format}",) if table.format else (found.words(), *rows.notes())
    sided = table.sided and not found.sideless
    return Reading(tuple(votes), tuple(lines), tuple(problems), (*table.notes, *how), sided)


def _from_log(log: RawLog) -> Reading:
    try:
        votes = votes_of(log.checked().events)
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(
            f"this is not a complete log of juryrank ({problem!r}): it is cut off or was changed"
        ) from None
    return Reading(tuple(votes), tuple(vote.seq or 0 for vote in votes), (), ("raw events of juryrank",))


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
