"""Fixtures for all tests: a real PostgreSQL server (see postgres.py) and a real browser (see browsing.py)."""

import gc
import importlib.util
import os
import re
import shutil
import signal
import sys
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
import typer.main
from _pytest.doctest import DoctestModule

from juryrank.cli import build_app
from juryrank.simulation.sweep import Where
from tests.browsing import browser
from tests.postgres import postgres_server, postgres_url
from tests.wheel import wheel

__all__ = ["browser", "one_command_line", "postgres_server", "postgres_url", "wheel"]

MEMORY, ROOM = Path("/dev/shm"), 2 << 30  # where the tests' files are, if there is so much left
LONGEST_ID = 60  # characters of a parameter in a test's name; some parameters are whole files

if importlib.util.find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # httpcore looks for it several times per request
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # nothing waits for a disk
os.environ["CI"] = "true"  # `juryrank rank` keeps nothing, unless a test says otherwise
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as shells start what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests press Ctrl-C
gc.disable()  # until all tests are collected: nothing of that is ever garbage


def pytest_addoption(parser):
    """Where the promise suites play their runs, as in `juryrank reproduce`: `pytest -m slow --engine dask ...`."""
    ours = parser.getgroup("juryrank")
    ours.addoption("--workers", type=int, default=1, help="processes of a promise suite")
    ours.addoption("--engine", default="local", help="local, or dask: workers start in this folder")
    ours.addoption("--scheduler", help="address of the Dask scheduler")
    ours.addoption("--keep", type=Path, help="keep runs there, a folder per test: the same command goes on")


@pytest.fixture
def where(request):
    """Where a promise suite plays its runs."""
    told = request.config.getoption
    keep, name = told("--keep"), re.sub(r"\W+", "-", request.node.nodeid)
    return Where(told("--workers"), told("--engine"), told("--scheduler"), keep and keep / name)


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


@pytest.fixture(autouse=True)
def own_processes():
    """Processes that a sweep keeps for the next one would stand in this test's folder when it is gone."""
    yield
    kept = getattr(sys.modules.get("joblib.externals.loky.reusable_executor"), "_executor", None)
    if kept is not None:
        kept.shutdown(wait=True, kill_workers=True)


@pytest.fixture(scope="session", autouse=True)
def one_command_line():
    """The command line is put together once for all calls of a worker, as that takes a tenth of a second."""
    make, build = cache(typer.main.get_command), cache(build_app)

    def command(app):
        return make(build() if app.info.name == "juryrank" else app)

    with (
        mock.patch("typer.testing._get_command", command),  # in tests that call an app
        mock.patch("juryrank.cli.build_app", build),  # in those that call `main`
        mock.patch("typer.main.get_command", make),
    ):
        yield
