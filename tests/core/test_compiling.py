"""Called kernels are linked into their entry point: each once, whoever calls it, and cached with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numba.core import config, event

from juryrank.core import compiling
from juryrank.core.compiling import compiled, kernel


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


def test_kept_code_is_loaded_and_damaged_code_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiling, "_cache_folder", lambda: tmp_path)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("JURYRANK_QUIET", "1")
    for damaged, compiles in ((None, True), (None, False), ("nbi", True), ("nbc", True), (None, False)):
        for path in tmp_path.rglob(f"*.{damaged}"):
            path.write_bytes(path.read_bytes()[:7])
        monkeypatch.setattr(compiling, "_twins", {})  # as in another process
        with event.install_recorder("numba:compile") as seen:
            assert compiled(between)(3) == between(3)
        assert bool(seen.buffer) == compiles
        said = capsys.readouterr().err
        assert said.count("is damaged") == said.count("\n") == (damaged is not None)
