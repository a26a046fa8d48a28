"""Votes in: what a file says row by row, and what is wrong with it.

>>> reading = read_votes(b"annotator,item_a,item_b,label\\nann,x,y,y\\nbob,y,x,\\n")
>>> [f"{line}: {vote.judge} {vote.outcome}" for line, vote in zip(reading.lines, reading.votes)]
['2: ann right', '3: bob skip']
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from juryrank.errors import BadInput, BadVotes
from juryrank.statements.numbers import number_of
from juryrank.votes.formats.registry import read_table
from juryrank.votes.logs import RawLog, log_in, votes_of
from juryrank.votes.rows import Rows
from juryrank.votes.tables import FileTable, RowProblem
from juryrank.votes.vote import Outcome, Vote

PROBLEMS_SHOWN = 10  # kinds of them
LINES_SHOWN = 6
UNKNOWN_LINE = -1  # of equal rows that a cluster counted
TO_TIE = "nor a tie"  # how a word that may mean no difference is complained about


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
        refuse_bad(self.problems, good=len(self.votes), skip_bad=skip_bad)
        if not self.votes:
            raise BadVotes("there is no usable vote in the file")
        return self.votes

    def summary(self) -> str:
        """One line: how many of what."""
        kinds = Counter(vote.outcome for vote in self.votes)
        counts = ", ".join(f"{kinds[kind]:,} {kind}" for kind in Outcome if kinds[kind])
        bad = f"; {len(self.problems):,} bad" if self.problems else ""
        votes = number_of(len(self.votes), "vote")
        items, judges = number_of(len(self.items), "item"), number_of(len(self.judges), "judge")
        return f"{votes} ({counts}){bad}; {items}, {judges}"


def read_votes(
    source: str | Path | bytes,
    *,
    kind: str | None = None,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    format: str | None = None,
    tie: str | Sequence[str] = (),
) -> Reading:
    """A vote file (or its bytes) as votes; `columns` says which column is which where the names do not, `tie`
    which words mean that there is no difference.

    >>> reading = read_votes(b"judge,left,right,winner\\nann,a,b,left\\nbob,a,b,right\\n", kind="csv")
    >>> [(vote.judge, vote.winner) for vote in reading.votes]
    [('ann', 'a'), ('bob', 'b')]
    """
    table = read_table(source, kind=kind, encoding=encoding, format=format)
    return votes_in(table, columns=columns, tie=tie)


def votes_in(
    table: FileTable, *, columns: Mapping[str, str] | None = None, tie: str | Sequence[str] = ()
) -> Reading:
    """The votes of a table that was read before."""
    if table.raw:
        return _from_log(log_in(table))
    rows = Rows(table, columns=columns, ties=words_for(tie))
    found = list(rows.votes())
    lines, votes = tuple(line for line, _ in found), tuple(vote for _, vote in found)
    return Reading(votes, lines, rows.problems, tuple(rows.notes()), rows.sided)


def words_for(tie: str | Sequence[str]) -> tuple[str, ...]:
    """The words that mean "no difference", given one or several."""
    return (tie,) if isinstance(tie, str) else tuple(tie)


# ---------------------------------------------------------------------------- bad rows
def refuse_bad(problems: Sequence[RowProblem], *, good: int, skip_bad: bool) -> None:
    """Raise where rows are bad and are not to be left out."""
    if not problems or skip_bad:
        return
    shown = "\n".join(f"  {words}" for words in in_groups(problems))
    bad = sum(problem.rows for problem in problems)
    word = " --tie WORD says which word means no difference." if any(TO_TIE in p.why for p in problems) else ""
    raise BadVotes(
        f"{bad:,} of {good + bad:,} rows cannot be used:\n{shown}\n"
        f"Fix them, or leave them out with --skip-bad (in Python: skip_bad=True).{word}"
    )


def in_groups(problems: Sequence[RowProblem]) -> list[str]:
    """Bad rows in words, those with the same problem together.

    >>> in_groups([RowProblem(k, "it is empty") for k in (2, 3, 5, 7, 11, 13, 17)])
    ['lines 2, 3, 5, 7, 11, 13 and 1 more: it is empty']
    """
    groups: dict[str, list[RowProblem]] = {}
    for problem in problems:
        groups.setdefault(problem.why, []).append(problem)
    told = [_group_words(why, rows) for why, rows in list(groups.items())[:PROBLEMS_SHOWN]]
    rest = list(groups.values())[PROBLEMS_SHOWN:]
    many = sum(row.rows for rows in rest for row in rows)
    return told + ([f"... and {many:,} more rows with other problems"] if rest else [])


def _group_words(why: str, rows: Sequence[RowProblem]) -> str:
    many = sum(row.rows for row in rows)
    if rows[0].line == UNKNOWN_LINE:
        return f"{many:,} row{'s' if many > 1 else ''}: {why}"
    if many == 1:
        return str(rows[0])
    if rows[0].file:
        places = ", ".join(row.place for row in rows[:LINES_SHOWN])
    else:
        word = "line" if len(rows) == 1 else "lines"
        places = f"{word} {', '.join(str(row.line) for row in rows[:LINES_SHOWN])}"
    more = f" and {many - min(len(rows), LINES_SHOWN):,} more" if many > min(len(rows), LINES_SHOWN) else ""
    return f"{places}{more}: {why}"


def _from_log(log: RawLog) -> Reading:
    try:
        votes = votes_of(log.checked().events)
    except (KeyError, TypeError, ValueError) as problem:
        raise BadInput(
            f"this is not a complete log of juryrank ({problem!r}): it is cut off or was changed"
        ) from None
    return Reading(tuple(votes), tuple(vote.seq or 0 for vote in votes), (), ("raw events of juryrank",))


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
