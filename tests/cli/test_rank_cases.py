"""`juryrank rank` on cases, as somebody who evaluates systems would use it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.cli.items import read_things
from juryrank.cli.person import ask_person
from juryrank.cli.person.plain import Plain
from juryrank.errors import JuryrankError
from juryrank.run.options import Wanted
from juryrank.run.rank import catalogue_of, open_session
from juryrank.study import open_study
from juryrank.types import Grade
from juryrank.verify import verify

JUDGE = """
def longer(left, right, case):
    assert case.startswith("Question")
    return max(left, right, key=len)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        {"system": name, "case": f"q{k}", "output": "word " * (size + k % 3)}
        for name, size in (("new", 9), ("mid", 6), ("old", 3))
        for k in range(30)
    ]
    (tmp_path / "outputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    cases = [{"id": f"q{k}", "input": f"Question {k}", "group": "ab"[k % 2]} for k in range(30)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))
    (tmp_path / "case_judges.py").write_text(JUDGE)
    script = tmp_path / "judge.sh"
    script.write_text('#!/bin/sh\ngrep -q \'"case": "Question\' && echo left || echo skip\n')
    script.chmod(0o755)
    return tmp_path


def run(*words):
    return CliRunner().invoke(build_app(), ["rank", "outputs.jsonl", "--cases", "cases.jsonl", *words])


def test_from_a_file_of_outputs_to_a_certificate(folder):
    words = ("--judge", "j=python:case_judges:longer", "--goal", "order", "--within", "0.05")
    done = run(*words, "--out", "result.json")
    assert done.exit_code == 0, done.output
    assert "outputs: each of these 3 gets at least 45 % against the next one, on" in done.output
    assert "calls of the whole evaluation" in done.output and "By group of cases" in done.output
    assert max(map(len, done.output.splitlines())) <= 80
    assert verify(json.loads((folder / "result.json").read_text())).proven


def test_a_gate_for_builds(folder):
    assert run("--judge", "j=python:case_judges:longer", "--require", "new over old").exit_code == 0
    assert run("--judge", "j=python:case_judges:longer", "--require", "old over new").exit_code == 4
    misread = run("--judge", "j=python:case_judges:longer", "--require", "old or new")
    assert isinstance(misread.exception, JuryrankError) and "new over old" in str(misread.exception)


def test_a_program_gets_the_case(folder):
    done = run("--judge", "p=cmd:./judge.sh", "--within", "0.1", "--json")
    result = json.loads(done.stdout)
    assert result["details"]["jury"]["refused"] == 0  # it saw the case every time


SHAKY = """
from pathlib import Path

def call():
    with Path("calls").open("a") as calls:
        calls.write("x")
    return len(Path("calls").read_text())

def shaky(left, right, case):  # every other call fails, and some fail for good
    if call() % 2 or len(left) % 4 == 0:
        raise OSError("busy")
    return max(left, right, key=len)

async def shaky_async(left, right, case):
    return shaky(left, right, case)
"""


@pytest.mark.parametrize("judge", ["shaky", "shaky_async"])
@pytest.mark.parametrize("money", [(), ("--money", "0.4")])
def test_every_call_of_a_program_costs_also_one_that_is_tried_again(folder, judge, money):
    (folder / "shaky_judges.py").write_text(SHAKY)
    words = ("--judge", f"s=python:shaky_judges:{judge}", "--price", "s=0.01", *money, "--seed", "1")
    done = run(*words, "--json", "--out", "result.json")
    calls, result = len((folder / "calls").read_text()), json.loads(done.stdout)
    assert result["cost"] == pytest.approx(calls / 100)
    assert calls > result["questions"]
    assert verify(json.loads((folder / "result.json").read_text())).true
    if money:
        assert calls == 40 and any("The money is spent" in word for word in result["warnings"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", "j=python:case_judges:longer", "--within", "0.9"), "from 0 to 0.25"),
        (("--judge", "j=python:case_judges:longer", "--ranker", "panel"), "knows no cases"),
        (("--judge", "j=python:case_judges:longer", "--missing", "guess"), "refuse, leave out"),
    ],
)
def test_misuse_is_told_in_words(folder, words, said):
    done = run(*words)
    assert isinstance(done.exception, JuryrankError) and said in str(done.exception)


def test_a_gate_without_a_resolution_lets_nothing_worse_pass(folder):
    lines = [{"system": s, "case": f"q{k}", "output": f"{s} {k}"} for k in range(100) for s in ("new", "old")]
    (folder / "close.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "close_judge.py").write_text(
        "def judge(left, right, case):\n"
        "    return next(one for one in (left, right) if one.startswith('new') == (int(one.split()[1]) < 43))\n"
    )
    words = (
        "rank",
        str(folder / "close.jsonl"),
        "--judge",
        "j=python:close_judge:judge",
        "--seed",
        "1",
        "--require",
    )
    failed = CliRunner().invoke(build_app(), [*words, "new over old"])
    assert failed.exit_code == 4 and "new gets less than 50 % against old" in failed.stdout
    assert CliRunner().invoke(build_app(), [*words, "old over new"]).exit_code == 0
    coarse = CliRunner().invoke(build_app(), [*words, "new over old", "--within", "falling"])
    assert coarse.exit_code == 0 and "new gets at least 40 % against old" in coarse.stdout
    assert "Counted: new is not at least as good as old at resolution 0.05. Counted: new" in " ".join(
        coarse.stdout.split()
    )


def test_a_place_that_cannot_be_written_is_told_before_anybody_is_asked(folder, monkeypatch):
    (folder / "results").mkdir()
    words = ("--judge", "j=python:case_judges:longer", "--within", "0.1", "--out")
    done = run(*words, "results")
    assert isinstance(done.exception, JuryrankError) and "it is a folder" in str(done.exception)
    monkeypatch.setattr(Path, "write_text", full)
    late = run(*words, "result.json")
    assert "The promise" in late.stdout and "the result itself is above" in str(late.exception)


def full(*words, **how):
    raise OSError(28, "No space left on device")


def test_what_python_alone_can_do_is_not_said_here(folder):
    (folder / "broken_judge.py").write_text("def judge(left, right, case):\n    raise OSError('down')\n")
    done = run("--judge", "j=python:broken_judge:judge")
    assert done.exit_code == 5 and "Fix the judges and rank again\n" in done.stderr and not done.stdout


def test_a_build_that_changed_nothing_passes_its_gate(folder):
    """All outputs are the same, so nobody needs to be asked: that is a proof, not a run without an answer."""
    rows = [{"system": name, "case": f"c{k}", "output": f"text {k}"} for name in ("old", "new") for k in range(4)]
    (folder / "outputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "cases.jsonl").write_text(
        "".join(json.dumps({"id": f"c{k}", "input": "?"}) + "\n" for k in range(4))
    )
    done = run("--judge", "j=python:case_judges:longer", "--require", "new over old")
    assert done.exit_code == 0 and "0 calls: 1 judge" in done.stdout, done.output


def test_a_gate_beside_a_ranking_has_a_name_of_its_own(folder, monkeypatch):
    """The commands of the README in their order."""
    monkeypatch.delenv("CI")
    judge = ("--judge", "j=python:case_judges:longer")
    assert run(*judge, "--goal", "best").exit_code == 0
    refused = str(run(*judge, "--require", "new over old").exception)
    assert "goal was 'best' and is 'new over old'" in refused and "--study NAME keeps both" in refused
    for _ in range(2):
        assert run(*judge, "--require", "new over old", "--study", "gate").exit_code == 0


def test_a_gate_in_a_build_does_not_wait_for_somebody_to_type(folder):
    done = run("--require", "new over old")
    assert isinstance(done.exception, JuryrankError) and "give --judge or --judges" in str(done.exception)


def test_you_are_shown_the_input_above_both_outputs(folder):
    typed = iter(["a", "1", "u", "2"])  # all of it; an answer, taken back behind a tie that nobody gave; another
    inputs = {"q0": "Why?", "q1": "How?", "q2": "Who?", "q3": "When?"}
    catalogue = catalogue_of({"new": OUTPUT_NEW, "old": OUTPUT_OLD}, inputs)
    session, _ = open_session(catalogue, ["you"], seed=12, wanted=Wanted(within=0.1), options={"sides": "single"})
    written = []
    assert not ask_person(session, catalogue, Plain(lambda: next(typed, "q"), written.append, width=80))
    text = "".join(written)
    assert "── Asked of both ──\n  Why?\n── 1 ──" in text and "more lines: a" in text
    assert "line 39" in text and max(map(len, text.splitlines())) <= 80
    assert "new" not in text and "old" not in text and "Taken back" in text
    told = [event.data for event in session.events if event.kind == "told"]
    assert [data.get("source") for data in told].count("identical outputs") == 1  # q2: nobody was asked
    first = [event.data["answer"] for event in session.events if event.data.get("q") == 1 and event.kind == "told"]
    assert first == ["left", "right"] and verify(session.certificate()).true


OUTPUT_NEW = {"q0": "\n".join(f"line {k}" for k in range(40)), "q1": "long " * 30, "q2": "same", "q3": "x"}
OUTPUT_OLD = {"q0": "short", "q1": "brief", "q2": "same", "q3": "y"}


def test_a_study_on_cases_from_files_to_a_certificate(folder, call):
    words = ("--items", folder / "outputs.jsonl", "--cases", folder / "cases.jsonl", "--within", "0.05")
    said = call("create", "s", *words, "--judge", "p", "--judge", "j")
    assert "3 systems, 30 cases, 2 judges" in said
    study = open_study("s", storage=call.url)
    study.tell(study.ask("p"), Grade(0.25))
    report = call("run", "s", "--judge", "p=cmd:./judge.sh", "--judge", "j=python:case_judges:longer", code=None)
    assert "calls of the whole evaluation" in report
    document = json.loads(call("certificate", "s"))
    assert verify(document).true
    assert next(e for e in document["events"] if e["kind"] == "told")["data"]["grade"] == 0.25
    call("export", "s", "--out", folder / "votes.csv")
    assert (folder / "votes.csv").read_text().splitlines()[1].count("q") >= 1


def test_people_judge_each_case_on_one_side(folder, call):
    words = ("--items", folder / "outputs.jsonl", "--cases", folder / "cases.jsonl")
    made = call("create", "s", *words, "--person", "Ann <ann@example.org>", "--json")
    assert made["options"]["sides"] == "single"


@pytest.mark.parametrize("name", ["outputs.csv", "outputs.json"])
def test_a_table_of_outputs_is_known_by_its_columns(tmp_path, name):
    """As with JSON Lines and Parquet, without --cases; a table whose rows are items stays a list of items."""
    rows = [{"ID": 1 + k, "System": "ab"[k % 2], "Case": f"q{k // 2}", "Output": str(k)} for k in range(4)]
    lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    text = "\n".join(lines) if name.endswith("csv") else json.dumps(rows)
    (tmp_path / name).write_text(text)
    assert read_things(str(tmp_path / name), on_cases=False, format=None) == tmp_path / name
    assert list(catalogue_of(tmp_path / name, None).names) == ["a", "b"]
    (tmp_path / name).write_text(text.replace("Output", "size").replace("ID", "id"))
    assert len(read_things(str(tmp_path / name), on_cases=False, format=None)) == 4
