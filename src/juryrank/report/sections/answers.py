"""The answers themselves: position bias, questions over time, cost."""

from __future__ import annotations

from collections import Counter

from juryrank.report import charts
from juryrank.report.document import Block, Grid, Section, Words
from juryrank.report.material import Material
from juryrank.report.tallies import Share, judge_tallies
from juryrank.report.words import counted, percent
from juryrank.votes.vote import Outcome

POINTS = 2000  # of the curve over time


def sides_section(material: Material) -> Section | None:
    """Does the side on which an item is shown matter?"""
    decided = material.decided
    if not decided:
        return None
    if not material.sides_known:
        note = "These votes came without the sides on which items were shown, so a position bias cannot be seen."
        return Section("Position bias", (Words(note),))
    left = Share(sum(vote.outcome is Outcome.LEFT for vote in decided), len(decided))
    fair = left.low <= 0.5 <= left.high
    said = (
        f"The left side was chosen in {percent(round(left.value, 3))} of {left.whole:,} answers (95 % interval "
        f"{100 * left.low:.1f} to {100 * left.high:.1f} %): "
    )
    verdict = "no sign of a bias." if fair else "more than chance explains. Sides should be shown at random."
    tallies = judge_tallies(material.votes, [str(item) for item in material.ranking.order])
    shown = [row for row in tallies if row.left.whole]
    return Section(
        "Position bias", (Words(said + verdict, "plain" if fair else "warn"), charts.sides_chart(shown))
    )


def time_section(material: Material) -> Section | None:
    """Questions over time, what became of them, and the cost."""
    if not material.votes:
        return None
    answered = material.answered
    times = [vote.answered_at for vote in answered]
    dated = len(times) > 1 and all(times) and len(set(times)) > 1
    stamps = sorted(times) if dated else times
    points = _thinned(list(range(1, len(answered) + 1)))
    blocks: list[Block] = []
    if answered:
        blocks.append(charts.time_chart([stamps[k - 1] for k in points], points, dated=dated))
    fates = Counter(vote.outcome for vote in material.votes)
    rows = tuple((str(kind), f"{fates[kind]:,}") for kind in Outcome if fates[kind])
    blocks += [Grid(("outcome", "questions"), rows, frozenset({"questions"})), Words(_cost_words(material))]
    return Section("Questions and cost", tuple(blocks))


def _thinned(points: list[int], most: int = POINTS) -> list[int]:
    step = max(1, len(points) // most)
    return sorted({*points[::step], *points[-1:]})


def _cost_words(material: Material) -> str:
    votes = material.votes
    cost = material.ranking.cost or sum(vote.cost or 0.0 for vote in votes)
    settled = sum(link.settled for link in material.ranking.links) or material.ranking.details.get("settled_count")
    each = (
        f", {cost / int(settled):,.4g} for each settled {'link' if material.ranking.links else 'pair'}"
        if settled
        else ""
    )
    return f"Cost: {cost:,.6g} for {counted(len(votes), 'question')}, at the judges' prices{each}."
