"""The language of the request that is being answered.

Judges' requests speak the study's language where its owner chose one, else the browser's; everything else is in
English. The choice is one object per request, shared by the threads that work on it: the one that finds out which
study it is about says so with `speak`.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from juryrank.errors import BadInput, need_extra

# ----------------------------------------------------------------------------
# Languages and their messages, read from the `.po` files themselves: there is no build step to forget.
PO = Path(__file__).parent / "po"
ENGLISH = "en"
PSEUDO = "qps-ploc"  # every message in brackets: whatever stands outside of them is in no catalogue
MOST_ACCEPTED = 20  # entries of a browser's list that are looked at


@dataclass(frozen=True, slots=True)
class Language:
    """A language that judges' pages can be in. `draft`: nobody who speaks it has read it through yet."""

    code: str
    name: str  # in itself
    english: str
    draft: bool = True
    rtl: bool = False


LANGUAGES = {
    one.code: one
    for one in (
        Language(ENGLISH, "English", "English", draft=False),
        Language("de", "Deutsch", "German"),
        Language("fr", "Français", "French"),
        Language("es", "Español", "Spanish"),
        Language("ar", "العربية", "Arabic", rtl=True),
    )
}


def language(code: str) -> Language:
    """A language by its code; one that we do not have is English."""
    return LANGUAGES.get(code, LANGUAGES[ENGLISH])


def best_of(accepted: str) -> str:
    """The language that fits a browser's list (Accept-Language) best.

    >>> best_of("pt-BR, de-AT;q=0.8, en;q=0.5"), best_of("pt"), best_of("")
    ('de', 'en', 'en')
    """
    wanted = []
    for place, part in enumerate(accepted.split(",")[:MOST_ACCEPTED]):
        code, _, weight = part.strip().lower().partition(";")
        wanted.append((-_quality(weight), place, code.strip()))
    for quality, _, code in sorted(wanted):
        if quality < 0 and code == PSEUDO:
            return PSEUDO
        if quality < 0 and code.partition("-")[0] in LANGUAGES:
            return code.partition("-")[0]
    return ENGLISH


def _quality(weight: str) -> float:
    name, _, value = weight.strip().partition("=")
    try:
        return float(value) if name.strip() == "q" else 1.0
    except ValueError:
        return 0.0


class Pseudo(gettext.NullTranslations):
    """English in brackets, to find text that is in no catalogue."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


@cache
def messages(code: str) -> gettext.NullTranslations:
    """The messages of a language."""
    if code == PSEUDO:
        return Pseudo()
    if code == ENGLISH or code not in LANGUAGES:
        return gettext.NullTranslations()
    pofile = need_extra("babel.messages.pofile", extra="server", what="other languages")
    mofile = need_extra("babel.messages.mofile", extra="server", what="other languages")
    with (PO / f"{code}.po").open("rb") as file:
        catalogue = pofile.read_po(file, locale=code)
    compiled = io.BytesIO()
    mofile.write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


# ----------------------------------------------------------------------------
# The language of the request that is being answered.
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


# ----------------------------------------------------------------------------
# What judges are told when something goes wrong, in their language


class ErrorForJudge(BadInput):
    """An error whose words are meant for the judge at the page, already in their language."""


# By the short code of a problem (web/problems): what a judge needs to know of it.
PROBLEMS: Mapping[str, str] = {
    "deleted": mark("This study was deleted. Thank you for coming."),
    "storage": mark(
        "The database of this server does not answer at the moment. What was confirmed is saved; try "
        "again in a minute."
    ),
    "unknown": mark(
        "This link does not work: it is mistyped, has ended, was replaced by a newer one, or its study is gone. "
        "Ask whoever sent it for a new one."
    ),
    "question": mark("That question is not asked any more. Here is where you are now."),
    "answered_already": mark("You had answered this one already; your first answer stands."),
    "closed": mark("This study is closed. No more answers are needed."),
    "late": mark("That answer came after its time: it is kept, but does not count."),
    "cannot_join": mark("This study is full. Thank you for coming."),
    "wrong_judge": mark("That question is not yours. Reload the page."),
    "forbidden": mark(
        "Open the link again and press Start. If you did, your browser keeps no cookies: allow them for this site."
    ),
    "method": mark("This address does not take that kind of request."),
    "too_many": mark("That was very fast. Wait a second."),
    "too_large": mark("That is too large."),
    "mistake": mark("The server made a mistake. Nothing that was confirmed is lost: try again."),
}
OTHERWISE = mark("That did not work. Reload the page and try again.")
HEADINGS: Mapping[int, str] = {
    403: mark("Not allowed"),
    404: mark("Not found"),
    405: mark("Not like this"),
    413: mark("Too large"),
    422: mark("Something is missing"),
    429: mark("A moment, please"),
    503: mark("The database does not answer"),
}
HEADING = mark("That did not work")


def problem_words(code: str) -> str:
    """A problem as a judge is told about it.

    >>> problem_words("closed")
    'This study is closed. No more answers are needed.'
    """
    return tr(PROBLEMS.get(code, OTHERWISE))


def problem_heading(status: int) -> str:
    return tr(HEADINGS.get(status, HEADING))
