"""The picture of a result: possible ranks as bars, the best guess as dots, settled lines, and what is open.

>>> from juryrank.types import Ranking
>>> result = Ranking(("b", "a"), certified=False, error=0.1, questions=9, ranker="panel", ranges=((1, 2), (1, 2)))
>>> "possible ranks" in picture_svg(result, title="Two things")
True
"""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.report.picture.estimates import estimate_chart
from juryrank.report.picture.paint import paint_png, paint_svg
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
from juryrank.report.view import ItemRow, View, tick_ranks, view_of
from juryrank.report.words.formats import clean, em_width, fit, wrap_pixels
from juryrank.statements.numbers import number_of
from juryrank.types import JudgeReport, Ranking

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


# ----------------------------------------------------------------------------
# The column beside the chart: what is still open, what more answers would settle, the judges
LINE = 22.0
TEXT, HEAD = 13.0, 18.0
SECOND, THIRD = 0.50, 0.76  # where the table's columns start, as shares of the width
PAIR_GAP = 12.0
LIKELY_SHOWN = 4
JUDGES_SHOWN = 8


def side_panel(view: View, *, x: float, width: float, rows: int) -> Scene:
    """Texts from y = 0 downwards; empty where there is nothing to say."""
    scene = Scene(width)
    y = _open_table(scene, view, x=x, width=width, rows=rows, y=4.0)
    y = _forecast(scene, view, x=x, width=width, y=y)
    if not view.people:
        y = _judges(scene, view, x=x, width=width, y=y)
    scene.height = y
    return scene


def _open_table(scene: Scene, view: View, *, x: float, width: float, rows: int, y: float) -> float:
    if not view.open_pairs:
        return y
    second, third = x + SECOND * width, x + THIRD * width
    scene.add(Text(x, y, view.open_title, HEAD, bold=True))
    y += 28
    for place, name in zip((x, second, third), view.open_columns, strict=True):
        scene.add(Text(place, y, name, TEXT - 0.5, "muted"))
    y += LINE
    shown = view.open_pairs[:rows] if len(view.open_pairs) > rows + 1 else view.open_pairs
    for pair in shown:
        name, full = pair_name(pair.first, pair.second, width=second - x - PAIR_GAP, size=TEXT)
        scene.add(Text(x, y, name, TEXT, hint=full if full != name else ""))
        scene.add(Text(second, y, f"{pair.preferred:,} of {pair.answers:,}", TEXT))
        needed = fit(pair.needed, width - THIRD * width, TEXT)
        scene.add(Text(third, y, needed, TEXT, "ink" if pair.hopeful else "muted", hint=pair.needed))
        y += LINE
    if len(shown) < len(view.open_pairs):
        scene.add(Text(x, y, f"and {len(view.open_pairs) - len(shown):,} more", TEXT, "muted"))
        y += LINE
    return y + 20


def pair_name(first: str, second: str, *, width: float, size: float) -> tuple[str, str]:
    """Two names side by side in `width` pixels, each shortened to its share, and the full text."""
    full = f"{first} / {second}"
    if fit(full, width, size) == full:
        return full, full
    half = width / 2 - size * 0.5
    left = fit(first, half, size)
    spare = width - size - _pixels(left, size)
    right = fit(second, max(half, spare), size)
    left = fit(first, max(half, width - size - _pixels(right, size)), size)
    return f"{left} / {right}", full


def _pixels(text: str, size: float) -> float:
    return em_width(text) * size


def _forecast(scene: Scene, view: View, *, x: float, width: float, y: float) -> float:
    if not view.forecasts:
        return y
    scene.add(Text(x, y, view.forecast_title, HEAD, bold=True))
    y += 28
    for forecast in view.forecasts:
        for line in wrap_pixels(forecast.headline, width, TEXT):
            scene.add(Text(x, y, line, TEXT))
            y += LINE
        for likely in forecast.likely[:LIKELY_SHOWN]:
            line = fit(likely, width - 18, TEXT)
            scene.add(Text(x + 18, y, line, TEXT, hint=likely if line != likely else ""))
            y += LINE
        y += 2
    return y + 18


def _judges(scene: Scene, view: View, *, x: float, width: float, y: float) -> float:
    if not view.judges:
        return y
    asked = sorted(view.judges, key=lambda judge: -judge.answered)
    scene.add(Text(x, y, "Judges", HEAD, bold=True))
    y += 28
    second, third = x + SECOND * width, x + THIRD * width
    for place, name in ((x, "judge"), (second, "answers"), (third, "agreeing" if view.opinions else "accuracy")):
        scene.add(Text(place, y, name, TEXT - 0.5, "muted"))
    y += LINE
    shown = asked[:JUDGES_SHOWN] if len(asked) > JUDGES_SHOWN + 1 else asked
    for judge in shown:
        colour = "ink" if judge.active else "muted"
        name = clean(judge.name)
        short = fit(name, second - x - PAIR_GAP, TEXT)
        scene.add(Text(x, y, short, TEXT, colour, hint=name if short != name else judge.note))
        scene.add(Text(second, y, f"{judge.answered:,}", TEXT, colour))
        scene.add(Text(third, y, accuracy_words(judge), TEXT, colour))
        y += LINE
    if len(shown) < len(asked):
        scene.add(Text(x, y, f"and {number_of(len(asked) - len(shown), 'more judge')}", TEXT, "muted"))
        y += LINE
    return y + 18


def accuracy_words(judge: JudgeReport) -> str:
    """A judge's estimated accuracy.

    >>> accuracy_words(JudgeReport("ann", 9, 9, 7.0, 0.78, 0.5, 0.9, True))
    '78 %'
    """
    return "" if judge.accuracy is None else f"{round(100 * judge.accuracy)} %"
