"""A whole log, read once: every question with what became of it, and everything that was done to the study."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from juryrank.statements.numbers import number_of
from juryrank.verify.record.gold import GoldScore
from juryrank.verify.report import Check
from juryrank.verify.room import Room

VOTES = ("left", "right")
PASSED_OVER = "withdrawn"  # the source of a skip of a planned pair, an item of which was withdrawn
OWN_WORK = "own-work"  # the source of a skip of a planned pair, an item of which is the person's own
WITHOUT_A_JUDGE = "identical outputs"  # the source of an answer that nobody gave
FAILED = "failed"  # the source of a skip that nobody said: the judge was called and gave no answer
GRADED = {"jury"}  # rankers whose answers may be by degree
GRADED_AS = {"left": 1, "tie": 0, "right": -1}  # the sign of a grade that goes with an answer
EVENTS, QUESTIONS, ANSWERS, DEADLINES = "events", "questions", "answers", "deadlines"


@dataclass(slots=True)
class Asked:
    """One question and what became of it. Times are places in the log (seq), not clocks."""

    seq: int
    id: int
    judge: str
    left: str
    right: str
    terms: Mapping[str, Any]
    deadline: str | None = None  # UTC
    answer: str | None = None  # left, right, tie or skip
    told: int | None = None
    expired: int | None = None
    taken_back: bool = False  # for good: by an edit
    lapsed: bool = False  # it expired with its sitting
    case: str | None = None
    grade: float | None = None  # 1 left, 0 a tie, -1 right
    imported: bool = False  # another program asked it
    without_judge: bool = False  # nobody was asked: both outputs were the same, or an item was withdrawn
    failed: bool = False  # its judge was called and gave no answer
    own_work: bool = False  # passed over, as an item is the person's own
    shown: tuple[str, ...] = ()  # all that were shown together, in order, if more than the pair
    order: Sequence[Sequence[str]] | None = None  # of those: best first, equals side by side

    @property
    def open(self) -> bool:
        """Still unanswered and not expired: what was asked after it has to wait."""
        return self.told is None and self.expired is None

    @property
    def in_time(self) -> bool:
        return self.told is not None and (self.expired is None or self.told < self.expired)

    @property
    def ended(self) -> int | None:
        """The event that ended it: its answer in time, or its expiry."""
        return self.told if self.in_time else self.expired

    @property
    def winner(self) -> str | None:
        """The item preferred in time; None for ties, skips, late answers, answers taken back and silence."""
        if not self.in_time or self.taken_back or self.answer not in VOTES:
            return None
        return self.left if self.answer == "left" else self.right

    @property
    def loser(self) -> str | None:
        if self.winner is None:
            return None
        return self.right if self.winner == self.left else self.left

    @property
    def missing(self) -> bool:
        """Did it end without a word on the pair: skipped, expired or taken back?"""
        said = self.in_time and not self.taken_back and self.answer != "skip"
        return self.ended is not None and not said and not self.without_judge

    @property
    def pair(self) -> frozenset[str]:
        return frozenset(self.shown or (self.left, self.right))


@dataclass(frozen=True, slots=True)
class Aside:
    """An answer that never counts: to a gold pair (`better` is known), or of a model in a study about people."""

    seq: int
    left: str
    right: str
    answer: str
    better: str | None = None
    case: str | None = None

    @property
    def pair(self) -> tuple[frozenset[str], str | None]:
        return frozenset((self.left, self.right)), self.case


@dataclass(slots=True)
class Record:
    """What the events say."""

    settings: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    items: dict[str, None] = field(default_factory=dict)  # an ordered set
    judges: dict[str, None] = field(default_factory=dict)
    founders: int = 0  # judges named when the study was created
    questions: dict[int, Asked] = field(default_factory=dict)  # in the order asked
    withdrawn: dict[str, int] = field(default_factory=dict)  # item that nobody is asked about any more -> seq
    joins: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # (seq, items that joined then)
    joined_at: dict[str, int] = field(default_factory=dict)  # item that joined -> seq
    join_seqs: list[int] = field(default_factory=list)  # of the joins ...
    join_totals: list[int] = field(default_factory=list)  # ... and how many items there were after each
    first_items: int = 0  # items named when the study was created
    lapsed: dict[int, int] = field(default_factory=dict)  # sitting -> seq
    of_sitting: dict[int, list[Asked]] = field(default_factory=dict)  # its questions
    sitting_deadlines: dict[int, str | None] = field(default_factory=dict)  # as fixed with its first question
    sitting_idle: dict[int, tuple[float | None, str | None]] = field(default_factory=dict)  # seconds, last active
    edits: list[str] = field(default_factory=list)  # what makes it post-hoc
    undone: dict[str, int] = field(default_factory=dict)  # judge -> answers taken back and given anew
    given_up: int = 0  # questions and sittings that ended without a deadline in the log
    restored: list[str] = field(
        default_factory=list
    )  # what the log says about having been brought back from a file
    wording: dict[str, Any] = field(default_factory=dict)  # what judges are shown besides names
    reworded: list[str] = field(default_factory=list)  # where it changed after answers had been given
    faults: dict[str, list[str]] = field(default_factory=dict)
    last_answer: dict[str, int] = field(default_factory=dict)  # judge -> question answered last
    last_own_work: dict[str, int] = field(default_factory=dict)  # judge -> own work passed over since then
    asides: dict[str, list[Aside]] = field(default_factory=dict)  # judge -> answers that never count
    gold: dict[str, GoldScore] = field(default_factory=dict)  # judge -> answers to gold pairs
    of_judge: dict[str, list[Asked]] = field(default_factory=dict)  # judge -> questions asked
    refuted: dict[str, int] = field(default_factory=dict)  # judge surely below half on gold pairs -> seq
    void: int = 0  # what began before this event may rest on a judge whom gold pairs refuted then

    room: Room = field(default_factory=Room)  # the work that the file may still ask for

    def fault(self, check: str, words: str) -> None:
        self.faults.setdefault(check, []).append(words)

    @property
    def options(self) -> Mapping[str, Any]:
        return self.settings.get("options") or {}

    @property
    def together(self) -> bool:
        """Does each question show all items?"""
        return self.settings.get("ranker") in GRADED and self.options.get("at_once") == "all"

    @property
    def error(self) -> float:
        return float(self.settings["error"])

    @property
    def asked(self) -> list[Asked]:
        return list(self.questions.values())

    @property
    def answers(self) -> int:
        """Votes, ties and skips that came in time."""
        return sum(q.in_time for q in self.questions.values())

    def count_at(self, seq: float) -> int:
        """How many items were there at an event: the first so many of all."""
        joins = bisect_right(self.join_seqs, seq)
        return self.join_totals[joins - 1] if joins else self.first_items

    def there(self, names: Iterable[str], seq: float) -> bool:
        """Are all of these items that were there at an event?"""
        return all(name in self.items and self.joined_at.get(name, 0) <= seq for name in names)

    def is_all(self, names: Sequence[str], seq: float) -> bool:
        """Are these all items that were there at an event, each once?"""
        return len(set(names)) == len(names) == self.count_at(seq) and self.there(names, seq)

    def joined_between(self, first: float, last: float) -> bool:
        """Did items join after one event and before another?"""
        return bisect_right(self.join_seqs, first) < bisect_left(self.join_seqs, last)

    def sets_before(self, seq: float) -> int:
        """How many sets of two items or more there had been before an event: the first, and one with each join."""
        joins = bisect_left(self.join_seqs, seq)
        return (self.first_items > 1) + joins - bisect_right(self.join_totals, 1, 0, joins)

    def checks(self) -> tuple[Check, ...]:
        """The checks that hold for every ranker."""
        late = sum(q.told is not None and not q.in_time for q in self.questions.values())
        items, asked = number_of(len(self.items), "item"), number_of(len(self.questions), "question")
        good = {
            EVENTS: f"{items} and {number_of(len(self.judges), 'judge')}, each named once",
            QUESTIONS: f"{asked}, each to a judge and about items known at the time",
            ANSWERS: f"{number_of(self.answers, 'answer')} in time, each to its own question"
            + (f"; {late} late, not counted" if late else ""),
            DEADLINES: "nothing ended before the deadline fixed when it began",
        }
        return tuple(_verdict(name, self.faults.get(name, []), words) for name, words in good.items())


def _verdict(name: str, faults: Sequence[str], words: str) -> Check:
    if not faults:
        return Check(name, True, words)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Check(name, False, faults[0] + more)
