"""Estimates on a phone: each item's name above its bar, so that nothing runs over the edge."""

from __future__ import annotations

from collections.abc import Iterable

from juryrank.report.picture.scene import Circle, Line, Rect, Scene, Text
from juryrank.report.view import View
from juryrank.report.words.estimates import EstimateRow
from juryrank.report.words.formats import wrap_pixels

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
        y = _row(scene, row, y)
    if view.line_legend and view.lines:
        legend = wrap_pixels(view.line_legend, WIDTH, SMALL + 1)
        y = _lines(scene, legend, 0.0, y=y + LINE, colour="line", size=SMALL)
    scene.height = y + 6
    return scene


def _row(scene: Scene, row: EstimateRow, top: float) -> float:
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
