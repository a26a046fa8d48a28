"""The figures at the top of a dashboard: answers, what is settled, what remains, judges, money."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.report.words.formats import counted
from juryrank.study import StudyProgress


@dataclass(frozen=True, slots=True)
class Tile:
    """One figure at the top."""

    name: str
    value: str
    more: str = ""


def tiles_of(progress: StudyProgress, *, people: bool) -> list[Tile]:
    """The figures of one moment; one that says nothing is left out."""
    p, answering = progress.progress, sum(row.open > 0 for row in progress.judges)
    tiles = [
        Tile("Answers", f"{progress.answers:,}", f"{p.open} open" if p.open else ""),
        Tile("Settled", f"{p.settled} of {p.links}", p.phase),
        Tile("To go", *_to_go(progress, people=people)),
        Tile("Judges", f"{p.judges:,}", f"{answering} answering now" if answering else "nobody answering now"),
    ]
    if progress.late:
        tiles.append(Tile("Late answers", f"{progress.late:,}", "kept, not counted"))
    if progress.model_cost:
        tiles.append(Tile("Models cost", f"{progress.model_cost:.4g}"))
    if p.cost and p.cost != p.questions:
        tiles.append(Tile("Cost", f"{p.cost:,.2f}"))
    return tiles


def _to_go(progress: StudyProgress, *, people: bool) -> tuple[str, str]:
    p = progress.progress
    if progress.state == "done":
        return "none", "finished"
    if p.expected is None and people:
        return counted(p.links - p.settled, "pair"), ""
    if p.expected is None:
        return "unknown", "too early to say"
    left, low, high = (
        None if value is None else max(0, round(value - p.questions))
        for value in (p.expected, p.expected_low, p.expected_high)
    )
    between = f"{low:,} to {high:,}" if low is not None and high is not None else ""
    return f"about {left:,}", between or "questions"
