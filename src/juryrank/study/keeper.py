"""One study's state in memory, brought up to date with the log before each use; retries on lost connections."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeAlias, TypeVar

from juryrank.defaults import BUSY_SECONDS, HEAD_SECONDS, SNAPSHOT_EVENTS
from juryrank.errors import JuryrankError, LogAltered, StorageError
from juryrank.log import Fold, Head, chained
from juryrank.log.fields import Body
from juryrank.storage.base import Storage
from juryrank.storage.values import StorageBusy, StorageLost, Turn, utc
from juryrank.study import state as states
from juryrank.study.ledger import Lease
from juryrank.study.signing import keep_head, signed_head
from juryrank.study.state import BEGINNING, StudyState, check_chain

MOST_IN_TURN = 32  # calls in one turn: whoever came first waits for the work of all
BREATH = 0.02  # seconds between two tries: whoever waits for our own lock gets it
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0  # seconds between two tries of a broken connection

Given = ParamSpec("Given")
Result = TypeVar("Result")
Further = TypeVar("Further")
InTurn: TypeAlias = Callable[[Turn, StudyState], Result]


class Patient(Protocol):
    """Anything with a patience: how many seconds it waits for a broken connection."""

    patience: float


Self = TypeVar("Self", bound=Patient)


def persistent(
    call: Callable[Concatenate[Self, Given], Result],
) -> Callable[Concatenate[Self, Given], Result]:
    """Try a call again for a while where the connection is broken; for calls that can be repeated safely."""

    @wraps(call)
    def patiently(self: Self, /, *args: Given.args, **named: Given.kwargs) -> Result:
        tries = Tries(self.patience)
        while True:
            try:
                return call(self, *args, **named)
            except StorageLost:
                if not tries.another():
                    raise

    return patiently


class Tries:
    """Tries of a broken connection, with pauses between them that grow."""

    def __init__(self, patience: float) -> None:
        self._until, self._pause = time.monotonic() + patience, FIRST_PAUSE

    def another(self) -> bool:
        """Wait, and try again; False: not in the time that is left."""
        if time.monotonic() + self._pause > self._until:
            return False
        time.sleep(self._pause)
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        return True


class Shared(Generic[Result, Further]):
    """A call that waits for a turn which it shares with others, and what came of it."""

    def __init__(self, call: InTurn[Result], then: InTurn[Further]) -> None:
        self.call, self.then = call, then
        self.found: list[tuple[Result, Further]] = []
        self.problem: Exception | None = None
        self.done = self.alone = False

    def outcome(self) -> tuple[Result, Further]:
        """What both gave, or the problem raised."""
        if self.problem is not None:
            raise self.problem
        return self.found[0]


def _called(group: list[Shared[Any, Any]], turn: Turn, state: StudyState) -> list[tuple[Shared[Any, Any], Any]]:
    """What the calls of a group gave. One refused before it wrote leaves the turn to the others."""
    found = []
    for one in group:
        before, one.found, one.problem = len(turn.written), [], None
        try:
            found.append((one, one.call(turn, state)))
        except JuryrankError as problem:
            if len(turn.written) > before or isinstance(problem, StorageError):
                raise
            one.problem = problem
    return found


class Keeper:
    """Holds the state under a lock; `turn` is the only way to write, `settled` and `caught_up` read."""

    def __init__(self, storage: Storage, study: int) -> None:
        self.storage, self.study = storage, study
        self.lock = threading.RLock()
        self._state: StudyState | None = None
        self._checked = BEGINNING  # how far this process held the log against its hashes
        self._heads = HeadClock(storage, study)
        self._waiting: deque[Shared[Any, Any]] = deque()
        self._together = threading.Lock()
        self._alone = False  # did nobody else write since the last turn?
        self._clock = 0.0  # the storage's clock against ours, at the last turn

    @contextmanager
    def turn(self, *, settled: bool = False, patience: float = BUSY_SECONDS) -> Iterator[tuple[Turn, StudyState]]:
        """A visit to the log with the state up to date (`settled`: and the ranker too).

        `patience`: seconds to wait while others keep the storage locked; readers of this process are let in
        meanwhile.
        """
        with ExitStack() as held:
            visit, state, turn = self._begun(held, patience)
            try:
                with visit:
                    self._alone, self._clock = not turn.new, turn.now - time.monotonic()
                    state.follow(turn.new)
                    if settled:
                        state = self._settle(state)
                    yield turn, state
            except JuryrankError as problem:
                if not turn.written and not isinstance(problem, StorageError):
                    self._state = state  # refused before anything was written: what was read is still true
                raise
            self._keep(state)

    def together(self, call: InTurn[Result], then: InTurn[Further], *, patience: float) -> tuple[Result, Further]:
        """A call, and another once the ranker knows what the first one wrote. Whoever comes while a turn is taken
        shares the next one, and its one write to disk: nobody is told anything before it.

        `patience`: seconds for which a broken connection is tried again.
        """
        tries = Tries(patience)
        while True:
            mine = Shared(call, then)
            self._waiting.append(mine)
            with self._together:  # whoever held it before may have done ours as well
                while not mine.done:
                    group = self._next_group()
                    try:
                        with self.turn(settled=True) as (turn, state):
                            called = _called(group, turn, state)
                            state.settle()
                            for one, result in called:
                                one.found.append((result, one.then(turn, state)))
                    except BaseException as problem:
                        self._after(problem, group)
                    else:
                        for one in group:
                            one.done = True
            try:
                return mine.outcome()
            except StorageLost:
                if not tries.another():
                    raise

    def _next_group(self) -> list[Shared[Any, Any]]:
        group = [self._waiting.popleft()]
        while self._waiting and len(group) < MOST_IN_TURN and not (group[0].alone or self._waiting[0].alone):
            group.append(self._waiting.popleft())
        return group

    def _after(self, problem: BaseException, group: list[Shared[Any, Any]]) -> None:
        """Nothing was written. The storage's problem is everybody's; else each goes by itself."""
        if isinstance(problem, Exception) and (len(group) == 1 or isinstance(problem, StorageError)):
            for one in group:
                one.problem, one.done = problem, True
            return
        for one in group:
            one.alone = True
        self._waiting.extendleft(reversed(group))
        if not isinstance(problem, Exception):
            raise problem

    def _begun(self, held: ExitStack, patience: float) -> tuple[ExitStack, StudyState, Turn]:
        """A turn of the storage under our own lock, which is given back between two tries."""
        until = time.monotonic() + patience
        while True:
            with self.lock:
                state, visit = self._take(), ExitStack()
                try:
                    turn = visit.enter_context(self.storage.turn(self.study, after=state.head, brisk=True))
                except StorageBusy:
                    self._state = state
                    if time.monotonic() >= until:
                        raise
                else:
                    held.enter_context(self.lock)
                    return visit, state, turn
            time.sleep(BREATH)

    def open_lease(self, question: int) -> Lease | None:
        """The lease of an open question, if it is likely that nobody else writes and nothing is overdue."""
        state = self._state
        if not self._alone or state is None or state.ledger.is_due(time.monotonic() + self._clock):
            return None
        return state.ledger.open.get(question)

    def append_alone(self, body: Body, *, lease: Lease) -> bool:
        """Write one event about an open lease without a turn; False: it was not possible, and nothing was written.

        The event's time is then an estimate; the storage decides whether the deadline has passed.
        """
        with self.lock:
            state = self._take()
            at = utc(time.monotonic() + self._clock)
            event = chained(state.head.hash, state.head.seq + 1, body.kind, body.data(), at)
            try:
                done = self.storage.append_alone(self.study, event, after=state.head, deadline=lease.deadline)
            except StorageBusy:
                done = False  # a turn waits with more patience, and lets readers in meanwhile
            if done:
                state.absorb([event])
            self._alone = done
            self._keep(state)
            return done

    def caught_up(self) -> StudyState:
        """The state with everything that others wrote."""
        with self.lock:
            state = self._take()
            log = list(self.storage.events(self.study, after=state.head.seq - 1))
            if not log or log[0].hash != state.head.hash:  # the database was restored from an older copy
                state = self._load()
            else:
                state.follow(log[1:])
            self._state = state
            return state

    def known(self) -> StudyState:
        """The state as this process last saw it; read from the storage only if there is none."""
        with self.lock:
            return self._state or self.caught_up()

    def settled(self) -> tuple[Fold, StudyState]:
        """The ranker and the state, both up to date."""
        with self.lock:
            state = self._settle(self.caught_up())
            self._keep(state)
            return state.settle(), state

    # ------------------------------------------------------------------ inside
    def _take(self) -> StudyState:
        """Take the state out, to be put back when all went well: if anything fails in between, it is forgotten."""
        state, self._state = self._state, None
        return state or self._load()

    def _load(self) -> StudyState:
        """The state from the storage, after the whole log was checked against its hashes. Raises LogAltered."""
        try:
            self._checked = check_chain(self.storage, self.study, after=self._checked)
        except LogAltered:
            if self._checked == BEGINNING:
                raise
            self._checked = BEGINNING  # perhaps another past: the database was restored from an older copy
            self._checked = check_chain(self.storage, self.study)
        return states.load(self.storage, self.study)

    def _settle(self, state: StudyState) -> StudyState:
        if state.reaches_back:
            state = self._load()
        state.settle()
        return state

    def _keep(self, state: StudyState) -> None:
        self._state = state
        self._heads.tick(state.head)
        if len(state.pending) > SNAPSHOT_EVENTS:
            self._state = state = self._settle(state)
        if not state.wants_snapshot or state.reaches_back:
            return
        state.snapshot_seq = state.head.seq  # not at once again, should it fail
        try:
            states.save(self.storage, self.study, state)
        except JuryrankError:
            return  # snapshots are only a cache


class HeadClock:
    """Keeps the head of a growing log now and then. A failure stops nobody: the next head covers the same log."""

    def __init__(self, storage: Storage, study: int) -> None:
        self._storage, self._study = storage, study
        self._since, self._seq = time.monotonic(), 0

    def tick(self, head: Head) -> None:
        """Call it after every write."""
        if time.monotonic() - self._since < HEAD_SECONDS or head.seq == self._seq:
            return
        self._since, self._seq = time.monotonic(), head.seq
        with suppress(JuryrankError, OSError):
            keep_head(self._storage, self._study, signed_head(self._storage, head))
