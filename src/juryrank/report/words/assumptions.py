"""What a ranker's promise assumes, in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PAPER = (
    "every judge is right more often than not, and equally often on every pair",
    "answers are independent, and given anew each time",
)
STEADY = "every judge is right equally often on every pair and at every moment, at least half the time"
FAIR = "every answer is, given all answers before it, right at least half of the time"
PEOPLE = (
    "those who answered are independent draws from the people whom the result is about",
    "who drops out, skips or is slow does not depend on what they prefer",
)
THESE = ("each judge has one opinion on a pair: the majority of these judges is counted, and nothing inferred",)


def assumed(created: Mapping[str, Any]) -> tuple[str, ...]:
    """The assumptions behind a study's promise, each as the end of a sentence.

    >>> assumed({"ranker": "panel", "options": {"about": "panel"}})[0][:33]
    'each judge has one opinion on a p'
    """
    options = created.get("options") or {}
    ranker = created.get("ranker")
    if ranker is None:
        return ()
    if ranker == "panel":
        return THESE if options.get("about") == "panel" else PEOPLE
    if ranker == "certified":
        return (STEADY if options.get("assume") == "steady" else FAIR, _repeats(options.get("repeats")))
    if ranker == "oracle":
        return (*PAPER, "the judge named as the best is the best")
    return PAPER


def _repeats(repeats: int | None) -> str:
    if repeats is None:
        return "a judge who is asked a pair again answers anew (the study was made with this said)"
    often = "once" if repeats == 1 else f"{repeats} times"
    return f"nobody's memory helps: no judge is asked a pair more than {often}"
