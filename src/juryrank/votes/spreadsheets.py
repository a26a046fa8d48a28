"""Tables for spreadsheets: no cell is a formula, whatever a stranger wrote as a name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how a cell begins that spreadsheets take for a formula


def table_text(rows: Iterable[Mapping[str, Any]], *, otherwise: Iterable[str] = ()) -> str:
    """Rows as CSV, in which no cell can act as a formula; `otherwise`: the columns where there are no rows.

    >>> table_text([{"participant": "p1", "Age?": "=1+1"}])
    "participant,Age?\\r\\np1,'=1+1\\r\\n"
    """
    rows, table = list(rows), io.StringIO(newline="")
    columns = list(dict.fromkeys(key for row in rows for key in row)) or list(otherwise)
    writer = csv.writer(table)
    writer.writerow(map(plain_cell, columns))
    for row in rows:
        cells = (row.get(column) for column in columns)
        writer.writerow([plain_cell("" if one is None else str(one)) for one in cells])
    return table.getvalue()


def without_formulas(table: bytes) -> bytes:
    """A CSV file in which no cell is a formula: a spreadsheet would run what a stranger wrote as a name.

    >>> without_formulas(b"item,share\\r\\n=HYPERLINK(1),-0.5\\r\\n")
    b"item,share\\r\\n'=HYPERLINK(1),-0.5\\r\\n"
    """
    rows = csv.reader(io.StringIO(table.decode(), newline=""))
    safe = io.StringIO(newline="")
    csv.writer(safe).writerows([plain_cell(cell) for cell in row] for row in rows)
    return safe.getvalue().encode()


def plain_cell(text: str) -> str:
    """A cell's text that a spreadsheet shows and does not compute.

    >>> plain_cell("@sum"), plain_cell("-1.5"), plain_cell("a-b")
    ("'@sum", '-1.5', 'a-b')
    """
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
