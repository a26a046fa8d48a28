"""Recorded panels are replayed whatever the file holds: ties, gaps, several answers, sittings of any size."""

from __future__ import annotations

import sys

import pytest

from benchmarks import people_replay
from tests.quick import quick


@pytest.fixture
def votes(tmp_path):
    """Twelve people who prefer the earlier letter; some pairs were not asked, some tied, one asked twice."""
    rows = ["judge,left,right,winner"]
    for person in range(12):
        for pair in ("ab", "ac", "bc", "ad", "bd", "cd"):
            if (person, pair) != (3, "cd"):
                rows.append(f"p{person},{pair[0]},{pair[1]},{'tie' if (person, pair) == (4, 'ab') else pair[0]}")
    path = tmp_path / "votes.csv"
    path.write_text("\n".join([*rows, "p0,a,b,b"]) + "\n")
    return path


MORE = [["--sitting", "1"], [], ["--people", "30", "--robin"], ["--sitting", "50"]]


@pytest.mark.parametrize("more", quick(MORE))
def test_a_recorded_panel_is_replayed(votes, more, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["people_replay", str(votes), "--orders", "2", "--error", "0.2", *more])
    people_replay.main()
    said = capsys.readouterr().out
    assert "12 people, 4 items" in said and "as recorded" in said and "live, 2 orders" in said
    assert ("pairs in turn" in said) == ("--robin" in more)


def test_a_file_without_judges_is_refused_in_words(tmp_path, monkeypatch):
    path = tmp_path / "votes.csv"
    path.write_text("left,right,winner\na,b,a\n")
    monkeypatch.setattr(sys, "argv", ["people_replay", str(path)])
    with pytest.raises(SystemExit, match="who gave each answer"):
        people_replay.main()
