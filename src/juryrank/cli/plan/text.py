"""What `juryrank plan` prints: about judges, about people, about cases."""

from __future__ import annotations

import math
import textwrap

from juryrank.defaults import WIDTH
from juryrank.report.words.formats import counted
from juryrank.report.words.jury import share_words
from juryrank.simulation.cases.plan import CaseLine, CasePlan
from juryrank.simulation.planning.people import PanelSize, PeoplePlan
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


# ----------------------------------------------------------------------------
# `juryrank plan --people`: the forecast for a panel of people, as text at 80 columns
HARDLY = 0.05  # of worlds: settled less often than this
MANY_ITEMS = 25  # from here on, few pairs get enough answers
WORDS = {
    "ranges": "all rank ranges shut",
    "tiers": "every line settled",
    "best": "the best one settled",
}
UNLIKE_WORDS = {
    "alike": "people who see the items the same way",
    "unequal": "people who tell items apart unequally well",
    "camps": "people in camps of different opinion",
}


def people_text(plan: PeoplePlan) -> str:
    """What such a panel settles, and the fewest people that can settle anything."""
    goal = WORDS.get(plan.objective, f"the {plan.objective} settled")
    lines = [
        f"{plan.people:,} {_people(plan.people)}, {plan.items} items, {plan.sitting} questions each; goal "
        f"{plan.objective}, δ = {plan.error}",
        f"guess: {plan.majority:.0%} agree on a typical pair; {UNLIKE_WORDS[plan.unlike]}",
        "",
        f"  {'people':>8}{'pairs settled':>22}{'groups':>9}{'range':>9}{'best':>8}   {goal}",
    ]
    lines += [_people_line(size, plan) for size in plan.sizes]
    for note in _people_notes(plan):
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _people(count: int) -> str:
    return "person" if count == 1 else "people"


def _people_line(size: PanelSize, plan: PeoplePlan) -> str:
    pairs = f"{size.pairs:.0f} ({size.pairs_low:.0f}-{size.pairs_high:.0f}) of {plan.pairs}"
    mark = "  <" if size.people == plan.people else ""
    return (
        f"  {size.people:>8,}{pairs:>22}{size.groups:>9.1f}{size.width:>9.1f}{size.best:>8.0%}   "
        f"{size.reached:.0%} of worlds{mark}"
    )


def _people_notes(plan: PeoplePlan) -> list[str]:
    notes = []
    if plan.people < plan.fewest:
        notes.append(
            f"Too few: even if everybody agrees, at least {plan.fewest} people must answer the same pair before "
            "anything settles."
        )
    else:
        notes.append(f"The smallest panel that can settle anything at all: {plan.fewest} people who all agree.")
    if plan.fewest_objective > plan.fewest:
        notes.append(f"For this goal, with {plan.sitting} questions each: at least {plan.fewest_objective}.")
    reached = max(size.reached for size in plan.sizes if size.people <= plan.people)
    if plan.objective != "ranges" and reached < HARDLY:
        notes.append(
            "This many people rarely settle it. To see what they do settle: --goal ranges; or ask about fewer "
            "items."
        )
    if plan.items >= MANY_ITEMS:
        notes.append(
            f"With {MANY_ITEMS} items or more head-to-head settles little: consider fewer items, or the panel's "
            "relation='field-share'."
        )
    notes.append(
        f"Simulated on {plan.runs} worlds made from your guess; pairs with the middle 80 % of worlds. 'range' is "
        "how many ranks an item can still have, 'best' how often the best item is known; all as far as this "
        "goal's promise goes. Change the guess with --majority and --unlike."
    )
    return notes


# ----------------------------------------------------------------------------
# A plan for systems on cases, as text


def cases_text(plan: CasePlan) -> str:
    """How many calls each objective takes, compared with the whole evaluation."""
    head = (
        f"{plan.systems:,} systems on {counted(plan.cases, 'case')}, {counted(plan.judges, 'judge')}, "
        f"δ = {plan.error}"
    )
    whole = f"The whole evaluation: {plan.whole:,} calls{_money(plan.whole_money)}."
    title = f"{'to prove':<10} {'resolution':>10} {'calls':>9} {'9 in 10 below':>14} {'of the whole':>13}"
    rows = [title + ("     money" if plan.whole_money is not None else "")]
    rows += [_case_row(line) for line in plan.lines]
    note = (
        f"Simulated, {counted(plan.runs, 'run')} each: systems, judges and cases made up (docs/systems.md). "
        "Systems closer to each other take more."
    )
    return "\n".join([*_wrap(_cases_expected(plan)), "", head, whole, "", *rows, "", *_wrap(note)]) + "\n"


def _cases_expected(plan: CasePlan) -> str:
    """What to expect of the first goal, in a sentence."""
    first = plan.lines[0]
    money = "" if first.money is None else f" ({first.money:,.2f} in money)"
    least = "about" if first.proven == 1 else "more than"
    goal = f"prove the {first.objective}" + (f" within {first.resolution:g}" if first.resolution else "")
    return (
        f"Expect {least} {rounded(first.calls):,.0f} calls{money} to {goal}; in 9 of 10 runs fewer than "
        f"{rounded(first.high, up=True):,.0f}."
    )


def _case_row(line: CaseLine) -> str:
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
