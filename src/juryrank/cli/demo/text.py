"""What the demonstration says when it is over, at 80 columns."""

from __future__ import annotations

from collections.abc import Mapping

from juryrank.defaults import WIDTH
from juryrank.statements import sure_of
from juryrank.theory import information_limit
from juryrank.types import JudgeReport, Ranking

WORTH_SAYING = 2  # times fewer questions


def demo_text(
    result: Ranking,
    *,
    exact: bool,
    compared: Mapping[str, int],
    accuracies: Mapping[str, float],
    once: tuple[int, int] | None = None,
) -> str:
    """The order, the judges, whether it is exact, and the saving."""
    parts = [
        order_lines(result),
        judge_lines(result.judges, accuracies),
        verdict_lines(result, exact),
        saving_lines(result, compared, max(accuracies.values()), once),
    ]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def order_lines(result: Ranking, *, columns: int = 4) -> list[str]:
    """The order in columns, read downwards."""
    depth = -(-len(result.order) // columns)
    cells = [f"{k:>3} {item!s:<14}" for k, item in enumerate(result.order, start=1)]
    lines = ["".join(cells[row::depth]).rstrip() for row in range(depth)]
    return ["The order, best first", *lines]


def judge_lines(judges: tuple[JudgeReport, ...], accuracies: Mapping[str, float]) -> list[str]:
    """Estimates beside the truth, which only the simulation knows."""
    lines = ["Judges     answers   estimated accuracy    true"]
    for judge in judges:
        estimate = "-" if judge.accuracy is None else f"{judge.accuracy:4.0%}"
        interval = "" if judge.low is None or judge.high is None else f"({judge.low:.0%} to {judge.high:.0%})"
        true = f"{accuracies[str(judge.name)]:.0%}"
        lead = f"  {judge.name!s:<8} {judge.answered:>7,}   {estimate:>4} {interval:<15}  {true:>4}"
        lines.append(f"{lead}  {note(judge)}"[:WIDTH])
    return [line.rstrip() for line in lines]


def note(judge: JudgeReport) -> str:
    """Kept, seldom asked or dropped, and when.

    >>> note(JudgeReport("ann", 9, 9, 7.0, 0.78, 0.5, 0.934, False, dropped_at=1200, note="dropped: worse"))
    'dropped at question 1,200'
    """
    if judge.dropped_at is None:
        return judge.note
    return f"{judge.note.partition(':')[0]} at question {judge.dropped_at:,}"


def verdict_lines(result: Ranking, exact: bool) -> list[str]:
    """What is promised, and whether it is true."""
    right = "It is: every item is in its true place." if exact else "It is not: some items are out of place."
    if result.certified:
        promise = f"Promised: the whole order, with probability at least {sure_of(result.error)}."
    else:
        promise = "Nothing is promised: " + (" ".join(result.warnings) or "the ranker was stopped.")
    return [promise, right]


def saving_lines(
    result: Ranking, compared: Mapping[str, int], best: float, once: tuple[int, int] | None = None
) -> list[str]:
    """Questions used here and by other rankers, and the theoretical limit.

    `once`: what it takes to ask everybody everything once, and how many pairs are then wrong.
    """
    from juryrank.cli.demo.command import YARDSTICKS

    lines = ["Questions for the same promise in the same world"]
    lines.append(f"  {result.ranker:<12} {result.questions:>9,}  this run")
    lines += [f"  {name:<12} {questions:>9,}  {YARDSTICKS[name]}" for name, questions in compared.items()]
    limit = information_limit(len(result.order), best)
    lines.append(f"  {'(limit)':<12} {limit:>9,.0f}  the least possible, were the best judge known")
    saving = compared["iir"] / result.questions if "iir" in compared and result.questions else 0
    if saving >= WORTH_SAYING:
        lines.append(f"That is {saving:,.0f} times fewer than asking everybody alike.")
    if once is not None:
        questions, wrong = once
        lines += [
            f"Asking everybody about every pair once takes {questions:,} questions and proves nothing:",
            f"here the majority is wrong about {wrong} pairs, and nobody knows which.",
        ]
    return lines
