"""Recorded votes as judges: each is given out once, in the order recorded; a pair that is used up is skipped."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from juryrank.types import SKIP, Answer, Item, Judge


def replayed(votes: Iterable[tuple[Judge, Item, Item, Answer]]) -> dict[Judge, Callable[[Item, Item], Answer]]:
    """Judges from votes (judge, left, right, answer); the answer is the preferred item, TIE or SKIP.

    >>> judges = replayed([("ann", "a", "b", "b"), ("ann", "b", "a", "a")])
    >>> ann = judges["ann"]
    >>> ann("b", "a"), ann("a", "b"), ann("a", "b")
    ('b', 'a', SKIP)
    """
    recorded: dict[Judge, dict[frozenset[Item], deque[Answer]]] = {}
    for judge, left, right, answer in votes:
        recorded.setdefault(judge, {}).setdefault(frozenset((left, right)), deque()).append(answer)
    return {judge: _Replay(answers) for judge, answers in recorded.items()}


class _Replay:
    def __init__(self, answers: dict[frozenset[Item], deque[Answer]]) -> None:
        self._answers = answers

    def __call__(self, left: Item, right: Item) -> Answer:
        waiting = self._answers.get(frozenset((left, right)))
        return waiting.popleft() if waiting else SKIP
