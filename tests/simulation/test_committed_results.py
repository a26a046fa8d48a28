"""The results under experiments/ are what the command gives today, to the last digit."""

import csv
from pathlib import Path

import pytest

from juryrank.simulation.paper.cells import Cell, Settings, play_cell
from juryrank.simulation.paper.grid import FIGURES, RANKERS

EXPERIMENTS = Path(__file__).parents[2] / "experiments"


def committed(constants, figure):
    with (EXPERIMENTS / constants / f"{figure}.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {(float(row["gamma_a"]), float(row["gamma_b"]), int(row["items"]), row["ranker"]): row for row in rows}


@pytest.mark.parametrize("constants", ["paper", "released"])
@pytest.mark.parametrize("ranker", RANKERS)
def test_a_cell_of_the_committed_results(constants, ranker):
    row = committed(constants, "m18")[0.5, 1.0, 10, ranker]
    found = play_cell(Settings(0.25, constants, 100, 0), Cell(18, 0.5, 1.0, 10, ranker))
    assert {name: str(value) for name, value in found.flat().items()} == row


@pytest.mark.parametrize("constants", ["paper", "released"])
def test_every_cell_is_there_and_exact(constants):
    for name, figure in FIGURES.items():
        rows = committed(constants, name)
        assert len(rows) == len(figure.cells)
        assert all(float(row["exact_rate"]) == 1 and not row["error"] for row in rows.values())
