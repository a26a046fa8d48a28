"""The chart of estimates: chances with intervals, the chance of the top, and, set apart, what is promised."""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.report.picture.scene import (
    CHART_WIDTH,
    LABEL_LEAST,
    LABEL_MOST,
    MARGIN,
    Circle,
    Line,
    Pitch,
    Rect,
    Scene,
    Text,
    pitch_for,
)
from juryrank.report.view import View
from juryrank.report.words.estimates import EstimateRow, EstimateView
from juryrank.report.words.formats import em_width, fit, wrap_pixels

PROMISE_COLUMN, TOP_COLUMN, BAR_WIDTH, GAP = 92.0, 168.0, 96.0, 30.0
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def estimate_chart(scene: Scene, view: View, *, top: float) -> float:
    """Draw below `top`; returns the chart's lower edge."""
    found = view.estimates
    assert found is not None
    pitch = pitch_for(len(found.rows))
    label = min(LABEL_MOST, max(LABEL_LEAST, *(em_width(row.item) * pitch.text for row in found.rows)))
    left = MARGIN + label + 34
    right = MARGIN + CHART_WIDTH - PROMISE_COLUMN - TOP_COLUMN - GAP
    y = top if scene.inset else _says(scene, found, top)  # pages say it themselves
    _head(scene, found, y, left=left, right=right)
    first = y + 44
    bottom = first + len(found.rows) * pitch.row
    for tick in TICKS:
        x = left + tick * (right - left)
        scene.add(Line(x, first, x, bottom, "grid", 2.0 if tick == 0.5 else 1.0))
        scene.add(Text(x, first - 10, f"{100 * tick:.0f} %", 12, "muted", "middle"))
    for k in view.lines:
        y = first + k * pitch.row
        scene.add(Line(MARGIN, y, MARGIN + CHART_WIDTH, y, "line", 2.0))
    for k, row in enumerate(found.rows):
        _row(scene, row, pitch, first + (k + 0.5) * pitch.row, label=label, left=left, right=right)
    return _note(scene, view, found, bottom)


def _says(scene: Scene, found: EstimateView, top: float) -> float:
    for line in wrap_pixels(found.says, CHART_WIDTH, 16)[:3]:
        scene.add(Text(MARGIN, top, line, 15.5))
        top += 22
    return top + 10


def _head(scene: Scene, found: EstimateView, y: float, *, left: float, right: float) -> None:
    scene.add(Text(left - 14, y, found.score_title, 13.5, "muted"))
    scene.add(Text(right + GAP, y, found.top_title, 13.5, "muted"))
    if found.promised:
        scene.add(Text(MARGIN + CHART_WIDTH - PROMISE_COLUMN, y, "promised rank", 13.5, "line", bold=True))


def _row(
    scene: Scene, row: EstimateRow, pitch: Pitch, y: float, *, label: float, left: float, right: float
) -> None:
    base, size = y + pitch.text * 0.36, min(15.0, pitch.text)
    name = fit(row.item, label + 2, pitch.text)
    ink = "ink" if row.known else "muted"
    scene.add(Text(MARGIN + label, base, name, pitch.text, ink, "end", hint=row.item if name != row.item else ""))
    low, dot, high = (left + share * (right - left) for share in (row.low, row.beats, row.high))
    half = pitch.bar / 2.6
    scene.add(Rect(low, y - half, high - low, 2 * half, "bar", half, f"{row.item}: {row.span_words}"))
    scene.add(Circle(dot, y, pitch.dot, "dot" if row.known else "muted", "paper"))
    start, thick = right + GAP, max(5.0, pitch.bar / 2)
    scene.add(Rect(start, y - thick / 2, BAR_WIDTH, thick, "grid", thick / 2))
    if row.top >= 0.005:
        scene.add(Rect(start, y - thick / 2, max(BAR_WIDTH * row.top, 2.0), thick, "dot", min(thick / 2, 2.0)))
    scene.add(Text(start + BAR_WIDTH + 10, base, row.top_words, size))
    scene.add(Text(MARGIN + CHART_WIDTH - PROMISE_COLUMN, base, row.promised, size, "line", bold=True))


