"""What a panel knows: its options, who is here, the sittings and what is counted. Its parts share this alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from juryrank.rankers.contract.shared_state import SharedState
from juryrank.rankers.panel.core.counting import BySittings, Counting
from juryrank.rankers.panel.core.sittings import Given, Sittings
from juryrank.rankers.panel.options import PanelOptions
from juryrank.rankers.panel.view import PanelView
from juryrank.types import Question

T = TypeVar("T")


@dataclass(slots=True)
class PanelState(SharedState):
    """`version` moves whenever something is counted; `cached` values follow from what is counted."""

    options: PanelOptions
    counted: Counting
    book: Sittings = field(default_factory=Sittings)
    ties: int = 0
    skips: int = 0
    foreign: set[int] = field(default_factory=set)  # questions that belong to no plan of this ranker
    withdrawn: set[int] = field(default_factory=set)  # items that nobody is asked about any more
    owns: dict[int, frozenset[int]] = field(default_factory=dict)  # own work of people who begin now
    version: int = 0
    cache: dict[str, tuple[int, Any]] = field(default_factory=dict)

    @property
    def by_sittings(self) -> BySittings:
        """What is counted, where people come in sittings."""
        assert isinstance(self.counted, BySittings)
        return self.counted

    @property
    def people(self) -> int:
        """How many people have given a counted answer (ties and skips included)."""
        if self.options.about == "panel":
            return sum(answered > 0 for answered in self.roster.answered)
        heard = (sitting.given.values() for sitting in self.book.counted_sittings())
        return sum(any(given is not Given.EXPIRED for given in said) for said in heard)

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
        return self.cached("finished", self.counted.finished)

    def cached(self, what: str, make: Callable[[], T]) -> T:
        """What follows from the counted answers, made once for each state of them."""
        if self.cache.get(what, (-1, None))[0] != self.version:
            self.cache[what] = (self.version, make())
        made: T = self.cache[what][1]
        return made
