"""People who answered faster than one can read: what the log's own times say about stuffed ballots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from juryrank.verify.record.clock import moment

PAGE = "page"  # the source of answers that came from a judge's page
FAST = 1.0  # seconds from the question to the answer: nobody reads two items in less
FEWEST_ANSWERS = 3  # of one judge
FEWEST_JUDGES, LEAST_SHARE = 5, 0.1  # fewer decide nothing


def haste(events: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """A note where many judges on pages took less than a second for most of their answers."""
    asked: dict[int, tuple[str, datetime | None]] = {}
    seconds: dict[str, list[float]] = {}
    for event in events:
        kind, data, at = event["kind"], event["data"], moment(event["at"])
        if kind == "asked":
            asked[data["q"]] = (data["judge"], at)
        elif kind == "told" and data.get("source") == PAGE and data["q"] in asked:
            judge, since = asked[data["q"]]
            if since is not None and at is not None:
                seconds.setdefault(judge, []).append((at - since).total_seconds())
    people = [times for times in seconds.values() if len(times) >= FEWEST_ANSWERS]
    fast = sum(2 * sum(time < FAST for time in times) > len(times) for times in people)
    if fast < FEWEST_JUDGES or fast < LEAST_SHARE * len(people):
        return ()
    return (
        f"{fast} of {len(people)} judges on pages took less than a second for most of their answers, by the log's "
        "own times: that is faster than reading.",
    )
