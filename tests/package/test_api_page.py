"""docs/api.md holds every public name, and every public function shows how it is called."""

import importlib
import inspect
import re
from pathlib import Path

import pytest

import juryrank

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
WHOLE = re.findall(r"automodule:: (\S+)", PAGE)  # their __all__ is on the page
NAMED = set(re.findall(r"(?:auto\w+|py:data|py:function):: ([\w.]+)", PAGE))
PACKAGES = ("juryrank", "juryrank.judges", "juryrank.report", "juryrank.simulation", "juryrank.study",
            "juryrank.verify", "juryrank.votes")  # fmt: skip
ALIASES = {"juryrank.JuryrankError": "juryrank.errors"}


def public():
    """(package, name) of everything that is meant to be imported."""
    for package in PACKAGES:
        for name in importlib.import_module(package).__all__:
            if not name.startswith("_"):
                yield package, name


@pytest.mark.parametrize(("package", "name"), [*public()])
def test_it_is_on_the_page(package, name):
    full = f"{package}.{name}"
    assert full in NAMED or package in WHOLE or ALIASES.get(full) in WHOLE or f"juryrank.{name}" in NAMED


def shown_at_work():
    """Functions of all packages, and everything behind the front door."""
    for package, name in public():
        thing = getattr(importlib.import_module(package), name)
        if inspect.isfunction(thing) or (package == "juryrank" and inspect.isclass(thing)):
            yield pytest.param(thing, id=f"{package}.{name}")


@pytest.mark.parametrize("thing", [*shown_at_work()])
def test_its_docstring_has_an_example(thing):
    assert ">>>" in (inspect.getdoc(thing) or "")


def test_what_is_not_a_function_says_what_it_is():
    for package, name in public():
        thing = getattr(importlib.import_module(package), name)
        if inspect.isclass(thing):
            assert (inspect.getdoc(thing) or "").strip(), name


def test_the_front_door_is_named_by_its_short_names():
    assert {f"juryrank.{name}" for name in juryrank.__all__ if not name.startswith("_")} <= NAMED | set(ALIASES)
