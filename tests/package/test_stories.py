"""CONTRIBUTING's table of stories is complete, and a story imports nothing of what it plays."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
STORIES = ROOT / "tests" / "stories"


def trees():
    return {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in STORIES.glob("*.py")}


def test_the_table_names_every_story():
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = page.split("<!-- stories -->")[1].split("<!-- /stories -->")[0]
    played = [
        f"{name}::{node.name}"
        for name, tree in trees().items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    assert sorted(re.findall(r"`(test_\w+\.py::\w+)`", table)) == sorted(played)
    assert len(played) >= 20


def test_no_story_imports_what_it_plays():
    nodes = [node for tree in trees().values() for node in ast.walk(tree)]
    modules = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    assert "subprocess" in modules and not [name for name in modules if name.split(".")[0] == "juryrank"]
