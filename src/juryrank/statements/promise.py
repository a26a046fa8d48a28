"""What all promises have in common: they are data that certificates hold, and they can be said."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

from juryrank.statements.numbers import sure_of

Name: TypeAlias = object  # of an item or a judge: a text in a log, anything at the door


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise(ABC):
    """What is claimed, about whom, at which error, under which assumption.

    >>> from juryrank.statements.truth import PaperPromise
    >>> PaperPromise(error=0.05, finished=False, fresh=True).to_json()
    {'error': 0.05, 'finished': False, 'fresh': True}
    """

    error: float

    @property
    @abstractmethod
    def words(self) -> str:
        """The promise in exact words; or that nothing is promised."""

    @property
    def surely(self) -> str:
        """The beginning of a sentence that holds with probability 1 - δ."""
        return f"With probability at least {sure_of(self.error)}"

    def to_json(self) -> dict[str, Any]:
        """Plain values, as a certificate holds them."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def _plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
