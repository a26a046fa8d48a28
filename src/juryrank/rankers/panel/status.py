"""What a panel tells people while it runs: progress, one line per judge, why there is no question."""

from __future__ import annotations

from juryrank.rankers.panel.core.sittings import Given, Sitting
from juryrank.rankers.panel.state import PanelState
from juryrank.types import JudgeReport, Progress, Status, Wait

LATE = (
    "The time for your first questions is over; what you answered within it counts. You can go on: further "
    "answers help the estimates, not what is proven."
)


def progress(panel: PanelState) -> Progress:
    """Sittings counted and waiting, pairs settled."""
    counted, waiting = panel.book.counted, len(panel.book.uncounted)
    return Progress(
        items=len(panel.items),
        placed=len(panel.items),
        settled=panel.view().promised_pairs,
        links=len(panel.counted.pairs[0]),
        judges=len(panel.judge_names),
        active_judges=sum(_still_asked(panel, u) for u in range(len(panel.judge_names))),
        questions=sum(panel.roster.asked),
        open=len(panel.outstanding.in_time),
        cost=panel.outstanding.cost,
        phase="votes" if panel.options.about == "panel" else _phase(counted, waiting),
    )


def _phase(counted: int, waiting: int) -> str:
    """How many people have begun.

    >>> _phase(0, 0), _phase(1, 0), _phase(12, 3)
    ('nobody has begun', '1 person counted', '12 people counted, 3 not yet')
    """
    if not counted and not waiting:
        return "nobody has begun"
    more = f", {waiting} not yet" if waiting else ""
    return f"{counted} {'person' if counted == 1 else 'people'} counted{more}"


def _still_asked(panel: PanelState, u: int) -> bool:
    sitting = panel.book.of(u)
    return u not in panel.roster.paused and (sitting is None or not sitting.closed)


def judge_reports(panel: PanelState) -> tuple[JudgeReport, ...]:
    """Everybody, in the order given."""
    return tuple(judge_report(panel, u) for u in range(len(panel.judge_names)))


def judge_report(panel: PanelState, u: int) -> JudgeReport:
    """A person: what they did, and how often they agree with the strengths that the others give."""
    right, chosen = panel.view().agreement.get(u, (0, 0))
    sitting = panel.book.of(u)
    note = "" if panel.options.about == "panel" else _note(sitting)
    return JudgeReport(
        name=panel.judge_names[u],
        asked=panel.roster.asked[u],
        answered=panel.roster.answered[u],
        right=float(right),
        accuracy=right / chosen if chosen else None,
        low=None,
        high=None,
        active=u not in panel.roster.paused,
        note=note,
        price=panel.roster.price(u),
    )


def ready(panel: PanelState, judge: int | None) -> Status:
    """There is a question; whoever is late is told what became of the first ones."""
    sitting = None if judge is None else panel.book.of(judge)
    if sitting is not None and sitting.lapsed and sitting.asked <= sitting.promised:
        return Status(Wait.READY, LATE)
    return Status(Wait.READY, "There is a question: ask.")


def why_not(panel: PanelState, judge: int | None) -> Status:
    """Why there is no question now, in friendly words."""
    if judge is None:
        return Status(Wait.WAIT, "Everybody here has a full sitting: invite more people, or wait for answers.")
    sitting = panel.book.of(judge)
    if panel.options.about == "panel":
        return Status(Wait.DONE, "You have answered everything that is still open. Thank you.")
    if sitting is None:
        return Status(Wait.WAIT, "There is nothing to ask just now.")
    if sitting.lapsed:
        return Status(Wait.DONE, "Your time is over; what you answered within it counts. Thank you.")
    if not sitting.closed:
        return Status(Wait.WAIT, "Please answer the question you have: it is your last one.")
    return Status(Wait.DONE, "You have answered everything that is still open. Thank you.")


def _note(sitting: Sitting | None) -> str:
    if sitting is None:
        return "has not begun"
    done = sum(given is not Given.EXPIRED for place, given in sitting.given.items() if place < sitting.promised)
    state = "answered" if sitting.closed else "so far"
    return f"{done} of {sitting.promised} {state}"
