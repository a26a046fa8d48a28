"""Put measured tables into docs/certified-measured.md and benchmarks/NOTES.md: `python -m benchmarks.tables`.

What `benchmarks/results` has goes between `<!-- costs -->` and `<!-- /costs -->`; so for peers and the ablation.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PAGE, NOTES = ROOT / "docs" / "certified-measured.md", ROOT / "benchmarks" / "NOTES.md"
BOTH = ("steady", "better-than-chance")
WORLDS = ("steady", "gaps")
CAP = 10_000  # questions after which methods without a stopping rule are stopped
LEFT_OUT = tuple(f"merge sort, {votes} votes" for votes in (1, 3, 7, 31))


def costs() -> Iterator[str]:
    """Questions of the certified ranker beside the limit."""
    yield "| world | `steady`: questions / limit (worst cell) | `better-than-chance` | exact, worst cell |"
    yield "|---|---|---|---|"
    lines = (RESULTS / "certified.md").read_text(encoding="utf-8").splitlines()
    rows = [[part.strip() for part in line.strip("|").split("|")] for line in lines]
    found = {(row[0], row[1]): row for row in rows if len(row) > 5 and row[1] in BOTH}
    for world in dict.fromkeys(name for name, _ in found):
        cells = [found[world, assume] for assume in BOTH]
        several = "panels" in world
        said = [cell[2] + (f" ({cell[3]})" if several else "") for cell in cells]
        if world.startswith("BTL"):
            said = [f"{value} questions" for value in said]
        yield f"| {world} | {said[0]} | {said[1]} | {cells[0][5]}, {cells[1][5]} |"


def peers() -> Iterator[str]:
    """The race, one line per method."""
    heads = " | ".join(
        f"{world}: stops by itself at | exact then | exact first at (all-knowing)" for world in WORLDS
    )
    yield f"| method | runs | {heads} |"
    yield "|---|---|" + "---|---|---|" * len(WORLDS)
    with (RESULTS / "peers.csv").open(newline="", encoding="utf-8") as file:
        found = {(row["world"], row["method"]): row for row in csv.DictReader(file)}
    for method in dict.fromkeys(name for _, name in found):
        if method not in LEFT_OUT:
            rows = [found[world, method] for world in WORLDS]
            yield f"| {method} | {rows[0]['runs']} | " + " | ".join(map(_race, rows)) + " |"


def _race(row: dict[str, str]) -> str:
    stops = f"{float(row['stops']):,.0f}" if row["stops"] else "never"
    first = f"{float(row['to_exact']):,.0f}" if row["to_exact"] else f"not within {CAP:,}"
    return f"{stops} | {float(row['right']):.0%} | {first}"


def ablation() -> Iterator[str]:
    """What each heuristic saves."""
    from benchmarks.ablation.report import read, table

    yield table(read(RESULTS / "ablation.csv"), BOTH[::-1])


def with_table(text: str, name: str, lines: Iterator[str]) -> str:
    """The page with a table renewed."""
    block = f"<!-- {name} -->\n" + "\n".join(lines) + f"\n<!-- /{name} -->"
    return re.sub(rf"<!-- {name} -->.*?<!-- /{name} -->", lambda _: block, text, flags=re.S)


if __name__ == "__main__":
    for path, makers in ((PAGE, (costs, peers)), (NOTES, (ablation,))):
        page = path.read_text(encoding="utf-8")
        for make in makers:
            page = with_table(page, make.__name__, make())
        path.write_text(page, encoding="utf-8")
