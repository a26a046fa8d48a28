"""The rankers' contract, live or simulated: ask, tell, expire, done, ranking, judges, snapshot, restore.

A ranker is a state machine without clock or file. Its caller:

    question = ranker.ask()              whom and what to ask next; several may be open at once
    ranker.tell(question, answer)        the preferred item, TIE or SKIP
    ranker.expire(question)              the deadline passed: it will not count any more (deadlines are the
                                         caller's: fixed when asked, never shortened)
    ranker.lapse(sitting)                the deadline of a whole sitting passed (rankers with sittings)
    ranker.replay(question)              register a recorded question instead of choosing one

Random choices depend on (seed, question number) alone, so a replay is bit-identical.

A new algorithm subclasses `Ranker`, sets the class attributes below (`declared`: its options), and fills in:

    _choose(judge)          which question next (for this judge), as a Draft; None: nothing now
    _asked(question)        a question is out (chosen now, or replayed from a log)
    _count(question, ans)   an answer is due; within a lane answers arrive here in the order they were asked
    _expired(question)      in lane order too: a question will never be answered in time
    _lane_for(question)     the lane of a replayed question
    _finished()             is the algorithm finished, by its own rule?
    _ranking() _progress() _judge_report(u)      what is known now
    _state() _load(state)   the algorithm's own state as JSON values
    assumptions(options)    what its promise assumes, in words for people

It finds items and judges by number in `roster`, and what is out in `outstanding`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

from juryrank.core import chance
from juryrank.core.tallies import AnswerCounts
from juryrank.defaults import DEFAULT_BUDGET_PER_ITEM, DEFAULT_ERROR
from juryrank.errors import BadAnswer, BadInput, CannotJoin
from juryrank.options import NoOptions, RankerOptions
from juryrank.rankers.contract.estimates import LastEstimates
from juryrank.rankers.contract.limits import (
    SIDE_STREAM,
    Draft,
    RecordedTerms,
    RecordedUse,
    check_limits,
    check_options,
)
from juryrank.rankers.contract.roster import OpenQuestions, Roster, RosterView, side_of
from juryrank.rankers.contract.snapshots import as_text, restored
from juryrank.types import (
    SKIP,
    TIE,
    Answer,
    Estimates,
    Grade,
    Item,
    Judge,
    JudgeReport,
    Order,
    Progress,
    Question,
    Ranking,
    Status,
    Wait,
)

__all__ = ["Draft", "FewestAnswers", "Ranker"]


class FewestAnswers(NamedTuple):
    """This many answers, all the same, settle the first thing of this kind."""

    answers: int
    what: str  # "a pair", "a line", "a link"


class Ranker(RosterView, ABC):
    """Base of all rankers; see the module's text for the contract."""

    name: ClassVar[str]
    title: ClassVar[str]  # one line for people
    recorded: ClassVar[RecordedUse]  # how it takes answers that it did not ask for
    true_order: ClassVar[bool]  # does it promise a true order, seen with errors? False: what people prefer
    any_order: ClassVar[bool]  # with the same questions out: does the order of the answers change nothing?
    promises: ClassVar[bool] = True  # False: a best guess, never certified
    promises_parts: ClassVar[bool] = True  # False: until the whole order is proven, nothing is
    needs_judges: ClassVar[bool] = True  # False: may start with nobody, and people join as they come
    declared: ClassVar[type[RankerOptions]] = NoOptions  # its own options: a table of defaults, bounds and help
    study_options: ClassVar[Mapping[str, Any]] = {}  # what a new study gets unless it says otherwise
    takes_grades: ClassVar[bool] = False  # answers may be by degree
    knows_cases: ClassVar[bool] = False  # questions are about a case
    sets_aside: ClassVar[bool] = True  # is a judge asked no more who is surely wrong about gold pairs?

    def __init__(
        self,
        items: Iterable[Item],
        *,
        judges: Iterable[Judge],
        error: float = DEFAULT_ERROR,
        budget: int | None = None,
        seed: int = 0,
        prices: Mapping[Judge, float] | None = None,
        money: float | None = None,
        **given: Any,
    ) -> None:
        check_options(type(self), given)
        self.chosen = self.declared(**given)
        self.roster = Roster(items, judges=judges, prices=prices)
        if self.needs_judges and not self.roster.judges:
            raise BadInput("there is no judge to ask; give at least one")
        check_limits(error=error, budget=budget, money=money, seed=seed)
        self.outstanding = OpenQuestions()
        self.heard = AnswerCounts()  # for estimates: every answer, also late ones and those that wait in a lane
        self.error = float(error)
        self.seed = int(seed)
        self.budget = DEFAULT_BUDGET_PER_ITEM * max(len(self.items), 1) if budget is None else budget
        self.money = money
        self.options = self.chosen.given()
        self._estimated = LastEstimates()

    # ------------------------------------------------------------------ asking and answering
    def in_rounds_of(self, questions: int) -> None:
        """Up to so many questions are asked before any answer comes: hold none back that may be of use."""

    def ask(self, judge: Judge | None = None) -> Question | None:
        """The next question (for this judge, if one is named), or None; `status` then says why."""
        index = None if judge is None else self.roster.judge(judge)
        if self.done or self._spent(index) or (index is not None and index in self.roster.paused):
            return None
        draft = self._choose(index)
        if draft is None or not self._affordable(draft.judge):
            return None
        first, second = draft.first, draft.second
        number = self.outstanding.next_id
        if not draft.sided and chance.uniform(self.seed, SIDE_STREAM, number) < 0.5:
            first, second = second, first
        asked = self.judge_names[draft.judge]
        together = tuple(self.items[i] for i in draft.shown)
        question = Question(
            number, asked, self.items[first], self.items[second], draft.terms, draft.case, together
        )
        self._put_out(question, draft.lane)
        return question

    def owns(self, judge: Judge, items: Iterable[Item]) -> None:
        """The judge's own work, before the first question. Most rankers need not know: it is skipped."""

    def preview(self, judge: Judge | None = None) -> Draft | None:
        """What the algorithm would ask next (of this judge), whatever the budget says; nothing is asked."""
        return self._choose(None if judge is None else self.roster.judge(judge))

    def draw_ahead(self, rows: Sequence[Mapping[str, Any]], *, leaving: Collection[Judge] = ()) -> int:
        """Choose, of what the next question on record was chosen with, what is chosen by now; says how much.

        For rankers whose proof rests on how that was done. `leaving`: judges who are set aside before it is asked.
        """
        return 0

    def tip(self, way: int) -> None:
        """Decide what hangs by the last digits as another processor may: 1, 2 are other ways, 0 is this one's."""

    def not_by_rule(self, question: Question) -> str:
        """What a recorded question has that the ranker, at this place, would not have chosen; empty: nothing."""
        return ""

    def learn(self, question: Question) -> None:
        """What a recorded question brings with it is known, before the ranker is asked for it again."""

    def tell(self, question: Question | int, answer: Answer) -> None:
        """Record the answer to an open question. One that comes after expiry is late: only estimates use it."""
        asked = self.outstanding.find(question)
        graded, ordered = isinstance(answer, Grade), isinstance(answer, Order)
        if graded and not self.takes_grades:
            raise BadAnswer(f"the ranker {self.name!r} takes no grades; answer with an item, TIE or SKIP")
        if isinstance(answer, Order):
            answer.check(asked.shown)
        elif asked.shown and answer not in (TIE, SKIP):
            raise BadAnswer(
                f"question {asked.id} shows {len(asked.shown)} together; answer with an Order of all, TIE or SKIP"
            )
        if not graded and not ordered and answer not in (asked.left, asked.right) and answer not in (TIE, SKIP):
            raise BadAnswer(
                f"the answer to question {asked.id} is {answer!r}; it must be {asked.left!r}, {asked.right!r}, "
                "TIE or SKIP. Nothing was recorded: tell it again."
            )
        self.roster.answered[self.roster.judge(asked.judge)] += 1
        self._hear(asked, answer)
        for due, given in self.outstanding.told(asked, answer):
            self._expired(due) if given is None else self._count(due, given)

    def _hear(self, question: Question, answer: Answer) -> None:
        """Note an answer for the estimates; a skip prefers nothing and says nothing."""
        if answer is SKIP:
            return
        for left, right in combinations(question.shown or (question.left, question.right), 2):
            first, second = self.roster.item(left), self.roster.item(right)
            side = side_of(replace(question, left=left, right=right), answer)
            preferred = None if side == "tie" else first if side == "left" else second
            self.heard.add(self.roster.judge(question.judge), first=first, second=second, preferred=preferred)

    def waive(self, question: Question) -> None:
        """This question was answered without its judge: it is no call, and cost nothing."""
        u = self.roster.judge(question.judge)
        self.roster.asked[u] -= 1
        self.roster.answered[u] -= 1
        self.outstanding.cost -= self.roster.price(u)

    def fail(self, question: Question) -> None:
        """The judge was called and gave no answer: a skip, unless the promise tells the two apart."""
        self.tell(question, SKIP)

    def expire(self, question: Question | int) -> None:
        """The deadline of an open question has passed; an answer that still comes is late."""
        asked = self.outstanding.find(question)
        for due, given in self.outstanding.expired(asked):
            self._expired(due) if given is None else self._count(due, given)

    def lapse(self, sitting: int) -> None:
        """The deadline of a whole sitting has passed (only rankers that plan sittings care)."""

    def replay(self, question: Question) -> None:
        """Register a question from a log as if it had just been chosen.

        A question that does not fit the present state (after an undo, or under another ranker) is kept as
        *foreign*: its answer promises nothing.
        """
        if question.id < self.outstanding.next_id:
            raise BadInput(f"question {question.id} is already in this ranker; replay each event once, in order")
        self.outstanding.skip_to(question.id)
        self.roster.item(question.left), self.roster.item(question.right), self.roster.judge(question.judge)
        self._put_out(question, self._lane_for(question))

    def _put_out(self, question: Question, lane: Hashable) -> None:
        u = self.roster.judge(question.judge)
        self.outstanding.put_out(question, lane=lane, price=self.roster.price(u))
        self.roster.asked[u] += 1
        self._asked(question)

    # ------------------------------------------------------------------ what is known
    @property
    def done(self) -> bool:
        """Finished by its own rule (an exhausted budget is not this: see `spent`)."""
        return self._finished()

    @property
    def spent(self) -> bool:
        """Is the budget used up (and the ranking not done)?"""
        return not self.done and self._spent(None)

    @property
    def waits_for_nobody(self) -> bool:
        """Does an open question hold up no other one? Then one that failed may stay open for a later run."""
        return False

    def status(self, judge: Judge | None = None) -> Status:
        """Why there is (or is not) a question now, in words."""
        index = None if judge is None else self.roster.judge(judge)
        if self.done:
            return Status(Wait.DONE, self._done_words())
        if self._spent(index):
            return Status(Wait.DONE, "The budget is spent: the ranking stops here, not certified.")
        if index is not None:
            if index in self.roster.paused:
                return Status(Wait.DROPPED, "You are paused for now: whoever runs the ranking can resume you.")
            report = self._dropped(index)
            if report is not None:
                return Status(Wait.DROPPED, report.note or "You are no longer asked.", report.dropped_at)
        return self._why(index)

    def _dropped(self, judge: int) -> JudgeReport | None:
        """What is known of a judge whom the ranker asks no more; None: it still does."""
        report = self._judge_report(judge)
        return None if report.active else report

    def left_early(self) -> tuple[Judge, ...]:
        """Judges whose time ended before they had answered what was planned for them."""
        return ()

    @property
    def judges(self) -> tuple[JudgeReport, ...]:
        """What is known of each judge, in the order given."""
        return tuple(self._judge_report(u) for u in range(len(self.judge_names)))

    @property
    def ranking(self) -> Ranking:
        """The order so far, best first, with what is settled; the estimates are made when somebody reads them."""
        ranking = self._ranking()
        if self.spent and not ranking.certified:
            ranking = ranking.with_warnings("The budget was spent before the ranker's own rule was met.")
        return replace(ranking, cost=self.cost, estimates=self._estimates(ranking))

    def _estimates(self, ranking: Ranking) -> Estimates:
        """The best guess beside this result, made when somebody reads it."""
        table, items, judges = self.heard.table(), tuple(self.items), len(self.judge_names)
        opinions = not self.weighs_judges()
        return Estimates.later(
            partial(self._estimated.beside, ranking, table, items=items, judges=judges, opinions=opinions)
        )

    @property
    def progress(self) -> Progress:
        """How far it is, for a display."""
        return self._progress()

    # ------------------------------------------------------------------ joining and pausing
    def add_judge(self, judge: Judge, *, price: float = 1.0) -> None:
        """A judge who joins later (rankers that cannot take one say so)."""
        self.roster.check_new_judge(judge)
        self._judge_joining(judge)
        self._judge_joined(self.roster.add_judge(judge, price=price))

    def pause_judge(self, judge: Judge) -> None:
        """Stop asking a judge. No promise suffers, because answers already given stay counted."""
        self.roster.paused.add(self.roster.judge(judge))

    def remove_judge(self, judge: Judge) -> None:
        """A judge leaves for good (a promise about exactly these judges is another one from now on)."""
        self.pause_judge(judge)

    def resume_judge(self, judge: Judge) -> None:
        self.roster.paused.discard(self.roster.judge(judge))

    def refute_judge(self, judge: Judge) -> None:
        """Gold pairs show that a judge is wrong more often than right (rankers that assume otherwise react)."""

    def add_items(self, items: Iterable[Item]) -> None:
        """Items that join later (rankers that cannot take them say so)."""
        new = self.roster.new_items(items)
        self._items_joining(new)
        self.roster.add_items(new)
        self._items_joined(len(new))

    def fresh_entropy(self) -> int | None:
        """What goes on record when somebody or something joins, where draws hang on all that was there before."""
        return None

    def draw_anew(self, entropy: int) -> None:
        """Draws hang on this, too, from now on."""

    def note_same_outputs(self, times: int) -> None:
        """On cases: how often two systems now give the same output for one, so that nobody is asked."""

    def withdraw_items(self, items: Iterable[Item]) -> None:
        """Items that nobody is asked about any more; the statement is made as if they were still there.

        Levels for fewer items, or an order without the item that blocked it, would be chosen after the fact: false
        far more often than δ.
        """
        self._items_leaving([self.roster.item(item) for item in items])

    def _items_leaving(self, items: Sequence[int]) -> None:
        """Rankers that can go on without asking about them remember it; the others refuse."""
        why = (
            "it would be proving a list other than the one it began with"
            if self.promises
            else ("it guesses the order of all the items it began with")
        )
        raise BadInput(
            f"the ranker {self.name} cannot go on without an item: {why}. Start a new study with the other items"
        )

    # ------------------------------------------------------------------ snapshots
    def snapshot(self) -> dict[str, Any]:
        """Everything as JSON values; `restore` gives a ranker that behaves the same from here on."""
        copy: dict[str, Any] = json.loads(self.snapshot_text())
        return copy

    def snapshot_text(self) -> str:
        """The snapshot as it is written down: the same state gives the same text."""
        start = {
            "ranker": self.name,
            "items": self.items,
            "judges": self.judge_names,
            "error": self.error,
            "budget": self.budget,
            "money": self.money,
            "seed": self.seed,
            "prices": [self.prices[judge] for judge in self.judge_names],
            "options": self.options,
        }
        since = {**self.outstanding.state(), **self.roster.state(), "heard": self.heard.rows()}
        return as_text({**start, **since, "state": self._state()})

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any] | str) -> Ranker:
        """The ranker that a snapshot was taken of."""
        return restored(snapshot)

    def under_names(self, names: Mapping[str, str]) -> Ranker:
        """A copy that calls these items by other names, for results that show no others.

        >>> from juryrank.rankers import make_ranker
        >>> ranker = make_ranker("panel", ["Ann", "Bob"], judges=["judge"], error=0.1, seed=1)
        >>> sorted(ranker.under_names({"Ann": "Item 2", "Bob": "Item 1"}).ranking.order)
        ['Item 1', 'Item 2']
        """
        copy = self.restore(self.snapshot_text())
        copy.roster.rename(names)
        return copy

    def load(self, snapshot: Mapping[str, Any]) -> None:
        """What happened since the start, from a snapshot of a ranker that was started in the same way."""
        self.outstanding.load(snapshot)
        self.roster.load(snapshot)
        self.heard = AnswerCounts(snapshot["heard"])
        self._load(snapshot["state"])

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
        return self.money is None or self.cost + self.roster.price(u) <= self.money + 1e-9

    def _in_play(self) -> Sequence[int]:
        """Judges who may still be asked (rankers that drop judges narrow it)."""
        return range(len(self.judge_names))

    # ------------------------------------------------------------------ what an algorithm fills in
    @classmethod
    @abstractmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        """What the promise assumes with these options, each as the end of a sentence; () if there is none."""

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

    # ------------------------------------------------------------------ what it may fill in
    @classmethod
    def recorded_terms(cls, options: Mapping[str, Any]) -> RecordedTerms:
        """What the questions of imported votes must carry."""
        return RecordedTerms.NONE

    @classmethod
    def counts_models(cls, options: Mapping[str, Any]) -> bool:
        """May a model's answers count in the promise? Not where it is about people at large."""
        return True

    @classmethod
    def weighs_judges(cls) -> bool:
        """Do estimates count answers by how good their judge seems? Not where a minority is no bad judge."""
        return cls.true_order

    @classmethod
    def caption(cls, ranking: Ranking) -> str:
        """The promise in one sentence, for a picture; the exact words are the ranking's own statement."""
        return ranking.statement

    @classmethod
    def fewest_answers(cls, *, items: int, error: float, options: Mapping[str, Any]) -> FewestAnswers | None:
        """How many answers, all the same, the first claim needs if a judge answers a pair once; None: no limit."""
        return None

    @classmethod
    def planned_sitting(cls, options: Mapping[str, Any], *, items: int) -> int | None:
        """How many questions a person is told to expect in one go; None: this ranker plans no sittings."""
        return None

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
        if type(self)._judge_joined is Ranker._judge_joined:
            raise CannotJoin(f"the ranker {self.name!r} cannot take judges once it has started; use 'certified'")

    def _judge_joined(self, u: int) -> None:
        """A new judge is in the roster now."""

    def _items_joining(self, items: Sequence[Item]) -> None:
        """Refuse here, before anything changes."""
        raise CannotJoin(
            f"the ranker {self.name!r} splits its error over a number of items fixed at the start; "
            "use 'certified' or 'panel' for rankings that grow, or start a new ranking"
        )

    def _items_joined(self, count: int) -> None:
        """New items are in the roster now."""
