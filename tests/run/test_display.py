"""One display of progress for the library and the command line: bars, a rewritten line, or plain lines."""

import io

import pytest
from rich.console import Console

from juryrank.run.display import ProgressDisplay, _display, plain_line, showing
from juryrank.types import Progress

NOW = Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=900)
LATER = Progress(40, 13, 3, 39, 9, 8, 215, 1, expected=900)


def screen(*, terminal):
    return Console(file=io.StringIO(), force_terminal=terminal, width=80, highlight=False)


def test_plain_lines_now_and_then_and_always_the_last(monkeypatch):
    console = screen(terminal=False)
    with ProgressDisplay(console) as show:
        show._due = 0.0
        show(NOW)
        show(NOW)
        show(LATER)
        assert console.file.getvalue() == plain_line(NOW) + "\n"
    assert console.file.getvalue().splitlines() == [plain_line(NOW), plain_line(LATER)]


def test_a_terminal_gets_bars_that_go_away_if_they_should():
    left = []
    for transient in (False, True):
        console = screen(terminal=True)
        with ProgressDisplay(console, transient=transient) as show:
            show(NOW)
            show._live.refresh()
        assert "12 of 40" in console.file.getvalue()
        left.append(console.file.getvalue().endswith("\x1b[1A\x1b[2K"))
    assert left == [False, True]


@pytest.mark.parametrize("expected", [None, 900.0])
def test_the_bars_show_all_that_is_asked_for(expected):
    console = Console(width=80, record=True, file=io.StringIO())
    console.print(_display(Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=expected, phase="inserting")))
    text = console.export_text()
    for words in ("12 of 40", "3 of 39", "8 of 9 still asked", "210", "inserting"):
        assert words in text


def test_ones_own_function_or_nothing(capsys):
    seen = []
    with showing(seen.append) as show:
        show(NOW)
    for nothing in (None, False):
        with showing(nothing) as show:
            assert show is None
    with ProgressDisplay(quiet=True) as show:
        show(NOW)
    assert seen == [NOW] and capsys.readouterr() == ("", "")
