"""The raw events read plainly: who was asked what, what came back and when, and what was done afterwards.

Reading never stops at a fault: each is noted under the check it belongs to, and the reading goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from juryrank.verify.report import Check

VOTES = ("left", "right")
NON_VOTES = ("tie", "skip")
QUESTIONS, ANSWERS, DEADLINES = "questions", "answers", "deadlines"
CLOCK_SLACK = 1.0  # seconds: clocks of several server processes differ a little


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

    @property
    def open(self) -> bool:
        """Still unanswered and not expired: what was asked after it has to wait."""
        return self.told is None and self.expired is None

    @property
    def in_time(self) -> bool:
        return self.told is not None and (self.expired is None or self.told < self.expired)

    @property
    def winner(self) -> str | None:
        """The item preferred in time; None for ties, skips, late answers and silence."""
        if not self.in_time or self.answer not in VOTES:
            return None
        return self.left if self.answer == "left" else self.right

    @property
    def pair(self) -> frozenset[str]:
        return frozenset((self.left, self.right))


@dataclass(slots=True)
class Record:
    """A whole log, read once."""

    settings: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    items: dict[str, None] = field(default_factory=dict)  # an ordered set
    judges: dict[str, None] = field(default_factory=dict)
    questions: dict[int, Asked] = field(default_factory=dict)  # in the order asked
    joins: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)  # (seq, items that joined then)
    lapsed: dict[int, int] = field(default_factory=dict)  # sitting -> seq
    edits: list[str] = field(default_factory=list)  # what makes it post-hoc
    retracted: int = 0  # answers that their own judge took back in time
    without_deadline: int = 0  # questions that expired without a deadline in the log
    faults: dict[str, list[str]] = field(default_factory=dict)
    last_answer: dict[str, int] = field(default_factory=dict)  # judge -> question answered last

    def fault(self, check: str, words: str) -> None:
        self.faults.setdefault(check, []).append(words)

    @property
    def asked(self) -> list[Asked]:
        return list(self.questions.values())

    @property
    def answers(self) -> int:
        """Votes, ties and skips that came in time."""
        return sum(q.in_time for q in self.questions.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What cannot be checked, and has to be taken as given."""
        if not self.without_deadline:
            return ()
        return (f"{self.without_deadline} questions were given up without a deadline in the log: taken as given.",)

    def checks(self) -> tuple[Check, ...]:
        """The checks that hold for every ranker."""
        late = sum(q.told is not None and not q.in_time for q in self.questions.values())
        good = {
            QUESTIONS: f"{len(self.questions)} questions, each to a judge and about items known at the time",
            ANSWERS: f"{self.answers} answers in time, each to its own question by the judge asked"
            + (f"; {late} late, not counted" if late else ""),
            DEADLINES: "no question expired before the deadline fixed when it was asked",
        }
        return tuple(_verdict(name, self.faults.get(name, []), words) for name, words in good.items())


def _verdict(name: str, faults: Sequence[str], words: str) -> Check:
    if not faults:
        return Check(name, True, words)
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return Check(name, False, faults[0] + more)


def read_events(events: Sequence[Mapping[str, Any]]) -> Record:
    """Read a log from its `created` event on."""
    settings = events[0]["data"]
    record = Record(
        settings,
        events,
        items=dict.fromkeys(settings.get("items") or []),
        judges=dict.fromkeys(settings.get("judges") or []),
        edits=list(settings.get("edits") or []),
    )
    if events[0]["kind"] != "created":
        record.fault(QUESTIONS, "the first event does not create the ranking")
    for event in events[1:]:
        reader = READERS.get(event["kind"])
        if reader is None:
            record.fault(QUESTIONS, f"event {event['seq']} is of unknown kind {event['kind']!r}")
            continue
        try:
            reader(record, event)
        except (KeyError, TypeError, ValueError) as problem:
            record.fault(QUESTIONS, f"event {event['seq']} ({event['kind']}) lacks something: {problem!r}")
    return record


def _read_asked(record: Record, event: Mapping[str, Any]) -> None:
    data = event["data"]
    q = Asked(
        event["seq"], data["q"], data["judge"], data["left"], data["right"], data.get("terms") or {},
        data.get("deadline"),
    )  # fmt: skip
    if record.questions and q.id <= next(reversed(record.questions)):
        record.fault(QUESTIONS, f"question {q.id} is numbered out of order, or asked twice")
        return
    if q.judge not in record.judges:
        record.fault(QUESTIONS, f"question {q.id} is to {q.judge!r}, who is not a judge")
    for item in (q.left, q.right):
        if item not in record.items:
            record.fault(QUESTIONS, f"question {q.id} shows {item!r}, which is not an item")
    if q.left == q.right:
        record.fault(QUESTIONS, f"question {q.id} shows {q.left!r} against itself")
    record.questions[q.id] = q


