"""Fixtures for all tests: a real PostgreSQL server (see postgres.py) and a real browser (see browsing.py)."""

from functools import cache
from unittest import mock

import pytest
import typer.main

from juryrank.cli import build_app
from tests.browsing import browser
from tests.postgres import postgres_server, postgres_url

__all__ = ["browser", "one_command_line", "postgres_server", "postgres_url"]


@pytest.fixture(scope="session", autouse=True)
def one_command_line():
    """The command line is put together once for all calls of a worker, as that takes a tenth of a second."""
    make = typer.main.get_command
    whole = cache(lambda: make(build_app()))

    def command(app):
        return whole() if app.info.name == "juryrank" else make(app)

    with mock.patch("typer.testing._get_command", command):
        yield
