"""llms.txt says what the README says, its commands are those that SKILL.md's test runs, and its links resolve."""

import importlib.util
import re
from pathlib import Path

from tests.package.test_skill import COMMANDS

ROOT = Path(__file__).parents[2]


def llms():
    spec = importlib.util.spec_from_file_location("conf", ROOT / "docs" / "conf.py")
    conf = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conf)
    return conf.llms_text(sorted(path.stem for path in (ROOT / "docs").glob("*.md")))


def test_it_says_what_the_readme_says():
    said = next(line for line in llms().splitlines() if line.startswith("> "))
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").replace("**", "").split())
    assert len(said) > 300 and said[2:] in readme


def test_its_commands_are_those_that_run():
    assert re.findall(r"^- `(.+)`$", llms(), re.M) == COMMANDS


def test_its_links_resolve_and_every_page_has_a_sentence():
    """The built site has each page's source in `_sources`, and SKILL.md beside llms.txt."""
    found = re.findall(r"\[[^\]]+\]\(([^)]+)\)(.*)$", llms(), re.M)
    pages = {target: says for target, says in found if target != "SKILL.md"}
    assert len(found) == len(pages) + 1 and len(pages) == len(list((ROOT / "docs").glob("*.md")))
    for target, says in pages.items():
        name = re.fullmatch(r"_sources/([\w-]+)\.md\.txt", target)[1]
        assert (ROOT / "docs" / f"{name}.md").exists() and len(says) > 30, target
