"""`juryrank rank FILE` starts a ranking or goes on with it; no answer that has arrived is asked for again."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from unittest import mock

import pytest

from juryrank.study import open_study
from tests.commands import juryrank

PROGRAM = """#!/bin/sh
read pair
echo "$pair" >> calls.txt
{then}
case "$pair" in *'"left": "a'*) echo left;; *'"right": "a'*) echo right;; *) echo {other};; esac
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    things(tmp_path, "apple bean corn date")
    program(tmp_path)
    return tmp_path


def things(folder, words):
    (folder / "things.txt").write_text("\n".join(words.split()))


def program(folder, *, then="", other="left"):
    file = folder / "judge.sh"
    file.write_text(PROGRAM.format(then=then, other=other))
    file.chmod(0o755)


def calls(folder):
    file = folder / "calls.txt"
    return file.read_text().splitlines() if file.exists() else []


JUDGES = ["--judge", "ann=cmd:./judge.sh", "--judge", "bob=cmd:./judge.sh"]


def told(name):
    return [event for event in open_study(name).events() if event.kind == "told"]


def rank(*more, judges=JUDGES):
    return juryrank("rank", "things.txt", *judges, "--json", "--seed", "3", *more)


def rank_by_hand(*more, typed):
    with mock.patch.object(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in typed))):
        return rank(*more, judges=[])


def test_the_second_time_nobody_is_asked_and_the_result_is_the_same(folder):
    first, asked = rank(), len(calls(folder))
    assert "Kept in juryrank.db as things.txt" in first.stderr
    again = rank()
    assert "Going on with things.txt" in again.stderr
    assert (json.loads(again.stdout), len(calls(folder))) == (json.loads(first.stdout), asked)
    assert (folder / "juryrank.db").stat().st_mode & 0o777 == 0o600
    assert rank("--again", "--out", "c.json").returncode == first.returncode
    assert len(calls(folder)) == 2 * asked
    assert juryrank("verify", "c.json").returncode == 0
    names = [row["name"] for row in json.loads(juryrank("study", "list", "--json").stdout)]
    assert names == ["things.txt", "things.txt (2)"]
    rank()
    assert len(calls(folder)) == 2 * asked  # goes on with the newest


def test_the_folder_moves_and_a_file_of_the_same_name_elsewhere_is_another(folder, monkeypatch):
    rank()
    asked = len(calls(folder))
    other = folder.parent / "moved here"
    folder.rename(other)
    monkeypatch.chdir(other)
    rank()
    assert len(calls(other)) == asked
    (other / "inner").mkdir()
    (other / "inner" / "things.txt").write_text("apple\nbean\n")
    made = juryrank("rank", "inner/things.txt", *JUDGES)
    assert "as inner/things.txt" in made.stderr and len(calls(other)) == asked + 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda folder: (folder / "things.txt").write_text("apple\nbean\ncorn\n"), "item 'date' went"),
        (
            lambda folder: (folder / "things.txt").write_text("apple\nbean\ncorn\ndate\negg\n"),
            "item 'egg' came in",
        ),
        (lambda folder: program(folder, other="right"), "judges 'ann', 'bob' changed"),
        (lambda folder: ["--delta", "0.1"], "error was 0.05 and is 0.1"),
        (lambda folder: ["--seed", "4"], "the seed was 3 and is 4"),
        (lambda folder: ["--objective", "best"], "objective was"),
    ],
)
def test_what_has_changed_is_another_ranking(folder, change, words):
    """Yesterday's answers prove nothing about today's build."""
    rank()
    asked = len(calls(folder))
    more = change(folder)
    more = more if isinstance(more, list) else []
    refused = rank(*more)
    assert refused.returncode == 2 and words in refused.stderr and "--again" in refused.stderr
    assert len(calls(folder)) == asked
    assert rank(*more, "--again").returncode in (0, 3)
    assert len(calls(folder)) > asked


def test_content_under_the_same_name_is_another_item(folder):
    table = folder / "things.csv"
    table.write_text("id,text\nx,old\ny,same\n")
    juryrank("rank", "things.csv", *JUDGES)
    table.write_text("id,text\nx,new\ny,same\n")
    refused = juryrank("rank", "things.csv", *JUDGES)
    assert refused.returncode == 2 and "item 'x' changed" in refused.stderr


@pytest.mark.parametrize("how", [["--no-keep"], [], ["-"]], ids=["no-keep", "CI", "standard input"])
def test_not_kept(folder, monkeypatch, how):
    if not how:
        monkeypatch.setenv("CI", "true")
    items = "-" if how == ["-"] else "things.txt"
    with mock.patch.object(sys, "stdin", (folder / "things.txt").open()):
        juryrank("rank", items, *JUDGES, *[word for word in how if word != "-"])
    assert not (folder / "juryrank.db").exists()


def test_a_person_stops_undoes_and_goes_on(folder):
    """Answers are typed by a script here, so the ranking is named."""
    first = rank_by_hand("--study", "mine", typed="11q")
    told = json.loads(first.stdout)["questions"]
    second = rank_by_hand("--study", "mine", typed="u2q")
    assert "2 answers so far" in second.stderr and json.loads(second.stdout)["questions"] == told
    last = json.loads(rank_by_hand("--study", "mine", typed="1" * 9).stdout)
    events = list(open_study("mine").events())
    assert [event.kind for event in events].count("retracted") == 1
    assert (
        last["proven"] and len({event.data["q"] for event in events if event.kind == "asked"}) == last["questions"]
    )


