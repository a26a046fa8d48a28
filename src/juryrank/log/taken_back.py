"""Answers that are taken back or discarded, and which of them make a result post-hoc."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from juryrank.log import bodies
from juryrank.log.chain import Event
from juryrank.log.kinds import Author, EventKind
from juryrank.log.reader import LogReader
from juryrank.quoting import in_sentence

NOTHING: Mapping[int, bool] = {}


def answers_taken_back(log: Iterable[Event], *, fresh: bool = False) -> tuple[dict[int, bool], list[str]]:
    """Which `told` events (by seq) to leave out, and the edits that make the result post-hoc.

    The value is True where the answer is out for good, False where its question is open again for its judge.
    `fresh`: the judges are programs that answer anew each time (where the `created` event is not in `log`).
    """
    found = _TakenBack(fresh=fresh).walk(log)
    return found.out, found.edits


def is_own_undo(retracted: bodies.Retracted, *, fresh: bool) -> bool:
    """Did the judge themselves take the answer back, so that their final answer counts and nothing was edited?

    Anybody else chooses after the fact. A program that answers anew each time has no undo: it would be drawing
    again, so its first recorded answer counts.
    """
    return retracted.by == Author.JUDGE and not retracted.post_hoc and not fresh


@dataclass(slots=True)
class _TakenBack(LogReader):
    fresh: bool
    told: dict[int, int] = field(default_factory=dict)
    judge_of: dict[int, str] = field(default_factory=dict)
    out: dict[int, bool] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.fresh = bool(created.fresh)

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.judge_of[asked.q] = asked.judge

    def on_told(self, event: Event, told: bodies.Told) -> None:
        self.told[told.q] = event.seq

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        seq = self.told.pop(retracted.q, None)  # None: discarded with its judge's answers before
        if seq is not None:
            self.out[seq] = retracted.post_hoc
        if not is_own_undo(retracted, fresh=self.fresh):
            self.edits.append(f"answer to question {retracted.q} taken back at event {event.seq}")

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        if not removed.discard:
            return
        gone = [q for q in self.told if self.judge_of.get(q) == removed.judge]
        self.out.update({self.told.pop(q): True for q in gone})
        self.edits.append(
            f"{len(gone)} answers of judge {in_sentence(removed.judge)} discarded at event {event.seq}"
        )


def reaches_behind(event: Event, seq: int) -> bool:
    """Does this event take back an answer that stands before `seq` in the log?"""
    if event.kind == EventKind.RETRACTED:
        return bool(event.data["told"] < seq)
    return event.kind == EventKind.JUDGE_REMOVED and bool(event.data.get("discard"))
