"""`juryrank plan --people`."""

import json

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import JuryrankError


def run(*arguments):
    return CliRunner().invoke(build_app(), ["plan", *map(str, arguments)])


def test_a_panel_is_planned_in_words_and_as_json():
    asked = ["--people", 20, "--items", 6, "--goal", "top-2", "--runs", 2]
    text = run(*asked)
    assert text.exit_code == 0 and "top-2 settled" in text.output
    assert text.output.startswith("Expect 20 people to ")  # the advice comes first
    assert run("--people", 3, "--items", 6, "--runs", 2).output.startswith("Too few: even if everybody agrees")
    ranges = run("--people", 20, "--items", 6, "--runs", 2).output
    assert ranges.startswith("Expect 20 people to settle about ") and "of 15 pairs" in ranges
    found = json.loads(run(*asked, "--json").stdout)
    assert found["fewest"] == 10 and len(found["sizes"]) == 4


@pytest.mark.parametrize(
    "arguments",
    [
        ["--people", 9, "--items", 5, "--assume", "steady"],
        ["--people", 9, "--items", 5, "--goal", "order"],
        ["--items", 5],
        ["--people", 0, "--items", 5],
        ["--people", 9, "--items", 5, "--goal", "top-7"],
    ],
)
def test_misuse_is_a_typed_error(arguments):
    assert isinstance(run(*arguments).exception, JuryrankError)
