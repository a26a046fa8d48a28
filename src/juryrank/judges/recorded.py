"""Recorded answers as judges: votes replayed once each in their order, and tables from a file."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.types import SKIP, Answer, Grade, Item, Judge
from juryrank.votes.read import read_votes
from juryrank.votes.vote import Outcome, Vote

GRADES = {Outcome.LEFT: 1.0, Outcome.RIGHT: -1.0, Outcome.TIE: 0.0}
Cell = tuple[str, str, str]  # the two systems in alphabetical order, and the case


class TableJudge:
    """Answers by the names of two systems and of a case: a Grade, or SKIP where the judge had refused."""

    def __init__(self, votes: Iterable[Vote], *, source: str = "the votes") -> None:
        self.source = source
        self._said: dict[Cell, list[float | None]] = {}
        for vote in votes:
            if vote.outcome not in (*GRADES, Outcome.SKIP):
                continue  # never answered, or taken back
            if not vote.case:
                raise BadInput(
                    f"{source}: the vote on {shown(vote.left)} and {shown(vote.right)} names no case, and a "
                    "table has one cell per case; call its column case (in Python: columns={'case': NAME})"
                )
            grade = vote.grade if vote.grade is not None else GRADES.get(vote.outcome)
            swapped = vote.left > vote.right
            said = -grade if grade is not None and swapped else grade
            self._said.setdefault(_cell(vote.left, vote.right, vote.case), []).append(said)

    @property
    def items(self) -> list[str]:
        """The systems that the table compares."""
        return list(dict.fromkeys(name for first, second, _ in self._said for name in (first, second)))

    @property
    def cases(self) -> list[str]:
        """The cases on which it does."""
        return list(dict.fromkeys(case for _, _, case in self._said))

    @property
    def digest(self) -> str:
        """What the table says, as a hash."""
        rows = sorted([*cell, said] for cell, said in self._said.items())
        return hashlib.sha256(json.dumps(rows).encode()).hexdigest()

    def has(self, one: Any, other: Any, case: Any) -> bool:
        """Is this cell in the table?"""
        return _cell(one, other, case) in self._said

    def __call__(self, left: Any, right: Any, case: Any) -> Answer:
        given = [x for x in self._said.get(_cell(left, right, case), []) if x is not None]
        if not given:
            return SKIP
        mean = sum(given) / len(given)
        return Grade((-mean if str(left) > str(right) else mean) + 0.0)  # never -0.0


def _cell(one: Any, other: Any, case: Any) -> Cell:
    first, second = sorted((str(one), str(other)))
    return first, second, str(case)


def table(
    source: str | Path | bytes,
    judge: str | None = None,
    *,
    format: str | None = None,
    columns: dict[str, str] | None = None,
) -> TableJudge:
    """The judge whose answers a file holds; `judge` names one where there are several.

    >>> said = table(b"judge,left,right,winner,case\\nm,new,old,new,q1\\nm,old,new,tie,q2\\n")
    >>> said("old", "new", "q1"), said("old", "new", "q2"), said.has("old", "new", "q3")
    (Grade(x=-1.0), Grade(x=0.0), False)
    """
    votes = read_votes(source, format=format, columns=columns).checked()
    where = "the votes" if isinstance(source, bytes) else str(source)
    judges = list(dict.fromkeys(vote.judge for vote in votes))
    if len(judges) > 1 and judge not in judges:
        some = ", ".join(map(shown, judges[:8])) + (", ..." if len(judges) > 8 else "")
        raise BadInput(
            f"{where} holds {len(judges)} judges ({some}); name the one that answers: "
            f"--judge {judges[0]}=table:{where}"
        )
    return TableJudge((v for v in votes if len(judges) == 1 or v.judge == judge), source=where)


# ----------------------------------------------------------------------------
# Recorded votes as judges: each vote is used once, in the order recorded; a pair with none left is skipped.
#
# Votes with a case are a table: asked about that case and that side, the judge gives the recorded answer, else
# SKIP.


def replayed(
    votes: Iterable[tuple[Judge, Item, Item, Answer] | tuple[Judge, Item, Item, Answer, object]],
) -> dict[Judge, Callable[..., Answer]]:
    """Judges from votes (judge, left, right, answer[, case]); the answer is the preferred item, TIE or SKIP.

    >>> judges = replayed([("ann", "a", "b", "b"), ("ann", "b", "a", "a")])
    >>> ann = judges["ann"]
    >>> ann("b", "a"), ann("a", "b"), ann("a", "b")
    ('b', 'a', SKIP)
    >>> table = replayed([("m", "new", "old", "new", "q1"), ("m", "old", "new", "old", "q1")])
    >>> table["m"]("old", "new", "q1"), table["m"]("old", "new", "q2")
    ('old', SKIP)
    """
    recorded: dict[Judge, dict[frozenset[Item], deque[Answer]]] = {}
    tables: dict[Judge, dict[tuple[Item, Item, object], Answer]] = {}
    for judge, left, right, answer, *case in votes:
        if case:
            tables.setdefault(judge, {})[left, right, case[0]] = answer
        else:
            recorded.setdefault(judge, {}).setdefault(frozenset((left, right)), deque()).append(answer)
    both = recorded.keys() & tables.keys()
    if both:
        raise BadInput(f"judge {next(iter(both))!r} has votes with a case and votes without; give all of them one")
    pairs: dict[Judge, Callable[..., Answer]] = {judge: _Replay(answers) for judge, answers in recorded.items()}
    return pairs | {judge: _Table(answers) for judge, answers in tables.items()}


class _Replay:
    def __init__(self, answers: dict[frozenset[Item], deque[Answer]]) -> None:
        self._answers = answers

    def __call__(self, left: Item, right: Item) -> Answer:
        waiting = self._answers.get(frozenset((left, right)))
        return waiting.popleft() if waiting else SKIP


class _Table:
    """A whole table of answers; each can be looked up any number of times."""

    def __init__(self, answers: dict[tuple[Item, Item, object], Answer]) -> None:
        self._answers = answers

    def __call__(self, left: Item, right: Item, case: object) -> Answer:
        return self._answers.get((left, right, case), SKIP)
