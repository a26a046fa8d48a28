"""Asking and answering for programs: pull a question, tell the answer, take it back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request

from juryrank.errors import StudyClosed, UnknownQuestion
from juryrank.log import Author
from juryrank.server.access.identity import Asker, StudyNumber
from juryrank.server.access.vault import Holder, Scope
from juryrank.server.api.shapes import (
    AskIn,
    AskOut,
    CaseOut,
    Done,
    HeadOut,
    QuestionOut,
    ReceiptOut,
    TellIn,
    TellOut,
    UndoIn,
)
from juryrank.server.context import context_of
from juryrank.server.studies.items import content_words
from juryrank.server.studies.open_studies import OpenStudies
from juryrank.server.studies.setup import Setup
from juryrank.server.web.guard import nothing_done
from juryrank.study.signing import JudgeReceipt
from juryrank.types import Grade, Question

router = APIRouter(prefix="/studies/{study}", tags=["questions"])


def _whom(holder: Holder, judge: str | None) -> str | None:
    """A judge's token speaks for that judge alone."""
    if holder.scope is not Scope.JUDGE:
        return judge
    if judge not in (None, holder.judge):
        raise HTTPException(403, "A judge's token asks and answers for its own judge only.")
    return holder.judge


@router.post("/ask")
def ask(request: Request, holder: Asker, study: StudyNumber, sent: AskIn | None = None) -> AskOut:
    """The next question. A judge who has an open one gets it again, so that asking twice is harmless."""
    context = context_of(request)
    found, setup = context.open_studies.study(study), context.open_studies.setup(study)
    judge = _whom(holder, sent.judge if sent else None)
    try:
        question = found.ask(judge, lease=setup.lease, again=True)
    except StudyClosed as problem:
        nothing_done(request)
        return AskOut(question=None, state="closed", reason=str(problem))
    if question is None:
        nothing_done(request)
        status = found.status(judge)
        return AskOut(question=None, state=status.state.value, reason=status.reason)
    shown = _shown(question, context.open_studies, study, setup)
    return AskOut(question=shown, state="ready", reason="Answer this question.")


def _shown(question: Question, studies: OpenStudies, study: int, setup: Setup) -> QuestionOut:
    on_case = studies.cases(study) is not None
    plain = (_words(question.left, setup), _words(question.right, setup), None)
    left, right, case = studies.shown_case(study, question) if on_case else plain
    return QuestionOut(
        id=str(question.id),
        judge=str(question.judge),
        left=left,
        right=right,
        question=setup.question,
        case=CaseOut(id=str(question.case), input=case) if on_case else None,
    )


def _words(item: Any, setup: Setup) -> Any:
    """What judges see of an item, as text: its name where that is what they compare."""
    content = setup.contents.get(str(item))
    return item if content is None else content_words(content) or (str(item) if setup.show_names else "")


def _question_number(text: str) -> int:
    """The number of a question as programs send it.

    >>> _question_number("17")
    17
    """
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise UnknownQuestion(f"{text[:40]!r} is not a question that was asked; ask for the next one")
    return int(text)


@router.post("/tell")
def tell(request: Request, holder: Asker, study: StudyNumber, sent: TellIn) -> TellOut:
    """Record an answer; it is on disk when this returns. Repeating it is fine, a different one is refused (409).

    On cases a `grade` may be given instead of an `answer`; a `skip` is a refusal there."""
    receipt = (
        context_of(request)
        .open_studies.study(study)
        .tell(
            _question_number(sent.question),
            None if sent.grade is None else Grade(sent.grade),
            side=sent.answer,
            judge=_whom(holder, sent.judge),
            response_time=sent.response_time,
            comment=sent.comment,
            source="api",
        )
    )
    if receipt.repeated:
        nothing_done(request)
    return TellOut(
        question=str(receipt.question),
        judge=receipt.judge,
        answer=receipt.answer,
        late=receipt.late,
        repeated=receipt.repeated,
    )


@router.get("/receipt")
def receipt(
    request: Request, holder: Asker, study: StudyNumber, judge: Annotated[str | None, Query(max_length=200)] = None
) -> ReceiptOut:
    """A code for the place in the log behind all answers so far (of one judge), to be looked up later."""
    who, found = _whom(holder, judge), context_of(request).open_studies.study(study)
    made = (
        found.judge(who).receipt()
        if who
        else JudgeReceipt("everybody", found.progress().answers, found.log.head())
    )
    head = HeadOut(**made.head.to_dict(), code=made.code)  # type: ignore[arg-type]
    return ReceiptOut(judge=made.judge, answers=made.answers, code=made.code, text=made.text(), head=head)


@router.post("/undo")
def undo(request: Request, holder: Asker, study: StudyNumber, sent: UndoIn | None = None) -> Done:
    """Take back your latest answer, before the next one; its question is open again.

    By the judge's own token only, and only for a person who says so (`person`): a program's first answer counts,
    as another would be a second draw. Anybody else edits the study (see the judges' `undo`, which is post-hoc)."""
    judge = _whom(holder, sent.judge if sent else None)
    if judge is None:
        raise HTTPException(422, 'Say whose answer: {"judge": ...}.')
    author = Author.OWNER
    if holder.scope is Scope.JUDGE:
        author = Author.JUDGE if sent is not None and sent.person else Author.PROGRAM
    question = context_of(request).open_studies.study(study).undo(judge, by=author)
    return Done(done=f"the answer to question {question.id} was taken back")
