"""Called kernels are linked into their entry: each once, whoever calls it, and kept with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from juryrank.core.gears import compiled, kernel

pytest.importorskip("numba")


@kernel(inline=False)
def below(x: int) -> int:
    """Called from two kernels, one of which is itself apart."""
    if x > 100:
        raise ValueError("too large")
    return x + 1


@kernel(inline=False)
def between(x: int) -> int:
    """Calls another kernel that is apart."""
    return 2 * below(x)


@kernel
def copied(x: int) -> int:
    """Is copied into its caller, and calls what is apart."""
    return 10 * below(x) + between(x)


@kernel(inline=False, arrays=True)
def total(x: int) -> int:
    """Creates an array."""
    return np.arange(copied(x)).sum()


@kernel
def entry(x: int) -> int:
    """What Python calls."""
    return copied(x) + between(x) + total(x)


def test_linked_code_does_what_the_source_says() -> None:
    assert [compiled(entry)(x) for x in range(5)] == [entry(x) for x in range(5)]


def test_an_error_below_reaches_the_caller() -> None:
    with pytest.raises(ValueError, match="too large"):
        compiled(entry)(101)


def test_a_second_process_loads_it_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path))
    program = (
        "from tests.core import test_linking as t; from numba.core import event\n"
        "with event.install_recorder('numba:compile') as seen: print(t.compiled(t.entry)(3))\n"
        "print(len(seen.buffer) > 0)\n"
    )
    runs = [subprocess.run([sys.executable, "-c", program], capture_output=True, text=True) for _ in range(2)]
    said = [run.stdout.split() for run in runs]
    assert said == [[str(entry(3)), "True"], [str(entry(3)), "False"]], runs[1].stderr
