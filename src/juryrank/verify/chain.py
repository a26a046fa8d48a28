"""Is the chain of hashes whole, and is a judge's receipt in it?

Each event carries a hash over its own content and the hash before it. The hash is computed here a second time, so
that a mistake in the program that writes logs is found.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.log.receipts import read_code
from juryrank.statements.numbers import number_of
from juryrank.verify.report import Check

NAME = "chain"
BEGINNING = "0" * 64
HASH = re.compile(r"[0-9a-f]{64}")


def hash_of(previous: str, event: Mapping[str, Any]) -> str:
    """SHA-256 over the hash before it and the event's number, kind, data and time, as compact JSON, keys sorted.

    >>> hash_of(BEGINNING, {"seq": 1, "kind": "closed", "data": {}, "at": None})[:8]
    'a6939938'
    """
    content = [previous, event["seq"], event["kind"], event["data"], event["at"]]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def check_chain(events: Sequence[Mapping[str, Any]], head: str) -> Check:
    """Recompute every hash. The first event that does not fit is named.

    >>> check_chain([], "0" * 64).words
    'there is no event at all'
    """
    if not events:
        return Check(NAME, False, "there is no event at all")
    previous = BEGINNING
    for number, event in enumerate(events, start=1):
        if type(event["seq"]) is not int or event["seq"] != number:
            return Check(
                NAME, False, f"event {number} calls itself {event['seq']!r}: one was dropped, added or moved"
            )
        expected = hash_of(previous, event)
        if event["hash"] != expected:
            return Check(
                NAME,
                False,
                f"event {number} ({event['kind']}) does not match its hash: it, or one before it, was changed",
            )
        previous = expected
    if head != previous:
        return Check(NAME, False, "the head is not the hash of the last event: events are missing at the end")
    return Check(NAME, True, f"{number_of(len(events), 'event')}, each carrying the hash of the one before")


def check_receipt(code: str, events: Sequence[Mapping[str, Any]]) -> Check:
    """Hold a receipt against the event at its place; the chain was checked before."""
    place = read_code(code)
    if place.seq > len(events):
        words = f"names event {place.seq}, and this file has {len(events)}: it was made before the receipt, or cut"
        return Check("receipt", False, words)
    if not place.fits(events[place.seq - 1]["hash"]):
        words = (
            f"event {place.seq} is not the one that the receipt names: another study, mistyped, or changed since"
        )
        return Check("receipt", False, words)
    return Check(
        "receipt", True, f"event {place.seq} is the one it names: everything up to there is as it was then"
    )
