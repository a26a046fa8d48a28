"""Fixtures for all tests: a real PostgreSQL server (see postgres.py) and a real browser (see browsing.py)."""

import gc
import importlib.util
import os
import sys
from functools import cache
from unittest import mock

import pytest
import typer.main
from _pytest.doctest import DoctestModule

from juryrank.cli import build_app
from tests.browsing import browser
from tests.postgres import postgres_server, postgres_url

__all__ = ["browser", "one_command_line", "postgres_server", "postgres_url"]

LONGEST_ID = 60  # characters of a parameter in a test's name; some parameters are whole files

if importlib.util.find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # httpcore looks for it several times per request
os.environ["CI"] = "true"  # `juryrank rank` keeps nothing, unless a test says otherwise
gc.disable()  # until all tests are collected: nothing of that is ever garbage


def pytest_collection_modifyitems(items):
    """One worker has the PostgreSQL server."""
    for item in items:
        uses = item.get_closest_marker("postgres") or "postgres_server" in getattr(item, "fixturenames", ())
        if uses and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("postgres"))


def pytest_collection_finish():
    """What was collected stays to the end: no later round of the garbage collector looks at it again."""
    gc.freeze()
    gc.enable()


def pytest_make_parametrize_id(val):
    """Names are sent between processes and written to the environment: not with a megabyte of text in them."""
    return f"{ascii(val[:LONGEST_ID])[1:-1]}..." if isinstance(val, str) and len(val) > LONGEST_ID else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Examples in docstrings are in the package: nothing looks for them in the tests as well."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


@pytest.fixture(scope="session", autouse=True)
def one_command_line():
    """The command line is put together once for all calls of a worker, as that takes a tenth of a second."""
    make = typer.main.get_command
    whole = cache(lambda: make(build_app()))

    def command(app):
        return whole() if app.info.name == "juryrank" else make(app)

    with mock.patch("typer.testing._get_command", command):
        yield
