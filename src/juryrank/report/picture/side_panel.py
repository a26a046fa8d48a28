"""The column beside the chart: what is still open, what more answers would settle, the judges."""

from __future__ import annotations

from juryrank.report.picture.scene import Scene, Text
from juryrank.report.view import View
from juryrank.report.words.formats import clean, counted, em_width, fit, wrap_pixels
from juryrank.types import JudgeReport

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
        scene.add(Text(x, y, f"and {counted(len(asked) - len(shown), 'more judge')}", TEXT, "muted"))
        y += LINE
    return y + 18


def accuracy_words(judge: JudgeReport) -> str:
    """A judge's estimated accuracy.

    >>> accuracy_words(JudgeReport("ann", 9, 9, 7.0, 0.78, 0.5, 0.9, True))
    '78 %'
    """
    return "" if judge.accuracy is None else f"{round(100 * judge.accuracy)} %"
