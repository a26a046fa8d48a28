"""docs/deploy.md as far as a test can try it: files parse, and every option, variable and extra in it exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from juryrank.cli import build_app
from juryrank.server.running import check_proxy

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "deploy.md").read_text()
COMMANDS: Any = get_command(build_app()).commands  # type: ignore[arg-type,attr-defined]
KNOWN_VARIABLES = {
    "JURYRANK_STORAGE", "JURYRANK_KEY", "JURYRANK_PASSWORD", "JURYRANK_PASSWORD_FILE",
    "JURYRANK_DATABASE_PASSWORD", "JURYRANK_DATABASE_PASSWORD_FILE",
}  # fmt: skip
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.DOTALL)


def block(kind: str) -> str:
    return next(body for name, body in BLOCKS if name == kind)


def test_every_option_of_serve_exists() -> None:
    serve = COMMANDS["serve"]
    known = {option for parameter in serve.params for option in parameter.opts}
    commands = re.findall(r"juryrank serve((?:[^`\n]|\n +--)*)", TEXT)
    used = {option for command in commands for option in re.findall(r"--[a-z-]+", command)}
    assert len(used) >= 5 and used <= known, used - known


def test_every_variable_and_extra_exists() -> None:
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.py"))
    for variable in set(re.findall(r"JURYRANK_[A-Z_]+", TEXT)):
        assert variable in KNOWN_VARIABLES and variable.removesuffix("_FILE") in source, variable
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {extra for names in re.findall(r"juryrank\[([a-z,]+)\]", TEXT) for extra in names.split(",")}
    assert named and named <= set(extras)
    assert "import" in COMMANDS["study"].commands


def test_the_compose_file_hangs_together() -> None:
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load(block("yaml"))
    for name, service in compose["services"].items():
        assert set(service.get("secrets", ())) <= set(compose["secrets"]), name
        assert set(service.get("depends_on", ())) <= set(compose["services"]), name
        assert set(service["networks"]) <= set(compose["networks"]), name
        assert re.search(r":(\d+(-\w+)?|local)$", service["image"]), f"{name} names no release"
    for name, service in compose["services"].items():
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(compose["volumes"]), name
    jury = compose["services"]["jury"]
    kept = {volume.partition(":")[2] for volume in jury["volumes"]}
    assert str(Path(jury["environment"]["JURYRANK_KEY"]).parent) in kept  # a key that is lost with the container
    proxy = jury["command"][jury["command"].index("--proxy") + 1]
    check_proxy(proxy)
    assert proxy == compose["networks"]["proxy"]["ipam"]["config"][0]["subnet"]  # the proxy's own network
    assert "ports" not in jury and "database" not in " ".join(jury["command"])  # no way round the proxy, no secret
    assert set(re.findall(r"JURYRANK_[A-Z_]+", block("yaml"))) <= KNOWN_VARIABLES
    assert jury["command"][0] == "serve"
    options = {part for part in jury["command"] if part.startswith("--")}
    assert options <= {option for parameter in COMMANDS["serve"].params for option in parameter.opts}


def test_the_dockerfile_is_pinned_and_nobody_is_root() -> None:
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    steps = [line.split(maxsplit=1) for line in text.splitlines() if line and not line.startswith("#")]
    kinds = [kind for kind, _ in steps]
    base = next(rest for kind, rest in steps if kind == "ARG").removeprefix("PYTHON=")
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", base) and base in TEXT
    assert all(rest.split()[0] == "${PYTHON}" for kind, rest in steps if kind == "FROM")
    last = len(kinds) - kinds[::-1].index("USER") - 1
    assert steps[last][1] == "10001:10001" and "RUN" not in kinds[last:] and "COPY" not in kinds[last:]
    assert "HEALTHCHECK" in kinds and "-c constraints.txt" in text and "PASSWORD" not in text
    extras = re.findall(r"'\.\[([a-z,]+)\]'", text)[0].split(",")
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(extras) <= set(known)
    for path in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE):
        assert all((ROOT / name).exists() for name in path.split()), path


FLOORS = {  # the first versions without a published weakness that a stranger could use here
    "python-multipart": (0, 0, 22),  # CVE-2024-53981, CVE-2026-24486
    "starlette": (0, 49, 1),  # CVE-2025-54121, CVE-2025-62727
    "jinja2": (3, 1, 6),  # CVE-2025-27516
}


@pytest.mark.parametrize("name", FLOORS)
def test_dependencies_start_above_known_weaknesses(name: str) -> None:
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["server"]
    wanted = next(line for line in server if re.match(rf"{name}\b", line))
    pinned = re.search(rf"^{name}==(.*)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE | re.IGNORECASE)
    assert pinned is not None
    for version in (wanted.partition(">=")[2], pinned[1]):
        assert tuple(map(int, version.split("."))) >= FLOORS[name], (name, version)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not here")
    path = tmp_path / "juryrank.service"
    path.write_text(block("ini").replace("/opt/juryrank/bin/juryrank", "/bin/true"))
    return path


def analysed(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "LANG": "C"}
    return subprocess.run(
        ["systemd-analyze", *command], capture_output=True, text=True, env=environment, timeout=60
    )


def test_the_unit_is_one(unit: Path) -> None:
    said = analysed("verify", str(unit))
    assert "juryrank.service" not in said.stderr, said.stderr


def test_the_unit_is_locked_in(unit: Path) -> None:
    said = analysed("security", "--offline=yes", "--no-pager", str(unit)).stdout
    level = re.search(r"exposure level for juryrank.service: ([0-9.]+)", said)
    assert level is not None and float(level[1]) < 3, said[-300:]
