"""What must hold between the events of a log, whatever its ranker.

The table in `bodies` says what one event may hold; these rules say what may follow what. Every log that
juryrank wrote keeps them all, so one that breaks a rule was made by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from juryrank.errors import BadInput, shown
from juryrank.log import bodies
from juryrank.log.chain import Event, LogReader, SecretSeed, passes_own_work
from juryrank.log.folding import commitment_in
from juryrank.log.kinds import Author, Purpose

CLOCK_SLACK = 1.0  # seconds: the clocks of several server processes differ a little


def check_rules(events: Iterable[Event]) -> None:
    """Raise BadInput at the first event that cannot be where it is; `events` is a whole log."""
    rules = _Rules()
    for event in events:
        try:
            rules.apply(event)
        except _Broken as broken:
            raise BadInput(f"event {event.seq} ({event.kind}) is not possible: {broken}") from None


@dataclass(slots=True)
class _Question:
    judge: str
    deadline: str | None
    pair: frozenset[str]
    told: int | None = None  # the place of the answer that stands
    answer: str = ""
    closed: bool = False  # its answer was taken back for good
    expired: bool = False  # an answer that still comes is late
    sitting: int | None = None  # if it is at a place of it that counts


@dataclass(slots=True)
class _Rules(LogReader):
    items: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    judges: set[str] = field(default_factory=set)
    questions: dict[int, _Question] = field(default_factory=dict)
    last_number: int = 0
    last_answer: dict[str, int] = field(default_factory=dict)  # judge -> question answered last
    own_work: dict[str, int] = field(
        default_factory=dict
    )  # judge -> question passed over since, as their own work
    sittings: dict[int, str | None] = field(default_factory=dict)  # -> deadline
    idle: dict[int, float] = field(default_factory=dict)  # sitting -> seconds without an answer that end it
    active: dict[int, str | None] = field(default_factory=dict)  # sitting -> its start or last answer
    lapsed: set[int] = field(default_factory=set)
    asides: Counter[str] = field(default_factory=Counter)  # judge -> answers that never count
    head: str = ""
    commitment: str | None = None
    seed_open: bool = False

    def passed(self, event: Event) -> None:
        self.head = event.hash

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.items.update(created.items)
        self.judges.update(created.judges)
        self.commitment = commitment_in(event.data)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        _must(not self.seed_open, "the seed of the draws is open already")
        _must(asked.q > self.last_number, f"question {asked.q} is numbered out of order, or asked twice")
        _must(asked.judge in self.judges, f"{shown(asked.judge)} is not a judge")
        together = tuple(asked.shown or (asked.left, asked.right))
        ends = (together[0], together[-1]) == (asked.left, asked.right)
        _must(ends, "left and right are not the first and the last of those shown")
        for item in together:
            _must(item in self.items, f"{shown(item)} is not an item")
        _must(asked.left != asked.right, f"{shown(asked.left)} is shown against itself")
        _must(_seconds_until(asked.deadline, event.at) >= -CLOCK_SLACK, "its deadline has passed already")
        self.last_number = asked.q
        terms = asked.terms or {}
        sitting = terms.get("sitting") if isinstance(terms.get("sitting"), int) else None
        counts = sitting is not None and not terms.get("beyond")
        self.questions[asked.q] = _Question(
            asked.judge, asked.deadline, frozenset(together), sitting=sitting if counts else None
        )
        if sitting is not None and sitting not in self.sittings:
            self.sittings[sitting] = asked.sitting_deadline
            self.active[sitting] = event.at
            if asked.sitting_idle is not None:
                self.idle[sitting] = asked.sitting_idle

    def on_seed_opened(self, event: Event, opened: bodies.SeedOpened) -> None:
        _must(not self.seed_open, "the seed is open already")
        known = SecretSeed(opened.seed, opened.salt)
        _must(known.commitment == self.commitment, "this is not the seed that was committed")
        self.seed_open = True

    def on_told(self, event: Event, told: bodies.Told) -> None:
        question = self._question(told.q)
        _must(question.told is None, f"question {told.q} has an answer already")
        _must(not question.closed, f"the answer to question {told.q} was taken back for good")
        _must(
            told.source != bodies.IDENTICAL or told.answer == "tie",
            f"question {told.q} is answered without a judge, and not by a tie",
        )
        if not question.expired:
            seconds = _seconds_until(question.deadline, event.at)
            _must(seconds >= -CLOCK_SLACK, f"question {told.q} is answered after its deadline, and counted")
            if told.source == bodies.WITHDRAWN:
                gone = not question.pair.isdisjoint(self.withdrawn)
                _must(
                    gone and told.answer == "skip", f"question {told.q} is passed over, but nothing was withdrawn"
                )
            elif passes_own_work(told):
                self.own_work[question.judge] = told.q
            elif told.source != bodies.IDENTICAL:  # nobody was asked: the judge's own last answer is another
                self.last_answer[question.judge] = told.q
                self.own_work.pop(question.judge, None)
            if question.sitting is not None:
                self.active[question.sitting] = event.at
        question.told, question.answer = event.seq, told.answer

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        question = self._question(expired.q)
        _must(
            question.told is None and not question.closed and not question.expired,
            f"question {expired.q} is not open",
        )
        _must_be_due(f"question {expired.q} expires", question.deadline, event.at)
        question.expired = True

    def on_lapsed(self, event: Event, lapsed: bodies.Lapsed) -> None:
        number = lapsed.sitting
        _must(number in self.sittings and number not in self.lapsed, f"sitting {number} is not open")
        if not self._is_idle(number, event.at):
            _must_be_due(f"sitting {number} lapses", self.sittings[number], event.at)
        self.lapsed.add(number)

    def _is_idle(self, sitting: int, at: str | None) -> bool:
        """Has nothing been answered for the time that was fixed at the start of the sitting?"""
        idle = self.idle.get(sitting)
        return idle is not None and _seconds_until(at, self.active[sitting]) >= idle - CLOCK_SLACK

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        question, q = self._question(retracted.q), retracted.q
        _must(question.told is not None and not question.expired, f"question {q} has no answer that counts")
        for name, held in (("told", question.told), ("judge", question.judge), ("answer", question.answer)):
            _must(getattr(retracted, name) == held, f"{name} is not that of the answer to question {q}")
        if retracted.by == Author.JUDGE and not retracted.post_hoc:
            last = (self.last_answer.get(question.judge), self.own_work.get(question.judge))
            _must(q in last, "its judge has answered another question since")
            _must(
                _seconds_until(question.deadline, event.at) >= -CLOCK_SLACK, f"question {q} is past its deadline"
            )
        question.told, question.closed = None, retracted.post_hoc

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        _must(added.judge not in self.judges, f"{shown(added.judge)} is a judge already")
        self.judges.add(added.judge)

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None:
        _must(paused.judge in self.judges, f"{shown(paused.judge)} is not a judge")

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None:
        _must(resumed.judge in self.judges, f"{shown(resumed.judge)} is not a judge")

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        _must(removed.judge in self.judges, f"{shown(removed.judge)} is not a judge")

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None:
        for item in added.items:
            _must(item not in self.items, f"item {shown(item)} is there already")
        self.items.update(added.items)

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None:
        for item in withdrawn.items:
            _must(item in self.items, f"{shown(item)} is not an item")
            _must(item not in self.withdrawn, f"item {shown(item)} is withdrawn already")
            self.withdrawn.add(item)

    def on_restored(self, event: Event, restored: bodies.Restored) -> None:
        there = restored.events == event.seq - 1 and restored.head == self.head
        _must(there, "it names other events than those before it")

    def on_aside(self, event: Event, aside: bodies.Aside) -> None:
        _must(aside.n == self.asides[aside.judge] + 1, f"it is number {aside.n}, and one before it is missing")
        _must(aside.left != aside.right, f"{shown(aside.left)} is shown against itself")
        gold = aside.purpose == Purpose.GOLD
        _must(gold == (aside.better is not None), "gold pairs, and only they, have a better side that is known")
        _must(gold or aside.judge not in self.judges, f"{shown(aside.judge)} is a judge, whose answers count")
        self.asides[aside.judge] += 1

    def _question(self, number: int) -> _Question:
        _must(number in self.questions, f"question {number} was never asked")
        return self.questions[number]


class _Broken(Exception):
    """What is wrong, in words."""


def _must(holds: bool, words: str) -> None:
    if not holds:
        raise _Broken(words)


def _must_be_due(what: str, deadline: str | None, at: str | None) -> None:
    """Nothing ends before the deadline fixed when it began; without a deadline it is taken as given."""
    if deadline is None:
        return
    _must(at is not None, f"{what} at no known time, although it has a deadline")
    early = _seconds_until(deadline, at)
    _must(early <= CLOCK_SLACK, f"{what} {early:.0f} s before its deadline")


def _seconds_until(deadline: str | None, at: str | None) -> float:
    if deadline is None or at is None:
        return 0.0
    return (datetime.fromisoformat(deadline) - datetime.fromisoformat(at)).total_seconds()
