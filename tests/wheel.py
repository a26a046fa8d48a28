"""The built wheel, once for all tests that install it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(python: object, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """A Python that knows nothing of where these tests run."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([str(python), *arguments], capture_output=True, text=True, env=clean, **options)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    built = run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT))
    assert built.returncode == 0, built.stdout + built.stderr
    (path,) = out.glob("juryrank-*.whl")
    return path
