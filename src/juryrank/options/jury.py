"""The options of `jury`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from juryrank.options.table import RankerOptions, anything, count, flag, number, one_of, option

FALLING: Final = "falling"
SIMULATED: Final = 0.05  # resolution at which evaluations are simulated, unless told otherwise
COARSEST: Final = 0.25  # at more, "at least ½ - ε of the answers" says nothing worth a question
ENTROPY: Final = "entropy"  # where a seed comes from: nobody chose it
OWNER: Final = "owner"
COMMITTED: Final = "committed"  # nobody chose it, and its hash stood in the first event


@dataclass(frozen=True, slots=True, kw_only=True)
class JuryChoices(RankerOptions):
    """Of judges on cases."""

    cases: Iterable[Any] | int | None = option(None, anything("the cases", "names, a number, or None for none"))
    objective: str = option("best", anything("what is to be proven", "best, top-k or order"))
    k: int | None = option(None, anything("how many items are wanted at the top", "1 or more, for top-k"))
    resolution: float | str | None = option(
        None,
        number(
            "how far below half of the answers still counts as at least as good",
            least=0,
            most=COARSEST,
            words=f"a number from 0 to {COARSEST}, such as 0.05, or 'falling' for 0.1, 0.05, 0.02, 0 one after "
            "the other (None: of required claims 0, else falling)",
            others=(FALLING, None),
        ),
    )
    weights: Mapping[Any, float] | None = option(None, anything("weights of the judges", "more than 0 each"))
    case_weights: Mapping[str, float] | None = option(None, anything("weights of the cases", "more than 0 each"))
    groups: Mapping[str, str] | None = option(None, anything("groups of cases, for the report", "case: group"))
    refusals: str = option("left out", one_of("how refusals count", "left out", "against"))
    sides: str = option(
        "random", one_of("which sides a judge sees of a case", "random", "both", "single", "recorded")
    )
    fresh: bool = option(False, flag("whether judges answer anew each time"))
    absent: Iterable[Sequence[Any]] = option((), anything("cases left out between two items", "[a, b, cases]"))
    same_outputs: int = option(0, count("how often two outputs are the same", least=0))
    require: Iterable[Any] | str = option((), anything("claims to be proven", "'new over old', or a list"))
    start_from: Mapping[str, Any] | None = option(
        None,
        anything("strengths that the search starts from", "as a start makes it"),
        inside=True,
    )
    seed_from: str | None = option(
        None, anything("who chose the seed", f"{ENTROPY}, {OWNER} or {COMMITTED}"), inside=True
    )
    joining: bool = option(
        False, flag("whether items and judges may join; decided by whether it is kept"), inside=True
    )
    seed_commitment: str | None = option(None, anything("the hash of a committed seed", "a hash"), inside=True)
