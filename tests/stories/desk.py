"""Somebody's desk: a folder, and the installed `juryrank` typed in it."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 300  # a busy machine is slow to start a program
OURS = ("PYTHON", "JURYRANK", "CI", "COV")  # beginnings of names that a user's environment does not have


def plain_environment() -> dict[str, str]:
    """The environment of somebody who has never heard of our tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


@dataclass(frozen=True)
class Desk:
    """Where one user works."""

    folder: Path
    programs: Path

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def juryrank(self, *words: object, code: int = 0, typed: str = "") -> subprocess.CompletedProcess[str]:
        """One command, which must end with this exit code and never with a traceback."""
        done = self._run("juryrank", *words, typed=typed)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        return done

    def json(self, *words: object, code: int = 0) -> Any:
        return json.loads(self.juryrank(*words, "--json", code=code).stdout)

    def python(self, script: str) -> str:
        """What a script prints, which runs to its end."""
        done = self._run("python", "-c", script)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def _run(self, program: str, *words: object, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.programs / program), *map(str, words)], cwd=self.folder, env=plain_environment(),
            input=typed, capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
