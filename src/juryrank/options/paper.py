"""The options of the paper's rankers."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from juryrank.options.table import RankerOptions, anything, count, flag, number, one_of, option


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperChoices(RankerOptions):
    """Of all of them."""

    constants: str = option("paper", one_of("the constants of the text, or of its program", "paper", "released"))
    fresh: bool = option(True, flag("whether judges answer anew each time; without it nothing is certified"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleChoices(PaperChoices):
    """Of `oracle`."""

    best: Hashable | None = option(None, anything("the best judge, who alone is asked", "a judge's name"))


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoStageChoices(PaperChoices):
    """Of `two-stage`."""

    selection: str = option("successive", one_of("how a judge is chosen", "successive", "median"))
    alpha: float | None = option(
        None,
        number(
            "the difference of accuracies that a selection tells apart",
            least=1e-9,
            most=0.5 - 1e-9,
            words="above 0 and below 0.5, or None for that of the constants",
            others=(None,),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetChoices(TwoStageChoices):
    """Of `subset-two-stage`."""

    subset: int | None = option(None, count("how many judges are drawn first", none="for the paper's number"))
