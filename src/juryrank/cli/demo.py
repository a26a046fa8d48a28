"""`juryrank demo`: a simulated jury ranks forty worlds by size, live, and the saving is counted."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any

import typer

from juryrank.cli.common import Error, Json, Seed, console, emit_json, program
from juryrank.defaults import DEFAULT_ERROR, WIDTH
from juryrank.errors import need_extra
from juryrank.statements import sure_of
from juryrank.theory import information_limit
from juryrank.types import Answer, Item, JudgeReport, Ranking

# Largest first, by mean diameter; where measurements differ, a common figure was taken.
WORLDS = (
    "Jupiter", "Saturn", "Uranus", "Neptune", "Earth", "Venus", "Mars", "Ganymede", "Titan", "Mercury",
    "Callisto", "Io", "Moon", "Europa", "Triton", "Pluto", "Eris", "Titania", "Rhea", "Oberon",
    "Iapetus", "Makemake", "Gonggong", "Charon", "Umbriel", "Ariel", "Dione", "Quaoar", "Tethys", "Sedna",
    "Ceres", "Orcus", "Salacia", "Vesta", "Pallas", "Enceladus", "Miranda", "Hygiea", "Proteus", "Mimas",
)  # fmt: skip
JURY = {
    "Ada": 0.95, "Basil": 0.9, "Clara": 0.85, "Dunya": 0.8, "Emil": 0.75, "Farah": 0.7, "Goran": 0.65,
    "Hana": 0.6, "Ivo": 0.55,
}  # fmt: skip
YARDSTICKS = {
    "oracle": "told beforehand who is best",
    "ada-iir": "the paper's: drops judges on the way",
    "iir": "non-adaptive: asks everybody alike",
}
ANSWERS_A_SECOND = 200  # on a terminal, so that there is something to watch

HELP = """Watch a simulated jury rank forty worlds by size.

Nine judges are right between 55 and 95 % of the time; juryrank is not told
who is who. It finds out whom to ask, settles the whole order, and stops. Then
it says whether the order is exact, how many questions other rankers needed
in the same world, and checks its own certificate from the raw answers.

[bold]Examples[/bold]

  juryrank demo
  juryrank demo --seed 7 --error 0.01 --out result.json --report report.html
  juryrank demo --ranker ada-iir --pace 0
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", help=HELP)(demo)


def demo(
    ranker: Annotated[
        str | None, typer.Option(help="The ranker; by default the one for judges who answer afresh.")
    ] = None,
    delta: Error = DEFAULT_ERROR,
    seed: Seed = 1,
    pace: Annotated[
        float | None, typer.Option(help="Answers per second (0: no limit); default 200 on a terminal.")
    ] = None,
    as_json: Json = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the certificate here, for `juryrank verify`.")
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Write the report here: one page, opens offline.")] = None,
) -> None:
    if not as_json:  # at once: a first start may take seconds to import the rest
        typer.echo(f"Nine simulated judges rank {len(WORLDS)} worlds by size ...", err=True)
    from juryrank.cli import EXIT_DONE, EXIT_NOT_CERTIFIED

    if report is not None:  # before the show, not after it
        need_extra("jinja2", extra="report", what="the HTML report")
    screen = console(stderr=True)
    result = _rank(screen, ranker, delta, seed, pace, quiet=as_json)
    exact = result.order == WORLDS
    with _busy(screen, "Other rankers in the same world, for comparison ...", quiet=as_json):
        compared = compare(delta=delta, seed=seed, skip=result.ranker)
    if as_json:
        emit_json({"exact": exact, "compared": compared, "true_accuracies": JURY, **result.to_dict()})
    else:
        wrong = majority_wrong(seed)
        typer.echo(demo_text(result, exact=exact, compared=compared, accuracies=JURY, once=wrong), nl=False)
    with _busy(screen, "Checking the certificate ...", quiet=as_json):
        document = result.certificate()
        checked = "" if as_json else recheck_line(document)
    if checked:
        typer.echo(f"\n{checked}")
    with _busy(screen, "Writing ...", quiet=report is None):
        write_down(document, out, report, screen)
    raise typer.Exit(EXIT_DONE if result.certified else EXIT_NOT_CERTIFIED)


