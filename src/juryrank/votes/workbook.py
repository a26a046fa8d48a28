"""The first sheet of a workbook (.xlsx): a ZIP file of XML, read with the standard library alone."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar
from xml.etree import ElementTree

from juryrank.errors import BadInput
from juryrank.votes.containers import UNREADABLE, member, members_of

BOOK = "xl/workbook.xml"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
BAD = (KeyError, IndexError, ValueError, ElementTree.ParseError, *UNREADABLE)
MOST_ROWS, MOST_COLUMNS = 1 << 20, 1 << 14  # as many as a sheet can have
MOST_CELLS = 1 << 24  # with those that rows leave out
PLACE = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")

Read = TypeVar("Read")


def is_workbook(members: list[str]) -> bool:
    """Does a ZIP file with these names hold a workbook?"""
    return BOOK in members


def sheet_rows(data: bytes) -> tuple[Iterator[tuple[int, list[str]]], tuple[str, ...]]:
    """The rows of the first sheet, each with its number, and which sheet that is."""
    book, sheets, where, texts = _read(lambda: _opened(data))
    names = [repr(sheet.get("name", "")) for sheet in sheets]
    rest = f" (not read: {', '.join(names[1:])})" if names[1:] else ""
    return _rows(book, where, texts), (f"sheet: {names[0]}{rest}",)


def _read(what: Callable[[], Read]) -> Read:
    """What a part of the file gives, or one sentence."""
    try:
        return what()
    except BadInput:
        raise  # it is a sentence already
    except BAD as problem:
        raise BadInput(
            f"this workbook cannot be read ({type(problem).__name__}: {problem}); save its sheet as CSV"
        ) from None


def _opened(data: bytes) -> tuple[zipfile.ZipFile, list[ElementTree.Element], str, list[str]]:
    """The workbook, its sheets, the part of the first one, and the texts that cells refer to by number."""
    book = zipfile.ZipFile(io.BytesIO(data))
    known = members_of(book, data)
    sheets = list(ElementTree.fromstring(member(book, BOOK).read()).iter(f"{MAIN}sheet"))
    links = ElementTree.fromstring(member(book, "xl/_rels/workbook.xml.rels").read())
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    where = posixpath.normpath(posixpath.join("/xl", targets[sheets[0].get(LINK)])).lstrip("/")
    texts = "xl/sharedStrings.xml"
    found = [_text(each) for each in _each(book, texts, "si")] if texts in known else []
    return book, sheets, where, found


def _each(book: zipfile.ZipFile, name: str, tag: str) -> Iterator[ElementTree.Element]:
    """The elements of a part one by one: none stays in memory once the next one comes."""
    root = None
    for event, element in ElementTree.iterparse(member(book, name), events=("start", "end")):
        root = element if root is None else root
        if event == "end" and element.tag == f"{MAIN}{tag}":
            yield element
            element.clear()
            root.clear()


def _text(element: ElementTree.Element) -> str:
    """All of its runs, without how they are pronounced."""
    spoken = {id(t) for aside in element.iter(f"{MAIN}rPh") for t in aside.iter(f"{MAIN}t")}
    return "".join(t.text or "" for t in element.iter(f"{MAIN}t") if id(t) not in spoken)


def _rows(book: zipfile.ZipFile, where: str, texts: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Rows as wide as the first one, which names the columns; cells that a row leaves out are empty."""
    wide = number = made = 0
    each = _each(book, where, "row")
    while (row := _read(lambda: next(each, None))) is not None:
        number = _read(partial(_number, row, number + 1))
        cells = _read(partial(_cells, row, texts))
        wide = wide or len(cells)
        made += max(len(cells), wide)
        if made > MOST_CELLS:
            raise BadInput(f"this workbook has {made:,} cells up to row {number:,}; save its sheet as CSV")
        if cells:
            yield number, cells + [""] * (wide - len(cells))


def _number(row: ElementTree.Element, otherwise: int) -> int:
    number = int(row.get("r") or otherwise)
    if number > MOST_ROWS:
        raise ValueError(f"row {number:,} is beyond the last one that a sheet can have")
    return number


def _cells(row: ElementTree.Element, texts: list[str]) -> list[str]:
    cells: list[str] = []
    for cell in row.iter(f"{MAIN}c"):
        place = _column(str(cell.get("r"))) if cell.get("r") else len(cells)
        if place >= MOST_COLUMNS:
            raise ValueError(f"column {place + 1:,} is beyond the last one that a sheet can have")
        cells += [""] * (place - len(cells)) + [_value(cell, texts)]
    return cells


def _column(name: str) -> int:
    """The place of a cell in its row: 0 for A1, 26 for AA7."""
    found = PLACE.fullmatch(name)
    if found is None:
        raise ValueError(f"there is no cell {name[:20]!r}")
    place = 0
    for letter in found[1]:
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: ElementTree.Element, texts: list[str]) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{MAIN}v") or ""
    if kind == "inlineStr":
        return _text(cell)
    if kind == "s":
        return texts[int(value) if value.isdigit() else len(texts)]
    return "" if kind == "e" else value  # "#N/A" and its like are empty cells
