"""Judges of known accuracy about a known order: for demonstrations, tests and trying things out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from juryrank.core import chance
from juryrank.errors import BadWorld, UnknownName
from juryrank.types import Answer, Item


class SimulatedJudge:
    """Right with probability `accuracy`, independently every time. The k-th answer depends on (seed, k) alone.

    >>> judge = SimulatedJudge(["best", "good", "bad"], accuracy=1.0)
    >>> judge("bad", "best")
    'best'
    """

    def __init__(self, order: Sequence[Item], *, accuracy: float, seed: int = 0, stream: int = 0) -> None:
        if not 0 <= accuracy <= 1:
            raise BadWorld(f"an accuracy is a probability between 0 and 1; {accuracy!r} is not")
        self._place = {item: k for k, item in enumerate(order)}
        self.accuracy, self.seed, self.stream = accuracy, seed, stream
        self.answers = 0

    def __call__(self, left: Item, right: Item) -> Answer:
        try:
            better, worse = (left, right) if self._place[left] < self._place[right] else (right, left)
        except KeyError as unknown:
            raise UnknownName(f"item {unknown.args[0]!r} is not in this judge's order") from None
        self.answers += 1
        return better if chance.uniform(self.seed, self.stream, self.answers) < self.accuracy else worse


def simulated(
    order: Sequence[Item], accuracies: Mapping[str, float] | Sequence[float], *, seed: int = 0
) -> dict[str, SimulatedJudge]:
    """A panel of simulated judges; unnamed ones are called judge-1, judge-2, ...

    >>> panel = simulated("abc", [0.9, 0.6])
    >>> list(panel)
    ['judge-1', 'judge-2']
    """
    if not isinstance(accuracies, Mapping):
        accuracies = {f"judge-{k}": accuracy for k, accuracy in enumerate(accuracies, start=1)}
    return {
        name: SimulatedJudge(order, accuracy=accuracy, seed=seed, stream=k)
        for k, (name, accuracy) in enumerate(accuracies.items())
    }
