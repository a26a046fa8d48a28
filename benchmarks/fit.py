"""How fast `fit` is, how often its intervals hold, and how well it predicts judges held back.

    python -m benchmarks.fit [speed] [large] [coverage] [ranks] [holdout] [--runs 400] [--votes FILE ...]

`large` is `juryrank fit` as a user calls it: 10^7 votes (`--rows`) of 1,000 judges on 200 items, Parquet and CSV.

Writes benchmarks/results/fit_*.csv; `python -m benchmarks.fit tables` puts them into docs/votes-fit.md. Hold-out
needs recorded votes (`--votes`), which are not part of the repository. Times are processor seconds, one core.
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tests.votes.fitting.worlds import world

from benchmarks.tables import with_table
from juryrank.core.intervals import t_quantile
from juryrank.votes.fitting import solver
from juryrank.votes.fitting.core import estimate
from juryrank.votes.fitting.intervals import LIKE_THESE, rank_ranges
from juryrank.votes.fitting.model import Spec, spec_for
from juryrank.votes.fitting.sources import ballots_of
from juryrank.votes.fitting.validation import compare

RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).resolve().parents[1] / "docs" / "votes-fit.md"
# items, judges, votes per judge: 10 to 65 judges whose number of votes is log-normal (one in ten has 3.6 times the
# median); tastes of their own stray from the common scores by 0.5
CELLS = ((8, 10, 40), (20, 10, 60), (20, 20, 40), (40, 30, 60), (20, 65, 40), (6, 65, 50))
TASTE, SLOPE, TIE, TIE_SPREAD = 0.5, 0.4, -0.7, 0.7
LIMIT_JUDGES = 3000  # whose scores stand for those of endless judges
SEED = 2027  # 2026 was used while choosing between CR1, CR2 and CR3
MILLION, ITEMS, JUDGES = 1_000_000, 10_000, 100_000


def spec_of(model: str, ballots: Any) -> Spec:
    return spec_for(ballots, model=model, ties="davidson", side="auto")


# ---------------------------------------------------------------------- coverage
def people(rng: np.random.Generator, scores: np.ndarray, judges: int, votes: int, *, taste: float) -> Any:
    """Judges with tastes, slopes, readiness to tie, and widely differing numbers of votes."""
    per = np.maximum(votes * rng.lognormal(-0.5, 1, size=judges), 4).astype(int)
    how: dict[str, Any] = {"slope": SLOPE, "tie": TIE, "tie_spread": TIE_SPREAD}
    return world(rng, items=len(scores), judges=judges, votes=per, scores=scores, taste=taste, **how)[0]


def coverage(runs: int) -> list[dict[str, Any]]:
    """Share of 95 % intervals that hold the scores that endlessly many judges, drawn alike, would give."""
    rows = []
    for (items, judges, votes), model in ((cell, model) for cell in CELLS for model in ("bt", "hbtl")):
        rng = np.random.default_rng(SEED)
        scores = rng.normal(size=items)
        limit_votes = people(rng, scores, LIMIT_JUDGES, votes, taste=TASTE)
        solver.MOST_ROUNDS = solver.MANY_ROUNDS  # the spreads of many votes as exactly as those of few
        limit = estimate(limit_votes, spec_of(model, limit_votes)).scores
        held, naive = [], []
        for _ in range(runs):
            ballots = people(rng, scores, judges, votes, taste=TASTE)
            fit = estimate(ballots, spec_of(model, ballots))
            off = np.abs(fit.scores - limit)
            held.append(np.mean(off <= fit.intervals[LIKE_THESE].scores(0.95)))
            naive.append(np.mean(off <= t_quantile(0.95, 1e9) * np.sqrt(fit.errors.naive_variance())))
        row = {"items": items, "judges": judges, "votes_per_judge": votes, "model": model, "runs": runs}
        row |= {"held": np.mean(held), "error": np.std(held) / runs**0.5, "naive": np.mean(naive)}
        rows.append(row)
        print(row, flush=True)
    return rows


def ranks(runs: int) -> list[dict[str, Any]]:
    """Share of runs in which *all* rank intervals hold (level 95 %): equal items, and items half a unit apart."""
    rows = []
    for (items, judges, votes), gap in ((cell, gap) for cell in CELLS for gap in (0.0, 0.5)):
        rng, held, width = np.random.default_rng(SEED + 1), 0, []
        scores = gap * np.arange(items)[::-1]
        for _ in range(runs):
            ballots = people(rng, scores, judges, votes, taste=TASTE)
            fit = estimate(ballots, spec_of("hbtl", ballots))
            low, high = rank_ranges(fit.scores, fit.intervals[LIKE_THESE], fit.graph.component, level=0.95)
            true = np.arange(1, items + 1)
            held += bool(np.all((low <= true) & (true <= high))) if gap else bool((low == 1).all())
            width.append(np.mean(high - low + 1))
        row = {"items": items, "judges": judges, "votes_per_judge": votes, "gap": gap, "runs": runs}
        rows.append(row | {"held": held / runs, "ranks": np.mean(width)})
        print(rows[-1], flush=True)
    return rows


# ---------------------------------------------------------------------- speed
def speed() -> list[dict[str, Any]]:
    """A million votes: each model in a process of its own, from a CSV file and from arrays in memory."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "votes.csv"
        subprocess.run([sys.executable, "-m", "benchmarks.fit", "--write", str(path)], check=True)
        for model in ("bt", "hbtl"):
            for source in ("arrays", "file"):
                command = [sys.executable, "-m", "benchmarks.fit", "--measure", model, source, str(path)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                reading, fitting, memory = map(float, done.stdout.split()[-3:])
                row = {"model": model, "source": source, "reading": reading, "fitting": fitting, "memory": memory}
                rows.append(row)
                print(row, flush=True)
    return rows


def write_votes(path: Path) -> None:
    """A CSV of a million votes, and the same as arrays."""
    rng = np.random.default_rng(SEED)
    per = np.bincount(rng.integers(JUDGES, size=MILLION), minlength=JUDGES)
    rng_world, s = np.random.default_rng(SEED + 2), rng.normal(size=ITEMS)
    u = np.repeat(np.arange(JUDGES), per)
    h, c = rng_world.normal(size=JUDGES) * SLOPE, TIE + rng_world.normal(size=JUDGES) * TIE_SPREAD
    left = rng_world.integers(ITEMS, size=MILLION)
    right = (left + 1 + rng_world.integers(ITEMS - 1, size=MILLION)) % ITEMS
    z = np.exp(h[u]) * (s[left] - s[right])
    outcome = (np.stack([z / 2, -z / 2, c[u]]) + rng_world.gumbel(size=(3, MILLION))).argmax(0)
    np.savez(path.with_suffix(".npz"), judge=u, left=left, right=right, outcome=outcome)
    with path.open("w") as file:
        file.write("judge,left,right,winner\n")
        words = ("left", "right", "tie")
        for a, b, d, y in zip(u.tolist(), left.tolist(), right.tolist(), outcome.tolist(), strict=True):
            file.write(f"judge {a},item {b},item {d},{words[y]}\n")


def measure(model: str, source: str, path: Path) -> None:
    """Print processor seconds to read and to fit (scores, intervals and ranks), and the peak in MB."""
    import juryrank
    from juryrank.votes.fitting.ballots import Ballots

    began = time.process_time()
    votes: Any = path
    if source == "arrays":
        arrays = np.load(path.with_suffix(".npz"))
        columns = [arrays[name].astype(np.int32) for name in ("judge", "left", "right")]
        names = tuple(f"item {k}" for k in range(ITEMS)), tuple(f"judge {k}" for k in range(JUDGES))
        votes = Ballots(*columns, arrays["outcome"].astype(np.int8), *names)
        del arrays, columns
    else:
        votes = ballots_of(path)
    read = time.process_time()
    items = juryrank.fit(votes, model).items
    assert len(items) == ITEMS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(read - began, time.process_time() - read, peak)


# ---------------------------------------------------------------------- ten million votes
def large(rows: int) -> list[dict[str, Any]]:
    """`juryrank fit FILE` by model and kind of file: processor and elapsed seconds, and the peak in MB."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        write_large(Path(folder), rows)
        for kind, model in ((kind, model) for kind in ("parquet", "csv") for model in ("bt", "hbtl")):
            began = time.monotonic()
            call = [
                str(Path(sys.executable).parent / "juryrank"),
                "fit",
                f"{folder}/votes.{kind}",
                "--model",
                model,
            ]
            with subprocess.Popen([*call, "--json"], stdout=subprocess.DEVNULL) as running:
                _, status, used = os.wait4(running.pid, 0)
            assert status == 0, (kind, model)
            row = {"votes": rows, "file": kind, "model": model, "elapsed": time.monotonic() - began}
            found.append(row | {"processor": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024})
            print(found[-1], flush=True)
    return found


def write_large(folder: Path, rows: int, judges: int = 1_000, items: int = 200) -> None:
    """Random judges and pairs: nearly every vote is one of its kind, so counting helps least."""
    import pyarrow
    from pyarrow import csv as text
    from pyarrow import parquet

    rng = np.random.default_rng(SEED + 3)
    s, h = rng.normal(size=items), rng.normal(size=judges) * SLOPE
    c = TIE + rng.normal(size=judges) * TIE_SPREAD
    names = {"judge": [f"judge {k}" for k in range(judges)], "left": [f"item {k}" for k in range(items)]}
    names |= {"right": names["left"], "winner": ["left", "right", "tie"]}
    schema = pyarrow.schema([(name, pyarrow.string()) for name in names])
    plain = text.WriteOptions(quoting_style="none")
    with (
        parquet.ParquetWriter(folder / "votes.parquet", schema) as packed,
        text.CSVWriter(folder / "votes.csv", schema, write_options=plain) as lines,
    ):
        for start in range(0, rows, 1 << 20):
            size = min(1 << 20, rows - start)
            u, left = rng.integers(judges, size=size), rng.integers(items, size=size)
            right = (left + 1 + rng.integers(items - 1, size=size)) % items
            z = np.exp(h[u]) * (s[left] - s[right])
            said = (np.stack([z / 2, -z / 2, c[u]]) + rng.gumbel(size=(3, size))).argmax(0)
            columns = zip(names, (u, left, right, said), strict=True)
            table = pyarrow.table({name: np.array(names[name], object)[codes] for name, codes in columns}, schema)
            packed.write_table(table)
            lines.write_table(table)


# ---------------------------------------------------------------------- hold-out
def holdout(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Loss per vote of each model on judges, and on votes, held back."""
    rows = []
    for path in files:
        ballots = ballots_of(path)
        specs = [spec_of(model, ballots) for model in ("bt", "hbtl")]
        for held_back in ("judges", "votes") if len(ballots.judges) >= 5 else ("votes",):
            for found in compare(ballots, specs, held_back=held_back):
                row = {"votes": path.parent.name, "held_back": held_back, "model": found.model}
                rows.append(row | {"loss": found.loss, "beside_bt": found.worse, "error": found.error})
                print(rows[-1], flush=True)
    return rows


# ---------------------------------------------------------------------- results
def save(name: str, rows: list[dict[str, Any]]) -> None:
    with (RESULTS / f"fit_{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()} for row in rows)


def saved(name: str) -> list[dict[str, str]]:
    with (RESULTS / f"fit_{name}.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def coverage_table() -> Iterator[str]:
    yield "| items | judges | votes per judge (mean) | model | held | naive intervals held |"
    yield "|---|---|---|---|---|---|"
    for row in saved("coverage"):
        held = f"{float(row['held']):.1%} ± {float(row['error']):.1%}"
        cells = (row["items"], row["judges"], row["votes_per_judge"], f"`{row['model']}`", held)
        yield f"| {' | '.join(cells)} | {float(row['naive']):.1%} |"


def holdout_table() -> Iterator[str]:
    yield "| recorded votes | held back | `bt` | `hbtl` beside `bt` |"
    yield "|---|---|---|---|"
    found = {(row["votes"], row["held_back"], row["model"]): row for row in saved("holdout")}
    for votes, held_back in dict.fromkeys(key[:2] for key in found):
        row, loss = found[votes, held_back, "hbtl"], float(found[votes, held_back, "bt"]["loss"])
        beside = f"{float(row['beside_bt']):+.4f} ± {float(row['error']):.4f}"
        yield f"| {votes} | {held_back} | {loss:.4f} | {beside} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", help="speed, large, coverage, ranks, holdout, tables")
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--votes", type=Path, nargs="*", default=[])
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.write:
        return write_votes(asked.write)
    if asked.measure:
        return measure(asked.measure[0], asked.measure[1], Path(asked.measure[2]))
    wanted = asked.what or ["speed", "coverage", "ranks", *(["holdout"] if asked.votes else [])]
    for name, rows in (
        ("speed", speed), ("large", lambda: large(asked.rows)),
        ("coverage", lambda: coverage(asked.runs)), ("ranks", lambda: ranks(asked.runs)),
        ("holdout", lambda: holdout(asked.votes)),
    ):  # fmt: skip
        if name in wanted:
            save(name, rows())
    page = PAGE.read_text(encoding="utf-8")
    for name, lines in (("coverage", coverage_table()), ("holdout", holdout_table())):
        if (RESULTS / f"fit_{name}.csv").exists():
            page = with_table(page, f"fit-{name}", lines)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
