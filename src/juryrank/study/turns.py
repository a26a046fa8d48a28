"""What one visit to the log does: each function reads the state, appends to the turn, and keeps both in step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from juryrank.defaults import DEFAULT_LEASE, DEFAULT_SITTING_LEASE
from juryrank.errors import BadInput
from juryrank.log import Author, Event
from juryrank.log.bodies import IDENTICAL, WITHDRAWN, Aside, JudgePaused, Retracted, Told, asked
from juryrank.log.fields import Body
from juryrank.log.gold import gold_words
from juryrank.rankers.contract.ranker import Ranker
from juryrank.run.cases.kept import KEPT_CASES, is_identical
from juryrank.storage.plain import utc
from juryrank.storage.values import Turn
from juryrank.study.answers import Reply, lease_in, told_before
from juryrank.study.ledger.leases import THE_STUDYS_OWN, LastAnswer
from juryrank.study.ledger.question_history import QuestionHistory, history_of
from juryrank.study.state import StudyState
from juryrank.study.values import Receipt
from juryrank.types import Question


def next_question(
    turn: Turn,
    state: StudyState,
    judge: str | None,
    *,
    lease: float | None,
    again: bool,
    own: Collection[str] = (),
) -> Question | None:
    """The next question (of this judge), now open; None: there is none now. `again`: an open one comes first."""
    expire(turn, state)
    ranker = state.settle().ranker
    if again and judge is not None:
        mine = [q for q, one in state.ledger.open.items() if one.judge == judge]
        open_ = ranker.outstanding.find(min(mine)) if mine else None
        if open_ is not None and not is_withdrawn(state, open_):
            return open_
        if open_ is not None:
            ranker = _pass_over(turn, state, open_, WITHDRAWN)
    if judge is not None and judge in state.ledger.removed:
        return None
    if own and judge is not None:
        ranker.owns(judge, own)
    while (question := ranker.ask(judge)) is not None:
        _put_out(turn, state, question, lease)
        if is_withdrawn(state, question):
            ranker = _pass_over(turn, state, question, WITHDRAWN)
        elif is_identical(state.ledger.settings.get(KEPT_CASES), question):
            ranker = _pass_over(turn, state, question, IDENTICAL)
        else:
            return question
    return None


def is_withdrawn(state: StudyState, question: Question) -> bool:
    """Was one of its items withdrawn after the question was planned?"""
    return bool(state.ledger.withdrawn) and not {question.left, question.right}.isdisjoint(state.ledger.withdrawn)


def _pass_over(turn: Turn, state: StudyState, question: Question, why: str) -> Ranker:
    """Skip a question that cannot be asked: the log says so, and the ranker goes on."""
    write(turn, state, Told(q=question.id, answer="tie" if why == IDENTICAL else "skip", source=why))
    return state.settle().ranker


def _put_out(turn: Turn, state: StudyState, question: Question, lease: float | None) -> None:
    created, ledger = state.ledger.created, state.ledger
    seconds = created.get("lease", DEFAULT_LEASE) if lease is THE_STUDYS_OWN else lease
    deadline = None if seconds is None else utc(turn.now + seconds)
    sitting, begins = question.terms.get("sitting"), dict[str, Any]()
    if sitting is not None and not question.terms.get("beyond"):
        limit = ledger.sittings.get(sitting)
        if sitting not in ledger.sittings:
            limit, begins = _sitting_limits(turn.now, created)
        deadline = deadline if limit is None else utc(limit)  # a sitting has one deadline, for all its questions
    event = write(turn, state, asked(question, deadline=deadline, **begins))
    state.pending.clear()  # the ranker chose it: it knows already
    state.settle().seq = event.seq


def _sitting_limits(now: float, created: Mapping[str, Any]) -> tuple[float, dict[str, Any]]:
    """When a sitting that begins now would end if idle, and what its first question records about that."""
    hard, idle = now + created.get("sitting_lease", DEFAULT_SITTING_LEASE), created.get("sitting_idle")
    if idle is None:
        return hard, {"sitting_deadline": utc(hard)}
    return min(hard, now + idle), {"sitting_deadline": utc(hard), "sitting_idle": idle}


def take_answer(turn: Turn, state: StudyState, reply: Reply, *, study: str) -> Receipt:
    """Record an answer, unless the log has it already."""
    number, history = reply.number, QuestionHistory()
    lease = state.ledger.open.get(number)
    if lease is None:
        history = history_of(turn.find(number))
        lease = lease_in(history, number, study=study)
    said = reply.said(lease)
    if history.answer is not None:
        return told_before(said, reply.known.get("grade"), history.answer, late=history.late)
    if state.ledger.is_due(turn.now):
        expire(turn, state)
    late = number not in state.ledger.open
    write(turn, state, Told(q=number, answer=said, **reply.known))
    return Receipt(number, lease.judge, said, late=late)


def take_aside(turn: Turn, state: StudyState, judge: str, said: Mapping[str, Any]) -> bool:
    """Keep an answer that never counts; True: its judge was set aside as surely wrong about gold pairs."""
    known = state.settle()
    before = known.gold.refutes(judge)
    record(turn, state, Aside(judge=judge, n=known.gold.asked.get(judge, 0) + 1, **said))
    return not before and set_aside(turn, state, judge)


def set_aside(turn: Turn, state: StudyState, judge: str) -> bool:
    """Ask a judge no more who is surely wrong about gold pairs, if the ranker wants that; True: it was done."""
    known = state.settle()
    here = judge in known.ranker.judge_names and known.ranker.sets_aside
    if not here or not known.gold.refutes(judge):
        return False
    write(turn, state, JudgePaused(judge=judge, reason=gold_words(known.gold.records[judge].to_dict())))
    return True


def retract(turn: Turn, state: StudyState, last: LastAnswer, *, by: Author, post_hoc: bool) -> None:
    """Take an answer back; `post_hoc`: after the fact, for good."""
    q, judge = last.lease.q, last.lease.judge
    body = Retracted(q=q, told=last.seq, judge=judge, answer=last.answer, post_hoc=post_hoc, by=by.value)
    write(turn, state, body)


def expire(turn: Turn, state: StudyState) -> int:
    """Close what is overdue by the storage's clock; returns how many."""
    due = state.ledger.due(turn.now)
    for body in due:
        write(turn, state, body)
    return len(due)


