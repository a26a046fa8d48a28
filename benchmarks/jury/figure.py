"""The figure of docs/systems.md, from benchmarks/results/jury.json: `python -m benchmarks.jury.figure`."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "jury.json"
TARGET = ROOT / "docs" / "images" / "jury-calls.svg"
SERIES = (
    ("whole", "whole table", "#c9ced6"),
    ("random", "random questions", "#8fa3bf"),
    ("ours", "juryrank", "#1f6feb"),
)


def main() -> None:
    rows = json.loads(RESULTS.read_text(encoding="utf-8"))["figure"]
    plt.rcParams.update(
        {"font.family": "DejaVu Sans", "font.size": 9, "svg.hashsalt": "juryrank", "svg.fonttype": "none"}
    )
    figure, axes = plt.subplots(figsize=(7.2, 3.6))
    for at, row in enumerate(rows):
        for shift, (name, _, colour) in enumerate(SERIES):
            y = at + 0.27 * (shift - 1)
            axes.barh(y, row[name], height=0.25, color=colour)
            axes.text(row[name] * 1.06, y, f"{row[name]:,.0f}", va="center", fontsize=7.5, color="#444")
    axes.set_yticks(range(len(rows)), [row["label"] for row in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(30, 250_000)
    axes.set_xlabel("calls until proven (δ = .05, logarithmic)")
    axes.spines[["top", "right"]].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=colour) for _, _, colour in SERIES]
    axes.legend(handles, [label for _, label, _ in SERIES], loc="lower right", frameon=False, fontsize=8)
    figure.tight_layout()
    figure.savefig(TARGET, metadata={"Date": None})
    print(f"wrote {TARGET.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
