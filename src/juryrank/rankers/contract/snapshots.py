"""A ranker's whole state as JSON, and back: a cache of what a log folds to, never the only copy."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput, BadSnapshot
from juryrank.rankers.contract.sides import answer_of, side_of
from juryrank.types import Answer, Question

if TYPE_CHECKING:
    from juryrank.rankers.contract.ranker import Ranker

SNAPSHOT_SCHEMA = 3


def snapshot_text(ranker: Ranker) -> str:
    """The snapshot as it is written down: the same state gives the same text."""
    state = {
        "schema": SNAPSHOT_SCHEMA,
        "ranker": ranker.name,
        "items": ranker.items,
        "judges": ranker.judge_names,
        "error": ranker.error,
        "budget": ranker.budget,
        "money": ranker.money,
        "seed": ranker.seed,
        "prices": [ranker.prices[judge] for judge in ranker.judge_names],
        "options": ranker._options,
        "next_id": ranker._next_id,
        "cost": ranker._cost,
        "late": ranker._late,
        "fate": ",".join(ranker._fate[1:]),
        "open": [_pack(q) for q in ranker._open.values()],
        "held": [[_pack(q), _pack_answer(q, answer)] for q, answer in ranker._held.values()],
        "lanes": [[lane, list(queue)] for lane, queue in ranker._lanes.items()],
        "paused": sorted(ranker._paused),
        "asked_of": ranker._asked_of,
        "answered_of": ranker._answered_of,
        "state": ranker._state(),
    }
    try:
        return json.dumps(state, separators=(",", ":"))
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
    ranker._next_id, ranker._cost, ranker._late = data["next_id"], data["cost"], data["late"]
    ranker._fate = ["", *data["fate"].split(",")] if data["next_id"] > 1 else [""]
    ranker._open = {q.id: q for q in map(_unpack, data["open"])}
    held = [(_unpack(q), answer) for q, answer in data["held"]]
    ranker._held = {q.id: (q, _unpack_answer(q, answer)) for q, answer in held}
    ranker._lanes = {frozen(lane): deque(queue) for lane, queue in data["lanes"]}
    ranker._lane_of = {qid: lane for lane, queue in ranker._lanes.items() for qid in queue}
    ranker._paused = set(data["paused"])
    ranker._asked_of, ranker._answered_of = list(data["asked_of"]), list(data["answered_of"])
    ranker._load(data["state"])
    return ranker


def _pack(question: Question) -> list[Any]:
    return [question.id, question.judge, question.left, question.right, dict(question.terms)]


def _unpack(packed: Sequence[Any]) -> Question:
    number, judge, left, right, terms = packed
    return Question(number, frozen(judge), frozen(left), frozen(right), terms)


def _pack_answer(question: Question, answer: Answer | None) -> str | None:
    return None if answer is None else side_of(question, answer)


def _unpack_answer(question: Question, side: str | None) -> Answer | None:
    return None if side is None else answer_of(question, side)


def frozen(value: Any) -> Any:
    """A value that can be hashed, as items and lanes must be: JSON gives lists back for tuples.

    >>> frozen([1, ["a", "b"]])
    (1, ('a', 'b'))
    """
    return tuple(map(frozen, value)) if isinstance(value, list) else value
