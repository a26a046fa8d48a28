"""`juryrank demo`: the whole story at 80 columns."""

import json

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.cli.demo import JURY, WORLDS, compare
from juryrank.cli.demo_text import demo_text
from juryrank.cli.live import LiveProgress, plain_line
from juryrank.types import JudgeReport, Progress, Ranking


def result(certified=True):
    judges = tuple(JudgeReport(name, 900, 900, 800.0, 0.89, 0.8, 0.95, True, note="kept") for name in JURY)
    return Ranking(WORLDS, certified, 0.05, 700, "certified", judges=judges)


def test_forty_worlds_and_nine_unequal_judges():
    assert len(set(WORLDS)) == 40
    assert len(set(JURY.values())) == 9


def test_text_has_order_judges_verdict_and_saving_at_80_columns():
    text = demo_text(result(), exact=True, compared={"oracle": 90_000, "iir": 140_000}, accuracies=JURY)
    assert max(map(len, text.splitlines())) <= 80
    for words in ("1 Jupiter", "40 Mimas", "Ada", "kept", "in its true place", "140,000", "200 times"):
        assert words in text


def test_text_of_an_order_that_is_wrong_and_uncertified():
    text = demo_text(result(certified=False), exact=False, compared={}, accuracies=JURY)
    assert "Nothing is promised" in text and "out of place" in text


def test_yardsticks_are_played_in_the_same_world_and_repeat():
    found = compare(delta=0.25, seed=2)
    assert found == compare(delta=0.25, seed=2)
    assert set(found) == {"oracle", "ada-iir", "iir"}
    assert found["oracle"] < found["iir"]


def test_json_of_a_whole_run():
    done = CliRunner().invoke(build_app(), ["demo", "--json", "--seed", "2"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["exact"] is True and found["order"] == list(WORLDS)
    assert found["compared"]["iir"] > 50 * found["questions"]


def test_plain_lines_where_there_is_no_terminal(capsys):
    from juryrank.cli.common import console

    now = Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=900)
    with LiveProgress(console()) as show:
        show._due = 0.0
        show(now)
        show(now)
    assert capsys.readouterr().out.split("\n") == [plain_line(now), ""]


@pytest.mark.parametrize("expected", [None, 900.0])
def test_the_live_display_shows_all_that_is_asked_for(expected):
    from rich.console import Console

    from juryrank.cli.live import _display

    screen = Console(width=80, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    screen.print(_display(Progress(40, 12, 3, 39, 9, 8, 210, 1, expected=expected, phase="inserting")))
    text = screen.export_text()
    for words in ("12 of 40", "3 of 39", "8 of 9 still asked", "210", "inserting"):
        assert words in text
