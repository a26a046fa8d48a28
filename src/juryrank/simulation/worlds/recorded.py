"""A world made of recorded votes: a judge's answer is drawn from what was really voted on that pair."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from juryrank.errors import BadWorld
from juryrank.simulation.worlds.base import RECORDED, Stage, stage
from juryrank.simulation.worlds.kinds import Bernoulli, Btl, Drifting, Spammers, Thurstone, World, Wst, two_groups

MOST_CELLS = 50_000_000  # judges x items x items of the answer table: 200 MB


@dataclass(frozen=True, slots=True)
class Recorded(World):
    """Votes as (judge, preferred, other, how often).

    An answer is drawn from that judge's own votes on the pair; where there are none, from everybody's; where
    nobody voted on it, it is a coin. The true order is by the mean share of votes won over the other items.

    >>> world = from_votes([("ann", "tea", "milk"), ("ann", "tea", "milk"), ("bob", "milk", "tea")])
    >>> world.order, world.items, world.judges
    (('tea', 'milk'), 2, 2)
    """

    votes: tuple[tuple[str, str, str, int], ...]
    kind: ClassVar[str] = "votes"

    def __post_init__(self) -> None:
        try:
            kept = tuple((str(j), str(a), str(b), int(n)) for j, a, b, n in self.votes)
        except (TypeError, ValueError):
            raise BadWorld("votes are rows of (judge, preferred, other, how often)") from None
        if not kept:
            raise BadWorld("there is no vote to draw answers from")
        for judge, preferred, other, count in kept:
            if count < 1 or preferred == other:
                raise BadWorld(f"{judge!r} cannot have preferred {preferred!r} to {other!r} {count} times")
        object.__setattr__(self, "votes", kept)

    @property
    def judge_names(self) -> tuple[str, ...]:
        return tuple(sorted({vote[0] for vote in self.votes}))

    @property
    def judges(self) -> int:
        return len(self.judge_names)

    @property
    def items(self) -> int:
        return len({name for vote in self.votes for name in vote[1:3]})

    @property
    def order(self) -> tuple[str, ...]:
        """The items, best first."""
        names, won = self._won()
        both = won + won.T
        share = np.where(both > 0, won / np.maximum(both, 1), np.nan)
        mean = np.nanmean(share, axis=1)  # every item is in some vote, so every row has a number
        return tuple(name for _, name in sorted(zip(-mean, names, strict=True)))

    @property
    def best_judge(self) -> int:
        rank = {name: k for k, name in enumerate(self.order)}
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for judge, preferred, other, count in self.votes:
            total[judge] += count
            right[judge] += count * (rank[preferred] < rank[other])
        shares = [right[judge] / total[judge] for judge in self.judge_names]
        return shares.index(max(shares))

    def stage(self, items: int) -> Stage:
        judges = {name: u for u, name in enumerate(self.judge_names)}
        rank = {name: items - 1 - k for k, name in enumerate(self.order)}
        if len(judges) * items * items > MOST_CELLS:
            raise BadWorld(f"{len(judges)} judges and {items} items are too many for a table of all their answers")
        won = np.zeros((len(judges), items, items), np.float32)
        for judge, preferred, other, count in self.votes:
            won[judges[judge], rank[preferred], rank[other]] += count
        everybody = _share(won.sum(axis=0), np.float32(0.5))
        return stage(RECORDED, np.zeros(len(judges)), recorded=_share(won, everybody))

    def _won(self) -> tuple[list[str], NDArray[np.float64]]:
        names = sorted({name for vote in self.votes for name in vote[1:3]})
        at = {name: k for k, name in enumerate(names)}
        won = np.zeros((len(names), len(names)))
        for _, preferred, other, count in self.votes:
            won[at[preferred], at[other]] += count
        return names, won


def _share(won: NDArray[np.float32], otherwise: NDArray[np.float32] | np.float32) -> NDArray[np.float32]:
    both = won + np.swapaxes(won, -1, -2)
    return np.where(both > 0, won / np.maximum(both, 1), otherwise)


def from_votes(votes: Iterable[tuple[object, object, object]]) -> Recorded:
    """A world from (judge, preferred, other) votes; ties and skips are left out beforehand.

    >>> from_votes([("ann", "a", "b"), ("bob", "a", "b"), ("bob", "b", "a")]).judges
    2
    """
    counts = Counter((str(judge), str(preferred), str(other)) for judge, preferred, other in votes)
    return Recorded(tuple((*key, n) for key, n in sorted(counts.items())))


# ----------------------------------------------------------------------------
# Worlds from JSON: an object, or a file that holds one
KINDS: dict[str, type[World]] = {
    world.kind: world for world in (Bernoulli, Spammers, Btl, Thurstone, Wst, Drifting, Recorded)
}


def world_from_dict(given: Any) -> World:
    """The world that a JSON object describes.

    >>> world_from_dict({"kind": "bernoulli", "judges": 3, "gamma_a": 0.5, "gamma_b": 1.0}).judges
    3
    >>> world_from_dict(Drifting((0.9,), (0.6,), 1000).to_dict())
    Drifting(start=(0.9,), end=(0.6,), horizon=1000)
    """
    if not isinstance(given, Mapping):
        raise BadWorld(f'a world is a JSON object such as {{"kind": "bernoulli", ...}}, not {given!r}')
    values = {str(key): value for key, value in given.items() if key != "kind"}
    kind = given.get("kind")
    if kind == "bernoulli" and "accuracies" not in values:
        return _built(two_groups, values, ("judges", "gamma_a", "gamma_b", "share"), "bernoulli")
    if kind not in KINDS:
        raise BadWorld(f"there is no kind of world {kind!r}; there are: {', '.join(KINDS)}")
    return _built(KINDS[kind], values, tuple(field.name for field in fields(KINDS[kind])), str(kind))


def read_world(path: str | Path) -> World:
    """The world in a JSON file: `read_world("world.json")`. What it may hold: `world_from_dict`.

    >>> read_world("nowhere.json")
    Traceback (most recent call last):
    juryrank.errors.BadWorld: the world file 'nowhere.json' cannot be read: No such file or directory
    """
    try:
        return world_from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as problem:
        raise BadWorld(f"the world file {str(path)!r} cannot be read: {problem.strerror or problem}") from problem
    except (json.JSONDecodeError, UnicodeDecodeError) as problem:
        raise BadWorld(f"the world file {str(path)!r} is not JSON: {problem}") from problem


def _built(make: Any, values: dict[str, Any], known: Sequence[str], kind: str) -> World:
    for name in values:
        if name not in known:
            raise BadWorld(f"a {kind} world has no {name!r}; it has: {', '.join(known)}")
    try:
        made: World = make(**values)
    except TypeError as problem:
        raise BadWorld(f"this {kind} world is not complete: {problem}") from problem
    return made
