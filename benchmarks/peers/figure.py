"""The race as a picture: how far from the truth each order is after so many questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.peers.field import BREADTH, LIST
from benchmarks.peers.race import Outcome, Point

TITLES = {
    "steady": "Every pair equally hard for a judge",
    "gaps": "Close items harder than distant ones (Bradley-Terry)",
}
GUESS = {
    "guess": ("#d00000", "guess: stops at its budget, without proof"),
    LIST: ("#95d5b2", "certified: placed items first"),
    BREADTH: ("#f77f00", "certified, breadth first"),
}
OURS = {"certified": "#0b6e4f", "certified (steady)": "#57b894"}
PEERS = {
    "random pairs + Bradley-Terry": "#8d99ae",
    "TrueSkill-style ratings": "#e09f3e",
    "information gain (ASAP-style)": "#9e2a2b",
    "Crowd-BT, active pairs": "#3a6ea5",
}
PAPER = {"ada-iir": "#5e548e", "two-stage": "#9f86c0", "iir": "#be95c4"}
MERGE, MERGE_COLOUR = "merge sort, k votes", "#6c757d"
LEAST = 0.0012  # tau distance drawn for an exact order


def draw(points: Sequence[Point], outcomes: Sequence[Outcome], path: Path) -> None:
    """One panel per world."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "axes.edgecolor": "#444444"})
    figure, panels = plt.subplots(1, 2, figsize=(11.5, 5.4), sharey=True, layout="constrained")
    for axes, world in zip(panels, TITLES, strict=True):
        _panel(axes, world, [p for p in points if p.world == world], [o for o in outcomes if o.world == world])
    panels[0].set_ylabel("pairs in the wrong order")
    figure.suptitle(
        "30 items, 12 weak and 6 strong judges: who gets the order right, and who knows when to stop",
        fontsize=12.5, fontweight="bold", x=0.01, ha="left",
    )  # fmt: skip
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, fontsize=8.6)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=160, facecolor="white")
    plt.close(figure)


def _panel(axes: object, world: str, points: Sequence[Point], outcomes: Sequence[Outcome]) -> None:
    ax = axes  # matplotlib has no types here
    for name, colour in PEERS.items():
        at, wrong = _curve([p for p in points if p.method == name])
        ax.plot(at, wrong, color=colour, lw=1.6, label=name)  # type: ignore[attr-defined]
    _merge_sorts(ax, points)
    for name, (colour, label) in GUESS.items():
        at, wrong = _curve([p for p in points if p.method == name])
        style = ":" if name == LIST else "-"
        ax.plot(at, wrong, style, color=colour, lw=2.4, label=label)  # type: ignore[attr-defined]
    for name, colour in OURS.items():
        at, wrong = _curve([p for p in points if p.method == name])
        ax.plot(at, wrong, color=colour, lw=2.6)  # type: ignore[attr-defined]
        _stop(ax, outcomes, name, colour, size=260, label=f"{name}: stops, with proof")
    for name, colour in PAPER.items():
        _stop(ax, outcomes, name, colour, size=110, label=f"{name}: stops by itself")
    ax.set_xscale("log")  # type: ignore[attr-defined]
    ax.set_yscale("log")  # type: ignore[attr-defined]
    ax.set_ylim(LEAST * 0.75, 0.6)  # type: ignore[attr-defined]
    ax.set_yticks([0.5, 0.1, 0.01, LEAST], ["50 %", "10 %", "1 %", "none"])  # type: ignore[attr-defined]
    ax.set_title(TITLES[world], fontsize=10.5, loc="left")  # type: ignore[attr-defined]
    ax.set_xlabel("questions asked")  # type: ignore[attr-defined]
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")  # type: ignore[attr-defined]
    ax.grid(True, which="major", color="#e6e6e6", lw=0.8)  # type: ignore[attr-defined]
    ax.spines[["top", "right"]].set_visible(False)  # type: ignore[attr-defined]
    ax.minorticks_off()  # type: ignore[attr-defined]


def _curve(points: Sequence[Point]) -> tuple[list[float], list[float]]:
    """Share of pairs in the wrong order, mean over runs; a run that has stopped stays where it was."""
    if not points:
        return [], []
    runs = sorted({p.run for p in points})
    paths = [sorted((p.questions, (1 - p.tau) / 2) for p in points if p.run == run) for run in runs]
    grid = np.geomspace(min(path[0][0] for path in paths), max(path[-1][0] for path in paths), 60)
    wrong = [np.mean([_at(path, q) for path in paths]) for q in grid]
    return list(grid), [max(float(value), LEAST) for value in wrong]


def _at(path: Sequence[tuple[int, float]], questions: float) -> float:
    before = [wrong for at, wrong in path if at <= questions]
    return before[-1] if before else path[0][1]


def _merge_sorts(ax: object, points: Sequence[Point]) -> None:
    ends: dict[str, list[Point]] = {}
    for point in points:
        if point.method.startswith("merge sort"):
            ends.setdefault(point.method, [])
            ends[point.method] = [p for p in ends[point.method] if p.run != point.run] + [point]
    at = [float(np.mean([p.questions for p in last])) for last in ends.values()]
    wrong = [max(float(np.mean([(1 - p.tau) / 2 for p in last])), LEAST) for last in ends.values()]
    ax.plot(at, wrong, "s--", color=MERGE_COLOUR, ms=4, lw=1, label=MERGE)  # type: ignore[attr-defined]


def _stop(ax: object, outcomes: Sequence[Outcome], name: str, colour: str, *, size: int, label: str) -> None:
    """A star where the method says that it is done."""
    stops = [o.stopped for o in outcomes if o.method == name and o.stopped is not None]
    wrong = [o for o in outcomes if o.method == name and not o.right]
    if stops:
        height = LEAST if not wrong else 0.004
        ax.scatter(  # type: ignore[attr-defined]
            [np.mean(stops)], [height], marker="*", s=size, color=colour, zorder=5, edgecolor="white", label=label,
            linewidth=0.8,
        )  # fmt: skip
