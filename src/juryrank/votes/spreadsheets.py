"""Tables for spreadsheets: no cell is a formula, whatever a stranger wrote as a name."""

from __future__ import annotations

import csv
import io

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # how a cell begins that spreadsheets take for a formula


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
