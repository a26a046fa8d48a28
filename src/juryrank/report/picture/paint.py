"""A scene painted: as SVG, and as PNG with matplotlib."""

from __future__ import annotations

import io
import warnings
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from juryrank.errors import BadInput, need_extra
from juryrank.report.picture.scene import THEMES, Cells, Circle, Curve, Line, Rect, Scene, Shape, Text

FONT = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', Arial, sans-serif"
ROLES = ("paper", "ink", "muted", "grid", "bar", "dot", "accent", "line", "warn")


def paint_svg(scene: Scene, *, theme: str = "light", name: str = "jr-picture") -> str:
    """The scene in one theme: light, dark, or page (colours come from the page's `--jr-...` variables).

    Colours are attributes, not styles: a page's content policy need not allow inline styles for them. `name` is
    the class that a page's style sheet knows it by.

    >>> paint_svg(Scene(10, 10)).startswith("<svg")
    True
    """
    colours = colours_of(theme)
    width, height = _n(scene.width), _n(scene.height)
    size = f'width="{width}" height="{height}"' if theme != "page" else f'class="{name}"{_size(scene, name)}'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_view_box(scene)}" '
        f'{size} role="img" aria-label={quoteattr(scene.label)} font-family={quoteattr(FONT)}>',
    ]
    if theme != "page":
        parts.append(f'<rect width="100%" height="100%" fill="{colours["paper"]}"/>')
    parts += [_shape(shape, colours) for shape in scene.shapes]
    return "\n".join([*parts, "</svg>\n"])


def paint_chart(wide: Scene, narrow: Scene) -> str:
    """A chart for a page, whose style sheet shows one of the two: `jr-wide` on a desk, `jr-narrow` on a phone."""
    return paint_svg(wide, theme="page", name="jr-wide") + paint_svg(narrow, theme="page", name="jr-narrow")


def colours_of(theme: str) -> dict[str, str]:
    """Role to colour."""
    if theme == "page":
        return {role: f"var(--jr-{role}, {getattr(THEMES['light'], role)})" for role in ROLES}
    if theme not in THEMES:
        raise BadInput(f"there is no theme {theme!r}; there are: light, dark, page")
    return {role: getattr(THEMES[theme], role) for role in ROLES}


def theme_css() -> str:
    """The variables that the `page` theme reads: light or dark as the reader's system is, the other one while the
    box `#theme` is ticked, and light on paper.
    """
    light, dark = (
        f"color-scheme:{name};" + "".join(f"--jr-{role}:{getattr(THEMES[name], role)};" for role in ROLES)
        for name in ("light", "dark")
    )
    ticked, on_dark = ":root:has(#theme:checked)", "@media screen and (prefers-color-scheme: dark)"
    return f":root{{{light}}}@media screen{{{ticked}{{{dark}}}}}{on_dark}{{:root{{{dark}}}{ticked}{{{light}}}}}"


def _shape(shape: Shape, colours: dict[str, str]) -> str:
    if isinstance(shape, Rect):
        corner = f' rx="{_n(shape.radius)}"' if shape.radius else ""
        place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" width="{_n(shape.width)}" height="{_n(shape.height)}"'
        return _hinted("rect", f"{place}{corner} {_filled(shape, colours)}", "", shape.hint)
    if isinstance(shape, Line):
        ends = f'x1="{_n(shape.x1)}" y1="{_n(shape.y1)}" x2="{_n(shape.x2)}" y2="{_n(shape.y2)}"'
        return f'<line {ends} stroke="{colours[shape.stroke]}" stroke-width="{_n(shape.width)}"/>'
    if isinstance(shape, Circle):
        ring = f' stroke="{colours[shape.ring]}" stroke-width="1.5"' if shape.ring else ""
        place = f'cx="{_n(shape.x)}" cy="{_n(shape.y)}" r="{_n(shape.radius)}"'
        return f'<circle {place} fill="{colours[shape.fill]}"{ring}/>'
    if isinstance(shape, Cells):
        return _cells(shape, colours)
    return _curve(shape, colours) if isinstance(shape, Curve) else _text(shape, colours)


def _cells(shape: Cells, colours: dict[str, str]) -> str:
    """Squares as pieces of a line as thick as they are long: half as many letters as four edges."""
    half, side = shape.size / 2, round(shape.size, 1)
    path = "".join(f"M{_n(round(x, 1))} {_n(round(y + half, 1))}h{_n(side)}" for x, y in shape.corners)
    seen = f' stroke-opacity="{_n(shape.opacity)}"' if shape.opacity < 1 else ""
    return f'<path d="{path}" stroke="{colours[shape.fill]}" stroke-width="{_n(side)}"{seen}/>'


def _filled(shape: Rect | Curve, colours: dict[str, str]) -> str:
    seen = f' fill-opacity="{_n(shape.opacity)}"' if shape.opacity < 1 else ""
    return f'fill="{colours[shape.fill]}"{seen}'


def _curve(shape: Curve, colours: dict[str, str]) -> str:
    points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
    if shape.fill:
        return _hinted("polygon", f'points="{points}" {_filled(shape, colours)}', "", shape.hint)
    drawn = f'fill="none" stroke="{colours[shape.stroke]}" stroke-width="{_n(shape.width)}"'
    return _hinted("polyline", f'points="{points}" {drawn}', "", shape.hint)


def _text(shape: Text, colours: dict[str, str]) -> str:
    bold = ' font-weight="600"' if shape.bold else ""
    anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
    place = f'x="{_n(shape.x)}" y="{_n(shape.y)}" font-size="{_n(shape.size)}"{anchor}{bold}'
    return _hinted("text", f'{place} fill="{colours[shape.fill]}"', escape(shape.text), shape.hint)


def _hinted(tag: str, attributes: str, content: str, hint: str) -> str:
    """`hint` becomes the tooltip of the shape."""
    title = f"<title>{escape(hint)}</title>" if hint else ""
    if not title and not content:
        return f"<{tag} {attributes}/>"
    return f"<{tag} {attributes}>{title}{content}</{tag}>"


def _size(scene: Scene, name: str) -> str:
    """A chart is never drawn larger than it was made; the picture fills the page's width."""
    if name == "jr-picture":
        return ""
    return f' width="{_n(scene.width)}" height="{_n(scene.height)}"'


def _view_box(scene: Scene) -> str:
    return f"{_n(scene.inset)} 0 {_n(scene.width - 2 * scene.inset)} {_n(scene.height)}"


def _n(value: float) -> str:
    return f"{round(value, 2):g}"


# ----------------------------------------------------------------------------
# A scene as PNG, painted by matplotlib's Agg: the same geometry as the SVG
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
        axes.add_artist(_path_of(shape, colours, order))
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


def _path_of(shape: Curve, colours: dict[str, str], order: int) -> Any:
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
