"""Who is in the table: judges and items may join, judges may leave for good; each change makes another table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Members:
    """`items` and `judges` were there at the start; `left` are judges who are out of the table now.

    >>> members = Members(3, 2)
    >>> members.leave(1, seen=True)
    >>> members.changes("abcd", ["m", "n"])
    {'dropped': ['n'], 'dropped_before_answers': [], 'judges_joined': [], 'items_joined': ['d']}
    """

    items: int
    judges: int
    left: set[int] = field(default_factory=set)
    unseen: set[int] = field(default_factory=set)  # of those: left before any answer was seen

    def leave(self, u: int, *, seen: bool) -> None:
        """A judge is out; `seen`: after answers had been seen."""
        self.left.add(u)
        if not seen:
            self.unseen.add(u)

    def come_back(self, u: int) -> bool:
        """A judge is in again; False if they had not left."""
        out = u in self.left
        self.left.discard(u)
        self.unseen.discard(u)
        return out

    def changes(self, items: Sequence[Any], judges: Sequence[Any]) -> dict[str, list[Any]]:
        """What is different from the start, by name."""
        return {
            "dropped": [judges[u] for u in sorted(self.left - self.unseen)],
            "dropped_before_answers": [judges[u] for u in sorted(self.unseen)],
            "judges_joined": list(judges[self.judges :]),
            "items_joined": list(items[self.items :]),
        }

    def state(self) -> dict[str, Any]:
        return {
            "items": self.items, "judges": self.judges, "left": sorted(self.left), "unseen": sorted(self.unseen)
        }  # fmt: skip

    @classmethod
    def read(cls, saved: Mapping[str, Any]) -> Members:
        return cls(saved["items"], saved["judges"], set(saved["left"]), set(saved["unseen"]))
