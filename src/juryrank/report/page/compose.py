"""Composing a whole report from its material, which a study or the certificate of any ranking gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from typing import TYPE_CHECKING, Any

from juryrank.defaults import WIDTH
from juryrank.errors import BadSnapshot, need_extra
from juryrank.log import Event, fold
from juryrank.report.material import Material, material_of, with_items_named
from juryrank.report.page.answers import assumptions_section, settings_section, sides_section, time_section
from juryrank.report.page.document import Block, Chart, Document, Gallery, Grid, Picture, ShownItem, Words
from juryrank.report.page.judges import judges_section, models_section
from juryrank.report.page.order import ahead_section, cases_section, evidence_section, items_section, order_section
from juryrank.report.picture.estimates import narrow_estimates
from juryrank.report.picture.paint import paint_chart, paint_svg, theme_css
from juryrank.report.picture.picture import chart, picture
from juryrank.report.text import bar_lines, chart_lines
from juryrank.report.view import View, view_of
from juryrank.report.words.alarms import conduct_words
from juryrank.statements.numbers import number_of
from juryrank.verify.certificate import LiveStatement
from juryrank.verify.chain import check_chain

if TYPE_CHECKING:
    from juryrank.study import Study


def compose(material: Material, *, title: str = "") -> Document:
    """The report of a study; `title` replaces the study's name as its heading."""
    name = title or material.name
    view = promised_view(material)
    found = (
        ahead_section(view),
        order_section(material, view),
        items_section(material, view),
        evidence_section(material, view),
        cases_section(view),
        judges_section(material),
        models_section(material),
        sides_section(material),
        time_section(material),
        assumptions_section(material, view),
        settings_section(material),
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
    log = f"Made from {number_of(material.events, 'event')} of the study's log"
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


# ----------------------------------------------------------------------------
# Where a report's material comes from: a study, or the certificate of any ranking


def study_material(study: Study, *, names: bool = False) -> Material:
    """A study's material; `names` shows people's names where they are known, not pseudonyms."""
    ranking = study.ranking(besides=False)  # the report says it, under the names it shows
    known = {judge: person.name for judge, person in study.people().items()} if names else {}
    return material_of(study.events(), ranking, name=study.name, names=known, state=study.progress().state)


def certificate_material(document: Mapping[str, Any], *, name: str = "Ranking") -> Material:
    """The material of a certificate: the result is folded again from its events, not taken from its claims."""
    chain = check_chain(document["events"], document["head"])
    if not chain.ok:
        raise BadSnapshot(f"this certificate was altered: {chain.words}. A report of it would not be true.")
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    found = fold(events)
    state = "done" if found.ranker.done else "spent" if found.ranker.spent else ""
    ranking = found.ranking()
    ranking = LiveStatement(lambda: events).complete(ranking, state=0, judges=False)
    return material_of(events, ranking, name=name, state=state)


def rendered(material: Material, *, format: str = "html", title: str = "") -> str:
    """The report as HTML or Markdown (`format="md"`)."""
    made = compose(material, title=title)
    return report_markdown(made) if format == "md" else report_html(made)


def study_report(
    study: Study,
    *,
    format: str = "html",
    title: str = "",
    names: bool = False,
    shown: Mapping[str, ShownItem] | None = None,
    items: Mapping[str, str] | None = None,
) -> str:
    """The whole report of a study; `shown`: what judges saw of its items; `items`: other names for some of them.

    >>> from juryrank import create_study
    >>> from juryrank.storage import MemoryStorage
    >>> study = create_study(["a", "b"], name="Letters", judges=["ann"], storage=MemoryStorage(), seed=1)
    >>> study_report(study, format="md").splitlines()[0]
    '# Letters'
    """
    material = replace(study_material(study, names=names), shown=shown or {})
    if items:
        material = with_items_named(material, study.ranking(names=items, besides=False), items)
    return rendered(material, format=format, title=title)


def certificate_report(document: Mapping[str, Any], *, format: str = "html", title: str = "Ranking") -> str:
    """The whole report of a certificate, such as `juryrank.rank(...).certificate()`.

    >>> from juryrank import rank
    >>> document = rank(["a", "b"], {"ann": min}, seed=1).certificate()
    >>> certificate_report(document, format="md", title="Letters").splitlines()[0]
    '# Letters'
    """
    return rendered(certificate_material(document, name=title), format=format)
