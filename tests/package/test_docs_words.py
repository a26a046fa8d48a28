"""The docs stay short: words per page by its kind, and in all. Links between pages lead to headings that exist."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
LIMITS = {"tutorial": 700, "how-to": 800, "explanation": 1500, "measured": 1200, "reference": 2000}
MOST = 30_000
KINDS = {
    "tutorial": ("index", "tutorial-models", "tutorial-people", "tutorial-programs"),
    "how-to": (
        "deploy", "formats", "gate", "models", "other-clients", "people", "planning", "python", "report",
        "scale", "simulation", "studies", "systems", "verify", "votes", "votes-studies",
    ),
    "explanation": (
        "best", "certified", "certified-limits", "certified-proof", "estimates", "jury", "jury-rules",
        "people-proof", "verify-checker", "verify-owner", "votes-fit", "warnings",
    ),
    "measured": (
        "certified-measured", "estimates-measured", "experiments", "jury-measured", "people-replay",
        "server-measured",
    ),
    "reference": ("log", "models-calls", "people-data", "server", "studies-reference"),
}  # fmt: skip
MADE = {"api", "cli", "options", "rest"}  # whole pages made by scripts, as are those that begin with example-
GENERATED = (
    re.compile(r"<!-- (\w[\w-]*): begin -->.*?<!-- \1: end -->", re.S),
    re.compile(r"<!-- (\w[\w-]*)[^>]*-->\n(?:(?!<!-- tested).)*?<!-- /\1 -->", re.S),
    re.compile(r"^```.*?^```$", re.M | re.S),  # code and what it prints: other tests run it
    re.compile(r"<!--.*?-->", re.S),
)


def words(text):
    """What somebody wrote and everybody reads: prose and tables, without code and generated parts."""
    for part in GENERATED:
        text = part.sub("", text)
    return sum(bool(re.search(r"\w", word)) for word in text.split())


def page(name):
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


def written():
    return {path.stem for path in DOCS.glob("*.md")} - MADE - {path.stem for path in DOCS.glob("example-*.md")}


def test_generated_parts_are_not_counted():
    text = "one two\n```text\nthree\n```\n<!-- costs -->\n| four |\n<!-- /costs -->\n- five"
    assert words(text) == 3


def test_every_page_has_a_kind():
    assert sorted(name for names in KINDS.values() for name in names) == sorted(written())


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for kind, names in KINDS.items() for name in names])
def test_a_page_is_as_short_as_its_kind_asks(name, kind):
    assert words(page(name)) <= LIMITS[kind], (
        "shorten it, split it by task, or move history to benchmarks/NOTES.md"
    )


def test_the_docs_as_a_whole_are_short():
    assert sum(words(page(name)) for name in written()) <= MOST


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.stem)
def test_links_between_pages_lead_to_a_heading(path):
    for target, anchor in re.findall(r"\]\(([\w-]+\.md)?(?:#([\w-]+))?\)", path.read_text(encoding="utf-8")):
        there = DOCS / target if target else path
        assert there.exists(), f"{path.name} links to {target}, which is not there"
        assert not anchor or anchor in headings(there), f"{there.name} has no heading #{anchor}"


def headings(path):
    titles = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
