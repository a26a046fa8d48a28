"""Worlds from JSON: an object, or a file that holds one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from juryrank.errors import BadWorld
from juryrank.simulation.worlds.kinds import Bernoulli, Btl, Drifting, Spammers, Thurstone, World, Wst, two_groups
from juryrank.simulation.worlds.recorded import Recorded

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
