"""Recorded votes as judges: each vote is used once, in the order recorded; a pair with none left is skipped.

Votes with a case are a table: asked about that case and that side, the judge gives the recorded answer, else SKIP.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from juryrank.errors import BadInput
from juryrank.types import SKIP, Answer, Item, Judge


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
