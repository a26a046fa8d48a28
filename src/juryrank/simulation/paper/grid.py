"""The cells behind the paper's figures: M = 9, 18, 36; a 3 x 3 grid of γ; N = 10, 20 .. 100; four rankers."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from juryrank.errors import UnknownName
from juryrank.simulation.sweeps.cells import Cell

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
