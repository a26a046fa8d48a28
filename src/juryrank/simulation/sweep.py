"""Many cells, in processes here or on a Dask cluster: the same rows wherever they are played."""

from __future__ import annotations

import enum
import json
import os
import queue
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import asdict, dataclass, is_dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from juryrank._version import __version__
from juryrank.errors import BadInput, need_extra

try:
    import fcntl
except ImportError:  # Windows: nobody keeps a second process away
    fcntl = None  # type: ignore[assignment]

C = TypeVar("C")
R = TypeVar("R")
FILE_NAME = "cells.jsonl"
WORTH_PROCESSES = 2.0  # seconds of work left: to start processes takes about one
CONNECT_SECONDS = 10
SILENT_SECONDS = 5  # how often a silent cluster is looked at,
ALONE_SECONDS = 60  # and how long one without workers is waited for
CHUNKS = 64  # per worker of a cluster: handing out a cell costs milliseconds
KEPT = "Rows already done are kept"


class Engine(enum.StrEnum):
    """Where cells are played."""

    LOCAL = "local"
    DASK = "dask"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a sweep is played, and where its rows are kept.

    >>> Where(workers=0)
    Traceback (most recent call last):
    juryrank.errors.BadInput: workers is 0; it must be 1 or more
    """

    workers: int | None = None  # processes; None: every core
    engine: str = Engine.LOCAL
    scheduler: str | None = None
    out: Path | None = None  # the folder; None: rows are not kept

    def __post_init__(self) -> None:
        if self.engine not in list(Engine):
            raise BadInput(f"there is no engine {self.engine!r}; there are: {', '.join(Engine)}")
        if self.workers is not None and self.workers < 1:
            raise BadInput(f"workers is {self.workers}; it must be 1 or more")
        if (self.workers or 1) > 1:
            need_extra("joblib", extra="fast", what="a sweep in several processes")
        if self.engine == Engine.DASK and not self.scheduler:
            raise BadInput("the dask engine needs the address of a scheduler: --scheduler tcp://HOST:8786")
        if self.engine != Engine.DASK and self.scheduler:
            raise BadInput("a scheduler is for the dask engine: add --engine dask, or leave --scheduler out")

    @property
    def processes(self) -> int:
        """How many processes play here."""
        if self.workers is not None:
            return self.workers
        try:
            import joblib
        except ImportError:
            return 1
        return int(joblib.cpu_count())


HERE = Where(workers=1)
Counter = Callable[[int, int], Callable[[int], None]]  # (cells in all, cells already there) -> call with new ones


# ----------------------------------------------------------------------------
# Rows on disk
class Results(Generic[R]):
    """Rows of one sweep by their cells; with a file, each is on disk before the next one is waited for."""

    def __init__(self, settings: Mapping[str, Any], file: IO[str] | None = None) -> None:
        self._settings, self._file = dict(settings), file
        self._rows: dict[str, R] = {}

    def __contains__(self, cell: object) -> bool:
        return _text(cell) in self._rows

    def __getitem__(self, cell: object) -> R:
        return self._rows[_text(cell)]

    def add(self, cell: object, row: R) -> None:
        """Keep a row, so that it outlives this process."""
        if self._file is not None:
            self._file.write(_text({"sweep": self._settings, "cell": cell, "row": row}) + "\n")
            self._file.flush()
        self._rows[_text(cell)] = row

    def load(self, line: str, rebuild: Callable[[Any], R]) -> None:
        """Take a row that was kept; one of another sweep stays unread."""
        given = json.loads(line)
        if given["sweep"] == json.loads(_text(self._settings)):
            row = rebuild(given["row"])
            if not getattr(row, "error", ""):  # a cell that failed gets another chance
                self._rows[_text(given["cell"])] = row


def _text(value: object) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: Any) -> Any:
    """A dataclass, a set, a word of an enumeration or a number of NumPy as JSON values."""
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value.value if isinstance(value, enum.Enum) else value.tolist()


@contextmanager
def open_results(
    out: Path | None, settings: Mapping[str, Any], rebuild: Callable[[Any], R]
) -> Iterator[Results[R]]:
    """The rows of a sweep with these settings, one process at a time; `rebuild` makes a row of its JSON.

    The version is one of the settings: another one may give other numbers.
    """
    settings = {"version": __version__, **settings}
    if out is None:
        yield Results(settings)
        return
    path = out / FILE_NAME
    try:
        out.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as problem:
        raise BadInput(
            f"the results cannot be written to {str(out)!r}: {problem.strerror or problem}. "
            "Choose another folder with --out"
        ) from problem
    with file:
        try:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(f"another process is writing to {str(path)!r}; wait, or choose another --out") from None
        results = Results[R](settings, file)
        _read(file, path, results, rebuild)
        yield results


def _read(file: IO[str], path: Path, results: Results[R], rebuild: Callable[[Any], R]) -> None:
    file.seek(0)
    try:
        text = file.read()
    except UnicodeDecodeError:
        raise BadInput(f"{str(path)!r} is not a results file; nothing was changed. Use another --out") from None
    whole = text[: text.rfind("\n") + 1]
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            results.load(line, rebuild)
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                f"line {number} of {str(path)!r} is broken; nothing was changed. "
                "Delete that line (its cell is played again), or use another --out"
            ) from None
    if whole != text:
        file.truncate(len(whole.encode("utf-8")))
    file.seek(0, os.SEEK_END)


def progress_of(counter: Counter | None, cells: Sequence[C], results: Results[R]) -> Callable[[C, R], None] | None:
    """What a sweep calls, for somebody who counts cells."""
    if counter is None:
        return None
    advance = counter(len(cells), sum(cell in results for cell in cells))
    return lambda cell, row: advance(1)


# ----------------------------------------------------------------------------
# Playing
def sweep(
    task: Callable[[C], R],
    cells: Sequence[C],
    *,
    where: Where = HERE,
    results: Results[R] | None = None,
    progress: Callable[[C, R], None] | None = None,
) -> list[R]:
    """Play the cells that have no row yet; rows in the order of the cells, whose values are JSON or dataclasses.

    >>> sweep(abs, [-2, 3])
    [2, 3]
    """
    rows: Results[R] = Results({}) if results is None else results
    missing = [cell for cell in cells if cell not in rows]
    for cell, row in _played(task, missing, where) if missing else ():
        rows.add(cell, row)
        if progress is not None:
            progress(cell, row)
    return [rows[cell] for cell in cells]


def _played(task: Callable[[C], R], cells: Sequence[C], where: Where) -> Iterator[tuple[C, R]]:
    if where.engine == Engine.DASK:
        yield from _on_cluster(task, cells, str(where.scheduler))
        return
    for done, cell in enumerate(cells):  # here, as long as other processes would not be quicker
        start = time.perf_counter()
        yield cell, task(cell)
        left = len(cells) - done - 1
        if left and where.processes > 1 and left * (time.perf_counter() - start) > WORTH_PROCESSES:
            yield from _in_processes(task, cells[done + 1 :], where.processes)
            return


def _in_processes(task: Callable[[C], R], cells: Sequence[C], processes: int) -> Iterator[tuple[C, R]]:
    joblib = need_extra("joblib", extra="fast", what="a sweep in several processes")
    jobs = (joblib.delayed(_with_cell)(task, cell) for cell in cells)
    yield from joblib.Parallel(n_jobs=min(processes, len(cells)), return_as="generator_unordered")(jobs)


def _with_cell(task: Callable[[C], R], cell: C) -> tuple[C, R]:
    return cell, task(cell)


# ----------------------------------------------------------------------------
# A cluster
def _on_cluster(task: Callable[[C], R], cells: Sequence[C], scheduler: str) -> Iterator[tuple[C, R]]:
    distributed = need_extra("distributed", extra="cluster", what="the dask engine")
    with connected(scheduler) as client:
        size = max(1, len(cells) // (CHUNKS * max(1, sum(client.nthreads().values()))))
        chunks = [cells[k : k + size] for k in range(0, len(cells), size)]
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        futures = client.map(partial(_chunk, __version__, task), chunks, pure=False)
        for future in futures:
            future.add_done_callback(done.put)
        for _ in chunks:
            future = _next(done, client, scheduler)
            try:
                rows = future.result()
            except distributed.KilledWorker as problem:
                raise BadInput(
                    f"several workers died one after another over the same cells ({problem}): perhaps they ran "
                    f"out of memory. {KEPT}: start workers with more, then call this again"
                ) from problem
            except (CancelledError, distributed.comm.CommClosedError) as problem:
                raise _gone(scheduler) from problem
            except ModuleNotFoundError as problem:
                raise BadInput(
                    f"a worker cannot load what it should play ({problem}). {KEPT}: start workers with the same "
                    "code (benchmarks and tests: in the repository's folder), then call this again"
                ) from problem
            yield from rows
            future.release()


def _chunk(version: str, task: Callable[[C], R], cells: Sequence[C]) -> list[tuple[C, R]]:
    """On a worker, which may have come after the others were looked at."""
    check_workers({"that joined": __version__}, version)
    return [(cell, task(cell)) for cell in cells]


def _next(done: queue.SimpleQueue[Any], client: Any, scheduler: str) -> Any:
    """The next finished future; an error where nobody is left to finish one."""
    alone = time.monotonic()
    while True:
        try:
            return done.get(timeout=SILENT_SECONDS)
        except queue.Empty:
            try:
                if client.nthreads():
                    alone = time.monotonic()
            except Exception as problem:
                raise _gone(scheduler) from problem
            if time.monotonic() - alone > ALONE_SECONDS:
                raise BadInput(
                    f"the cluster at {scheduler} has had no worker for {ALONE_SECONDS} seconds. {KEPT}: start "
                    f"workers with `dask worker {scheduler}`, then call this again"
                ) from None


def _gone(scheduler: str) -> BadInput:
    return BadInput(
        f"the Dask scheduler at {scheduler} is gone. {KEPT}: start one with `dask scheduler`, then call this again"
    )


def connected(scheduler: str) -> Any:
    """A Dask client for the scheduler at this address."""
    distributed = need_extra("distributed", extra="cluster", what="the dask engine")
    try:
        distributed.comm.get_address_host_port(scheduler)  # a client without a port is slow to say so, and to end
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        raise BadInput(
            f"no Dask scheduler answers at {scheduler!r} ({type(problem).__name__}). "
            "Start one with `dask scheduler`, or leave --engine out to run here"
        ) from problem
    try:
        check_workers(client.run(version_here, on_error="return"))
    except BaseException:
        client.close()
        raise
    return client


def version_here() -> str:
    """Which juryrank a worker has."""
    return __version__


def check_workers(found: Mapping[str, object], wanted: str = __version__) -> None:
    """Refuse workers that would give other numbers; `found`: by address, a version or the error of asking for it.

    >>> check_workers({"tcp://127.0.0.1:1": __version__})
    """
    for address, version in found.items():
        if version == wanted:
            continue
        has = f"has juryrank {version}" if isinstance(version, str) else f"has no juryrank of ours ({version!r})"
        raise BadInput(
            f"the worker {address} {has}, and this is {wanted}: another version may give other numbers. "
            f"Install juryrank=={wanted} there, or start the sweep from a machine with the workers' version. "
            f"{KEPT}"
        )
