"""How a ranker declares its options: a frozen dataclass whose fields have a default, allowed values and help.

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
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from typing import Any, Final

from juryrank.errors import BadInput, UnknownName

_KEY: Final = "option"
_INSIDE: Final = "inside"


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
    """One option as it was declared; `inside`: the program sets it, and nobody else."""

    name: str
    default: Any
    allowed: AllowedValues
    inside: bool = False

    def check(self, value: Any) -> None:
        """Refuse a value that is not allowed, and say which are."""
        if self.allowed.fits(value):
            return
        if self.allowed.choices:
            raise UnknownName(f"{self.name} is {value!r}; it is one of: {self.allowed.words}")
        raise BadInput(f"{self.name} is {value!r}; it is {self.allowed.help}: {self.allowed.words}")


def option(default: Any, allowed: AllowedValues, *, inside: bool = False) -> Any:
    """A field of a `RankerOptions`; `inside`: the program sets it, and nobody else."""
    return field(default=default, metadata={_KEY: allowed, _INSIDE: inside})


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
            Option(one.name, _default(one), one.metadata[_KEY], one.metadata[_INSIDE]) for one in fields(cls)
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


def anything(help: str, words: str) -> AllowedValues:
    """Read by the ranker itself, which knows the items and judges."""
    return AllowedValues(help, words, lambda value: True)
