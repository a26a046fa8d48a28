"""What a new algorithm fills in; the other parts of the contract (see `base`) are shared by all rankers.

_choose(judge)          which question next (for this judge), as a Draft; None: nothing now
_asked(question)        a question is out (chosen now, or replayed from a log)
_count(question, ans)   an answer is due; within a lane answers arrive here in the order they were asked
_expired(question)      in lane order too: a question will never be answered in time
_state / _load          the algorithm's own state as JSON values
_ranking / _progress    what is known now
_finished               is the algorithm through, by its own rule?
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from juryrank.errors import CannotJoin
from juryrank.types import Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status, Wait

SIDE_STREAM, JUDGE_STREAM = 1, 2  # streams of chance: which side is shown left, which judge is asked


@dataclass(frozen=True, slots=True)
class Draft:
    """A question as an algorithm chooses it: indices, before the sides are drawn.

    `lane`: answers of one lane count in the order they were asked; None: whenever they come.
    """

    judge: int
    first: int
    second: int
    lane: Hashable = None
    terms: Mapping[str, Any] = field(default_factory=dict)


class Algorithm(ABC):
    """The parts in which rankers differ; indices stand for items and judges."""

    name: ClassVar[str]
    title: ClassVar[str]  # one line for people
    fresh_answers: ClassVar[bool] = True  # asks one judge the same pair again, expecting a fresh answer
    needs_judges: ClassVar[bool] = True  # False: may start with nobody, and people join as they come

    @abstractmethod
    def _choose(self, judge: int | None) -> Draft | None: ...

    @abstractmethod
    def _asked(self, question: Question) -> None: ...

    @abstractmethod
    def _count(self, question: Question, answer: Answer) -> None: ...

    @abstractmethod
    def _lane_for(self, question: Question) -> Hashable:
        """The lane of a replayed question, from its terms; None if it has none (or is foreign)."""

    @abstractmethod
    def _finished(self) -> bool: ...

    @abstractmethod
    def _ranking(self) -> Ranking: ...

    @abstractmethod
    def _progress(self) -> Progress: ...

    @abstractmethod
    def _judge_report(self, u: int) -> JudgeReport: ...

    @abstractmethod
    def _state(self) -> dict[str, Any]: ...

    @abstractmethod
    def _load(self, state: Mapping[str, Any]) -> None: ...

    def _expired(self, question: Question) -> None:
        """A question will never be answered in time."""

    def _done_words(self) -> str:
        """Why nothing more is asked, once it is done."""
        return "The ranking is finished: there is nothing left to ask."

    def _why(self, judge: int | None) -> Status:
        """Why `_choose` has nothing now, or that it has."""
        if self._choose(judge) is not None:
            return Status(Wait.READY, "There is a question: ask.")
        return Status(Wait.WAIT, "Other judges must answer first; ask again in a moment.")

    def _judge_joining(self, judge: Judge) -> None:
        """Refuse here, before anything changes: rankers that take judges override `_judge_joined`."""
        if type(self)._judge_joined is Algorithm._judge_joined:
            raise CannotJoin(f"the ranker {self.name!r} cannot take judges once it has started; use 'certified'")

    def _judge_joined(self, u: int) -> None:
        """A new judge is in `self.judge_names` now."""

    def _items_joining(self, items: Sequence[Item]) -> None:
        """Refuse here, before anything changes."""
        raise CannotJoin(
            f"the ranker {self.name!r} splits its error over a number of items fixed at the start; "
            "use 'certified' or 'panel' for rankings that grow, or start a new ranking"
        )

    def _items_joined(self, count: int) -> None:
        """New items are in `self.items` now."""
