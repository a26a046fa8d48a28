"""docs/systems.md, followed to the letter: its lines of Python and its commands run as they are printed."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.verify import verify

PAGE = (Path(__file__).parents[2] / "docs" / "systems.md").read_text(encoding="utf-8")
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL) for line in block.strip().splitlines()
]
RUN = [line for line in COMMANDS if shlex.split(line)[1] in ("rank", "verify", "study")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of outputs per system, cases, and a program that judges: longer is better."""
    monkeypatch.chdir(tmp_path)
    for name, size in (("new", 8), ("mid", 5), ("old", 2)):
        (tmp_path / "outputs" / name).mkdir(parents=True)
        for k in range(40):
            (tmp_path / "outputs" / name / f"q{k}.txt").write_text("word " * (size + k % 2))
    rows = [{"id": f"q{k}", "input": f"Question {k}", "group": "ab"[k % 2]} for k in range(40)]
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "judge.sh").write_text(JUDGE)
    (tmp_path / "judge.sh").chmod(0o755)
    return tmp_path


JUDGE = """#!/bin/sh
read line
left=${line#*\\"left\\": \\"}; left=${left%%\\"*}
right=${line#*\\"right\\": \\"}; right=${right%%\\"*}
[ ${#left} -gt ${#right} ] && echo left || echo right
"""


def test_the_ten_lines_of_python(folder, capsys):
    assert len([line for line in PYTHON[0].splitlines() if line.strip()]) <= 10

    def my_model(case, left, right):
        assert case.startswith("Question")
        return "A" if len(left) > len(right) else "B"

    exec(compile(PYTHON[0], "docs/systems.md", "exec"), {"my_model": my_model})
    assert "against each other system, taken singly, new gets at least 45 %" in capsys.readouterr().out
    assert verify(json.loads((folder / "certificate.json").read_text())).proven


def test_the_commands(folder):
    assert len(RUN) >= 6
    for line in RUN:
        done = CliRunner().invoke(build_app(), shlex.split(line)[1:])
        assert done.exit_code == 0, (line, done.output, done.exception)
    assert verify(json.loads((folder / "certificate.json").read_text())).proven
