"""The one path that must be quick, a turn at a log, on the driver's own connection.

Statements are written with SQLAlchemy like all others, compiled to text once, and sent without its per-call
work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.expression import ClauseElement


class HotStatement:
    """A statement as the driver takes it."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self._order: Sequence[str] | None = compiled.positiontup if compiled.positional else None

    def run(self, driver: Any, parameters: Mapping[str, Any]) -> Any:
        """Execute on the driver's connection; its cursor."""
        cursor = driver.cursor()
        cursor.execute(self.text, self._bound(parameters))
        return cursor

    def run_many(self, driver: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        """Execute for every row."""
        cursor = driver.cursor()
        for row in rows:
            cursor.execute(self.text, self._bound(row))

    def _bound(self, parameters: Mapping[str, Any]) -> Any:
        return parameters if self._order is None else [parameters[name] for name in self._order]


@contextmanager
def driver_of(connection: Connection) -> Iterator[Any]:
    """The driver's connection; its errors come out as SQLAlchemy's, and a broken one is not used again."""
    errors = connection.dialect.loaded_dbapi.Error
    driver: Any = connection.connection.driver_connection
    try:
        yield driver
    except errors as problem:
        lost = connection.dialect.is_disconnect(problem, driver, None) or _not_from_the_server(problem)
        if lost:
            connection.invalidate()
        raise DBAPIError.instance(
            "a turn", None, problem, errors, connection_invalidated=lost, dialect=connection.dialect
        ) from problem


def _not_from_the_server(problem: Exception) -> bool:
    """On PostgreSQL, an error from the server has a code; one from the driver alone means a broken connection."""
    return hasattr(problem, "sqlstate") and problem.sqlstate is None
