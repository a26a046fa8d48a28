"""What is claimed of a majority: of people like those who came, or of exactly these judges."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.statements.numbers import level_words
from juryrank.statements.promise import Promise

NOTHING = "Nothing is proven yet: the order so far is a best guess, without a promise."
NOT_THE_TRUTH = "This is about what most people would say, not about the truth."
COUNTED = "It is counted, not estimated, and says nothing about other judges or the truth."
OWN_NEITHER = "; two items are compared among people who own neither"


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePromise(Promise):
    """What most people would say. `promised`: is anything? `own`: some people passed over work of their own.

    `scores`: about shares of wins against a random other item, not pair by pair.

    >>> PeoplePromise(error=0.05, goal="ranges", promised=True).words[:45]
    'With probability at least 95 % all rank range'
    """

    goal: str  # ranges, tiers, best, top-3
    promised: bool
    scores: bool = False
    own: bool = False

    @property
    def words(self) -> str:
        if not self.promised:
            return NOTHING
        ranges = self.goal == "ranges"
        if self.scores:
            shown = "ranges of the ranks" if ranges else "lines between the ranks"
            return (
                f"{self.surely} all {shown} of scores hold at once and at every moment. An item's score is the "
                "share of comparisons with a random other item that a random person decides in its favour, "
                f"undecided ones counting half{OWN_NEITHER if self.own else ''}. {NOT_THE_TRUTH}"
            )
        if ranges:
            return (
                f"{self.surely} all rank ranges hold at once and at every moment. An item's rank is one plus the "
                "number of items that a majority prefers to it, for some way of breaking the population's exact "
                f"ties. {NOT_THE_TRUTH}"
            )
        k = 1 if self.goal == "best" else self.goal.removeprefix("top-")
        line = "a line" if self.goal == "tiers" else f"the line after rank {k}"
        return (
            f"{self.surely}, at every moment, each item above {line} is preferred by at least half of the people "
            f"to each item below it, pair by pair. {NOT_THE_TRUTH}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedPromise(Promise):
    """The majority of exactly these judges. `level`: how many of so many pairs tie, where no pair is settled.

    >>> CountedPromise(error=0.05, goal="best", judges=3, promised=True, level=(3, 3)).words[:75]
    'This is the majority of exactly these 3 judges: all 3 pairs are exact ties,'
    """

    goal: str  # order, best, top-3, ranges, tiers
    judges: int
    promised: bool
    level: tuple[int, int] | None = None

    @property
    def words(self) -> str:
        if not self.promised:
            return NOTHING
        alone, order = self.judges == 1, self.goal == "order"
        says = (
            "what exactly this one judge says" if alone else f"the majority of exactly these {self.judges} judges"
        )
        if self.level is not None:
            return f"This is {says}: {level_words(*self.level)}. {COUNTED}"
        which = "for settled neighbours in the order" if order else "for a settled pair"
        prefer = (
            "the judge prefers the first"
            if alone
            else "more than half of the judges who choose between the two prefer the first, whatever the others "
            "would still say"
        )
        whose = "judge's" if alone else "majority's"
        chain = f" Other pairs follow from these only if the {whose} preferences, ties included, contain no cycle."
        return f"This is {says}: {which}, {prefer}. {COUNTED}{chain if order else ''}"
