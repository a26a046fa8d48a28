"""A study's state in memory: the log as far as it was read, its ledger, and the ranker, which follows lazily.

Events are absorbed at once by the ledger, and by the ranker only when it is needed (`settle`). A state can be
written down as a snapshot and thrown away at any moment: `load` makes the same one again from the storage.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.defaults import SNAPSHOT_EVENTS
from juryrank.errors import JuryrankError, LogAltered
from juryrank.log import (
    Event,
    Fold,
    Head,
    check_rules,
    checked,
    event_hash,
    fold,
    reaches_behind,
    row_hash,
)
from juryrank.log.chain import SecretSeed
from juryrank.log.gold import GoldBook
from juryrank.rankers.contract.ranker import Ranker
from juryrank.storage.base import Storage
from juryrank.storage.values import Row
from juryrank.study.ledger import Ledger, ledger_dict, ledger_from

# ----------------------------------------------------------------------------
# Is the log in the storage still the one that was written?
BEGINNING = Head()


def intact(events: Iterable[Event], *, after: Head = BEGINNING) -> Iterator[Event]:
    """Events as a storage gives them, each checked against the one before; LogAltered names the first bad one."""
    try:
        yield from checked(events, after=after)
    except LogAltered as problem:
        raise LogAltered(
            f"the log of this study was altered in the storage: {problem}. The study cannot be used, and no "
            "certificate is issued from it: restore the storage from a back-up. `juryrank study export --format "
            "jsonl` still gives the raw events"
        ) from None


def check_chain(storage: Storage, study: int, *, after: Head = BEGINNING) -> Head:
    """Check every stored event after `after` against its hash; returns the log's head. Raises LogAltered.

    Rows are hashed as they are stored (0.3 s per 100,000 events); only a row that does not match is decoded: it
    was stored before rows were stored as they are hashed, holds letters beyond ASCII, or was altered.
    """
    seq, head = after.seq, after.hash
    for row in storage.rows(study, after=after.seq):
        if row[0] != seq + 1 or row_hash(head, *row[:4]) != row[4]:
            _check_decoded(row, after=Head(seq, head))
        seq, head = row[0], row[4]
    return Head(seq, head)


def _check_decoded(row: Row, *, after: Head) -> None:
    seq, kind, text, at, stored = row
    try:
        data = json.loads(text)
    except ValueError:
        data = {"": text}  # what is no JSON fits no hash
    fits = seq == after.seq + 1 and event_hash(after.hash, seq, kind, data, at) == stored
    if not fits:
        deque(intact([Event(seq, kind, data, at, stored)], after=after), maxlen=0)  # which says how


def whole_log(storage: Storage, study: int) -> tuple[Event, ...]:
    """Every event of a study, checked against its hash, the table of its kind and the rules between events."""
    events = tuple(intact(storage.events(study)))
    check_rules(events)
    return events


# ----------------------------------------------------------------------------
# A study's state in memory: the log as far as it was read, its ledger, and the ranker, which follows lazily.
logger = logging.getLogger("juryrank")

STATE_SCHEMA = 3
SNAPSHOT_SHARE = 50  # between two snapshots lies at least this fraction (1/50) of the log: few of a long one
KEPT_SNAPSHOTS = 3  # older ones serve an undo that reaches behind the newest


@dataclass(slots=True)
class StudyState:
    """`head` is the last event absorbed; `pending` are those the ranker has not seen yet."""

    head: Head = field(default_factory=Head)
    ledger: Ledger = field(default_factory=Ledger)
    fold: Fold | None = None
    pending: list[Event] = field(default_factory=list)
    snapshot_seq: int = 0
    secret: SecretSeed | None = None  # a committed seed, as this installation keeps it

    def absorb(self, events: Iterable[Event]) -> None:
        """Take events in; this is cheap."""
        for event in events:
            self.ledger.apply(event)
            self.pending.append(event)
            self.head = Head(event.seq, event.hash)

    def follow(self, events: Iterable[Event]) -> None:
        """Take in events as a storage gives them: each must follow from the one before, or LogAltered."""
        self.absorb(intact(events, after=self.head))

    @property
    def reaches_back(self) -> bool:
        """Does something pending change what the ranker has already counted? Then `load` again."""
        if self.fold is None:
            return False
        first = self.pending[0].seq if self.pending else 0
        return any(reaches_behind(event, first) for event in self.pending)

    def settle(self) -> Fold:
        """The ranker, with all pending events counted; the caller has checked `reaches_back`."""
        pending, self.pending = self.pending, []
        if self.fold is None:
            self.fold = fold(pending, secret=self.secret)
        elif pending:
            with self.fold.knowing(pending):
                self.fold.walk(pending)
        return self.fold

    # ------------------------------------------------------------------ snapshots
    @property
    def wants_snapshot(self) -> bool:
        return self.head.seq - self.snapshot_seq >= max(SNAPSHOT_EVENTS, self.head.seq // SNAPSHOT_SHARE)

    def to_json(self) -> str:
        """The settled state as JSON; the same log gives the same text."""
        ranking = self.settle()
        body = {
            "schema": STATE_SCHEMA,
            "seq": self.head.seq,
            "hash": self.head.hash,
            "ledger": ledger_dict(self.ledger),
            "edits": ranking.edits,
            "gold": ranking.gold.state(),
            "because": ranking.because,
        }
        text = json.dumps(body, separators=(",", ":"))  # the ranker as text: an answer waits for this
        return sealed(f'{text[:-1]},"ranker":{ranking.ranker.snapshot_text()}}}')

    @classmethod
    def from_json(cls, text: str) -> StudyState | None:
        """The state of a snapshot; None if it is damaged or from another version (it is only a cache)."""
        try:
            body: dict[str, Any] = json.loads(unsealed(text))
            if body["schema"] != STATE_SCHEMA:
                return None
            ledger, head = ledger_from(body["ledger"]), Head(body["seq"], body["hash"])
            ranker = Ranker.restore(body["ranker"])
        except (JuryrankError, ValueError, KeyError, TypeError, IndexError, AttributeError):
            return None
        known = Fold(ledger.created, ranker, seq=head.seq, closed=ledger.closed, edits=list(body["edits"]))
        known.gold, known.because = GoldBook.load(body.get("gold")), dict(body.get("because", {}))
        return cls(head, ledger, known, snapshot_seq=head.seq)


def load(storage: Storage, study: int) -> StudyState:
    """The state of a study: newest usable snapshot plus the events after it, or the whole log.

    Events after the snapshot are checked against their hashes; raises LogAltered. (`Keeper` has checked the whole
    log before.)
    """
    secret = kept_seed(storage, study)
    for seq in storage.snapshots(study):
        text = storage.snapshot(study, seq)
        state = StudyState.from_json(text) if text is not None else None
        if state is None or state.head.seq != seq:
            _forget(storage, study, seq)
            continue
        log = list(storage.events(study, after=seq - 1))
        if not log or log[0].hash != state.head.hash:
            continue  # of another past: the database was restored
        state.follow(log[1:])
        state.secret = secret
        if not state.reaches_back:
            recall_forecasts(storage, study, state.ledger.created)
            return state
    state = StudyState(secret=secret)
    state.follow(storage.events(study))
    recall_forecasts(storage, study, state.ledger.created)
    return state


SEED_NOTE = "seed"  # of a study whose log holds the hash of its seed alone


def keep_seed(storage: Storage, study: int, secret: SecretSeed) -> None:
    """Keep a committed seed beside the log."""
    storage.set_note(SEED_NOTE, {"seed": str(secret.seed), "salt": secret.salt}, study=study)


def kept_seed(storage: Storage, study: int) -> SecretSeed | None:
    """The seed that this installation committed; None: it committed none."""
    kept = storage.note(SEED_NOTE, study=study)
    return None if kept is None else SecretSeed(int(kept["seed"]), kept["salt"])


FORECAST_NOTE = "forecasts"  # of a study whose log holds the root of its forecasts


def keep_forecasts(storage: Storage, study: int, created: Mapping[str, Any]) -> None:
    """Keep a study's forecasts beside its log, which holds those of its lists alone."""
    if root := _root(created):
        from juryrank.rankers.jury.core.forecasts import kept

        if (whole := kept(root)) is not None:
            values = [[*pair, list(values)] for pair, values in whole.values.items()]
            storage.set_note(FORECAST_NOTE, {"items": list(whole.items), "values": values}, study=study)