def write(turn: Turn, state: StudyState, body: Body) -> Event:
    """Append an event; the state takes it in."""
    event = turn.append(body.kind, body.data())
    state.absorb([event])
    return event


def record(turn: Turn, state: StudyState, body: Body) -> None:
    """An event that the ranker may refuse: it raises, and nothing is written."""
    event = turn.append(body.kind, body.data())
    state.settle().apply(event)
    state.absorb([event])
    state.pending.clear()


# ----------------------------------------------------------------------------
# Who may take an answer back without editing the study: its own judge, in time, unless the judge is a program
def checked_author(by: Author | str) -> Author:
    """The author of an undo; raises for programs, which have no undo.

    >>> checked_author("judge").value
    'judge'
    """
    try:
        author = Author(by)
    except ValueError:
        raise BadInput(f"an undo by {by!r} is not possible; it is by the judge or by the owner") from None
    if author is Author.PROGRAM:
        raise BadInput(
            "a program cannot take an answer back: the first one it gave counts, as another would be a second "
            'draw. Over REST a person who changed their mind says so: {"person": true}'
        )
    return author


def reason_against(state: StudyState, last: LastAnswer, *, by: Author, now: float) -> str:
    """Why taking this answer back would be an edit after the fact; empty: it is the judge's own free undo."""
    if by is not Author.JUDGE:
        return "only the judge, by their own link or token, may take an answer back without editing the study"
    if state.ledger.created.get("fresh"):
        return "the judges of this study answer anew each time they are asked, so the first answer counts"
    if last.lease.deadline is not None and now >= last.lease.deadline:
        return f"the deadline of question {last.lease.q} has passed, so its answer stands"
    return ""
