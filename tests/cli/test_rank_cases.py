"""`juryrank rank` on cases, as somebody who evaluates systems would use it."""

import json

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import JuryrankError
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
    words = ("--judge", "j=python:case_judges:longer", "--objective", "order", "--resolution", "0.05")
    done = run(*words, "--out", "result.json")
    assert done.exit_code == 0, done.output
    assert "outputs: the order is proven at resolution 0.05" in done.output
    assert "calls of the whole evaluation" in done.output and "By group of cases" in done.output
    assert max(map(len, done.output.splitlines())) <= 80
    assert verify(json.loads((folder / "result.json").read_text())).proven


def test_a_gate_for_builds(folder):
    assert run("--judge", "j=python:case_judges:longer", "--require", "new over old").exit_code == 0
    assert run("--judge", "j=python:case_judges:longer", "--require", "old over new").exit_code == 3
    misread = run("--judge", "j=python:case_judges:longer", "--require", "old or new")
    assert isinstance(misread.exception, JuryrankError) and "new over old" in str(misread.exception)


def test_a_program_gets_the_case(folder):
    done = run("--judge", "p=cmd:./judge.sh", "--resolution", "0.1", "--json")
    result = json.loads(done.stdout)
    assert result["details"]["jury"]["refused"] == 0  # it saw the case every time


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "cases need judges"),
        (("--judge", "j=python:case_judges:longer", "--resolution", "0.9"), "from 0 to 0.25"),
        (("--judge", "j=python:case_judges:longer", "--ranker", "panel"), "knows no cases"),
        (("--judge", "j=python:case_judges:longer", "--missing", "guess"), "refuse, leave out"),
    ],
)
def test_misuse_is_told_in_words(folder, words, said):
    done = run(*words)
    assert isinstance(done.exception, JuryrankError) and said in str(done.exception)
