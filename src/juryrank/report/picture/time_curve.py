"""Counts that grow over time, as steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from juryrank.report.picture.axes import PLOT, SMALL, is_narrow, key, moment_ticks, round_ticks
from juryrank.report.picture.scene import Curve, Line, Scene, Text
from juryrank.report.words.formats import em_width

HEIGHT, EDGE = PLOT
POINTS = 150  # of a curve: more are not seen

Points = Sequence[tuple[float, int]]  # (seconds since 1970, count until then)


def counted_up(moments: Sequence[float], most: int = POINTS) -> list[tuple[float, int]]:
    """(moment, how many until then) in order of time, thinned to `most` points, the first and the last kept.

    >>> counted_up([3.0, 1.0, 2.0]), len(counted_up(range(10_000)))
    ([(1.0, 1), (2.0, 2), (3.0, 3)], 150)
    """
    points = [(moment, count) for count, moment in enumerate(sorted(moments), start=1)]
    if len(points) <= most:
        return points
    chosen = {round(k * (len(points) - 1) / (most - 1)) for k in range(most)}
    return [points[k] for k in sorted(chosen)]


@dataclass(frozen=True, slots=True)
class _Frame:
    first: float
    last: float
    most: int
    left: float
    right: float
    bottom: float

    def x(self, moment: float) -> float:
        return self.left + (moment - self.first) / max(self.last - self.first, 1e-9) * (self.right - self.left)

    def y(self, count: float) -> float:
        return self.bottom - HEIGHT * count / self.most

    def steps(self, points: Points) -> list[tuple[float, float]]:
        """Along, then up, at each point."""
        found = [(self.x(points[0][0]), self.y(0)), (self.x(points[0][0]), self.y(points[0][1]))]
        for (_, before), (moment, count) in pairwise(points):
            found += [(self.x(moment), self.y(before)), (self.x(moment), self.y(count))]
        return [*found, (self.x(self.last), self.y(points[-1][1]))]


def time_curve(curves: Sequence[tuple[str, str, Points]], *, width: float, says: str, counts: str) -> Scene:
    """(words, colour, points) per curve; the first is filled. `counts` says what the scale counts."""
    scene = Scene(width, label=says)
    top = key(scene, [(colour, words) for words, colour, _ in curves], x=0) if len(curves) > 1 else 0.0
    every = [point for *_, points in curves for point in points]
    levels = round_ticks(max(count for _, count in every), 4)
    left, bottom = 12 + em_width(f"{levels[-1]:,}") * SMALL, top + EDGE + HEIGHT
    first, last = min(at for at, _ in every), max(at for at, _ in every)
    frame = _Frame(first, last, levels[-1], left, width - 34, bottom)
    scene.add(Text(0, top + 14, counts, SMALL, "muted"))
    for level in levels:
        scene.add(Line(left, frame.y(level), frame.right, frame.y(level), "grid"))
        scene.add(Text(left - 8, frame.y(level) + 4, f"{level:,}", SMALL, "muted", "end"))
    _moments(scene, frame)
    for k, (words, colour, points) in reversed(list(enumerate(curves))):  # the first one on top
        _curve(scene, frame, points, words=words, colour=colour, filled=k == 0)
    scene.height = bottom + 62
    return scene


def _moments(scene: Scene, frame: _Frame) -> None:
    bottom = frame.bottom
    for moment, words, day in moment_ticks(frame.first, frame.last, 3 if is_narrow(scene.width) else 6):
        x = frame.x(moment)
        scene.add(Line(x, bottom, x, bottom + 5, "muted"))
        scene.add(Text(_inside(scene, x, words), bottom + 19, words, SMALL, "muted", "middle"))
        if day:
            scene.add(Text(_inside(scene, x, day), bottom + 34, day, SMALL, "muted", "middle"))
    scene.add(Text((frame.left + frame.right) / 2, bottom + 53, "time (UTC)", SMALL, "muted", "middle"))


def _inside(scene: Scene, x: float, words: str) -> float:
    """The middle of a label that does not leave the paper."""
    half = em_width(words) * SMALL / 2
    return min(max(x, half), scene.width - half)


def _curve(scene: Scene, frame: _Frame, points: Points, *, words: str, colour: str, filled: bool) -> None:
    steps = frame.steps(points)
    hint = f"{points[-1][1]:,} {words}"
    if filled:
        floor = [(steps[-1][0], frame.y(0)), (steps[0][0], frame.y(0))]
        scene.add(Curve((*steps, *floor), fill="bar", opacity=0.4, hint=hint))
    scene.add(Curve(tuple(steps), colour, 2.0 if filled else 1.3, hint=hint))
