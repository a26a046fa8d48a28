"""What stands behind an order: links, pairs, open pairs, forecast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from juryrank.report.material import Material
from juryrank.report.page import charts, matrices
from juryrank.report.page.document import Block, Grid, Section, Words, cut
from juryrank.report.page.tallies import wins
from juryrank.report.view import View, evidence_words
from juryrank.report.words.formats import clean
from juryrank.statements.details import Details
from juryrank.types import Link

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
