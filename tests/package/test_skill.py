"""SKILL.md teaches assistants: every command in it runs, in its order, in a folder with its files."""

import re
import shlex
from pathlib import Path

import pytest

from tests.commands import juryrank

PAGE = (Path(__file__).parents[2] / "SKILL.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", PAGE, re.M | re.S)
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines() if line
]


def test_every_command_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, body in FILES:
        (tmp_path / name).write_text(body, encoding="utf-8")
    assert len(COMMANDS) >= 8
    for command in COMMANDS:
        program, *words = shlex.split(command)
        done = juryrank(*words)
        assert program == "juryrank" and done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def test_it_says_when_to_use_it() -> None:
    head = PAGE.split("---")[1]
    assert re.search(r"^name: juryrank$", head, re.M) and 100 < len(head) < 1024
