"""Languages and their messages, read from the `.po` files themselves: there is no build step to forget."""

from __future__ import annotations

import gettext
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from juryrank.errors import need_extra

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
