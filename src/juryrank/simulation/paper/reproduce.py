"""All of the paper's experiments into one folder: rows, tables, figures, and the one-page summary."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, need_extra
from juryrank.simulation.paper import checks
from juryrank.simulation.paper import grid as tables
from juryrank.simulation.paper.cells import Cell, CellRow, Settings, check_settings, sweep_cells
from juryrank.simulation.paper.grid import RANKERS, SIZES, Figure, GammaPanel, figures_named
from juryrank.simulation.sweep import HERE, Counter, Where, open_results

# ----------------------------------------------------------------------------
# The figures in the paper's layout: questions against items, four lines with error bars, three panels per row
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


# ----------------------------------------------------------------------------
# All of the paper's experiments into one folder: rows, tables, figures, and the one-page summary
def reproduce(
    what: str,
    out: Path,
    settings: Settings,
    *,
    where: Where = HERE,
    counter: Counter | None = None,
) -> list[checks.Claim]:
    """Play what is missing, then write every figure's files; returns what was checked."""
    figures = figures_named(what)
    check_settings(settings)
    cells = list(dict.fromkeys(cell for figure in figures for cell in figure.cells))
    with open_results(out, asdict(settings), CellRow.rebuilt) as results:
        rows = sweep_cells(cells, settings, results=results, where=where, counter=counter)
    try:
        for figure in figures:
            _write_figure(figure, rows, out)
        claims = checks.check_claims(figures, rows, repeats=settings.repeats)
        _write(out / "summary.md", checks.to_markdown(claims, command=command(what, settings)))
    except OSError as problem:
        raise BadInput(f"figures cannot be written to {str(out)!r}: {problem.strerror or problem}") from problem
    return claims


def command(what: str, settings: Settings) -> str:
    """The command line that gives the same numbers."""
    return (
        f"juryrank reproduce {what} --repeats {settings.repeats} --error {settings.delta:g} "
        f"--constants {settings.constants} --seed {settings.seed}"
    )


def _write_figure(figure: Figure, rows: tables.Rows, out: Path) -> None:
    _write(out / f"{figure.name}.csv", tables.to_csv(figure, rows))
    _write(out / f"{figure.name}.md", tables.to_markdown(figure, rows))
    _write(out / f"{figure.name}.tex", tables.to_latex(figure, rows))
    draw(figure, rows, [out / f"{figure.name}.png", out / f"{figure.name}.pdf"])


def _write(path: Path, text: str) -> None:
    """All of the file or nothing: a kill leaves the old one."""
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, path)
