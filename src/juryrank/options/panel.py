"""The options of `panel`."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.defaults import DEFAULT_SITTING
from juryrank.options.table import RankerOptions, anything, count, flag, one_of, option


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelChoices(RankerOptions):
    """Of a majority: of people, or of exactly these judges."""

    objective: str = option(
        "ranges",
        anything("what is to be proven", "ranges, tiers, best, top-k; of exactly these judges also order"),
    )
    about: str = option(
        "population", one_of("people like those who come, or exactly these judges", "population", "panel")
    )
    relation: str = option(
        "head-to-head", one_of("pair by pair, or shares of wins against all", "head-to-head", "field-share")
    )
    sitting: int = option(DEFAULT_SITTING, count("the number of questions a person gets"))
    k: int | None = option(None, anything("how many items are wanted at the top", "1 or more, for top-k"))
    joining: bool = option(
        True, flag("whether items may join; decided by whether the ranking is kept"), inside=True
    )
    beyond: int = option(0, count("a number of further questions for whoever goes on, for estimates", least=0))
    spread: bool = option(False, flag("whether every item is heard of early; a new study's default is True"))
