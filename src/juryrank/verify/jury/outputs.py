"""Outputs on record are fixed with the first event, and a tie without a judge needs two that are the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import comb
from typing import Any

from juryrank.verify.record import Asked, Record
from juryrank.verify.room import Room

KEPT = "cases"


class RecordedOutputs:
    """What the log says about the systems' outputs; a ranking that kept none can only be believed about them."""

    def __init__(self, record: Record, required: Sequence[tuple[str, str]] = ()) -> None:
        kept = _read((record.settings.get("settings") or {}).get(KEPT))
        self._without = sum(q.without_judge for q in record.asked)
        _check_same(kept, record.options.get("same_outputs"), record.room, required)
        stated = None
        for event in record.events:
            if event["kind"] == "items_added":
                stated = event["data"].get("same_outputs")
            if event["kind"] == "edited" and KEPT in (event["data"].get("settings") or {}):
                after = _read(event["data"]["settings"][KEPT])
                if after is None or not _goes_on(kept, after):
                    raise ValueError(f"event {event['seq']} changes cases or outputs, which are fixed")
                kept = after
                _check_same(kept, stated, record.room, required)
        self._outputs: Mapping[str, Mapping[str, Any]] | None = kept.get("outputs") if kept else None
        if self._outputs is not None and record.options.get("sides") != "recorded":
            _check_absent(self._outputs, record.options.get("absent") or ())

    @property
    def unchecked(self) -> int:
        """Ties without a judge whose outputs are not on record."""
        return 0 if self._outputs is not None else self._without

    def check(self, q: Asked) -> None:
        """Raise ValueError where a question was answered without a judge although there was something to ask."""
        if not q.without_judge:
            return
        if q.answer != "tie":
            raise ValueError("it was answered without a judge, and not by a tie")
        if self._outputs is None:
            return
        first, *others = (self._outputs[item][str(q.case)] for item in q.shown or (q.left, q.right))
        if any(other != first for other in others):
            raise ValueError("it was answered without a judge, although the outputs differ")


def _read(kept: Any) -> Mapping[str, Any] | None:
    """Cases and outputs as a study keeps them: {"inputs": {case: input}, "outputs": {system: {case: output}}}."""
    if kept is None:
        return None
    if not isinstance(kept, Mapping) or kept.keys() != {"inputs", "outputs"}:
        raise ValueError("the cases on record are not inputs and outputs")
    outputs = {} if kept["outputs"] is None else kept["outputs"]
    by_case = [kept["inputs"], *outputs.values()] if isinstance(outputs, Mapping) else [None]
    if not all(isinstance(given, Mapping) for given in by_case):
        raise ValueError("the inputs and outputs on record are not given by case")
    return kept


def _check_same(
    kept: Mapping[str, Any] | None, stated: Any, room: Room, required: Sequence[tuple[str, str]]
) -> None:
    """The calls of the whole evaluation leave out those whose two outputs are the same: are there so many?

    Where claims are required, the evaluation is about their pairs alone.
    """
    if stated is None or not kept or kept["outputs"] is None:
        return
    outputs, cases = kept["outputs"], kept["inputs"]
    groups = [[outputs[name] for name in claim if name in outputs] for claim in required]
    groups = groups or [list(outputs.values())]
    room.take(len(cases) * sum(map(len, groups)), "so many cases of so many systems")
    found = ([out[case] for out in group if case in out] for group in groups for case in cases)
    there = sum(_same_pairs(given, room) for given in found)
    if there != stated:
        raise ValueError(f"it says that outputs are the same {stated} times, and they are {there} times")


def _same_pairs(outputs: Sequence[Any], room: Room) -> int:
    """How many pairs of these are the same. Texts and numbers are counted; lists are compared, each with each.

    >>> _same_pairs(["a", "b", "a", "a"], Room()), _same_pairs([[1], [1.0], 1, "1"], Room())
    (3, 1)
    """
    nested = [output for output in outputs if isinstance(output, list | dict)]
    size = sum(len(json.dumps(output)) for output in nested)
    room.take(size * len(nested) / 2, "so many outputs against each other")
    plain = Counter(output for output in outputs if not isinstance(output, list | dict))
    return sum(comb(n, 2) for n in plain.values()) + sum(a == b for a, b in combinations(nested, 2))


def _check_absent(outputs: Mapping[str, Mapping[str, Any]], rows: Sequence[Any]) -> None:
    for first, second, cases in rows:
        there = [case for case in cases if case in outputs[first] and case in outputs[second]]
        if there:
            raise ValueError(f"case {min(there)!r} is left out, although {first} and {second} have an output")


def _goes_on(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> bool:
    """Does it hold everything that was there before, unchanged? (Systems that join bring outputs of their own.)"""
    if before is None or before["inputs"] != after["inputs"]:
        return False
    old, new = before["outputs"], after["outputs"]
    if old is None or new is None:
        return bool(old == new)
    return all(new.get(name) == outputs for name, outputs in old.items())
