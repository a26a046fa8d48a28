"""What a panel may say, in exact words: the checker's own."""

from __future__ import annotations

from juryrank.statements import sure_of
from juryrank.verify.panel.options import ORDER, RANGES, TIERS, PanelOptions

NOTHING = "Nothing is proven yet: the order so far is a best guess, without a promise."
NOT_THE_TRUTH = "This is about what most people would say, not about the truth."


def statement(
    options: PanelOptions,
    *,
    error: float,
    judges: int,
    promised: bool = True,
    own: bool = False,
    level: str = "",
) -> str:
    """The promise; `promised`: is there any? `own`: some people passed over work of their own.

    `level`: what a count says that settles no pair.
    """
    if not promised:
        return NOTHING
    if options.about == "panel":
        return _about_these_judges(options, judges, level)
    sure = f"With probability at least {sure_of(error)}"
    if options.scores:
        shown = "ranges of the ranks" if options.objective == RANGES else "lines between the ranks"
        neither = "; two items are compared among people who own neither" if own else ""
        return (
            f"{sure} all {shown} of scores hold at once and at every moment. An item's score is the share of "
            "comparisons with a random other item that a random person decides in its favour, undecided ones "
            f"counting half{neither}. {NOT_THE_TRUTH}"
        )
    if options.objective == RANGES:
        return (
            f"{sure} all rank ranges hold at once and at every moment. An item's rank is one plus the number of "
            "items that a majority prefers to it, for some way of breaking the population's exact ties. "
            f"{NOT_THE_TRUTH}"
        )
    line = "a line" if options.objective == TIERS else f"the line after rank {options.k}"
    return (
        f"{sure}, at every moment, each item above {line} is preferred by at least half of the people to each "
        f"item below it, pair by pair. {NOT_THE_TRUTH}"
    )


def _about_these_judges(options: PanelOptions, judges: int, level: str) -> str:
    if level:
        whose = (
            "what exactly this one judge says" if judges == 1 else f"the majority of exactly these {judges} judges"
        )
        counted = "It is counted, not estimated, and says nothing about other judges or the truth."
        return f"This is {whose}: {level}. {counted}"
    return _alone(options.objective) if judges == 1 else _several(options.objective, judges)


def _which(objective: str) -> str:
    return "of settled neighbours in the order" if objective == ORDER else "where a pair is settled"


def _alone(objective: str) -> str:
    chain = " Other pairs follow from these only if the judge's preferences, ties included, contain no cycle."
    return (
        f"This is what exactly this one judge says: {_which(objective)}, the judge prefers the first. It is "
        "counted, not estimated, and says nothing about other judges or the truth."
        + (chain if objective == ORDER else "")
    )


def _several(objective: str, judges: int) -> str:
    chain = " Other pairs follow from these only if the majority's preferences, ties included, contain no cycle."
    return (
        f"This is the majority of exactly these {judges} judges: {_which(objective)}, more than half of those of "
        "them who choose between the two prefer the first, whatever the others would still say. It is counted, "
        "not estimated, and says nothing about other judges or the truth." + (chain if objective == ORDER else "")
    )
