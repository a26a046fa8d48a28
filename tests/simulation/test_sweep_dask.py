"""A Dask cluster of processes on loopback: a worker is killed in a sweep, then all, then the scheduler."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import asdict

import pytest

from juryrank.core.compiling import without_compiling
from juryrank.errors import BadInput
from juryrank.simulation import Bernoulli, Where, simulate
from juryrank.simulation import sweep as sweeping
from juryrank.simulation.paper.cells import Cell, CellRow, Settings, sweep_cells
from juryrank.simulation.sweep import FILE_NAME, Engine, open_results
from tests.commands import juryrank

SETTINGS = Settings(0.25, "paper", 8, 0)
CELLS = [Cell(3, 1.0, b, n, ranker) for b in (1.0, 2.5) for n in (3, 4, 5) for ranker in ("iir", "ada-iir")]
PLAIN = {**os.environ, "NUMBA_DISABLE_JIT": "1"}  # small cells: compiling would take longer
pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own, without a nanny to revive it."""
    pytest.importorskip("distributed")
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    log = (tmp_path / "scheduler.log").open("w+")
    started = [subprocess.Popen([*dask, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=tmp_path)]
    try:
        address = found(r"Scheduler at:\s+(tcp://\S+)", tmp_path / "scheduler.log")[0]
        started += [worker(address, tmp_path / f"worker{k}") for k in range(2)]
        yield address, started
    finally:
        for process in started:
            process.kill()
            process.wait()
        log.close()


def worker(address, folder):
    folder.mkdir()
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": PLAIN}
    return subprocess.Popen([*command, "--no-dashboard", "--local-directory", str(folder)], **quiet)


def found(words, log, times=1, seconds=60):
    """What a log says, once it says it so often."""
    for _ in range(seconds * 20):
        if len(said := re.findall(words, log.read_text())) >= times:
            return said
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def test_a_cluster_that_loses_a_worker_then_all_then_its_scheduler(cluster, tmp_path, monkeypatch):
    address, (scheduler, first, second) = cluster
    at = {"engine": Engine.DASK, "scheduler": address}
    found("Register worker", tmp_path / "scheduler.log", times=2)
    arrived = []

    def kill_one(step):
        arrived.append(step)
        if len(arrived) == 2:
            os.kill(first.pid, signal.SIGKILL)

    def swept(out, counter=None, **where):
        with open_results(out, asdict(SETTINGS), CellRow.rebuilt) as results, without_compiling():
            return sweep_cells(CELLS, SETTINGS, results=results, where=Where(**where), counter=counter)

    here = swept(None, workers=1)
    assert swept(tmp_path / "dask", lambda total, there: kill_one, **at) == here
    assert first.wait(timeout=10) == -signal.SIGKILL and second.poll() is None
    assert len(arrived) == len((tmp_path / "dask" / FILE_NAME).read_text().splitlines()) == len(CELLS)

    command = ["simulate", "--ranker", "jury", "--items", 3, "--cases", 20, "--repeats", 4, "--json"]
    said = [
        json.loads(juryrank(*command, *more).stdout) for more in ([], ["--engine", "dask", "--scheduler", address])
    ]
    assert said[0] == {**said[1], "seconds": said[0]["seconds"]}

    monkeypatch.setattr(sweeping, "__version__", "9.9.9")
    with pytest.raises(BadInput, match=r"has juryrank \S+, and this is 9\.9\.9.*Rows already done are kept"):
        swept(None, **at)
    monkeypatch.undo()

    monkeypatch.setattr(sweeping, "LOOK_SECONDS", 0.2)
    monkeypatch.setattr(sweeping, "ALONE_SECONDS", 0.5)
    second.kill()
    second.wait()
    world = Bernoulli((0.9, 0.8))
    with pytest.raises(BadInput, match=r"has had no worker .* Rows already done are kept: start workers"):
        simulate("oracle", world, items=4, repeats=30, where=Where(**at))

    def end(step):
        scheduler.kill()

    worker(address, tmp_path / "third")
    found("Register worker", tmp_path / "scheduler.log", times=3)
    with pytest.raises(BadInput, match=r"scheduler at \S+ is gone. Rows already done are kept"):
        simulate("oracle", world, items=4, repeats=3000, where=Where(**at, out=tmp_path / "kept"), progress=end)
    assert (tmp_path / "kept" / FILE_NAME).read_text().count("\n") >= 1
