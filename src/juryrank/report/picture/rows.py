"""Charts with a row per name: dots with their intervals on the scale of shares, and bars of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from juryrank.report.picture.axes import (
    QUARTERS,
    SMALL,
    across,
    is_narrow,
    key,
    label_room,
    put_name,
    round_ticks,
)
from juryrank.report.picture.scene import Circle, Line, Rect, Scene, Text
from juryrank.report.words.formats import em_width

ROW, BAR, DOT = 24.0, 7.0, 4.5
GAP, EDGE = 14.0, 8.0
LABEL = 40.0  # pixels that "100 %" takes on an axis


@dataclass(frozen=True, slots=True)
class DotRow:
    """A share with its interval; `words` stand at the right, `hint` is the tooltip."""

    name: str
    value: float
    low: float
    high: float
    words: str
    hint: str


@dataclass(frozen=True, slots=True)
class BarRow:
    """Parts of a bar, one after the other: (size, colour, tooltip); `words` stand at the right."""

    name: str
    parts: tuple[tuple[float, str, str], ...]
    words: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where names, plot and words stand."""

    room: float
    left: float
    right: float
    top: float

    def x(self, share: float) -> float:
        return self.left + share * (self.right - self.left)

    def y(self, k: int) -> float:
        return self.top + (k + 0.5) * ROW


def _frame(rows: Sequence[DotRow] | Sequence[BarRow], *, width: float, top: float) -> _Frame:
    room = label_room([row.name for row in rows], 96.0 if is_narrow(width) else 250.0)
    beside = max((em_width(row.words) * SMALL for row in rows), default=0.0)
    return _Frame(room, room + GAP, width - beside - GAP - 2, top)


def dots(rows: Sequence[DotRow], *, width: float, title: str, says: str) -> Scene:
    """A dot per row on a scale from 0 to 100 %, with its interval; one half is marked."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=EDGE)
    bottom = frame.y(len(rows) - 1) + ROW / 2
    scene.height = _shares(scene, frame, bottom, title)
    scene.add(Line(frame.x(0.5), EDGE, frame.x(0.5), bottom, "muted"))
    for k, row in enumerate(rows):
        y = frame.y(k)
        put_name(scene, row.name, x=frame.room, y=y, room=frame.room)
        low, high = frame.x(row.low), frame.x(row.high)
        scene.add(Rect(low, y - BAR / 2, max(high - low, 1.0), BAR, "bar", BAR / 2, row.hint))
        scene.add(Circle(frame.x(row.value), y, DOT, "dot", "paper"))
        scene.add(Text(frame.right + GAP, y + SMALL * 0.36, row.words, SMALL))
    return scene


def _shares(scene: Scene, frame: _Frame, bottom: float, title: str) -> float:
    shares = QUARTERS if frame.x(0.25) - frame.x(0) >= LABEL else QUARTERS[::2]
    ticks = [(frame.x(share), f"{100 * share:.0f} %") for share in shares]
    return across(scene, ticks, top=frame.top, bottom=bottom, title=title, middle=(frame.left + frame.right) / 2)


def progress_bars(rows: Sequence[BarRow], *, width: float, title: str, says: str, goal: str) -> Scene:
    """Bars on a scale from 0 to 100 %, where a green line says that the `goal` is reached."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=EDGE + 20)
    bottom = frame.y(len(rows) - 1) + ROW / 2
    scene.height = _shares(scene, frame, bottom, title)
    _bars(scene, frame, rows, most=1.0)
    scene.add(Line(frame.right, frame.top - 6, frame.right, bottom, "line", 2.0))
    scene.add(Text(frame.right, frame.top - 11, goal, SMALL, "line", "end"))
    return scene


def part_bars(
    rows: Sequence[BarRow], *, width: float, title: str, says: str, legend: Sequence[tuple[str, str]]
) -> Scene:
    """Bars of counts, made of parts; `legend` is (colour, words) per part."""
    scene = Scene(width, label=says)
    frame = _frame(rows, width=width, top=key(scene, legend, x=0))
    bottom = frame.y(len(rows) - 1) + ROW / 2
    largest = max((sum(size for size, *_ in row.parts) for row in rows), default=0)
    counts = round_ticks(largest, 4 if is_narrow(width) else 6)
    ticks = [(frame.x(count / counts[-1]), f"{count:,}") for count in counts]
    middle = (frame.left + frame.right) / 2
    scene.height = across(scene, ticks, top=frame.top, bottom=bottom, title=title, middle=middle)
    _bars(scene, frame, rows, most=counts[-1])
    return scene


def _bars(scene: Scene, frame: _Frame, rows: Sequence[BarRow], *, most: float) -> None:
    thick = ROW * 0.55
    for k, row in enumerate(rows):
        y, so_far = frame.y(k), 0.0
        put_name(scene, row.name, x=frame.room, y=y, room=frame.room)
        for size, colour, hint in row.parts:
            start, end = frame.x(so_far / most), frame.x((so_far + size) / most)
            if size > 0:
                scene.add(Rect(start, y - thick / 2, max(end - start, 1.0), thick, colour, hint=hint))
            so_far += size
        scene.add(Text(frame.right + GAP, y + SMALL * 0.36, row.words, SMALL))
