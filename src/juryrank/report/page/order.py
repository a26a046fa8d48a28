"""The order, its picture and the promise; on cases, what is proven of each claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from juryrank.report.material import Material
from juryrank.report.page import charts
from juryrank.report.page import charts as matrices
from juryrank.report.page.document import Block, Gallery, Grid, Picture, Section, ShownItem, Words, cut
from juryrank.report.tallies import wins
from juryrank.report.view import BEFORE, CHAINS_TITLE, View, evidence_words
from juryrank.report.words.estimates import TITLE
from juryrank.report.words.formats import clean, percent
from juryrank.report.words.jury import (
    CASES_AGAINST,
    CASES_APART,
    case_words,
    claim_evidence,
    interval_words,
    proven_words,
    resolution_words,
)
from juryrank.statements import needed_at
from juryrank.statements.details import Details, JuryDetails
from juryrank.types import Link


def ahead_section(view: View) -> Section | None:
    """Who is ahead: estimates, and what more answers would bring."""
    found = view.estimates
    if found is None:
        return None
    header = ("place", "item", "preferred to another", found.top_title, "likely ranks", "promised ranks")
    rows = tuple(
        (
            str(row.place),
            row.item,
            f"{100 * row.beats:.0f} % ({row.span_words})",
            row.top_words,
            row.rank,
            row.promised,
        )
        for row in found.rows
    )
    numbers = frozenset({"place", found.top_title})
    grid = Grid(header, rows, numbers, fold="The estimates as a table")
    return Section(f"{TITLE} (estimate)", (Words(found.says), Picture(view), grid, Words(found.note)))


def items_section(material: Material, view: View) -> Section | None:
    """The items in the order of the result, with what judges saw of them."""
    if not any(one.words or one.picture for one in material.shown.values()):
        return None
    rows = zip((row.item for row in view.rows), material.ranking.order, strict=False)
    return Section(
        "What was compared",
        (Gallery(tuple((name, material.shown.get(str(item), ShownItem())) for name, item in rows)),),
    )


def order_section(material: Material, view: View) -> Section:
    """What is proven: the order with its ranges, and the promise in exact words."""
    blocks: list[Block] = []
    if view.gate:
        pass  # its claims are shown with the cases
    elif view.estimates is None or view.promises:
        blocks.append(
            Picture(replace(view, estimates=None, open_pairs=(), forecasts=()) if view.estimates else view)
        )
    elif not view.guesses_only:
        blocks.append(Words(view.nothing_proven))
    if view.unplaced:
        blocks.append(Words(f"Not placed yet: {', '.join(view.unplaced)}."))
    if view.chains:
        chains = tuple((BEFORE.join(chain), str(len(chain) - 1)) for chain in view.chains)
        blocks.append(cut(Grid((CHAINS_TITLE.lower(), "links"), chains, frozenset({"links"})), "chains"))
    if view.promise and not material.edits:
        lead = [Words("The promise, in exact words:")] if view.promises else []
        blocks += [*lead, Words(view.promise, "quote")]
    if material.edits:
        blocks.append(
            Words("This result is post-hoc: it promises nothing, because " + "; ".join(material.edits), "warn")
        )
    ranks = ", ".join(filter(None, ("possible ranks", view.transitive)))
    header = ("place", "item", ranks) if view.ranged else ("place", "item")
    rows = tuple((str(row.guess), row.item, row.rank)[: len(header)] for row in view.rows)
    blocks.append(Grid(header, rows, frozenset({"place"}), fold="The order as a table"))
    top = _top_rows(material)
    if top:
        blocks.append(
            Grid(
                ("top", "in", "out", "open"),
                top,
                frozenset({"top"}),
                fold="In, out or open, for every size of the top",
            )
        )
    proven = view.estimates and not view.guesses_only
    return Section("What is proven (promise)" if proven else "The order", tuple(blocks))


def _top_rows(material: Material) -> tuple[tuple[str, ...], ...]:
    top = material.ranking.details.top
    return tuple(
        (str(k), *(", ".join(clean(item) for item in said.get(what) or ()) for what in ("in", "out", "open")))
        for k, said in top.items()
    )


# ----------------------------------------------------------------------------
# What stands behind an order: links, pairs, open pairs, forecast.
CHART_LINKS = 40  # more are only in the table
MATRIX_ITEMS = 60  # with more items, item against item is too small to read


def evidence_section(material: Material, view: View) -> Section | None:
    """What stands behind the order: links, pairs, and all answers item against item."""
    ranking, won = material.ranking, wins(material.decided)
    blocks: list[Block] = []
    weighed = any(link.evidence is not None and not link.settled for link in ranking.links)  # else all are full
    neighbours = ranking.details.neighbours or ranking.details.on_cases
    if weighed and len(ranking.links) <= CHART_LINKS and neighbours:  # people are seldom sure of those
        blocks += [
            Words(
                "A link joins two neighbours of the order. Its evidence grows with every answer that agrees and "
                "shrinks with every one that does not; at the level needed it is settled, and stays so."
            ),
            charts.evidence_chart(ranking.links),
        ]
    if ranking.links:
        blocks.append(_links_grid(material))
    settled = {(str(a), str(b)) for a, b, *_ in ranking.details.settled_pairs}
    order = [str(item) for item in ranking.order]
    if won and len(order) <= MATRIX_ITEMS:
        known = {pair for pair in settled if set(pair) <= set(order)}
        known |= {(str(link.better), str(link.worse)) for link in ranking.links if link.settled}
        blocks += [Words("All answers, item against item:"), matrices.pairs_chart(order, won, known)]
    if view.people and ranking.details.settled_pairs:
        said = ranking.details.settled_pairs
        pairs = tuple((clean(a), clean(b), f"{won_:,} : {lost:,}") for a, b, won_, lost in said)
        blocks.append(cut(Grid(("better", "worse", "for : against"), pairs, fold="All settled pairs"), "pairs"))
    if view.open_pairs:
        rows = tuple((p.first, p.second, f"{p.preferred:,} of {p.answers:,}", p.needed) for p in view.open_pairs)
        header = ("first", "second", *view.open_columns[1:])
        blocks.append(cut(Grid(header, rows, fold="All open pairs"), "open pairs"))
    for forecast in view.forecasts:
        likely = f" Most likely: {'; '.join(forecast.likely)}." if forecast.likely else ""
        blocks.append(Words(f"{forecast.headline}{likely}"))
    return Section("What stands behind it", tuple(blocks)) if blocks else None


def _state(link: Link, details: Details) -> str:
    """Settled or open; two of a circle, or exactly tied, stand side by side in no order."""

    def together(groups: Sequence[Sequence[Any]] | None) -> bool:
        return any(link.better in group and link.worse in group for group in groups or ())

    if together(details.circles):
        return "in a circle"
    if link.settled:
        return "settled"
    return "exactly tied" if together(details.tied) else "open"


def _links_grid(material: Material) -> Grid:
    rows = tuple(
        (
            clean(link.better),
            clean(link.worse),
            f"{link.answers_for:,} : {link.answers_against:,}",
            evidence_words(link.evidence, link.level),
            _state(link, material.ranking.details),
        )
        for link in material.ranking.links
    )
    return cut(Grid(("better", "worse", "for : against", "evidence", ""), rows, fold="All links"), "links")


# ----------------------------------------------------------------------------
# A jury on cases: what is proven of each claim, and where groups of cases, judges and single cases differ
ESTIMATES = (
    "From here on: counts and estimates, which promise nothing. Questions were asked where the order was in doubt."
)


def cases_section(view: View) -> Section | None:
    """What the judges said on the cases; None: there are no cases."""
    jury = view.jury
    if not jury:
        return None
    falling = resolution_words(jury)
    blocks: list[Block] = [Words(falling)] if falling else []
    if jury.get("claims"):
        blocks += [Words(_claims_words(jury)), _claims(jury)]
    blocks.append(Words(ESTIMATES))
    blocks += _groups(jury)
    blocks += _leaning("judge", jury.get("disagreements") or (), "Judges who lean the other way")
    for some, title in ((jury.get("cases_apart"), CASES_APART), (jury.get("telling_cases"), CASES_AGAINST)):
        rows = tuple((clean(r["case"]), percent(r["agreeing"]), f"{r['answers']:,}") for r in some or ())
        if rows:
            blocks += [Words(f"{title}:"), Grid(("case", "agree with the order", "answers"), rows, NUMBERS)]
    if case_words(jury):
        blocks.append(Words(case_words(jury)))
    return Section("Cases", tuple(blocks)) if len(blocks) > 1 else None


NUMBERS = frozenset({"agree with the order", "answers", "share (90 % interval)", "share", "calls", "evidence"})


def _claims_words(jury: JuryDetails) -> str:
    level = jury.get("level")
    needed = f" Evidence of {needed_at(level)} proves a claim; counting may prove it before." if level else ""
    return f"The claims, surest first; the share of the answers so far is an estimate.{needed}"


def _claims(jury: JuryDetails) -> Grid:
    rows = tuple(
        (
            f"{clean(row['better'])} over {clean(row['worse'])}",
            "" if row["share"] is None else interval_words(row),
            f"{row['calls']:,}",
            claim_evidence(row, jury["resolutions"]),
            proven_words(row, jury["resolutions"]),
        )
        for row in jury["claims"]
    )
    return cut(Grid(("claim", "share (90 % interval)", "calls", "evidence", "proven at"), rows, NUMBERS), "claims")


def _groups(jury: JuryDetails) -> list[Block]:
    groups = jury.get("by_group") or ()
    if not groups:
        return []
    rows = tuple((_group(row), percent(row["agreeing"]), f"{row['answers']:,}") for row in groups)
    grid = Grid(("group of cases", "agree with the order", "answers"), rows, NUMBERS)
    leaning = _leaning("group", jury.get("group_disagreements") or (), "Groups of cases that lean the other way")
    return [grid, *leaning]


def _group(row: Mapping[str, Any]) -> str:
    return clean(row["group"]) or "none"


def _leaning(who: str, found: Sequence[Mapping[str, Any]], title: str) -> list[Block]:
    """Where a judge, or a group of cases, gives the better system of a claim less than half of the answers."""
    if not found:
        return []
    rows = tuple(
        (
            clean(row[who]) or "none",
            f"{clean(row['better'])} over {clean(row['worse'])}",
            percent(row["share"]),
            f"{row['answers']:,}",
        )
        for row in found
    )
    return [Words(f"{title}:"), cut(Grid((who, "claim", "share", "answers"), rows, NUMBERS), "rows")]
