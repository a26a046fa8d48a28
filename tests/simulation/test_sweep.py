"""Sweeps: resumed where they stopped, a failed cell is a row, broken files are refused and left alone."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict

import pytest
from typer.testing import CliRunner

from juryrank._version import __version__
from juryrank.cli import build_app
from juryrank.core.compiling import without_compiling
from juryrank.errors import BadInput
from juryrank.simulation import sweep as sweeping
from juryrank.simulation.paper import cells as paper
from juryrank.simulation.paper.cells import Cell, CellRow, Settings, sweep_cells
from juryrank.simulation.sweep import FILE_NAME, Where, check_workers, open_results
from tests.commands import juryrank

SETTINGS = Settings(0.25, "paper", 4, 0)
CELLS = [Cell(3, 1.0, 2.5, n, ranker) for n in (3, 4, 5) for ranker in ("iir", "oracle")]


def swept(folder, cells=CELLS, settings=SETTINGS, *, progress=None, **where):
    with open_results(folder, asdict(settings), CellRow.rebuilt) as results:
        counter = None if progress is None else lambda total, there: progress
        return sweep_cells(
            cells, settings, results=results, where=Where(**{"workers": 1, **where}), counter=counter
        )


def lines(folder):
    return (folder / FILE_NAME).read_text().splitlines()


def test_rows_land_and_are_not_played_twice(tmp_path, monkeypatch):
    rows = swept(tmp_path)
    assert list(rows) == CELLS and all(row.exact_rate == 1 for row in rows.values())
    monkeypatch.setattr(paper, "play_cell", lambda *cell: pytest.fail(f"{cell} is played again"))
    assert swept(tmp_path) == rows
    assert len(lines(tmp_path)) == len(CELLS)


def test_a_stopped_sweep_goes_on_where_it_stopped(tmp_path):
    class Stopped(Exception):
        pass

    seen = []

    def stop(step):
        seen.append(step)
        if len(seen) == 2:
            raise Stopped

    with pytest.raises(Stopped):
        swept(tmp_path, progress=stop)
    assert len(lines(tmp_path)) == 2
    again = []
    whole = swept(tmp_path, progress=again.append)
    assert len(again) == len(CELLS) - 2
    assert whole == swept(tmp_path / "other")


def test_processes_give_the_same_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(sweeping, "WORTH_PROCESSES", 0)
    assert swept(tmp_path / "two", workers=2) == swept(tmp_path / "one")


def test_a_failed_cell_is_a_row_and_gets_another_chance(tmp_path):
    bad = Cell(1, 0.5, 2.5, 3, "iir")
    rows = swept(tmp_path, [bad, *CELLS])
    assert "BadWorld" in rows[bad].error
    assert rows[bad].questions_mean is None
    again = []
    swept(tmp_path, [bad, *CELLS], progress=again.append)
    assert len(again) == 1


def test_a_half_written_last_line_is_played_again(tmp_path):
    rows = swept(tmp_path)
    file = tmp_path / FILE_NAME
    text = file.read_text()
    file.write_text(text[:-30])
    again = []
    assert swept(tmp_path, progress=again.append) == rows
    assert len(again) == 1
    assert file.read_text() == text


@pytest.mark.parametrize("broken", ["{half", "[]", '{"judges": 3}', "ä" * 3])
def test_a_broken_line_is_refused_and_nothing_changes(tmp_path, broken):
    swept(tmp_path, CELLS[:2])
    file = tmp_path / FILE_NAME
    first, second = lines(tmp_path)
    file.write_text("\n".join([first, broken, second, ""]))
    before = file.read_bytes()
    with pytest.raises(BadInput, match="line 2"):
        swept(tmp_path)
    assert file.read_bytes() == before


def test_a_file_that_is_not_text_is_refused(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"\xff\xfe\x00rubbish")
    with pytest.raises(BadInput, match="not a results file"):
        swept(tmp_path)


def test_other_settings_do_not_mix(tmp_path):
    swept(tmp_path, CELLS[:1])
    again = []
    swept(tmp_path, CELLS[:1], Settings(0.25, "paper", 5, 0), progress=again.append)
    assert len(again) == 1
    assert len(lines(tmp_path)) == 2


def test_one_process_at_a_time(tmp_path):
    with open_results(tmp_path, {}, CellRow.rebuilt), pytest.raises(BadInput, match="another process"):
        swept(tmp_path)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        swept(tmp_path / "file" / "below")


def test_a_row_comes_back_as_it_was():
    row = CellRow(CELLS[0], 1.5, 0.25, 0.0, 1.0, 1.0, 3.0)
    assert CellRow.rebuilt(json.loads(json.dumps(asdict(row)))) == row


@pytest.mark.parametrize(
    "command",
    [["simulate", "-n", "3"], ["reproduce"], ["plan", "--items", "4", "--accuracies", ".9"]],
)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--engine", "dask", "--scheduler", "tcp://127.0.0.1:9"], "no Dask scheduler answers"),
        (["--engine", "dask"], "needs the address of a scheduler"),
        (["--scheduler", "tcp://127.0.0.1:9"], "add --engine dask"),
        (["--engine", "spark"], "there are: local, dask"),
        (["--workers", "0"], "it must be 1 or more"),
    ],
)
def test_bad_options_are_said_by_every_command(command, options, said, tmp_path, monkeypatch):
    monkeypatch.setattr(sweeping, "CONNECT_SECONDS", 0.5)
    found = CliRunner().invoke(build_app(), [*command, "--out", str(tmp_path), *options])
    assert isinstance(found.exception, BadInput) and said in str(found.exception)


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--ranker", "oracle", "--items", "4", "--repeats", "60"],
        ["simulate", "--ranker", "jury", "--items", "3", "--cases", "20", "--repeats", "3"],
        ["plan", "--items", "6", "--accuracies", "0.9,0.7", "--ranker", "oracle", "--ranker", "certified"],
        ["plan", "--systems", "3", "--cases", "20", "--runs", "3", "--price", "judge-1=0.5"],
        ["plan", "--people", "20", "--items", "5", "--runs", "3"],
    ],
    ids=["simulate", "simulate cases", "plan", "plan cases", "plan people"],
)
def test_the_same_numbers_from_processes_and_from_kept_runs(command, tmp_path, monkeypatch):
    def numbers(*options):
        found = CliRunner().invoke(build_app(), [*command, "--json", *options])
        assert found.exit_code == 0, found.exception
        return {name: value for name, value in json.loads(found.stdout).items() if name != "seconds"}

    with without_compiling():
        here = numbers("--workers", "1")
        assert numbers("--workers", "1", "--out", str(tmp_path)) == here
        kept = lines(tmp_path)
        (tmp_path / FILE_NAME).write_text("\n".join([*kept[:1], *kept[2:], ""]))  # one was not done
        assert numbers("--workers", "1", "--out", str(tmp_path)) == here
        assert sorted(lines(tmp_path)) == sorted(kept)
        monkeypatch.setattr(sweeping, "WORTH_PROCESSES", 0)
        assert numbers("--workers", "2") == here


def test_a_kill_loses_only_cells_in_flight(tmp_path):
    """The real command: killed in the middle, called again."""
    file = tmp_path / FILE_NAME
    assert _stopped_after(5, signal.SIGKILL, file) == -signal.SIGKILL
    first = lines(tmp_path)
    assert juryrank(*_command(tmp_path)[3:]).returncode == 0
    assert lines(tmp_path)[: len(first)] == first and len(lines(tmp_path)) == 120


@pytest.mark.slow
def test_interrupt_and_kill_lose_only_cells_in_flight(tmp_path):
    """The real command: interrupted in the middle, called again and killed, called again."""
    file = tmp_path / FILE_NAME
    interrupted = _stopped_after(5, signal.SIGINT, file, "--workers", "2")
    assert interrupted in (130, 0)
    first = lines(tmp_path)
    killed = _stopped_after(len(first) + 5, signal.SIGKILL, file)
    assert killed in (-signal.SIGKILL, 0)
    assert lines(tmp_path)[: len(first)] == first
    assert juryrank(*_command(tmp_path)[3:]).returncode == 0
    cells = [json.loads(line)["cell"] for line in lines(tmp_path)]
    assert len(cells) == len({(cell["gamma_b"], cell["items"], cell["ranker"]) for cell in cells}) == 120
    assert (tmp_path / "fig1.png").stat().st_size > 10_000


def _command(folder, *more):
    always = ("--out", str(folder), "--repeats", "1", "--workers", "1")
    return [sys.executable, "-m", "juryrank", "reproduce", "fig1", *always, *more]


def _stopped_after(rows, how, file, *more):
    """Run the command and stop it once so many rows are there; its exit code."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run = subprocess.Popen(_command(file.parent, *more), **quiet)
    while run.poll() is None and (not file.exists() or file.read_text().count("\n") < rows):
        time.sleep(0.02)
    if run.poll() is None:
        os.kill(run.pid, how)
    run.wait(timeout=120)
    return run.returncode


@pytest.mark.parametrize(
    ("found", "said"),
    [("0.0.1", "has juryrank 0.0.1"), (ModuleNotFoundError("juryrank"), "has no juryrank of ours")],
)
def test_workers_with_another_juryrank_are_refused(found, said):
    with pytest.raises(BadInput, match=said) as caught:
        check_workers({"tcp://127.0.0.1:1": __version__, "tcp://127.0.0.1:2": found})
    assert "Rows already done are kept" in str(caught.value) and "127.0.0.1:2" in str(caught.value)


def test_a_scheduler_without_a_port_is_refused_at_once_and_in_one_line(tmp_path):
    pytest.importorskip("distributed")
    words = ["simulate", "--ranker", "iir", "--items", "4", "--engine", "dask", "--scheduler", "nonsense"]
    done = subprocess.run([sys.executable, "-m", "juryrank", *words], capture_output=True, text=True, timeout=15)
    assert done.returncode == 2 and "no Dask scheduler answers at 'nonsense'" in done.stderr
    assert done.stderr.count("\n") == 1
