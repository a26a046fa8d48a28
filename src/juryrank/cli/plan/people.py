"""`juryrank plan --people`: the forecast for a panel of people, as text at 80 columns."""

from __future__ import annotations

import textwrap

from juryrank.defaults import WIDTH
from juryrank.simulation.planning.people import PanelSize, PeoplePlan

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
        *textwrap.wrap(advice(plan), WIDTH),
        "",
        f"{plan.people:,} {_people(plan.people)}, {plan.items} items, {plan.sitting} questions each; goal "
        f"{plan.objective}, δ = {plan.error}",
        f"guess: {plan.majority:.0%} agree on a typical pair; {UNLIKE_WORDS[plan.unlike]}",
        "",
        f"  {'people':>8}{'pairs settled':>22}{'groups':>9}{'range':>9}{'best':>8}   {goal}",
    ]
    lines += [_line(size, plan) for size in plan.sizes]
    for note in _notes(plan):
        lines += ["", *textwrap.wrap(note, WIDTH)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def advice(plan: PeoplePlan) -> str:
    """What to expect of this many people, in a sentence or two."""
    if plan.people < plan.fewest:
        return (
            f"Too few: even if everybody agrees, at least {plan.fewest} people must answer the same pair before "
            "anything settles."
        )
    here = next(size for size in plan.sizes if size.people == plan.people)
    who = f"{plan.people:,} {_people(plan.people)}"
    if plan.objective == "ranges":
        return (
            f"Expect {who} to settle about {here.pairs:.0f} of {plan.pairs} pairs; an item's range is then about "
            f"{here.width:.0f} of {plan.items} ranks."
        )
    if here.reached < HARDLY:
        return (
            f"Expect {who} to leave the {plan.objective} open. To see what they do settle: --goal ranges; or ask "
            "about fewer items."
        )
    return f"Expect {who} to settle the {plan.objective} in about {here.reached:.0%} of such worlds."


def _people(count: int) -> str:
    return "person" if count == 1 else "people"


def _line(size: PanelSize, plan: PeoplePlan) -> str:
    pairs = f"{size.pairs:.0f} ({size.pairs_low:.0f}-{size.pairs_high:.0f}) of {plan.pairs}"
    mark = "  <" if size.people == plan.people else ""
    return (
        f"  {size.people:>8,}{pairs:>22}{size.groups:>9.1f}{size.width:>9.1f}{size.best:>8.0%}   "
        f"{size.reached:.0%} of worlds{mark}"
    )


def _notes(plan: PeoplePlan) -> list[str]:
    notes = []
    if plan.people >= plan.fewest:
        notes.append(f"The smallest panel that can settle anything at all: {plan.fewest} people who all agree.")
    if plan.fewest_objective > plan.fewest:
        notes.append(f"For this goal, with {plan.sitting} questions each: at least {plan.fewest_objective}.")
    if plan.items >= MANY_ITEMS:
        notes.append(
            f"With {MANY_ITEMS} items or more, comparing head to head settles little: take fewer items, or make "
            "the study with --set relation=field-share."
        )
    notes.append(
        f"Simulated on {plan.runs} worlds made from your guess; pairs with the middle 80 % of worlds. 'range' is "
        "how many ranks an item can still have, 'best' how often the best item is known; all as far as this "
        "goal's promise goes. Change the guess with --majority and --unlike."
    )
    return notes
