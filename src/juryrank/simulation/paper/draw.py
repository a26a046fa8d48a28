"""The figures in the paper's layout: questions against items, four lines with error bars, three panels per row."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from juryrank.errors import need_extra
from juryrank.simulation.paper.grid import RANKERS, SIZES, Figure, GammaPanel
from juryrank.simulation.sweeps.cells import Cell, CellRow

COLUMNS = 3
# Okabe & Ito's colours, which everybody can tell apart; markers differ too, for print in grey
# and sizes nest, so that lines which lie on each other are all seen
LOOKS: dict[str, dict[str, Any]] = {
    "iir": {"color": "#999999", "marker": "s", "linestyle": "-", "markersize": 7.5, "zorder": 2},
    "ada-iir": {"color": "#D55E00", "marker": "o", "linestyle": "-", "markersize": 3, "zorder": 5},
    "two-stage": {"color": "#009E73", "marker": "^", "linestyle": "--", "markersize": 4, "zorder": 3},
    "oracle": {"color": "#0072B2", "marker": "D", "linestyle": ":", "markersize": 5.5, "zorder": 4, "mfc": "w"},
}
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "pdf.fonttype": 42,
    "figure.dpi": 100,
}


def draw(figure: Figure, rows: Mapping[Cell, CellRow], paths: list[Path]) -> None:
    """Draw a figure into files; their names say which kind."""
    matplotlib = need_extra("matplotlib", extra="figures", what="drawing figures")
    need_extra("matplotlib.figure", extra="figures", what="drawing figures")
    lines = -(-len(figure.panels) // COLUMNS)
    with matplotlib.rc_context(STYLE):
        sheet = matplotlib.figure.Figure(figsize=(10, 0.7 + 2.7 * lines), layout="constrained")
        axes = sheet.subplots(lines, COLUMNS, sharex=True, squeeze=False)
        for ax, panel in zip(axes.flat, figure.panels, strict=True):
            _panel(ax, panel, rows)
        for ax in axes[-1]:
            ax.set_xlabel("items N")
        for ax in axes[:, 0]:
            ax.set_ylabel("questions (thousands)")
        handles, labels = axes.flat[0].get_legend_handles_labels()
        sheet.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
        for path in paths:
            # no date inside: the same numbers give the same file
            dates: dict[str, Any] = {"pdf": {"CreationDate": None}, "png": {"Software": None}}
            sheet.savefig(path, dpi=130, metadata=dates[path.suffix[1:]])


def _panel(ax: Any, panel: GammaPanel, rows: Mapping[Cell, CellRow]) -> None:
    for ranker, name in RANKERS.items():
        found = [(n, rows[panel.cell(n, ranker)]) for n in SIZES]
        known = [(n, row.questions_mean, row.questions_std) for n, row in found if row.questions_mean is not None]
        x = [n for n, _, _ in known]
        y = [mean / 1000 for _, mean, _ in known]
        spread = [(std or 0) / 1000 for _, _, std in known]
        ax.errorbar(x, y, yerr=spread, label=name, linewidth=1.3, capsize=2, **LOOKS[ranker])
    ax.set_title(rf"$M={panel.judges}$, $\gamma_A={panel.gamma_a}$, $\gamma_B={panel.gamma_b}$")
    ax.set_ylim(bottom=0)
    wrong = sum((rows[cell].exact_rate or 0) < 1 for cell in panel.cells)
    if wrong:
        ax.text(0.03, 0.95, f"{wrong} cells with a run not exact", transform=ax.transAxes, va="top", fontsize=7)
