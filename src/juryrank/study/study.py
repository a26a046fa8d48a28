"""A lasting ranking: every call is one visit to its log, and what a call acknowledged is on disk.

What a visit does is in `turns` (asking, answering), `members` (who and what belongs) and `reading`.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from juryrank.errors import BadInput, CannotJoin, StorageError, StudyClosed, shown
from juryrank.log import Author, Event, Head, fold
from juryrank.log.bodies import (
    Closed,
    Edited,
    ItemsAdded,
    ItemsWithdrawn,
    JudgeAdded,
    JudgePaused,
    JudgeRemoved,
    JudgeResumed,
    KeyChanged,
    Probed,
    Reopened,
    SeedOpened,
    Told,
)
from juryrank.log.gold import GoldBook
from juryrank.log.receipts import read_code
from juryrank.rankers.registry import ranker_class
from juryrank.run.cases.kept import KEPT_CASES, same_outputs
from juryrank.run.cases.outputs import check_systems, read_outputs
from juryrank.storage.base import Storage
from juryrank.storage.plain import dump, usable_text
from juryrank.storage.values import BUSY_SECONDS, Person, StorageBusy, StorageLost, StudyRow
from juryrank.study import turns
from juryrank.study.answers import Reply, check_grade, known_of, question_number
from juryrank.study.history import Act, acts_of
from juryrank.study.integrity import check_chain, whole_log
from juryrank.study.keeper import Keeper, persistent
from juryrank.study.ledger.leases import THE_STUDYS_OWN, LeaseTally, check_lease
from juryrank.study.ledger.question_history import history_of
from juryrank.study.members import (
    check_leaving,
    check_member,
    check_new_items,
    checked_items,
    checked_person,
    checked_settings,
    joining_systems,
    numbered_name,
    pseudonym,
    settings_with,
)
from juryrank.study.people.about import AboutPeople
from juryrank.study.people.networks import network_words
from juryrank.study.reading import follow, progress_of, seat_of, status_of
from juryrank.study.signing.heads import JudgeReceipt, ReceiptFound, SignedHead, find_receipt, signed_head
from juryrank.study.signing.past_heads import PastHead, keep_head, past_heads
from juryrank.study.state import kept_seed
from juryrank.study.turns import checked_author, reason_against
from juryrank.study.twins import check_names
from juryrank.study.values import Receipt, Seat, StudyProgress
from juryrank.types import SKIP, Answer, Grade, Question, Ranking, Status

if TYPE_CHECKING:
    from juryrank.study.runner.runner import RunReport
    from juryrank.verify.certificate import LiveStatement

SettingsChange = Callable[[Mapping[str, Any]], Mapping[str, Any]]  # the settings as they are -> what becomes new
PATIENCE = 30.0  # seconds for which a broken connection is tried again before giving up
BUSY_REST = 10.0  # seconds for which results are only read, once somebody else had the database locked
CLOCK_REST = 300.0  # seconds for which results are only read, once following the clock was refused


class Study:
    """One study in a storage; made by `create_study` or `open_study`. Threads may share it."""

    def __init__(self, storage: Storage, row: StudyRow, *, patience: float = PATIENCE) -> None:
        self.storage = storage
        self.id = row.id
        self.name = row.name
        self.created_at = row.created_at
        self.patience = patience
        self._keeper = Keeper(storage, row.id)
        self._checked = Head()  # how far every hash was checked for receipts
        self._only_read_until = 0.0  # by this machine's clock

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
    ) -> Question | None:
        """The next question (for this judge, if one is named), or None: `status` then says why.

        `lease`: seconds to answer (None: no limit). `again`: if the judge has an open question, give that one.
        `own`: items that are the judge's own work, for their first question: rankers that must know keep it in
        its terms.
        """
        check_lease(lease)
        with self._keeper.turn(settled=True) as (turn, state):
            if state.ledger.closed:
                raise StudyClosed(f"study {shown(self.name)} is closed: no more questions; `reopen` it first")
            if judge is not None:
                check_member(state, judge, study=self.name)
            return turns.next_question(turn, state, judge, lease=lease, again=again, own=own)

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

    @persistent
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
        with self._keeper.turn(settled=True) as (turn, state):
            receipt = turns.take_answer(turn, state, reply, study=self.name)
            if state.ledger.closed:
                return receipt, None
            return receipt, turns.next_question(turn, state, judge, lease=lease, again=True)

    def skip(self, question: int | Question, **known: Any) -> Receipt:
        """The judge prefers not to say."""
        return self.tell(question, SKIP, **known)

    def put_aside(self, judge: str, *, purpose: str, left: str, right: str, answer: str, **known: Any) -> bool:
        """Keep an answer that never counts: to a gold pair, or of a model in a study about people.

        True: gold pairs now show that this judge is wrong more often than right, and it was set aside.
        """
        with self._keeper.turn(settled=True) as (turn, state):
            return turns.take_aside(
                turn, state, judge, {"purpose": purpose, "left": left, "right": right, "answer": answer, **known}
            )

    def note_probe(
        self, judge: str, found: Mapping[str, Any], *, model: str | None = None, cost: float | None = None
    ) -> None:
        """Keep what a probe found of a judge, and what it cost; nothing of it is evidence."""
        dump(dict(found))
        with self._keeper.turn() as (turn, state):
            turns.write(turn, state, Probed(judge=judge, found=dict(found), model=model, cost=cost))

    def undo(self, judge: str, *, by: Author | str = Author.OWNER, post_hoc: bool = False) -> Question:
        """Take back the judge's latest answer; `by` says whose credential does it, and is kept in the log.

        `by="judge"`: the judge themselves, before their next answer and the question's deadline. The question is
        open again on its old terms, and the final answer counts. Anybody else, or later, chooses after the fact:
        with `post_hoc=True` it is done all the same, the question closes, and the study's result is marked
        post-hoc from then on. Programs have no undo: their first recorded answer counts.
        """
        author = checked_author(by)
        with self._keeper.turn() as (turn, state):
            check_member(state, judge, study=self.name)
            last = state.ledger.last.get(judge)
            if last is None:
                raise BadInput(f"judge {judge!r} has no answer that could be taken back now")
            why_not = reason_against(state, last, by=author, now=turn.now)
            if why_not and not post_hoc:
                raise BadInput(
                    f"{why_not}; with post_hoc=True it is taken back all the same, and the result promises "
                    "nothing any more"
                )
            turns.retract(turn, state, last, by=author, post_hoc=bool(why_not))
        return Question(last.lease.q, judge, last.lease.left, last.lease.right)

    def retract(self, question: int) -> None:
        """Take any answer back as the study's owner, after the fact: the result is post-hoc from then on."""
        with self._keeper.turn() as (turn, state):
            history = history_of(turn.find(question_number(question)))
            if history.answer is None or history.late:
                raise BadInput(f"question {question} has no counted answer that could be taken back")
            turns.retract(turn, state, history.answer, by=Author.OWNER, post_hoc=True)

    def expire_due(self, *, patience: float = BUSY_SECONDS) -> int:
        """Close what is overdue by the storage's clock (every ask and tell does it too); returns how many."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            if not state.ledger.is_due(self.storage.now()):
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
            return self._keeper.caught_up().ledger.is_due(self.storage.now())

    def run(self, judges: Mapping[str, Callable[..., Any]], **limits: Any) -> RunReport:
        """Let programs judge until the ranking is done; `limits` are those of `study.runner.runner.ActiveRun`."""
        from juryrank.study.runner.runner import run

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
            self.follow_clock()
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
            self.follow_clock()
            fold, state = self._keeper.settled()
            return progress_of(self.name, fold, state)

    def certificate(self) -> dict[str, Any]:
        """The result with every raw event behind it: `juryrank verify` re-checks it.

        It is folded from the whole log, and every hash is checked first: raises LogAltered. A committed seed is
        opened by it, once the study is done or closed.
        """
        from juryrank.verify import certificate

        self._open_seed()
        self.follow_clock()
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

    def head(self, *, keep: bool = False) -> SignedHead:
        """Where the log ends now, with the time, signed by this installation where it has a key.

        `keep`: keep it among the heads that `past_heads` lists.
        """
        with self._keeper.lock:
            found = signed_head(self.storage, self._keeper.caught_up().head)
        if keep:
            keep_head(self.storage, self.id, found)
        return found

    def past_heads(self, *, latest: int | None = None) -> list[PastHead]:
        """Heads stated before, oldest first (only the `latest` newest), and whether the log still has each."""
        return past_heads(self.storage, self.id, latest=latest)

    def receipt(self, judge: str) -> JudgeReceipt:
        """What a judge can keep: a short code for the place in the log behind all their answers so far."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            check_member(state, judge, study=self.name)
            answers = state.ledger.tallies.get(judge, LeaseTally()).answered
            return JudgeReceipt(judge, answers, signed_head(self.storage, state.head))

    def find_receipt(self, code: str) -> ReceiptFound:
        """Is this receipt's place in the log? Nobody's answers are shown."""
        place = read_code(code)
        with self._keeper.lock:
            self._checked = check_chain(self.storage, self.id, after=self._checked)
            most = 1 if place.seq <= self._checked.seq else 0
            there = next(iter(self.storage.rows(self.id, after=place.seq - 1, most=most)), None)
            return find_receipt(code, there and there[4], events=self._checked.seq)

    def history(self) -> list[Act]:
        """What was done to the study besides asking and answering, oldest first."""
        return acts_of(self.events())

    def note_key(self, changed: KeyChanged) -> None:
        """Write into the log that the installation signs with another key from now on."""
        with self._keeper.turn() as (turn, state):
            turns.write(turn, state, changed)

    def check(self) -> None:
        """Raise LogAltered unless the whole log is as it was written; the first bad event is named."""
        self._keeper.known()

    def refold(self, *, ranker: str | None = None, error: float | None = None, **options: Any) -> Ranking:
        """What another ranker or another error would have made of the same answers: a post-hoc result."""
        from juryrank.study.refold.refold import refold

        secret = kept_seed(self.storage, self.id)
        return refold(list(self.events()), ranker=ranker, error=error, options=options, secret=secret)

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """The log."""
        return self.storage.events(self.id, after=after)

    def watch(
        self, *, after: int | None = None, poll: float = 0.25, timeout: float | None = None
    ) -> Iterator[Event]:
        """Events as they come, from now on (or after `after`); ends `timeout` seconds after the last one."""
        return follow(self.events, after=self.seq if after is None else after, poll=poll, timeout=timeout)

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

    def seat(self, judge: str, *, fresh: bool = False) -> Seat:
        """A judge's open questions, latest answer and count as this process knows them; `fresh`: read the log."""
        with self._keeper.lock:
            state = self._keeper.caught_up() if fresh else self._keeper.known()
            check_member(state, judge, study=self.name)
            return seat_of(state, judge)

    def left_early(self) -> list[str]:
        """Judges who left before finishing: removed, or their sitting ended unfinished."""
        with self._keeper.lock:
            fold, state = self._keeper.settled()
            gone = {str(judge) for judge in fold.ranker.left_early()} | set(state.ledger.removed)
            return [judge for judge in state.ledger.judges if judge in gone]

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
    def withdrawn(self) -> list[str]:
        """Items that nobody is asked about any more."""
        with self._keeper.lock:
            return list(self._keeper.caught_up().ledger.withdrawn)

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
        """What the study was created with: ranker, error, seed, lease, ...; it never changes."""
        return dict(self._keeper.known().ledger.created)

    @property
    def gold(self) -> GoldBook:
        """How judges did on gold pairs, and who else answered beside the ranking."""
        with self._keeper.lock:
            return self._keeper.settled()[0].gold

    @property
    def counts_models(self) -> bool:
        """May models' answers count in the promise? Not where it is about people at large."""
        created = self.created
        return ranker_class(created["ranker"]).counts_models(created.get("options") or {})

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
            turns.record(turn, state, JudgeAdded(judge=judge, price=price))
            turns.set_aside(turn, state, judge)
        return judge

    def pause_judge(self, judge: str, *, reason: str | None = None) -> None:
        """Ask this judge no more for now; answers given stay."""
        self._about_judge(JudgePaused(judge=judge, reason=reason))

    def resume_judge(self, judge: str) -> None:
        self._about_judge(JudgeResumed(judge=judge))

    def remove_judge(self, judge: str, *, discard_answers: bool = False) -> None:
        """Ask this judge no more. Discarding what they answered makes the result post-hoc."""
        self._about_judge(JudgeRemoved(judge=judge, discard=discard_answers or None))

    def people(self) -> dict[str, Person]:
        """The people behind the ids, as far as they are known and not erased."""
        return self.storage.people(self.id)

    def set_person(self, judge: str, name: str, *, address: str | None = None) -> None:
        """Name the person behind a judge's id."""
        known = checked_person(Person(name, address))
        with self._keeper.lock:
            check_member(self._keeper.caught_up(), judge, study=self.name)
        self.storage.set_person(self.id, judge, known)

    def erase_judge(self, judge: str) -> bool:
        """Forget who a judge is; their answers stay under the pseudonym. False: nothing was known.

        Name, address, a platform's ids, and answers to the questionnaire go.
        """
        about = AboutPeople(self.storage, self.id).erase(judge)
        return self.storage.erase_person(self.id, judge) or about

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
            turns.record(turn, state, ItemsAdded(items=new, same_outputs=same_outputs(more.get(KEPT_CASES))))
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

    def edit(self, **settings: Any) -> None:
        """Change settings that do not touch the ranking: wording, item contents, consent text."""
        self.revise(lambda _: settings)

    def revise(self, change: SettingsChange) -> bool:
        """Edit what `change` makes of the settings as they are now: nobody's edit can come between the two.

        False: it makes nothing of them, and nothing is written.
        """
        with self._keeper.turn() as (turn, state):
            wanted = checked_settings(change(state.ledger.settings))
            if wanted:
                turns.write(turn, state, Edited(settings=wanted))
        return bool(wanted)

    def close(self) -> None:
        """Ask no new questions. Open ones keep their deadlines, and their answers still count."""
        self._open_or_close(Closed(), closed=True)

    def reopen(self) -> None:
        with self._keeper.lock:
            if self._keeper.caught_up().ledger.seed_open:
                raise BadInput(
                    f"the seed of study {shown(self.name)} is open, so its next draws would be known; create "
                    "another study to go on"
                )
        self._open_or_close(Reopened(), closed=False)

    def _about_judge(self, body: JudgePaused | JudgeResumed | JudgeRemoved) -> None:
        with self._keeper.turn() as (turn, state):
            check_member(state, body.judge, study=self.name)
            turns.write(turn, state, body)

    def _open_or_close(self, body: Closed | Reopened, *, closed: bool) -> None:
        with self._keeper.turn() as (turn, state):
            if state.ledger.closed != closed:
                turns.write(turn, state, body)
