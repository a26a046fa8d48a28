"""A figure's numbers: as CSV for programs, as Markdown and LaTeX for people (the table the paper promises)."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from juryrank.simulation.paper.grid import RANKERS, SIZES, Figure, GammaPanel
from juryrank.simulation.sweeps.cells import CELL_FIELDS, NUMBERS, Cell, CellRow

Rows = Mapping[Cell, CellRow]


def to_csv(figure: Figure, rows: Rows) -> str:
    """Every cell of a figure, with all digits of every number."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*CELL_FIELDS, *NUMBERS, "error"])
    for cell in figure.cells:
        given = rows[cell].to_json()
        table.writerow([given[name] for name in (*CELL_FIELDS, *NUMBERS, "error")])
    return text.getvalue()


def to_markdown(figure: Figure, rows: Rows) -> str:
    """A table per panel: mean ± standard deviation of questions."""
    parts = [f"# {figure.title}\n"]
    for panel in figure.panels:
        parts.append(f"\nγ_A = {panel.gamma_a:g}, γ_B = {panel.gamma_b:g}\n")
        parts.append("| N | " + " | ".join(RANKERS.values()) + " |")
        parts.append("|--:" * (1 + len(RANKERS)) + "|")
        for n in SIZES:
            entries = " | ".join(_entry(panel, n, ranker, rows, "±") for ranker in RANKERS)
            parts.append(f"| {n} | {entries} |")
    return "\n".join(parts) + "\n"


def to_latex(figure: Figure, rows: Rows) -> str:
    """The same as `tabular`s, with nothing but LaTeX itself needed."""
    parts = []
    for panel in figure.panels:
        parts.append(f"% {figure.title}, gamma_A = {panel.gamma_a:g}, gamma_B = {panel.gamma_b:g}")
        parts.append(rf"\begin{{tabular}}{{r{'r' * len(RANKERS)}}}" + "\n" + r"\hline")
        caption = rf"$M={panel.judges},\ \gamma_A={panel.gamma_a:g},\ \gamma_B={panel.gamma_b:g}$"
        parts.append(rf"\multicolumn{{{1 + len(RANKERS)}}}{{c}}{{{caption}}} \\")
        parts.append("$N$ & " + " & ".join(RANKERS.values()) + r" \\ \hline")
        for n in SIZES:
            entries = " & ".join(f"${_entry(panel, n, ranker, rows, chr(92) + 'pm')}$" for ranker in RANKERS)
            parts.append(rf"{n} & {entries} \\")
        parts.append(r"\hline" + "\n" + r"\end{tabular}" + "\n")
    return "\n".join(parts)


def _entry(panel: GammaPanel, items: int, ranker: str, rows: Rows, sign: str) -> str:
    row = rows[panel.cell(items, ranker)]
    if row.questions_mean is None or row.questions_std is None:
        return "failed" if sign == "±" else r"\mathrm{failed}"
    return f"{row.questions_mean:.0f} {sign} {row.questions_std:.0f}"
