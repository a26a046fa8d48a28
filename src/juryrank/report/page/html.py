"""A report as one self-contained HTML page: style, picture and charts inside; it fetches and runs nothing."""

from __future__ import annotations

from importlib import resources
from typing import Any

from juryrank.errors import need_extra
from juryrank.report.page.document import Block, Chart, Document, Gallery, Grid, Picture
from juryrank.report.picture.narrow import narrow_estimates
from juryrank.report.picture.picture import chart, picture
from juryrank.report.picture.svg import paint_chart, paint_svg, theme_css


def report_html(report: Document) -> str:
    """The whole page."""
    jinja2 = need_extra("jinja2", extra="report", what="the HTML report")
    safe = need_extra("markupsafe", extra="report", what="the HTML report").Markup
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_file("report.html.j2"))
    page: str = template.render(
        report=report,
        sections=[(section.title, [_shown(block) for block in section.blocks]) for section in report.sections],
        theme=safe(theme_css()),
        style=safe(_file("report.css")),
        markup=safe,
    )
    return page


def _shown(block: Block) -> tuple[str, Any]:
    """A block as the template shows it: (kind, value)."""
    if isinstance(block, Chart):
        return "chart", (paint_chart(block.wide, block.narrow), block.says)
    if isinstance(block, Picture):
        narrow = narrow_estimates if block.view.estimates else chart
        scenes = picture(block.view, heading=False), narrow(block.view)
        return "picture", [paint_svg(scene, theme="page") for scene in scenes]
    if isinstance(block, Gallery):
        return "gallery", block
    return ("grid" if isinstance(block, Grid) else "words"), block


def _file(name: str) -> str:
    return resources.files("juryrank.report.page").joinpath("templates", name).read_text(encoding="utf-8")
