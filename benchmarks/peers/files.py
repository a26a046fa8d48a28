"""The race on disk: one CSV of points (there are many: packed), one of outcomes."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers.race import Outcome, Point

POINTS, OUTCOMES, SUMMARY = "peers_points.csv.gz", "peers_outcomes.csv", "peers.csv"


def write(path: Path, rows: Iterable[object]) -> None:
    values = [asdict(row) for row in rows]  # type: ignore[call-overload]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, values[0])
    writer.writeheader()
    writer.writerows(values)
    data = text.getvalue().encode()
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)


def read_points(path: Path) -> list[Point]:
    return [
        Point(
            row["world"], int(row["run"]), row["method"], int(row["questions"]), float(row["tau"]),
            row["exact"] == "True",
        )
        for row in _rows(path)
    ]  # fmt: skip


def read_outcomes(path: Path) -> list[Outcome]:
    return [
        Outcome(
            row["world"], int(row["run"]), row["method"], _number(row["first_exact"]), _number(row["stopped"]),
            row["right"] == "True", float(row["microseconds"]),
        )
        for row in _rows(path)
    ]  # fmt: skip


def _rows(path: Path) -> list[dict[str, str]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def _number(text: str) -> int | None:
    return int(text) if text else None
