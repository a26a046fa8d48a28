"""What one visit to the log does: each function reads the state, appends to the turn, and keeps both in step."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from juryrank.defaults import DEFAULT_LEASE, DEFAULT_SITTING_LEASE
from juryrank.errors import AnsweredTwice, BadAnswer, BadInput, UnknownQuestion, WrongJudge, shown
from juryrank.log import Author, Event
from juryrank.log.bodies import IDENTICAL, WITHDRAWN, Aside, JudgePaused, Retracted, Told
from juryrank.log.chain import answer_anew
from juryrank.log.fields import Body
from juryrank.log.folding import asked
from juryrank.log.gold import gold_words
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.contract.roster import checked_side, grade_of, order_of, side_of
from juryrank.rankers.registry import ranker_class
from juryrank.run.cases.catalogue import KEPT_CASES, is_identical
from juryrank.storage.values import Turn, utc
from juryrank.study.ledger import THE_STUDYS_OWN, LastAnswer, Lease, QuestionHistory, history_of
from juryrank.study.reading import Receipt
from juryrank.study.state import StudyState
from juryrank.types import SKIP, TIE, Answer, Grade, Order, Question

# ----------------------------------------------------------------------------
# Reading an answer: whose question it is, which side it means, and what the log already holds about it.
LAST_NUMBER = 2**63 - 1  # the largest that a database holds


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it was given: by item, TIE or SKIP, or by side; `known` is kept with it."""

    number: int
    answer: Answer = None
    side: str | None = None
    judge: str | None = None
    known: Mapping[str, Any] = field(default_factory=dict)

    def said(self, lease: Lease) -> str:
        """The answer as the log writes it; raises if it is not an answer, or comes from another judge."""
        check_judge(lease, self.judge)
        return side_said(lease, self.answer, self.side)


def question_number(question: int | Question) -> int:
    """The number of a question; raises if it cannot be one."""
    number = question.id if isinstance(question, Question) else question
    if isinstance(number, bool) or not isinstance(number, int):
        raise BadInput(f"{number!r} is not a question's number; give the id of a question that ask() gave you")
    if not 0 < number <= LAST_NUMBER:
        raise UnknownQuestion("there is no question of that number: they are counted from 1")
    return number


def check_grade(ranker: str) -> None:
    """Refuse a graded answer before it is written, where the ranker takes none."""
    if not ranker_class(ranker).takes_grades:
        raise BadAnswer(f"the ranker {ranker!r} takes no grades; answer with an item, TIE or SKIP")


def known_of(
    *,
    response_time: float | None = None,
    source: str | None = None,
    comment: str | None = None,
    answer: Answer = None,
    cost: float | None = None,
) -> dict[str, Any]:
    """What is kept with an answer (time, source, comment, cost), checked.

    >>> known_of(response_time=2.5, source=None)
    {'response_time': 2.5}
    """
    number = isinstance(response_time, int | float) and not isinstance(response_time, bool)
    if response_time is not None and not (number and 0 <= response_time < float("inf")):
        raise BadInput(f"the response time is {response_time!r}; it is a number of seconds, 0 or more")
    for what, text in (("source", source), ("comment", comment)):
        if text is not None and not isinstance(text, str):
            raise BadInput(f"the {what} of an answer is {text!r}; it must be text")
    if source in (IDENTICAL, WITHDRAWN):  # such answers are nobody's, and are not counted as anybody's
        raise BadInput(f"the source {source!r} is what the study calls its own answers; use another word")
    known = {
        "grade": grade_of(answer),
        "order": order_of(answer),
        "response_time": response_time,
        "source": source,
        "comment": comment,
        "cost": cost,
    }
    return {key: value for key, value in known.items() if value is not None}


def check_judge(lease: Lease, judge: str | None) -> None:
    """Raise if the answer comes from a judge other than the one asked."""
    if judge is not None and judge != lease.judge:
        raise WrongJudge(
            f"question {lease.q} was asked of {shown(lease.judge)}, not of {shown(judge)}; nothing was recorded: "
            "answer a question of your own"
        )


def side_said(lease: Lease, answer: Answer, side: str | None) -> str:
    """The answer as the log writes it: left, right, tie or skip."""
    question = Question(lease.q, lease.judge, lease.left, lease.right, shown=lease.shown)
    if isinstance(answer, Order):
        answer.check(lease.shown)
        return side_of(question, answer)
    if lease.shown and (answer if side is None else checked_side(side)) not in (TIE, SKIP, "tie", "skip"):
        raise BadAnswer(f"question {lease.q} shows {len(lease.shown)} together; answer with an Order of all")
    if side is not None:
        return checked_side(side)
    if isinstance(answer, Grade):
        return side_of(question, answer)
    if answer not in (lease.left, lease.right) and answer not in (TIE, SKIP):
        raise BadAnswer(
            f"the answer to question {lease.q} is {answer!r}; it must be {lease.left!r}, {lease.right!r}, "
            "TIE or SKIP. Nothing was recorded: tell it again."
        )
    return side_of(question, answer)


def lease_in(history: QuestionHistory, number: int, *, study: str) -> Lease:
    """The lease of a question that is no longer open."""
    if history.lease is None:
        raise UnknownQuestion(
            f"question {number} was never asked in study {shown(study)}; answer one that ask() gave"
        )
    if history.gone_for_good:
        raise AnsweredTwice(
            f"question {number} was answered, and the answer taken back for good; ask for a new one"
        )
    return history.lease


def told_before(said: str, grade: float | None, order: Any, before: LastAnswer, *, late: bool) -> Receipt:
    """The receipt of an answer that was on disk already; a different answer, grade or order raises."""
    if (before.answer, before.grade, before.order) != (said, grade, order):
        raise AnsweredTwice(
            f"question {before.lease.q} already has the answer {_worded(before.answer, before.grade)}, given "
            f"before this {_worded(said, grade)}; the first stands (its judge may undo it)"
        )
    return Receipt(before.lease.q, before.lease.judge, said, late=late, repeated=True)


def _worded(said: str, grade: float | None) -> str:
    """An answer as people read it.

    >>> _worded("left", None), _worded("left", 0.5)
    ("'left'", "'left' (grade 0.5)")
    """
    return repr(said) if grade is None else f"{said!r} (grade {grade:g})"


# ----------------------------------------------------------------------------
# What one visit to the log does: each function reads the state, appends to the turn, and keeps both in step.
def next_question(
    turn: Turn,
    state: StudyState,
    judge: str | None,
    *,
    lease: float | None,
    again: bool,
    own: Collection[str] = (),
    in_round: int = 0,
) -> Question | None:
    """The next question (of this judge), now open; None: there is none now. `again`: an open one comes first."""
    expire(turn, state)
    ranker = state.settle().ranker
    ranker.in_rounds_of(in_round)
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
        elif question.case is not None and is_identical(state.ledger.settings.get(KEPT_CASES), question):
            ranker = _pass_over(turn, state, question, IDENTICAL)
        else:
            return question
    return None


def is_withdrawn(state: StudyState, question: Question) -> bool:
    """Was one of its items withdrawn after the question was planned?"""
    there = question.shown or (question.left, question.right)
    return bool(state.ledger.withdrawn) and not set(there).isdisjoint(state.ledger.withdrawn)


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
        known = reply.known.get("grade"), reply.known.get("order")
        return told_before(said, *known, history.answer, late=history.late)
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
    if answer_anew(state.ledger.created):
        return "the judges of this study answer anew each time they are asked, so the first answer counts"
    if last.lease.deadline is not None and now >= last.lease.deadline:
        return f"the deadline of question {last.lease.q} has passed, so its answer stands"
    return ""
