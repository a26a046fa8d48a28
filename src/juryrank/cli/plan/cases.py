"""A plan for systems on cases, as text."""

from __future__ import annotations

from juryrank.cli.plan.text import rounded
from juryrank.defaults import WIDTH
from juryrank.report.words.formats import wrap
from juryrank.report.words.jury import share_words
from juryrank.simulation.planning.cases import QUICK_BUDGET, CaseLine, CasePlan
from juryrank.statements.numbers import number_of

HALF = 0.5


def beginning(plan: CasePlan) -> str:
    """What to expect, and the table up to its first line."""
    head = (
        f"{plan.systems:,} systems on {number_of(plan.cases, 'case')}, {number_of(plan.judges, 'judge')}, "
        f"δ = {plan.error}"
    )
    whole = f"The whole evaluation: {plan.whole:,} calls{_money(plan.whole_money)}."
    title = f"{'to prove':<10} {'within':>10} {'calls':>9} {'9 in 10 below':>14} {'of the whole':>13}"
    title += "     money" if plan.whole_money is not None else ""
    return "\n".join([*wrap(expectation(plan), WIDTH), "", head, whole, "", title, row(plan, plan.lines[0])])


def ending(plan: CasePlan) -> str:
    """How the numbers were made."""
    note = (
        f"Calls: the median of {number_of(plan.runs, 'simulated run')}, with systems, judges and cases made up "
        "(docs/systems.md). Systems closer to each other take more."
    )
    return "\n".join(["", *wrap(note, WIDTH)])


def expectation(plan: CasePlan) -> str:
    """What to expect of the first goal, in a sentence."""
    first = plan.lines[0]
    money = "" if first.money is None else f" ({first.money:,.2f} in money)"
    least = "more than" if _cut(plan, first) >= HALF else "about"
    goal = f"prove the {first.objective}" + (f" within {first.resolution:g}" if first.resolution else "")
    return (
        f"Expect {least} {rounded(first.calls):,.0f} calls{money} to {goal}; in 9 of 10 runs fewer than "
        f"{rounded(first.high, up=True):,.0f}."
    )


def row(plan: CasePlan, line: CaseLine) -> str:
    """One line of the table."""
    calls = f"{'>' if _cut(plan, line) >= HALF else ''}{line.calls:,.0f}"  # a median
    high = f"{'>' if _cut(plan, line) else ''}{line.high:,.0f}"
    money = "" if line.money is None else f" {line.money:>9,.2f}"
    return (
        f"{line.objective:<10} {line.resolution:>10g} {calls:>9} {high:>14} {share_words(line.share):>13}{money}"
    )


def _cut(plan: CasePlan, line: CaseLine) -> float:
    """The share of the runs that may have been cut short; a run that asked everything was not."""
    return 0.0 if plan.whole <= QUICK_BUDGET else 1 - line.proven


def _money(amount: float | None) -> str:
    return "" if amount is None else f", {amount:,.2f} at your prices"
