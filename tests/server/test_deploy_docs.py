"""docs/deploy.md as far as a test can try it: files parse, and every option, variable and extra in it exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from juryrank.cli import build_app

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "deploy.md").read_text()
COMMANDS: Any = get_command(build_app()).commands  # type: ignore[arg-type,attr-defined]
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)


def block(kind: str) -> str:
    return next(body for name, body in BLOCKS if name == kind)


def test_every_option_of_serve_exists() -> None:
    serve = COMMANDS["serve"]
    known = {option for parameter in serve.params for option in parameter.opts}
    commands = re.findall(r"juryrank serve((?:[^`\n]|\n +--)*)", TEXT)
    used = {option for command in commands for option in re.findall(r"--[a-z-]+", command)}
    assert len(used) >= 6 and used <= known, used - known


def test_every_variable_and_extra_exists() -> None:
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    for variable in set(re.findall(r"JURYRANK_[A-Z]+", TEXT)):
        assert variable in source, variable
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {extra for names in re.findall(r"juryrank\[([a-z,]+)\]", TEXT) for extra in names.split(",")}
    assert named and named <= set(extras)
    assert "import" in COMMANDS["study"].commands


def test_the_compose_file_hangs_together() -> None:
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load(block("yaml"))
    for name, service in compose["services"].items():
        assert set(service["secrets"]) <= set(compose["secrets"]), name
        assert set(service.get("depends_on", ())) <= set(compose["services"]), name
    volume = compose["services"]["database"]["volumes"][0].partition(":")[0]
    assert volume in compose["volumes"]
    assert "@database/" in compose["services"]["jury"]["command"]


def test_the_unit_is_one(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    unit = block("ini").replace("/opt/juryrank/bin/juryrank", sys.executable)
    (tmp_path / "juryrank.service").write_text(unit)
    command = ["systemd-analyze", "verify", str(tmp_path / "juryrank.service")]
    said = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LANG": "C"}, timeout=60)
    assert "juryrank.service" not in said.stderr, said.stderr
