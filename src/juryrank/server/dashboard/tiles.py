"""The figures at the top of a dashboard: who leads, answers, reliability, what is proven, money."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.rankers.registry import ranker_class
from juryrank.report.material import Material
from juryrank.report.tallies import MATRIX_JUDGES, all_agreement, busiest
from juryrank.report.view import View
from juryrank.report.words.formats import clean, shorten
from juryrank.server.dashboard.answer import leader_of, leading_words, proven_words
from juryrank.server.studies.creating import GOALS
from juryrank.server.studies.reliability import reliability_words
from juryrank.statements import risk_of
from juryrank.statements.numbers import number_of
from juryrank.study import StudyProgress
from juryrank.types import Ranking

COST_UNIT = "in the currency of the price list"


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at the top."""

    name: str
    value: str
    more: str = ""


def tiles_of(
    progress: StudyProgress, ranking: Ranking, view: View, *, reliability: float | None, people: str
) -> list[Tile]:
    """The figures of one moment, the answer first; one that says nothing is left out. `people`: what judges
    are called."""
    found, leader = view.estimates, leader_of(view.estimates)
    tiles = []
    if found is not None and leader is not None:
        tiles.append(Tile("Leading", leader.item, leading_words(leader, found.k)))
    tiles.append(Tile("Answers", f"{progress.answers:,}", answered_by(progress, people)))
    if reliability is not None:
        tiles.append(Tile("Reliability", f"{reliability:.2f}", reliability_words(reliability)))
    tiles.append(Tile("Proven", *proven_words(ranking, view)))
    if progress.model_cost:
        tiles.append(Tile("Models cost", f"{progress.model_cost:.4g}", COST_UNIT))
    if progress.cost_unit == "money" and progress.progress.cost:
        tiles.append(Tile("Cost", f"{progress.progress.cost:,.2f}", COST_UNIT))
    return tiles


def answered_by(progress: StudyProgress, people: str) -> str:
    """Who gave the answers, and who is at it.

    Judges who were removed are not counted.
    """
    heard = sum(row.left + row.right + row.ties + row.skips > 0 for row in progress.judges if not row.removed)
    answering = sum(row.open > 0 for row in progress.judges)
    one, several = ("person", "people") if people == "people" else ("judge", "judges")
    by = f"by {number_of(heard, one, several)}" if heard else "nobody has begun"
    return f"{by}, {answering} answering now" if answering else by


# ----------------------------------------------------------------------------
# What was fixed when a study began, in words for people who do not know the options by name
OPTION_WORDS = {
    "objective": "Aim",
    "sitting": "Questions per person",
    "beyond": "More, for those who go on",
}
UNSAID = ("spread",)  # options that say nothing to an owner


def fixed_words(created: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The method, its options and limits, one row each."""
    minutes = (created.get("sitting_lease") or 0) / 60
    return [
        ("Method", ranker_class(created["ranker"]).title),
        ("Accepted chance that something proven is wrong", risk_of(created["error"])),
        *option_words(created.get("options") or {}),
        *([("Minutes for all of them", f"{minutes:g}")] if minutes else ()),
        ("Most questions in all", f"{created['budget']:,}" if created.get("budget") else "no limit"),
    ]


def option_words(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A method's options in words; one without words is shown as it is.

    >>> option_words({"objective": "best", "sitting": 10, "spread": True, "k": 3})
    [('Aim', 'the best one'), ('Questions per person', '10'), ('k', '3')]
    """
    aims = dict(GOALS)
    return [
        (OPTION_WORDS.get(name, name), aims.get(value, str(value)) if name == "objective" else str(value))
        for name, value in options.items()
        if name not in UNSAID
    ]


# ----------------------------------------------------------------------------
# Models on a dashboard: what becomes of their answers, and who agrees with whom
BESIDE_WORDS = "This study is about people: models are asked what people were asked, and never count in it."
VOTE_WORDS = "Each counts like any other judge: what is proven is what all of them prefer, not who is right."
TRUTH_WORDS = (
    "Each counts like any other judge. The proof then assumes that no model is wrong about a pair more often "
    "than right, which nobody can know of models; pairs with a known answer may refute it, never support it."
)


def models_words(ranker: str, *, counted: bool) -> str:
    """What becomes of the answers of models that are attached; `counted`: as those of any other judge."""
    if not counted:
        return BESIDE_WORDS
    return TRUTH_WORDS if ranker_class(ranker).true_order else VOTE_WORDS


def agreement_table(material: Material) -> dict[str, Any] | None:
    """Who agrees with whom how often, people and models alike; None: nobody shares a pair with anybody."""
    table = all_agreement(material, busiest(material, MATRIX_JUDGES))
    if not table.overall.whole:
        return None
    names = [shorten(clean(name), 20) for name in table.judges]
    rows = []
    for i, name in enumerate(names):
        cells = [
            {"words": "", "pairs": 0}
            if i == j or not common
            else {"words": f"{100 * table.share[i, j]:.0f} %", "pairs": int(common)}
            for j, common in enumerate(table.common[i])
        ]
        rows.append({"name": name, "cells": cells})
    return {"names": names, "rows": rows}
