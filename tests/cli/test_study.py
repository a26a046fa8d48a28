"""`juryrank study`: every subcommand on a real SQLite file, as a user would call it."""

from __future__ import annotations

import csv
import io
import json
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import (
    BadInput,
    StorageError,
    StudyExists,
    UnknownName,
    UnknownStudy,
)
from juryrank.study import open_study
from tests.commands import juryrank

SMALLEST = "python:builtins:min"


def test_a_few_named_judges_are_counted_and_told_so(call):
    """Three friends can never prove what most people would say; the majority of the three they can."""
    made = " ".join(call("create", "friends", "--judge", "ann", "--judge", "bob", "--judge", "cem").split())
    assert (
        "About exactly these judges: their majority" in made
        and "at least 9 judges" in made
        and "here are 3" in made
        and "If more will join: --about people." in made  # flags, at a terminal
    )
    for judge in ("ann", "bob", "cem"):
        call("run", "friends", "--judge", f"{judge}={SMALLEST}", code=None)
    assert call("show", "friends", "--json")["ranking"]["proven"]
    by_name = call("create", "people", "--judge", "ann", "--ranker", "panel")
    assert "Nothing can be proven yet" in by_name and "More may join" in by_name
    assert "exactly these" not in call("create", "open")


def test_create_says_what_was_made(call):
    made = call(
        "create", "s", "--judge", "ann", "--ranker", "iir", "--lease", "30", "--wording", "Better?", "--json"
    )
    assert made["items"] == ["a", "b", "c"] and made["lease"] == 30 and made["settings"] == {"wording": "Better?"}
    with pytest.raises(StudyExists):
        call("create", "s", "--judge", "ann", "--ranker", "iir")
    call("create", "s", "--judge", "ann", "--ranker", "iir", "--load-if-exists")
    assert [row["name"] for row in call("list", "--json")] == ["s"]


def test_of_people_no_order_is_asked_and_nothing_assumed(call):
    with pytest.raises(BadInput, match="for people use objective='ranges'"):
        call("create", "s", "--goal", "order", "--ranker", "panel")
    with pytest.raises(BadInput, match="has no option 'assume'"):
        call("create", "s", "--assume", "steady", "--ranker", "panel")


def test_people_get_pseudonyms(call):
    made = call("create", "s", "--person", "Ann Example <ann@example.org>", "--ranker", "iir", "--json")
    assert made["judges"][0].startswith("person-")
    row = call("judges", "s", "--json")[0]
    assert (row["name"], row["address"]) == ("Ann Example", "ann@example.org")
    call("judges", "s", "--erase", made["judges"][0])
    assert call("judges", "s", "--json")[0]["name"] is None
    with pytest.raises(BadInput, match="nothing to erase"):
        call("judges", "s", "--erase", made["judges"][0])


def test_bad_input_is_named(study):
    for words, error in [
        (("show", "nothing"), UnknownStudy),
        (("delete", "nothing", "--yes"), UnknownStudy),
        (("run", "s", "--judge", "ann=nonsense"), BadInput),
        (("run", "s", "--judge", f"eve={SMALLEST}"), UnknownName),
        (("judges", "s", "--discard-answers"), BadInput),
        (("delete", "s"), BadInput),
        (("show", "s", "--watch", "--history"), BadInput),
        (("show", "s", "--out", "participants.csv"), BadInput),
        (("head",), BadInput),
        (("head", "s", "--change-key", "--yes"), BadInput),
        (("head", "--change-key"), BadInput),
    ]:
        with pytest.raises(error):
            study(*words)


def test_a_storage_that_is_not_there_is_not_made(tmp_path):
    url = f"sqlite:///{tmp_path}/typo.db"
    for words in (["show", "s"], ["list"], ["run", "s", "--judge", f"a={SMALLEST}"]):
        result = CliRunner().invoke(build_app(), ["study", *words, "--storage", url])
        assert isinstance(result.exception, StorageError)
    assert not (tmp_path / "typo.db").exists()


