"""Is the chain of hashes whole? Each event carries a hash over its own content and the hash before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.log import GENESIS, event_hash
from juryrank.verify.report import Check

NAME = "chain"


def check_chain(events: Sequence[Mapping[str, Any]], head: str) -> Check:
    """Recompute every hash. The first event that does not fit is named.

    >>> check_chain([], "0" * 64).words
    'there is no event at all'
    """
    if not events:
        return Check(NAME, False, "there is no event at all")
    previous = GENESIS
    for number, event in enumerate(events, start=1):
        if event["seq"] != number or isinstance(event["seq"], bool):
            return Check(
                NAME, False, f"event {number} calls itself {event['seq']!r}: one was dropped, added or moved"
            )
        expected = event_hash(previous, event["seq"], event["kind"], event["data"], event["at"])
        if event["hash"] != expected:
            return Check(
                NAME,
                False,
                f"event {number} ({event['kind']}) does not fit its hash: it, or one before it, was changed",
            )
        previous = expected
    if head != previous:
        return Check(NAME, False, "the head is not the hash of the last event: events are missing at the end")
    return Check(NAME, True, f"{len(events)} events, each carrying the hash of the one before")
