"""`juryrank rank FILE` starts a ranking or goes on with it; no answer that has arrived is asked for again."""

import contextlib
import io
import json
import os
import pathlib
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from unittest import mock

import pytest

from juryrank.study import open_study
from tests.commands import juryrank
from tests.judges.models.endpoint import Endpoint

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
    # A program that outlives a killed parent reads nothing: that is no call.
    return [line for line in file.read_text().splitlines() if line] if file.exists() else []


JUDGES = ["--judge", "ann=cmd:./judge.sh", "--judge", "bob=cmd:./judge.sh"]


def told(name):
    return [event for event in open_study(name).events() if event.kind == "told"]


def rank(*more, judges=JUDGES):
    """Every pair is asked, unless another goal is named: the two programs may go in circles."""
    every = ["--goal", "ranges"] if judges and not {"--goal", "--cases", "--about", "--fresh"} & set(more) else []
    return juryrank("rank", "things.txt", *judges, "--json", "--seed", "3", *every, *more)


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
        (lambda folder: program(folder, other="right"), "judges 'ann', 'bob' changed"),
        (lambda folder: ["--error", "0.1"], "error was 0.05 and is 0.1"),
        (lambda folder: ["--seed", "4"], "the seed was 3 and is 4"),
        (lambda folder: ["--goal", "best"], "goal was 'ranges' and is 'best'"),
        (lambda folder: ["--price", "ann=2", "--price", "bob=2"], "prices were not set and are {'ann': 2.0"),
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


def nobody_was_asked_twice(folder):
    """No judge about the same pair, on either side."""
    asked = [json.loads(call) for call in calls(folder)]
    keys = {
        (one["judge"], *sorted(map(json.dumps, (one["left"], one["right"]))), one.get("case")) for one in asked
    }
    return len(keys) == len(asked)


COUNTED = ["--ranker", "panel", "--set", "about=panel"]
ALPHABET = """left=${pair#*'"left": "'}; left=${left%%'"'*}; right=${pair#*'"right": "'}; right=${right%%'"'*}
if [ "$left" \\< "$right" ]; then echo left; else echo right; fi; exit"""


@pytest.mark.parametrize("more", [[], [*COUNTED, "--goal", "order"]], ids=["ranges", "order"])
def test_items_join_and_leave_fixed_judges_and_no_answer_is_asked_for_again(folder, more):
    """Whatever comes and goes: each judge is asked each pair once, and the result is that of these items alone."""
    program(folder, then=ALPHABET)
    for words in ("apple bean corn date", "apple bean corn date egg", "bean corn egg", "apple bean corn egg fig"):
        things(folder, words)
        went_on = json.loads(rank(*more, "--out", "c.json").stdout)
        assert went_on["proven"] and sorted(went_on["order"]) == words.split()
        assert juryrank("verify", "c.json").returncode == 0
        assert nobody_was_asked_twice(folder)
        called = len(calls(folder))
        alone = json.loads(rank(*more, "--no-keep").stdout)
        assert (went_on["order"], went_on["ranges"]) == (alone["order"], alone["ranges"])
        (folder / "calls.txt").write_text("".join(f"{call}\n" for call in calls(folder)[:called]))
    assert "Going on with 'things.txt (2)'" in rank(*more).stderr


def test_a_stop_in_between_forgets_no_old_answer(folder):
    rank(*COUNTED)
    things(folder, "apple bean corn egg")
    stopped = rank(*COUNTED, "--budget", "3")
    assert "item 'egg' came in; item 'date' went" in stopped.stderr.lower() and stopped.returncode == 3
    rank(*COUNTED)
    assert nobody_was_asked_twice(folder)


def test_content_under_the_same_name_is_another_item(folder):
    table = folder / "things.csv"
    table.write_text("id,text\nx,old\ny,same\nz,same too\n")
    juryrank("rank", "things.csv", *JUDGES)
    before = len(calls(folder))
    table.write_text("id,text\nx,new\ny,same\nz,same too\n")
    assert "Item 'x' changed" in juryrank("rank", "things.csv", *JUDGES).stderr
    new = calls(folder)[before:]
    assert len(new) == 4 and all('"text": "new"' in call for call in new)  # two judges, with y and with z


ON_CASES = ["--judge", "m=cmd:./judge.sh", "--cases", "cases.txt", "--seed", "1", "--json"]
GATE = [*ON_CASES, "--require", "new over old"]
BETTER = """#!/bin/sh
read pair
echo "$pair" >> calls.txt
case "$pair" in *'"left": "good'*'"right": "good'*) echo tie;; *'"left": "good'*) echo left;;
*'"right": "good'*) echo right;; *) echo tie;; esac
"""


