"""The docs site: `make docs` builds it into build/site, offline, with warnings as errors."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from juryrank import __version__

ROOT = Path(__file__).parents[1]
REPOSITORY = "https://github.com/juryrank/juryrank"
SITE = "https://juryrank.github.io/juryrank"

project = "juryrank"
author = "The juryrank maintainers"
project_copyright = f"2026, {author}"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_design", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["images/*.py"]
nitpicky = False
suppress_warnings: list[str] = []
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
autodoc_typehints = "description"
autodoc_member_order = "bysource"
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = "juryrank"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_favicon = html_logo = "_static/icon.svg"
html_show_sourcelink = False
html_domain_indices = False
templates_path = ["_templates"]
# A release is published in a folder of its own name, the newest at the root; the list is read in the browser.
html_context = {"versions": f"{SITE}/versions.json", "here": version}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
        "versions.html",
    ]
}
html_theme_options: dict[str, Any] = {
    "source_repository": f"{REPOSITORY}/",
    "source_branch": "main",
    "source_directory": "docs/",
}


def point_outside(app: Any, docname: str, source: list[str]) -> None:
    """Links to other files of the repository lead there; a link named by a page's file gets its title."""
    source[0] = re.sub(r"\[[\w-]+\.md\]\(([\w-]+\.md(?:#[\w-]+)?)\)", r"[](\1)", source[0])
    source[0] = re.sub(
        r"\]\(\.\./([^)#]+)((?:#[^)]*)?)\)",
        lambda found: f"]({REPOSITORY}/blob/main/{found[1]}{found[2]})",
        source[0],
    )


def write_llms(app: Any, problem: Exception | None) -> None:
    """llms.txt and SKILL.md, for programs that read documentation."""
    if not problem and app.builder.name == "html":
        (Path(app.outdir) / "llms.txt").write_text(llms_text(sorted(app.env.found_docs)), encoding="utf-8")
        shutil.copy(ROOT / "SKILL.md", app.outdir)


def llms_text(names: Iterable[str]) -> str:
    """What juryrank is (the README's words), the commands to begin with (SKILL.md's), and every page with its
    first sentence."""
    readme, skill = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "SKILL.md"))
    question, what = readme.split("\n\n")[1:3]
    commands = re.findall(r"^```sh\n(.*?)^```$", skill, re.M | re.S)
    lines = ["# juryrank", "", f"> {question.strip('*')} {' '.join(what.split())}", ""]
    lines += [
        "How to use it, with the files that the commands read: [SKILL.md](SKILL.md)",
        "",
        "## Commands",
        "",
    ]
    lines += [f"- `{line}`" for block in commands for line in block.splitlines() if line]
    lines += ["", "## Pages", ""]
    for name in names:
        text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
        if title := re.search(r"^# (.+)$", text, re.M):
            prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)  # a fenced block is not a sentence
            first = re.search(r"^(?![#>|!`<:\-*({\[])\w[^\n]*(?:\n[^\n]+)*", prose, re.M)
            says = " ".join(first[0].split()).split(". ")[0].rstrip(".") if first else ""
            lines.append(f"- [{title[1]}](_sources/{name}.md.txt): {says}")
    return "\n".join(lines) + "\n"


def copy_pictures(app: Any, problem: Exception | None) -> None:
    """Pictures that a page names in HTML of its own, because they differ in light and dark."""
    if not problem and app.builder.name == "html":
        shutil.copytree(
            Path(app.srcdir) / "images",
            Path(app.outdir) / "images",
            ignore=lambda folder, names: [name for name in names if not name.endswith(".svg")],
            dirs_exist_ok=True,
        )


def for_everybody(app: Any, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """What the theme leaves out: code that scrolls is reached by keyboard, captions say which level they are."""
    if body := context.get("body"):
        context["body"] = body.replace("<pre>", '<pre tabindex="0">')
    if tree := context.get("furo_navigation_tree"):
        context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


NAMED = {  # parts that have no name, which is how a screen reader tells them apart, and headers of nothing
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="content-icon-container">': '<div class="content-icon-container" role="navigation">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
    '<th class="head"><p></p></th>': "<td></td>",
}


def name_landmarks(app: Any, problem: Exception | None) -> None:
    """Every part of the finished pages has a name for those who hear them."""
    if problem or app.builder.name != "html":
        return
    for page in Path(app.outdir).glob("*.html"):
        text = page.read_text(encoding="utf-8")
        for plain, named in NAMED.items():
            text = text.replace(plain, named)
        page.write_text(text, encoding="utf-8")


COLUMNS = re.compile(r"(\w[\w.,/ ]*?)\s{2,}(\S.*)")  # a name and what it is, as docstrings list parameters


def as_written(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text: sentences and lists of names flow, examples and drawings stay as written."""
    blocks = [block.split("\n") for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))]
    lines[:] = [line for k, block in enumerate(blocks) for line in (*_as_rst(block, first=k == 0), "")]


def _as_rst(block: list[str], *, first: bool) -> list[str]:
    if first or ((block[0][:1].isalpha() or block[0].startswith("`")) and not any("  " in line for line in block)):
        return _escaped("\n".join(block)).split("\n")
    if COLUMNS.fullmatch(block[0]) and all(COLUMNS.fullmatch(row) or row.startswith("    ") for row in block):
        rows: list[list[str]] = []
        for row in block:
            if found := COLUMNS.fullmatch(row):
                rows.append([found[1], found[2]])
            else:
                rows[-1][1] += " " + row.strip()
        return [line for title, text in rows for line in (f"``{title}``", f"    {_escaped(text)}", "")]
    return ["::", "", *(f"    {line}" if line.strip() else "" for line in block)]


def _escaped(text: str) -> str:
    """Backticks mean code, as in Markdown; nothing else is markup."""
    words = text.split("`")  # every other one stands between backticks
    plain = [
        f"``{part}``" if k % 2 else re.sub(r"([|*\\]|(?<=\w)_(?!\w))", r"\\\1", part)
        for k, part in enumerate(words)
    ]
    return "".join(plain)


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", as_written)
    app.connect("source-read", point_outside)
    app.connect("build-finished", write_llms)
    app.connect("build-finished", copy_pictures)
    app.connect("build-finished", name_landmarks)
    app.connect("html-page-context", for_everybody, priority=900)  # after the theme's own
