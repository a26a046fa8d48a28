"""Is a judge's receipt in a certificate's log? Nobody's answers are needed to say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from juryrank.log.receipts import read_code
from juryrank.verify.report import Check

NAME = "receipt"


def check_receipt(code: str, events: Sequence[Mapping[str, Any]]) -> Check:
    """Hold a receipt against the event at its place; the chain was checked before."""
    place = read_code(code)
    if place.seq > len(events):
        words = f"names event {place.seq}, and this file has {len(events)}: it was made before the receipt, or cut"
        return Check(NAME, False, words)
    if not place.fits(events[place.seq - 1]["hash"]):
        words = (
            f"event {place.seq} is not the one that the receipt names: another study, mistyped, or changed since"
        )
        return Check(NAME, False, words)
    return Check(NAME, True, f"event {place.seq} is the one it names: everything up to there is as it was then")
