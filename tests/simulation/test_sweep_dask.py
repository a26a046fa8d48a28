"""A Dask cluster in this process; in the slow tests of separate processes, one of them killed in a sweep."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from juryrank.simulation.sweep import FILE_NAME, Cell, Engine, Settings, open_results, sweep

SETTINGS = Settings(0.25, "paper", 60, 0)
CELLS = [Cell(6, 0.5, b, n, ranker) for b in (1.0, 2.5) for n in (10, 14, 18, 22) for ranker in ("iir", "ada-iir")]


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own, without a nanny to revive it."""
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--no-dashboard", "--port", "0"]
    log = (tmp_path / "scheduler.log").open("w+")
    started = [subprocess.Popen([*dask, "--host", "127.0.0.1"], stdout=log, stderr=log, cwd=tmp_path)]
    try:
        address = _address(tmp_path / "scheduler.log")
        for k in range(2):
            started.append(_worker(address, tmp_path / f"worker{k}"))
        with pytest.importorskip("distributed").Client(address, timeout=30) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()
        log.close()


def _worker(address, folder):
    folder.mkdir()
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*command, "--no-dashboard", "--local-directory", str(folder)], **quiet)


def _address(log, seconds=60):
    for _ in range(seconds * 10):
        found = re.search(r"Scheduler at:\s+(tcp://\S+)", log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise AssertionError(log.read_text())


def test_every_cell_arrives_once(tmp_path):
    distributed, cells = pytest.importorskip("distributed"), CELLS[:4]
    small = {"processes": False, "n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    cluster = distributed.LocalCluster(protocol="tcp", host="127.0.0.1", **small)
    with cluster, open_results(tmp_path / "dask", SETTINGS) as results:
        at = {"engine": Engine.DASK, "scheduler": cluster.scheduler_address}
        rows = sweep(cells, SETTINGS, results=results, **at)
    with open_results(tmp_path / "local", SETTINGS) as results:
        assert rows == sweep(cells, SETTINGS, results=results)


@pytest.mark.slow
@pytest.mark.xdist_group("dask")
def test_every_cell_arrives_once_though_a_worker_is_killed(cluster, tmp_path):
    address, workers = cluster
    arrived = []

    def kill_one(step):
        arrived.append(step)
        if len(arrived) == 6:
            os.kill(workers[0].pid, signal.SIGKILL)

    with open_results(tmp_path / "dask", SETTINGS) as results:
        rows = sweep(CELLS, SETTINGS, results=results, engine=Engine.DASK, scheduler=address, progress=kill_one)
    assert workers[0].wait(timeout=10) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert len(arrived) == len(CELLS)
    assert len((tmp_path / "dask" / FILE_NAME).read_text().splitlines()) == len(CELLS)
    with open_results(tmp_path / "local", SETTINGS) as results:
        assert rows == sweep(CELLS, SETTINGS, results=results)
