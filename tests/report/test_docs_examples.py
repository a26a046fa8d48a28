"""docs/votes.md and docs/report.md show what really happens: their consoles and pictures are run."""

import contextlib
import doctest
import io
import re
import runpy
import shlex
from pathlib import Path

import pytest

from juryrank.report import picture_svg

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


def run(command, monkeypatch):
    """What a command prints, standard error after standard output."""
    from juryrank.cli import main

    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    monkeypatch.setattr("sys.argv", shlex.split(command))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.suppress(SystemExit):
        main()
    out.flush()
    errors = err.getvalue()
    text = out.buffer.getvalue().decode()
    return errors + text if errors.startswith("left out") else text + errors


def test_the_consoles_of_the_votes_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JURYRANK_STORAGE", raising=False)
    ran = 0
    for kind, file, body in BLOCK.findall((DOCS / "votes.md").read_text()):
        if file:
            Path(file).write_text(body)
        elif kind == "console":
            for step in re.split(r"^\$ ", body, flags=re.M)[1:]:
                command, _, expected = step.partition("\n")
                assert run(command, monkeypatch) == expected, command
                ran += 1
    assert ran >= 5


def test_the_python_of_the_votes_page():
    text = (DOCS / "votes.md").read_text()
    test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "votes.md", None, 0)
    assert len(test.examples) >= 4
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_example_can_be_made_again():
    ranking = runpy.run_path(str(DOCS / "images" / "make.py"))["result"]()
    assert len(ranking.order) == 10 and ranking.details["people"] == 90
    assert picture_svg(ranking, title="Cheeses").count("<circle") == 10


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_and_text_of_the_report_page_show_the_same(theme):
    page = (DOCS / "report.md").read_text()
    shown = next(body for kind, _, body in BLOCK.findall(page) if kind == "text")
    rows = re.findall(r"^ ?\d+  (\w+) .*?  (\d+(?: to \d+)?)$", shown, re.M)
    drawn = re.findall(r">([^<>]+)</text>", (DOCS / "images" / f"result-{theme}.svg").read_text())
    assert len(rows) == 10 and f"images/result-{theme}.svg" in page
    for item, rank in rows:
        assert rank in drawn[drawn.index(item) + 1 : drawn.index(item) + 2]
    assert shown.splitlines()[0] in drawn


def test_the_partly_settled_order_of_the_certified_page():
    captures = runpy.run_path(str(DOCS.parent / "scripts" / "captures.py"))
    page = (DOCS / "certified.md").read_text()
    assert captures["PRINTED"].search(page)
    assert captures["with_printed"](page) == page, "run `make captures`"
