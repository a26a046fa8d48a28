"""Fixtures for all tests: a real PostgreSQL server (see postgres.py) and a real browser (see browsing.py)."""

from tests.browsing import browser
from tests.postgres import postgres_server, postgres_url

__all__ = ["browser", "postgres_server", "postgres_url"]
