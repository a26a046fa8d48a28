"""Heat maps with a square per pair: of two judges, or of two items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.report.page.charts import axis, labels
from juryrank.report.page.document import Chart
from juryrank.report.page.tallies import Agreement


def agreement_chart(table: Agreement) -> Chart:
    """A square per pair of judges: how often they prefer the same item."""
    names = labels(table.judges)
    share = [
        [None if math.isnan(x) or i == j else round(float(x), 4) for j, x in enumerate(row)]
        for i, row in enumerate(table.share)
    ]
    hover = "%{y} and %{x}: %{z:.0%} of %{customdata} common pairs<extra></extra>"
    heat = _heat(names, share, table.common.tolist(), hover=hover, low="@warn")
    side = max(300, 130 + 18 * len(names))
    layout = {
        "xaxis": axis(type="category", showgrid=False, tickangle=-45),
        "yaxis": axis(type="category", autorange="reversed", showgrid=False),
    }
    says = "Share of common pairs on which two judges prefer the same item."
    return Chart([heat], layout, says, side, 320 + 45 * len(names))


def _heat(
    names: list[str], share: list[list[float | None]], told: list[Any], *, hover: str, low: str
) -> dict[str, Any]:
    """A heat map: its colours run from `low` (0 %) through the grid's (50 %) to the dots' (100 %)."""
    return {
        "type": "heatmap",
        "x": names,
        "y": names,
        "z": share,
        "customdata": told,
        "zmin": 0,
        "zmax": 1,
        "colorscale": [[0, low], [0.5, "@grid"], [1, "@dot"]],
        "hovertemplate": hover,
        "colorbar": {"tickformat": ".0%", "thickness": 10, "outlinewidth": 0},
        "xgap": 1,
        "ygap": 1,
    }


def pairs_chart(order: Sequence[str], won: Mapping[tuple[str, str], int], settled: set[tuple[str, str]]) -> Chart:
    """A square per pair of items: the share of answers that prefer the row; a dot where it is settled."""
    names = labels(order)
    share, counts = [], []
    for better in order:
        totals = [won.get((better, other), 0) + won.get((other, better), 0) for other in order]
        share.append(
            [
                round(won.get((better, o), 0) / n, 4) if n and o != better else None
                for o, n in zip(order, totals, strict=True)
            ]
        )
        counts.append([f"{won.get((better, o), 0)} of {n}" for o, n in zip(order, totals, strict=True)])
    place = dict(zip(order, names, strict=True))
    heat = _heat(names, share, counts, hover="%{y} over %{x}: %{customdata}<extra></extra>", low="@paper")
    marks = {
        "type": "scatter",
        "mode": "markers",
        "x": [place[b] for _, b in settled],
        "y": [place[a] for a, _ in settled],
        "marker": {"color": "@paper", "size": 6, "line": {"color": "@line", "width": 2}},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    layout = {
        "xaxis": axis(type="category", showgrid=False, tickangle=-45, side="top"),
        "yaxis": axis(type="category", autorange="reversed", showgrid=False),
    }
    side = max(320, 170 + 22 * len(order))
    says = "Share of answers that prefer the row's item to the column's; a dot marks a settled pair."
    return Chart([heat, *([marks] if settled else [])], layout, says, min(side, 1400), 380 + 70 * len(order))
