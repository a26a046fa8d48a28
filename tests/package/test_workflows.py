"""The workflows cannot run here: what they call is called here too, and no file names a registry's address."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
REGISTRIES = ["pypi" + ".org", "python" + "hosted.org", "ghcr" + ".io", "docker" + ".io", "quay" + ".io",
              "anaconda" + ".org", "npm" + "js.com"]  # fmt: skip


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_target_is_one_of_the_makefile(path):
    called = re.findall(r"\bmake ([\w-]+)", path.read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([\w-]+):", MAKEFILE, re.M))
    assert set(called) <= targets


def test_the_checks_of_this_repository_are_all_called():
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    for step in (".ci/run", "make docs", "make package", "make coverage", "make test-oldest", "nox -s tests-"):
        assert step in text


def test_python_versions_are_those_of_the_package():
    classified = set(re.findall(r":: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    tests = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    nox = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    assert classified == set(re.findall(r'"(3\.\d+)"', tests)) == set(re.findall(r'"(3\.\d+)"', nox))


def test_no_file_names_a_registry():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is not a checkout")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file():
            content = path.read_bytes()
            found += [f"{name}: {host}" for host in REGISTRIES if host.encode() in content]
    assert found == []


def test_versions_of_the_site():
    spec = importlib.util.spec_from_file_location("site_versions", ROOT / "scripts" / "site_versions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.releases(["v0.9.0", "v0.10.0", "nightly"]) == ["0.10.0", "0.9.0"]
    names = module.listed(["0.1.0"], here="0.2.0", url="https://x.org")
    assert [entry["url"] for entry in names] == ["https://x.org/", "https://x.org/0.1.0/"]
