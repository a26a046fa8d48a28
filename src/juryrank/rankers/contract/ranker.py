"""The rankers' contract, live or simulated: ask, tell, expire, done, ranking, judges, snapshot, restore.

A ranker is a state machine without clock or file. Its caller:

    question = ranker.ask()              whom and what to ask next; several may be open at once
    ranker.tell(question, answer)        the preferred item, TIE or SKIP
    ranker.expire(question)              the deadline passed: it will not count any more (deadlines are the
                                         caller's: fixed when asked, never shortened)
    ranker.lapse(sitting)                the deadline of a whole sitting passed (rankers with sittings)
    ranker.replay(question)              register a recorded question instead of choosing one

Random choices depend on (seed, question number) alone, so a replay is bit-identical. A new algorithm
subclasses `Ranker` and fills in the methods that `algorithm` lists; everything else is shared. Each layer
below `Ranker` adds one idea: `Algorithm` (what differs), `Roster` (items and judges), `Lanes` (questions that
are out, and the order in which answers count).
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from juryrank.core import chance
from juryrank.errors import BadAnswer, BadInput
from juryrank.rankers.contract.algorithm import JUDGE_STREAM, SIDE_STREAM, Draft
from juryrank.rankers.contract.open_questions import Fate, Lanes
from juryrank.rankers.contract.sides import answer_of, side_of
from juryrank.rankers.contract.snapshots import restored, snapshot_text
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Progress, Question, Ranking, Status, Wait

__all__ = ["DEFAULT_BUDGET_PER_ITEM", "JUDGE_STREAM", "Draft", "Ranker", "answer_of", "option_names", "side_of"]

DEFAULT_BUDGET_PER_ITEM = 100_000  # questions; where judges answer at chance, no rule would ever stop


class Ranker(Lanes):
    """Base of all rankers; see the module's text for the contract."""

    def __init__(
        self,
        items: Iterable[Item],
        *,
        judges: Iterable[Judge],
        error: float = 0.05,
        budget: int | None = None,
        seed: int = 0,
        prices: Mapping[Judge, float] | None = None,
        money: float | None = None,
        **options: Any,
    ) -> None:
        unknown = sorted(options.keys() - option_names(type(self)))
        if unknown:
            known = ", ".join(sorted(option_names(type(self))))
            raise BadInput(f"the ranker {self.name!r} has no option {unknown[0]!r}; it has: {known}")
        super().__init__(items, judges=judges, prices=prices)
        _check_limits(error=error, budget=budget, money=money)
        self.error = float(error)
        self.seed = int(seed)
        self.budget = DEFAULT_BUDGET_PER_ITEM * max(len(self.items), 1) if budget is None else budget
        self.money = money
        self._options = options

    # ------------------------------------------------------------------ the contract
    def ask(self, judge: Judge | None = None) -> Question | None:
        """The next question (for this judge, if one is named), or None; `status` then says why."""
        index = None if judge is None else self._judge(judge)
        if self.done or self._spent(index) or (index is not None and index in self._paused):
            return None
        draft = self._choose(index)
        if draft is None or not self._affordable(draft.judge):
            return None
        first, second = draft.first, draft.second
        if chance.uniform(self.seed, SIDE_STREAM, self._next_id) < 0.5:
            first, second = second, first
        question = Question(
            self._next_id, self.judge_names[draft.judge], self.items[first], self.items[second], draft.terms
        )
        self._register(question, draft.lane)
        return question

    def tell(self, question: Question | int, answer: Answer) -> None:
        """Record the answer to an open question. One that comes after expiry is kept as late, and not used."""
        asked = self._open_question(question)
        if answer not in (asked.left, asked.right) and answer not in (TIE, SKIP):
            raise BadAnswer(
                f"the answer to question {asked.id} is {answer!r}; it must be {asked.left!r}, {asked.right!r}, "
                "TIE or SKIP. Nothing was recorded: tell it again."
            )
        self._answered_of[self._judge(asked.judge)] += 1
        if self._fate[asked.id] == Fate.EXPIRED:
            self._fate[asked.id] = Fate.LATE
            self._late += 1
            del self._open[asked.id]
            return
        self._fate[asked.id] = Fate.TOLD
        del self._open[asked.id]
        self._arrive(asked, answer)

    def expire(self, question: Question | int) -> None:
        """The deadline of an open question has passed; an answer that still comes is late."""
        asked = self._open_question(question)
        if self._fate[asked.id] == Fate.EXPIRED:
            return
        self._fate[asked.id] = Fate.EXPIRED
        self._arrive(asked, None)

    def lapse(self, sitting: int) -> None:
        """The deadline of a whole sitting has passed (only rankers that plan sittings care)."""

    def replay(self, question: Question) -> None:
        """Register a question from a log as if it had just been chosen.

        A question that does not fit the present state (after an undo, or under another ranker) is kept as
        *foreign*: its answer promises nothing.
        """
        if question.id < self._next_id:
            raise BadInput(f"question {question.id} is already in this ranker; replay each event once, in order")
        while self._next_id < question.id:  # numbers that were asked elsewhere
            self._fate.append(Fate.ELSEWHERE)
            self._next_id += 1
        self._item(question.left), self._item(question.right), self._judge(question.judge)
        self._register(question, self._lane_for(question))

    @property
    def done(self) -> bool:
        """Finished by its own rule (an exhausted budget is not this: see `spent`)."""
        return self._finished()

    @property
    def spent(self) -> bool:
        """Is the budget used up (and the ranking not done)?"""
        return not self.done and self._spent(None)

    def status(self, judge: Judge | None = None) -> Status:
        """Why there is (or is not) a question now, in words."""
        index = None if judge is None else self._judge(judge)
        if self.done:
            return Status(Wait.DONE, self._done_words())
        if self._spent(index):
            return Status(Wait.DONE, "The budget is spent: the ranking stops here, not certified.")
        if index is not None:
            if index in self._paused:
                return Status(Wait.DROPPED, "You are paused for now: whoever runs the ranking can resume you.")
            for report in self.judges:
                if report.name == judge and not report.active:
                    return Status(Wait.DROPPED, report.note or "You are no longer asked.", report.dropped_at)
        return self._why(index)

    @property
    def judges(self) -> tuple[JudgeReport, ...]:
        """What is known of each judge, in the order given."""
        return tuple(self._judge_report(u) for u in range(len(self.judge_names)))

    @property
    def ranking(self) -> Ranking:
        """The order so far, best first, with what is settled."""
        ranking = self._ranking()
        if self.spent and not ranking.certified:
            ranking = ranking.with_warnings("The budget was spent before the ranker's own rule was met.")
        return replace(ranking, cost=self._cost)

    @property
    def progress(self) -> Progress:
        """How far it is, for a display."""
        return self._progress()

    # ------------------------------------------------------------------ snapshots
    def snapshot(self) -> dict[str, Any]:
        """Everything as JSON values; `restore` gives a ranker that behaves the same from here on."""
        copy: dict[str, Any] = json.loads(self.snapshot_text())
        return copy

    def snapshot_text(self) -> str:
        """The snapshot as it is written down: the same state gives the same text."""
        return snapshot_text(self)

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any] | str) -> Ranker:
        """The ranker that a snapshot was taken of."""
        return restored(snapshot)

    # ------------------------------------------------------------------ what is left to spend
    def _spent(self, judge: int | None) -> bool:
        if self.questions >= self.budget:
            return True
        if self.money is None:
            return False
        candidates = self._in_play() if judge is None else [judge]
        return len(candidates) > 0 and not any(self._affordable(u) for u in candidates)

    def _affordable(self, u: int) -> bool:
        """Does the budget in money still pay for a question to this judge?"""
        return self.money is None or self._cost + self.prices[self.judge_names[u]] <= self.money + 1e-9

    def _in_play(self) -> Sequence[int]:
        """Judges who may still be asked (rankers that drop judges narrow it)."""
        return range(len(self.judge_names))


@cache
def option_names(ranker: type[Ranker]) -> frozenset[str]:
    """Every option that a ranker's constructor, or one it inherits, names.

    >>> sorted(option_names(Ranker))
    ['budget', 'error', 'judges', 'money', 'prices', 'seed']
    """
    inherited = (inspect.signature(cls.__init__) for cls in ranker.__mro__ if issubclass(cls, Ranker))
    names = (parameter for signature in inherited for parameter in signature.parameters.values())
    return frozenset(parameter.name for parameter in names if parameter.kind is parameter.KEYWORD_ONLY)


def _check_limits(*, error: float, budget: int | None, money: float | None) -> None:
    if not (isinstance(error, int | float) and 0 < error < 1):
        raise BadInput(f"error (δ) is {error!r}; it is a probability strictly between 0 and 1, such as 0.05")
    if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool) or budget < 0):
        raise BadInput(f"budget is {budget!r}; it is a whole number of questions, 0 or more")
    if money is not None and not money >= 0:
        raise BadInput(f"the budget in money is {money!r}; it must be 0 or more")
