"""A seed committed before the first question and opened at the end: until then the log reveals no draws.

created      options.seed_commitment = SHA-256 of the text `juryrank seed 1`, the seed and a salt, a line each
seed_opened  the seed and the salt; no question may follow

The installation keeps both beside the log (a note of the study), never in it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from juryrank.core.chance import fresh_seed
from juryrank.errors import BadInput
from juryrank.log.chain import Event
from juryrank.log.kinds import EventKind

COMMITMENT = "seed_commitment"  # the ranker's option that holds the hash
SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class SecretSeed:
    """A seed and the salt that hides it in its hash.

    >>> SecretSeed(7, "00").commitment[:8]
    '78883d9b'
    """

    seed: int
    salt: str

    @classmethod
    def fresh(cls) -> SecretSeed:
        return cls(fresh_seed(), secrets.token_hex(SALT_BYTES))

    @property
    def commitment(self) -> str:
        return hashlib.sha256(f"juryrank seed 1\n{self.seed}\n{self.salt}".encode()).hexdigest()


def commitment_in(created: Mapping[str, Any]) -> str | None:
    """The hash that a study's seed is committed by; None: its seed is not hidden."""
    found: str | None = (created.get("options") or {}).get(COMMITMENT)
    return found


def opened_in(events: Iterable[Event]) -> SecretSeed | None:
    """The seed that a log opens; None: it does not, or not yet."""
    opened = next((event.data for event in events if event.kind == EventKind.SEED_OPENED), None)
    return None if opened is None else SecretSeed(opened["seed"], opened["salt"])


def seed_for(created: Mapping[str, Any], known: SecretSeed | None) -> int:
    """The seed of a log's draws; raises where it is committed and neither known here nor opened."""
    commitment = commitment_in(created)
    if commitment is None:
        return int(created["seed"])
    if known is None:
        raise BadInput(
            "the seed of this study is committed and not opened yet, so its log cannot be followed elsewhere: "
            "make its certificate where the study was made, which opens the seed once it is done or closed"
        )
    if known.commitment != commitment:
        raise BadInput("the seed that was opened is not the one that was committed: the log was altered")
    return known.seed
