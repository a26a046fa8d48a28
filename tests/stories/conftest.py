"""The wheel in a clean environment, built once for all stories; a desk per story; one server for many."""

from __future__ import annotations

import sys
import sysconfig
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories.desk import Desk
from tests.stories.site import Site, started
from tests.stories.terminal import Terminal
from tests.wheel import run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/stories" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group("stories"))


@pytest.fixture(scope="session")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel, beside what it depends on."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home / "env", with_pip=False)
    programs = home / "env" / "bin"
    (site,) = (home / "env" / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"])  # their own .pth files stay out
    install = ["-m", "pip", "--python", str(programs / "python"), "install", "--quiet", "--no-index", "--no-deps"]
    done = run(sys.executable, *install, "--force-reinstall", str(wheel))
    assert done.returncode == 0, done.stdout + done.stderr
    return programs


@pytest.fixture
def desk(programs: Path, tmp_path: Path) -> Desk:
    return Desk(tmp_path, programs)


@pytest.fixture(scope="session", autouse=True)
def installed_in_the_terminal(programs: Path) -> None:
    Terminal.program = (str(programs / "juryrank"),)


@pytest.fixture(scope="session")
def site(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """`juryrank serve`, as its owner starts it."""
    with started(Desk(tmp_path_factory.mktemp("site"), programs)) as site:
        yield site
