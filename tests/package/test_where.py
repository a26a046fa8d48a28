"""CONTRIBUTING.md shows where things are: its pictures are redrawn here, and its files are looked for."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def where():
    pytest.importorskip("fastapi")
    spec = importlib.util.spec_from_file_location("where", ROOT / "scripts" / "where.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def path(where):
    return where.answer_path()


def shown(name):
    return re.search(rf"<!-- {name} -->\n```text\n(.*?)```", PAGE, re.S)[1]


def names(picture):
    return [line[:18].rstrip() for line in picture.splitlines()]


def test_the_packages_are_as_drawn(where):
    """By name; `make captures` renews the words, which are the first lines of their docstrings."""
    assert names(where.packages_picture()) == names(shown("packages")), "run `python scripts/where.py`"


def test_the_path_of_an_answer_is_as_drawn(where, path):
    assert where.path_picture(path) == shown("path"), "run `python scripts/where.py` (in `make captures`)"


def test_the_path_of_an_answer_stays_short(path):
    """It once took 19 calls."""
    assert path[0][0].startswith("server/pages/") and path[-1][0].endswith("evidence.py")
    assert len(path) <= 12


def test_the_packages_fit_on_one_look(where):
    assert len(where.packages_picture().splitlines()) <= 25


def test_every_file_of_the_list_is_there():
    files = re.findall(r"^\| .+ \| `([^`]+\.py)` \|$", PAGE, re.M)
    assert len(files) == 33
    assert [file for file in files if not (ROOT / "src" / "juryrank" / file).is_file()] == []