def build(folder, *, new, old="bad", extra=()):
    """Outputs of a build, case by case."""
    rows = [("old", old), ("new", new), *extra]
    lines = [
        {"system": name, "case": f"q{k}", "output": f"{words} {name} {k}"}
        for name, words in rows
        for k in range(30)
    ]
    (folder / "out.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "cases.txt").write_text("".join(f"q{k}\n" for k in range(30)))
    (folder / "judge.sh").write_text(BETTER)


def test_yesterdays_answers_prove_nothing_about_todays_build(folder):
    """The gate passed a good build. The next one is worse, under the same name and in the same files."""
    build(folder, new="good", old="bad")
    assert juryrank("rank", "out.jsonl", *GATE).returncode == 0
    before = len(calls(folder))
    build(folder, new="bad", old="good")
    gate = juryrank("rank", "out.jsonl", *GATE)
    assert gate.returncode == 4 and not json.loads(gate.stdout)["proven"]
    assert len(calls(folder)) > before and "another ranking" in gate.stderr
    assert juryrank("rank", "out.jsonl", *GATE).returncode == 4  # nor the second time
    build(folder, new="good", old="bad")  # what was proven is proven again, about the old build
    assert juryrank("rank", "out.jsonl", *GATE).returncode == 0
    seeds = [next(open_study(name).events()).data["seed"] for name in ("out.jsonl", "out.jsonl (3)")]
    assert seeds[0] == 1 != seeds[1]  # from draws that nobody has seen


def test_a_system_joins_and_another_leaves_and_only_what_is_new_is_asked(folder):
    how = [*ON_CASES, "--goal", "best"]
    build(folder, new="good")
    juryrank("rank", "out.jsonl", *how)
    build(folder, new="good", extra=[("third", "bad")])
    joined = juryrank("rank", "out.jsonl", *how, "--out", "c.json")
    assert "item 'third' came in" in joined.stderr and json.loads(joined.stdout)["order"][0] == "new"
    assert joined.returncode == 0 and juryrank("verify", "c.json").returncode == 0
    lines = (folder / "out.jsonl").read_text().splitlines()
    (folder / "out.jsonl").write_text("".join(f"{line}\n" for line in lines if '"old"' not in line))
    left = juryrank("rank", "out.jsonl", *how, "--out", "c.json")
    assert left.returncode == 0 and sorted(json.loads(left.stdout)["order"]) == ["new", "third"]
    assert juryrank("verify", "c.json").returncode == 0
    assert len(calls(folder)) == len(set(calls(folder)))  # on cases the other side is another question


@pytest.mark.parametrize("words", ["apple bean corn", "apple bean corn fig"])
def test_other_rankers_say_so_and_name_the_way_out(folder, words):
    how = ["--fresh", "--budget", "40"]
    rank(*how)
    asked = len(calls(folder))
    things(folder, words)
    refused = rank(*how)
    assert refused.returncode == 2 and "--again" in refused.stderr and len(calls(folder)) == asked


def test_people_at_large_withdraw_an_item(folder):
    how = ["--ranker", "panel", "--set", "sitting=3"]
    rank(*how, "--budget", "4")
    things(folder, "apple bean corn egg")
    before = len(calls(folder))
    went_on = rank(*how, "--out", "c.json")
    assert "item 'date' went" in went_on.stderr
    assert (
        not any("date" in call for call in calls(folder)[before:]) and "egg" in json.loads(went_on.stdout)["order"]
    )
    assert "NOT TRUE" not in juryrank("verify", "c.json").stdout
    assert "Going on" in rank(*how).stderr


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
    assert rank().returncode == 5
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
    assert before
    rank("--concurrency", "2")
    whole = [event for event in open_study("things.txt").events() if event.kind == "told"]
    assert whole[: len(before)] == before
    assert 0 <= len(calls(folder)) - len(whole) <= 2  # those in flight may be asked again, and no others


def test_two_at_once_are_told_so(folder):
    from juryrank.storage import open_storage
    from juryrank.study.kept import alone

    with alone(open_storage("sqlite:///juryrank.db"), "things.txt"):
        refused = rank()
    assert refused.returncode == 2 and "another terminal" in refused.stderr and not calls(folder)


def no_database(file):
    file.write_text("somebody else's notes " * 200)


def somebody_elses(file):
    _with_tables(file, "CREATE TABLE notes (words)")


def before_one(file):
    _with_tables(
        file, "CREATE TABLE juryrank_version (version_num)", "INSERT INTO juryrank_version VALUES ('0004')"
    )


def _with_tables(file, *commands):
    with contextlib.closing(sqlite3.connect(file)) as made:
        for command in commands:
            made.execute(command)
        made.commit()


BAD = {
    pathlib.Path.mkdir: "cannot be opened",
    no_database: "not a SQLite database",
    somebody_elses: "belongs to another program",
    before_one: "before 1.0",
}


@pytest.mark.parametrize("made", BAD, ids=lambda made: made.__name__)
def test_a_database_that_cannot_be_used_says_what_why_and_the_way_out(folder, made):
    made(folder / "juryrank.db")
    refused = rank()
    assert refused.returncode == 2 and not calls(folder) and refused.stderr.count("\n") == 1
    assert all(words in refused.stderr for words in (BAD[made], "juryrank.db", "--storage", "--no-keep"))
    assert json.loads(rank("--no-keep").stdout)["proven"]


def test_a_database_that_can_only_be_read_says_so_before_anybody_is_asked(folder):
    rank()
    asked = len(calls(folder))
    things(folder, "apple bean corn date egg")
    refused = rank("--storage", "sqlite:///file:juryrank.db?mode=ro&uri=true")
    assert refused.returncode == 2 and "read-only" in refused.stderr and "--no-keep" in refused.stderr
    assert len(calls(folder)) == asked and json.loads(rank("--no-keep").stdout)["proven"]


def test_a_locked_database_says_so_before_anybody_is_asked(folder, monkeypatch):
    monkeypatch.setattr("juryrank.cli.keeping.LOCK_PATIENCE", 0.1)
    rank("--budget", "2")
    with contextlib.closing(sqlite3.connect("juryrank.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        asked = len(calls(folder))
        refused = rank()
        assert refused.returncode == 2 and "keeps it locked" in refused.stderr and "--no-keep" in refused.stderr
        assert len(calls(folder)) == asked and json.loads(rank("--no-keep").stdout)["proven"]


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
    how = ["--set", "about=panel", "--ranker", "panel"]
    small = rank(*how, "--budget", "2")
    assert small.returncode == 3 and len(calls(folder)) == 2 and "larger one" in small.stdout
    assert json.loads(rank(*how, "--budget", "99").stdout)["proven"]
    assert len(calls(folder)) == len(told("things.txt"))


def test_a_program_on_the_path_is_watched_and_a_link_is_the_same_file(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    on_path = ["--judge", "ann=cmd:judge.sh"]
    rank(judges=on_path)
    (folder / "link.txt").symlink_to(folder / "things.txt")
    assert "Going on with things.txt" in juryrank("rank", "link.txt", *on_path, "--goal", "ranges").stderr
    program(folder, other="right")
    assert rank(judges=on_path).returncode == 2


HELPED = """import json, sys
from kitchen.taste import better
pair = json.load(sys.stdin)
print(better(pair["left"], pair["right"]))
"""
IN_A_MODULE = """def judge(left, right):
    from kitchen.taste import better
    return left if better(left, right) == "left" else right
"""
TASTE = "from . import menu\ndef better(left, right): return 'left' if (left < right) == menu.{} else 'right'"


@pytest.mark.parametrize(
    "judge",
    [
        f"ann=cmd:{shlex.quote(sys.executable)} tool.py",
        f"ann=cmd:{shlex.quote(sys.executable)} -m tool",
        f"ann=cmd:sh -c {shlex.quote(f'{shlex.quote(sys.executable)} tool.py')}",
        "ann=python:tools:judge",
        "ann=python:kitchen.chef:judge",
    ],
)
@pytest.mark.parametrize("changed", ["kitchen/taste.py", "kitchen/menu.py", "kitchen/__init__.py"])
def test_a_judge_whose_helper_has_changed_is_another_judge(folder, judge, changed):
    """A script is run by an interpreter, and imports what stands beside it."""
    (folder / "kitchen").mkdir()
    for name, text in (("__init__", ""), ("taste", TASTE.format("FIRST")), ("menu", "FIRST = True\n")):
        (folder / "kitchen" / f"{name}.py").write_text(text)
    (folder / "tool.py").write_text(HELPED)
    for name in ("tools.py", "kitchen/chef.py"):
        (folder / name).write_text(IN_A_MODULE)
    begun = rank(judges=["--judge", judge])
    assert "is not seen" in " ".join(begun.stderr.split()) and "--again" in begun.stderr
    (folder / "unused.py").write_text("nobody imports this")
    assert "Going on" in rank(judges=["--judge", judge]).stderr
    with (folder / changed).open("a") as file:
        file.write("\n# from now on\n")
    refused = rank(judges=["--judge", judge])
    assert refused.returncode == 2 and "judge 'ann' changed" in refused.stderr


def test_a_file_that_an_option_names_belongs_to_the_program(folder):
    (folder / "taste.toml").write_text("sweet = 1")
    named = ["--judge", "ann=cmd:./judge.sh --taste=taste.toml"]
    rank(judges=named)
    (folder / "taste.toml").write_text("sweet = 2")
    assert "judge 'ann' changed" in rank(judges=named).stderr


PNG = b"\x89PNG\r\n\x1a\n"


@pytest.mark.parametrize("how", ["a folder", "a column", "lines", "outputs"])
def test_a_picture_of_the_same_name_is_another_item(folder, how):
    """Judges look at the file: what they said about the old picture is not about the new one."""
    (folder / "things").mkdir()
    for name in "abc":
        (folder / "things" / f"{name}.png").write_bytes(PNG + name.encode())
    paths = {name: f"things/{name}.png" for name in "abc"}
    more = ["--goal", "ranges"]
    if how == "a column":
        (folder / "t.csv").write_text("id,image\n" + "".join(f"{name},{path}\n" for name, path in paths.items()))
    elif how == "lines":
        (folder / "t.txt").write_text("\n".join(paths.values()))
    elif how == "outputs":
        rows = [{"system": s, "case": "q", "output": {"file": path}} for s, path in paths.items()]
        (folder / "t.jsonl").write_text("\n".join(map(json.dumps, rows)))
        more = []
    source = {"a folder": "things", "a column": "t.csv", "lines": "t.txt", "outputs": "t.jsonl"}[how]
    name = paths["b"] if how == "lines" else "b"

    def run():
        return juryrank("rank", source, "--judge", "ann=cmd:./judge.sh", "--json", *more)

    assert run().returncode in (0, 3)
    first = len(calls(folder))
    assert first and "Going on" in run().stderr and len(calls(folder)) == first
    (folder / "things" / "b.png").write_bytes(PNG + b"another")
    again = run()
    assert f"tem '{name}' changed" in again.stderr and again.returncode in (0, 3)
    asked = calls(folder)[first:]
    assert len(asked) == first * 2 / 3 and all("b.png" in pair for pair in asked)


def test_a_folder_of_pictures_is_the_same_from_everywhere(folder, monkeypatch):
    """What counts is what is in a file, not where it stands."""
    (folder / "inner" / "things").mkdir(parents=True)
    for name in "abc":
        (folder / "inner" / "things" / f"{name}.png").write_bytes(PNG + name.encode())
    judge = ["--judge", f"ann=cmd:{folder / 'judge.sh'}"]
    juryrank("rank", "inner/things", *judge, "--storage", "sqlite:///inner/juryrank.db")
    (folder / "inner").rename(folder / "moved")
    monkeypatch.chdir(folder / "moved")
    assert "Going on with things" in juryrank("rank", "things", *judge).stderr


PROMPT = 'reason = false\nask = "{}"\n[[judge]]\nname = "m"\napi = "openai"\nmodel = "m"\nurl = "{}"\n'


def test_models_are_kept_too_and_another_prompt_is_another_judge(folder, monkeypatch):
    """Without the cache as well: what was answered is in the study."""
    pytest.importorskip("httpx")
    monkeypatch.setenv("JURYRANK_CACHE", str(folder / "cache"))
    by_models = ["--judges", "judges.toml", "--no-cache"]
    with Endpoint(verdict=lambda first, second: "first" if first < second else "second") as endpoint:
        (folder / "judges.toml").write_text(PROMPT.format("taste", endpoint.url))
        first, asked = rank(judges=by_models), len(endpoint.seen)
        second = rank(judges=by_models)
        assert "Going on with things.txt" in second.stderr and len(endpoint.seen) == asked > 0
        for part in ("order", "statement", "proven", "questions"):
            assert json.loads(second.stdout)[part] == json.loads(first.stdout)[part]
        (folder / "judges.toml").write_text(PROMPT.format("size", endpoint.url))
        refused = rank(judges=by_models)
        assert refused.returncode == 2 and "judge 'm' changed" in refused.stderr and len(endpoint.seen) == asked
        rank("--again", judges=by_models)
        assert len(endpoint.seen) == 2 * asked


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


def test_a_kept_ranking_shares_its_error_and_says_so(folder):
    """For those who may join; without keeping, all of it is for the items there are."""
    how = ["--ranker", "panel", "--error", "0.1"]
    shared = "The present items get 0.08 of δ = 0.1;"
    kept, alone = juryrank("rank", "things.txt", *JUDGES, *how), rank(*how, "--no-keep", "--out", "c.json")
    assert shared in kept.stdout and shared not in alone.stdout + alone.stderr
    assert open_study("things.txt").created["options"]["joining"] is True
    assert json.loads((folder / "c.json").read_text())["settings"]["options"]["joining"] is False
    refused = rank("--set", "joining=false")
    assert refused.returncode == 2 and "is not an option" in refused.stderr
