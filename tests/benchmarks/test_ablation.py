"""The ablation: switches change nothing until they are used, and every variant still fits the kernels."""

import subprocess
import sys

import pytest
from benchmarks.ablation.report import Change, changes, mean_rise, read, table, write

# In a process of its own: turning knobs rewrites the kernels it runs.
PLAY = """
from juryrank.core.compiling import without_compiling
from juryrank.simulation import two_groups
from juryrank.simulation.play import play

def questions():
    world = two_groups(9, gamma_a=0.5, gamma_b=1.0)
    return [play("certified", world, items=8, seed=3, repeat=k, assume=assume).questions
            for k in range(1) for assume in ("steady", "better-than-chance")]

with without_compiling():
    before = questions()
    from benchmarks.ablation.knobs import Knobs
    from benchmarks.ablation.variants import SWITCHES, VARIANTS, constants
    knobs = Knobs(constants(), SWITCHES)
    assert questions() == before
    with knobs.turned(VARIANTS["never try another judge"]):
        assert questions() != before
    with knobs.turned(VARIANTS["an answer votes on itself"]):
        assert questions() != before
    assert questions() == before
"""

START = """
from benchmarks.ablation.__main__ import SWITCHES, Knobs, constants
assert Knobs(constants(), SWITCHES).usual["PLACE_AT"] == 0.97
"""


def test_all_kernels_are_there_from_the_start():
    pytest.importorskip("numba")
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_knobs_change_nothing_until_they_are_turned():
    pytest.importorskip("numba")
    done = subprocess.run([sys.executable, "-c", PLAY], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_rise_is_measured_against_the_same_runs(tmp_path):
    cells = {
        ("as it is", "a kind", "steady"): {"questions": [100, 200, 300], "exact": [1, 1, 1]},
        ("worse", "a kind", "steady"): {"questions": [110, 220, 330], "exact": [1, 0, 1]},
    }
    found = changes(cells)
    assert found[1].rise == pytest.approx(0.1) and found[1].error == pytest.approx(0.0, abs=1e-12)
    assert mean_rise(found) == (pytest.approx(0.05), pytest.approx(0.0, abs=1e-12))
    write(tmp_path / "cells.csv", found)
    assert read(tmp_path / "cells.csv")[1] == Change("worse", "a kind", "steady", 3, 220.0, 0.1, 0.0, 0.6667)
    assert "| worse | +10.0% ± 0.0% |" in table(found, ["steady"])
