"""The built wheel, installed into an empty environment outside the clone, ranks with numpy alone.

`make package` tries it with its real dependencies, from a clean environment.
"""

import re
import sys
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import numpy
import pytest

from tests.wheel import run

pytestmark = pytest.mark.xdist_group("stories")  # built once for both
ROOT = Path(__file__).parents[2]

RANKING = """
import sys, juryrank
from juryrank.judges import simulated
order = ["ada", "bea", "cyd", "dot"]
proven = juryrank.rank(order[::-1], simulated(order, [0.95, 0.8, 0.7], seed=1), fresh=True, seed=1)
assert list(proven.order) == order and proven.certified, proven
majority = juryrank.rank(order[::-1], {"x": min, "y": min, "z": max}, seed=1)
assert list(majority.order) == order, majority
assert proven.certificate()["result"]["order"] == order
print(juryrank.__version__, juryrank.__file__)
"""


@pytest.fixture(scope="module")
def empty(wheel, tmp_path_factory):
    """A new environment that holds the wheel and numpy, and nothing else."""
    folder = tmp_path_factory.mktemp("outside")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / "bin" / "python"
    install = ["-m", "pip", "--python", str(python), "install", "--quiet", "--no-index", "--no-deps", str(wheel)]
    installed = run(sys.executable, *install)
    assert installed.returncode == 0, installed.stderr
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    home = Path(numpy.__file__).parent
    for part in (home, home.with_name("numpy.libs")):
        if part.exists():
            (site / part.name).symlink_to(part)
    return folder, python


def test_the_wheel_needs_no_more_than_ranking_keeping_and_the_command_line(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        head = Parser().parsestr(archive.read(metadata).decode())
        assert "juryrank/py.typed" in archive.namelist()
        assert not any(name.startswith("tests/") for name in archive.namelist())
    needed = [line for line in head.get_all("Requires-Dist") if "extra ==" not in line]
    assert [line.split(">")[0] for line in needed] == ["numpy", "rich", "sqlalchemy", "typer"]
    assert {"fast", "study", "server", "report", "votes"} <= set(head.get_all("Provides-Extra"))


def test_its_page_leads_somewhere_outside_the_clone_too(wheel):
    """A package index shows the README alone: links and pictures are whole addresses, at this version's tag."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        head = Parser().parsestr(archive.read(metadata).decode())
    page, here = head.get_payload(), (ROOT / "README.md").read_text(encoding="utf-8")
    led = r"\]\(([^)]+)\)|\bsrc(?:set)?=\"([^\"]+)\""
    targets = [one or other for one, other in re.findall(led, page)]
    assert len(targets) == len(re.findall(led, here)) > 20
    at = f"v{head['Version']}/"
    for target in targets:
        file = re.fullmatch(rf"https://\S+/juryrank/(?:blob/)?{re.escape(at)}([^#]+)(#.*)?", target)
        assert target.startswith("https://") and (at not in target or (ROOT / file[1]).exists()), target
    assert re.sub(led, "", page) == re.sub(led, "", here)


def test_it_ranks_outside_the_clone(empty):
    folder, python = empty
    done = run(python, "-c", RANKING, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert str(folder) in done.stdout and str(ROOT) not in done.stdout


def test_a_feature_names_its_missing_extra(empty):
    folder, python = empty
    code = "import juryrank; juryrank.rank(['a', 'b'], {'x': min, 'y': min}, seed=1).to_frame()"
    done = run(python, "-c", code, cwd=folder)
    assert "MissingExtra" in done.stderr and "juryrank[votes]" in done.stderr
