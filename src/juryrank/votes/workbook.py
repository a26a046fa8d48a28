"""The first sheet of a workbook (.xlsx): a ZIP file of XML, read with the standard library alone."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

from juryrank.errors import BadInput

BOOK = "xl/workbook.xml"
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
LARGEST = 1 << 30  # bytes of a part once unpacked: a small file may claim to hold more than fits


def is_workbook(members: list[str]) -> bool:
    """Does a ZIP file with these names hold a workbook?"""
    return BOOK in members


def sheet_rows(data: bytes) -> tuple[Iterator[tuple[int, list[str]]], tuple[str, ...]]:
    """The rows of the first sheet, each with its number, and which sheet that is."""
    try:
        book = zipfile.ZipFile(io.BytesIO(data))
        sheets = list(_part(book, BOOK).iter(f"{MAIN}sheet"))
        links = {link.get("Id"): link.get("Target", "") for link in _part(book, "xl/_rels/workbook.xml.rels")}
        where = posixpath.normpath(posixpath.join("/xl", links[sheets[0].get(LINK)])).lstrip("/")
        rows, texts = _part(book, where), _shared(book)
    except (KeyError, IndexError, ElementTree.ParseError, zipfile.BadZipFile, OSError) as problem:
        raise BadInput(
            f"this workbook cannot be read ({type(problem).__name__}: {problem}); save its sheet as CSV"
        ) from None
    names = [repr(sheet.get("name", "")) for sheet in sheets]
    rest = f" (not read: {', '.join(names[1:])})" if names[1:] else ""
    return _rows(rows, texts), (f"sheet: {names[0]}{rest}",)


def _part(book: zipfile.ZipFile, name: str) -> ElementTree.Element:
    if book.getinfo(name).file_size > LARGEST:
        raise BadInput(f"the workbook's {name} is larger than 1 GB once unpacked; save the sheet as CSV")
    return ElementTree.fromstring(book.read(name))


def _shared(book: zipfile.ZipFile) -> list[str]:
    """The texts that cells refer to by number."""
    name = "xl/sharedStrings.xml"
    return [_text(each) for each in _part(book, name)] if name in book.namelist() else []


def _text(element: ElementTree.Element) -> str:
    """All of its runs, without how they are pronounced."""
    spoken = {id(t) for aside in element.iter(f"{MAIN}rPh") for t in aside.iter(f"{MAIN}t")}
    return "".join(t.text or "" for t in element.iter(f"{MAIN}t") if id(t) not in spoken)


def _rows(sheet: ElementTree.Element, texts: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Rows as wide as the first one, which names the columns; cells that a row leaves out are empty."""
    wide = number = 0
    for row in sheet.iter(f"{MAIN}row"):
        number = int(row.get("r") or number + 1)
        cells: list[str] = []
        for cell in row.iter(f"{MAIN}c"):
            place = _column(cell.get("r")) if cell.get("r") else len(cells)
            cells += [""] * (place - len(cells)) + [_value(cell, texts)]
        wide = wide or len(cells)
        if cells:
            yield number, cells + [""] * (wide - len(cells))


def _column(name: str | None) -> int:
    """The place of a cell in its row: 0 for A1, 26 for AA7."""
    place = 0
    for letter in re.sub(r"\d+", "", name or "A"):
        place = 26 * place + ord(letter) - ord("A") + 1
    return place - 1


def _value(cell: ElementTree.Element, texts: list[str]) -> str:
    kind, value = cell.get("t", "n"), cell.findtext(f"{MAIN}v") or ""
    if kind == "inlineStr":
        return _text(cell)
    if kind == "s":
        return texts[int(value)]
    return "" if kind == "e" else value  # "#N/A" and its like are empty cells
