"""The examples run as their pages say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.judges.models.real import weights
from tests.postgres import missing

ROOT = Path(__file__).parents[2]


def printed(script, *arguments):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "Agg"}
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


def on_page(page):
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


@pytest.mark.slow
def test_words_by_what_each_judge_knows(tmp_path):
    for package in ("wordfreq", "spellchecker", "matplotlib"):
        pytest.importorskip(package)
    said = printed("words.py", "--figure", str(tmp_path / "words.png"))
    assert said in on_page("example-words.md")
    assert (tmp_path / "words.png").stat().st_size > 10_000


@pytest.mark.slow
def test_pictures_by_image_measures():
    pytest.importorskip("sklearn")
    assert printed("pictures.py") in on_page("example-pictures.md")


def test_recorded_people(tmp_path):
    said = printed("recorded_people.py", "--figure", str(tmp_path / "people.svg"))
    assert said in on_page("example-recorded-people.md")
    assert "<svg" in (tmp_path / "people.svg").read_text(encoding="utf-8")


@pytest.mark.slow
def test_recorded_systems(tmp_path):
    pytest.importorskip("matplotlib")
    said = printed("recorded_systems.py", "--figure", str(tmp_path / "systems.png"))
    assert said in on_page("example-recorded-systems.md")
    assert (tmp_path / "systems.png").stat().st_size > 10_000


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.xdist_group("real model")
def test_numbers_by_a_small_model(tmp_path, monkeypatch):
    """Another processor may round otherwise and answer otherwise; what is said of it must be the same."""
    pytest.importorskip("matplotlib")
    if weights() is None:  # its package cannot be imported: it is installed without what it asks for
        missing("the example with a real model: make real-model")
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path))
    said = printed("models.py", "--figure", str(tmp_path / "models.png"))
    assert said.count("It leans to the one shown") == 3
    assert said.count("Gold pairs do not tell it from a coin") == 3
    assert "says nothing about other judges or the truth" in " ".join(said.split())
    assert (tmp_path / "models.png").stat().st_size > 10_000
    assert all(line in on_page("example-models.md") for line in said.splitlines()[:8])
