"""The rankers' contract, live or simulated: ask, tell, expire, done, ranking, judges, snapshot, restore.

A ranker is a state machine without clock or file. Its caller:

    question = ranker.ask()              whom and what to ask next; several may be open at once
    ranker.tell(question, answer)        the preferred item, TIE or SKIP
    ranker.expire(question)              the deadline passed: it will not count any more (deadlines are the
                                         caller's: fixed when asked, never shortened)
    ranker.lapse(sitting)                the deadline of a whole sitting passed (rankers with sittings)
    ranker.replay(question)              register a recorded question instead of choosing one

Random choices depend on (seed, question number) alone, so a replay is bit-identical. A new algorithm
subclasses `Ranker` and fills in the methods marked *algorithm*; everything else is shared:

    _choose(judge)          which question next (for this judge), as a Draft; None: nothing now
    _asked(question)        a question is out (chosen now, or replayed from a log)
    _count(question, ans)   an answer is due; within a lane answers arrive here in the order they were asked
    _expired(question)      in lane order too: a question will never be answered in time
    _state / _load          the algorithm's own state as JSON values
    _ranking / _progress    what is known now
    _finished               is the algorithm through, by its own rule?
"""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, ClassVar

from juryrank.core import chance
from juryrank.errors import (
    AnsweredTwice,
    BadAnswer,
    BadInput,
    BadSnapshot,
    CannotJoin,
    UnknownName,
    UnknownQuestion,
)
from juryrank.types import (
    SKIP,
    TIE,
    Answer,
    Item,
    Judge,
    JudgeReport,
    Progress,
    Question,
    Ranking,
    Status,
    Wait,
)

SNAPSHOT_SCHEMA = 2
DEFAULT_BUDGET_PER_ITEM = 100_000  # questions; where judges answer at chance, no rule would ever stop
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


