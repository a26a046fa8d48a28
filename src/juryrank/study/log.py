"""What a study's log says besides the ranking: `study.log`. Heads and receipts, deadlines, what was done when."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from juryrank.defaults import BUSY_SECONDS
from juryrank.errors import StorageError, shown
from juryrank.log import Event, Head, LogReader, bodies
from juryrank.log.bodies import KeyChanged
from juryrank.log.chain import answer_anew, is_own_undo
from juryrank.log.gold import GoldBook
from juryrank.log.receipts import read_code
from juryrank.rankers.registry import ranker_class
from juryrank.storage.base import Storage
from juryrank.storage.values import StorageBusy, StorageLost
from juryrank.study import turns
from juryrank.study.keeper import Keeper
from juryrank.study.reading import follow
from juryrank.study.signing import (
    PastHead,
    ReceiptFound,
    SignedHead,
    find_receipt,
    keep_head,
    past_heads,
    signed_head,
)
from juryrank.study.state import check_chain, kept_seed
from juryrank.types import Ranking

BUSY_REST = 10.0  # seconds for which results are only read, once somebody else had the database locked
CLOCK_REST = 300.0  # seconds for which results are only read, once following the clock was refused


class StudyLog:
    """The log of one study, to be looked at."""

    def __init__(self, storage: Storage, study: int, keeper: Keeper) -> None:
        self._storage, self._study, self._keeper = storage, study, keeper
        self._checked = Head()  # how far every hash was checked for receipts
        self._only_read_until = 0.0  # by this machine's clock

    def _events(self, *, after: int = 0) -> Iterator[Event]:
        return self._storage.events(self._study, after=after)

    @property
    def seq(self) -> int:
        """The number of the log's last event."""
        with self._keeper.lock:
            return self._keeper.caught_up().head.seq

    def watch(
        self, *, after: int | None = None, poll: float = 0.25, timeout: float | None = None
    ) -> Iterator[Event]:
        """Events as they come, from now on (or after `after`); ends `timeout` seconds after the last one."""
        return follow(self._events, after=self.seq if after is None else after, poll=poll, timeout=timeout)

    def head(self, *, keep: bool = False) -> SignedHead:
        """Where the log ends now, with the time, signed by this installation where it has a key.

        `keep`: keep it among the heads that `past_heads` lists.
        """
        with self._keeper.lock:
            found = signed_head(self._storage, self._keeper.caught_up().head)
        if keep:
            keep_head(self._storage, self._study, found)
        return found

    def past_heads(self, *, latest: int | None = None) -> list[PastHead]:
        """Heads stated before, oldest first (only the `latest` newest), and whether the log still has each."""
        return past_heads(self._storage, self._study, latest=latest)

    def find_receipt(self, code: str) -> ReceiptFound:
        """Is this receipt's place in the log? Nobody's answers are shown."""
        place = read_code(code)
        with self._keeper.lock:
            self._checked = check_chain(self._storage, self._study, after=self._checked)
            most = 1 if place.seq <= self._checked.seq else 0
            there = next(iter(self._storage.rows(self._study, after=place.seq - 1, most=most)), None)
            return find_receipt(code, there and there[4], events=self._checked.seq)

    def note_key(self, changed: KeyChanged) -> None:
        """Write into the log that the installation signs with another key from now on."""
        with self._keeper.turn() as (turn, state):
            turns.write(turn, state, changed)

    def check(self) -> None:
        """Raise LogAltered unless the whole log is as it was written; the first bad event is named."""
        self._keeper.known()

    def history(self) -> list[Act]:
        """What was done to the study besides asking and answering, oldest first."""
        return acts_of(self._events())

    def refold(self, *, ranker: str | None = None, error: float | None = None, **options: Any) -> Ranking:
        """What another ranker or another error would have made of the same answers: a post-hoc result."""
        from juryrank.study.refold.refold import refold

        secret = kept_seed(self._storage, self._study)
        return refold(list(self._events()), ranker=ranker, error=error, options=options, secret=secret)

    @property
    def withdrawn(self) -> list[str]:
        """Items that nobody is asked about any more."""
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.withdrawn)

    def active_judges(self) -> list[str]:
        """Judges who are neither paused nor removed."""
        with self._keeper.lock:
            ledger = self._keeper.caught_up().ledger
            return [judge for judge in ledger.judges if judge not in ledger.paused | ledger.removed]

    def left_early(self) -> list[str]:
        """Judges who left before finishing: removed, or their sitting ended unfinished."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            gone = {str(judge) for judge in fold.ranker.left_early()} | set(state.ledger.removed)
            return [judge for judge in state.ledger.judges if judge in gone]

    @property
    def gold(self) -> GoldBook:
        """How judges did on gold pairs, and who else answered beside the ranking."""
        with self._keeper.lock:
            return self._keeper.settled()[0].gold

    @property
    def counts_models(self) -> bool:
        """May models' answers count in the promise? Not where it is about people at large."""
        created = self._keeper.known().ledger.created
        return ranker_class(created["ranker"]).counts_models(created.get("options") or {})

    def expire_due(self, *, patience: float = BUSY_SECONDS) -> int:
        """Close what is overdue by the storage's clock (every ask and tell does it too); returns how many."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            if not state.ledger.is_due(self._storage.now()):
                return 0
            with self._keeper.turn(patience=patience) as (turn, state):
                return turns.expire(turn, state)

    def follow_clock(self) -> None:
        """`expire_due` where the storage can be written: results say what is true now, whoever asks or answers.

        After the last answer nobody asks any more, and a sitting that was left open would hold up all later ones.
        A database that can only be read, or that somebody keeps locked, gives results too, and is not made to
        refuse again at every look: each time would cost the wait for its lock, and the state.
        """
        if time.monotonic() < self._only_read_until:
            return
        try:
            self.expire_due(patience=0.0)
        except StorageBusy:
            self._only_read_until = time.monotonic() + BUSY_REST
        except StorageLost:
            return  # it may be back in a moment
        except StorageError:
            self._only_read_until = time.monotonic() + CLOCK_REST

    def has_overdue(self) -> bool:
        """Is anything past its deadline and not closed yet? Looking closes nothing."""
        with self._keeper.lock:
            return self._keeper.caught_up().ledger.is_due(self._storage.now())


# ----------------------------------------------------------------------------
# What was done to a study besides asking and answering: when, and in which event of its log
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
        self.fresh = answer_anew(event.data)
        size = f"{len(created.items)} items, {len(created.judges)} judges"
        self._add(event, f"created the study: {size}, ranker {created.ranker}, δ = {created.error}")
        for edit in created.edits or ():
            self._add(event, edit, edit=True)

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        if is_own_undo(retracted, fresh=self.fresh):
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
