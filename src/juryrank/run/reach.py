"""Is a proof within reach of a budget? Where it hardly ever is, a best guess is worth more.

The ranker is played in advance, against judges as good as one may hope for: right nine times in ten. Where none of
twenty such plays proves anything within the budget, the chance is taken to be below 5 % (long plays are fewer, and
differ less from each other). Judges who never err play first, once: where they prove nothing, nobody else plays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.core import chance
from juryrank.rankers.choice import FOR_SHORT_BUDGETS
from juryrank.rankers.registry import make_ranker, ranker_class

PLENTY = 60  # questions per item: such judges prove any order with fewer
MOST_ITEMS = 300  # with more, nobody waits for the answer
HOPED_FOR = 0.9  # how often a good judge is right
PLAYS, LEAST_PLAYS = 20, 4
MOST_ASKED = 8_000  # questions in all plays together: a second or two
PLAY_STREAM = 31  # of chance
GUESS_REASON = (
    "Ranker '{guess}', without any promise: {questions} hardly {verb} {what} ({tried}), so each goes where it "
    "tells most. To prove something: a larger budget, or ranker='{name}'."
)
ORDER, ANYTHING = "the order of {items} items", "anything about {items} items"
NEVER = "a trial play with judges who never err did not"
HARDLY = "none of {plays} trial plays with judges who are right nine times in ten did"


def out_of_reach(
    name: str, options: Mapping[str, Any], *, items: int, judges: Sequence[str], error: float, budget: int | None
) -> str:
    """Why the ranker for short budgets is the better choice, in words; nothing where a proof may be had.

    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=1000)
    ''
    >>> out_of_reach("certified", {}, items=10, judges=["ann"], error=0.1, budget=20)[:41]
    "Ranker 'guess', without any promise: 20 q"
    """
    if budget is None or not 2 < items <= MOST_ITEMS or not 0 < budget < PLENTY * items or not judges:
        return ""

    def proves(accuracy: float, play: int) -> bool:
        ranker = make_ranker(name, range(items), judges=judges, error=error, budget=budget, seed=play, **options)
        return _proves(ranker, accuracy, play)

    plays = max(LEAST_PLAYS, min(PLAYS, MOST_ASKED // budget))
    if not proves(1.0, 0):
        tried = NEVER
    elif not any(proves(HOPED_FOR, play) for play in range(plays)):
        tried = HARDLY.format(plays=plays)
    else:
        return ""
    return GUESS_REASON.format(
        guess=FOR_SHORT_BUDGETS,
        questions="1 question" if budget == 1 else f"{budget:,} questions",
        verb="proves" if budget == 1 else "prove",
        what=(ORDER if ranker_class(name).true_order else ANYTHING).format(items=items),
        tried=tried,
        name=name,
    )


def _proves(ranker: Any, accuracy: float, play: int) -> bool:
    """Does it prove what was asked for within its budget? For people's opinions: does it prove anything at all?"""
    while (question := ranker.ask()) is not None:
        better, worse = sorted((question.left, question.right))
        right = chance.uniform(play, PLAY_STREAM, question.id) < accuracy
        ranker.tell(question, better if right else worse)
    found = ranker.ranking
    return bool(found.proven or (not ranker_class(ranker.name).true_order and any(x.settled for x in found.links)))
