"""A lasting ranking: every call is one visit to its log, and what a call acknowledged is on disk.

What a visit does is in `turns` (asking, answering), `members` (who and what belongs) and `reading`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from juryrank.defaults import DATABASE_PATIENCE
from juryrank.errors import BadInput, CannotJoin, StorageError, StudyClosed, shown
from juryrank.log import Author, Event, Head, fold
from juryrank.log.bodies import (
    Closed,
    Edited,
    ItemsAdded,
    ItemsWithdrawn,
    JudgeAdded,
    Reopened,
    SeedOpened,
    Told,
)
from juryrank.run.cases.catalogue import KEPT_CASES, same_outputs
from juryrank.run.cases.outputs import check_systems, read_outputs
from juryrank.storage.base import Storage
from juryrank.storage.values import Person, StudyRow, Turn, usable_text
from juryrank.study import turns
from juryrank.study.keeper import Keeper, persistent
from juryrank.study.ledger import THE_STUDYS_OWN, LastAnswer, check_lease, history_of
from juryrank.study.log import StudyLog
from juryrank.study.members import (
    StudyJudge,
    check_leaving,
    check_member,
    check_names,
    check_new_items,
    checked_items,
    checked_person,
    checked_settings,
    joining_systems,
    numbered_name,
    pseudonym,
    settings_with,
)
from juryrank.study.people import NETWORK_KEY, network_words
from juryrank.study.reading import Receipt, StudyProgress, progress_of, status_of
from juryrank.study.signing import keep_head, signed_head
from juryrank.study.state import StudyState, kept_seed, whole_log
from juryrank.study.turns import Reply, check_grade, checked_author, known_of, question_number, reason_against
from juryrank.types import Answer, Grade, Question, Ranking, Status

if TYPE_CHECKING:
    from juryrank.study.run import RunReport
    from juryrank.verify.certificate import LiveStatement

SettingsChange = Callable[[Mapping[str, Any]], Mapping[str, Any]]  # the settings as they are -> what becomes new


class Study:
    """One study in a storage; made by `create_study` or `open_study`. Threads may share it.

    >>> from juryrank import create_study
    >>> study = create_study(["a", "b"], name="letters", judges=["ann"], storage="memory://")
    >>> report = study.run({"ann": min})
    >>> study.ranking().order
    ('a', 'b')
    """

    def __init__(self, storage: Storage, row: StudyRow) -> None:
        self.storage = storage
        self.id = row.id
        self.name = row.name
        self.created_at = row.created_at
        self.patience = DATABASE_PATIENCE
        self._keeper = Keeper(storage, row.id)
        self.log = StudyLog(storage, row.id, self._keeper)

    def __repr__(self) -> str:
        return f"Study({self.name!r}, storage={self.storage.place!r})"

    # ------------------------------------------------------------------ asking and answering
    @persistent
    def ask(
        self,
        judge: str | None = None,
        *,
        lease: float | None = THE_STUDYS_OWN,
        again: bool = False,
        own: Collection[str] = (),
        in_round: int = 0,
    ) -> Question | None:
        """The next question (for this judge, if one is named), or None: `status` then says why.

        `lease`: seconds to answer (None: no limit). `again`: if the judge has an open question, give that one.
        `own`: items that are the judge's own work, for their first question: rankers that must know keep it in
        its terms. `in_round`: so many questions go out together before any answer comes.
        """
        check_lease(lease)
        with self._keeper.turn(settled=True) as (turn, state):
            if state.ledger.closed:
                raise StudyClosed(f"study {shown(self.name)} is closed: no more questions; `reopen` it first")
            if judge is not None:
                check_member(state, judge, study=self.name)
            return turns.next_question(turn, state, judge, lease=lease, again=again, own=own, in_round=in_round)

    @persistent
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
        cost: float | None = None,
    ) -> Receipt:
        """Record an answer: the preferred item, TIE or SKIP; or `side="left" | "right" | "tie" | "skip"`.

        Telling the same again is fine; another answer raises AnsweredTwice. `judge`: who says so (checked).
        """
        if isinstance(answer, Grade):
            check_grade(self.created["ranker"])
        known = known_of(response_time=response_time, source=source, comment=comment, answer=answer, cost=cost)
        reply = Reply(question_number(question), answer, side, judge, known)
        receipt = self._tell_alone(reply)
        if receipt is not None:
            return receipt
        with self._keeper.turn() as (turn, state):
            return turns.take_answer(turn, state, reply, study=self.name)

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
        known = known_of(response_time=response_time, source=source)
        reply = Reply(question_number(question), None, side, judge, known)

        def tell(turn: Turn, state: StudyState) -> Receipt:
            return turns.take_answer(turn, state, reply, study=self.name)

        def ask(turn: Turn, state: StudyState) -> Question | None:
            if state.ledger.closed:
                return None
            return turns.next_question(turn, state, judge, lease=lease, again=True)

        return self._keeper.together(tell, ask, patience=self.patience)

    def undo(
        self,
        judge: str | None = None,
        *,
        question: int | None = None,
        by: Author | str = Author.OWNER,
        post_hoc: bool = False,
    ) -> Question:
        """Take back the judge's latest answer; `by` says whose credential does it, and is kept in the log.

        `by="judge"`: the judge themselves, before their next answer and the question's deadline. The question is
        open again on its old terms, and the final answer counts. Anybody else, or later, chooses after the fact:
        with `post_hoc=True` it is done all the same, the question closes, and the study's result is marked
        post-hoc from then on. So is the answer to any `question` taken back by the owner. Programs have no undo:
        their first recorded answer counts.
        """
        author = checked_author(by)
        with self._keeper.turn() as (turn, state):
            last, why_not = self._to_undo(turn, state, judge, question, author)
            if why_not and not post_hoc:
                raise BadInput(
                    f"{why_not}; with post_hoc=True it is taken back all the same, and the result promises "
                    "nothing any more"
                )
            turns.retract(turn, state, last, by=author, post_hoc=bool(why_not))
        return Question(last.lease.q, last.lease.judge, last.lease.left, last.lease.right)

    def _to_undo(
        self, turn: Turn, state: StudyState, judge: str | None, question: int | None, by: Author
    ) -> tuple[LastAnswer, str]:
        """The answer that is to be taken back, and why that would be an edit after the fact."""
        if question is not None:
            history = history_of(turn.history(question_number(question)))
            if history.answer is None or history.late or judge not in (None, history.answer.lease.judge):
                raise BadInput(f"question {question} has no counted answer that could be taken back")
            return history.answer, "an answer that is chosen by its question is taken back after the fact"
        if judge is None:
            raise BadInput("say whose answer is taken back, or the answer to which question")
        check_member(state, judge, study=self.name)
        last = state.ledger.last.get(judge)
        if last is None:
            raise BadInput(f"judge {judge!r} has no answer that could be taken back now")
        return last, reason_against(state, last, by=by, now=turn.now)

    def run(self, judges: Mapping[str, Callable[..., Any]], **limits: Any) -> RunReport:
        """Let programs judge until the ranking is done; `limits` are those of `study.run.ActiveRun`."""
        from juryrank.study.run import run

        return run(self, judges, **limits)

    # ------------------------------------------------------------------ one call = one turn

    def _tell_alone(self, reply: Reply) -> Receipt | None:
        """The usual case, an open question answered in time, in one trip to the storage; None: take a turn."""
        with self._keeper.lock:
            lease = self._keeper.open_lease(reply.number)
            if lease is None:
                return None
            said = reply.said(lease)
            if not self._keeper.append_alone(Told(q=lease.q, answer=said, **reply.known), lease=lease):
                return None
        return Receipt(lease.q, lease.judge, said)

    # ------------------------------------------------------------------ results
    def ranking(self, *, names: Mapping[str, str] | None = None, besides: bool = True) -> Ranking:
        """The order so far, best first, with what is settled, in the words of its certificate.

        `names`: other names for some items. `besides`: the statement also says which judge skipped or changed more
        than a few answers; pages that call judges otherwise say that themselves.
        """
        with self._keeper.lock:
            self.log.follow_clock()
            fold, state = self._keeper.settled()
            found = fold.ranking(names)
            if besides or state.ledger.some_missing:
                shown = fold.ranker.ranking.order if names else None
                found = self._live.complete(found, state=state.head, judges=besides, shown=shown)
        return replace(found, warnings=(*found.warnings, *network_words(self.storage, self.id)))

    @cached_property
    def _live(self) -> LiveStatement:
        from juryrank.verify.certificate import LiveStatement

        return LiveStatement(self.events)

    def progress(self) -> StudyProgress:
        """Placed, settled, asked, to go, cost, and a row per judge."""
        with self._keeper.lock:
            self.log.follow_clock()
            fold, state = self._keeper.settled()
            return progress_of(self.name, fold, state)

    def certificate(self) -> dict[str, Any]:
        """The result with every raw event behind it: `juryrank verify` re-checks it.

        It is folded from the whole log, and every hash is checked first: raises LogAltered. A committed seed is
        opened by it, once the study is done or closed.
        """
        from juryrank.verify import certificate

        self._open_seed()
        self.log.follow_clock()
        events = whole_log(self.storage, self.id)
        signed = signed_head(self.storage, Head(events[-1].seq, events[-1].hash))
        made = certificate(events, fold(events).ranking(), signature=signed.for_certificate())
        with contextlib.suppress(StorageError):  # a database that can only be read gives certificates too
            keep_head(self.storage, self.id, signed)
        return made

    def _open_seed(self) -> None:
        """Open a committed seed, if that is due: nothing is asked afterwards."""
        if kept_seed(self.storage, self.id) is None:
            return  # most studies; a database that can only be read takes no turns
        with self._keeper.turn(settled=True) as (turn, state):
            if state.secret is None or state.ledger.seed_open:
                return
            ranker = state.settle().ranker
            if not (state.ledger.closed or ranker.done or ranker.spent):
                raise BadInput(
                    f"study {shown(self.name)} committed its seed. A certificate opens it, and nothing can be "
                    "asked afterwards: close the study first, or go on until it is done"
                )
            if not state.ledger.closed:
                turns.write(turn, state, Closed())
            turns.write(turn, state, SeedOpened(seed=state.secret.seed, salt=state.secret.salt))

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """The log."""
        return self.storage.events(self.id, after=after)

    # ------------------------------------------------------------------ who is asked what
    def status(self, judge: str | None = None) -> Status:
        """Why there is (or is not) a question now, in words."""
        with self._keeper.lock:
            return status_of(*self._keeper.settled(), judge)

    def open_questions(self, judge: str | None = None) -> list[Question]:
        """Open questions (of this judge), oldest first."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            out = [number for number, lease in sorted(state.ledger.open.items()) if judge in (None, lease.judge)]
            return [fold.ranker.outstanding.find(number) for number in out]

    # ------------------------------------------------------------------ as it is now
    @property
    def items(self) -> list[str]:
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.items)

    @property
    def judges(self) -> list[str]:
        """Judges' ids as the log knows them, removed ones included."""
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.judges)

    @property
    def settings(self) -> dict[str, Any]:
        """Wording, item contents, consent text and the like, as created and edited."""
        with self._keeper.lock:
            return dict(self._keeper.caught_up().ledger.settings)

    @property
    def created(self) -> dict[str, Any]:
        """What the study was created with: ranker, error, seed, lease, ...; it never changes."""
        return dict(self._keeper.known().ledger.created)

    @property
    def closed(self) -> bool:
        with self._keeper.lock:
            return self._keeper.caught_up().ledger.closed

    @property
    def done(self) -> bool:
        """Finished by the ranker's own rule."""
        with self._keeper.lock:
            return self._keeper.settled()[0].ranker.done

    # ------------------------------------------------------------------ who and what belongs to it
    def add_judge(
        self,
        name: str,
        *,
        address: str | None = None,
        price: float = 1.0,
        person: bool = False,
        numbered: bool = False,
        most: int | None = None,
        known_as: str | None = None,
    ) -> str:
        """A judge who joins; returns the id under which the log knows them.

        `person`: the log gets a random pseudonym, and name and address go to a table of their own, from which
        `erase_judge` removes them. `numbered`: a number is added to the person's name that nobody else here has.
        `most`: raise CannotJoin if the study has this many judges already. `known_as`: a pseudonym that was made
        for the person before; joining under it twice is joining once.
        """
        known = checked_person(Person(name, address))
        judge = known_as or (pseudonym() if person else name)
        with self._keeper.turn(settled=True) as (turn, state):
            if known_as is not None and known_as in state.ledger.judges:
                return judge
            check_names([judge], known=state.ledger.judges, what="judge")
            if most is not None and len(state.ledger.judges) >= most:
                raise CannotJoin(f"study {shown(self.name)} is full: it has {most} judges")
            if person or address is not None:
                named = numbered_name(turn, name, first=len(state.ledger.judges) + 1) if numbered else name
                turn.people[judge] = Person(named, known.address)
            entropy = state.settle().ranker.fresh_entropy()
            turns.record(turn, state, JudgeAdded(judge=judge, price=price, entropy=entropy))
            turns.set_aside(turn, state, judge)
        return judge

    def people(self) -> dict[str, Person]:
        """The people behind the ids, as far as they are known and not erased."""
        return self.storage.people(self.id)

    def judge(self, judge: str) -> StudyJudge:
        """One judge by their id: to pause, resume, remove, name or forget, and what they have open.

        >>> from juryrank.study import create_study
        >>> study = create_study("abc", name="s", judges=["ann"], storage="memory://doc")
        >>> study.judge("ann").pause()
        >>> study.log.active_judges()
        []
        """
        return StudyJudge(judge, storage=self.storage, study=self.id, named=self.name, keeper=self._keeper)

    def add_items(
        self,
        items: Iterable[str] | Mapping[str, Any] | Path,
        *,
        rows: Mapping[str, Any] | None = None,
        change: SettingsChange | None = None,
    ) -> None:
        """Items that join the ranking (rankers that cannot take them say so).

        `rows`: what judging programs are shown instead of the bare name, for those items that have more. On
        cases `items` are outputs, as for `create_study`: a mapping, a folder or a file, of the new systems alone
        or with the study's own, unchanged, beside them. `change`: a revision of the settings that comes with the
        items, or not at all.
        """
        given = read_outputs(items) if isinstance(items, Mapping | Path) else None
        if given is not None and isinstance(items, Path):
            check_systems(given, least=1, where=items)
        with self._keeper.turn(settled=True) as (turn, state):
            outputs = None if given is None else joining_systems(state, given, study=self.name)
            new = checked_items(list(outputs) if outputs is not None else cast("Iterable[str]", items), rows)
            check_new_items(state, new, study=self.name)
            more = settings_with(state.ledger.settings, new, outputs=outputs, rows=rows)
            more |= {} if change is None else checked_settings(change(state.ledger.settings))
            require = (state.ledger.created.get("options") or {}).get("require") or ()
            times = same_outputs(more.get(KEPT_CASES), require)
            entropy = state.settle().ranker.fresh_entropy()
            turns.record(turn, state, ItemsAdded(items=new, same_outputs=times, entropy=entropy))
            if more:
                turns.write(turn, state, Edited(settings=more))

    def withdraw_items(self, items: Iterable[str]) -> None:
        """Ask nobody about these items any more; plans made before skip them.

        What was stated stands, and statements from now on are made as if the items were still there: their names
        are struck out, levels stay those of all items, and what they leave open stays open. (Rankers that cannot
        go on without an item say so.)
        """
        gone = [usable_text(item, what="item") for item in items]
        with self._keeper.turn(settled=True) as (turn, state):
            check_leaving(state, gone, study=self.name)
            turns.record(turn, state, ItemsWithdrawn(items=gone))

    def edit(self, change: SettingsChange | None = None, /, **settings: Any) -> bool:
        """Change settings that do not touch the ranking: wording, item contents, consent text.

        `change`: what becomes new, made of the settings as they are now: nobody's edit can come between the two.
        False: it makes nothing of them, and nothing is written.
        """
        with self._keeper.turn() as (turn, state):
            wanted = checked_settings(settings if change is None else change(state.ledger.settings))
            if wanted:
                turns.write(turn, state, Edited(settings=wanted))
        return bool(wanted)

    def close(self, *, reopen: bool = False) -> None:
        """Ask no new questions. Open ones keep their deadlines, and their answers still count.

        `reopen`: ask again.
        """
        body = Reopened() if reopen else Closed()
        with self._keeper.turn() as (turn, state):
            if reopen and state.ledger.seed_open:
                raise BadInput(
                    f"the seed of study {shown(self.name)} is open, so its next draws would be known; create "
                    "another study to go on"
                )
            if state.ledger.closed == reopen:
                turns.write(turn, state, body)
        if not reopen:
            self.storage.set_note(NETWORK_KEY, None, study=self.id)
