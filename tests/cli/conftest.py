"""Studies on a real SQLite file, called as a user would."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import JuryrankError


@pytest.fixture
def call(tmp_path):
    """Call a subcommand; the result's output, parsed if it is JSON. Errors are raised."""
    items = tmp_path / "items.txt"
    items.write_text("a\nb\nc\n")
    url = f"sqlite:///{tmp_path}/studies.db"

    def invoke(*arguments, code=0):
        words = ["study", *map(str, arguments), *([] if "--storage" in arguments else ["--storage", url])]
        if arguments[0] == "create" and "--items" not in arguments:
            words += ["--items", str(items)]
        result = CliRunner().invoke(build_app(), words)
        if isinstance(result.exception, JuryrankError):
            raise result.exception
        assert code in (None, result.exit_code), result.output
        return json.loads(result.stdout) if "--json" in words else result.stdout

    invoke.url = url
    return invoke


@pytest.fixture
def study(call):
    call(
        "create",
        "s",
        "--judge",
        "ann",
        "--judge",
        "bob",
        "--ranker",
        "certified",
        "--fresh",
        "--error",
        "0.2",
        "--seed",
        "1",
    )
    return call
