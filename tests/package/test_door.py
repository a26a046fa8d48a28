"""`import juryrank` is light, complete, and lazy."""

import json
import subprocess
import sys

from typer.main import get_command

import juryrank
from juryrank.cli import COMMANDS, build_app

LOOK = """
import json, sys
before = set(sys.modules)
import juryrank
door = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
juryrank.rank(["a", "b"], {"x": min, "y": min}, seed=1)
for name in juryrank.ranker_names():
    juryrank.make_ranker(name, ["a", "b"], judges=["x"])
used = sorted({name.partition(".")[0] for name in set(sys.modules) - before})
print(json.dumps({"door": door, "used": used}))
"""


def test_importing_needs_the_standard_library_and_ranking_numpy_only():
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    ours = {"juryrank", "numpy", "cython_runtime", *sys.stdlib_module_names}  # the last but one is numpy.random's
    assert set(found["door"]) <= ours - {"numpy"}
    assert {name for name in found["used"] if not name.startswith("_")} <= ours


def test_every_name_of_the_door_is_there():
    for name in juryrank.__all__:
        assert getattr(juryrank, name) is not None


def test_judges_are_found_after_importing_the_door_alone():
    code = "import juryrank; print(juryrank.judges.openai.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "openai"


def test_a_name_that_is_not_there():
    try:
        juryrank.no_such_name  # noqa: B018
    except AttributeError as problem:
        assert "no_such_name" in str(problem)


HELP = """
import sys
sys.argv = ["juryrank", *sys.argv[1:]]
from juryrank.cli import main
try:
    main()
except SystemExit:
    print(" ".join(sys.modules), file=sys.stderr)
"""


def loaded_by(*arguments):
    done = subprocess.run([sys.executable, "-c", HELP, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_imports_nothing_heavy():
    """Neither the heavy packages nor the modules of commands that were not called."""
    heavy = {"numpy", "numba", "pandas", "scipy", "fastapi", "sqlalchemy", "matplotlib"}
    found = loaded_by("--help")
    assert "juryrank.cli.first_page" in found and not found & {"typer", "rich", *heavy}
    assert not {name for name in found if name.startswith(("juryrank.rankers", "juryrank.cli.rank"))}
    assert not loaded_by("rank", "--help") & (heavy - {"numpy"})


ASKED = """
import io, sys
class Typed(io.StringIO):
    def readline(self):
        print(" ".join(sys.modules), file=sys.stderr)
        return "q\\n"
sys.stdin = Typed()
sys.argv = ["juryrank", "rank", *sys.argv[1:]]
from juryrank.cli import main
main()
"""
LATER = {
    "alembic", "fastapi", "httpx", "jinja2", "juryrank.rankers.jury.ranker", "juryrank.report.gate",
    "juryrank.server", "juryrank.simulation", "juryrank.verify", "juryrank.votes.fitting", "matplotlib", "numba",
    "pandas", "pyarrow", "rich.markdown", "scipy", "xml.etree.ElementTree",
}  # fmt: skip


def test_a_person_is_asked_before_anything_is_imported_that_others_need(tmp_path):
    (tmp_path / "things.txt").write_text("apple\nbean\n")
    words = ("things.txt", "--study", "x")
    done = subprocess.run([sys.executable, "-c", ASKED, *words], cwd=tmp_path, capture_output=True, text=True)
    (loaded,) = (set(line.split()) for line in done.stderr.splitlines() if " juryrank.cli.rank " in line)
    assert "juryrank.storage.sql" in loaded and not loaded & LATER


def test_the_lines_of_the_help_are_those_of_the_commands():
    """`--help` lists commands without importing them: their lines stand in a table, which must be true."""
    whole = get_command(build_app()).commands
    assert list(whole) and set(whole) == set(COMMANDS)
    for name, (_, line) in COMMANDS.items():
        assert " ".join((whole[name].help or "").split("\n\n")[0].split()) == line


def test_the_first_page_names_every_command_and_may_be_cut_short():
    page = subprocess.run([sys.executable, "-m", "juryrank", "--help"], capture_output=True, text=True, check=True)
    assert all(f"\n  {name} " in page.stdout for name in COMMANDS) and not page.stderr
    with subprocess.Popen(
        [sys.executable, "-m", "juryrank"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as cut:
        cut.stdout.close()
        assert cut.stderr.read() == ""
    assert cut.returncode == 2  # nothing was asked for


REPORT = """
import sys
before = set(sys.modules)
import juryrank
from juryrank.report import certificate_report
result = juryrank.rank(["a", "b", "c"], {"x": min, "y": min}, seed=1)
assert "<svg" in certificate_report(result.certificate(), title="Letters")
print(*sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""


def test_the_html_report_needs_jinja_and_nothing_else():
    done = subprocess.run([sys.executable, "-c", REPORT], capture_output=True, text=True, check=True)
    ours = {"juryrank", "numpy", "cython_runtime", "jinja2", "markupsafe", *sys.stdlib_module_names}
    assert {name for name in done.stdout.split() if not name.startswith("_")} <= ours