def _busy(screen: Any, words: str, *, quiet: bool) -> AbstractContextManager[Any]:
    """What is being done, while it takes seconds, on a terminal."""
    return nullcontext() if quiet or not screen.is_terminal else screen.status(words)


def recheck_line(document: dict[str, Any]) -> str:
    """What the independent checker says of the certificate."""
    from juryrank.verify import verify

    checked = verify(document)
    if not checked.true:
        return "Re-checked from the raw answers: FALSE. Please report it: this must never happen."
    proven = "true, and proven" if checked.proven else "true, but not proven"
    return f"Re-checked from {len(document['events']):,} raw events by independent code: {proven}."


def write_down(document: dict[str, Any], out: Path | None, report: Path | None, screen: Any) -> None:
    """The certificate and the report, where they were asked for, and what to type next."""
    from juryrank.cli.study.votes import write_out

    if out is not None:
        write_out(json.dumps(document).encode(), out)
        screen.print(f"The certificate: {out}   ({program()} verify {out})", markup=False, soft_wrap=True)
    if report is not None:
        from juryrank.report import certificate_report

        write_out(certificate_report(document, title="Worlds by size").encode(), report)
        screen.print(f"The report:      {report}", markup=False, soft_wrap=True)
    if out is not None:
        screen.print(
            f"Your own things: {program()} rank things.txt   (one per line)", markup=False, soft_wrap=True
        )


def _rank(screen: Any, ranker: str | None, delta: float, seed: int, pace: float | None, *, quiet: bool) -> Ranking:
    from juryrank.core.chance import shuffled
    from juryrank.judges import simulated
    from juryrank.run.display import ProgressDisplay
    from juryrank.run.rank import rank

    if pace is None:  # the yardsticks ask hundreds of times more: nobody would wait for them
        pace = ANSWERS_A_SECOND if screen.is_terminal and not quiet and ranker not in YARDSTICKS else 0
    judges = {name: paced(judge, pace) for name, judge in simulated(WORLDS, JURY, seed=seed).items()}
    with ProgressDisplay(screen, quiet=quiet, transient=True) as show:
        things = shuffled(WORLDS, seed, 0)
        about = None if ranker else "truth"
        return rank(things, judges, about=about, ranker=ranker, fresh=True, error=delta, seed=seed, progress=show)


def paced(judge: Callable[[Item, Item], Answer], pace: float) -> Callable[[Item, Item], Answer]:
    """The same judge, limited to `pace` answers per second."""

    def slowly(left: Item, right: Item) -> Answer:
        time.sleep(1 / pace)
        return judge(left, right)

    return slowly if pace > 0 else judge


def majority_wrong(seed: int) -> tuple[int, int]:
    """Everybody is asked everything once: the questions that takes, and the pairs that the majority gets wrong."""
    from juryrank.judges import simulated

    judges = simulated(WORLDS, JURY, seed=seed).values()
    pairs = list(combinations(WORLDS, 2))
    wrong = sum(2 * sum(judge(*pair) == pair[0] for judge in judges) < len(JURY) for pair in pairs)
    return len(JURY) * len(pairs), wrong


def compare(*, delta: float, seed: int, skip: str = "") -> dict[str, int]:
    """Questions that other rankers need in the same world (played without compiling, which would take longer)."""
    from juryrank.core.compiling import without_compiling
    from juryrank.simulation import Bernoulli, play

    world = Bernoulli(tuple(JURY.values()))
    with without_compiling():
        return {
            name: play(name, world, items=len(WORLDS), seed=seed, error=delta).questions
            for name in YARDSTICKS
            if name != skip
        }


# ----------------------------------------------------------------------------
# What the demonstration says when it is over, at 80 columns
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


COLUMNS = 4  # of the order


def order_lines(result: Ranking) -> list[str]:
    """The order in columns, read downwards."""
    depth = -(-len(result.order) // COLUMNS)
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
