"""The picture of a result: possible ranks as bars, the best guess as dots, settled lines, and what is open.

>>> from juryrank.types import Ranking
>>> result = Ranking(("b", "a"), certified=False, error=0.1, questions=9, ranker="panel", ranges=((1, 2), (1, 2)))
>>> "possible ranks" in picture_svg(result, title="Two things")
True
"""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.report.picture.axes import CHART_WIDTH, LABEL_LEAST, LABEL_MOST, MARGIN, Pitch, pitch_for
from juryrank.report.picture.estimates import estimate_chart
from juryrank.report.picture.paint import paint_png, paint_svg
from juryrank.report.picture.scene import Circle, Line, Rect, Scene, Text
from juryrank.report.picture.side_panel import side_panel
from juryrank.report.view import ItemRow, View, tick_ranks, view_of
from juryrank.report.words.formats import em_width, fit, wrap_pixels
from juryrank.types import Ranking

SIDE_WIDTH, GUTTER = 416.0, 40.0
RANK_COLUMN = 84.0
NARROW = 400.0  # a chart that can still be read on a phone
JOIN_GAP = 11.0  # between a name and the line that joins it to the next
TICK_ROOM = 26.0  # pixels for the label of a rank, at least
MOST_TICKS = 15
WARNINGS_SHOWN = 3
OPEN_ROWS_LEAST, OPEN_ROWS_MOST = 6, 24


def picture_svg(ranking: Ranking, *, title: str = "", theme: str = "light") -> str:
    """The picture as SVG text; theme light, dark, or page (takes its colours from the page around it).

    >>> from juryrank import rank
    >>> picture_svg(rank(["a", "b"], {"ann": min}, seed=1), title="Letters")[:4]
    '<svg'
    """
    return paint_svg(picture(view_of(ranking, title=title)), theme=theme)


def picture_png(ranking: Ranking, *, title: str = "", theme: str = "light", scale: float = 2.0) -> bytes:
    """The picture as PNG bytes (needs matplotlib: `pip install 'juryrank[figures]'`).

    >>> from juryrank import rank
    >>> picture_png(rank(["a", "b"], {"ann": min}, seed=1), title="Letters")[1:4]
    b'PNG'
    """
    return paint_png(picture(view_of(ranking, title=title)), theme=theme, scale=scale)


def chart(view: View) -> Scene:
    """The possible ranks alone, narrow enough for a phone; what the picture says besides stands around it."""
    scene = Scene(2 * MARGIN + NARROW, label=f"{view.title}. {view.subtitle}", inset=MARGIN - 4)
    scene.height = _chart(scene, view, top=20.0, width=NARROW) + 12
    return scene


def picture(view: View, *, heading: bool = True) -> Scene:
    """The whole picture as shapes; without `heading` on pages that have their own."""
    side = side_panel(view, x=MARGIN + CHART_WIDTH + GUTTER, width=SIDE_WIDTH, rows=_side_rows(view))
    width = 2 * MARGIN + CHART_WIDTH + ((GUTTER + SIDE_WIDTH) if side.shapes else 0)
    scene = Scene(width, label=f"{view.title}. {view.subtitle}", inset=0.0 if heading else MARGIN - 4)
    y = _heading(scene, view, width - 2 * MARGIN) if heading else -20.0
    bottom = (estimate_chart if view.estimates else _chart)(scene, view, top=y + 40)
    if side.shapes:
        scene.add(*_moved(side, y + 40))
        bottom = max(bottom, y + 40 + side.height)
    said = _said(view) if heading else []
    scene.height = _foot(scene, [(text, "warn") for text in said] + [(view.footer, "muted")], top=bottom + 18)
    return scene


def _side_rows(view: View) -> int:
    """How many open pairs fit beside the chart."""
    height = len(view.rows) * pitch_for(len(view.rows)).row
    below = 60 + 22 * sum(3 + len(forecast.likely) for forecast in view.forecasts) if view.forecasts else 0
    return max(OPEN_ROWS_LEAST, min(OPEN_ROWS_MOST, int((height - below) / 22)))


def _moved(scene: Scene, down: float) -> list[Text]:
    return [
        Text(s.x, s.y + down, s.text, s.size, s.fill, s.anchor, s.bold, s.hint)
        for s in scene.shapes
        if isinstance(s, Text)
    ]


def _heading(scene: Scene, view: View, width: float) -> float:
    y = 46.0
    for line in wrap_pixels(view.title, width, 27)[:2]:
        scene.add(Text(MARGIN, y, line, 26, bold=True, hint=view.title))
        y += 32
    y -= 6
    for line in wrap_pixels(view.subtitle, width, 15)[:4]:
        scene.add(Text(MARGIN, y, line, 14.5, "muted"))
        y += 20
    return y - 10