def test_close_reopen_delete(study):
    study("close", "s")
    assert study("show", "s", "--json")["state"] == "closed"
    assert "open again" in study("close", "s", "--reopen")
    assert study("show", "s", "--json")["state"] == "running"
    assert [act["words"] for act in study("show", "s", "--history", "--json")][-2:] == [
        "closed the study",
        "reopened the study",
    ]
    assert max(map(len, study("show", "s", "--history").splitlines())) <= 80
    study("delete", "s", "--yes")
    assert study("list", "--json") == []


def test_a_run_says_in_words_why_it_ended(study):
    both = ("--judge", f"ann={SMALLEST}", "--judge", f"bob={SMALLEST}")
    assert "as --budget allows" in " ".join(study("run", "s", *both, "--budget", 1, code=3).split())
    study("create", "once", "--judge", "ann", "--judge", "bob", "--ranker", "certified")  # each asked a pair once
    said = " ".join(study("run", "once", "--judge", f"ann={SMALLEST}", code=3).split())
    assert "cannot be asked anything more now" in said


def test_status_shows_order_judges_and_counts(study):
    study("run", "s", "--judge", f"ann={SMALLEST}", "--judge", f"bob={SMALLEST}", "--budget", 5, code=3)
    text = study("show", "s")
    assert "running" in text and "ann" in text and "answers 5" in text
    seen = study("show", "s", "--json")
    assert seen["answers"] == 5 and seen["ranking"]["proven"] is False


def test_a_finished_study_can_be_watched_refolded_and_certified(study, tmp_path):
    judges = ("--judge", f"ann={SMALLEST}", "--judge", f"bob={SMALLEST}")
    report = study("run", "s", *judges, "--json")
    assert report["state"] == "done" and report["ranking"]["order"] == ["a", "b", "c"]
    assert "done" in study("show", "s", "--watch")
    again = study("show", "s", "--error", "0.3", "--json")
    assert again["post_hoc"] and not again["proven"]
    assert "Post-hoc: nothing is promised" in study("show", "s", "--ranker", "guess")
    assert "re-check" in study("certificate", "s", "--out", tmp_path / "c.json")
    assert len(json.loads((tmp_path / "c.json").read_text())["events"]) == report["answered"] * 2 + 1
    with pytest.raises(BadInput, match="cannot be written"):
        study("certificate", "s", "--out", tmp_path / "no" / "c.json")


def test_rows_of_a_csv_are_shown_to_programs(call, tmp_path):
    (tmp_path / "rows.csv").write_text("id,size\nx,1\ny,2\nz,3\n")
    (tmp_path / "largest.py").write_text("def judge(a, b):\n    return a if a['size'] > b['size'] else b\n")
    call(
        "create",
        "s",
        "--items",
        tmp_path / "rows.csv",
        "--judge",
        "m",
        "--ranker",
        "certified",
        "--fresh",
        "--error",
        "0.2",
    )
    sys.path.insert(0, str(tmp_path))
    try:
        report = call("run", "s", "--judge", "m=python:largest:judge", "--json")
    finally:
        sys.path.remove(str(tmp_path))
    assert report["ranking"]["order"] == ["z", "y", "x"]


def test_judges_are_paused_resumed_and_removed(study):
    rows = study("judges", "s", "--pause", "ann", "--json")
    assert [row["paused"] for row in rows] == [True, False]
    rows = study("judges", "s", "--resume", "ann", "--remove", "bob", "--discard-answers", "--json")
    assert [(row["paused"], row["removed"]) for row in rows] == [(False, False), (False, True)]
    assert study("show", "s", "--json")["post_hoc"]
    assert "removed" in study("judges", "s")


def test_the_storage_may_come_from_the_environment_and_misuse_exits_with_2(study, monkeypatch):
    monkeypatch.setenv("JURYRANK_STORAGE", study.url)
    listed = juryrank("study", "list")
    assert listed.returncode == 0 and listed.stdout.endswith("  s\n")
    wrong = juryrank("study", "show", "nothing")
    assert wrong.returncode == 2 and "no study 'nothing'" in wrong.stderr and wrong.stdout == ""


