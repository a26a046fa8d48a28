"""Composing a whole report from its material."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib import resources
from typing import Any, TypeAlias

from juryrank.defaults import WIDTH
from juryrank.errors import need_extra
from juryrank.report.material import Material
from juryrank.report.page import sections
from juryrank.report.picture.narrow import narrow_estimates
from juryrank.report.picture.picture import chart, picture
from juryrank.report.picture.scene import Scene
from juryrank.report.picture.svg import paint_chart, paint_svg, theme_css
from juryrank.report.text import bar_lines, chart_lines
from juryrank.report.view import View, view_of
from juryrank.report.words.alarms import conduct_words
from juryrank.report.words.formats import counted


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `tone`: plain, quote (the promise's exact words), good or warn."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; columns named in `numbers` are aligned right. `more` says what was left out."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str] = frozenset()
    more: str = ""
    fold: str = ""  # in HTML shown on a click on these words


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, drawn for a desk and for a phone; `says` is what it shows, in words, also for who cannot see it."""

    says: str
    wide: Scene
    narrow: Scene


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of the result."""

    view: View


@dataclass(frozen=True, slots=True)
class ShownItem:
    """What judges saw of an item: the beginning of its words, a small picture as a `data:` address."""

    words: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Items by name, each with what judges saw of it."""

    rows: tuple[tuple[str, ShownItem], ...]


Block: TypeAlias = Words | Grid | Chart | Picture | Gallery


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """`state` is the badge (certified, proven, partly settled, open, post-hoc); `facts` are the figures on top."""

    title: str
    headline: str
    subtitle: str
    state: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    foot: str = ""


def cut(grid: Grid, what: str, *, most: int = 200) -> Grid:
    """A table cut to `most` rows, with a note of how many were left out."""
    more = len(grid.rows) - most
    if more <= 0:
        return grid
    return replace(grid, rows=grid.rows[:most], more=f"and {more:,} more {what}: export the votes to see them")


def compose(material: Material, *, title: str = "") -> Document:
    """The report of a study; `title` replaces the study's name as its heading."""
    name = title or material.name
    view = promised_view(material)
    found = (
        sections.ahead_section(view),
        sections.order_section(material, view),
        sections.items_section(material, view),
        sections.evidence_section(material, view),
        sections.cases_section(view),
        sections.judges_section(material),
        sections.models_section(material),
        sections.sides_section(material),
        sections.time_section(material),
        sections.assumptions_section(material, view),
        sections.settings_section(material),
    )
    return Document(
        title=name,
        headline=view.title[:1].upper() + view.title[1:],
        subtitle=view.subtitle,
        state=_state(material, view),
        facts=tuple(_facts(material, view)),
        sections=tuple(section for section in found if section is not None),
        foot=_foot(material),
    )


def promised_view(material: Material) -> View:
    """What there is to show; its promise also says where judges left out or changed more than a few answers."""
    view = view_of(material.ranking)
    besides = (
        conduct_words(material.conduct, material.ranking.ranker) if view.promises and not view.post_hoc else []
    )
    return replace(view, promise=" ".join([view.promise, *besides]))


def _state(material: Material, view: View) -> str:
    if material.ranking.post_hoc:
        return "post-hoc"
    if material.ranking.certified:
        return "certified"
    if material.ranking.proven:  # what was asked for, which is less than the whole order
        return "proven"
    settled = material.ranking.details.settled_count or any(link.settled for link in material.ranking.links)
    return "partly settled" if settled or view.lines else "open"


def _facts(material: Material, view: View) -> list[tuple[str, str]]:
    ranking, details = material.ranking, material.ranking.details
    who = ("person", "people") if view.people and not details.these_judges else ("judge", "judges")
    facts = [
        _fact(len(ranking.order), "item", "items"),
        _fact(details.people if view.people else len(ranking.judges), *who),
        _fact(len(material.answered), "answer", "answers"),
    ]
    if details.pairs_count:
        facts.append(("pairs settled", f"{details.settled_count:,} of {details.pairs_count:,}"))
    elif view.jury:
        claims = view.jury.get("claims") or ()
        proven = sum(claim["resolution"] is not None for claim in claims)
        facts += [("claims proven", f"{proven:,} of {len(claims):,}")] if claims else []
    elif ranking.links and not view.guesses_only:
        settled = sum(link.settled for link in ranking.links)
        facts.append(("links settled", f"{settled:,} of {len(ranking.links):,}"))
    if 0 < len(view.lines) < len(view.rows) - 1:
        facts.append(("groups", f"{len(view.lines) + 1}"))
    models = material.models.cost
    priced = [vote for vote in material.votes if vote.judge not in models]
    cost = sum(vote.cost or 0.0 for vote in priced)
    if cost and cost != len(priced):
        facts.append(("cost", f"{cost:,.6g}"))
    if models:
        facts.append(("models cost", f"{sum(models.values()):,.4g}"))
    return facts


def _fact(number: int, one: str, many: str) -> tuple[str, str]:
    return (one if number == 1 else many), f"{number:,}"


def _foot(material: Material) -> str:
    log = f"Made from {counted(material.events, 'event')} of the study's log"
    mark = f", whose last hash begins with {material.last_hash[:12]}" if material.last_hash else ""
    return f"{log}{mark}. Anybody can re-check the result from the raw answers: juryrank verify."


# ----------------------------------------------------------------------------
# A report as one self-contained HTML page: style, picture and charts inside; it fetches and runs nothing
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


# ----------------------------------------------------------------------------
# A report as Markdown: the same words and tables; the picture as text, the other figures in sentences
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
