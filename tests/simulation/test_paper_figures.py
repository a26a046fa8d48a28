"""The paper's figures: which cells, tables that say what was measured, claims checked, pictures drawn."""

import csv
import io
from dataclasses import asdict, replace

import pytest

from juryrank.errors import BadInput, UnknownName
from juryrank.simulation.paper import checks, grid
from juryrank.simulation.paper.cells import CellRow, Settings
from juryrank.simulation.paper.grid import FIGURES, RANKERS, SIZES, figures_named
from juryrank.simulation.paper.reproduce import reproduce
from juryrank.simulation.sweep import open_results

# mean questions per item as the paper would have it: adaptive near the oracle, two-stage a constant above
COST = {"iir": 3000, "ada-iir": 2050, "two-stage": 2000, "oracle": 2000}


def ideal(cell):
    equal = cell.gamma_a == cell.gamma_b
    each = COST["oracle"] if equal else COST[cell.ranker]
    if cell.ranker == "ada-iir" and not equal:
        each += cell.judges  # later elimination with more judges
    selection = 4000.0 if cell.ranker == "two-stage" else 0.0
    return CellRow(cell, each * cell.items + selection, 500.0, selection, 1.0, 1.0, 3.0)


@pytest.fixture
def rows():
    return {cell: ideal(cell) for figure in FIGURES.values() for cell in figure.cells}


def verdicts(rows, what="all"):
    return [claim.holds for claim in checks.check_claims(figures_named(what), rows, repeats=100)]


def test_the_papers_cells():
    cells = {cell for figure in figures_named("all") for cell in figure.cells}
    assert len(cells) == 1080
    assert {cell.judges for cell in cells} == {9, 18, 36}
    assert {(cell.gamma_a, cell.gamma_b) for cell in FIGURES["fig1"].cells} == {(0.5, 2.5), (0.5, 1.0), (0.5, 0.5)}
    with pytest.raises(UnknownName, match="fig7"):
        figures_named("fig7")


def test_claims_hold_where_they_should(rows):
    assert verdicts(rows) == [True] * 6
    assert verdicts(rows, "fig1") == [True, True, True, True, None, True]


@pytest.mark.parametrize(
    ("ranker", "change", "broken"),
    [
        ("ada-iir", lambda row: {"questions_mean": row.questions_mean * 1.3}, {0, 2}),
        ("ada-iir", lambda row: {"questions_mean": COST["iir"] * row.cell.items}, {0, 1, 2, 4}),
        ("two-stage", lambda row: {"selection_questions_mean": 100.0 * row.cell.items}, {3}),
        ("oracle", lambda row: {"exact_rate": 0.99}, {5}),
        ("iir", lambda row: {"questions_mean": None, "exact_rate": None, "error": "failed"}, {1, 2, 4, 5}),
    ],
)
def test_claims_break_where_they_should(rows, ranker, change, broken):
    changed = {cell: replace(row, **change(row)) if cell.ranker == ranker else row for cell, row in rows.items()}
    assert {k for k, holds in enumerate(verdicts(changed)) if holds is not True} == broken
    text = checks.to_markdown(checks.check_claims(figures_named("all"), changed, repeats=100), command="x")
    assert text.count("**does not hold**") == len(broken)


def test_tables_say_what_was_measured(rows):
    figure = FIGURES["fig1"]
    found = list(csv.DictReader(io.StringIO(grid.to_csv(figure, rows))))
    assert len(found) == 3 * len(SIZES) * len(RANKERS)
    assert float(found[0]["questions_mean"]) == rows[figure.cells[0]].questions_mean
    told = {"questions_std", "exact_rate", "active_judges_mean", "selection_questions_mean", "error"}
    assert told <= set(found[0])
    mean = f"{rows[figure.cells[0]].questions_mean:.0f}"
    assert f"{mean} ± 500" in grid.to_markdown(figure, rows)
    latex = grid.to_latex(figure, rows)
    assert rf"${mean} \pm 500$" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 3


def test_the_whole_path_with_a_failed_cell(tmp_path, rows):
    """Results that are there are drawn without playing anything; what failed is said."""
    settings = Settings(0.25, "paper", 100, 0)
    with open_results(tmp_path, asdict(settings), CellRow.rebuilt) as results:
        for cell in FIGURES["fig1"].cells:
            results.add(cell, rows[cell])
    told = []
    claims = reproduce("fig1", tmp_path, settings, counter=lambda *given: told.append(given))
    assert told == [(120, 120)]
    assert len(claims) == 6
    assert (tmp_path / "fig1.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "fig1.pdf").read_bytes().startswith(b"%PDF")
    again = (tmp_path / "fig1.png").read_bytes()
    reproduce("fig1", tmp_path, settings)
    assert (tmp_path / "fig1.png").read_bytes() == again
    assert "juryrank reproduce fig1 --repeats 100" in (tmp_path / "summary.md").read_text()


def test_bad_settings_change_nothing(tmp_path):
    for wrong in (Settings(0.0, "paper", 1, 0), Settings(0.1, "paper", 0, 0), Settings(0.1, "mine", 1, 0)):
        with pytest.raises(BadInput):
            reproduce("fig1", tmp_path / "out", wrong)
    assert not (tmp_path / "out").exists()
