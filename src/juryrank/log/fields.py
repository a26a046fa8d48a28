"""Fields of events: the kinds of values they hold, how they are declared, and the class that checks them.

A body is a frozen record of what one event says. It checks its fields when it is made, whether a program is about
to write it or has just read it from disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from datetime import datetime
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from juryrank.errors import BadInput, shown
from juryrank.log.kinds import Author, Chooser, EventKind, Held, Purpose

LOG_SCHEMA = "juryrank-log/1"  # the first field of every log: whatever says something else is not read
SIDES = frozenset(("left", "right", "tie", "skip"))
AUTHORS = frozenset(Author)
PURPOSES = frozenset(Purpose)
CHOICES = frozenset(("left", "right"))

Made = TypeVar("Made", bound="Body")


@dataclass(frozen=True, slots=True)
class Value:
    """A kind of value: its description in words, and the test for it. `fault` says what is wrong, where it can."""

    words: str
    fits: Callable[[Any], bool]
    fault: Callable[[Any], str] = lambda value: ""


@dataclass(frozen=True, slots=True)
class Row:
    """One name within an object that rankers share with their checkers: a question's term, a study's option.

    `rankers`: whose it is. Two rankers may give one name different values: then it has two rows.
    """

    name: str
    rankers: tuple[str, ...]
    value: Value
    words: str
    source: Chooser
    held: Held


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]


def _is_moment(value: object) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _are_texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _are_names(value: Any) -> bool:
    return _are_texts(value) and all(value) and len(set(value)) == len(value)


def _are_tiers(value: Any) -> bool:
    if not isinstance(value, list | tuple) or not all(_are_names(tier) and tier for tier in value):
        return False
    names = [name for tier in value for name in tier]
    return len(set(names)) == len(names) > 1


def _are_prices(value: Any) -> bool:
    return isinstance(value, dict) and all(AMOUNT.fits(price) for price in value.values())


MOST = 2**53  # the largest count: every program that reads JSON knows it exactly
LARGEST = 1e15  # the largest amount: sums of such keep their cents
COUNT = Value("a whole number from 1 to 2^53", lambda value: type(value) is int and 0 < value <= MOST)
WHOLE = Value("a whole number", lambda value: type(value) is int)
LIMIT = Value("a whole number from 0 to 2^53", lambda value: type(value) is int and 0 <= value <= MOST)
SCHEMA = Value(LOG_SCHEMA, lambda value: value == LOG_SCHEMA)
TEXT = Value("text", lambda value: isinstance(value, str))
NAME = Value("text, not empty", lambda value: isinstance(value, str) and bool(value))
TEXTS = Value("a list of texts", _are_texts)
NAMES = Value("a list of texts, none empty, none twice", _are_names)
TIERS = Value("a list of lists of texts, none empty, none twice", _are_tiers)
FLAG = Value("true or false", lambda value: isinstance(value, bool))
AMOUNT = Value("a number from 0 to 1e15", lambda value: _is_number(value) and 0 <= value <= LARGEST)
GRADE = Value("a number from -1 to 1", lambda value: _is_number(value) and -1 <= value <= 1)
SECONDS = Value("a number above 0 and below 1e9", lambda value: _is_number(value) and 0 < value < 1e9)
LEVEL = Value("δ, a number above 0 and below 1", lambda value: _is_number(value) and 0 < value < 1)
MAPPING = Value("an object", lambda value: isinstance(value, dict))
PRICES = Value("an object of numbers from 0 to 1e15", _are_prices)
MOMENT = Value("a time with its zone, such as 2026-05-01T10:00:00+00:00", _is_moment)
SIGNATURE = Value("128 hexadecimal digits", lambda value: isinstance(value, str) and is_signature(value))
HASH = Value("64 hexadecimal digits", lambda value: isinstance(value, str) and is_hash(value))
SIDE = Value("left, right, tie or skip", lambda value: isinstance(value, str) and value in SIDES)
CHOICE = Value("left or right", lambda value: isinstance(value, str) and value in CHOICES)
PURPOSE = Value("gold or beside", lambda value: isinstance(value, str) and value in PURPOSES)
AUTHOR = Value("judge, owner or program", lambda value: isinstance(value, str) and value in AUTHORS)


def is_hash(text: str) -> bool:
    """Is it a SHA-256 as logs write it?

    >>> is_hash("0" * 64), is_hash("0" * 63 + "G")
    (True, False)
    """
    return len(text) == 64 and all(letter in "0123456789abcdef" for letter in text)


def is_signature(text: str) -> bool:
    """Is it an Ed25519 signature as logs write it?

    >>> is_signature("0f" * 64), is_signature("0f" * 63)
    (True, False)
    """
    return len(text) == 128 and is_hash(text[:64]) and is_hash(text[64:])


def said(value: Value, words: str, *, by: Chooser, held: Held, default: Any = ...) -> Any:
    """A field that every event of its kind holds; `default` is its value where a program does not give it.

    `by`: who chooses it. `held`: the checks of `verify` that hold it.
    """
    known = {"value": value, "words": words, "by": by, "held": held, "always": True}
    return field(metadata=known) if default is ... else field(default=default, metadata=known)


def may_say(value: Value, words: str, *, by: Chooser, held: Held, default: None) -> Any:
    """A field that is left out where there is nothing to say: it is then None."""
    known = {"value": value, "words": words, "by": by, "held": held, "always": False}
    return field(default=default, metadata=known)


class Body:
    """What an event says. One subclass per kind of event, in `bodies`."""

    __slots__ = ()
    kind: ClassVar[str]  # the plain word: databases take an enum for something else
    values: ClassVar[dict[str, Value]]
    _always: ClassVar[frozenset[str]]
    _needed: ClassVar[frozenset[str]]
    _may_be_none: ClassVar[frozenset[str]]

    def __post_init__(self) -> None:
        self._check({name: getattr(self, name) for name in self.values})

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The body that an event's data stands for; raises BadInput where it is not one."""
        cls._check(data)
        made = object.__new__(cls)  # checked already; what is left out has its default from the class
        made.__dict__.update(data)
        return made

    @classmethod
    def _check(cls, data: Mapping[str, Any]) -> None:
        values = cls.values
        for name, held in data.items():
            if name not in values:
                raise BadInput(f"it has a field {shown(name)}, which no event of this kind has")
            if not values[name].fits(held) and not (held is None and name in cls._may_be_none):
                raise BadInput(
                    values[name].fault(held) or f"{name} is {shown(held)}; it must be {values[name].words}"
                )
        if not cls._needed <= data.keys():
            raise BadInput(f"it has no field {min(cls._needed - data.keys())!r}")

    @property
    def step(self) -> tuple[str, dict[str, Any]]:
        """Kind and data: an event that has no place in a log yet."""
        return self.kind, self.data()

    def data(self) -> dict[str, Any]:
        """The data that an event of a log holds."""
        held = ((name, getattr(self, name)) for name in self.values)
        return {name: value for name, value in held if value is not None or name in self._always}


BODIES: dict[str, type[Body]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(said, may_say))
def body(kind: EventKind) -> Callable[[type[Made]], type[Made]]:
    """Make a class the body of events of this kind."""

    def make(plain: type[Made]) -> type[Made]:
        made = dataclass(frozen=True, kw_only=True)(plain)  # without slots: see `Body.read`
        own: tuple[Field[Any], ...] = fields(made)  # type: ignore[arg-type]
        made.kind = kind.value
        made.values = {one.name: one.metadata["value"] for one in own}
        made._always = frozenset(one.name for one in own if one.metadata["always"])
        made._needed = frozenset(one.name for one in own if one.default is MISSING)
        made._may_be_none = frozenset(one.name for one in own if one.default is None)
        BODIES[kind] = made
        return made

    return make
