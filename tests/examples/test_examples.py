"""The examples run as their pages say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def printed(script, *arguments):
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "MPLBACKEND": "Agg"}
    command = [sys.executable, str(ROOT / "examples" / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout


def on_page(page):
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


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


def test_recorded_systems(tmp_path):
    pytest.importorskip("matplotlib")
    said = printed("recorded_systems.py", "--figure", str(tmp_path / "systems.png"))
    assert said in on_page("example-recorded-systems.md")
    assert (tmp_path / "systems.png").stat().st_size > 10_000
