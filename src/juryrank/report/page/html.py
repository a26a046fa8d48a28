"""A report as one self-contained HTML page: style, script, picture and plotly inside, nothing fetched."""

from __future__ import annotations

import base64
import gzip
import json
from functools import cache
from importlib import resources
from typing import Any

from juryrank.errors import need_extra
from juryrank.report.page.document import Block, Chart, Document, Gallery, Grid, Picture
from juryrank.report.picture.narrow import narrow_estimates
from juryrank.report.picture.picture import chart, picture
from juryrank.report.picture.svg import paint_svg, theme_css


def report_html(report: Document, *, plotly_url: str | None = None) -> str:
    """The whole page. `plotly_url`: fetch plotly from there instead of carrying it (for a server's own page)."""
    jinja2 = need_extra("jinja2", extra="report", what="the HTML report")
    safe = need_extra("markupsafe", extra="report", what="the HTML report").Markup
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(_file("report.html.j2"))
    numbered = _Numbered()
    page: str = template.render(
        report=report,
        sections=[
            (section.title, [numbered.shown(block) for block in section.blocks]) for section in report.sections
        ],
        theme=safe(theme_css()),
        style=safe(_file("report.css")),
        script=safe(_file("report.js")),
        plotly=None if plotly_url else safe(_plotly()),
        plotly_url=plotly_url,
        markup=safe,
        charts=safe(_in_script(numbered.charts)),
    )
    return page


class _Numbered:
    """Blocks as the template shows them: (kind, value); charts get a number each."""

    def __init__(self) -> None:
        self.charts: list[dict[str, Any]] = []

    def shown(self, block: Block) -> tuple[str, Any]:
        if isinstance(block, Chart):
            self.charts.append({"data": list(block.data), "layout": dict(block.layout)})
            return "chart", (len(self.charts) - 1, block)
        if isinstance(block, Picture):
            narrow = narrow_estimates if block.view.estimates else chart
            scenes = picture(block.view, heading=False), narrow(block.view)
            return "picture", [paint_svg(scene, theme="page") for scene in scenes]
        if isinstance(block, Gallery):
            return "gallery", block
        return ("grid" if isinstance(block, Grid) else "words"), block


def _file(name: str) -> str:
    return resources.files("juryrank.report.page").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _plotly() -> str:
    """Plotly's own script, from the installed package, compressed to two fifths of its size."""
    source: str = need_extra("plotly.offline", extra="report", what="the HTML report").get_plotlyjs()
    return base64.b64encode(gzip.compress(source.encode(), mtime=0)).decode()


def _in_script(value: Any) -> str:
    """JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
    return text.replace("\u2028", " ").replace("\u2029", " ")
