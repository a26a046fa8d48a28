"""`juryrank demo`: the whole run at 80 columns."""

import json
import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.cli.demo import JURY, WORLDS, compare, demo_text, majority_wrong
from juryrank.types import JudgeReport, Ranking


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


def test_yardsticks_are_played_in_the_same_world_and_repeat(monkeypatch):
    monkeypatch.setattr("juryrank.cli.demo.WORLDS", WORLDS[:12])
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


def test_it_checks_its_own_certificate_and_says_what_to_type_next(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(build_app(), ["demo", "--out", "result.json", "--report", "report.html"])
    assert done.exit_code == 0 and "by independent code: true, and proven." in done.stdout
    assert "juryrank verify result.json" in done.stderr and "report.html" in done.stderr
    again = CliRunner().invoke(build_app(), ["verify", "result.json"])
    assert again.exit_code == 0 and (tmp_path / "report.html").stat().st_size > 10_000


def test_asking_everything_once_is_counted_and_not_straw():
    questions, wrong = majority_wrong(1)
    assert questions == 9 * 40 * 39 // 2 and 10 < wrong < 60  # nine such judges outvote the truth on 1 pair in 25
    text = demo_text(result(), exact=True, compared={"iir": 140_000}, accuracies=JURY, once=(questions, wrong))
    assert "7,020 questions and proves nothing" in text and max(map(len, text.splitlines())) <= 80


def test_what_it_says_to_type_next_works_where_nothing_is_activated(tmp_path, monkeypatch):
    """`make run` calls the program in `.venv/bin`, which is not on the reader's path."""
    program = Path(sys.executable).with_name("juryrank")
    path = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not (Path(p) / "juryrank").exists())
    out, plain = tmp_path / "result.json", {**os.environ, "PATH": path}
    here = {"cwd": program.parents[1], "env": plain, "capture_output": True, "text": True}
    said = subprocess.run([program, "demo", "--pace", "0", "--out", out], check=True, **here).stderr
    command = said[said.index("   (") + 4 : said.rindex(")\nYour own things: ")]
    assert subprocess.run(["sh", "-c", command], **here).returncode == 0, command
