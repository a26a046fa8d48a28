"""Who answered how much, how well, and how alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.core.intervals import Share
from juryrank.log import Conduct
from juryrank.log.gold import gold_words
from juryrank.report.material import Material
from juryrank.report.page import charts
from juryrank.report.page import charts as matrices
from juryrank.report.page.document import Block, Grid, Section, Words, cut
from juryrank.report.picture.picture import accuracy_words
from juryrank.report.tallies import (
    NEVER_COUNT,
    Agreement,
    JudgeTally,
    all_agreement,
    judge_tallies,
    model_rows,
    opinions,
)
from juryrank.report.text import interval_words
from juryrank.report.words.formats import clean, percent
from juryrank.statements.numbers import number_of
from juryrank.types import JudgeReport

CHART_JUDGES, MATRIX_JUDGES = 40, 25
FOLDED_FROM = 12  # a longer table of judges opens on a click
NAMED = 8  # judges in a sentence


def judges_section(material: Material) -> Section | None:
    """Who answered how much, how well, and how alike."""
    order = [str(item) for item in material.ranking.order]
    tallies = judge_tallies(material.votes, order)
    if not tallies:
        return None
    people = material.ranking.details.opinions  # who has opinions is not right or wrong
    known = [judge for judge in material.ranking.judges if judge.accuracy is not None]
    blocks: list[Block] = []
    if known and not people:
        most = sorted(known, key=lambda judge: -judge.answered)[:CHART_JUDGES]
        blocks += [
            Words("How often each judge is right, as the ranker estimates it:"),
            charts.accuracy_chart(most),
        ]
    elif any(row.with_order.whole for row in tallies):
        note = "How often each judge agrees with the order above. It is not an accuracy: they made that order."
        blocks += [Words(note), charts.order_agreement_chart([row for row in tallies if row.with_order.whole])]
    blocks.append(_judges_grid(material))
    gold = material.ranking.details.gold
    blocks += [Words(f"Gold pairs, which test judges and never count. {gold_line(gold)}")] if gold else []
    never = _never_asked(material)
    if never:
        blocks.append(Words(never))
    beside = dict.fromkeys(vote.judge for vote in opinions(material))
    names = [*beside, *(row.name for row in tallies if row.with_order.whole)]
    table = all_agreement(material, names[:MATRIX_JUDGES])
    if table.overall.whole:
        blocks += [Words(_agreement_words(table)), matrices.agreement_chart(table), _couples_grid(table)]
    return Section("Judges", tuple(blocks))


def _agreement_words(table: Agreement) -> str:
    share = table.overall
    whom = f"the {len(table.judges)} busiest judges" if len(table.judges) == MATRIX_JUDGES else "any two judges"
    return (
        f"Agreement: where both decided a pair, {whom} preferred the same item in "
        f"{percent(round(share.value, 3))} of {share.whole:,} cases (a coin: 50 %)."
    )


def _couples_grid(table: Agreement) -> Grid:
    rows = tuple(
        (clean(one), clean(other), f"{common:,}", f"{100 * share:.0f} %")
        for one, other, common, share in table.couples()
    )
    header = ("judge", "and", "common pairs", "same item preferred")
    return cut(Grid(header, rows, frozenset(header[2:]), fold="Agreement, pair by pair of judges"), "couples")


def gold_line(gold: Mapping[str, Mapping[str, Any]]) -> str:
    """How each judge did on gold pairs, in one line."""
    return "; ".join(f"{clean(judge)}: {gold_words(record)}" for judge, record in gold.items()) + "."


def _never_asked(material: Material) -> str:
    asked = {vote.judge for vote in material.votes}
    never = [clean(judge.name) for judge in material.ranking.judges if str(judge.name) not in asked]
    if not never:
        return ""
    some = ", ".join(never[:NAMED]) + (", ..." if len(never) > NAMED else "")
    return f"Never asked: {number_of(len(never), 'judge')} ({some})."


def _judges_grid(material: Material) -> Grid:
    order = [str(item) for item in material.ranking.order]
    reports = {str(judge.name): judge for judge in material.ranking.judges}
    people = material.ranking.details.opinions  # who has opinions is not right or wrong
    rows = [
        _judge_row(row, reports.get(row.name), material.conduct.get(row.name, Conduct()))
        for row in judge_tallies(material.votes, order)
    ]
    jury = material.ranking.details.on_cases  # it counts pairs on which a judge leans as the order does
    first = "pairs with the order" if jury else "with the others" if people else "accuracy"
    middle = (first, "interval", "answers with the order" if jury else "with the order")
    header = (
        "judge",
        "answers",
        "ties",
        "skips",
        "expired",
        "changed",
        "taken back",
        *middle,
        "median time",
        "cost",
        "",
    )
    keep = [k for k, name in enumerate(header) if k < 2 or any(row[k] not in ("", "0") for row in rows)]
    names = tuple(header[k] for k in keep)
    kept = tuple(tuple(row[k] for k in keep) for row in rows)
    fold = "All judges" if len(rows) > FOLDED_FROM else ""
    return cut(Grid(names, kept, frozenset(names) - {"judge", ""}, fold=fold), "judges")


def _judge_row(row: JudgeTally, report: JudgeReport | None, conduct: Conduct) -> tuple[str, ...]:
    known = report is not None and report.accuracy is not None
    return (
        clean(row.name),
        f"{row.answers:,}",
        f"{row.ties:,}",
        f"{row.skips:,}",
        f"{conduct.expired:,}",
        f"{conduct.undone:,}",
        f"{conduct.taken_back:,}",
        accuracy_words(report) if report is not None and known else "",
        interval_words(report) if report is not None else "",
        _share(row.with_order),
        "" if row.seconds is None else f"{row.seconds:.1f} s",
        f"{row.cost:g}",
        "" if report is None else report.note or ("" if report.active else "no longer asked"),
    )


def _share(share: Share) -> str:
    return f"{round(100 * share.value)} %" if share.whole else ""


# ----------------------------------------------------------------------------
# Language models among the judges, and what may be believed of them.
WHAT_IT_IS = (
    "Language models were asked too. A model's mistakes belong to the pair, not to the draw: more of its answers "
    "make a result more certain, not more true. Gold pairs, whose better item is known, and probes test "
    "a model; they never count."
)
HEADER = (
    "model", "behind it", "answers", "beside", "cost", "gold pairs", "with most people", "answers anew",
)  # fmt: skip


def models_section(material: Material) -> Section | None:
    """What each model did, what it cost and how good it is; None where there is no model."""
    rows = model_rows(material)
    if not rows:
        return None
    cells = [
        (row.name, row.model, f"{row.counted:,}", f"{row.beside:,}", row.cost_words, row.gold, row.people_words,
         row.fresh_words)
        for row in rows
    ]  # fmt: skip
    keep = [k for k in range(len(HEADER)) if k == 0 or any(row[k] not in ("", "0") for row in cells)]
    header = tuple(HEADER[k] for k in keep)
    grid = Grid(
        header, tuple(tuple(row[k] for k in keep) for row in cells), frozenset({"answers", "beside", "cost"})
    )
    blocks: list[Block] = [Words(WHAT_IT_IS), grid]
    if any(row.beside for row in rows):
        blocks.append(Words(NEVER_COUNT))
    blocks += [Words(f"{row.name}: {remark}") for row in rows for remark in row.remarks]
    return Section("Models", tuple(blocks))
