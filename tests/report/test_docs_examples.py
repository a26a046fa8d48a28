"""docs/votes.md and docs/report.md show what really happens: their Python is run and their pictures are read."""

import doctest
import re
import runpy
from pathlib import Path

import pytest

from juryrank.report import picture_svg

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("page", ["votes.md", "votes-studies.md"])
def test_the_python_of_the_pages_about_votes(page):
    text = (DOCS / page).read_text()
    test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, page, None, 0)
    assert len(test.examples) >= 4
    assert doctest.DocTestRunner().run(test).failed == 0


def test_the_example_can_be_made_again():
    ranking = runpy.run_path(str(DOCS / "images" / "make.py"))["result"]()
    assert len(ranking.order) == 10 and ranking.details.people == 90
    assert picture_svg(ranking, title="Cheeses").count("<circle") == 10


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pictures_and_text_of_the_report_page_show_the_same(theme):
    page = (DOCS / "report.md").read_text()
    shown = next(body for kind, _, body in BLOCK.findall(page) if kind == "text")
    rows = re.findall(r"^ ?\d+  (\w+) .*?  (\d+(?: to \d+)?)$", shown, re.M)
    drawn = re.findall(r">([^<>]+)</text>", (DOCS / "images" / f"result-{theme}.svg").read_text())
    assert len(rows) == 10 and f"images/result-{theme}.svg" in page
    for item, rank in rows:  # the estimated chance stands between them
        low, high = int(rank.split()[0]), int(rank.split()[-1])
        narrow = 2 * (high - low + 1) <= len(rows)  # a wider range says nothing in a column of its own
        assert (drawn[drawn.index(item) + 2] == rank) == narrow
        assert narrow or rank not in drawn
    assert shown.splitlines()[0] in drawn
