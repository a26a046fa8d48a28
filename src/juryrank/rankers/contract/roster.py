"""Who is here and what is out: items, judges, prices, open questions, and how logs write answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from juryrank.errors import AnsweredTwice, BadAnswer, BadInput, UnknownName, UnknownQuestion
from juryrank.rankers.contract.limits import checked_prices, distinct
from juryrank.types import SKIP, TIE, Answer, Grade, Item, Judge, Order, Question


class Roster:
    """A ranking's items and judges.

    >>> roster = Roster("ab", judges=["ann", "bob"])
    >>> roster.item("b"), roster.judge("ann"), roster.price(1)
    (1, 0, 1.0)
    """

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], prices: Mapping[Judge, float] | None = None
    ) -> None:
        self.items: list[Item] = distinct(items, what="item")
        self.judges: list[Judge] = distinct(judges, what="judge")
        self.prices: dict[Judge, float] = checked_prices(prices, judges=self.judges)
        self.paused: set[int] = set()
        self.asked = [0] * len(self.judges)  # questions, by judge; open ones included
        self.answered = [0] * len(self.judges)
        self._item_index = {item: k for k, item in enumerate(self.items)}
        self._judge_index = {judge: k for k, judge in enumerate(self.judges)}

    # ------------------------------------------------------------------ by name and by number
    def item(self, item: Item) -> int:
        """The number of an item."""
        try:
            return self._item_index[item]
        except (KeyError, TypeError):
            raise UnknownName(f"item {item!r} is not in this ranking") from None

    def judge(self, judge: Judge) -> int:
        """The number of a judge."""
        try:
            return self._judge_index[judge]
        except (KeyError, TypeError):
            some = ", ".join(map(str, self.judges[:5]))
            raise UnknownName(f"judge {judge!r} is not in this ranking; there are: {some}") from None

    def price(self, u: int) -> float:
        """What one answer of judge `u` costs."""
        return self.prices[self.judges[u]]

    # ------------------------------------------------------------------ joining
    def check_new_judge(self, judge: Judge) -> None:
        """Refuse a name that is taken."""
        if judge in self._judge_index:
            raise BadInput(f"judge {judge!r} is already here; names must differ")

    def add_judge(self, judge: Judge, *, price: float) -> int:
        """The number of a judge who joins."""
        self.prices.update(checked_prices({judge: price}, judges=[judge]))
        self._judge_index[judge] = len(self.judges)
        self.judges.append(judge)
        self.asked.append(0)
        self.answered.append(0)
        return len(self.judges) - 1

    def new_items(self, items: Iterable[Item]) -> list[Item]:
        """The items as a list, if none of them is here or given twice."""
        return distinct([*self.items, *items], what="item")[len(self.items) :]

    def add_items(self, items: Sequence[Item]) -> None:
        for item in items:
            self._item_index[item] = len(self.items)
            self.items.append(item)

    def rename(self, names: Mapping[str, str]) -> None:
        """Call items by other names from now on; the old ones are still understood."""
        self.items = distinct([names.get(str(item), item) for item in self.items], what="item")
        self._item_index |= {item: k for k, item in enumerate(self.items)}

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        """What changes after the start, as JSON values."""
        return {"paused": sorted(self.paused), "asked_of": self.asked, "answered_of": self.answered}

    def load(self, state: Mapping[str, Any]) -> None:
        self.paused = set(state["paused"])
        self.asked, self.answered = list(state["asked_of"]), list(state["answered_of"])


# ----------------------------------------------------------------------------
# Who is here and what is out: what every ranker knows, and the parts of a ranker share
class RosterView:
    """What follows from who is here and what is out; for rankers, and for the state that their parts share."""

    __slots__ = ()
    roster: Roster
    outstanding: OpenQuestions

    @property
    def items(self) -> list[Item]:
        return self.roster.items

    @property
    def judge_names(self) -> list[Judge]:
        return self.roster.judges

    @property
    def prices(self) -> dict[Judge, float]:
        """What one answer of each judge costs."""
        return self.roster.prices

    @property
    def questions(self) -> int:
        """How many questions were put to a judge, open ones included."""
        return sum(self.roster.asked)

    @property
    def cost(self) -> float:
        """What the questions cost at the judges' prices."""
        return self.outstanding.cost

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return self.outstanding.in_time


@dataclass(slots=True)
class SharedState(RosterView):
    """Who is here and what is out; a ranker's own state adds what its algorithm knows."""

    roster: Roster
    outstanding: OpenQuestions
    error: float
    seed: int


