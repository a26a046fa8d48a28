"""Fixtures for all tests: a real PostgreSQL server (see postgres.py)."""

from tests.postgres import postgres_server, postgres_url

__all__ = ["postgres_server", "postgres_url"]
