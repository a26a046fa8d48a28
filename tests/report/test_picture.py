"""The picture: valid SVG in both themes, real PNG, nothing outside its edges, nothing lost."""

import itertools
import struct
import xml.etree.ElementTree as ElementTree

import pytest

from juryrank import rank
from juryrank.errors import BadInput
from juryrank.report import picture_png, picture_svg, result_text, view_of
from juryrank.report.picture.charts import BarRow, DotRow, dots, part_bars, progress_bars, squares, time_curve
from juryrank.report.picture.paint import paint_png, paint_svg
from juryrank.report.picture.picture import chart, picture
from juryrank.report.picture.scene import NARROW, WIDE, Circle, Line, Rect, Text, histogram
from juryrank.report.words.formats import em_width
from tests.report.results import EVERY, PRESIDENTS, certified, guess, panel

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("theme", ["light", "dark", "page"])
@pytest.mark.parametrize("name", EVERY)
def test_every_result_is_valid_svg(name, theme):
    root = ElementTree.fromstring(picture_svg(EVERY[name], title='A "study" & more', theme=theme))
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f"{SVG}circle")) == len(EVERY[name].order)


@pytest.mark.parametrize("draw", [picture, chart])
@pytest.mark.parametrize("name", EVERY)
def test_nothing_leaves_the_paper(name, draw):
    scene = draw(view_of(EVERY[name], title="A study"))
    for shape in scene.shapes:
        if isinstance(shape, Text):
            width = em_width(shape.text) * shape.size
            start = {"start": shape.x, "middle": shape.x - width / 2, "end": shape.x - width}[shape.anchor]
            assert start >= 0 and start + width <= scene.width + 1, shape
            assert 0 < shape.y < scene.height
        elif isinstance(shape, Rect):
            assert shape.x > 0 and shape.x + shape.width < scene.width


def test_texts_do_not_run_into_each_other():
    """In one row of the side table, each column ends before the next begins."""
    for result in EVERY.values():
        rows = {}
        for shape in picture(view_of(result, title="A study")).shapes:
            if isinstance(shape, Text) and shape.anchor == "start":
                rows.setdefault(round(shape.y, 1), []).append(
                    (shape.x, shape.x + em_width(shape.text) * shape.size)
                )
        for spans in rows.values():
            spans.sort()
            assert all(end <= start + 1 for (_, end), (start, _) in itertools.pairwise(spans))


def test_the_mock_up_has_all_its_parts():
    svg = picture_svg(panel(), title="Presidents, first to last")
    words = "".join(ElementTree.fromstring(svg).itertext())
    for part in (*PRESIDENTS, "30 of 45 pairs settled", "4 to 9", "28 of 38", "~20", "hardly asked", "Still open"):
        assert part in words
    assert "With 90 % confidence every range below holds at the same time" in words
    assert "green line = settled cut" in words and "carry no promise" in words
    assert svg.count('#1f8a4c" stroke-width') == 2


def test_bars_lie_on_their_ranks():
    scene = picture(view_of(panel()))
    bars = [shape for shape in scene.shapes if isinstance(shape, Rect)]
    assert len(bars) == 9  # the one with a settled rank is only a dot
    step = (bars[2].width - bars[0].width) / 2  # ranges 4 to 7 and 2 to 3
    assert bars[4].width - bars[2].width == pytest.approx(2 * step)  # 4 to 9


def test_in_a_circle_every_dot_stands_within_the_ranks_that_its_items_share():
    circle = panel(ranges=((1, 3), (1, 3), (1, 3), *((k, k) for k in range(4, 11))))
    scene = chart(view_of(circle))
    dots = [shape.x for shape in scene.shapes if isinstance(shape, Circle)]
    bars = [shape for shape in scene.shapes if isinstance(shape, Rect)]
    assert len({(bar.x, bar.width) for bar in bars}) == 1 and len(bars) == 3
    assert all(bars[0].x <= dot <= bars[0].x + bars[0].width for dot in dots[:3]) and dots == sorted(dots)
    rows = [line for line in result_text(circle).splitlines() if "●" in line]
    assert [line.endswith("1 to 3") for line in rows[:4]] == [True, True, True, False]


def test_lines_are_read_off_ranges_that_do_not_meet():
    assert view_of(certified(settled=3)).lines == (1, 2, 3)
    assert view_of(guess()).lines == ()


