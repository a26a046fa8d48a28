"""Worlds, and rankers played in them: exact, fast, and the same numbers for the same seed everywhere."""

from juryrank.simulation.play import PLAYERS, Run, play
from juryrank.simulation.summary import Summary, simulate
from juryrank.simulation.sweep import Where
from juryrank.simulation.worlds.kinds import (
    Bernoulli,
    Btl,
    Drifting,
    Spammers,
    Thurstone,
    World,
    Wst,
    two_groups,
)
from juryrank.simulation.worlds.recorded import Recorded, from_votes, read_world, world_from_dict

__all__ = [
    "PLAYERS",
    "Bernoulli",
    "Btl",
    "Drifting",
    "Recorded",
    "Run",
    "Spammers",
    "Summary",
    "Thurstone",
    "Where",
    "World",
    "Wst",
    "from_votes",
    "play",
    "read_world",
    "simulate",
    "two_groups",
    "world_from_dict",
]
