"""A ranker's whole state as JSON, and back: a cache of what a log folds to, never the only copy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput, BadSnapshot
from juryrank.rankers.contract.roster import frozen

if TYPE_CHECKING:
    from juryrank.rankers.contract.ranker import Ranker

SNAPSHOT_SCHEMA = 6


def as_text(state: Mapping[str, Any]) -> str:
    """The snapshot as it is written down: the same state gives the same text."""
    try:
        return json.dumps({"schema": SNAPSHOT_SCHEMA, **state}, separators=(",", ":"))
    except TypeError as problem:
        raise BadInput(f"a snapshot is JSON, and {problem}: use strings or numbers as items and judges") from None


def restored(snapshot: Mapping[str, Any] | str) -> Ranker:
    """The ranker that a snapshot was taken of."""
    from juryrank.rankers.registry import ranker_class

    try:
        data: Mapping[str, Any] = json.loads(snapshot) if isinstance(snapshot, str) else snapshot
        if data["schema"] != SNAPSHOT_SCHEMA:
            raise BadSnapshot(
                f"this snapshot has schema {data['schema']}, and this version of juryrank reads "
                f"{SNAPSHOT_SCHEMA}; snapshots are only a cache: refold the log instead"
            )
        return _rebuilt(ranker_class(data["ranker"]), data)
    except (KeyError, TypeError, IndexError, json.JSONDecodeError) as problem:
        raise BadSnapshot(f"this is not a whole juryrank snapshot ({problem!r}); take a new one") from problem


def _rebuilt(kind: type[Ranker], data: Mapping[str, Any]) -> Ranker:
    items, judges = [frozen(i) for i in data["items"]], [frozen(j) for j in data["judges"]]
    ranker = kind(
        items,
        judges=judges,
        error=data["error"],
        budget=data["budget"],
        seed=data["seed"],
        prices=dict(zip(judges, data["prices"], strict=True)),
        money=data["money"],
        **data["options"],
    )
    ranker.load(data)
    return ranker
