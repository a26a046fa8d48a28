"""A jury on cases: what is proven of each claim, and where groups of cases, judges and single cases differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.report.page.document import Block, Grid, Section, Words, cut
from juryrank.report.view import View
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
from juryrank.statements.details import JuryDetails

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
