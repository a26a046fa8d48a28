"""The phases of the certified ranker: one table, and one place that changes them."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from juryrank.rankers.certified.core import phases

PACKAGE = Path(phases.__file__).parents[2]


def drawn() -> list[tuple[str, list[str]]]:
    """The table as the module's own text has it."""
    width = phases.COUNT + 1
    rows = [re.findall(r"[A-Z_]{2,}|(?<= )-(?= |$)", line)[:width] for line in (phases.__doc__ or "").splitlines()]
    return [(row[0], row[1:]) for row in rows if len(row) == width and hasattr(phases, row[0])]


def test_the_drawn_table_is_the_one_that_is_used():
    table = drawn()
    assert [event for event, _ in table] == [
        name for name, _ in sorted(
            ((name, getattr(phases, name)) for name, _ in table), key=lambda pair: pair[1]
        )
    ]  # fmt: skip
    found = [phases.NEVER if cell == "-" else getattr(phases, cell) for _, row in table for cell in row]
    assert tuple(found) == phases.TRANSITIONS


def test_a_change_that_is_not_in_the_table_raises_and_changes_nothing():
    cursor = SimpleNamespace(phase=phases.INSERT)
    with pytest.raises(ValueError, match="no such change of phase"):
        phases.change_phase(cursor, phases.ALL_PROVEN)
    assert cursor.phase == phases.INSERT
    phases.change_phase(cursor, phases.ALL_PLACED)
    assert cursor.phase == phases.REPAIR


def test_no_other_file_assigns_the_phase():
    assigned = re.compile(r"(?:\bc|cursor)\.phase\s*=[^=]")
    places = [path.name for path in PACKAGE.rglob("*.py") if assigned.search(path.read_text())]
    assert places == ["phases.py"]
