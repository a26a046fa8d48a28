"""Builds the wheel and the source archive, and tries the wheel in an environment that holds nothing else.

python scripts/package.py            dist/ afterwards holds both
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import venv
from pathlib import Path

from captures import PROGRESS

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
QUIET = ["--quiet", "--disable-pip-version-check"]
HEAVY = ("numba", "pandas", "scipy", "fastapi", "matplotlib", "cryptography")


def run(*command: object, errors: bool = False, **more: object) -> str:
    """A command's output, with `errors` also what it says beside it; what went wrong is shown, and ends all."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JURYRANK"))}
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=clean, **more)  # type: ignore[call-overload]
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}exit code {done.returncode}")
    return f"{done.stdout}{done.stderr}" if errors else str(done.stdout)


def main() -> None:
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", DIST, ROOT)  # the wheel is built from the source archive
    run(sys.executable, "-m", "twine", "check", "--strict", *DIST.iterdir())
    whole(*DIST.glob("*.tar.gz"))
    (wheel,) = DIST.glob("*.whl")
    with tempfile.TemporaryDirectory() as folder:
        try_out(wheel, Path(folder))
    for file in sorted(DIST.iterdir()):
        print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.1f} MB, tried")


def whole(source: Path) -> None:
    """The source archive is the repository: whoever packages it for a distribution runs the tests from there."""
    with tarfile.open(source) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    if missing := set(run("git", "ls-files", cwd=ROOT).splitlines()) - held:
        sys.exit(f"{source.name} lacks {', '.join(sorted(missing)[:10])}")


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
    rank = [juryrank, "rank", "words.txt", *judges(folder), "--study", "words", "--out", "result.json"]
    assert "apple" in run(*rank, cwd=folder)
    assert "Going on with words" in run(*rank, errors=True, cwd=folder)
    assert "TRUE" in run(juryrank, "verify", "result.json", cwd=folder)
    follow_tutorials(python, wheel)
    follow_examples(python, wheel)
    serve(python, wheel, folder)


def follow_tutorials(python: Path, wheel: Path) -> None:
    """Each five-minute page with sessions: what it says to install, its files, then every command as it stands."""
    for page in sorted((ROOT / "docs").glob("tutorial-*.md")):
        text = page.read_text(encoding="utf-8")
        install(python, wheel, re.findall(r"^pip install (.+)$", text, re.M)[0])
        with tempfile.TemporaryDirectory() as folder:
            for name, body in re.findall(r"^```\w+ file=(\S+)\n(.*?)^```$", text, re.M | re.S):
                (Path(folder) / name).write_text(body, encoding="utf-8")
            for session in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
                for command, shown in re.findall(r"^\$ juryrank (.+)\n((?:(?!\$ ).*\n)*)", session, re.M):
                    said = run(python.with_name("juryrank"), *shlex.split(command), cwd=folder, errors=True)
                    if PROGRESS.sub("", said) != shown:
                        sys.exit(f"juryrank {command}: does not print what {page.name} shows")


def install(python: Path, wheel: Path, wishes: str) -> None:
    """What a page says after `pip install`, with the wheel in the place of the clone (`.` or `./juryrank`)."""
    named = [re.sub(r"^\.(/juryrank)?(?=\[|$)", str(wheel), wish) for wish in shlex.split(wishes)]
    run(python, "-m", "pip", "install", *QUIET, "-c", ROOT / "constraints.txt", *named)


def follow_examples(python: Path, wheel: Path) -> None:
    """Each example's page: what it says to install, then what it says to run, prints what it shows.

    The model example needs a model and is played by its own test.
    """
    for page in sorted((ROOT / "docs").glob("example-*.md")):
        text = page.read_text(encoding="utf-8")
        wishes = re.findall(r"^pip install (.+)$", text, re.M)[0]
        program = re.findall(r"^python (examples/\w+\.py)", text, re.M)[0]
        if "model" in page.stem:
            continue
        install(python, wheel, wishes)
        if run(python, ROOT / program) not in text:
            sys.exit(f"{program} does not print what {page.name} shows")


def serve(python: Path, wheel: Path, folder: Path) -> None:
    """`juryrank serve --demo` prints links, and a judge's link opens."""
    run(python, "-m", "pip", "install", *QUIET, "-c", ROOT / "constraints.txt", f"{wheel}[server]")
    command = [python.with_name("juryrank"), "serve", "--demo", "--port", "0"]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            assert server.stdout is not None
            links = (re.search(r"http://\S+/j/\S+", line) for line in server.stdout)
            link = next(found[0] for found in links if found)
            with urllib.request.urlopen(link, timeout=30) as reply:
                assert reply.status == 200, link
        finally:
            server.terminate()


def judges(folder: Path) -> list[str]:
    """Three functions that prefer the shorter word, as options of `juryrank rank`."""
    (folder / "shortest.py").write_text("def pick(left, right):\n    return min(left, right, key=len)\n")
    return [word for name in "abc" for word in ("--judge", f"{name}=python:shortest:pick")]


if __name__ == "__main__":
    main()
