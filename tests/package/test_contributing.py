"""The ranker in CONTRIBUTING.md is complete: it passes the tests that every ranker must pass."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

EXAMINE = """
import sys, pytest
from juryrank.rankers import registry
registry.RANKERS["round-robin"] = "round_robin:RoundRobin"
quick = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
sys.exit(pytest.main([*quick, "tests/conformance", "-k", "round-robin"]))
"""


def example():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.S)
    return code


def test_the_example_ranker_passes_the_examination(tmp_path):
    (tmp_path / "round_robin.py").write_text(example())
    command = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{EXAMINE}"
    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 20


def test_the_example_is_typed_and_clean(tmp_path):
    path = tmp_path / "round_robin.py"
    path.write_text(example())
    ruff = [sys.executable, "-m", "ruff", "check", "--config", str(ROOT / "pyproject.toml"), str(path)]
    checked = subprocess.run(ruff, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    doctest = [sys.executable, "-m", "doctest", str(path)]
    tried = subprocess.run(doctest, capture_output=True, text=True)
    assert tried.returncode == 0, tried.stdout
