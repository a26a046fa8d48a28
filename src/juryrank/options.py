"""One table of options: each ranker's own, declared once as a frozen dataclass with default, bounds and help.

Flags, REST fields, the form, `plan`, `simulate` and the page of docs are made of these declarations.

>>> @dataclass(frozen=True, slots=True, kw_only=True)
... class Rounds(RankerOptions):
...     rounds: int = option(1, count("how often each pair is asked"))
>>> Rounds(rounds=3).given(), Rounds.default("rounds")
({'rounds': 3}, 1)
>>> Rounds(rounds=0)
Traceback (most recent call last):
    ...
juryrank.errors.BadInput: rounds is 0; it is how often each pair is asked: 1 or more
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Final

from juryrank.defaults import DEFAULT_PATIENCE, DEFAULT_SITTING
from juryrank.errors import BadInput, UnknownName

_KEY: Final = "option"
_INSIDE: Final = "inside"
_HELD: Final = "held"

# Checks of `verify` that hold an option, or why none needs to
HELD: Final = ("options",)
DRAWS: Final = (*HELD, "draws")
PLANS: Final = (*HELD, "plans")
ASKING: Final = "it says what is asked first and when to stop, and no promise rests on that"


@dataclass(frozen=True, slots=True)
class AllowedValues:
    """Help, and which values are allowed: in words, as a test, and as bounds or choices where there are any."""

    help: str
    words: str
    fits: Callable[[Any], bool]
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One option as it was declared; `inside`: the program sets it, and nobody else.

    `held`: the checks of `verify` that hold it, or why none needs to.
    """

    name: str
    default: Any
    allowed: AllowedValues
    inside: bool
    held: tuple[str, ...] | str

    def check(self, value: Any) -> None:
        """Refuse a value that is not allowed, and say which are."""
        if self.allowed.fits(value):
            return
        if self.allowed.choices:
            raise UnknownName(f"{self.name} is {value!r}; it is one of: {self.allowed.words}")
        raise BadInput(f"{self.name} is {value!r}; it is {self.allowed.help}: {self.allowed.words}")


def option(
    default: Any, allowed: AllowedValues, *, inside: bool = False, held: tuple[str, ...] | str = HELD
) -> Any:
    """A field of a `RankerOptions`; see `Option`."""
    return field(default=default, metadata={_KEY: allowed, _INSIDE: inside, _HELD: held})


@dataclass(frozen=True, slots=True, kw_only=True)
class RankerOptions:
    """Base of all rankers' options; a value that is not allowed is refused."""

    def __post_init__(self) -> None:
        for one in self.table():
            one.check(getattr(self, one.name))

    @classmethod
    def table(cls) -> tuple[Option, ...]:
        """Every option, as declared."""
        return tuple(
            Option(one.name, _default(one), *(one.metadata[key] for key in (_KEY, _INSIDE, _HELD)))
            for one in fields(cls)
        )

    @classmethod
    def names(cls) -> frozenset[str]:
        return frozenset(one.name for one in fields(cls))

    @classmethod
    def one(cls, name: str) -> Option:
        """An option by its name."""
        return next(one for one in cls.table() if one.name == name)

    @classmethod
    def default(cls, name: str) -> Any:
        return cls.one(name).default

    @classmethod
    def allowed(cls, name: str) -> AllowedValues:
        return cls.one(name).allowed

    @classmethod
    def least(cls, name: str) -> int:
        """The least value of a count."""
        return int(cls.allowed(name).least or 0)

    def given(self) -> dict[str, Any]:
        """By name, as a ranker keeps them."""
        return {one.name: getattr(self, one.name) for one in fields(self)}


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions(RankerOptions):
    """For a ranker without options of its own."""


def _default(one: Field[Any]) -> Any:
    return None if one.default is MISSING else one.default


# ----------------------------------------------------------------------------
# What may be allowed
def one_of(help: str, *choices: str) -> AllowedValues:
    return AllowedValues(help, ", ".join(choices), lambda value: value in choices, choices=choices)


def flag(help: str) -> AllowedValues:
    return AllowedValues(help, "True or False", lambda value: isinstance(value, bool))