# ----------------------------------------------------------------------------
# Questions that are out, and answers that count in the order in which they were asked.
#
# A question is open, then told or expired; an answer after expiry is late. Where a question has a lane, its answer
# waits until every earlier question of that lane is told or expired: how fast somebody answers may depend on what
# they answer, so that counting by arrival would favour one side.
class Fate(StrEnum):
    """What became of a question, as snapshots write it."""

    OPEN = "o"
    TOLD = "t"
    EXPIRED = "e"
    LATE = "l"  # answered after it had expired
    ELSEWHERE = ""  # a number that this ranker never asked


class OpenQuestions:
    """A ranker's questions, each with its fate."""

    def __init__(self) -> None:
        self.next_id = 1
        self.cost = 0.0  # of all questions that were asked
        self.late = 0  # answers that came too late to count
        self._open: dict[int, Question] = {}  # open, or expired and still without an answer
        self._fate: list[str] = [Fate.ELSEWHERE]  # by question id, from 1 on
        self._lanes: dict[Hashable, deque[int]] = {}  # questions not yet counted, in asking order
        self._lane_of: dict[int, Hashable] = {}
        self._held: dict[int, tuple[Question, Answer | None]] = {}  # told or expired, waiting for earlier ones

    # ------------------------------------------------------------------ what is out
    @property
    def in_time(self) -> tuple[Question, ...]:
        """Questions that wait for an answer in time."""
        return tuple(q for q in self._open.values() if self._fate[q.id] == Fate.OPEN)

    @property
    def unanswered(self) -> tuple[Question, ...]:
        """Questions without an answer, expired ones included."""
        return tuple(self._open.values())

    @property
    def uncounted(self) -> frozenset[int]:
        """Numbers of the questions that have a lane, and are not counted in it yet."""
        return frozenset(self._lane_of)

    def has_lane(self, number: int) -> bool:
        """Does this question wait in a lane?"""
        return number in self._lane_of

    def find(self, question: Question | int) -> Question:
        """The question that can still be answered; raises if there is none."""
        number = question if isinstance(question, int) else question.id
        if number in self._open:
            return self._open[number]
        if not 0 < number < self.next_id or self._fate[number] == Fate.ELSEWHERE:
            raise UnknownQuestion(
                f"question {number} was never asked by this ranker; answer a question that ask() gave you"
            )
        raise AnsweredTwice(f"question {number} already has its answer; the first one stands")

    # ------------------------------------------------------------------ what happens to them
    def skip_to(self, number: int) -> None:
        """Numbers below this one were asked elsewhere."""
        while self.next_id < number:
            self._fate.append(Fate.ELSEWHERE)
            self.next_id += 1

    def put_out(self, question: Question, *, lane: Hashable, price: float) -> None:
        """A question is asked."""
        self._open[question.id] = question
        self._fate.append(Fate.OPEN)
        self.next_id = question.id + 1
        self.cost += price
        if lane is not None:
            self._lanes.setdefault(lane, deque()).append(question.id)
            self._lane_of[question.id] = lane

    def told(self, question: Question, answer: Answer) -> Iterator[tuple[Question, Answer | None]]:
        """Note an answer; what counts now: nothing if it is late."""
        in_time = self._fate[question.id] != Fate.EXPIRED
        self._fate[question.id] = Fate.TOLD if in_time else Fate.LATE
        self.late += not in_time
        del self._open[question.id]
        return self._due(question, answer) if in_time else iter(())

    def expired(self, question: Question) -> Iterator[tuple[Question, Answer | None]]:
        """Note that a deadline has passed; what counts now: nothing if it was noted before."""
        if self._fate[question.id] == Fate.EXPIRED:
            return iter(())
        self._fate[question.id] = Fate.EXPIRED
        return self._due(question, None)

    def _due(self, question: Question, answer: Answer | None) -> Iterator[tuple[Question, Answer | None]]:
        """What counts now that this answer (None: expiry) is in; it may wait for earlier ones of its lane."""
        if question.id not in self._lane_of:
            yield question, answer
            return
        self._held[question.id] = (question, answer)
        lane = self._lane_of[question.id]
        queue = self._lanes[lane]
        while queue and queue[0] in self._held:
            first, given = self._held.pop(queue.popleft())
            del self._lane_of[first.id]
            if not queue:
                self._lanes.pop(lane, None)
            yield first, given

    # ------------------------------------------------------------------ snapshots
    def state(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "next_id": self.next_id,
            "cost": self.cost,
            "late": self.late,
            "fate": ",".join(self._fate[1:]),
            "open": [pack(q) for q in self._open.values()],
            "held": [[pack(q), pack_answer(q, answer)] for q, answer in self._held.values()],
            "lanes": [[lane, list(queue)] for lane, queue in self._lanes.items()],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.next_id, self.cost, self.late = state["next_id"], state["cost"], state["late"]
        self._fate = ["", *state["fate"].split(",")] if state["next_id"] > 1 else [""]
        self._open = {q.id: q for q in map(unpack, state["open"])}
        held = [(unpack(q), answer) for q, answer in state["held"]]
        self._held = {q.id: (q, unpack_answer(q, answer)) for q, answer in held}
        self._lanes = {frozen(lane): deque(queue) for lane, queue in state["lanes"]}
        self._lane_of = {qid: lane for lane, queue in self._lanes.items() for qid in queue}


# ----------------------------------------------------------------------------
# An answer as logs and snapshots write it: left, right, tie or skip; a grade keeps its number beside the word.
SIDES = ("left", "right", "tie", "skip")


def side_of(question: Question, answer: Answer) -> str:
    """An answer as a log writes it.

    >>> side_of(Question(1, "ann", "tea", "coffee"), "coffee"), side_of(Question(1, "ann", "tea", "coffee"), TIE)
    ('right', 'tie')
    """
    if answer is TIE or answer is SKIP:
        return str(answer.value)
    if isinstance(answer, Grade | Order):
        x = answer.x if isinstance(answer, Grade) else answer.value(question.left, question.right)
        return "tie" if x == 0 else "left" if x > 0 else "right"
    return "left" if answer == question.left else "right"


def grade_of(answer: Answer) -> float | None:
    """The number of a graded answer; None for every other one.

    >>> grade_of(Grade(0.5)), grade_of(TIE)
    (0.5, None)
    """
    return float(answer.x) if isinstance(answer, Grade) else None


def order_of(answer: Answer) -> list[list[Any]] | None:
    """The tiers of an order; None for every other answer."""
    return [list(tier) for tier in answer.tiers] if isinstance(answer, Order) else None


def answer_of(
    question: Question, side: str, grade: float | None = None, order: Sequence[Sequence[Any]] | None = None
) -> Answer:
    """The answer that a log's word stands for.

    >>> answer_of(Question(1, "ann", "tea", "coffee"), "left")
    'tea'
    """
    if grade is not None:
        if side_of(question, Grade(grade)) != side:
            raise BadAnswer(f"a grade of {grade} does not go with the answer {side!r}")
        return Grade(grade)
    if order is not None:
        found = Order(tuple(tuple(map(frozen, tier)) for tier in order))
        found.check(question.shown)
        if side_of(question, found) != side:
            raise BadAnswer(f"the order does not go with the answer {side!r}")
        return found
    answers: dict[str, Answer] = {"left": question.left, "right": question.right, "tie": TIE, "skip": SKIP}
    return answers[checked_side(side)]


def checked_side(side: str) -> str:
    """The word, if it is one of SIDES.

    >>> checked_side("tie")
    'tie'
    """
    if side not in SIDES:
        raise BadAnswer(f"{side!r} is not an answer; say left, right, tie or skip")
    return side


def in_order(value: Any) -> Any:
    """The same with the keys of all mappings sorted, as a log on disk has them: one state, one text.

    >>> in_order({"phase": "prove", "bet": [{"b": 1, "a": 2}]})
    {'bet': [{'a': 2, 'b': 1}], 'phase': 'prove'}
    """
    if isinstance(value, Mapping):
        return {name: in_order(value[name]) for name in sorted(value)}
    return [in_order(inner) for inner in value] if isinstance(value, list | tuple) else value


def pack(question: Question) -> list[Any]:
    """A question as JSON values."""
    packed = [question.id, question.judge, question.left, question.right, in_order(question.terms), question.case]
    return [*packed, list(question.shown)] if question.shown else packed


def unpack(packed: Sequence[Any]) -> Question:
    """The question that `pack` wrote down."""
    number, judge, left, right, terms, case, *shown = packed
    return Question(number, frozen(judge), frozen(left), frozen(right), terms, case, *map(frozen, shown))


def pack_answer(question: Question, answer: Answer | None) -> str | list[Any] | None:
    """An answer as JSON value; None: the question expired."""
    if answer is None:
        return None
    side, grade, order = side_of(question, answer), grade_of(answer), order_of(answer)
    if order is not None:
        return [side, None, order]
    return side if grade is None else [side, grade]


def unpack_answer(question: Question, packed: str | list[Any] | None) -> Answer | None:
    """The answer that `pack_answer` wrote down."""
    if packed is None:
        return None
    return answer_of(question, packed) if isinstance(packed, str) else answer_of(question, *packed)


def frozen(value: Any) -> Any:
    """A value that can be hashed, as items and lanes must be: JSON gives lists back for tuples.

    >>> frozen([1, ["a", "b"]])
    (1, ('a', 'b'))
    """
    return tuple(map(frozen, value)) if isinstance(value, list) else value
