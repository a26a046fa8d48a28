"""What a format is, and what it makes of a file: votes as a table with our own columns, outputs one by one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from juryrank.votes.tables import FileContent, FileRow, FileTable, table_of, texts_of
from juryrank.votes.vote import Outcome

LONGEST_NAME = 80  # characters of a text that serves as the name of its case


class VoteRow(NamedTuple):
    """A vote as a format found it: its line, our own columns, and what is wrong with it."""

    line: int
    cells: Mapping[str, Any]
    problem: str = ""


class Output(NamedTuple):
    """What a system gave for a case. `output` is None where it failed; `part`: the task, if there are several."""

    system: str
    case: str
    output: Any
    input: Any = None
    part: str = ""
    group: str | None = None
    again: bool = False  # may the same output come again? Annotations repeat their baseline's


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file: how it is recognised, and what it holds. Each reader gives None where a file has none."""

    name: str
    title: str
    marks: str  # what a file of this kind has inside, in words
    recognises: Callable[[FileContent], bool]
    votes: Callable[[FileContent], FileTable | None] = lambda content: None
    outputs: Callable[[FileContent], Iterable[Output] | None] = lambda content: None
    uses: tuple[tuple[str, str], ...] = ()  # commands, and what comes out: docs/formats.md


def has(content: FileContent, *names: str) -> bool:
    """Has the first row all of these?"""
    return set(names) <= content.first.keys()


def vote_row(
    line: int,
    *,
    judge: Any,
    left: Any,
    right: Any,
    grade: float | None,
    case: Any = "",
    problem: str = "",
    **more: Any,
) -> VoteRow:
    """A vote: `grade` from 1 (left) to -1 (right), None where the judge did not say.

    >>> vote_row(1, judge="m", left="a", right="b", grade=-0.5).cells["winner"]
    'right'
    """
    said = Outcome.SKIP.value if grade is None else "left" if grade > 0 else "right" if grade < 0 else "tie"
    cells = {"judge": judge, "left": left, "right": right, "winner": said, "case": case, "grade": grade, **more}
    return VoteRow(line, cells, problem)


def broken(line: int, problem: str) -> VoteRow:
    """A row that is no vote."""
    return VoteRow(line, {}, problem)


def vote_table(
    title: str, records: Sequence[VoteRow], *, notes: Sequence[str] = (), sided: bool = True
) -> FileTable:
    """The votes of a file, and whether left was on the left."""
    header = tuple(dict.fromkeys(name for row in records for name in row.cells))
    if not sided:
        notes = (*notes, "the file does not say which one was shown on the left")
    rows = (FileRow(row.line, texts_of(row.cells, header), row.problem) for row in records)
    return table_of(header, rows, notes=tuple(notes), format=title, sided=sided)


def case_name(text: str) -> str:
    """A text as the name of its case: whole where it is short, else its beginning and a mark of the rest.

    >>> case_name("2 + 2?"), len(case_name("x" * 500))
    ('2 + 2?', 69)
    """
    text = " ".join(text.split())
    if len(text) <= LONGEST_NAME:
        return text
    return f"{text[:60]}… {hashlib.sha256(text.encode(errors='replace')).hexdigest()[:7]}"


class CaseNames:
    """Names of cases that have no id: a text that comes again within a system is another case, unless it comes in
    the very same row (`row`), which was then written twice."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, str], int] = {}
        self._rows: dict[str, str] = {}

    def name(self, text: Any, *, of: Any, row: Any = None) -> str:
        if row is None:
            return self._next(text, of)
        whole = json.dumps([row, of], sort_keys=True, default=str)
        if whole not in self._rows:
            self._rows[whole] = self._next(text, of)
        return self._rows[whole]

    def _next(self, text: Any, of: Any) -> str:
        name = case_name(str(text))
        times = self._seen[of, name] = self._seen.get((of, name), 0) + 1
        return name if times == 1 else f"{name} ({times})"


def text_of(content: Any) -> Any:
    """A message's content as text: of parts the texts, one after the other.

    >>> text_of([{"type": "text", "text": "4"}, {"type": "image"}])
    '4'
    """
    if isinstance(content, Mapping):
        return content.get("answer", content.get("content", content.get("text", content)))
    if isinstance(content, list) and all(isinstance(part, Mapping) for part in content):
        return "\n".join(str(part["text"]) for part in content if "text" in part)
    return content