class Ranker(ABC):
    """Base of all rankers; see the module's text for the contract."""

    name: ClassVar[str]
    title: ClassVar[str]  # one line for people
    fresh_answers: ClassVar[bool] = True  # asks one judge the same pair again, expecting a fresh answer
    needs_judges: ClassVar[bool] = True  # False: may start with nobody, and people join as they come

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
        unknown = sorted(options.keys() - _option_names(type(self)))
        if unknown:
            known = ", ".join(sorted(_option_names(type(self))))
            raise BadInput(f"the ranker {self.name!r} has no option {unknown[0]!r}; it has: {known}")
        self.items: list[Item] = _distinct(items, "item")
        self.judge_names: list[Judge] = _distinct(judges, "judge")
        if self.needs_judges and not self.judge_names:
            raise BadInput("there is no judge to ask; give at least one")
        if not (isinstance(error, int | float) and 0 < error < 1):
            raise BadInput(f"error (δ) is {error!r}; it is a probability strictly between 0 and 1, such as 0.05")
        if budget is not None and (not isinstance(budget, int) or isinstance(budget, bool) or budget < 0):
            raise BadInput(f"budget is {budget!r}; it is a whole number of questions, 0 or more")
        if money is not None and not money >= 0:
            raise BadInput(f"the budget in money is {money!r}; it must be 0 or more")
        self.error = float(error)
        self.seed = int(seed)
        self.budget = DEFAULT_BUDGET_PER_ITEM * max(len(self.items), 1) if budget is None else budget
        self.money = money
        self.prices: dict[Judge, float] = _prices(prices, self.judge_names)
        self._options = options
        self._item_index = {item: k for k, item in enumerate(self.items)}
        self._judge_index = {judge: k for k, judge in enumerate(self.judge_names)}
        self._next_id = 1
        self._cost = 0.0
        self._open: dict[int, Question] = {}
        self._fate: list[str] = [""]  # by question id: "o"pen, "t"old, "e"xpired, "l"ate
        self._lanes: dict[Hashable, deque[int]] = {}  # questions not yet counted, in asking order
        self._lane_of: dict[int, Hashable] = {}
        self._held: dict[int, tuple[Question, Answer | None]] = {}  # told or expired, waiting for earlier ones
        self._paused: set[int] = set()
        self._asked_of = [0] * len(self.judge_names)
        self._answered_of = [0] * len(self.judge_names)
        self._late = 0

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
        if self._fate[asked.id] == "e":
            self._fate[asked.id] = "l"
            self._late += 1
            del self._open[asked.id]
            return
        self._fate[asked.id] = "t"
        del self._open[asked.id]
        self._arrive(asked, answer)

    def expire(self, question: Question | int) -> None:
        """The deadline of an open question has passed; an answer that still comes is late."""
        asked = self._open_question(question)
        if self._fate[asked.id] == "e":
            return
        self._fate[asked.id] = "e"
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
            self._fate.append("")
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

    @property
    def questions(self) -> int:
        """How many questions were asked, open ones included."""
        return sum(self._asked_of)

    @property
    def cost(self) -> float:
        """What the questions cost at the judges' prices."""
        return self._cost

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return tuple(q for q in self._open.values() if self._fate[q.id] == "o")

    def status(self, judge: Judge | None = None) -> Status:
        """Why there is (or is not) a question now, in words."""
        index = None if judge is None else self._judge(judge)
        if self.done:
            return Status(Wait.DONE, "The ranking is finished: there is nothing left to ask.")
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

    # ------------------------------------------------------------------ joining and leaving
    def add_judge(self, judge: Judge, *, price: float = 1.0) -> None:
        """A judge who joins later."""
        if judge in self._judge_index:
            raise BadInput(f"judge {judge!r} is already here; names must differ")
        self._judge_joining(judge)
        self.prices.update(_prices({judge: price}, [judge]))
        self._judge_index[judge] = len(self.judge_names)
        self.judge_names.append(judge)
        self._asked_of.append(0)
        self._answered_of.append(0)
        self._judge_joined(len(self.judge_names) - 1)

    def pause_judge(self, judge: Judge) -> None:
        """Stop asking a judge: free of charge for every promise, as answers already given stay counted."""
        self._paused.add(self._judge(judge))

    def resume_judge(self, judge: Judge) -> None:
        self._paused.discard(self._judge(judge))

    def add_items(self, items: Iterable[Item]) -> None:
        """Items that join later (rankers that cannot take them say so)."""
        new = _distinct([*self.items, *items], "item")[len(self.items) :]
        self._items_joining(new)
        for item in new:
            self._item_index[item] = len(self.items)
            self.items.append(item)
        self._items_joined(len(new))

    # ------------------------------------------------------------------ snapshots
    def snapshot(self) -> dict[str, Any]:
        """Everything as JSON values; `restore` gives a ranker that behaves the same from here on."""
        copy: dict[str, Any] = json.loads(self.snapshot_text())
        return copy

    def snapshot_text(self) -> str:
        """The snapshot as it is written down: the same state gives the same text."""
        state = {
            "schema": SNAPSHOT_SCHEMA,
            "ranker": self.name,
            "items": self.items,
            "judges": self.judge_names,
            "error": self.error,
            "budget": self.budget,
            "money": self.money,
            "seed": self.seed,
            "prices": [self.prices[judge] for judge in self.judge_names],
            "options": self._options,
            "next_id": self._next_id,
            "cost": self._cost,
            "late": self._late,
            "fate": ",".join(self._fate[1:]),
            "open": [_pack(q) for q in self._open.values()],
            "held": [[_pack(q), self._pack_answer(q, answer)] for q, answer in self._held.values()],
            "lanes": [[lane, list(queue)] for lane, queue in self._lanes.items()],
            "paused": sorted(self._paused),
            "asked_of": self._asked_of,
            "answered_of": self._answered_of,
            "state": self._state(),
        }
        try:
            return json.dumps(state, separators=(",", ":"))
        except TypeError as problem:
            raise BadInput(
                f"a snapshot is JSON, and {problem}: use strings or numbers as items and judges"
            ) from None

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any] | str) -> Ranker:
        """The ranker that a snapshot was taken of."""
        from juryrank.rankers.registry import ranker_class

        try:
            data: Mapping[str, Any] = json.loads(snapshot) if isinstance(snapshot, str) else snapshot
            if data["schema"] != SNAPSHOT_SCHEMA:
                raise BadSnapshot(
                    f"this snapshot has schema {data['schema']}, and this version of juryrank reads "
                    f"{SNAPSHOT_SCHEMA}; snapshots are only a cache: refold the log instead"
                )
            return ranker_class(data["ranker"])._from_snapshot(data)
        except (KeyError, TypeError, IndexError, json.JSONDecodeError) as problem:
            raise BadSnapshot(f"this is not a whole juryrank snapshot ({problem!r}); take a new one") from problem

    @classmethod
    def _from_snapshot(cls, data: Mapping[str, Any]) -> Ranker:
        items, judges = [_frozen(i) for i in data["items"]], [_frozen(j) for j in data["judges"]]
        ranker = cls(
            items,
            judges=judges,
            error=data["error"],
            budget=data["budget"],
            seed=data["seed"],
            prices=dict(zip(judges, data["prices"], strict=True)),
            money=data["money"],
            **data["options"],
        )
        ranker._next_id, ranker._cost, ranker._late = data["next_id"], data["cost"], data["late"]
        ranker._fate = ["", *data["fate"].split(",")] if data["next_id"] > 1 else [""]
        ranker._open = {q.id: q for q in map(_unpack, data["open"])}
        held = [(_unpack(q), answer) for q, answer in data["held"]]
        ranker._held = {q.id: (q, ranker._unpack_answer(q, answer)) for q, answer in held}
        ranker._lanes = {_frozen(lane): deque(queue) for lane, queue in data["lanes"]}
        ranker._lane_of = {qid: lane for lane, queue in ranker._lanes.items() for qid in queue}
        ranker._paused = set(data["paused"])
        ranker._asked_of, ranker._answered_of = list(data["asked_of"]), list(data["answered_of"])
        ranker._load(data["state"])
        return ranker

    # ------------------------------------------------------------------ algorithm (subclasses)
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
        """A new judge is in `self.judge_names` now."""

    def _items_joining(self, items: Sequence[Item]) -> None:
        """Refuse here, before anything changes."""
        raise CannotJoin(
            f"the ranker {self.name!r} splits its error over a number of items fixed at the start; "
            "use 'certified' or 'panel' for rankings that grow, or start a new ranking"
        )

    def _items_joined(self, count: int) -> None:
        """New items are in `self.items` now."""

    # ------------------------------------------------------------------ shared parts
    def _register(self, question: Question, lane: Hashable) -> None:
        u = self._judge(question.judge)
        self._open[question.id] = question
        self._fate.append("o")
        self._next_id = question.id + 1
        self._asked_of[u] += 1
        self._cost += self.prices[question.judge]
        if lane is not None:
            self._lanes.setdefault(lane, deque()).append(question.id)
            self._lane_of[question.id] = lane
        self._asked(question)

    def _arrive(self, question: Question, answer: Answer | None) -> None:
        """An answer (None: expiry). Within its lane it waits until every earlier one is told or expired."""
        if question.id not in self._lane_of:
            self._deliver(question, answer)
            return
        self._held[question.id] = (question, answer)
        lane = self._lane_of[question.id]
        queue = self._lanes[lane]
        while queue and queue[0] in self._held:
            due, given = self._held.pop(queue.popleft())
            del self._lane_of[due.id]
            if not queue:
                self._lanes.pop(lane, None)
            self._deliver(due, given)

    def _deliver(self, question: Question, answer: Answer | None) -> None:
        if answer is None:
            self._expired(question)
        else:
            self._count(question, answer)

    def _open_question(self, question: Question | int) -> Question:
        number = question if isinstance(question, int) else question.id
        if number in self._open:
            return self._open[number]
        if not 0 < number < self._next_id or self._fate[number] == "":
            raise UnknownQuestion(
                f"question {number} was never asked by this ranker; answer a question that ask() gave you"
            )
        raise AnsweredTwice(f"question {number} already has its answer; the first one stands")

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

    def _item(self, item: Item) -> int:
        try:
            return self._item_index[item]
        except (KeyError, TypeError):
            raise UnknownName(f"item {item!r} is not in this ranking") from None

    def _judge(self, judge: Judge) -> int:
        try:
            return self._judge_index[judge]
        except (KeyError, TypeError):
            some = ", ".join(map(str, self.judge_names[:5]))
            raise UnknownName(f"judge {judge!r} is not in this ranking; there are: {some}") from None

    def _pack_answer(self, question: Question, answer: Answer | None) -> str | None:
        return None if answer is None else side_of(question, answer)

    def _unpack_answer(self, question: Question, side: str | None) -> Answer | None:
        return None if side is None else answer_of(question, side)


