"""A plan as text, at 80 columns."""

from __future__ import annotations

import math
import textwrap

from juryrank.defaults import WIDTH
from juryrank.simulation.planning.plan import FORMULA, NEVER, Estimate, Plan


def plan_text(plan: Plan) -> str:
    """The table, the limit, and what to mind."""
    low, high = min(plan.accuracies), max(plan.accuracies)
    judges = f"{len(plan.judges)} judge{'s' if len(plan.judges) != 1 else ''}"
    least, most = f"{100 * low:.4g}%", f"{100 * high:.4g}%"
    spread = f"right {least} of the time" if low == high else f"right {least} to {most} of the time"
    lines = [*textwrap.wrap(expectation(plan), WIDTH), ""]
    lines += [f"{plan.items:,} items, {judges} {spread}, δ = {plan.error}", ""]
    paid = any(estimate.money is not None for estimate in plan.estimates)
    lines.append(_columns("ranker", "questions", "9 in 10 below", "money", "how", paid))
    lines += [_line(estimate, paid) for estimate in plan.estimates]
    lines.append(_columns("(limit)", _number(plan.limit), "", "", "the least possible", paid))
    for note in _notes(plan):
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _line(estimate: Estimate, paid: bool) -> str:
    money = "" if estimate.money is None else f"{estimate.money:,.2f}"
    most = "" if estimate.most is None else _number(estimate.most)
    return _columns(estimate.ranker, _number(estimate.questions), most, money, _how(estimate), paid)


def _columns(ranker: str, questions: str, most: str, money: str, how: str, paid: bool) -> str:
    return f"  {ranker:<17}{questions:>10}{most:>15}{f'{money:>11}' if paid else ''}  {how}"


def expectation(plan: Plan) -> str:
    """What to expect of the first ranker, in a sentence."""
    first = plan.estimates[0]
    if first.how == NEVER:
        return "No order can be proven: no judge is right more often than not."
    if first.how == FORMULA:
        return f"Expect about {_number(rounded(first.questions))} questions; that is an order of magnitude."
    money = "" if first.money is None else f" ({first.money:,.2f} in money)"
    within = "" if first.most is None else f"; in 9 of 10 runs fewer than {rounded(first.most, up=True):,.0f}"
    return f"Expect about {rounded(first.questions):,.0f} questions{money}{within}."


def rounded(value: float, *, up: bool = False) -> float:
    """Two digits are enough.

    >>> rounded(343.0), rounded(1021.0, up=True), rounded(7.0)
    (340.0, 1100.0, 7.0)
    """
    step = 10.0 ** max(0, math.floor(math.log10(max(value, 1))) - 1)
    return (math.ceil if up else round)(value / step) * step


def _how(estimate: Estimate) -> str:
    if estimate.how == NEVER:
        return "never: on average no better than chance"
    if estimate.how == FORMULA:
        return "formula, order of magnitude only"
    return f"simulated, {estimate.runs} run{'s' if estimate.runs != 1 else ''}"


def _number(value: float) -> str:
    """A whole number, or a power of ten where only the order of magnitude is known.

    >>> _number(1234.5), _number(3.21e13), _number(float("inf"))
    ('1,234', '3.2e+13', 'no end')
    """
    if value == float("inf"):
        return "no end"
    return f"{value:,.0f}" if value < 1e9 else f"{value:.1e}"


def _notes(plan: Plan) -> list[str]:
    notes = []
    if any(estimate.how == FORMULA for estimate in plan.estimates):
        notes.append(
            "A formula is the paper's, without its unknown constant factor: right in how it grows, not in size."
        )
    if plan.warning:
        notes.append(plan.warning)
    if plan.subset is not None and plan.subset < len(plan.judges):
        notes.append(f"A random subset of {plan.subset} such judges surely holds a good one (subset-two-stage).")
    notes.append(
        "All this is for judges whose every answer is drawn anew. "
        "For a panel of people: juryrank plan --people 40 --items 12"
    )
    return notes
