"""The certified ranker's state with more room, more items, another judge; and as JSON values.

Arrays cannot grow inside a compiled run, so whoever drives the machine asks its `cramped(s)` before each event
and replaces the state by `roomier(s)` when it says so.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from juryrank.rankers.certified.core.eliminate import begin_elimination
from juryrank.rankers.certified.core.judge_accuracy import PRICE, TURN, JudgeBeliefs, jury, learn_pool
from juryrank.rankers.certified.core.machine import cramped
from juryrank.rankers.certified.core.max_tree import MaxTree, max_tree
from juryrank.rankers.certified.core.pair_answers import Tallies, alone, crowded, grown
from juryrank.rankers.certified.core.phases import CERTIFIED, ELIMINATE, ELIMINATION, INSERT, PROVE, change_phase
from juryrank.rankers.certified.core.prove.attempt import end_attempt
from juryrank.rankers.certified.core.search.gaps import BREADTH, Slots, claim_anew, room_in_flight, slots
from juryrank.rankers.certified.core.state import (
    COUNTS,
    DRAFT,
    REALS,
    Cursor,
    Proof,
    State,
    entry_event,
    placing_bits,
    proof,
)


def roomier(s: State) -> State:
    """The same state with room for the next event."""
    held = s.proof
    if crowded(s.tallies):
        s = s._replace(tallies=grown(s.tallies))
    if s.cursor.link_nodes + 1 >= len(held.node):
        held = held._replace(node=_longer(held.node, 2 * len(held.node)))
    if s.cursor.claims + s.cursor.items > len(held.claims):
        held = held._replace(claims=_longer(held.claims, 2 * len(held.claims) + int(s.cursor.items)))
    return s._replace(proof=held)


def with_items(s: State, new: Sequence[int]) -> State:
    """New items, in the order they are to be inserted. They end the attempt; its claims stay."""
    eliminating = s.cursor.objective == ELIMINATION
    if s.cursor.phase in (PROVE, CERTIFIED) and s.cursor.items > 1 and not eliminating:
        s = roomier(s) if cramped(s) else s
        end_attempt(s)
    before, total = int(s.cursor.items), int(s.cursor.items) + len(new)
    room = max(total, 2)
    strangers = alone(room - len(s.tallies.item))
    grown_proof = proof(room, len(s.jury.tally))._replace(claims=s.proof.claims)
    if eliminating:  # whoever is the best of all was the best of those before: what was found stays
        kept = s.proof
        grown_proof = grown_proof._replace(link=_longer(kept.link, room), worth=_longer(kept.worth, room))
    arrivals = np.concatenate((s.arrivals, np.array(new, np.int64)))
    s = s._replace(
        order=_longer(s.order, room),
        place=_longer(s.place, room),
        out=_longer(s.out, room),
        rivals=_longer(s.rivals, room),
        recheck=_longer(s.recheck, room),
        beyond=_longer(s.beyond, room),
        tallies=s.tallies._replace(item=np.concatenate((s.tallies.item, strangers))),
        arrivals=arrivals,
        slots=_more_slots(s.slots, total, room_in_flight(total, breadth=s.cursor.insert == BREADTH)),
        doubt=max_tree(room),
        unsure=max_tree(room),
        proof=grown_proof,
    )
    s.cursor.items = total
    s.cursor.link_nodes = 0
    s.cursor.bits_left += sum(placing_bits(s.cursor, i) for i in range(max(before, 1) + 1, total + 1))
    if before == 0:
        s.order[0] = arrivals[0]
        s.cursor.placed = s.cursor.next_arrival = 1
    change_phase(s.cursor, entry_event(total, s.cursor.objective))
    if s.cursor.phase == ELIMINATE:
        begin_elimination(s)
    if s.cursor.phase == INSERT:
        claim_anew(s)
    return s


def with_judge(s: State, turn: list[int], price: float) -> State:
    """One more judge, of whom nothing is known; `turn` is the new random order of the judges."""
    count = len(s.jury.tally)
    fresh = jury(count + 1, turn, [*s.jury.real[:, PRICE].tolist(), price])
    for name in JudgeBeliefs._fields:
        getattr(fresh, name)[: len(getattr(s.jury, name))] = getattr(s.jury, name)
    fresh.tally[:, TURN] = turn
    learn_pool(fresh)
    wider = {name: _longer(getattr(s.proof, name), count + 1) for name in ("judge", "logs", "prior")}
    return s._replace(jury=fresh, proof=s.proof._replace(**wider))


def _more_slots(old: Slots, n_items: int, rows: int) -> Slots:
    new = slots(n_items, max(rows, len(old.row)))
    for name in Slots._fields:
        kept = getattr(old, name)
        getattr(new, name)[: len(kept)] = kept
    return new


def _longer(array: NDArray[Any], size: int) -> NDArray[Any]:
    if len(array) >= size:
        return array
    bigger = np.zeros((size, *array.shape[1:]), array.dtype)
    bigger[: len(array)] = array
    return bigger


# ---------------------------------------------------------------------- JSON
PARTS: dict[str, type[Any]] = {
    "jury": JudgeBeliefs,
    "tallies": Tallies,
    "slots": Slots,
    "doubt": MaxTree,
    "unsure": MaxTree,
    "proof": Proof,
}


def to_json(s: State) -> dict[str, Any]:
    """The state as JSON values: arrays as packed text, exact to the last bit. The draft is no part of it."""
    s = s._replace(rivals=0 * s.rivals, recheck=0 * s.recheck)
    scalars = {**vars(s.cursor), **dict.fromkeys(DRAFT, 0)}
    packed: dict[str, Any] = {
        "numbers": _pack(np.array([scalars[name] for name in COUNTS], np.int64)),
        "reals": _pack(np.array([scalars[name] for name in REALS], np.float64)),
    }
    for name in State._fields[1:]:
        value = getattr(s, name)
        if name in PARTS:
            packed[name] = {field: _pack(getattr(value, field)) for field in PARTS[name]._fields}
        else:
            packed[name] = _pack(value)
    return packed


def from_json(packed: Mapping[str, Any]) -> State:
    """The state that `to_json` wrote."""
    numbers = dict(zip(COUNTS, _unpack(packed["numbers"]).tolist(), strict=True))
    reals = dict(zip(REALS, _unpack(packed["reals"]).tolist(), strict=True))
    values: dict[str, Any] = {"cursor": Cursor(**numbers, **reals)}
    for name in State._fields[1:]:
        if name in PARTS:
            fields = PARTS[name]._fields
            values[name] = PARTS[name](**{field: _unpack(packed[name][field]) for field in fields})
        else:
            values[name] = _unpack(packed[name])
    return State(**values)


def _pack(array: NDArray[Any]) -> list[Any]:
    text = base64.b64encode(zlib.compress(array.tobytes(), 1)).decode()
    return [array.dtype.str, list(array.shape), text]


def _unpack(packed: Sequence[Any]) -> NDArray[Any]:
    kind, shape, text = packed
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), np.dtype(kind)).reshape(shape).copy()
