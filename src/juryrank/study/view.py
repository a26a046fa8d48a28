"""What can be read of a study: its result, its progress, its log, its judges' places."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from juryrank.errors import UnknownName, shown
from juryrank.log import Event
from juryrank.storage.base import Storage
from juryrank.storage.values import StudyRow
from juryrank.study.keeper import Keeper
from juryrank.study.leases import LeaseTally
from juryrank.study.progress import progress_of
from juryrank.study.state import StudyState
from juryrank.study.values import Seat, StudyProgress
from juryrank.types import Question, Ranking, Status, Wait

PATIENCE = 30.0  # seconds for which a broken connection is tried again before giving up


class StudyView:
    """The reading half of a `Study`."""

    def __init__(self, storage: Storage, row: StudyRow, *, patience: float = PATIENCE) -> None:
        self.storage = storage
        self.id = row.id
        self.name = row.name
        self.created_at = row.created_at
        self.patience = patience
        self._keeper = Keeper(storage, row.id)

    def __repr__(self) -> str:
        return f"Study({self.name!r}, storage={self.storage.place!r})"

    # ------------------------------------------------------------------ results
    def ranking(self) -> Ranking:
        """The order so far, best first, with what is settled."""
        with self._keeper.lock:
            return self._keeper.settled()[0].ranking()

    def progress(self) -> StudyProgress:
        """Placed, settled, asked, to go, cost, and a row a judge."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            return progress_of(self.name, fold, state)

    def certificate(self) -> dict[str, Any]:
        """The result with every raw event behind it: `juryrank verify` re-checks it."""
        from juryrank.verify import certificate

        with self._keeper.lock:
            fold, state = self._keeper.settled()
            known = takewhile(lambda event: event.seq <= state.head.seq, self.storage.events(self.id))
            return certificate(known, fold.ranking())

    def refold(self, *, ranker: str | None = None, error: float | None = None, **options: Any) -> Ranking:
        """What another ranker or another error would have made of the same answers: a post-hoc result."""
        from juryrank.study.refold.refold import refold

        return refold(list(self.events()), ranker=ranker, error=error, options=options)

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """The log."""
        return self.storage.events(self.id, after=after)

    def watch(
        self, *, after: int | None = None, poll: float = 0.25, timeout: float | None = None
    ) -> Iterator[Event]:
        """Events as they come, from now on (or after `after`); ends `timeout` seconds after the last one."""
        seen = self.seq if after is None else after
        quiet_since = time.monotonic()
        while True:
            for event in self.events(after=seen):
                seen, quiet_since = event.seq, time.monotonic()
                yield event
            if timeout is not None and time.monotonic() - quiet_since >= timeout:
                return
            time.sleep(poll)

    # ------------------------------------------------------------------ who is asked what
    def status(self, judge: str | None = None) -> Status:
        """Why there is (or is not) a question now, in words."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            if state.ledger.closed:
                return Status(Wait.DONE, "The study is closed: thank you.")
            if judge in state.ledger.removed:
                return Status(Wait.DROPPED, "You are no longer asked in this study: thank you.")
            return fold.ranker.status(judge)

    def open_questions(self, judge: str | None = None) -> list[Question]:
        """Questions that are out (of this judge), oldest first."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            out = [number for number, lease in sorted(state.ledger.open.items()) if judge in (None, lease.judge)]
            return [fold.ranker.outstanding.find(number) for number in out]

    def seat(self, judge: str, *, fresh: bool = False) -> Seat:
        """A judge's open questions, latest answer and count as this process knows them; `fresh`: read the log."""
        with self._keeper.lock:
            state = self._keeper.caught_up() if fresh else self._keeper.known()
            self._known_judge(state, judge)
            ledger = state.ledger
            mine = [lease for _, lease in sorted(ledger.open.items()) if lease.judge == judge]
            return Seat(
                open=tuple(Question(one.q, one.judge, one.left, one.right) for one in mine),
                last=ledger.last.get(judge),
                answered=ledger.tallies.get(judge, LeaseTally()).answered,
                items=len(ledger.items),
                closed=ledger.closed,
                removed=judge in ledger.removed,
            )

    # ------------------------------------------------------------------ as it is now
    @property
    def seq(self) -> int:
        """The number of the log's last event."""
        with self._keeper.lock:
            return self._keeper.caught_up().head.seq

    @property
    def items(self) -> list[str]:
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.items)

    @property
    def judges(self) -> list[str]:
        """Judges' ids as the log knows them, removed ones included."""
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.judges)

    def active_judges(self) -> list[str]:
        """Judges who are neither paused nor removed."""
        with self._keeper.lock:
            ledger = self._keeper.caught_up().ledger
            return [judge for judge in ledger.judges if judge not in ledger.paused | ledger.removed]

    @property
    def settings(self) -> dict[str, Any]:
        """Wording, item contents, consent text and the like, as created and edited."""
        with self._keeper.lock:
            return dict(self._keeper.caught_up().ledger.settings)

    @property
    def created(self) -> dict[str, Any]:
        """What the study was created with: ranker, error, seed, lease, ..."""
        with self._keeper.lock:
            return dict(self._keeper.caught_up().ledger.created)

    @property
    def closed(self) -> bool:
        with self._keeper.lock:
            return self._keeper.caught_up().ledger.closed

    @property
    def done(self) -> bool:
        """Finished by the ranker's own rule."""
        with self._keeper.lock:
            return self._keeper.settled()[0].ranker.done

    def _known_judge(self, state: StudyState, judge: str) -> None:
        if judge not in state.ledger.judges:
            some = ", ".join(shown(name) for name in state.ledger.judges[:5]) or "nobody yet"
            raise UnknownName(f"judge {shown(judge)} is not in study {shown(self.name)}; there are: {some}")