def test_a_program_that_failed_is_put_right(folder):
    """Nothing was answered, so there is nothing that could count for the wrong program."""
    program(folder, then="exit 1")
    assert rank().returncode == 3
    program(folder)
    assert json.loads(rank().stdout)["proven"]


def test_kill_9_loses_no_answer_and_asks_none_again(folder):
    program(folder, then="sleep 0.1")
    command = [
        sys.executable,
        "-m",
        "juryrank",
        "rank",
        "things.txt",
        *JUDGES,
        "--seed",
        "3",
        "--concurrency",
        "2",
    ]
    env = {key: value for key, value in os.environ.items() if key != "CI"}
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(calls(folder)) < 5 and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = [event for event in open_study("things.txt").events() if event.kind == "told"]
    asked = len(calls(folder))
    assert before and asked <= len(before) + 2  # those in flight are asked again
    rank("--concurrency", "2")
    whole = list(open_study("things.txt").events())
    assert whole[: len(before)] and len(calls(folder)) == asked + sum(e.kind == "told" for e in whole) - len(
        before
    )


def test_two_at_once_are_told_so(folder):
    from juryrank.storage import open_storage
    from juryrank.study.kept import alone

    with alone(open_storage("sqlite:///juryrank.db"), "things.txt"):
        refused = rank()
    assert refused.returncode == 2 and "another terminal" in refused.stderr and not calls(folder)


@pytest.mark.parametrize("what", ["not ours", "a folder"])
def test_a_database_that_cannot_be_used_names_the_way_out(folder, what):
    if what == "a folder":
        (folder / "juryrank.db").mkdir()
    else:
        (folder / "juryrank.db").write_text("somebody else's notes " * 200)
    refused = rank()
    assert refused.returncode == 2 and "--no-keep" in refused.stderr and not calls(folder)
    assert json.loads(rank("--no-keep").stdout)["proven"]


@pytest.mark.parametrize("named", [[], ["--study", "theirs"]])
def test_somebody_elses_study_is_not_touched(folder, named):
    """Not even one without answers."""
    name = named[-1] if named else "things.txt"
    juryrank("study", "create", name, "--items", "things.txt", "--judge", "zoe")
    before = list(open_study(name).events())
    refused = rank(*named)
    assert refused.returncode == 2 and "not made by" in refused.stderr and not calls(folder)
    assert list(open_study(name).events()) == before


def test_questions_that_failed_are_asked_again(folder):
    """The judge is put right without a change of its own files: a service that was down, say."""
    program(folder, then='[ -e up ] || case "$pair" in *date*) exit 1;; esac')
    first = rank()
    assert first.returncode == 3 and "the same command goes on" in first.stderr
    answered = len(told("things.txt"))
    (folder / "up").touch()
    called = len(calls(folder))
    last = rank()
    assert json.loads(last.stdout)["proven"] and len(told("things.txt")) > answered
    assert len(calls(folder)) - called == len(told("things.txt")) - answered
    assert "goes on" not in rank().stderr  # there is nothing more to ask


def test_a_larger_budget_goes_on(folder):
    how = ["--option", "about=panel", "--ranker", "panel"]
    small = rank(*how, "--budget", "2")
    assert small.returncode == 3 and len(calls(folder)) == 2 and "larger one" in small.stdout
    assert json.loads(rank(*how, "--budget", "99").stdout)["proven"]
    assert len(calls(folder)) == len(told("things.txt"))


def test_a_program_on_the_path_is_watched_and_a_link_is_the_same_file(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    on_path = ["--judge", "ann=cmd:judge.sh"]
    rank(judges=on_path)
    (folder / "link.txt").symlink_to(folder / "things.txt")
    assert "Going on with things.txt" in juryrank("rank", "link.txt", *on_path).stderr
    program(folder, other="right")
    assert rank(judges=on_path).returncode == 2


@pytest.mark.parametrize("more", [["--study", "named"], ["--again"]])
def test_models_are_not_kept_under_a_name(folder, more):
    """Asked again after a stop, a model's first draw of a pair would count as another one."""
    refused = rank(*more, judges=["--judge", "m=openai:small@http://127.0.0.1:9/v1"])
    assert refused.returncode == 2 and "cache" in refused.stderr and not (folder / "juryrank.db").exists()


def test_a_link_in_the_place_of_the_lock_is_not_followed(folder, monkeypatch):
    """Everybody may write to the folder of temporary files."""
    from juryrank.storage import open_storage
    from juryrank.study.kept import alone

    monkeypatch.setattr("tempfile.gettempdir", lambda: str(folder / "shared"))
    (folder / "shared").mkdir()
    place = open_storage("sqlite:///juryrank.db")
    with alone(place, "things.txt"):
        (lock,) = (folder / "shared").iterdir()
    precious = folder / "things.txt"
    lock.unlink()
    lock.symlink_to(precious)
    before = precious.read_text()
    assert rank().returncode == 2 and precious.read_text() == before and not calls(folder)
