"""The table of promises in docs/verify-checker.md: every promise has a theorem and a test file, and both exist."""

import re

from juryrank.verify.checkers import CHECKERS

from .test_docs_words import DOCS, headings

ROOT = DOCS.parent
GOALS = {
    "truth": {"order", "best", "top-k"},
    "people": {"ranges", "tiers", "best", "top-k"},
    "judges, no cases": {"order", "best", "top-k", "ranges", "tiers"},
    "judges, on cases": {"order", "best", "top-k"},
}  # of each `about`, as the guides list them
MENTIONED = {"certified": "about truth", "panel": "about people", "jury": "about judges, on cases"}  # else by name


def rows():
    """What is asked for, the link to its theorem, and its test file: row by row."""
    _, _, below = (DOCS / "verify-checker.md").read_text(encoding="utf-8").partition("## Which test would fail\n")
    lines = [line for line in below.partition("\n## ")[0].splitlines() if line.startswith("| ")][1:]
    return [tuple(cell.strip() for cell in line.strip("| ").split(" | ")) for line in lines]


def test_every_theorem_is_under_a_heading_that_exists():
    for asked, theorem, _ in rows():
        ((page, anchor),) = re.findall(r"\]\(([\w-]+\.md)?#([\w-]+)\)", theorem)
        assert anchor in headings(DOCS / (page or "verify-checker.md")), f"{asked}: no heading #{anchor} in {page}"


def test_every_test_file_exists_and_holds_tests():
    for asked, _, named in rows():
        path = ROOT / named.strip("`")
        assert path.is_file(), f"{asked}: {path.name} is not there"
        assert re.search(r"^def test_", path.read_text(encoding="utf-8"), re.M), f"{path.name} has no test"


def test_every_goal_and_every_checked_ranker_has_a_row():
    listed = rows()
    for about, goals in GOALS.items():
        cells = [asked for asked, _, _ in listed if asked.startswith(f"about {about}")]
        assert goals <= set(re.findall(r"`([\w-]+)`", " ".join(cells))), about
    everything = " ".join(asked for asked, _, _ in listed)
    assert [name for name in CHECKERS if MENTIONED.get(name, f"`{name}`") not in everything] == []


def test_the_table_is_read():
    assert len(rows()) > 12 and all(len(row) == 3 for row in rows())
