"""`juryrank study items`: what is ranked, and items that join."""

from __future__ import annotations

import json

import pytest

from juryrank.errors import BadInput, CannotJoin, StudyClosed, UnknownStudy
from juryrank.study import open_study
from tests.commands import juryrank

SMALLEST = "python:builtins:min"
JUDGES = ("--judge", f"ann={SMALLEST}", "--judge", f"bob={SMALLEST}")


def names(call, study="s"):
    return [row["item"] for row in call("items", study, "--json")]


def test_items_are_listed_one_a_line(study):
    assert study("items", "s") == "a\nb\nc\n"
    assert study("items", "s", "--json") == [{"item": item, "row": None} for item in "abc"]


def test_items_are_withdrawn_from_a_panel(call, tmp_path):
    (tmp_path / "items.txt").write_text("a\nb\nc\n")
    call("create", "p", "--items", tmp_path / "items.txt", "--judge", "ann", "--ranker", "panel")
    assert call("items", "p", "--withdraw", "b") == "a\nb (withdrawn)\nc\n"
    assert call("items", "p", "--json")[1] == {"item": "b", "row": None, "withdrawn": True}
    with pytest.raises(BadInput, match="fewer than two"):
        call("items", "p", "--withdraw", "a")


def test_items_join_a_ranking_that_was_done(study, tmp_path):
    assert study("run", "s", *JUDGES, "--json")["state"] == "done"
    (tmp_path / "more.txt").write_text("f\n\ne\n")
    assert study("items", "s", "--add", "d", "--add-file", tmp_path / "more.txt") == "a\nb\nc\nd\nf\ne\n"
    assert study("show", "s", "--json")["state"] == "running"
    again = study("run", "s", *JUDGES, "--json")
    assert again["ranking"]["order"] == list("abcdef") and again["ranking"]["proven"]


def test_rows_that_join_are_shown_to_programs(call, tmp_path, monkeypatch):
    (tmp_path / "rows.csv").write_text("id,size\nx,1\ny,2\n")
    (tmp_path / "more.json").write_text(json.dumps(["bare", {"id": "z", "size": "3"}]))
    (tmp_path / "big.py").write_text(
        "size = lambda row: int(row['size']) if isinstance(row, dict) else 0\ndef judge(a, b):\n"
        "    return a if size(a) > size(b) else b\n"
    )
    words = ("--judge", "m", "--ranker", "certified", "--fresh", "--error", "0.2")
    call("create", "s", "--items", tmp_path / "rows.csv", *words)
    rows = call("items", "s", "--add-file", tmp_path / "more.json", "--json")
    assert [row["row"] and row["row"]["size"] for row in rows] == ["1", "2", None, "3"]
    monkeypatch.syspath_prepend(str(tmp_path))
    report = call("run", "s", "--judge", "m=python:big:judge", "--json")
    assert report["ranking"]["order"] == ["z", "y", "x", "bare"]
    kinds = [event.kind for event in open_study("s", storage=call.url).events()]
    assert kinds[:3] == ["created", "items_added", "edited"]


def test_items_join_all_or_not_at_all(study, tmp_path):
    (tmp_path / "more.txt").write_text("e\na\n")
    (tmp_path / "empty.txt").write_text("\n")
    (tmp_path / "null.json").write_text('["d", null]')
    for words, said in (
        (("--add", "d", "--add", "a"), "'a' is already in study 's'; nothing was added"),
        (("--add", "d", "--add", "d"), "'d' is listed twice"),
        (("--add", "d", "--add", " "), "empty"),
        (("--add", "e", "--add-file", tmp_path / "more.txt"), "twice"),
        (("--add-file", tmp_path / "more.txt"), "already"),
        (("--add-file", tmp_path / "none.txt"), "cannot be read"),
        (("--add-file", tmp_path / "empty.txt"), "no items"),
        (("--add", "d", "--format", "csv"), "--add-file"),
        (("--add", " a "), "already"),
        (("--add-file", tmp_path / "null.json"), "item 2 of the JSON is null"),
    ):
        with pytest.raises(BadInput, match=said):
            study("items", "s", *words)
    assert names(study) == ["a", "b", "c"]
    assert open_study("s", storage=study.url).log.seq == 1