def count(help: str, *, least: int = 1, none: str = "") -> AllowedValues:
    """A whole number; `none`: what None means, where it may be."""
    words = f"{least} or more" + (f", or None {none}" if none else "")

    def fits(value: Any) -> bool:
        if value is None:
            return bool(none)
        return isinstance(value, int) and not isinstance(value, bool) and value >= least

    return AllowedValues(help, words, fits, least=least)


def number(help: str, *, least: float, most: float, words: str, others: tuple[Any, ...] = ()) -> AllowedValues:
    """A number from least to most; `others`: further values that are allowed."""

    def fits(value: Any) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return value in others if not is_number else least <= value <= most

    return AllowedValues(help, words, fits, least=least, most=most)


def kind(help: str, words: str, fits: Callable[[Any], bool]) -> AllowedValues:
    """Of the right kind; the rest is read by the ranker itself, which knows the items and judges."""
    return AllowedValues(help, words, fits)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_name(value: Any) -> bool:
    return isinstance(value, Hashable)


def _is_chooser(value: Any) -> bool:
    return value in (None, ENTROPY, OWNER, COMMITTED)


def _maps(value: Any) -> bool:
    return value is None or isinstance(value, Mapping)


def _are_cases(value: Any) -> bool:
    return value is None or (isinstance(value, int | Iterable) and not isinstance(value, bool | bytes | Mapping))


def _are_claims(value: Any) -> bool:
    if isinstance(value, str):
        return True
    return isinstance(value, list | tuple) and all(isinstance(row, str | list | tuple) for row in value)


def _are_absent(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_absent, value))


def _is_absent(row: Any) -> bool:
    """Two items, and the cases that they do not both have."""
    if not isinstance(row, list | tuple) or len(row) != 3:
        return False
    items_fit = isinstance(row[0], Hashable) and isinstance(row[1], Hashable)
    return items_fit and isinstance(row[2], Iterable) and not isinstance(row[2], str)


# ----------------------------------------------------------------------------
# What every ranker takes.


# ----------------------------------------------------------------------------
# The options of `certified`.
@dataclass(frozen=True, slots=True, kw_only=True)
class CertifiedChoices(RankerOptions):
    """Of the true order.

    >>> CertifiedChoices(repeats=0)
    Traceback (most recent call last):
        ...
    juryrank.errors.BadInput: repeats is 0; it is how often a judge may be asked the same pair: 1 or more, or None where every answer is fresh
    """  # noqa: E501

    assume: str = option(
        "better-than-chance", one_of("what is taken for granted of every judge", "better-than-chance", "steady")
    )
    repeats: int | None = option(
        None,
        count("how often a judge may be asked the same pair", none="where every answer is fresh"),
        held=(*HELD, "repeats"),
    )
    trust_repeats: bool = option(
        False, flag("whether a judge who never changes an answer is believed (else cross-examined)")
    )
    patience: int | None = option(  # a pair that judges get right 51.3 % of the time is hardly ever given up
        DEFAULT_PATIENCE,
        count(
            "how many evenly split answers about one pair are enough to give up",
            none="to go on until the budget ends",
        ),
        held=ASKING,
    )
    objective: str = option("order", kind("what is to be proven", "order, best, or top-k such as top-3", _is_text))
    k: int | None = option(None, count("how many items are wanted at the top", none="unless the goal is top-k"))
    joining: bool = option(
        True, flag("whether items may join; decided by whether the ranking is kept"), inside=True
    )
    insert: str = option(
        "depth",
        one_of(
            "how items find their place: one after the other, or all together (a better order early)",
            "depth",
            "breadth",
        ),
        held=ASKING,
    )


# ----------------------------------------------------------------------------
# The options of `panel`.
@dataclass(frozen=True, slots=True, kw_only=True)
class PanelChoices(RankerOptions):
    """Of a majority: of people, or of exactly these judges."""

    objective: str = option(
        "ranges",
        kind("what is to be proven", "ranges, tiers, best, top-k; of exactly these judges also order", _is_text),
    )
    about: str = option(
        "population", one_of("people like those who come, or exactly these judges", "population", "panel")
    )
    relation: str = option(
        "head-to-head", one_of("pair by pair, or shares of wins against all", "head-to-head", "field-share")
    )
    sitting: int = option(DEFAULT_SITTING, count("the number of questions a person gets"), held=PLANS)
    k: int | None = option(None, count("how many items are wanted at the top", none="unless the goal is top-k"))
    joining: bool = option(
        True, flag("whether items may join; decided by whether the ranking is kept"), inside=True
    )
    beyond: int = option(
        0, count("a number of further questions for whoever goes on, for estimates", least=0), held=PLANS
    )
    spread: bool = option(
        False, flag("whether every item is heard of early; a new study's default is True"), held=ASKING
    )


