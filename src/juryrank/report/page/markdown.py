"""A report as Markdown: the same words and tables; the picture as text, the other figures in sentences."""

from __future__ import annotations

import re

from juryrank.defaults import WIDTH
from juryrank.report.estimate_text import bar_lines
from juryrank.report.page.document import Block, Chart, Document, Gallery, Grid, Picture, Words
from juryrank.report.text import chart_lines


def report_markdown(report: Document) -> str:
    """The whole report as one Markdown document."""
    facts = " · ".join(f"**{value}** {name}" for name, value in report.facts)
    head = [
        f"# {escape(report.title)}",
        f"**{escape(report.headline)}** ({report.state})",
        escape(report.subtitle),
        facts,
    ]
    parts = [part for part in head if part]
    for section in report.sections:
        parts += [f"## {escape(section.title)}", *(text for block in section.blocks if (text := _block(block)))]
    return "\n\n".join([*parts, "---", escape(report.foot)]) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Words):
        mark = {"quote": "> ", "warn": "> ⚠ ", "good": "> ✓ "}.get(block.tone, "")
        return mark + escape(block.text)
    if isinstance(block, Grid):
        return _table(block)
    if isinstance(block, Gallery):
        return "\n".join(f"1. **{escape(name)}** {escape(shown.words)}".rstrip() for name, shown in block.rows)
    if isinstance(block, Picture):
        view = block.view
        if view.estimates:
            return "\n".join(["```text", *bar_lines(view.estimates, width=WIDTH), "```"])
        legend = [view.line_legend] if view.line_legend else []
        return "\n".join(["```text", *chart_lines(view), *legend, "```"])
    return _chart(block)


def _table(grid: Grid) -> str:
    if not grid.rows:
        return ""
    marks = ("---:" if name in grid.numbers else "---" for name in grid.header)
    lines = [_row(grid.header), _row(marks), *(_row(row) for row in grid.rows)]
    return "\n".join(lines) + (f"\n\n{escape(grid.more)}" if grid.more else "")


def _row(cells: object) -> str:
    return "| " + " | ".join(escape(str(cell)) or " " for cell in cells) + " |"  # type: ignore[attr-defined]


def _chart(chart: Chart) -> str:
    return f"*Figure (in the HTML report): {escape(chart.says)}*"


def escape(text: str) -> str:
    """Text that Markdown shows as it is.

    >>> escape("a|b *c* <d>")
    'a\\\\|b \\\\*c\\\\* &lt;d>'
    """
    text = re.sub(r"([\\`*_|\[\]#~])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))
    return " ".join(text.split())
