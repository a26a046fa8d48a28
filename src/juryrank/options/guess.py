"""The options of `guess`."""

from __future__ import annotations

from dataclasses import dataclass

from juryrank.options.table import RankerOptions, count, option


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessChoices(RankerOptions):
    """Of a best guess."""

    repeats: int | None = option(
        None, count("how often a judge may be asked the same pair", none="where every answer is fresh")
    )
