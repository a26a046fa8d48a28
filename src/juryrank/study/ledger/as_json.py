"""A ledger as JSON values, for snapshots: the same log gives the same text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from juryrank.rankers.contract.snapshots import in_order
from juryrank.study.ledger.leases import LastAnswer, Lease, LeaseTally
from juryrank.study.ledger.ledger import Ledger


def ledger_dict(ledger: Ledger) -> dict[str, Any]:
    """JSON values; `ledger_from` is the opposite."""
    return {
        "created": in_order(ledger.created),
        "items": ledger.items,
        "judges": ledger.judges,
        "settings": in_order(ledger.settings),
        "paused": sorted(ledger.paused),
        "removed": sorted(ledger.removed),
        "closed": ledger.closed,
        "seed_open": ledger.seed_open,
        "open": [_plain(lease) for _, lease in sorted(ledger.open.items())],
        "expired": [_plain(lease) for _, lease in sorted(ledger.expired.items())],
        "sittings": sorted(ledger.sittings.items()),
        "idle": sorted([number, *limits] for number, limits in ledger.idle.items()),
        "last": [[_plain(one.lease), one.seq, one.answer] for _, one in sorted(ledger.last.items())],
        **({"withdrawn": ledger.withdrawn} if ledger.withdrawn else {}),
        "tallies": {judge: _plain(tally) for judge, tally in sorted(ledger.tallies.items())},
    }


def ledger_from(data: Mapping[str, Any]) -> Ledger:
    """The ledger that `ledger_dict` wrote down."""
    ledger = Ledger(
        created=data["created"],
        items=data["items"],
        judges=data["judges"],
        settings=data["settings"],
        paused=set(data["paused"]),
        removed=set(data["removed"]),
        closed=data["closed"],
        seed_open=data.get("seed_open", False),
        withdrawn=data.get("withdrawn", []),
        expired=_by_number(data["expired"]),
        tallies={judge: LeaseTally(**tally) for judge, tally in data["tallies"].items()},
    )
    for lease, seq, answer in data["last"]:
        ledger.last[lease["judge"]] = LastAnswer(Lease(**lease), seq, answer)
    for lease in _by_number(data["open"]).values():
        ledger.put_out(lease)
    ledger.idle = {number: (hard, seconds) for number, hard, seconds in data.get("idle", ())}
    for number, deadline in data["sittings"]:
        ledger.sit_down(number, deadline)
    return ledger


def _plain(one: Lease | LeaseTally) -> dict[str, Any]:
    """A row as JSON values; `asdict` would copy deeply, and answers would wait for it."""
    return {name: getattr(one, name) for name in one.__slots__}


def _by_number(leases: Iterable[Mapping[str, Any]]) -> dict[int, Lease]:
    return {lease["q"]: Lease(**lease) for lease in leases}
