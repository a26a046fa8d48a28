"""What `make` does in a clone: it installs once and only what is needed, survives a move, looks at its own files.

A stand-in for Python makes the environment and writes down what pip is asked for; `.ci/run` plays the real ones.
"""

import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
OUTER_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
PYTHON = """#!/bin/sh
case "$*" in
  "-m venv "*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
  "-m pip install"*)
    echo "$*" >> pip-calls
    echo "Collecting numpy"
    [ ! -e no-network ] || { echo "ERROR: no index"; exit 1; } ;;
  "-c import sys"*) exit %d ;;
esac
"""


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "a clone"
    (folder / "scripts").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "constraints.txt", "scripts/environment"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "python").write_text(PYTHON % 0)
    (folder / "python").chmod(0o755)
    return folder


def make(folder, *target, **more):
    return subprocess.run(
        ["make", *target, "PYTHON=./python", *(f"{name}={value}" for name, value in more.items())],
        cwd=folder, capture_output=True, text=True,
        env={name: value for name, value in os.environ.items() if name not in OUTER_MAKE},
    )  # fmt: skip


def asked(folder):
    path = folder / "pip-calls"
    return [line.split("constraints.txt ")[1] for line in path.read_text().splitlines()] if path.exists() else []


def test_run_installs_little_once_and_says_so(clone):
    first = make(clone, "setup-run")
    assert first.returncode == 0 and "Installing into .venv" in first.stderr and "done" in first.stderr
    assert asked(clone) == ["-e .[report]"]
    assert make(clone, "setup-run").stderr == "" and len(asked(clone)) == 1
    make(clone, "setup-serve")
    make(clone, "setup")
    assert asked(clone)[1:] == ["-e .[server]", "pip>=25.1", "-e .[all] --group dev"]
    make(clone, "setup-run")
    make(clone, "setup-serve")
    assert len(asked(clone)) == 4  # everything holds the rest


def test_a_renamed_clone_is_set_up_again(clone):
    make(clone, "setup-run")
    moved = clone.rename(clone.parent / "renamed")
    again = make(moved, "setup-run")
    assert again.returncode == 0 and again.stdout.count("making it again") == 1
    assert len(asked(moved)) == 2
    assert "making it again" not in make(moved, "setup-run").stdout


def test_a_failed_install_says_why_and_is_tried_again(clone):
    (clone / "no-network").touch()
    failed = make(clone, "setup-run")
    assert failed.returncode != 0 and "ERROR: no index" in failed.stderr and "install.log" in failed.stderr
    (clone / "no-network").unlink()
    assert make(clone, "setup-run").returncode == 0 and len(asked(clone)) == 2


def test_an_old_python_is_named(clone):
    (clone / "python").write_text(PYTHON % 1)
    old = make(clone, "setup-run")
    assert old.returncode != 0 and "3.11 or newer" in old.stderr and not (clone / ".venv").exists()


def test_make_alone_lists_the_targets(clone):
    said = make(clone).stdout
    assert "make run " in said and "make test " in said and asked(clone) == []


def test_lint_looks_at_tracked_files_only(clone):
    """What `make run` and people leave in the folder is theirs."""
    (clone / "ours.py").write_text("ours = 1\n")
    for command in (["init", "-q"], ["add", "Makefile", "ours.py"]):
        subprocess.run(["git", *command], cwd=clone, check=True)
    (clone / "mine.html").write_text("t" + "eh report\n")
    (clone / "mine.py").write_text("import os, sys\n")
    bin_ = Path(sys.executable).parent
    lines = make(clone, "-n", "lint", BIN=f"'{bin_}'").stdout.splitlines()
    checks = [line for line in lines if "codespell" in line or "ruff check" in line]
    assert len(checks) == 2
    for check in checks:
        done = subprocess.run(["sh", "-c", check], cwd=clone, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
    subprocess.run(["git", "add", "mine.html", "mine.py"], cwd=clone, check=True)
    assert all(subprocess.run(["sh", "-c", check], cwd=clone, capture_output=True).returncode for check in checks)


def test_what_is_pinned_installs_on_the_oldest_python_we_name():
    """`>=3.11` holds the 3.11.2 of Debian 12: a pin that asks for 3.11.5 stops `make` there."""
    refused = []
    for line in (ROOT / "constraints.txt").read_text().split():
        name, version = line.split("==")
        try:
            metadata = distribution(name).metadata
        except PackageNotFoundError:
            continue  # of `make real-model`, or of another platform
        pinned = metadata["Version"] == version  # the oldest dependencies are tried without pins
        if pinned and "3.11.0" not in SpecifierSet(metadata["Requires-Python"] or ""):
            refused.append(f"{line} needs Python {metadata['Requires-Python']}")
    assert not refused
