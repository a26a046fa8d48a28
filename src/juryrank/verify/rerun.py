"""The checker of rankers without one of their own: run the ranker again over the log and compare.

This shows that the file is whole and its result is what the program makes of these answers. It does not
show that the program is right: only an independent checker does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.log import Event, fold
from juryrank.verify.record import Record
from juryrank.verify.report import Check, Finding

COMPARED = ("order", "certified")


def check(record: Record, result: Mapping[str, Any]) -> Finding:
    """The result of the ranker on the same events."""
    again = fold(Event(**event) for event in record.events).ranker.ranking
    claimed = again.to_dict()
    if len(result["order"]) < len(claimed["order"]):
        claimed["order"] = _placed(claimed)  # earlier versions listed placed items only
    wrong = [name for name in COMPARED if claimed[name] != result[name]]
    words = (
        f"the ranker, run again over these events, gives another {wrong[0]}"
        if wrong
        else "the ranker, run again over these events, gives the same order"
    )
    return Finding(
        (Check("result", not wrong, words),),
        certified=again.certified,
        statement=again.statement,
        links=again.links,
        ranges=again.ranges,
        notes=(f"{again.ranker} has no independent checker: its own program was run again over the events.",),
    )


def _placed(claimed: Mapping[str, Any]) -> list[Any]:
    """The order without the items that have no place in the ranker's own list yet."""
    waiting = set(claimed["details"].get("unplaced", ()))
    return [item for item in claimed["order"] if item not in waiting]
