"""The language of the request that is being answered.

Judges' requests speak the study's language where its owner chose one, else the browser's; everything else is in
English. The choice is one object per request, shared by the threads that work on it: the one that finds out which
study it is about says so with `speak`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from juryrank.server.languages.catalogues import ENGLISH, PSEUDO, Language, best_of, language, messages


@dataclass(slots=True)
class Spoken:
    """The language that one request is answered in."""

    browser: str = ENGLISH
    study: str = ""

    @property
    def code(self) -> str:
        return self.browser if self.browser == PSEUDO else self.study or self.browser


_spoken: ContextVar[Spoken | None] = ContextVar("juryrank_language", default=None)


@contextmanager
def answering(accepted: str) -> Iterator[None]:
    """Answer a judge's request in the language that the browser prefers, until a study says otherwise."""
    token = _spoken.set(Spoken(best_of(accepted)))
    try:
        yield
    finally:
        _spoken.reset(token)


def speak(study: str) -> None:
    """Use the language of the study that the request is about; empty: it has none of its own."""
    spoken = _spoken.get()
    if spoken is None:
        _spoken.set(Spoken(study=study))
    else:
        spoken.study = study


def is_judges() -> bool:
    """Is the request that is being answered a judge's?"""
    return _spoken.get() is not None


def spoken_language() -> Language:
    """The language that is spoken now."""
    return language(_code())


def tr(message: str, **values: object) -> str:
    """A message in the language that is spoken; `values` fill its {places}.

    >>> tr("Question {n}", n=3)
    'Question 3'
    """
    said = messages(_code()).gettext(message)
    return said.format(**values) if values else said


def ntr(one: str, many: str, n: int, **values: object) -> str:
    """The same for messages that depend on a number, which is also the {n} in them.

    >>> ntr("{n} answer", "{n} answers", 1), ntr("{n} answer", "{n} answers", 2)
    ('1 answer', '2 answers')
    """
    return messages(_code()).ngettext(one, many, n).format(n=n, **values)


def mark(message: str) -> str:
    """Mark a message for the catalogue; `tr` says it later."""
    return message


def _code() -> str:
    spoken = _spoken.get()
    return ENGLISH if spoken is None else spoken.code