def side_of(question: Question, answer: Answer) -> str:
    """An answer as a log writes it: left, right, tie or skip."""
    if answer is TIE or answer is SKIP:
        return str(answer.value)
    return "left" if answer == question.left else "right"


def answer_of(question: Question, side: str) -> Answer:
    """The answer that a log's word stands for."""
    answers: dict[str, Answer] = {"left": question.left, "right": question.right, "tie": TIE, "skip": SKIP}
    try:
        return answers[side]
    except KeyError:
        raise BadAnswer(f"{side!r} is not an answer; say left, right, tie or skip") from None


@cache
def _option_names(ranker: type[Ranker]) -> frozenset[str]:
    """Every option that a ranker's constructor, or one it inherits, names."""
    inherited = (inspect.signature(cls.__init__) for cls in ranker.__mro__ if issubclass(cls, Ranker))
    names = (parameter for signature in inherited for parameter in signature.parameters.values())
    return frozenset(parameter.name for parameter in names if parameter.kind is parameter.KEYWORD_ONLY)


def _pack(question: Question) -> list[Any]:
    return [question.id, question.judge, question.left, question.right, dict(question.terms)]


def _unpack(packed: Sequence[Any]) -> Question:
    number, judge, left, right, terms = packed
    return Question(number, _frozen(judge), _frozen(left), _frozen(right), terms)


