"""A Dask cluster of processes on loopback: a worker is killed in a sweep, then all, then the scheduler."""

import json
import os
import signal
from dataclasses import asdict

import pytest
from benchmarks.cluster import cluster, said, worker

from juryrank.core.compiling import without_compiling
from juryrank.errors import BadInput
from juryrank.simulation import Bernoulli, Where, simulate
from juryrank.simulation import sweep as sweeping
from juryrank.simulation.paper.cells import Cell, CellRow, Settings, sweep_cells
from juryrank.simulation.sweep import FILE_NAME, Engine, open_results
from tests.commands import juryrank

SETTINGS = Settings(0.25, "paper", 8, 0)
CELLS = [Cell(3, 1.0, b, n, ranker) for b in (1.0, 2.5) for n in (3, 4, 5) for ranker in ("iir", "ada-iir")]
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # small cells: compiling would take longer
pytestmark = pytest.mark.xdist_group("dask")


@pytest.fixture
def two_workers(tmp_path):
    pytest.importorskip("distributed")
    with cluster(tmp_path, 2, **PLAIN) as started:
        yield started


def test_a_cluster_that_loses_a_worker_then_all_then_its_scheduler(two_workers, tmp_path, monkeypatch):
    address, (scheduler, first, second) = two_workers
    at = {"engine": Engine.DASK, "scheduler": address}
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
    found = [
        json.loads(juryrank(*command, *more).stdout) for more in ([], ["--engine", "dask", "--scheduler", address])
    ]
    assert found[0] == {**found[1], "seconds": found[0]["seconds"]}

    monkeypatch.setattr(sweeping, "__version__", "9.9.9")
    with pytest.raises(BadInput, match=r"has juryrank \S+, and this is 9\.9\.9.*Rows already done are kept"):
        swept(None, **at)
    monkeypatch.undo()

    monkeypatch.setattr(sweeping, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(sweeping, "ALONE_SECONDS", 0.5)
    second.kill()
    second.wait()
    world = Bernoulli((0.9, 0.8))
    with pytest.raises(BadInput, match=r"has had no worker .* Rows already done are kept: start workers"):
        simulate("oracle", world, items=4, repeats=30, where=Where(**at))

    def end(step):
        scheduler.kill()

    third = worker(address, tmp_path / "third", **PLAIN)
    said("Register worker", tmp_path / "scheduler.log", times=3)
    with pytest.raises(BadInput, match=r"scheduler at \S+ is gone. Rows already done are kept"):
        simulate("oracle", world, items=4, repeats=3000, where=Where(**at, out=tmp_path / "kept"), progress=end)
    assert (tmp_path / "kept" / FILE_NAME).read_text().count("\n") >= 1
    third.kill()
    third.wait()