def recall_forecasts(storage: Storage, study: int, created: Mapping[str, Any]) -> None:
    """Make a study's forecasts known here, if they are what its log says."""
    if root := _root(created):
        from juryrank.rankers.jury.core.forecasts import Forecasts, keep, kept

        if kept(root) is None and (note := storage.note(FORECAST_NOTE, study=study)):
            found = Forecasts(tuple(note["items"]), {(i, j): values for i, j, values in note["values"]})
            if found.root == root:
                keep(found)


def _root(created: Mapping[str, Any]) -> str:
    forecast = (created.get("options") or {}).get("forecast") or {}
    return str(forecast.get("root", ""))


def _forget(storage: Storage, study: int, seq: int) -> None:
    """Log that a snapshot cannot be used, and delete it, so that this is said once."""
    logger.warning(
        "study %d: the snapshot at event %d is damaged or of another version; folding the log", study, seq
    )
    with contextlib.suppress(JuryrankError):  # it may not be ours to write
        storage.drop_snapshots(study, [seq])


def sealed(text: str) -> str:
    """A snapshot as it is stored: its hash, then its text.

    >>> unsealed(sealed("{}"))
    '{}'
    """
    return f"{hashlib.sha256(text.encode()).hexdigest()} {text}"


def unsealed(text: str) -> str:
    """The snapshot, if it is as it was written; ValueError if not."""
    body = text.partition(" ")[2]
    if sealed(body) != text:
        raise ValueError("this snapshot is damaged, or from before snapshots were sealed")
    return body


def save(storage: Storage, study: int, state: StudyState) -> None:
    """Write a snapshot; keeps the newest few."""
    storage.save_snapshot(study, state.head.seq, state.to_json())
    state.snapshot_seq = state.head.seq
    storage.drop_snapshots(study, storage.snapshots(study)[KEPT_SNAPSHOTS:])