def _frozen(value: Any) -> Any:
    """JSON gives lists back for tuples; items and lanes must be hashable."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _distinct(values: Iterable[Hashable], what: str) -> list[Hashable]:
    kept = list(values)
    seen: set[Hashable] = set()
    for value in kept:
        try:
            if value in seen:
                raise BadInput(f"{what} {value!r} is there twice; each {what} must be given once")
            seen.add(value)
        except TypeError:
            raise BadInput(
                f"{what} {value!r} cannot be used as a name (it is not hashable): give an id instead"
            ) from None
    return kept


def _prices(prices: Mapping[Judge, float] | None, judges: Sequence[Judge]) -> dict[Judge, float]:
    if prices is None:
        return dict.fromkeys(judges, 1.0)
    missing = [judge for judge in judges if judge not in prices]
    if missing:
        raise BadInput(f"judge {missing[0]!r} has no price; give every judge one, or none at all")
    for judge, price in prices.items():
        if judge not in judges:
            raise UnknownName(f"there is a price for {judge!r}, who is not a judge here")
        if not (isinstance(price, int | float) and price >= 0 and price < float("inf")):
            raise BadInput(f"the price of {judge!r} is {price!r}; it must be a number, 0 or more")
    return {judge: float(prices[judge]) for judge in judges}
