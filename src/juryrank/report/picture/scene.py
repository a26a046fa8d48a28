"""A drawing as plain shapes whose colours are roles: one geometry, painted as SVG or as PNG, light or dark."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeAlias

from juryrank.report.words.formats import em_width, fit
from juryrank.statements.numbers import number_of


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme, by role."""

    paper: str
    ink: str
    muted: str
    grid: str
    bar: str
    dot: str
    accent: str
    line: str
    warn: str


COLOURS = {  # role: on white, on dark
    "paper": ("#ffffff", "#12161d"),
    "ink": ("#1b2330", "#e9edf3"),
    "muted": ("#667080", "#98a3b3"),
    "grid": ("#e8ebf0", "#262d38"),
    "bar": ("#c7d9ef", "#2b4a72"),
    "dot": ("#2563ab", "#7db4f5"),
    "accent": ("#2059b4", "#8fbdf8"),
    "line": ("#1f8a4c", "#4cc27f"),
    "warn": ("#9a5b00", "#e3ad57"),
}
LIGHT, DARK = (Palette(**{role: pair[k] for role, pair in COLOURS.items()}) for k in range(2))
THEMES = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0.0
    hint: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Cells:
    """Many squares of one size and colour, each by its upper left corner; far shorter than so many `Rect`."""

    size: float
    corners: tuple[tuple[float, float], ...]
    fill: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Curve:
    """Straight lines from point to point, drawn with `stroke`, or filled with `fill`."""

    points: tuple[tuple[float, float], ...]
    stroke: str = ""
    width: float = 1.0
    fill: str = ""
    opacity: float = 1.0
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float
    fill: str
    ring: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    x: float
    y: float  # the baseline
    text: str
    size: float
    fill: str = "ink"
    anchor: str = "start"  # start | middle | end
    bold: bool = False
    hint: str = ""  # the full text, where `text` was shortened


Shape: TypeAlias = Rect | Cells | Curve | Line | Circle | Text


@dataclass(slots=True)
class Scene:
    """Shapes in painting order; `label` says in words what the picture shows (for screen readers)."""

    width: float
    height: float = 0.0
    label: str = ""
    inset: float = 0.0  # how much of the margin left and right may be cut away
    shapes: list[Shape] = field(default_factory=list)

    def add(self, *shapes: Shape) -> None:
        self.shapes.extend(shapes)


# ----------------------------------------------------------------------------
# What charts with axes share: their two widths, round numbers, moments of time, the axis of shares
WIDE, NARROW = 720.0, 324.0  # pixels: on a desk and on paper, and on a phone
SMALL, TEXT = 12.0, 13.5  # of labels on axes, of names
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
PLOT = (190.0, 30.0)  # height of columns and curves, and the room above and below them
STEPS = (
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800),  # seconds to half an hour
    *(3600 * hours for hours in (1, 2, 3, 6, 12)),
    *(86_400 * days for days in (1, 2, 7, 14, 28, 91, 182, 364)),
)
DAY = 86_400


def is_narrow(width: float) -> bool:
    return width < 500


def round_ticks(most: float, count: int) -> list[int]:
    """Whole numbers from 0 to at least `most`, in steps of 1, 2 or 5 times a power of ten, about `count` of them.

    >>> round_ticks(7, 4), round_ticks(675, 5), round_ticks(0, 4)
    ([0, 2, 4, 6, 8], [0, 200, 400, 600, 800], [0, 1])
    """
    rough = max(most / count, 1.0)
    size = 10 ** math.floor(math.log10(rough))
    step = round(next(size * k for k in (1, 2, 5, 10) if size * k >= rough - 1e-9))
    return [step * k for k in range(max(1, math.ceil(most / step)) + 1)]


def moment_ticks(first: float, last: float, count: int) -> list[tuple[float, str, str]]:
    """Round moments between two (seconds since 1970), at most about `count`: (moment, label, day below it).

    >>> moment_ticks(90.0, 400.0, 3)
    [(120.0, '00:02', '1970-01-01'), (240.0, '00:04', ''), (360.0, '00:06', '')]
    """
    step = next((s for s in STEPS if (last - first) / s <= count), STEPS[-1])
    while (last - first) / step > count:
        step *= 2
    moments = [float(step * k) for k in range(math.ceil(first / step), math.floor(last / step) + 1)]
    found, before = [], ""
    for moment in moments or [first]:
        at = datetime.fromtimestamp(moment, UTC)
        day = f"{at:%Y-%m-%d}"
        clock = f"{at:%H:%M:%S}" if step < 60 else f"{at:%H:%M}"
        found.append((moment, day, "") if step >= DAY else (moment, clock, day if day != before else ""))
        before = day
    return found


