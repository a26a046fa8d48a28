"""A plan for systems on cases, as text."""

from __future__ import annotations

from juryrank.cli.plan.text import rounded
from juryrank.report.words.formats import counted
from juryrank.report.words.jury import share_words
from juryrank.simulation.planning.cases import CaseLine, CasePlan


def cases_text(plan: CasePlan) -> str:
    """How many calls each objective takes, compared with the whole evaluation."""
    head = (
        f"{plan.systems:,} systems on {counted(plan.cases, 'case')}, {counted(plan.judges, 'judge')}, "
        f"δ = {plan.error}"
    )
    whole = f"The whole evaluation: {plan.whole:,} calls{_money(plan.whole_money)}."
    title = f"{'to prove':<10} {'resolution':>10} {'calls':>9} {'9 in 10 below':>14} {'of the whole':>13}"
    rows = [title + ("     money" if plan.whole_money is not None else "")]
    rows += [_row(line) for line in plan.lines]
    note = (
        f"Simulated, {counted(plan.runs, 'run')} each: systems, judges and cases made up (docs/systems.md). "
        "Systems closer to each other take more."
    )
    return "\n".join([*_wrap(expectation(plan)), "", head, whole, "", *rows, "", *_wrap(note)]) + "\n"


def expectation(plan: CasePlan) -> str:
    """What to expect of the first goal, in a sentence."""
    first = plan.lines[0]
    money = "" if first.money is None else f" ({first.money:,.2f} in money)"
    least = "about" if first.proven == 1 else "more than"
    goal = f"prove the {first.objective}" + (f" within {first.resolution:g}" if first.resolution else "")
    return (
        f"Expect {least} {rounded(first.calls):,.0f} calls{money} to {goal}; in 9 of 10 runs fewer than "
        f"{rounded(first.high, up=True):,.0f}."
    )


def _row(line: CaseLine) -> str:
    more = "" if line.proven == 1 else ">"
    calls, high = f"{more}{line.calls:,.0f}", f"{more}{line.high:,.0f}"
    money = "" if line.money is None else f" {line.money:>9,.2f}"
    return (
        f"{line.objective:<10} {line.resolution:>10g} {calls:>9} {high:>14} {share_words(line.share):>13}{money}"
    )


def _money(amount: float | None) -> str:
    return "" if amount is None else f", {amount:,.2f} at your prices"


def _wrap(text: str) -> list[str]:
    from juryrank.report.words.formats import wrap

    return wrap(text, 80)
