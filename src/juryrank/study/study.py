"""A lasting ranking: every call is one visit to its log, and what a call acknowledged is on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput, StudyClosed, shown
from juryrank.study import turns
from juryrank.study.answers import Reply, known_of, lease_of, question_number, standing_answer, was_late
from juryrank.study.leases import THE_STUDYS_OWN, LastAnswer, check_lease
from juryrank.study.members import StudyMembers
from juryrank.study.values import Receipt
from juryrank.types import SKIP, Answer, Question

if TYPE_CHECKING:
    from juryrank.study.runner.runner import RunReport


class Study(StudyMembers):
    """One study in a storage; made by `create_study` or `open_study`. Threads may share it."""

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
        known = known_of(response_time=response_time, source=source, comment=comment)
        reply = Reply(question_number(question), answer, side, judge, known)
        return self._keeper.persistently(lambda: self._tell(reply), patience=self.patience)

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
        return self._keeper.persistently(
            lambda: self._tell_and_ask(reply, judge=judge, lease=lease), patience=self.patience
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
            turns.retract(turn, state, last, post_hoc=late)
        return Question(last.lease.q, judge, last.lease.left, last.lease.right)

    def retract(self, question: int) -> None:
        """Take any answer back, after the fact: the result is post-hoc from then on."""
        with self._keeper.turn() as (turn, state):
            history = turn.find(question_number(question))
            told = standing_answer(history)
            if told is None or was_late(history):
                raise BadInput(f"question {question} has no counted answer that could be taken back")
            lease = lease_of(history[0])
            turns.retract(turn, state, LastAnswer(lease, told.seq, told.data["answer"]), post_hoc=True)

    def expire_due(self) -> int:
        """Let the storage's clock close what is overdue (every ask and tell does it too); how many."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            if not state.ledger.is_due(self.storage.now()):
                return 0
            with self._keeper.turn() as (turn, state):
                return turns.expire(turn, state)

    def run(self, judges: Mapping[str, Callable[..., Any]], **limits: Any) -> RunReport:
        """Let programs judge until the ranking is done: see `juryrank.study.runner.runner.Run` for the limits."""
        from juryrank.study.runner.runner import run

        return run(self, judges, **limits)

    # ------------------------------------------------------------------ one call = one turn
    def _ask(self, judge: str | None, lease: float | None, again: bool) -> Question | None:
        with self._keeper.turn(settled=True) as (turn, state):
            if state.ledger.closed:
                raise StudyClosed(f"study {shown(self.name)} is closed: no more questions; `reopen` it first")
            if judge is not None:
                self._known_judge(state, judge)
            return turns.next_question(turn, state, judge, lease=lease, again=again)

    def _tell(self, reply: Reply) -> Receipt:
        receipt = self._tell_alone(reply)
        if receipt is not None:
            return receipt
        with self._keeper.turn() as (turn, state):
            return turns.take_answer(turn, state, reply, study=self.name)

    def _tell_alone(self, reply: Reply) -> Receipt | None:
        """The usual case, an open question in good time, in one trip to the storage; None: take a turn."""
        with self._keeper.lock:
            lease = self._keeper.open_lease(reply.number)
            if lease is None:
                return None
            said = reply.said(lease)
            if not self._keeper.append_alone("told", {"q": lease.q, "answer": said, **reply.known}, lease=lease):
                return None
        return Receipt(lease.q, lease.judge, said)

    def _tell_and_ask(self, reply: Reply, *, judge: str, lease: float | None) -> tuple[Receipt, Question | None]:
        with self._keeper.turn(settled=True) as (turn, state):
            receipt = turns.take_answer(turn, state, reply, study=self.name)
            if state.ledger.closed:
                return receipt, None
            return receipt, turns.next_question(turn, state, judge, lease=lease, again=True)