def read_time(time: str) -> float | None:
    """A moment of the log as seconds since 1970; None: another program's idea of a time.

    >>> read_time("1970-01-01T00:01:00Z"), read_time("1970-01-01T00:01:00"), read_time("soon")
    (60.0, 60.0, None)
    """
    try:
        at = datetime.fromisoformat(time)
    except ValueError:
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def label_room(names: Sequence[str], most: float) -> float:
    """Pixels for the names at the left of a chart."""
    return min(most, max((em_width(name) * TEXT for name in names), default=0.0))


def put_name(scene: Scene, name: str, *, x: float, y: float, room: float) -> None:
    """A name that ends at `x`, shortened to `room`; the whole name is its tooltip."""
    shown = fit(name, room + 2, TEXT)
    scene.add(Text(x, y + TEXT * 0.36, shown, TEXT, anchor="end", hint=name if shown != name else ""))


def across(
    scene: Scene, ticks: Sequence[tuple[float, str]], *, top: float, bottom: float, title: str, middle: float
) -> float:
    """Lines up and down at (x, label), with the labels and the axis' title below; gives the lower edge."""
    for x, words in ticks:
        scene.add(Line(x, top, x, bottom, "grid"))
        scene.add(Text(x, bottom + 17, words, SMALL, "muted", "middle"))
    if not title:
        return bottom + 24
    half = min(middle, scene.width - middle)
    shown = fit(title, 2 * half, SMALL)
    scene.add(Text(middle, bottom + 37, shown, SMALL, "muted", "middle", hint=title if shown != title else ""))
    return bottom + 46


def key(scene: Scene, entries: Sequence[tuple[str, str]], *, x: float) -> float:
    """A legend in one line at the top: (colour, words); gives its lower edge."""
    for colour, words in entries:
        scene.add(Line(x, 10, x + 14, 10, colour, 8.0))
        scene.add(Text(x + 20, 14.5, words, SMALL))
        x += 20 + em_width(words) * SMALL + 18
    return 30.0


# ----------------------------------------------------------------------------
# Sizes that the charts share: margins, and rows that grow finer with the number of items
MARGIN = 36.0
CHART_WIDTH = 780.0
LABEL_LEAST, LABEL_MOST = 60.0, 250.0


@dataclass(frozen=True, slots=True)
class Pitch:
    """The height of a row, and what follows from it: the more items, the smaller the rows."""

    row: float
    text: float

    @property
    def bar(self) -> float:
        return round(self.row * 0.42, 1)

    @property
    def dot(self) -> float:
        return max(3.6, min(6.5, self.row * 0.16))


def pitch_for(items: int) -> Pitch:
    """The row height for a number of items.

    >>> pitch_for(10).row > pitch_for(40).row > pitch_for(100).row
    True
    """
    for most, pitch in ((12, Pitch(44, 16)), (20, Pitch(36, 15)), (40, Pitch(27, 13.5)), (70, Pitch(22, 12.5))):
        if items <= most:
            return pitch
    return Pitch(18, 11.5)


# ----------------------------------------------------------------------------
# How many have which share: for more judges than rows could show
BINS = 20  # of 5 % each, around 0 %, 5 %, ..., 100 %
HEIGHT, EDGE = PLOT


def histogram(values: Sequence[float], *, width: float, title: str, says: str, what: str) -> Scene:
    """Columns of how many `what` (judges) have a share of about 0 %, 5 %, ..., 100 %."""
    scene = Scene(width, label=says)
    number = Counter(round(BINS * value) for value in values)
    counts = round_ticks(max(number.values(), default=0), 4 if is_narrow(width) else 5)
    left, right = 12 + em_width(f"{counts[-1]:,}") * SMALL, width - 22
    step = (right - left) / (BINS + 1)
    middles = [left + (k + 0.5) * step for k in range(BINS + 1)]
    bottom = EDGE + HEIGHT
    scene.add(Text(0, 14, f"number of {what}", SMALL, "muted"))
    for count in counts:
        y = bottom - HEIGHT * count / counts[-1]
        scene.add(Line(left, y, right, y, "grid"))
        scene.add(Text(left - 8, y + 4, f"{count:,}", SMALL, "muted", "end"))
    ticks = [(middles[round(BINS * share)], f"{100 * share:.0f} %") for share in QUARTERS]
    scene.height = across(scene, ticks, top=bottom, bottom=bottom, title=title, middle=(left + right) / 2)
    scene.add(Line(middles[BINS // 2], EDGE - 4, middles[BINS // 2], bottom, "muted"))
    for k, many in sorted(number.items()):
        tall = HEIGHT * many / counts[-1]
        hint = f"{number_of(many, what.removesuffix('s'))} at about {100 * k / BINS:.0f} %"
        scene.add(Rect(middles[k] - step / 2 + 1, bottom - tall, step - 2, tall, "dot", hint=hint))
    return scene
