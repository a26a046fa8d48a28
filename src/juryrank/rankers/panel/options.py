"""A panel's options: which go together, and the way of counting that they choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from juryrank.core.levels import Objective
from juryrank.core.panel.counting import Counting
from juryrank.core.panel.exact_order import ExactOrder
from juryrank.core.panel.field_share import FieldShare
from juryrank.core.panel.fixed_judges import FixedJudges
from juryrank.core.panel.head_to_head import HeadToHead
from juryrank.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from juryrank.rankers.panel.ranker import Panel

ABOUT = ("population", "panel")
RELATIONS = ("head-to-head", "field-share")


def check_options(panel: Panel) -> None:
    """Refuse what cannot be, in words."""
    if panel.about not in ABOUT:
        raise UnknownName(f"about is {panel.about!r}; it is one of: {', '.join(ABOUT)}")
    if panel.relation not in RELATIONS:
        raise UnknownName(f"there is no relation {panel.relation!r}; there are: {', '.join(RELATIONS)}")
    if not isinstance(panel.sitting, int) or isinstance(panel.sitting, bool) or panel.sitting < 1:
        raise BadInput(f"sitting is {panel.sitting!r}; it is the number of questions a person gets, 1 or more")
    if panel.about == "panel" and not panel.judge_names:
        raise BadInput("about='panel' is about a fixed list of judges; give them all at the start")
    if panel.relation == "field-share" and (panel.about == "panel" or panel.objective is Objective.ORDER):
        raise BadInput(
            "field-share compares scores in a population: use it with about='population' and the objective "
            "ranges, tiers, best or top-k"
        )
    if panel.k is not None and not 1 <= panel.k < max(len(panel.items), 2):
        raise BadInput(
            f"top-{panel.k} of {len(panel.items)} items is no question; k goes from 1 to {len(panel.items) - 1}"
        )


def new_count(panel: Panel) -> Counting:
    """Empty tallies for these options."""
    n, objective, k = len(panel.items), panel.objective, panel.k
    if panel.about == "panel":
        return FixedJudges(n, judges=len(panel.judge_names), objective=objective, k=k)
    if panel.relation == "field-share":
        shared: dict[str, Any] = {"error": panel.error, "objective": objective, "k": k}
        return FieldShare(n, **shared, joining=panel.joining, size=panel.sitting)
    if objective is Objective.ORDER:
        return ExactOrder(n, error=panel.error)
    return HeadToHead(n, error=panel.error, objective=objective, k=k, joining=panel.joining)