@dataclass(frozen=True, slots=True)
class Axis:
    """The position of a rank in the chart."""

    left: float
    right: float
    items: int

    def x(self, rank: float) -> float:
        step = (self.right - self.left) / max(self.items - 1, 1)
        return self.left + (rank - 1) * step if self.items > 1 else (self.left + self.right) / 2


def _chart(scene: Scene, view: View, *, top: float, width: float = CHART_WIDTH) -> float:
    pitch = pitch_for(len(view.rows))
    names = max((em_width(row.item) * pitch.text for row in view.rows), default=0.0)
    label = min(LABEL_MOST, width / 3, max(LABEL_LEAST, names))
    axis = Axis(MARGIN + label + 34, MARGIN + width - RANK_COLUMN - 24, view.ranks)
    caption = _caption(view)
    start = max(MARGIN, min(axis.left - 14, MARGIN + width - RANK_COLUMN - 8 - em_width(caption) * 14.5))
    scene.add(Text(start, top, caption, 14.5, "muted"))
    first = top + 40
    bottom = first + len(view.rows) * pitch.row
    if view.ranged:
        scene.add(Text(MARGIN + width - RANK_COLUMN, top + 14, "rank", 14.5, "muted"))
    for rank in tick_ranks(view.ranks, most=min(MOST_TICKS, int((axis.right - axis.left) / TICK_ROOM))):
        scene.add(Line(axis.x(rank), first, axis.x(rank), bottom, "grid"))
        scene.add(Text(axis.x(rank), first - 12, str(rank), 13, "muted", "middle"))
    thickness = 2.0 if 2 * len(view.lines) < len(view.rows) else 1.0  # many lines say it without shouting
    for k in view.lines:
        y = first + k * pitch.row
        scene.add(Line(MARGIN, y, MARGIN + width, y, "line", thickness))
    for k in view.joined:
        y = first + (k - 0.5) * pitch.row
        scene.add(Line(MARGIN + label + JOIN_GAP, y, MARGIN + label + JOIN_GAP, y + pitch.row, "line", 2.5))
    for k, row in enumerate(view.rows):
        _row(scene, row, axis, pitch, y=first + (k + 0.5) * pitch.row, label=label, width=width)
    if not view.line_legend:
        return bottom
    for line in wrap_pixels(view.line_legend, width, 14):
        bottom += 20
        scene.add(Text(MARGIN, bottom + 4, line, 13.5, "line"))
    return bottom + 6


def _caption(view: View) -> str:
    if not view.ranged:
        return "best guess (dot)"
    if all(row.settled for row in view.rows):
        return "rank of each item, all settled"
    return "possible ranks (bar) and best guess (dot)"


def _row(scene: Scene, row: ItemRow, axis: Axis, pitch: Pitch, *, y: float, label: float, width: float) -> None:
    name = fit(row.item, label + 2, pitch.text)
    base = y + pitch.text * 0.36
    scene.add(
        Text(MARGIN + label, base, name, pitch.text, anchor="end", hint=row.item if name != row.item else "")
    )
    if row.best is not None and row.worst is not None:
        half = pitch.bar / 2
        left, right = axis.x(row.best) - half, axis.x(row.worst) + half
        if not row.settled:
            hint = f"{row.item}: rank {row.rank}"
            scene.add(Rect(left, y - half, right - left, pitch.bar, "bar", half, hint))
        x, colour = MARGIN + width - RANK_COLUMN, "accent" if row.settled else "ink"
        scene.add(Text(x, base, row.rank, min(15, pitch.text), colour, bold=row.settled))
    scene.add(Circle(axis.x(row.guess), y, pitch.dot, "dot", "paper"))


def _said(view: View) -> list[str]:
    """The warnings that a picture must show."""
    more = len(view.warnings) - WARNINGS_SHOWN
    rest = [f"... and {more} more warnings"] if more > 0 else []
    return [
        *(f"Post-hoc: {edit}" for edit in view.post_hoc[:WARNINGS_SHOWN]),
        *view.warnings[:WARNINGS_SHOWN],
        *rest,
    ]


def _foot(scene: Scene, texts: list[tuple[str, str]], *, top: float) -> float:
    y = top + 16
    for text, colour in texts:
        for line in wrap_pixels(text, scene.width - 2 * MARGIN, 14):
            scene.add(Text(MARGIN, y, line, 13.5, colour))
            y += 19
        y += 3
    return y + 12
