"""The cells behind the paper's figures: M = 9, 18, 36; a 3 x 3 grid of γ; N = 10, 20 .. 100; four rankers."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from juryrank.errors import UnknownName
from juryrank.simulation.paper.cells import CELL_FIELDS, NUMBERS, Cell, CellRow

GAMMA_A = (0.25, 0.5, 1.0)
GAMMA_B = (0.5, 1.0, 2.5)
SIZES = tuple(range(10, 101, 10))
# our names, and the paper's
RANKERS = {"iir": "Non-adaptive", "ada-iir": "Adaptive", "two-stage": "Two-stage", "oracle": "Oracle"}


@dataclass(frozen=True, slots=True)
class GammaPanel:
    """One diagram: questions against items for one world."""

    judges: int
    gamma_a: float
    gamma_b: float

    @property
    def mixed(self) -> bool:
        """Do the two groups of judges differ?"""
        return self.gamma_a != self.gamma_b

    def cell(self, items: int, ranker: str) -> Cell:
        return Cell(self.judges, self.gamma_a, self.gamma_b, items, ranker)

    @property
    def cells(self) -> list[Cell]:
        return [self.cell(items, ranker) for items, ranker in product(SIZES, RANKERS)]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the paper: panels in rows of three."""

    name: str
    title: str
    panels: tuple[GammaPanel, ...]

    @property
    def cells(self) -> list[Cell]:
        return [cell for panel in self.panels for cell in panel.cells]


def _grid(judges: int) -> Figure:
    panels = tuple(GammaPanel(judges, a, b) for a, b in product(GAMMA_A, GAMMA_B))
    return Figure(f"m{judges}", f"M = {judges} judges", panels)


FIGURES = {
    "fig1": Figure("fig1", "Figure 1: M = 9 judges", tuple(GammaPanel(9, 0.5, b) for b in (2.5, 1.0, 0.5))),
    **{f"m{judges}": _grid(judges) for judges in (9, 18, 36)},
}


def figures_named(name: str) -> list[Figure]:
    """The figures that a word of the command line stands for.

    >>> sum(len(panel.cells) for figure in figures_named("all")[1:] for panel in figure.panels)
    1080
    """
    if name == "all":
        return list(FIGURES.values())
    if name not in FIGURES:
        raise UnknownName(f"there is no figure {name!r}; there are: {', '.join(FIGURES)}, all")
    return [FIGURES[name]]


# ----------------------------------------------------------------------------
# A figure's numbers: as CSV for programs, as Markdown and LaTeX for people (the table the paper promises).
Rows = Mapping[Cell, CellRow]


def to_csv(figure: Figure, rows: Rows) -> str:
    """Every cell of a figure, with all digits of every number."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow([*CELL_FIELDS, *NUMBERS, "error"])
    for cell in figure.cells:
        table.writerow(rows[cell].flat().values())
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
