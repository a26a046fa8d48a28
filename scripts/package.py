"""Builds the wheel and the source archive, and tries the wheel in an environment that holds nothing else.

python scripts/package.py            dist/ afterwards holds both
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
QUIET = ["--quiet", "--disable-pip-version-check"]
HEAVY = ("numba", "pandas", "scipy", "fastapi", "matplotlib", "sqlalchemy")


def run(*command: object, **more: object) -> str:
    """A command's output; what went wrong is shown, and ends everything."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JURYRANK"))}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=clean, **more)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    return str(done.stdout)


def main() -> None:
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)  # the wheel is built from the source archive
    run(sys.executable, "-m", "twine", "check", "--strict", *DIST.iterdir())
    (wheel,) = DIST.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        try_out(wheel, Path(folder))
    for file in sorted(DIST.iterdir()):
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.1f} MB, tried")


def try_out(wheel: Path, folder: Path) -> None:
    """The first minute of somebody who installed the wheel and nothing else."""
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", *QUIET, "-c", ROOT / "constraints.txt", wheel)
    installed = json.loads(run(python, "-m", "pip", "list", "--format", "json", "--disable-pip-version-check"))
    names = {row["name"].lower() for row in installed}
    if heavy := names.intersection(HEAVY):
        sys.exit(f"the base install brings {', '.join(sorted(heavy))}")
    juryrank = python.with_name("juryrank")
    assert "Start here" in run(juryrank, "--help", cwd=folder)
    assert "The order, best first" in run(juryrank, "demo", "--pace", "0", cwd=folder)
    (folder / "words.txt").write_text("pear\napple\nfig\n")
    rank = [juryrank, "rank", "words.txt", *judges(folder), "--out", "result.json"]
    assert "apple" in run(*rank, cwd=folder)
    assert "TRUE" in run(juryrank, "verify", "result.json", cwd=folder)


def judges(folder: Path) -> list[str]:
    """Three functions that prefer the shorter word, as options of `juryrank rank`."""
    (folder / "shortest.py").write_text("def pick(left, right):\n    return min(left, right, key=len)\n")
    return [word for name in "abc" for word in ("--judge", f"{name}=python:shortest:pick")]


if __name__ == "__main__":
    main()
