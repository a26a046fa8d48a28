"""Windows has no `resource`, `fcntl` or terminals as Unix knows them: everything is there without them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_UNIX = ["resource", "fcntl", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline", "curses", "crypt"]
HIDDEN = f"""
import sys
for name in {ONLY_UNIX!r}:
    sys.modules[name] = None
"""
EVERY_MODULE = (
    HIDDEN
    + """
import importlib, pkgutil, juryrank
names = [found.name for found in pkgutil.walk_packages(juryrank.__path__, "juryrank.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
)


def play(code, *words, folder=None):
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # compiling is not what is asked here
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=folder, env=env, check=False
    )


def test_every_module_can_be_imported():
    done = play(EVERY_MODULE)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 300  # all of them


def test_a_program_ranks(tmp_path):
    (tmp_path / "words.txt").write_text("pear\napple\n")
    words = ("rank", "words.txt", "--judge", "a=cmd:echo left", "--no-keep")
    done = play(HIDDEN + "from juryrank.cli import main\nmain()", *words, folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_sweep_is_written_and_resumed(tmp_path):
    code = """
from pathlib import Path
from juryrank.simulation.sweep import open_results
for _ in range(2):
    with open_results(Path("here"), {"seed": 1}, int) as results:
        print("cell" in results)
        results.add("cell", 1)
"""
    done = play(HIDDEN + code, folder=tmp_path)
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_connections_have_a_bound_where_files_have_none(monkeypatch):
    connections = pytest.importorskip("juryrank.server.web.connections")
    monkeypatch.setitem(sys.modules, "resource", None)
    connections.raise_file_limit()
    assert connections.most_connections() == connections.WANTED_FILES - connections.OTHER_FILES


def test_the_path_of_a_program_keeps_its_backslashes(monkeypatch):
    from juryrank.judges import command

    monkeypatch.setattr(command.os, "sep", "\\")
    monkeypatch.setattr(command.shutil, "which", lambda program: program)
    assert command.CommandJudge(r'C:\judges\ask.exe "a b" --fast').words == [r"C:\judges\ask.exe", "a b", "--fast"]


def test_the_stories_are_played_on_windows_and_macos():
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    job = workflow.partition("\n  stories:")[2]
    assert {"windows-latest", "macos-latest"} <= set(re.findall(r"\w+-latest", job.partition("\n\n")[0]))
    assert "tests/stories" in job
