"""Who was compared with whom: which items share a scale, and whose scores votes alone keep finite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.votes.fitting.arrays import Floats
from juryrank.votes.fitting.intake.ballots import LEFT_WON, RIGHT_WON, Ballots


@dataclass(frozen=True, slots=True)
class Graph:
    """`component[k]` is the scale that item k is on (0 is the largest); `strong[c]`: does every item of component
    c lose, directly or along others, to every other one? Only then are its scores finite by the votes alone
    (Ford 1957)."""

    component: NDArray[np.int64]
    strong: tuple[bool, ...]

    @property
    def count(self) -> int:
        return len(self.strong)

    def anchors(self) -> Floats:
        """One virtual tie for each item of a component whose scores would run away."""
        return np.where(np.array(self.strong)[self.component], 0.0, 1.0)

    def centred(self, scores: Floats) -> Floats:
        """Scores that sum to 0 on each scale (the last axis is the items')."""
        if self.count == 1:
            return scores - scores.mean(axis=-1, keepdims=True)
        sizes = np.bincount(self.component, minlength=self.count)
        lines = scores.reshape(-1, len(self.component))
        means = np.stack([np.bincount(self.component, line, self.count) / sizes for line in lines])
        return scores - means[:, self.component].reshape(scores.shape)


def graph_of(votes: Ballots) -> Graph:
    """The comparisons as a graph; a tie, or a grade between, is a loss of both."""
    n = len(votes.items)
    better = np.where(votes.outcome == RIGHT_WON, votes.right, votes.left)
    worse = np.where(votes.outcome == RIGHT_WON, votes.left, votes.right)
    tied = (votes.outcome != LEFT_WON) & (votes.outcome != RIGHT_WON)
    if votes.grade is not None:  # a win by less than all of it is a share of a loss, too
        tied |= np.abs(votes.grade) < 1
    start = np.concatenate([worse, better[tied]])
    end = np.concatenate([better, worse[tied]])
    component = _components(n, votes.left, votes.right)
    roots = np.array([np.flatnonzero(component == c)[0] for c in range(component.max() + 1)])
    both = _reached(n, roots, start, end) & _reached(n, roots, end, start)
    missing = np.bincount(component[~both], minlength=len(roots))
    return Graph(component, tuple(bool(k == 0) for k in missing))


def _components(n: int, left: Any, right: Any) -> NDArray[np.int64]:
    """The number of each item's component, by size."""
    label = np.arange(n)
    while True:
        low = np.minimum(label[left], label[right])
        new = label.copy()
        np.minimum.at(new, left, low)
        np.minimum.at(new, right, low)
        new = new[new]
        if np.array_equal(new, label):
            break
        label = new
    _, numbers, sizes = np.unique(label, return_inverse=True, return_counts=True)
    place = np.empty(len(sizes), dtype=np.int64)
    place[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    return place[numbers]


def _reached(n: int, roots: Any, start: Any, end: Any) -> NDArray[np.bool_]:
    """Which items can be reached from the roots along the arrows."""
    reached = np.zeros(n, dtype=bool)
    reached[roots] = True
    while True:
        more = end[reached[start] & ~reached[end]]
        if not len(more):
            return reached
        reached[more] = True
