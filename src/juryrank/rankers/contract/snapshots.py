"""A ranker's whole state as JSON, and back: a cache of what a log folds to, never the only copy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from juryrank.errors import BadInput, BadSnapshot
from juryrank.rankers.contract.sides import answer_of, grade_of, side_of
from juryrank.types import Answer, Question

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


def in_order(value: Any) -> Any:
    """The same with the keys of all mappings sorted, as a log on disk has them: one state, one text.

    >>> in_order({"phase": "prove", "bet": [{"b": 1, "a": 2}]})
    {'bet': [{'a': 2, 'b': 1}], 'phase': 'prove'}
    """
    if isinstance(value, Mapping):
        return {name: in_order(value[name]) for name in sorted(value)}
    return [in_order(inner) for inner in value] if isinstance(value, list | tuple) else value


def pack(question: Question) -> list[Any]:
    """A question as JSON values."""
    return [question.id, question.judge, question.left, question.right, in_order(question.terms), question.case]


def unpack(packed: Sequence[Any]) -> Question:
    """The question that `pack` wrote down."""
    number, judge, left, right, terms, case = packed
    return Question(number, frozen(judge), frozen(left), frozen(right), terms, case)


def pack_answer(question: Question, answer: Answer | None) -> str | list[Any] | None:
    """An answer as JSON value; None: the question expired."""
    if answer is None:
        return None
    side, grade = side_of(question, answer), grade_of(answer)
    return side if grade is None else [side, grade]


def unpack_answer(question: Question, packed: str | list[Any] | None) -> Answer | None:
    """The answer that `pack_answer` wrote down."""
    if packed is None:
        return None
    return answer_of(question, packed) if isinstance(packed, str) else answer_of(question, *packed)


def frozen(value: Any) -> Any:
    """A value that can be hashed, as items and lanes must be: JSON gives lists back for tuples.

    >>> frozen([1, ["a", "b"]])
    (1, ('a', 'b'))
    """
    return tuple(map(frozen, value)) if isinstance(value, list) else value