def test_ctrl_c_leaves_a_study_that_goes_on(study, tmp_path):
    slow = "import time\ndef judge(a, b):\n    time.sleep(0.05)\n    return min(a, b)\n"
    (tmp_path / "slow.py").write_text(slow)
    words = [sys.executable, "-m", "juryrank", "study", "run", "s", "--storage", study.url]
    words += ["--judge", "ann=python:slow:judge", "--judge", "bob=python:slow:judge"]
    program = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while study("show", "s", "--json")["answers"] < 5:
        time.sleep(0.1)
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=60)
    assert program.returncode == 130
    done = study("show", "s", "--json")["answers"]
    assert done >= 5
    report = study("run", "s", "--judge", f"ann={SMALLEST}", "--judge", f"bob={SMALLEST}", "--json")
    assert report["state"] == "done" and report["ranking"]["order"] == ["a", "b", "c"]


STRANGE = ("it's", 'say "hi"', "two\nlines", "x" * 10_000, "名前", "اسم", "नाम", "red\x1b[31m", "🍷; DROP TABLE x")


def test_any_name_is_shown_on_short_plain_lines(call):
    for name in STRANGE:
        made = call("create", name, "--judge", name, "--ranker", "iir")
        said = [made, call("show", name), call("show", name, "--history"), call("list"), call("judges", name)]
        for text in (*said, call("delete", name, "--yes")):
            assert "\x1b[31m" not in text and all(len(line) < 200 for line in text.split("\n"))
    assert call("list", "--json") == []


def test_a_password_is_never_printed(call, postgres_server):
    schema = postgres_server.url().partition("options=")[2]
    url = f"postgresql://juryrank:secret@/postgres?host={postgres_server.home}&options={schema}"
    for words in (("list",), ("create", "s", "--ranker", "iir", "--judge", "ann"), ("list",)):
        assert "secret" not in call(*words, "--storage", url)


def test_a_pseudonym_is_shown_whole(call):
    made = call("create", "s", "--person", "Bartholomew van der Something", "--ranker", "panel", "--json")
    assert made["judges"][0] in call("judges", "s") and made["judges"][0] in call("show", "s")


def test_a_storage_that_would_be_gone_is_refused(call):
    with pytest.raises(BadInput, match="gone when this command ends"):
        call("create", "s", "--storage", "memory://")


def test_judges_are_changed_all_or_not_at_all(study):
    for words in (
        ("--add", "cid", "--pause", "eve"),
        ("--add", "cid", "--add", "cid"),
        ("--add", "cid", "--add", "ann"),
        ("--pause", "ann", "--erase", "ann"),
    ):
        with pytest.raises(BadInput):
            study("judges", "s", *words)
    rows = study("judges", "s", "--json")
    assert [(row["report"]["name"], row["paused"]) for row in rows] == [("ann", False), ("bob", False)]


def test_heads_stated_before_are_listed(study, tmp_path):
    assert "none so far" in study("head", "s", "--history")
    (stated,) = (study("head", "s", "--json"), *study("head", "s", "--history", "--json"))[1:]
    assert stated["in_log"] and stated["seq"] == 1 and stated["signature"]
    with sqlite3.connect(tmp_path / "studies.db") as database:
        database.execute("UPDATE juryrank_notes SET value = replace(value, '\"seq\":1', '\"seq\":2')")
    database.close()
    text = study("head", "s", "--history", code=3)
    assert text.splitlines()[1].endswith("NO") and max(map(len, text.splitlines())) <= 80


def test_a_new_key_is_written_into_every_log(study):
    before = study("head", "s", "--json")["key"]
    made = study("head", "--change-key", "--yes", "--json")
    assert made["old_key"] == before != made["new_key"] == study("head", "s", "--json")["key"]
    assert made["studies"] == 1


def test_participants_as_a_table(call, tmp_path):
    (judge,) = call("create", "s", "--ranker", "panel", "--person", "=Ann <ann@example.org>", "--json")["judges"]
    kept = open_study("s", storage=call.url)
    kept.tell(kept.ask(judge), side="left")
    out = tmp_path / "participants.csv"
    call("show", "s", "--participants", "--out", out)
    (row,) = csv.DictReader(io.StringIO(out.read_text()))
    assert row["participant"] == judge and row["name"] == "'=Ann" and row["answered"] == row["left"] == "1"
    assert row["started_at"] and row["state"] == "started"
    assert call("show", "s", "--participants", "--json")[0]["left_share"] == 1.0
    assert call("show", "s", "--participants").startswith("participant,name,state,")
