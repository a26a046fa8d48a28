"""A scene as PNG, painted by matplotlib's Agg: the same geometry as the SVG."""

from __future__ import annotations

import io
import warnings
from typing import Any

from juryrank.errors import need_extra
from juryrank.report.picture.scene import Cells, Circle, Curve, Line, Rect, Scene, Shape
from juryrank.report.picture.svg import colours_of

POINTS_PER_PIXEL = 0.72  # at 100 dots an inch
DPI = 100
# Tried in this order for each letter, so that names in other scripts show where a font for them is installed.
FONTS = (
    "DejaVu Sans",
    "Noto Sans",
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans Arabic",
    "Noto Sans Devanagari",
    "Arial Unicode MS",
    "Hiragino Sans",
    "Microsoft YaHei",
)


def paint_png(scene: Scene, *, theme: str = "light", scale: float = 2.0) -> bytes:
    """The scene as a PNG file's bytes; `scale` 2 is sharp on fine screens."""
    need_extra("matplotlib", extra="figures", what="a PNG picture")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    colours = colours_of(theme)
    figure = Figure(figsize=(scene.width / DPI, scene.height / DPI), dpi=DPI, facecolor=colours["paper"])
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, scene.width)
    axes.set_ylim(scene.height, 0)
    axes.axis("off")
    fonts = _installed()
    for order, shape in enumerate(scene.shapes):
        _paint(axes, shape, colours, fonts=fonts, order=order + 1)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # an empty box says it already
        figure.savefig(out, format="png", dpi=DPI * scale, facecolor=colours["paper"])
    return out.getvalue()


def _installed() -> list[str]:
    from matplotlib import font_manager

    present = {entry.name for entry in font_manager.fontManager.ttflist}
    return [name for name in FONTS if name in present]


def _paint(axes: Any, shape: Shape, colours: dict[str, str], *, fonts: list[str], order: int) -> None:
    from matplotlib import lines, patches

    if isinstance(shape, Rect):
        painted = _rounded if shape.radius else _square
        axes.add_artist(painted(shape, colours[shape.fill], order))
    elif isinstance(shape, Line):
        ends = [shape.x1, shape.x2], [shape.y1, shape.y2]
        width = shape.width * POINTS_PER_PIXEL
        axes.add_line(lines.Line2D(*ends, color=colours[shape.stroke], linewidth=width, zorder=order))
    elif isinstance(shape, Circle):
        ring = colours[shape.ring] if shape.ring else "none"
        width = 1.5 * POINTS_PER_PIXEL if shape.ring else 0
        place = (shape.x, shape.y)
        fill = colours[shape.fill]
        axes.add_patch(
            patches.Circle(place, shape.radius, facecolor=fill, edgecolor=ring, linewidth=width, zorder=order)
        )
    elif isinstance(shape, Cells):
        for x, y in shape.corners:
            one = Rect(x, y, shape.size, shape.size, shape.fill, opacity=shape.opacity)
            axes.add_artist(_square(one, colours[shape.fill], order))
    elif isinstance(shape, Curve):
        axes.add_artist(_curve(shape, colours, order))
    else:
        axes.text(
            shape.x,
            shape.y,
            shape.text,
            fontsize=shape.size * POINTS_PER_PIXEL,
            color=colours[shape.fill],
            ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
            va="baseline",
            fontweight="bold" if shape.bold else "normal",
            fontfamily=fonts or None,
            parse_math=False,
            zorder=order,
        )


def _square(shape: Rect, colour: str, order: int) -> Any:
    from matplotlib import patches

    place = (shape.x, shape.y)
    width, height, alpha = shape.width, shape.height, shape.opacity
    return patches.Rectangle(place, width, height, facecolor=colour, alpha=alpha, linewidth=0, zorder=order)


def _curve(shape: Curve, colours: dict[str, str], order: int) -> Any:
    from matplotlib import lines, patches

    if shape.fill:
        colour, alpha = colours[shape.fill], shape.opacity
        return patches.Polygon(shape.points, facecolor=colour, alpha=alpha, linewidth=0, zorder=order)
    xs, ys = zip(*shape.points, strict=True)
    return lines.Line2D(
        xs, ys, color=colours[shape.stroke], linewidth=shape.width * POINTS_PER_PIXEL, zorder=order
    )


def _rounded(shape: Rect, colour: str, order: int) -> Any:
    """A bar with round ends: a thick line with round caps (its radius is half its height)."""
    from matplotlib import lines, patches

    middle = shape.y + shape.height / 2
    left, right = shape.x + shape.radius, shape.x + shape.width - shape.radius
    if right - left < 1:  # of a line without length nothing would be painted
        return patches.Circle((left, middle), shape.radius, facecolor=colour, linewidth=0, zorder=order)
    ends = [left, right], [middle, middle]
    width = shape.height * POINTS_PER_PIXEL
    return lines.Line2D(*ends, color=colour, linewidth=width, solid_capstyle="round", zorder=order)
