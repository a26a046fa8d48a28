"""Composing a whole report from its material."""

from __future__ import annotations

from dataclasses import replace

from juryrank.report.material import Material
from juryrank.report.page import sections
from juryrank.report.page.document import Document
from juryrank.report.view import View, view_of
from juryrank.report.words.conduct import conduct_words
from juryrank.report.words.formats import counted


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
    settled = material.ranking.details.get("settled_count") or any(link.settled for link in material.ranking.links)
    return "partly settled" if settled or view.lines else "open"


def _facts(material: Material, view: View) -> list[tuple[str, str]]:
    ranking, details = material.ranking, material.ranking.details
    who = ("person", "people") if view.people and details.get("about") != "panel" else ("judge", "judges")
    facts = [
        _fact(len(ranking.order), "item", "items"),
        _fact(int(details.get("people") or 0) if view.people else len(ranking.judges), *who),
        _fact(len(material.answered), "answer", "answers"),
    ]
    if details.get("pairs_count"):
        facts.append(("pairs settled", f"{details.get('settled_count', 0):,} of {details['pairs_count']:,}"))
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
