"""What a judge sees at one moment, as a card: a question, or why there is none, in the judge's language."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from juryrank.server.languages.speaking import mark, ntr, tr
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, item_html, with_files
from juryrank.study import Study
from juryrank.types import Status, Wait

TICK, HOURGLASS, STOP = "M9 16.5l5 5 9-10.5", "M16 8v8l5.5 3.5", "M10 16h12"  # the signs of the last page
ASK = "There is a question: ask."  # what a ranker says to somebody whom nothing holds up

# What rankers say that judges may read as it is. Anything else they say is meant for owners.
REASONS = (
    mark(
        "The time for your first questions is over; what you answered within it counts. You can go on: further "
        "answers help the estimates, not what is proven."
    ),
    mark("Your time is over; what you answered within it counts. Thank you."),
    mark("You have answered everything that is still open. Thank you."),
    mark("You are paused for now: whoever runs the ranking can resume you."),
    mark("You are no longer asked in this study: thank you."),
    mark("Other judges must answer first; ask again in a moment."),
    mark("You have answered what we would ask you now; others go on."),
    mark("What could be asked now concerns your own work."),
)
OTHERWISE = {
    Wait.READY: mark("There are questions for you."),
    Wait.WAIT: mark("There is nothing to ask just now."),
    Wait.DONE: mark("No more answers are needed. Thank you."),
    Wait.DROPPED: mark("You are no longer asked in this study: thank you."),
}


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two items, ready to be shown. `item` is empty where judges of the study see more than names."""

    item: str
    html: str


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question as a judge sees it."""

    id: str
    left: Side
    right: Side
    case: str = ""  # on cases: the input, as HTML


@dataclass(frozen=True, slots=True)
class Card:
    """What a judge sees now: a question, or why there is none."""

    state: str  # question | ready (there is one, ask for it) | wait | done | dropped | closed | intro
    question: ShownQuestion | None = None
    heading: str = ""
    words: str = ""
    says: str = ""  # what happened to the last answer
    answered: int = 0
    planned: int | None = None
    undo: str = ""  # the question whose answer can be taken back
    more: str = ""  # what is offered to somebody who has answered enough; empty: nothing
    ties: bool = True
    about: bool = False  # the last questions about the person are due
    finish: str = ""  # where to go at the end, set by the study's owner
    finish_words: str = ""
    code: str = ""  # to be copied, where there is nowhere to go
    code_words: str = ""

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.answered / self.planned)) if self.planned else 0

    @property
    def progress_words(self) -> str:
        if self.planned:
            return tr("{answered} of {planned}", answered=self.answered, planned=self.planned)
        return ntr("{n} answered", "{n} answered", self.answered)

    @property
    def count_words(self) -> str:
        if not self.answered or self.state == "done":
            return ""  # the reason says it already
        return ntr(
            "You have answered {n} question. Thank you.",
            "You have answered {n} questions. Thank you.",
            self.answered,
        )

    @property
    def sign(self) -> str:
        return {"wait": HOURGLASS, "done": TICK}.get(self.state, STOP)

    def at(self, base: str) -> Card:
        """The same card on a page of this address: uploaded files are found below it."""
        if self.question is None:
            return self
        left, right = (
            replace(side, html=with_files(side.html, base)) for side in (self.question.left, self.question.right)
        )
        return replace(self, question=replace(self.question, left=left, right=right))

    def to_dict(self) -> dict[str, Any]:
        """For the page's script."""
        more = ("percent", "progress_words", "count_words", "sign")
        found = {name: getattr(self, name) for name in (*self.__slots__, *more)}
        return {**found, "question": None if self.question is None else asdict(self.question)}


def reason_words(status: Status) -> str:
    """Why there is (or is not) a question, for a judge.

    >>> reason_words(Status(Wait.DONE, "The budget is spent: the ranking stops here, not certified."))
    'No more answers are needed. Thank you.'
    """
    return tr(status.reason if status.reason in REASONS else OTHERWISE[status.state])


def ready_card(status: Status, says: str) -> Card:
    """There are questions; somebody who is late is told whether the first ones still count."""
    return Card("ready", heading=tr("Ready when you are"), words=reason_words(status), says=says)


def done_card(answered: int, says: str, *, undo: str, more: bool) -> Card:
    """The judge has answered as many questions as were announced; `more`: there are others for those who like."""
    return Card(
        "done",
        heading=tr("You are done"),
        words=ntr(
            "You have answered {n} question, the only one. Thank you!",
            "You have answered all {n} questions. Thank you!",
            answered,
        ),
        says=says,
        answered=answered,
        undo=undo,
        more=tr("Go on with a few more") if more else "",
    )


def ending(study: Study, judge: str, status: Status, says: str, *, answered: int, undo: str) -> Card:
    """This judge has no question now, or no more at all."""
    seat = study.judge(judge).seat()
    words = reason_words(status)
    if seat.closed:
        state, heading = "closed", tr("This study is closed")
        thanks, plain = tr("No more answers are needed. Thank you for yours."), tr("No more answers are needed.")
        words = thanks if seat.answered else plain
    elif status.state is Wait.DONE:
        state, heading = "done", tr("You are done")
    elif status.state is Wait.DROPPED:
        state, heading = "dropped", tr("No more questions for you")
    else:
        state, heading = "wait", tr("Nothing for you right now")
        words += " " + tr("This page looks again by itself.")
    return Card(state, None, heading, words, says, answered, undo="" if state == "closed" else undo)


def side(item: Any, setup: Setup) -> Side:
    """An item as it is shown. A name that judges should not see (whose essay it is) is not in the page at all."""
    name = str(item)
    content = setup.contents.get(name)
    html = item_html(content or Content(name), name="" if setup.hides(name) else name)
    return Side("" if setup.contents else name, html)
