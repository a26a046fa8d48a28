"""Fields of events: the kinds of values they hold, how they are declared, and the class that checks them.

A body is a frozen record of what one event says. It checks its fields when it is made, whether a program is about
to write it or has just read it from disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from juryrank.errors import BadInput, shown
from juryrank.log.kinds import EventKind

Made = TypeVar("Made", bound="Body")


@dataclass(frozen=True, slots=True)
class Value:
    """A kind of value: what it is in words, and the test whether something is one."""

    words: str
    fits: Callable[[Any], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_mapping(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def _are_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


COUNT = Value("a whole number from 1 on", lambda value: type(value) is int and value > 0)
WHOLE = Value("a whole number", lambda value: type(value) is int)
TEXT = Value("text", lambda value: isinstance(value, str))
TEXTS = Value("a list of texts", _are_texts)
FLAG = Value("true or false", lambda value: isinstance(value, bool))
AMOUNT = Value("a number from 0 on", lambda value: _is_number(value) and value >= 0)
NUMBER = Value("a number", _is_number)
GRADE = Value("a number from -1 to 1", lambda value: _is_number(value) and -1 <= value <= 1)
MAPPING = Value("an object", _is_mapping)
SIDE = Value("left, right, tie or skip", frozenset(("left", "right", "tie", "skip")).__contains__)


def said(value: Value, words: str, *, default: Any = ...) -> Any:
    """A field that every event of its kind holds; `default` stands for it where an older program left it out."""
    made: dict[str, Any] = {"metadata": {"value": value, "words": words, "always": True}}
    return field(**made) if default is ... else field(default=default, **made)


def may_say(value: Value, words: str, *, default: None) -> Any:
    """A field that is left out where there is nothing to say: it is then None."""
    return field(default=default, metadata={"value": value, "words": words, "always": False})


class Body:
    """What an event says. One subclass per kind of event, in `bodies`."""

    __slots__ = ()
    kind: ClassVar[str]  # the plain word: databases take an enum for something else
    values: ClassVar[dict[str, Value]]
    _always: ClassVar[frozenset[str]]
    _checks: ClassVar[tuple[tuple[str, Value, bool], ...]]

    def __post_init__(self) -> None:
        for name, value, may_be_none in self._checks:
            held = getattr(self, name)
            if not value.fits(held) and not (held is None and may_be_none):
                raise BadInput(f"{name} is {shown(held)}; it must be {value.words}")

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The body that an event's data stands for; raises BadInput where it is not one."""
        try:
            return cls(**data)
        except TypeError:
            raise BadInput(cls._misfit(data)) from None

    @classmethod
    def _misfit(cls, data: Mapping[str, Any]) -> str:
        for name in data:
            if name not in cls.values:
                return f"it has a field {shown(name)}, which no event of this kind has"
        missing = next((name for name in cls.values if name not in data), "something")
        return f"it has no field {missing!r}"

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
        made = dataclass(frozen=True, slots=True, kw_only=True)(plain)
        made.kind = kind.value
        made.values = {one.name: one.metadata["value"] for one in fields(made)}  # type: ignore[arg-type]
        made._always = frozenset(one.name for one in fields(made) if one.metadata["always"])  # type: ignore[arg-type]
        made._checks = tuple(
            (one.name, one.metadata["value"], one.default is None)
            for one in fields(made)  # type: ignore[arg-type]
        )
        BODIES[kind] = made
        return made

    return make
