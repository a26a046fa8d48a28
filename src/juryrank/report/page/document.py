"""A report as plain parts, written once and rendered as HTML or as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from juryrank.report.picture.scene import Scene
from juryrank.report.view import View

LONGEST_TABLE = 200  # of a table


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph. `tone`: plain, quote (the promise's exact words), good or warn."""

    text: str
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; columns named in `numbers` are aligned right. `more` says what was left out."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str] = frozenset()
    more: str = ""
    fold: str = ""  # in HTML shown on a click on these words


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart, drawn for a desk and for a phone; `says` is what it shows, in words, also for who cannot see it."""

    says: str
    wide: Scene
    narrow: Scene


@dataclass(frozen=True, slots=True)
class Picture:
    """The picture of the result."""

    view: View


@dataclass(frozen=True, slots=True)
class ShownItem:
    """What judges saw of an item: the beginning of its words, a small picture as a `data:` address."""

    words: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Gallery:
    """Items by name, each with what judges saw of it."""

    rows: tuple[tuple[str, ShownItem], ...]


Block: TypeAlias = Words | Grid | Chart | Picture | Gallery


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """`state` is the badge (certified, proven, partly settled, open, post-hoc); `facts` are the figures on top."""

    title: str
    headline: str
    subtitle: str
    state: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    foot: str = ""


def cut(grid: Grid, what: str) -> Grid:
    """A table cut to `LONGEST_TABLE`, with a note of how many were left out."""
    more = len(grid.rows) - LONGEST_TABLE
    if more <= 0:
        return grid
    return replace(
        grid, rows=grid.rows[:LONGEST_TABLE], more=f"and {more:,} more {what}: export the votes to see them"
    )
