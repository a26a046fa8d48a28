"""`juryrank simulate --ranker jury`: simulated evaluations of systems on cases."""

from __future__ import annotations

from juryrank.cli.common import console, emit_json
from juryrank.cli.rank import number_or_word


def simulate_on_cases(
    systems: int,
    judges: int,
    cases: int,
    *,
    objective: str,
    resolution: str,
    delta: float,
    repeats: int,
    seed: int,
    parallel: int,
    budget: int | None,
    as_json: bool,
) -> None:
    """Play, and show the outcome."""
    from rich.table import Table

    from juryrank.cli.bars import bar
    from juryrank.report.words.jury import share_words
    from juryrank.simulation.cases import CaseWorld, simulate_cases

    world = CaseWorld(systems=systems, judges=judges, cases=cases)
    with bar("playing", total=max(repeats, 0), quiet=as_json) as advance:
        found = simulate_cases(
            world, objective=objective, resolution=number_or_word(resolution) or 0.0, error=delta, repeats=repeats,
            seed=seed, parallel=parallel, budget=budget, progress=advance,
        )  # fmt: skip
    if as_json:
        emit_json(found.to_dict())
        return
    table = Table(title=f"jury: {systems} systems, {judges} judges, {cases} cases, {repeats} runs")
    table.add_column("")
    table.add_column("mean", justify="right")
    table.add_column("± std", justify="right")
    table.add_row("calls", f"{found.calls_mean:,.1f}", f"{found.calls_std:,.1f}")
    table.add_row("  of the whole evaluation", share_words(found.calls_mean / found.whole), f"of {found.whole:,}")
    table.add_row(f"{objective} proven at {resolution}", f"{found.proven_rate:.1%}", "")
    table.add_row(f"false statements (δ = {delta})", f"{found.false_rate:.1%}", "")
    table.add_row("attempts", f"{found.attempts_mean:.2f}", "")
    table.caption = f"{found.seconds:.1f} s"
    console().print(table)
