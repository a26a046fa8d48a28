"""Examples in the docs run, and generated pages are up to date."""

import contextlib
import importlib.util
import io
import os
import re
from pathlib import Path

import pytest

from juryrank.cli import COMMANDS
from juryrank.rankers import ranker_names

ROOT = Path(__file__).parents[2]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
SLOW = ("docs/planning.md", "docs/tutorial-models.md", "docs/votes.md")  # to make again: seconds each


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name):
    return re.findall(r"```python\n(.*?)```", text(name), re.S)


RUN = ("python", "simulation", "people", "estimates", "formats", "studies")


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{name}.md" for name in RUN)])
def test_python_in_the_docs_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scope = {"ask_model": max, "ask_other_model": max}  # which docs/studies.md leaves to the reader
    with contextlib.redirect_stdout(io.StringIO()):
        assert blocks(page)
        for block in blocks(page):
            exec(compile(block, page, "exec"), scope)


def test_the_example_of_the_readme_is_short():
    assert sum(bool(line.strip()) for line in blocks("README.md")[0].splitlines()) <= 15


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.pinned
def test_the_page_of_the_command_line_is_what_help_prints(monkeypatch):
    monkeypatch.setattr(os, "environ", os.environ.copy())
    assert script("cli_docs").cli_page() == text("docs/cli.md"), "the help has changed: run `make captures`"
    page = text("docs/formats.md")
    assert script("cli_docs").formats_page(page) == page, "the formats have changed: run `make captures`"


def test_the_page_of_options_is_made_from_their_declarations():
    assert script("options_docs").options_page() == text("docs/options.md"), "options changed: run `make captures`"


def test_the_page_of_the_log_is_made_from_the_classes_of_events():
    page = text("docs/log.md")
    assert script("log_docs").log_page(page) == page, "the events have changed: run `make captures`"
    assert page.count("\n### `") >= 15


@pytest.mark.pinned
@pytest.mark.parametrize(
    "page", [pytest.param(page, marks=pytest.mark.slow) if page in SLOW else page for page in PAGES]
)
def test_captured_output_is_what_the_commands_print(page):
    """Every run, session and printed block of every page, made again."""
    assert script("captures").renewed(text(page)) == text(page), "run `python scripts/captures.py` (make captures)"


def test_a_changed_block_of_output_is_seen():
    shown = text("docs/verify.md")
    assert "δ = 0.05" in shown
    assert script("captures").renewed(shown.replace("δ = 0.05", "δ = 0.06", 1)) == shown


def test_no_output_stands_outside_a_captured_block():
    """Output that nobody makes again grows stale. (What begins with $ or juryrank is typed, not printed.)"""
    captured = re.compile(r"<!-- (\w+)[^>]*-->\n```text\n.*?```\n<!-- /\1 -->", re.S)
    loose = {}
    for page in ("README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))):
        if page != "docs/cli.md" and "example-" not in page:  # made as a whole; compared by tests/examples
            rest = captured.sub("", text(page))
            found = [body for body in re.findall(r"^```text\n(.*?)^```$", rest, re.M | re.S) if not typed(body)]
            loose |= {page: found} if found else {}
    assert loose == {}


def typed(body):
    return all(line.startswith(("$ ", "juryrank ", " ")) for line in body.splitlines() if line)


def test_captured_runs_fit_80_columns():
    for page in ("README.md", "docs/planning.md"):
        runs = re.findall(r"<!-- run: [^>]*-->\n```text\n(.*?)```", text(page), re.S)
        assert runs and all(5 < len(run.splitlines()) < 60 for run in runs)
        assert max(len(line) for run in runs for line in run.splitlines()) <= 80


@pytest.mark.pinned
def test_the_page_of_the_rest_interface_is_current():
    pytest.importorskip("fastapi")
    assert script("rest_docs").rest_page() == text("docs/rest.md"), "a route has changed: run `make captures`"


def test_every_page_is_in_the_sites_index():
    """Sphinx would warn; this says it sooner. A page may list pages of its own."""
    listed = [name for page in PAGES for name in re.findall(r"^[^|\n]* <([\w-]+)>$", text(page), re.M)]
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"} == set(listed)


def test_every_command_is_on_the_page():
    for command in COMMANDS:
        assert f"### juryrank {command}\n" in text("docs/cli.md")


def test_every_ranker_is_in_the_docs():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md"))
    for name in ranker_names():
        assert f"`{name}`" in pages


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "CONTRIBUTING.md"])
def test_links_inside_the_repository_lead_somewhere(page):
    folder = (ROOT / page).parent
    for target in re.findall(r"\]\((?!http|#)([^)#]+)", text(page)):
        assert (folder / target).exists(), f"{page} links to {target}, which is not there"


def test_the_citation_names_the_paper():
    title = "Adaptive Sampling for Heterogeneous Rank Aggregation from Noisy Pairwise Comparisons"
    assert title in text("CITATION.cff")


def test_the_tutorial_for_people_names_what_is_on_the_pages():
    pages = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src/juryrank/server/templates").glob("*.html")
    )
    words = " ".join(re.sub(r"[{}%_()\"']", " ", pages).split())
    named = re.findall(r"(?:\| |Press |presses )\*\*(.+?)\*\*", text("docs/tutorial-people.md"))
    assert len(named) >= 8
    assert [label for label in named if " ".join(re.sub(r"[()\"']", " ", label).split()) not in words] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("tutorial-*.md")), ids=lambda path: path.stem)
def test_a_tutorial_says_first_what_to_install(page):
    """Who comes from a search has nothing installed; `make package` types the page in an empty environment."""
    shown = page.read_text(encoding="utf-8")
    install = shown.index("git clone")
    assert shown.index("pip install './juryrank[") > install
    assert install < min(shown.find(word) for word in ("$ juryrank", "juryrank serve --lan\n") if word in shown)


def test_nobody_is_sent_to_an_index_that_does_not_have_it():
    """Before a release `pip install juryrank` finds nothing; an extra of an installed one is found."""
    for page in ("README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))):
        first = re.search(r"pip install (?!-)(.+)", text(page))
        assert first is None or first[1].startswith(("./juryrank", "'./juryrank", ".", "'.")) or page in ON_TOP


ON_TOP = ("docs/report.md", "docs/studies-reference.md")  # what these need beyond a juryrank that is there


def test_docstrings_flow_on_the_site_and_examples_stay_as_written():
    spec = importlib.util.spec_from_file_location("conf", ROOT / "docs" / "conf.py")
    conf = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conf)
    written = (
        "Rank *items*.\n\nitems    things\nseed     the same `seed`, the same\n         questions\n\n"
        "More words about\nit.\n\n>>> rank(1)\n2"
    )
    lines = written.split("\n")
    conf.as_written(None, "function", "rank", None, None, lines)
    assert lines == [
        r"Rank \*items\*.", "", "``items``", "    things", "", "``seed``",
        "    the same ``seed``, the same questions", "", "", "More words about", "it.", "",
        "::", "", "    >>> rank(1)", "    2", "",
    ]  # fmt: skip
