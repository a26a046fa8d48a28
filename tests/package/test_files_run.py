"""Few files of the package run for what users do most: `scripts/files_run.py` counts them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST = {"a small rank": 48, "one answer on a page": 35}  # files of which a function is called; once 90 and 55


def test_few_files_run():
    pytest.importorskip("fastapi")
    counting = [sys.executable, str(ROOT / "scripts" / "files_run.py"), "--list"]
    done = subprocess.run(counting, capture_output=True, text=True, check=True)
    found = {what: int(files) for what, files in re.findall(r"^(.+): (\d+) files", done.stdout, re.M)}
    assert found.keys() == MOST.keys()
    assert all(found[what] <= MOST[what] for what in MOST), done.stdout
