"""The seed of the draws: in the open, or committed by its hash in the first event and opened by a later one."""

from __future__ import annotations

import hashlib

from juryrank.verify.record import Record
from juryrank.verify.terms import is_whole


def seed_of(record: Record) -> int:
    """The seed; raises ValueError where it is not what was committed, or questions follow its opening."""
    commitment = record.options.get("seed_commitment")
    if (commitment is not None) != (record.options.get("seed_from") == "committed"):
        raise ValueError("it is not clear whether the seed was committed")
    if commitment is None:
        seed = record.settings.get("seed", 0)
        if not is_whole(seed):
            raise ValueError("the seed is not a whole number")
        return int(seed)
    opened = [event for event in record.events if event["kind"] == "seed_opened"]
    if len(opened) != 1:
        raise ValueError("the seed was committed, and is not opened once")
    seed, salt = opened[0]["data"]["seed"], opened[0]["data"]["salt"]
    if hashlib.sha256(f"juryrank seed 1\n{seed}\n{salt}".encode()).hexdigest() != commitment:
        raise ValueError("the seed that was opened is not the one that was committed")
    if any(q.seq > opened[0]["seq"] for q in record.asked):
        raise ValueError("questions were asked after the seed was opened")
    return int(seed)
