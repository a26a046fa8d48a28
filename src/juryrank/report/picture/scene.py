"""A drawing as plain shapes whose colours are roles: one geometry, painted as SVG or as PNG, light or dark."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


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