# ----------------------------------------------------------------------------
# The options of `jury`.
FALLING: Final = "falling"
SIMULATED: Final = 0.05  # resolution at which evaluations are simulated, unless told otherwise
COARSEST: Final = 0.25  # at more, "at least ½ - ε of the answers" says nothing worth a question
PAIRS, TOGETHER = "pairs", "all"  # what one call shows of a case
ENTROPY: Final = "entropy"  # where a seed comes from: nobody chose it
OWNER: Final = "owner"
COMMITTED: Final = "committed"  # nobody chose it, and its hash stood in the first event


@dataclass(frozen=True, slots=True, kw_only=True)
class JuryChoices(RankerOptions):
    """Of judges on cases."""

    cases: Iterable[Any] | int | None = option(
        None, kind("the cases", "names, a number, or None for none", _are_cases), held=DRAWS
    )
    objective: str = option("best", kind("what is to be proven", "best, top-k or order", _is_text))
    k: int | None = option(None, count("how many items are wanted at the top", none="unless the goal is top-k"))
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
    weights: Mapping[Any, float] | None = option(
        None, kind("weights of the judges", "more than 0 each, by name", _maps), held=DRAWS
    )
    case_weights: Mapping[str, float] | None = option(
        None, kind("weights of the cases", "more than 0 each, by name", _maps), held=DRAWS
    )
    groups: Mapping[str, str] | None = option(
        None,
        kind("groups of cases, for the report", "case: group", _maps),
        held="the report names groups of cases; no promise does",
    )
    refusals: str = option("left out", one_of("how refusals count", "left out", "against"))
    sides: str = option(
        "random", one_of("which sides a judge sees of a case", "random", "both", "single", "recorded"), held=DRAWS
    )
    at_once: str = option(
        PAIRS, one_of("how many systems one call puts in order: two, or all", PAIRS, TOGETHER), held=DRAWS
    )
    fresh: bool = option(False, flag("whether judges answer anew each time"))
    absent: Iterable[Sequence[Any]] = option(
        (), kind("cases left out between two items", "a list of [a, b, cases]", _are_absent), held=DRAWS
    )
    same_outputs: int = option(0, count("how often two outputs are the same", least=0))
    require: Iterable[Any] | str = option(
        (), kind("claims to be proven", "'new over old', or a list of such", _are_claims)
    )
    start_from: Mapping[str, Any] | None = option(
        None, kind("strengths that the search starts from", "as a start makes it", _maps), inside=True, held=DRAWS
    )
    forecast: Mapping[str, Any] | None = option(
        None, kind("forecasts of the answers", "their hash, and by whom", _maps), inside=True, held=DRAWS
    )
    seed_from: str | None = option(
        None, kind("who chose the seed", f"{ENTROPY}, {OWNER} or {COMMITTED}", _is_chooser), inside=True
    )
    joining: bool = option(
        False, flag("whether items and judges may join; decided by whether it is kept"), inside=True
    )
    seed_commitment: str | None = option(
        None, kind("the hash of a committed seed", "a hash", _is_text_or_none), inside=True
    )


# ----------------------------------------------------------------------------
# The options of the paper's rankers.
@dataclass(frozen=True, slots=True, kw_only=True)
class PaperChoices(RankerOptions):
    """Of all of them."""

    constants: str = option("paper", one_of("the constants of the text, or of its program", "paper", "released"))
    fresh: bool = option(True, flag("whether judges answer anew each time; without it nothing is certified"))


@dataclass(frozen=True, slots=True, kw_only=True)
class OracleChoices(PaperChoices):
    """Of `oracle`."""

    best: Hashable | None = option(None, kind("the best judge, who alone is asked", "a judge's name", _is_name))


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


# ----------------------------------------------------------------------------
# The options of `guess`.
@dataclass(frozen=True, slots=True, kw_only=True)
class GuessChoices(RankerOptions):
    """Of a best guess."""

    repeats: int | None = option(
        None,
        count("how often a judge may be asked the same pair", none="where every answer is fresh"),
        held=ASKING,
    )
