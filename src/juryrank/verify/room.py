"""How much work a file may ask of its checker: a small multiple of its size.

Most of a check is one walk through the events. Where something is a product instead (items times sittings,
attempts times questions, cells times draws), it is taken out of this room before it is done. A file that asks for
more is refused in a sentence: else a few kilobytes could take hours, or all memory, of whoever checks them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from juryrank.errors import JuryrankError

LEAST = 10_000_000  # steps that any file may ask for, two seconds' work: scores of 1,000 items begin with all
PER_BYTE = 20  # scores of 1,000 items, the most costly of honest files, ask for 15
STEPS_PER_VALUE = 40  # of numpy arrays: one step of plain Python is worth so many values


class AsksTooMuch(JuryrankError):
    """A file asks for far more work than its size allows."""


@dataclass(slots=True)
class Room:
    """What is left of the steps that a file may ask for.

    >>> Room(10).take(3, "so much")
    >>> Room(10).take(30, "all of it")
    Traceback (most recent call last):
    juryrank.verify.room.AsksTooMuch: to check all of it takes far more work than a file of this size may ask for
    """

    left: int = LEAST

    def take(self, steps: float, what: str) -> None:
        """Use so many steps; raises AsksTooMuch where they are not there."""
        self.left -= int(steps)
        if self.left < 0:
            raise AsksTooMuch(f"to check {what} takes far more work than a file of this size may ask for")


def room_for(events: Sequence[Mapping[str, Any]]) -> Room:
    """The room of a log."""
    return Room(LEAST + PER_BYTE * sum(len(json.dumps(event, ensure_ascii=False)) for event in events))
