"""What a panel may say: the promise in exact words, and what must be said plainly beside it."""

from __future__ import annotations

from typing import Protocol

from juryrank.core.levels import Objective
from juryrank.quoting import in_sentences
from juryrank.rankers.panel.state import PanelState
from juryrank.statements import sure_of
from juryrank.statements.numbers import number_of, top_name
from juryrank.statements.promises import NOTHING
from juryrank.types import Ranking

WIDE = 0.5  # mean width of the ranges, as a share of the items, from which it is explained
TOO_FEW = "Too few people for a proof"  # the beginning of a remark
WIDE_RANGES = (
    "The ranges are wide because people disagree, or were asked too little about each pair, not by mistake."
)


def objective_name(objective: Objective, k: int | None) -> str:
    """ranges, tiers, best, top-3, order.

    >>> objective_name(Objective.TOP, 1), objective_name(Objective.TOP, 3)
    ('best', 'top-3')
    """
    if objective is not Objective.TOP:
        return str(objective.value)
    return top_name(k)


PEOPLE_ASSUMES = (
    "those who answered are independent draws from the people whom the result is about",
    "who drops out, skips or is slow does not depend on what they prefer",
)
THESE_ASSUME = (
    "each judge has one opinion on a pair: the majority of these judges is counted, and nothing inferred",
)


NO_CIRCLE = "the majority, ties included, goes in no circle: only neighbours are sure to have been compared"


def assumptions(*, about: str | None, objective: str | None = None) -> tuple[str, ...]:
    """What the promise assumes, each as the end of a sentence."""
    if about == "panel":
        return (*THESE_ASSUME, NO_CIRCLE) if objective == "order" else THESE_ASSUME
    return PEOPLE_ASSUMES


_SUBJECTS = {
    "ranges": "every range below holds at the same time",
    "tiers": "every green line holds at every moment",
    "best": "the green line under the best item, once there is one, holds",
    "top": "the green line under the top group, once there is one, holds",
}


def caption(ranking: Ranking) -> str:
    """The promise in one sentence, for a picture."""
    details = ranking.details
    if not details.majority or ranking.statement == NOTHING:
        return ranking.statement
    if details.these_judges:
        one = len(ranking.judges) == 1
        whose = "what exactly this one judge says" if one else "the majority of exactly these judges"
        if details.objective == "order":  # only neighbours are counted
            return f"Each item over the next is a count: {whose}. The ranks assume that these go in no circle."
        ranked = any(span != (1, len(ranking.order)) for span in ranking.ranges)
        what = "range below" if ranked or details.objective == "ranges" else "settled pair"
        return f"Every {what} is a count, not an estimate: it is about {whose}."
    objective = details.objective
    subject = _SUBJECTS["top" if objective.startswith("top-") else objective]
    whom = "for the majority of people like these."
    if details.relation == "field-share":
        whom = "for each item's share of wins against a random other, among people like these."
    return f"With {sure_of(ranking.error)} confidence {subject}, {whom}"


class Known(Protocol):
    """What is said of a result, however it was made."""

    @property
    def ranges(self) -> list[tuple[int, int]]: ...

    @property
    def cycles(self) -> list[list[int]]: ...

    @property
    def blocked(self) -> set[int]: ...


def warnings(panel: PanelState, view: Known) -> tuple[str, ...]:
    """What must be said plainly."""
    found = [
        _too_few(panel),
        _no_choices(panel),
        _waiting(panel),
        _drop_outs(panel),
        _circles(panel, view),
        _wide(panel, view),
        _left_out(panel),
        _withdrawn(panel),
    ]
    return tuple(words for words in found if words)


def _withdrawn(panel: PanelState) -> str:
    if not panel.withdrawn:
        return ""
    names = in_sentences(panel.items[i] for i in sorted(panel.withdrawn))
    return (
        f"Withdrawn: {names}. Nobody is asked about what was withdrawn; everything is stated as if it were still "
        "there, and what it leaves open stays open."
    )


def _too_few(panel: PanelState) -> str:
    fewest = panel.count.fewest_alike
    if fewest is None or panel.finished() or panel.people >= fewest:
        return ""
    return (
        f"{TOO_FEW}: even if all agree, at least {fewest} people must answer the same pair. So far "
        f"{number_of(panel.people, 'is', 'are')} counted; estimates need fewer."
    )


def _no_choices(panel: PanelState) -> str:
    undecided = panel.ties + panel.skips
    if not undecided or panel.count.chose_any:
        return ""
    if undecided == 1:
        return "The only answer so far is a tie or a skip: it is kept, and it is evidence for nothing."
    return f"All {undecided:,} answers so far are ties or skips: they are kept, and they are evidence for nothing."


def _waiting(panel: PanelState) -> str:
    behind = [sitting for sitting in panel.book.uncounted if sitting.closed]
    if not behind:
        return ""
    return (
        f"{counted_words(len(behind))} finished, but not counted in what is proven yet: people count in the order "
        "in which they began, and somebody before them is still answering. They count as soon as that person has "
        "finished, or is out of time."
    )


def counted_words(people: int) -> str:
    """The subject of a sentence.

    >>> counted_words(1), counted_words(15)
    ('1 person has', '15 people have')
    """
    return number_of(people, "person has", "people have")


def _drop_outs(panel: PanelState) -> str:
    counted = panel.book.counted_sittings()
    short = sum(sitting.answered < sitting.promised for sitting in counted)
    if not short and not panel.skips:
        return ""
    left = f"{number_of(short, 'person', 'people')} left before their last question" if short else ""
    skips = f"{number_of(panel.skips, 'question was', 'questions were')} skipped or passed over"
    said = " and ".join(filter(None, (left, skips if panel.skips else "")))
    if panel.options.about == "panel":
        return f"{said}: who does not choose between two items counts for neither of them."
    return f"{said}: what is proven assumes that leaving, skipping and slowness do not depend on the opinion."


def _circles(panel: PanelState, view: Known) -> str:
    if not view.cycles:
        return ""
    names = [panel.items[i] for i in view.cycles[0]]
    shown = in_sentences([*names, names[0]], " over ")
    more = f" (and {len(view.cycles) - 1} more)" if len(view.cycles) > 1 else ""
    promised = panel.options.about == "panel" or panel.options.objective is Objective.RANGES
    aside = "" if promised else " (so the answers look; this objective makes no promise about it)"
    blocked = panel.count.wanted_lines() & view.blocked
    alone = panel.options.about == "panel" and len(panel.judge_names) == 1
    goes = "this judge's answers go in a circle" if alone else "the majority goes in a circle"
    if blocked:
        return f"No line can stand after rank {min(blocked)}: {goes}, {shown}{more}{aside}."
    return f"{goes[0].upper()}{goes[1:]}: {shown}{more}{aside}. These items have no order among themselves."


def _wide(panel: PanelState, view: Known) -> str:
    n, fewest = len(panel.items), panel.count.fewest_alike
    if fewest is None or n < 3 or panel.people < 3 * fewest:
        return ""
    width = sum(worst - best for best, worst in view.ranges) / (n * (n - 1))
    if width <= WIDE:
        return ""
    return WIDE_RANGES


def _left_out(panel: PanelState) -> str:
    if not panel.foreign:
        return ""
    if len(panel.foreign) == 1:
        return "1 recorded question belongs to no plan of this ranking: it does not count."
    return f"{len(panel.foreign):,} recorded questions belong to no plan of this ranking: they do not count."
