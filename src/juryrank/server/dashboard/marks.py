"""Marks from a ranking, for owners who must give some: a scale of their choice, anchors, grades with cut-offs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from juryrank.errors import BadInput
from juryrank.storage.base import Storage
from juryrank.types import Estimates

NOTE = "marks"
MOST_GRADES = 20
MOST_LETTERS = 30  # of a grade
MOST = 1e6  # the largest mark


@dataclass(frozen=True, slots=True)
class MarkScale:
    """From `low` to `high`; `anchors` fix the marks of two items, `grades` begin at these marks, best first."""

    low: float = 0.0
    high: float = 100.0
    anchors: Sequence[tuple[str, float]] = ()
    grades: Sequence[tuple[str, float]] = ()

    def __post_init__(self) -> None:
        numbers = [self.low, self.high, *(mark for _, mark in (*self.anchors, *self.grades))]
        if not all(isfinite(number) and abs(number) <= MOST for number in numbers):
            raise BadInput(f"a mark is a number of at most {MOST:,.0f}")
        if self.low >= self.high:
            raise BadInput(f"the scale goes from {self.low:g} to {self.high:g}; the second must be the higher one")
        self._check_anchors()
        self._check_grades()

    def _check_anchors(self) -> None:
        if len(self.anchors) not in (0, 2):
            raise BadInput("one anchor does not fix a scale: give two items with their marks, or none")
        if self.anchors and (self.anchors[0][0] == self.anchors[1][0] or self.anchors[0][1] == self.anchors[1][1]):
            raise BadInput("the two anchors are alike: give two different items with two different marks")

    def _check_grades(self) -> None:
        if len(self.grades) > MOST_GRADES or any(len(name) > MOST_LETTERS for name, _ in self.grades):
            raise BadInput(f"at most {MOST_GRADES} grades of at most {MOST_LETTERS} characters")
        names, cuts = [name for name, _ in self.grades], [cut for _, cut in self.grades]
        if len(set(names)) < len(names):
            raise BadInput("two grades have the same name: give each its own")
        for (better, above), (worse, below) in zip(self.grades, self.grades[1:], strict=False):
            if above <= below:
                raise BadInput(
                    f"{better} begins at {above:g} and {worse} at {below:g}: write the best grade first, each "
                    "with a lower mark than the one before"
                )
        if any(not self.low <= cut <= self.high for cut in cuts):
            raise BadInput(f"a grade begins outside the scale, which goes from {self.low:g} to {self.high:g}")

    def grade(self, mark: float) -> str:
        """The grade of a mark.

        >>> scale = MarkScale(grades=(("A", 80), ("B", 60)))
        >>> scale.grade(80), scale.grade(79.9), scale.grade(10)
        ('A', 'B', '')
        """
        return next((name for name, cut in self.grades if mark >= cut), "")


@dataclass(frozen=True, slots=True)
class Mark:
    """One item's mark: an estimate with its interval."""

    place: int
    item: str
    mark: float
    low: float
    high: float
    grade: str
    contested: bool  # judges disagree about it more than chance explains


def marks_of(found: Estimates | None, scale: MarkScale, contested: Sequence[str] = ()) -> list[Mark]:
    """Every item with its mark, the best first. Without anchors the lowest and the highest score end the scale."""
    scores = {str(one.item): one.score for one in found.items} if found else {}
    if found is None or len(scores) < 2:
        return []
    slope, start = _line(scores, scale)

    def mark(score: float) -> float:
        return min(max(start + slope * score, scale.low), scale.high)

    return [
        Mark(
            place,
            str(one.item),
            mark(one.score),
            mark(one.score_low),
            mark(one.score_high),
            scale.grade(mark(one.score)),
            str(one.item) in contested,
        )
        for place, one in enumerate(sorted(found.items, key=lambda one: -one.score), 1)
    ]


def _line(scores: Mapping[str, float], scale: MarkScale) -> tuple[float, float]:
    """Slope and start of the line from scores to marks."""
    if scale.anchors:
        points = [(scores[item], mark) for item, mark in scale.anchors if item in scores]
    else:
        points = [(min(scores.values()), scale.low), (max(scores.values()), scale.high)]
    if len(points) < 2 or points[0][0] == points[1][0]:
        return 0.0, (scale.low + scale.high) / 2
    (first, one), (second, other) = points
    slope = (other - one) / (second - first)
    if slope < 0:
        raise BadInput("the anchors go against the ranking: the item that ranks higher must have the higher mark")
    return slope, one - slope * first


# ---------------------------------------------------------------------------- kept with the study
def scale_of(storage: Storage, study: int) -> MarkScale:
    """The scale that an owner chose."""
    kept: Mapping[str, Any] = storage.note(NOTE, study=study) or {}
    pairs = {name: tuple((one, float(mark)) for one, mark in kept.get(name, ())) for name in ("anchors", "grades")}
    return MarkScale(kept.get("low", 0.0), kept.get("high", 100.0), **pairs)


def keep_scale(storage: Storage, study: int, scale: MarkScale) -> None:
    storage.set_note(NOTE, asdict(scale), study=study)
