"""Collect what judges see into the catalogue of messages and bring every language up to date.

Run it after adding or changing a `tr`, `ntr` or `mark` in server/. What a language lacks is shown in English until
somebody translates it in `server/languages/po/*.po`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

SERVER = Path(__file__).parents[1] / "src" / "juryrank" / "server"
PO = SERVER / "languages" / "po"
TEMPLATE = PO / "messages.pot"
METHODS = [("**.py", "python"), ("templates/**.html", "jinja2")]
KEYWORDS = {"tr": None, "ntr": (1, 2), "mark": None}
WIDTH = 110
HEADER = """\
# What judges see, in {language}.
# {state}
"""
STATE = {
    True: "DRAFT: translated by its authors' best knowledge, not yet read through by somebody who speaks it.",
    False: "The English of the code.",
}


def collected() -> Catalog:
    """Every message of the server's code and templates."""
    catalogue = Catalog(project="juryrank", charset="utf-8", header_comment=_header("English", draft=False))
    found = extract_from_dir(str(SERVER), METHODS, keywords=KEYWORDS, comment_tags=())
    for name, _, message, *_ in sorted(found, key=lambda one: (one[0], one[1])):
        catalogue.add(message, locations=[(Path(name).as_posix(), None)])
    return catalogue


def updated(code: str, english: str, template: Catalog) -> bytes:
    """A language's file with the messages of today; what was translated stays."""
    path = PO / f"{code}.po"
    if path.exists():
        with path.open("rb") as file:
            catalogue = read_po(file, locale=code)
    else:
        catalogue = Catalog(locale=code, project="juryrank", charset="utf-8")
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    catalogue.header_comment = _header(english, draft=True)
    return written(catalogue)


def written(catalogue: Catalog) -> bytes:
    """A file's bytes: the same for the same messages, whenever it is written."""
    catalogue.fuzzy = False
    text = BytesIO()
    write_po(text, catalogue, width=WIDTH, sort_by_file=False, omit_header=False)
    dated = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b'"Last-Translator', b'"Language-Team',
             b'"Report-Msgid', b'"Project-Id')  # fmt: skip
    return b"\n".join(line for line in text.getvalue().split(b"\n") if not line.startswith(dated))


def _header(language: str, *, draft: bool) -> str:
    return HEADER.format(language=language, state=STATE[draft]).rstrip()


def files() -> dict[Path, bytes]:
    """What every file should hold."""
    from juryrank.server.languages.speaking import ENGLISH, LANGUAGES

    template = collected()
    made = {TEMPLATE: written(template)}
    for one in LANGUAGES.values():
        if one.code != ENGLISH:
            made[PO / f"{one.code}.po"] = updated(one.code, one.english, template)
    return made


if __name__ == "__main__":
    for path, body in files().items():
        path.write_bytes(body)
