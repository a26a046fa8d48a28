"""Models on a dashboard: what becomes of their answers, and who agrees with whom."""

from __future__ import annotations

from typing import Any

from juryrank.rankers.registry import ranker_class
from juryrank.report.material import Material
from juryrank.report.models import MATRIX_JUDGES, all_agreement, busiest
from juryrank.report.words.formats import clean, shorten

BESIDE_WORDS = "This study is about people: models are asked what people were asked, and never count in it."
VOTE_WORDS = "Each counts like any other judge: what is promised is what all of them prefer, not who is right."
TRUTH_WORDS = (
    "Each counts like any other judge. The promise then assumes that no model is wrong about a pair more often "
    "than right, which nobody can know of models; gold pairs may refute it, never support it."
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