def _note(scene: Scene, view: View, found: EstimateView, bottom: float) -> float:
    said = [] if scene.inset else [(found.note, "muted")]
    if view.line_legend and view.lines:
        said.insert(0, (view.line_legend, "line"))
    for text, colour in said:
        for line in wrap_pixels(text, CHART_WIDTH, 13.5):
            bottom += 19
            scene.add(Text(MARGIN, bottom + 6, line, 13, colour))
    return bottom + 8


# ----------------------------------------------------------------------------
# Estimates on a phone: each item's name above its bar, so that nothing runs over the edge.
WIDTH, EDGE = 324.0, 6.0  # pixels, and how far bars stay from the sides
COLUMN = 76.0  # of words at the right
TEXT, SMALL, LINE, BAR = 15.0, 12.5, 19.0, 9.0
NAME_LINES = 3


def narrow_estimates(view: View) -> Scene:
    """The chart of estimates as `picture` has it, without what stands beside it."""
    found = view.estimates
    assert found is not None
    scene = Scene(WIDTH, label=f"{view.title}. {view.subtitle}")
    y = _lines(scene, wrap_pixels(found.score_title, WIDTH, SMALL + 1), 0.0, y=SMALL, colour="muted", size=SMALL)
    columns = found.top_title, "promised rank" if found.promised else ""
    y = max(_column(scene, k, words, len(columns), y=y + LINE) for k, words in enumerate(columns))
    for k, row in enumerate(found.rows):
        if k in view.lines:
            scene.add(Line(0, y, WIDTH, y, "line", 2.0))
        y = _narrow_row(scene, row, y)
    if view.line_legend and view.lines:
        legend = wrap_pixels(view.line_legend, WIDTH, SMALL + 1)
        y = _lines(scene, legend, 0.0, y=y + LINE, colour="line", size=SMALL)
    scene.height = y + 6
    return scene


def _narrow_row(scene: Scene, row: EstimateRow, top: float) -> float:
    """One row below `top`; gives its lower edge."""
    ink = "ink" if row.known else "muted"
    name = wrap_pixels(row.item, WIDTH - 2 * COLUMN - 4, TEXT)[:NAME_LINES]
    y = _lines(scene, name, 0.0, y=top + LINE, colour=ink, size=TEXT, hint=row.item)
    scene.add(Text(WIDTH - COLUMN, top + LINE, row.top_words, TEXT - 1, anchor="end"))
    scene.add(Text(WIDTH, top + LINE, row.promised, TEXT - 1, "line", "end", bold=True))
    low, dot, high = (EDGE + share * (WIDTH - 2 * EDGE) for share in (row.low, row.beats, row.high))
    middle = y - LINE + 14
    scene.add(Line(WIDTH / 2, middle - BAR, WIDTH / 2, middle + BAR, "grid"))
    scene.add(Rect(low, middle - BAR / 2, max(high - low, 1.0), BAR, "bar", BAR / 2, row.span_words))
    scene.add(Circle(dot, middle, 4.5, "dot" if row.known else "muted", "paper"))
    scene.add(Line(0, middle + 16, WIDTH, middle + 16, "grid"))
    return middle + 16


def _column(scene: Scene, k: int, words: str, columns: int, *, y: float) -> float:
    """The title of a column at the right."""
    x, promise = WIDTH - COLUMN * (columns - k - 1), k == columns - 1
    lines = wrap_pixels(words, COLUMN - 6, SMALL)
    colour = "line" if promise else "muted"
    return _lines(scene, lines, x, y=y, colour=colour, size=SMALL, anchor="end") - LINE + 6


def _lines(
    scene: Scene,
    lines: Iterable[str],
    x: float,
    *,
    y: float,
    colour: str,
    size: float,
    anchor: str = "start",
    hint: str = "",
) -> float:
    """Lines of text from baseline `y` on; gives the baseline after the last."""
    for line in lines:
        scene.add(Text(x, y, line, size, colour, anchor, hint=hint if line != hint else ""))
        y += LINE
    return y
