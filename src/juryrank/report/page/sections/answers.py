"""The answers themselves: position bias, questions over time, cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import accumulate

from juryrank.core.intervals import Share
from juryrank.report.material import Material
from juryrank.report.page import charts
from juryrank.report.page.compose import Block, Grid, Section, Words, cut
from juryrank.report.page.sections.judges import NAMED
from juryrank.report.page.tallies import JudgeTally, judge_tallies
from juryrank.report.words.alarms import all_one_sided, one_sided, sides_by_lot
from juryrank.report.words.formats import clean, counted, percent
from juryrank.votes.vote import Outcome, Vote


def sides_section(material: Material) -> Section | None:
    """Does the side on which an item is shown matter?"""
    decided = material.decided
    if not decided:
        return None
    if not material.sides_known:
        note = "These votes came without the sides on which items were shown, so a position bias cannot be seen."
        return Section("Position bias", (Words(note),))
    left = Share(sum(vote.outcome is Outcome.LEFT for vote in decided), len(decided))
    tallies = judge_tallies(material.votes, [str(item) for item in material.ranking.order])
    blocks: list[Block] = [_bias_words(material, left)]
    leaning = one_sided(material)
    if leaning:
        rest = f" and {len(leaning) - NAMED:,} more" if len(leaning) > NAMED else ""
        blocks.append(Words(f"Clearly one-sided: {', '.join(leaning[:NAMED])}{rest}.", "warn"))
    known = [row for row in tallies if row.left.whole]
    return Section("Position bias", (*blocks, charts.sides_chart(known), _sides_grid(known)))


def _sides_grid(tallies: list[JudgeTally]) -> Grid:
    rows = tuple(
        (
            clean(row.name),
            f"{row.left.part:,} of {row.left.whole:,}",
            f"{100 * row.left.value:.0f} %",
            f"{100 * row.left.low:.0f} to {100 * row.left.high:.0f} %",
        )
        for row in tallies
    )
    header = ("judge", "left", "share", "95 % interval")
    return cut(Grid(header, rows, frozenset(header[1:]), fold="Sides, judge by judge"), "judges")


def _bias_words(material: Material, left: Share) -> Words:
    """The share of left; a warning where chance does not explain it (how often falsely: docs/warnings.md)."""
    said = (
        f"The left side was chosen in {percent(round(left.value, 3))} of {left.whole:,} answers (95 % interval "
        f"{100 * left.low:.1f} to {100 * left.high:.1f} %)"
    )
    if not sides_by_lot(material):
        return Words(f"{said}. Another program chose the sides, so this need not be a bias.")
    if all_one_sided(material):
        return Words(f"{said}: more than chance explains, as sides are drawn at random.", "warn")
    return Words(f"{said}. Sides are drawn at random; this is not far enough from half to be called a bias.")


def time_section(material: Material) -> Section | None:
    """Questions over time, what became of them, and the cost."""
    if not material.votes:
        return None
    blocks: list[Block] = []
    times = sorted(vote.answered_at for vote in material.answered)
    asked = sorted(vote.asked_at for vote in material.votes if vote.asked_at)
    curve = charts.time_chart(times, asked) if times and all(times) else None
    blocks += [curve, _time_grid(asked, times)] if curve else []
    fates = Counter(vote.outcome for vote in material.votes)
    rows = tuple((str(kind), f"{fates[kind]:,}") for kind in Outcome if fates[kind])
    blocks += [Grid(("outcome", "questions"), rows, frozenset({"questions"})), Words(_cost_words(material))]
    return Section("Questions and cost", tuple(blocks))


def _time_grid(asked: list[str], times: list[str]) -> Grid:
    period, found = by_period(asked, times)
    so_far = accumulate(answers for _, _, answers in found)
    rows = tuple(
        (start, f"{questions:,}", f"{answers:,}", f"{total:,}")
        for (start, questions, answers), total in zip(found, so_far, strict=True)
    )
    header = (f"{period} (UTC)", "questions", "answers", "answers so far")
    return cut(Grid(header, rows, frozenset(header[1:]), fold=f"Questions over time, by {period}"), f"{period}s")


def _cost_words(material: Material) -> str:
    paid, models = sum(material.models.cost.values()), set(material.models.cost)
    said = f"Models cost {paid:,.6g}, gold pairs and probes included." if models else ""
    votes = [vote for vote in material.votes if vote.judge not in models]
    return " ".join(filter(None, (said, _priced_words(material, votes) if votes else "")))


def _priced_words(material: Material, votes: list[Vote]) -> str:
    """What answers cost at the judges' prices."""
    ranking = material.ranking
    if all(vote.cost is None for vote in votes):
        return "What these votes cost is not known."
    cost = sum(vote.cost or 0.0 for vote in votes)
    pairs = ranking.details.settled_count
    settled = sum(link.settled for link in ranking.links) if pairs is None else int(pairs)
    what = "link" if pairs is None else "pair"
    each = f", {cost / settled:,.4g} for each settled {what}" if settled else ""
    return f"Cost: {cost:,.6g} for {counted(len(votes), 'question')}, at the judges' prices{each}."


# ----------------------------------------------------------------------------
# Questions and answers counted by minute, hour, day or week, so that a table of them stays short.
MOST_ROWS = 31
STEPS = {"minute": 60, "hour": 3600, "day": 86_400, "week": 7 * 86_400}
LONGEST = "week"
SHOWN = {"minute": 16, "hour": 13, "day": 10, "week": 10}  # letters of an ISO time that are worth showing


def by_period(asked: Iterable[str], answered: Iterable[str]) -> tuple[str, list[tuple[str, int, int]]]:
    """The period's name, and (its start, questions asked, answers) for every period in which something happened.

    >>> by_period(["2024-05-01T10:00:05Z"], ["2024-05-01T10:00:09Z", "2024-05-01T10:02:00Z"])
    ('minute', [('2024-05-01 10:00', 1, 1), ('2024-05-01 10:02', 0, 1)])
    """
    moments = [_seconds(asked), _seconds(answered)]
    for name, step in STEPS.items():
        asked_in, answered_in = (Counter(int(moment // step) for moment in each) for each in moments)
        starts = sorted(asked_in.keys() | answered_in.keys())
        if not starts or starts[-1] - starts[0] < MOST_ROWS or name == LONGEST:
            return name, [(_text(k * step)[: SHOWN[name]], asked_in[k], answered_in[k]) for k in starts]
    raise AssertionError("the longest period always returns")


def _seconds(times: Iterable[str]) -> list[float]:
    found = []
    for time in times:
        try:
            found.append(datetime.fromisoformat(time).timestamp())
        except ValueError:
            continue  # another program's idea of a time
    return found


def _text(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(sep=" ")
