"""The race on disk: one CSV of points, one of outcomes."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from benchmarks.peers.race import Outcome, Point

POINTS, OUTCOMES, SUMMARY = "peers_points.csv", "peers_outcomes.csv", "peers.csv"


def write(path: Path, rows: Iterable[object]) -> None:
    values = [asdict(row) for row in rows]  # type: ignore[call-overload]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, values[0])
        writer.writeheader()
        writer.writerows(values)


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
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _number(text: str) -> int | None:
    return int(text) if text else None