def _read_told(record: Record, event: Mapping[str, Any]) -> None:
    data = event["data"]
    number, word = data["q"], data["answer"]
    q = record.questions.get(number)
    if q is None:
        record.fault(ANSWERS, f"event {event['seq']} answers question {number}, which was never asked")
    elif word not in VOTES + NON_VOTES:
        record.fault(ANSWERS, f"the answer to question {number} is {word!r}")
    elif q.told is not None:
        record.fault(ANSWERS, f"question {number} is answered twice")
    elif data.get("judge", q.judge) != q.judge:
        record.fault(ANSWERS, f"question {number} was asked of {q.judge!r} and answered by {data['judge']!r}")
    else:
        q.answer, q.told = word, event["seq"]
        record.last_answer[q.judge] = number
        if q.expired is None and _seconds_before(event["at"], q.deadline) < -CLOCK_SLACK:
            record.fault(DEADLINES, f"question {number} was answered after its deadline, and counted")


def _read_expired(record: Record, event: Mapping[str, Any]) -> None:
    number = event["data"]["q"]
    q = record.questions.get(number)
    if q is None:
        record.fault(DEADLINES, f"event {event['seq']} expires question {number}, which was never asked")
        return
    if q.expired is None and q.told is None:
        q.expired = event["seq"]
        record.without_deadline += q.deadline is None
    early = _seconds_before(event["at"], q.deadline)
    if early > CLOCK_SLACK:
        record.fault(DEADLINES, f"question {number} expired {early:.0f} s before its deadline")


def _seconds_before(moment: str | None, deadline: str | None) -> float:
    """How long before the deadline something happened; 0 where there is none, or no clock."""
    if moment is None or deadline is None:
        return 0.0
    return (datetime.fromisoformat(deadline) - datetime.fromisoformat(moment)).total_seconds()


def _read_retracted(record: Record, event: Mapping[str, Any]) -> None:
    number = event["data"]["q"]
    q = record.questions.get(number)
    if q is None or q.told is None:
        record.fault(
            ANSWERS, f"event {event['seq']} takes back an answer to question {number} that was never given"
        )
        return
    if event["data"].get("post_hoc") or record.last_answer.get(q.judge) != number:
        record.edits.append(f"answer to question {number} taken back at event {event['seq']}")
        q.answer = "skip"  # it blocks nothing, and says nothing either
    else:  # the judge's own undo, before their next answer: the question is open again on its old terms
        record.retracted += 1
        q.answer = q.told = None


def _read_removed(record: Record, event: Mapping[str, Any]) -> None:
    name = event["data"]["judge"]
    if not event["data"].get("discard"):
        return
    gone = [q for q in record.questions.values() if q.judge == name and q.told is not None]
    for q in gone:
        q.answer = "skip"
    record.edits.append(f"{len(gone)} answers of judge {name} discarded at event {event['seq']}")


def _read_judge(record: Record, event: Mapping[str, Any]) -> None:
    record.judges[event["data"]["judge"]] = None


def _read_items(record: Record, event: Mapping[str, Any]) -> None:
    joined = tuple(event["data"]["items"])
    record.items.update(dict.fromkeys(joined))
    record.joins.append((event["seq"], joined))


def _read_lapsed(record: Record, event: Mapping[str, Any]) -> None:
    record.lapsed[event["data"]["sitting"]] = event["seq"]


def _no_effect(record: Record, event: Mapping[str, Any]) -> None:
    """Pausing, closing, wording: none of it touches an answer."""


READERS: dict[str, Callable[[Record, Mapping[str, Any]], None]] = {
    "asked": _read_asked,
    "told": _read_told,
    "expired": _read_expired,
    "retracted": _read_retracted,
    "judge_removed": _read_removed,
    "judge_added": _read_judge,
    "items_added": _read_items,
    "lapsed": _read_lapsed,
    "judge_paused": _no_effect,
    "judge_resumed": _no_effect,
    "closed": _no_effect,
    "reopened": _no_effect,
    "edited": _no_effect,
}
