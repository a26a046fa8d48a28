"""A lasting ranking: every call is one visit to its log, and what a call acknowledged is on disk."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput, StudyClosed, UnknownName
from juryrank.log import Event
from juryrank.storage.base import Person, Storage, StudyRow, Turn, dump, usable_text, utc
from juryrank.study.answers import (
    check_judge,
    lease_in,
    lease_of,
    side_said,
    standing_answer,
    told_before,
    was_late,
)
from juryrank.study.keeper import Keeper
from juryrank.study.ledger import LastAnswer, Tally
from juryrank.study.progress import progress_of
from juryrank.study.state import State
from juryrank.study.values import Receipt, Seat, StudyProgress
from juryrank.types import SKIP, Answer, Question, Ranking, Status, Wait

if TYPE_CHECKING:
    from juryrank.study.runner import RunReport

DEFAULT_LEASE = 600.0  # seconds to answer one question
DEFAULT_SITTING = 3600.0  # seconds for a whole sitting, counted from its first question
PATIENCE = 30.0  # seconds for which a broken connection is tried again before giving up
PSEUDONYM_BYTES = 6
THE_STUDYS_OWN: Any = object()  # "use the study's setting", where None means "no limit"


class Study:
    """One study in a storage; made by `create_study` or `open_study`. Threads may share it."""

    def __init__(self, storage: Storage, row: StudyRow, *, patience: float = PATIENCE) -> None:
        self.storage = storage
        self.id = row.id
        self.name = row.name
        self.created_at = row.created_at
        self.patience = patience
        self._keeper = Keeper(storage, row.id)

    def __repr__(self) -> str:
        return f"Study({self.name!r}, storage={self.storage.url!r})"

    # ------------------------------------------------------------------ asking and answering
    def ask(
        self, judge: str | None = None, *, lease: float | None = THE_STUDYS_OWN, again: bool = False
    ) -> Question | None:
        """The next question (for this judge, if one is named), or None: `status` then says why.

        `lease`: seconds to answer (None: no limit). `again`: if the judge has an open question, that one.
        """
        check_lease(lease)
        return self._keeper.persistently(lambda: self._ask(judge, lease, again), patience=self.patience)

    def tell(
        self,
        question: int | Question,
        answer: Answer = None,
        *,
        side: str | None = None,
        judge: str | None = None,
        response_time: float | None = None,
        source: str | None = None,
        comment: str | None = None,
    ) -> Receipt:
        """Record an answer: the preferred item, TIE or SKIP; or `side="left" | "right" | "tie" | "skip"`.

        Telling the same again is fine; another answer raises AnsweredTwice. `judge`: who says so (checked).
        """
        number = question.id if isinstance(question, Question) else question
        if isinstance(number, bool) or not isinstance(number, int):
            raise BadInput(f"{number!r} is no question's number; give the id of a question that ask() gave you")
        known = {"response_time": response_time, "source": source, "comment": comment}
        more = {key: value for key, value in known.items() if value is not None}
        dump(more)
        return self._keeper.persistently(
            lambda: self._tell(number, answer, side, judge, more), patience=self.patience
        )

    def tell_and_ask(
        self,
        question: int,
        *,
        side: str,
        judge: str,
        lease: float | None = THE_STUDYS_OWN,
        response_time: float | None = None,
        source: str | None = None,
    ) -> tuple[Receipt, Question | None]:
        """An answer and the same judge's next question in one visit to the log: one write to disk, not two.

        None instead of a question: `status` says why.
        """
        check_lease(lease)
        known = {"response_time": response_time, "source": source}
        more = {key: value for key, value in known.items() if value is not None}
        dump(more)
        return self._keeper.persistently(
            lambda: self._tell_and_ask(question, side, judge, more, lease), patience=self.patience
        )

    def skip(self, question: int | Question, **known: Any) -> Receipt:
        """The judge prefers not to say."""
        return self.tell(question, SKIP, **known)

    def undo(self, judge: str, *, post_hoc: bool = False) -> Question:
        """Take back the judge's latest answer; the question is open again on its old terms.

        Free only before that judge's next answer and the question's deadline; later it would be a choice made
        after the fact: with `post_hoc=True` it is done all the same, the question closes, and the study's
        result is marked post-hoc from then on.
        """
        with self._keeper.turn() as (turn, state):
            self._known_judge(state, judge)
            last = state.ledger.last.get(judge)
            if last is None:
                raise BadInput(f"judge {judge!r} has no answer that could be taken back now")
            late = last.lease.deadline is not None and turn.now >= last.lease.deadline
            if late and not post_hoc:
                raise BadInput(
                    f"the deadline of question {last.lease.q} has passed, so its answer stands; with "
                    "post_hoc=True it is taken back all the same, and the result promises nothing any more"
                )
            self._retract(turn, state, last, post_hoc=late)
        return Question(last.lease.q, judge, last.lease.left, last.lease.right)

    def retract(self, question: int) -> None:
        """Take any answer back, after the fact: the result is post-hoc from then on."""
        with self._keeper.turn() as (turn, state):
            history = turn.find(question)
            told = standing_answer(history)
            if told is None or was_late(history):
                raise BadInput(f"question {question} has no counted answer that could be taken back")
            lease = lease_of(history[0])
            self._retract(turn, state, LastAnswer(lease, told.seq, told.data["answer"]), post_hoc=True)

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
            return [fold.ranker._open_question(number) for number in out]

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
                answered=ledger.tallies.get(judge, Tally()).answered,
                items=len(ledger.items),
                closed=ledger.closed,
                removed=judge in ledger.removed,
            )

    def expire_due(self) -> int:
        """Let the storage's clock close what is overdue (every ask and tell does it too); how many."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            if not state.ledger.is_due(self.storage.now()):
                return 0
            with self._keeper.turn() as (turn, state):
                return self._expire(turn, state)

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
        from juryrank.study.refold import refold

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

    # ------------------------------------------------------------------ judges, items, settings
    def add_judge(self, name: str, *, address: str | None = None, price: float = 1.0, person: bool = False) -> str:
        """A judge who joins; returns the id under which the log knows them.

        `person`: the log gets a random pseudonym, and name and address go to a table of their own, from which
        `erase_judge` removes them.
        """
        usable_text(name, what="judge")
        judge = pseudonym() if person else name
        with self._keeper.turn(settled=True) as (turn, state):
            self._record(turn, state, "judge_added", {"judge": judge, "price": price})
        if person or address is not None:
            self.storage.set_person(self.id, judge, Person(name, address))
        return judge

    def pause_judge(self, judge: str) -> None:
        """Ask this judge no more for now; answers given stay."""
        self._about_judge("judge_paused", judge)

    def resume_judge(self, judge: str) -> None:
        self._about_judge("judge_resumed", judge)

    def remove_judge(self, judge: str, *, discard_answers: bool = False) -> None:
        """Ask this judge no more. Discarding what they answered makes the result post-hoc."""
        self._about_judge("judge_removed", judge, **({"discard": True} if discard_answers else {}))

    def people(self) -> dict[str, Person]:
        """Who is behind which id, as far as it is known and not erased."""
        return self.storage.people(self.id)

    def set_person(self, judge: str, name: str, *, address: str | None = None) -> None:
        """Name the person behind a judge's id."""
        with self._keeper.lock:
            self._known_judge(self._keeper.caught_up(), judge)
        self.storage.set_person(self.id, judge, Person(usable_text(name, what="name"), address))

    def erase_judge(self, judge: str) -> bool:
        """Forget a judge's name and address; their answers stay under the pseudonym. False: nothing was known."""
        return self.storage.erase_person(self.id, judge)

    def add_items(self, items: Iterable[str]) -> None:
        """Items that join the ranking (rankers that cannot take them say so)."""
        new = [usable_text(item, what="item") for item in items]
        if not new:
            raise BadInput("there is no item to add; give at least one")
        with self._keeper.turn(settled=True) as (turn, state):
            self._record(turn, state, "items_added", {"items": new})

    def edit(self, **settings: Any) -> None:
        """Change settings that do not touch the ranking: wording, item contents, consent text."""
        dump(settings)
        with self._keeper.turn() as (turn, state):
            state.absorb([turn.append("edited", {"settings": settings})])

    def close(self) -> None:
        """No new questions. Those that are out keep their deadlines, and their answers still count."""
        self._open_or_close("closed", closed=True)

    def reopen(self) -> None:
        self._open_or_close("reopened", closed=False)

    def run(self, judges: Mapping[str, Callable[..., Any]], **limits: Any) -> RunReport:
        """Let programs judge until the ranking is done: see `juryrank.study.runner.Run` for the limits."""
        from juryrank.study.runner import run

        return run(self, judges, **limits)

    # ------------------------------------------------------------------ one call = one turn
    def _ask(self, judge: str | None, lease: float | None, again: bool) -> Question | None:
        with self._keeper.turn(settled=True) as (turn, state):
            if state.ledger.closed:
                raise StudyClosed(f"study {self.name!r} is closed: no more questions; `reopen` it first")
            return self._next_in(turn, state, judge, lease, again)

    def _next_in(
        self, turn: Turn, state: State, judge: str | None, lease: float | None, again: bool
    ) -> Question | None:
        if judge is not None:
            self._known_judge(state, judge)
        self._expire(turn, state)
        ranker = state.settle().ranker
        if again and judge is not None:
            mine = [q for q, one in state.ledger.open.items() if one.judge == judge]
            if mine:
                return ranker._open_question(min(mine))
        if judge is not None and judge in state.ledger.removed:
            return None
        question = ranker.ask(judge)
        if question is not None:
            self._put_out(turn, state, question, lease)
        return question

    def _put_out(self, turn: Turn, state: State, question: Question, lease: float | None) -> None:
        created, ledger = state.ledger.created, state.ledger
        seconds = created.get("lease", DEFAULT_LEASE) if lease is THE_STUDYS_OWN else lease
        data: dict[str, Any] = {
            "q": question.id,
            "judge": question.judge,
            "left": question.left,
            "right": question.right,
            "terms": dict(question.terms),
            "deadline": None if seconds is None else utc(turn.now + seconds),
        }
        sitting = question.terms.get("sitting")
        if sitting is not None:
            if sitting not in ledger.sittings:
                data["sitting_deadline"] = utc(turn.now + created.get("sitting_lease", DEFAULT_SITTING))
            limit = data.get("sitting_deadline") or _utc_or_none(ledger.sittings.get(sitting))
            data["deadline"] = limit or data["deadline"]  # a sitting has one deadline, for all its questions
        event = turn.append("asked", data)
        state.absorb([event])
        state.pending.clear()  # the ranker chose it: it knows already
        state.settle().seq = event.seq

    def _tell(
        self, number: int, answer: Answer, side: str | None, judge: str | None, more: dict[str, Any]
    ) -> Receipt:
        receipt = self._tell_alone(number, answer, side, judge, more)
        if receipt is not None:
            return receipt
        with self._keeper.turn() as (turn, state):
            return self._tell_in(turn, state, number, answer, side, judge, more)

    def _tell_in(
        self,
        turn: Turn,
        state: State,
        number: int,
        answer: Answer,
        side: str | None,
        judge: str | None,
        more: dict[str, Any],
    ) -> Receipt:
        lease, history = state.ledger.open.get(number), []
        if lease is None:
            history = turn.find(number)
            lease = lease_in(history, number, study=self.name)
        check_judge(lease, judge)
        said = side_said(lease, answer, side)
        before = standing_answer(history)
        if before is not None:
            return told_before(lease, said, before, history)
        if state.ledger.is_due(turn.now):
            self._expire(turn, state)
        late = number not in state.ledger.open
        state.absorb([turn.append("told", {"q": number, "answer": said, **more})])
        return Receipt(number, lease.judge, said, late=late)

    def _tell_and_ask(
        self, number: int, side: str, judge: str, more: dict[str, Any], lease: float | None
    ) -> tuple[Receipt, Question | None]:
        with self._keeper.turn(settled=True) as (turn, state):
            receipt = self._tell_in(turn, state, number, None, side, judge, more)
            following = None if state.ledger.closed else self._next_in(turn, state, judge, lease, True)
            return receipt, following

    def _tell_alone(
        self, number: int, answer: Answer, side: str | None, judge: str | None, more: dict[str, Any]
    ) -> Receipt | None:
        """The usual case, an open question in good time, in one trip to the storage; None: take a turn."""
        with self._keeper.lock:
            lease = self._keeper.open_lease(number)
            if lease is None:
                return None
            check_judge(lease, judge)
            said = side_said(lease, answer, side)
            if not self._keeper.append_alone("told", {"q": number, "answer": said, **more}, lease=lease):
                return None
        return Receipt(number, lease.judge, said)

    def _retract(self, turn: Turn, state: State, last: LastAnswer, *, post_hoc: bool) -> None:
        lease = last.lease
        data = {"q": lease.q, "told": last.seq, "judge": lease.judge, "answer": last.answer, "post_hoc": post_hoc}
        state.absorb([turn.append("retracted", data)])

    def _expire(self, turn: Turn, state: State) -> int:
        due = state.ledger.due(turn.now)
        state.absorb([turn.append(kind, data) for kind, data in due])
        return len(due)

    def _record(self, turn: Turn, state: State, kind: str, data: dict[str, Any]) -> None:
        """An event that the ranker may refuse: it raises, and nothing is written."""
        event = turn.append(kind, data)
        state.settle().apply(event)
        state.absorb([event])
        state.pending.clear()

    def _about_judge(self, kind: str, judge: str, **more: Any) -> None:
        with self._keeper.turn() as (turn, state):
            self._known_judge(state, judge)
            state.absorb([turn.append(kind, {"judge": judge, **more})])

    def _open_or_close(self, kind: str, *, closed: bool) -> None:
        with self._keeper.turn() as (turn, state):
            if state.ledger.closed != closed:
                state.absorb([turn.append(kind, {})])

    def _known_judge(self, state: State, judge: str) -> None:
        if judge not in state.ledger.judges:
            some = ", ".join(state.ledger.judges[:5]) or "nobody yet"
            raise UnknownName(f"judge {judge!r} is not in study {self.name!r}; there are: {some}")


def pseudonym() -> str:
    """A fresh id for a person: random, so that it says nothing about them.

    >>> pseudonym()[:7], pseudonym() != pseudonym()
    ('person-', True)
    """
    return f"person-{secrets.token_hex(PSEUDONYM_BYTES)}"


def _utc_or_none(seconds: float | None) -> str | None:
    return None if seconds is None else utc(seconds)


def check_lease(lease: float | None) -> None:
    """Raise unless it is a number of seconds, or None for no limit."""
    if lease is THE_STUDYS_OWN or lease is None:
        return
    if isinstance(lease, bool) or not isinstance(lease, int | float) or not 0 < lease < 1e9:
        raise BadInput(f"the lease is {lease!r}; it is a number of seconds above 0, or None for no limit")
