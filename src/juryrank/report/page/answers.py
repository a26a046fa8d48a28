"""The answers themselves (position bias, questions over time, cost), what is assumed, and how it was set up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from juryrank.core.intervals import Share
from juryrank.rankers import ranker_class, ranker_names
from juryrank.rankers.contract.limits import option_names
from juryrank.report.material import Material
from juryrank.report.page import charts
from juryrank.report.page.document import Block, Grid, Section, Words, cut
from juryrank.report.page.judges import NAMED
from juryrank.report.tallies import JudgeTally, judge_tallies
from juryrank.report.view import View
from juryrank.report.words.alarms import alarm_words, all_one_sided, assumed, one_sided, sides_by_lot
from juryrank.report.words.formats import clean, percent
from juryrank.statements.numbers import number_of
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
    blocks += [curve] if curve else []
    fates = Counter(vote.outcome for vote in material.votes)
    rows = tuple((str(kind), f"{fates[kind]:,}") for kind in Outcome if fates[kind])
    blocks += [Grid(("outcome", "questions"), rows, frozenset({"questions"})), Words(_cost_words(material))]
    return Section("Questions and cost", tuple(blocks))


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
    return f"Cost: {cost:,.6g} for {number_of(len(votes), 'question')}, at the judges' prices{each}."


# ----------------------------------------------------------------------------
# What a study assumes and how it was set up
SECONDS = ("lease", "sitting_lease")
NAMES = {
    "error": "δ, the accepted chance of a wrong promise",
    "lease": "time to answer a question",
    "sitting_lease": "time for a sitting",
    "fresh": "judges answer anew each time",
    "budget": "budget in questions",
    "money": "budget in money",
    "reason": "why this ranker",
}
STATES = {"done": "finished", "spent": "the budget is spent", "closed": "closed", "running": "running"}


def assumptions_section(material: Material, view: View) -> Section:
    """What the promise assumes, and what the answers say about it."""
    said = assumed(material.created)
    lead = "" if view.guesses_only else f"{'The' if view.promises else 'A'} promise assumes that "
    told = f"{lead}{'; that '.join(said)}."
    blocks: list[Block] = [Words(told[0].upper() + told[1:])] if said else []
    before = len(blocks)
    blocks += [Words(warning, "warn") for warning in view.warnings]
    alarms = [words for words in alarm_words(material) if words not in view.warnings]
    blocks += [Words(words, "warn") for words in alarms]
    for cycle in material.ranking.details.cycles[1:]:  # the first is in the warnings
        names = [clean(item) for item in (*cycle, cycle[0])]
        blocks.append(Words(f"Another circle: {' over '.join(names)}.", "warn"))
    if len(blocks) == before:
        quiet = "The monitor found no evidence against the assumptions (which does not prove them)."
        blocks.append(Words(quiet, "good"))
    if view.people:
        blocks.append(
            Words(f"The result says what {_whose(material)}. Whether that is right is another question.")
        )
    return Section("Assumptions", tuple(blocks))


def _whose(material: Material) -> str:
    if not material.ranking.details.these_judges:
        return "most people like these prefer"
    return "this judge prefers" if len(material.ranking.judges) == 1 else "most of these judges prefer"


def settings_section(material: Material) -> Section:
    """How the study was set up, and how to re-check this report."""
    rows = [(name, _plain(value)) for name, value in _settings(material) if value not in (None, "", {})]
    rows += [
        ("items", str(len(material.ranking.order))),
        ("judges", str(len(material.ranking.judges))),
        ("events in the log", f"{material.events:,}"),
        ("last event", material.last_at),
        ("hash of the log", material.last_hash),
        ("state", STATES.get(material.state, "closed" if material.closed else "running")),
    ]
    return Section("Settings", (Grid(("setting", "value"), tuple((k, v) for k, v in rows if v)),))


def _settings(material: Material) -> Iterator[tuple[str, object]]:
    """What the study was created with, under names for people."""
    created = material.created
    hidden = {"schema", "items", "judges", "prices", "settings", "edits", "options", "name"}
    hidden |= set() if _has_sittings(created.get("ranker")) else {"sitting_lease"}
    for key, value in created.items():
        if key not in hidden:
            yield NAMES.get(key, key), f"{value:g} s" if key in SECONDS and value is not None else value
    for key, value in (created.get("options") or {}).items():
        yield f"option {key}", "no limit" if (key, value) == ("repeats", None) else value
    prices = (created.get("prices") or {}).values()
    if prices:
        low, high = min(prices), max(prices)
        yield "price of an answer", f"{low:g}" if low == high else f"{low:g} to {high:g}"
    yield "question as asked", clean((created.get("settings") or {}).get("wording") or "")


def _has_sittings(ranker: str | None) -> bool:
    return ranker in ranker_names() and "sitting" in option_names(ranker_class(ranker))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