def test_png_is_a_picture_of_the_same_size():
    data = picture_png(panel(), title="Presidents", theme="dark", scale=1)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    scene = picture(view_of(panel(), title="Presidents"))
    assert abs(width - scene.width) <= 1 and abs(height - scene.height) <= 1


def test_an_unknown_theme_is_refused():
    with pytest.raises(BadInput, match="there are: light, dark, page"):
        picture_svg(guess(), theme="pink")


def test_settled_links_of_a_partial_order_join_the_names():
    view = view_of(certified(settled=3))
    assert len(view.joined) == 3 and "green beside the names = settled" in view.line_legend
    joins = [shape for shape in picture(view).shapes if isinstance(shape, Line) and shape.x1 == shape.x2]
    joins = [shape for shape in joins if shape.stroke == "line"]
    assert len(joins) == 3
    assert view_of(certified()).joined == ()


def test_judges_with_opinions_have_no_accuracy():
    taste = {"m": lambda left, right, case: min(left, right)}
    result = rank(list("abc"), taste, cases=["x", "y", "z"], goal="order", within=0.1, seed=1)
    words = {shape.text for shape in picture(view_of(result)).shapes if isinstance(shape, Text)}
    assert "agreeing" in words and "accuracy" not in words


LONG = ["short", "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 2, "שוקולד חלב", "<b>&", "日本"]
TIMES = [(1.7e9 + 3600.0 * k, k + 1) for k in range(90)]


def charts(width, names):
    """One chart of every kind, for these names."""
    says = {"width": width, "says": "what it shows"}
    shares = {(i, j): (i + 1) / (i + j + 2) for i in range(len(names)) for j in range(len(names)) if i != j}
    told = dict.fromkeys(shares, "a tooltip")
    rows = [DotRow(name, 0.5, 0.0, 1.0, "50 % (0 to 100)", "a tooltip") for name in names]
    bars = [BarRow(name, ((3.0, "dot", "three"), (2.0, "bar", "two")), "5") for name in names]
    legend = [("dot", "left"), ("bar", "right")]
    yield dots(rows, title="a share", **says)
    yield part_bars(bars, title="answers", legend=legend, **says)
    yield progress_bars(
        [BarRow(n, ((0.4, "dot", "a tooltip"),), "40 %") for n in names], title="x", goal="y", **says
    )
    yield histogram([k / 30 for k in range(31)], title="a share", what="judges", **says)
    yield time_curve([("answered", "dot", TIMES), ("asked", "muted", TIMES[:9])], counts="questions", **says)
    yield squares(names, shares, hints=told, marked=[(0, 1)], **says)
    yield squares(names, shares, hints=told, both_ways=True, **says)


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("many", [3, 25, 60])
def test_charts_keep_to_their_paper_and_are_valid_svg(width, many):
    names = [f"{LONG[k % len(LONG)]} {k}" for k in range(many)]
    for scene in charts(width, names):
        ElementTree.fromstring(paint_svg(scene, theme="page"))
        for shape in scene.shapes:
            if isinstance(shape, Text):
                wide = em_width(shape.text) * shape.size
                start = {"start": shape.x, "middle": shape.x - wide / 2, "end": shape.x - wide}[shape.anchor]
                assert start >= -3 and start + wide <= width + 3, shape
                assert 0 < shape.y <= scene.height and shape.size >= 7.5, shape
            elif isinstance(shape, Rect):
                assert shape.x >= 0 and shape.x + shape.width <= width + 0.1, shape


def test_labels_below_an_axis_do_not_run_into_each_other():
    for width in (WIDE, NARROW):
        for scene in charts(width, LONG):
            rows = {}
            for shape in scene.shapes:
                if isinstance(shape, Text) and shape.anchor == "middle":
                    half = em_width(shape.text) * shape.size / 2
                    rows.setdefault(round(shape.y, 1), []).append((shape.x - half, shape.x + half))
            for spans in map(sorted, rows.values()):
                assert all(end <= start + 1 for (_, end), (start, _) in itertools.pairwise(spans))


def test_every_shape_can_be_painted_as_png():
    for scene in charts(NARROW, LONG):
        assert paint_png(scene, scale=1.0)[1:4] == b"PNG"
