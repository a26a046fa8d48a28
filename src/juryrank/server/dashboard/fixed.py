"""What was fixed when a study began, in words for people who do not know the options by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from juryrank.rankers.registry import ranker_class
from juryrank.server.studies.creating import OBJECTIVES
from juryrank.statements import risk_of

OPTION_WORDS = {
    "objective": "Aim",
    "sitting": "Questions per person",
    "beyond": "More, for those who go on",
}
UNSAID = ("spread",)  # options that say nothing to an owner


def fixed_words(created: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The method, its options and limits, one row each."""
    minutes = (created.get("sitting_lease") or 0) / 60
    return [
        ("Method", ranker_class(created["ranker"]).title),
        ("Accepted chance that something proven is wrong", risk_of(created["error"])),
        *option_words(created.get("options") or {}),
        *([("Minutes for all of them", f"{minutes:g}")] if minutes else ()),
        ("Most questions in all", f"{created['budget']:,}" if created.get("budget") else "no limit"),
    ]


def option_words(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A method's options in words; one without words is shown as it is.

    >>> option_words({"objective": "best", "sitting": 10, "spread": True, "k": 3})
    [('Aim', 'the best one'), ('Questions per person', '10'), ('k', '3')]
    """
    aims = dict(OBJECTIVES)
    return [
        (OPTION_WORDS.get(name, name), aims.get(value, str(value)) if name == "objective" else str(value))
        for name, value in options.items()
        if name not in UNSAID
    ]
