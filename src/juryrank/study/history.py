"""What was done to a study besides asking and answering: when, and in which event of its log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from juryrank.errors import shown
from juryrank.log import Author, Event, LogReader, bodies


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that was done. `edit`: after answers had been seen, so that the result is post-hoc."""

    seq: int
    at: str
    words: str
    edit: bool = False


def acts_of(events: Iterable[Event]) -> list[Act]:
    """Everything that an owner did, oldest first. Judges' own undos are not included: see their counts.

    >>> [act.words for act in acts_of([Event(2, "closed", {}, "2026-05-01T10:00:00+00:00")])]
    ['closed the study']
    """
    return _Acts().walk(events).acts


@dataclass(slots=True)
class _Acts(LogReader):
    acts: list[Act] = field(default_factory=list)
    fresh: bool = False

    def on_created(self, event: Event, created: bodies.Created) -> None:
        self.fresh = bool(created.fresh)
        size = f"{len(created.items)} items, {len(created.judges)} judges"
        self._add(event, f"created the study: {size}, ranker {created.ranker}, δ = {created.error}")
        for edit in created.edits or ():
            self._add(event, edit, edit=True)

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        if retracted.by == Author.JUDGE and not retracted.post_hoc and not self.fresh:
            return
        who = {"judge": "the judge, too late or in a study of programs", None: "somebody the log does not name"}
        by = who.get(retracted.by, f"the {retracted.by}")
        self._add(event, f"answer to question {retracted.q} taken back by {by}", edit=True)

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self._add(event, f"added judge {shown(added.judge)}")

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None:
        why = f": {paused.reason}" if paused.reason else ""
        self._add(event, f"paused judge {shown(paused.judge)}{why}")

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None:
        self._add(event, f"resumed judge {shown(resumed.judge)}")

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        discarded = " and discarded their answers" if removed.discard else ""
        self._add(event, f"removed judge {shown(removed.judge)}{discarded}", edit=bool(removed.discard))

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None:
        more = f" and {len(added.items) - 1} more" if len(added.items) > 1 else ""
        self._add(event, f"added item {shown(added.items[0])}{more}" if added.items else "added no item")

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None:
        more = f" and {len(withdrawn.items) - 1} more" if len(withdrawn.items) > 1 else ""
        self._add(
            event, f"withdrew item {shown(withdrawn.items[0])}{more}" if withdrawn.items else "withdrew none"
        )

    def on_closed(self, event: Event, closed: bodies.Closed) -> None:
        self._add(event, "closed the study")

    def on_reopened(self, event: Event, reopened: bodies.Reopened) -> None:
        self._add(event, "reopened the study")

    def on_edited(self, event: Event, edited: bodies.Edited) -> None:
        self._add(event, f"changed settings: {', '.join(sorted(edited.settings or {})) or 'none'}")

    def on_restored(self, event: Event, restored: bodies.Restored) -> None:
        self._add(event, f"restored from a file of {restored.events} events")

    def on_key_changed(self, event: Event, changed: bodies.KeyChanged) -> None:
        self._add(event, f"changed the signing key from {changed.old[:16]}… to {changed.new[:16]}…")

    def on_seed_opened(self, event: Event, opened: bodies.SeedOpened) -> None:
        self._add(event, "opened the seed of the draws")

    def on_probed(self, event: Event, probed: bodies.Probed) -> None:
        model = f" ({probed.model})" if probed.model else ""
        self._add(event, f"tried out judge {shown(probed.judge)}{model}")

    def _add(self, event: Event, words: str, *, edit: bool = False) -> None:
        self.acts.append(Act(event.seq, event.at or "", words, edit))