def test_a_closed_study_takes_no_items_and_says_how_to_go_on(study):
    study("close", "s")
    with pytest.raises(StudyClosed, match="juryrank study close s --reopen"):
        study("items", "s", "--add", "d")
    assert names(study) == ["a", "b", "c"]
    study("close", "s", "--reopen")
    study("items", "s", "--add", "d")
    assert names(study) == ["a", "b", "c", "d"]


def test_a_ranker_that_cannot_grow_refuses_rows_too(call, tmp_path):
    (tmp_path / "more.csv").write_text("id,size\nd,1\n")
    call("create", "s", "--judge", "ann", "--ranker", "iir")
    with pytest.raises(CannotJoin, match="certified"):
        call("items", "s", "--add-file", tmp_path / "more.csv")
    assert names(call) == ["a", "b", "c"] and open_study("s", storage=call.url).log.seq == 1


def test_misuse_ends_with_2_and_a_clean_standard_output(study, monkeypatch):
    with pytest.raises(UnknownStudy):
        study("items", "nothing", "--add", "d")
    monkeypatch.setenv("JURYRANK_STORAGE", study.url)
    wrong = juryrank("study", "items", "s", "--add", "a", "--json")
    assert wrong.returncode == 2 and "already in study 's'" in wrong.stderr and wrong.stdout == ""


def test_any_name_is_listed_on_one_short_line(study):
    study("items", "s", "--add", "two\nlines", "--add", "x" * 10_000, "--add", "red\x1b[31m", "--add", "名前")
    listed = study("items", "s").splitlines()
    assert len(listed) == 7 and all(len(line) < 100 and "\x1b" not in line for line in listed)
    assert names(study)[3] == "two\nlines"


SYSTEMS = {"old": ["one", "two"], "new": ["one!", "two!"]}


def rows(*names, **changed):
    outputs = {**SYSTEMS, "newer": ["one!!", "two!!"], **changed}
    return "".join(
        json.dumps({"system": name, "case": f"q{k}", "output": text}) + "\n"
        for name in names
        for k, text in enumerate(outputs[name])
    )


def a_folder(place, *names):
    for name in names:
        for k in range(2):
            (place / name).mkdir(parents=True, exist_ok=True)
            (place / name / f"q{k}.txt").write_text(f"{name} {k}")
    return place


@pytest.mark.parametrize(
    "given", ["folder", "folder of files", "file", "file with the old ones", "table in a folder"]
)
def test_one_system_joins_with_its_outputs(call, tmp_path, given):
    (tmp_path / "outputs.jsonl").write_text(rows("old", "new"))
    call("create", "eval", "--items", tmp_path / "outputs.jsonl", "--judge", "m", "--goal", "best")
    more = tmp_path / "more"
    if given == "folder":
        a_folder(more, "newer")
    elif given == "folder of files":
        more = a_folder(tmp_path, "newer") / "newer"
    elif given == "table in a folder":
        more.mkdir()
        (more / "newer.jsonl").write_text(rows("newer"))
    else:
        more = tmp_path / "more.jsonl"
        more.write_text(rows(*(["newer"] if given == "file" else ["old", "newer", "new"])))
    call("items", "eval", "--add-outputs", more)
    assert names(call, "eval") == ["old", "new", "newer"]


def test_a_changed_system_does_not_join_under_its_old_name(call, tmp_path):
    """The answers so far are about the old output."""
    (tmp_path / "outputs.jsonl").write_text(rows("old", "new"))
    (tmp_path / "changed.jsonl").write_text(rows("newer", "new", new=["one!", "better"]))
    (tmp_path / "known.jsonl").write_text(rows("old"))
    (tmp_path / "empty").mkdir()
    call("create", "eval", "--items", tmp_path / "outputs.jsonl", "--judge", "m", "--goal", "best")
    for file, said in (
        ("changed.jsonl", "another output for case 'q1'; nothing was added"),
        ("known.jsonl", "'old' is already in study 'eval'; nothing was added"),
        ("empty", "holds 0 systems, and 1 or more are needed"),
    ):
        with pytest.raises(BadInput, match=said):
            call("items", "eval", "--add-outputs", tmp_path / file)
    assert names(call, "eval") == ["old", "new"]
