#!/usr/bin/env -S uv run --script

# /// script
# dependencies = ["nox>=2024.4"]
# ///
"""The test suite on other versions of Python, and on the oldest dependencies that are allowed.

    nox -s tests-3.13        nox -s oldest        (make test-versions, make test-oldest)

`make test` is the everyday command; this is for what it cannot see from one environment.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2024.4"
nox.options.default_venv_backend = "venv"
NEEDED = ("test", "lint", "package", "examples")  # what the suite runs, linters included
QUICK = ("-q", "-n", "2", "--dist", "loadgroup")


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """The whole suite with the pinned dependencies."""
    session.install("--quiet", "-c", "constraints.txt", "-e", ".[all]", *groups(*NEEDED))
    session.run("pytest", *QUICK, *session.posargs)


@nox.session(python="3.11")
def oldest(session: nox.Session) -> None:
    """The suite, but for generated pages, with the lowest version of everything that pyproject.toml allows."""
    session.install("--quiet", "-e", ".[all]", *groups(*NEEDED), *lowest())
    session.run("pytest", *QUICK, "-m", "not slow and not pinned", *session.posargs)


def groups(*names: str) -> list[str]:
    """What these dependency groups ask for, for any version of pip."""
    found = tomllib.loads(Path("pyproject.toml").read_text())["dependency-groups"]
    return [wish for name in names for wish in found[name] if isinstance(wish, str)]


def lowest() -> list[str]:
    """`name==floor` for every dependency that users get."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    wishes = [*project["dependencies"], *(w for extra in project["optional-dependencies"].values() for w in extra)]
    floors = (
        re.fullmatch(r"([\w.-]+)(\[[\w,]+\])?>=([\w.]+)", wish) for wish in wishes if "juryrank[" not in wish
    )
    return sorted({f"{found[1]}{found[2] or ''}=={found[3]}" for found in floors if found})


if __name__ == "__main__":
    nox.main()
