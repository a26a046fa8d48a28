"""The person at the terminal as the judge: one pair at a time, with undo, until the ranking is done or stopped.

    screen   two boxes, redrawn, answered by single keys
    plain    question after question, answered by a word and Enter: a pipe, a dumb or narrow terminal, no colour
    keys     which key was pressed
    pairs    what is shown of a pair, and of the order so far and at the end

On cases the input is shown above both outputs, and no system is named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from juryrank.cli.person.keys import LEFT, RIGHT, SKIPPED, STOP, TIED, UNDO
from juryrank.cli.person.pairs import Pair, order_lines, pair_of
from juryrank.cli.person.plain import Plain
from juryrank.cli.person.screen import Screen, fits_here
from juryrank.errors import BadInput
from juryrank.run.calls import Interrupts
from juryrank.run.items import Catalogue
from juryrank.run.session import Session, next_question
from juryrank.types import SKIP, TIE, Answer, Progress, Question

NAME = "you"


class Desk(Protocol):
    """Where pairs are shown and answers come from."""

    def opened(self) -> AbstractContextManager[None]: ...

    def answer(self, pair: Pair, now: Progress, order: Callable[[int], Sequence[str]]) -> str:
        """What the person wants; `order(width)` is the order so far, as lines."""

    def say(self, words: str) -> None: ...


def desk_here(title: str, *, kept: str = "") -> Desk:
    """A screen where the terminal can have one, else plain questions. `kept`: where answers are."""
    return Screen(title, kept=kept) if fits_here() else Plain()


def ask_person(session: Session, catalogue: Catalogue, desk: Desk, *, folder: Path | None = None) -> bool:
    """Let the person answer until the ranker is done; False: they stopped before that.

    Ctrl-C stops at once while they think, and never in the middle of what is kept.
    """
    waiting = session.open_questions[::-1]  # those that an undo, or the last sitting, left open come first
    interrupts = Interrupts()

    def order(width: int) -> Sequence[str]:
        return order_lines(catalogue.back(session.stated), width)

    with desk.opened(), interrupts.guarded():
        while (question := waiting.pop() if waiting else next_question(session, catalogue)) is not None:
            pair = pair_of(catalogue, question, folder)
            try:
                with interrupts.waiting():
                    meaning = STOP if interrupts.wanted else desk.answer(pair, session.ranker.progress, order)
            except KeyboardInterrupt:
                meaning = STOP
            if meaning == STOP:
                return False
            if meaning == UNDO:
                waiting += [question, *_undone(session, desk)]
                continue
            session.tell(question, _answer(question, meaning))
    return True


def _undone(session: Session, desk: Desk) -> list[Question]:
    try:
        question = session.undo()
    except BadInput as problem:
        desk.say(f"{str(problem)[0].upper()}{str(problem)[1:]}.")
        return []
    desk.say("Taken back: answer it again.")
    return [question]


def _answer(question: Question, meaning: str) -> Answer:
    answers: dict[str, Answer] = {LEFT: question.left, RIGHT: question.right, TIED: TIE, SKIPPED: SKIP}
    return answers[meaning]
