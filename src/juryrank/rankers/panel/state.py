"""What a panel knows: its options, who is here, the sittings and what is counted. Its parts share this alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective, check_top
from juryrank.defaults import FIELD_SHARE_ITEMS, SEVERAL_UP_TO, TABLES_UP_TO
from juryrank.errors import BadInput
from juryrank.rankers.contract.roster import SharedState
from juryrank.rankers.panel.core.counting import BySittings, Counting
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.sittings import Given, Sittings
from juryrank.rankers.panel.large.ballot import LargeBallot
from juryrank.rankers.panel.large.judges import LargeJudges
from juryrank.rankers.panel.view import PanelView
from juryrank.types import Question

# ----------------------------------------------------------------------------
# A panel's options: which go together, and the way of counting that they choose


@dataclass(frozen=True, slots=True)
class PanelOptions:
    """What was asked for, read: see `juryrank.options`."""

    objective: Objective
    k: int | None
    about: str
    relation: str
    sitting: int  # questions per person
    joining: bool
    beyond: int  # places of a person's list after those: asked of whoever goes on, for estimates only
    spread: bool  # every item heard of early, none in more than a third of a sitting, in random order

    def check(self, *, items: int, judges: int) -> None:
        """Refuse what cannot be, in words."""
        if self.about == "panel" and not judges:
            raise BadInput("the majority of exactly these judges is counted: name all of them at the start")
        if self.about != "panel" and self.objective is Objective.ORDER:
            raise BadInput(
                "objective='order' is counted, for a fixed list of judges (about='panel'); for people use "
                "objective='ranges', which leaves an order where it settles one"
            )
        if self.relation == "field-share" and self.about == "panel":
            raise BadInput(
                "field-share compares scores in a population: use it with about='population' and the objective "
                "ranges, tiers, best or top-k"
            )
        if self.relation == "field-share" and items > FIELD_SHARE_ITEMS:
            raise BadInput(
                f"field-share weighs every two scores against each other, which {items:,} items have too many of: "
                f"give at most {FIELD_SHARE_ITEMS:,}, or leave relation out (head-to-head takes many items)"
            )
        check_top(self.k, items)

    def new_count(
        self, items: int, judges: int, *, error: float, seed: int, large: bool | None = None
    ) -> Counting | LargeBallot | LargeJudges:
        """Empty tallies for these options; `large`: without tables of all pairs (None: where there are many)."""
        if large is None:
            several = self.about == "panel" and judges > 1
            large = items > (SEVERAL_UP_TO if several else TABLES_UP_TO) and self.relation != "field-share"
        if self.about == "panel":
            if large:
                return LargeJudges(items, judges=judges, objective=self.objective, k=self.k, seed=seed)
            return FixedJudges(items, judges=judges, objective=self.objective, k=self.k)
        shared: dict[str, Any] = {
            "error": error,
            "objective": self.objective,
            "k": self.k,
            "joining": self.joining,
        }
        if self.relation == "field-share":
            return FieldShare(items, **shared, size=self.sitting)
        if large:
            return LargeBallot(items, **shared)
        return HeadToHead(items, **shared, spread=self.spread or self.beyond > 0)


# ----------------------------------------------------------------------------
# What a panel knows: its options, who is here, the sittings and what is counted. Its parts share this alone
T = TypeVar("T")


@dataclass(slots=True)
class PanelState(SharedState):
    """`version` moves whenever something is counted; `cached` values follow from what is counted."""

    options: PanelOptions
    count: Counting | LargeBallot | LargeJudges
    book: Sittings = field(default_factory=Sittings)
    ties: int = 0
    skips: int = 0
    foreign: set[int] = field(default_factory=set)  # questions that belong to no plan of this ranker
    withdrawn: set[int] = field(default_factory=set)  # items that nobody is asked about any more
    owns: dict[int, frozenset[int]] = field(default_factory=dict)  # own work of people who begin now
    version: int = 0
    cache: dict[str, tuple[int, Any]] = field(default_factory=dict)

    @property
    def counted(self) -> Counting:
        """What is counted, where there are tables of all pairs."""
        assert isinstance(self.count, Counting)
        return self.count

    @property
    def large(self) -> LargeBallot | LargeJudges | None:
        """What is counted, where there are too many items for such tables."""
        return None if isinstance(self.count, Counting) else self.count

    @property
    def jury(self) -> FixedJudges | LargeJudges:
        """What is counted of a fixed list of judges."""
        assert isinstance(self.count, FixedJudges | LargeJudges)
        return self.count

    @property
    def by_sittings(self) -> BySittings | LargeBallot:
        """What is counted, where people come in sittings."""
        assert isinstance(self.count, BySittings | LargeBallot)
        return self.count

    @property
    def people(self) -> int:
        """How many people have given a counted answer (ties and skips included)."""
        if self.options.about == "panel":
            return sum(answered > 0 for answered in self.roster.answered)
        heard = (sitting.given.values() for sitting in self.book.counted_sittings())
        return sum(any(given is not Given.EXPIRED for given in said) for said in heard)

    def by_item(self) -> NDArray[np.int64]:
        """How many places of all plans each item has."""
        return np.array([self.book.places[x] for x in range(len(self.items))], dtype=np.int64)

    def indices(self, question: Question) -> tuple[int, int, int]:
        """Judge, left and right by number."""
        return (
            self.roster.judge(question.judge),
            self.roster.item(question.left),
            self.roster.item(question.right),
        )

    def view(self) -> PanelView:
        """Everything that follows from what is counted."""
        return self.cached("view", lambda: PanelView.of(self.counted, self.book))

    def finished(self) -> bool:
        """Is what was asked for settled?"""
        return self.cached("finished", self.count.finished)

    def cached(self, what: str, make: Callable[[], T]) -> T:
        """What follows from the counted answers, made once for each state of them."""
        if self.cache.get(what, (-1, None))[0] != self.version:
            self.cache[what] = (self.version, make())
        made: T = self.cache[what][1]
        return made
