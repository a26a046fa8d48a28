"""What a panel tells people while it runs: progress, one line per judge, why there is no question."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.core.levels import Objective
from juryrank.defaults import PEOPLE_AHEAD
from juryrank.rankers.panel.core.field_share import FieldShare
from juryrank.rankers.panel.core.fixed_judges import FixedJudges
from juryrank.rankers.panel.core.forecast import FEWEST_HEARD, Forecast, forecast_field, forecast_pairs
from juryrank.rankers.panel.core.head_to_head import HeadToHead
from juryrank.rankers.panel.core.sittings import Sitting
from juryrank.rankers.panel.large.judges import LargeJudges
from juryrank.rankers.panel.state import PanelState
from juryrank.statements.numbers import number_of
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
        settled=_settled(panel),
        links=len(panel.items) * (len(panel.items) - 1) // 2,
        judges=len(panel.judge_names),
        active_judges=sum(_still_asked(panel, u) for u in range(len(panel.judge_names))),
        questions=sum(panel.roster.asked),
        open=len(panel.outstanding.in_time),
        cost=panel.outstanding.cost,
        phase="votes" if panel.options.about == "panel" else _phase(counted, waiting),
        expected=panel.cached("expected", lambda: _expected(panel)),
    )


def _settled(panel: PanelState) -> int:
    """The pairs that the statement covers; of many items they are counted without a look at all of it."""
    if panel.large is not None:
        return len(panel.large.settled)
    counted = panel.counted
    if isinstance(counted, FixedJudges) and counted.objective in (Objective.ORDER, Objective.RANGES):
        return panel.cached("promised_pairs", counted.promised_pairs)
    return panel.view().promised_pairs


def _expected(panel: PanelState) -> float | None:
    """About how many questions one judge alone will have been asked at the end; of others nobody can say."""
    if isinstance(panel.large, LargeJudges):
        alone = len(panel.judge_names) == 1 and panel.options.objective is Objective.ORDER
        return sum(panel.roster.answered) + max(panel.large.left(), 1.0) if alone else None
    jury = panel.count
    if not isinstance(jury, FixedJudges) or jury.judges > 1:
        return None
    if jury.objective not in (Objective.ORDER, Objective.RANGES):
        return None
    if jury.objective is Objective.ORDER and (undecided := jury.undecided()):
        share = undecided / len(jury.pairs[0])
        to_go = max(sorting_takes(jury.items) * share * (0.7 + 0.3 * share**3), 1.0)
    else:
        to_go = float(jury.left_to_ask())
    return sum(panel.roster.answered) + to_go


def sorting_takes(items: int) -> float:
    """About how many questions an order takes, as measured with 8 to 200 items (15, 29, 64, 176, 650, 1,650).

    >>> [round(sorting_takes(n)) for n in (8, 12, 20, 40, 100, 200)]
    [15, 29, 62, 176, 646, 1650]
    """
    return math.lgamma(items + 1) / math.log(2) * max(1.0, 0.61 + 0.135 * math.log(items))


def _phase(counted: int, waiting: int) -> str:
    """How many people have begun.

    >>> _phase(0, 0), _phase(1, 0), _phase(12, 3)
    ('nobody has begun', '1 person counted', '12 people counted, 3 not yet')
    """
    if not counted and not waiting:
        return "nobody has begun"
    more = f", {waiting} not yet" if waiting else ""
    return f"{number_of(counted, 'person', 'people')} counted{more}"


def _still_asked(panel: PanelState, u: int) -> bool:
    sitting = panel.book.of(u)
    return u not in panel.roster.paused and (sitting is None or not sitting.closed)


def judge_reports(panel: PanelState) -> tuple[JudgeReport, ...]:
    """Everybody, in the order given."""
    return tuple(judge_report(panel, u) for u in range(len(panel.judge_names)))


def judge_report(panel: PanelState, u: int) -> JudgeReport:
    """A person: what they did, and how often they agree with the strengths that the others give."""
    right, chosen = (0, 0) if panel.large is not None else panel.view().agreement.get(u, (0, 0))
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
    return f"{sitting.answered} of {sitting.promised} {'answered' if sitting.closed else 'so far'}"


# ----------------------------------------------------------------------------
# What more people would settle, for every way of counting. A forecast promises nothing
#
#     {"people": 20, "sitting": 10, "pairs": 3, "low": 1, "high": 6, "likely": [{"better", "worse", "chance"},
#     ...]}
#
# Where no number makes sense, "words" say why instead. In a result, "also" has the same for those who are invited
# and have not begun.
MOST_AHEAD = 200  # people: further ahead a forecast says nothing
NOBODY_YET = "It is too early to say: nobody's answers are counted yet."


def whole_forecast(panel: PanelState) -> dict[str, Any]:
    """For the next people, and for all who are invited and have not begun."""
    seen = forecast_for(panel)
    missing = sum(panel.book.of(u) is None and u not in panel.roster.paused for u in range(len(panel.judge_names)))
    if "words" in seen or not 0 < missing <= MOST_AHEAD or missing == seen["people"]:
        return seen
    ahead = {
        **forecast_for(panel, missing),
        "likely": [],
        "sitting": None,
        "label": f"the {missing} who have not begun" if missing > 1 else "the one who has not begun",
    }
    return {**seen, "also": ahead}


def forecast_for(panel: PanelState, people: int = PEOPLE_AHEAD) -> dict[str, Any]:
    """What `people` more people would settle, with an interval; made once for each state of the answers."""
    seen: dict[str, Any] = panel.cached(f"forecast {people}", lambda: _forecast(panel, people))
    return deepcopy(seen)


def _forecast(panel: PanelState, people: int) -> dict[str, Any]:
    if panel.large is not None:
        return {"words": f"Nothing is forecast of {len(panel.items):,} items: that would take too long."}
    counted = panel.counted
    if isinstance(counted, FixedJudges):
        return {
            "words": _votes_left(counted, circle=bool(panel.view().cycles))
        }  # "20 more people" would be another question
    asked_about = sum(
        i not in panel.withdrawn and j not in panel.withdrawn for i, j in zip(*counted.pairs, strict=True)
    )
    each = min(panel.options.sitting, asked_about)
    asked: dict[str, Any] = {"people": people, "sitting": each}
    if counted.finished():
        return {**asked, "pairs": 0, "low": 0, "high": 0, "likely": [], "words": _finished(panel)}
    if isinstance(counted, FieldShare):
        heard = _balances(panel, counted)
        if len(heard) < FEWEST_HEARD:
            too_few = f"It is too early to say: that takes {FEWEST_HEARD} people whose answers are counted."
            return {**asked, "words": too_few}
        return asked | _numbers(panel, forecast_field(counted, heard, people=people, seed=panel.seed))
    if not panel.people:
        return {**asked, "words": NOBODY_YET}
    answers = int(counted.wins.sum())
    choosing = (answers + 1) / (answers + panel.ties + panel.skips + 1)
    assert isinstance(counted, HeadToHead)
    sitting, without = panel.options.sitting, panel.withdrawn
    return asked | _numbers(
        panel,
        forecast_pairs(
            counted, people=people, sitting=sitting, choosing=choosing, seed=panel.seed, without=without
        ),
    )


def _finished(panel: PanelState) -> str:
    if panel.view().cycles:
        circle = "some items beat each other in a circle, and more people are unlikely to undo it."
        return f"What can be settled is settled: {circle}"
    return "What was asked for is settled: no more people are needed."


def _numbers(panel: PanelState, seen: Forecast) -> dict[str, Any]:
    likely = [
        {"better": panel.items[better], "worse": panel.items[worse], "chance": round(chance, 3)}
        for better, worse, chance in seen.likely
    ]
    return {"pairs": seen.pairs, "low": seen.low, "high": seen.high, "likely": likely}


def _balances(panel: PanelState, field: FieldShare) -> NDArray[np.int64]:
    """Wins minus losses by item, one row for each person whose sitting counts for the present field."""
    sittings = [s for s in panel.book.counted_sittings() if s.number >= field.fresh_from]
    balances = np.zeros((len(sittings), field.items), dtype=np.int64)
    for row, sitting in zip(balances, sittings, strict=True):
        for better, worse in sitting.preferences():
            row[better] += 1
            row[worse] -= 1
    return balances


def _votes_left(jury: FixedJudges, *, circle: bool) -> str:
    """These judges are all there are: how many of their answers are still to come."""
    open_ = jury.open_pairs
    unanswered = int(jury.unanswered.sum())
    if jury.finished() and unanswered:
        pairs = number_of(unanswered, "pair")
        if jury.judges == 1:
            return f"The judge was asked, and gave no answer about {pairs}."
        return f"Every judge was asked, and about {pairs} none of them gave an answer."
    if jury.finished():
        who = "This judge has" if jury.judges == 1 else "These judges have"
        why = "some items beat each other in a circle, and " if circle else ""
        more = ""
        if circle and open_.any() and jury.objective is not Objective.ORDER:  # which pairs were asked is chance
            more = " Pairs that were not compared may make circles longer, or more of them."
        return f"{who} said all that is needed: {why}nothing more will change.{more}"
    i, j = jury.pairs
    most = int((jury.judges - jury.heard[i, j])[open_].sum())
    fewest = int(jury.missing_votes()[open_].sum()) if jury.objective is Objective.RANGES else 1
    between = f"{fewest:,} to {most:,}" if fewest < most else f"{most:,}"
    if most == 1:
        return "No other judges are asked: 1 more answer settles all that can be settled."
    return f"No other judges are asked: {between} more answers settle all that can be settled."
