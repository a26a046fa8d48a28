"""A study's items after it was made: listed with what judges see, corrected, added."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from juryrank.errors import BadInput, UnknownName, shown
from juryrank.server.context import Context
from juryrank.server.studies.intake import NewItem
from juryrank.server.web.render import BY_URL, FILE, Content, Kind
from juryrank.study import Study

EXCERPT = 300  # characters of a text in the list
ANSWERED = (
    "somebody has answered already: what was compared must stay as it was. Add the corrected item as a new one, "
    "and withdraw the old one"
)


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item in the list."""

    item: str
    kind: str
    words: str  # what is shown of it, as far as it is words
    thumb: str
    alt: str
    group: str
    address: str  # of a picture or page elsewhere
    body: str  # what can be corrected; empty where a file is shown
    withdrawn: bool
    dead: int  # judges whose browsers could not load the address

    @property
    def can_be_corrected(self) -> bool:
        return bool(self.body)


def item_rows(context: Context, number: int) -> list[ItemRow]:
    """All items with what judges see of them."""
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    dead, gone = context.dead_links.of(number), set(study.withdrawn)
    rows = [
        _row(item, setup.contents.get(item) or Content(item), setup.groups.get(item, ""), dead.get(item, 0))
        for item in study.items
    ]
    return [replace(row, withdrawn=row.item in gone) for row in rows]


def _row(item: str, content: Content, group: str, dead: int) -> ItemRow:
    of_file = content.body.startswith(FILE)
    by_address = content.kind in BY_URL and not of_file
    return ItemRow(
        item=item,
        kind=content.kind.value,
        words="" if content.kind in BY_URL else _excerpt(content),
        thumb=content.thumb,
        alt="" if content.kind is Kind.PAGES else content.alt,
        group=group,
        address=content.body if by_address else "",
        body="" if of_file else content.body,
        withdrawn=False,
        dead=dead,
    )


def _excerpt(content: Content) -> str:
    """The beginning of what can be read in it."""
    words = {Kind.PAGES: content.alt, Kind.DOCUMENT: re.sub(r"<[^<>]*>", " ", content.body)}
    text = html.unescape(words[content.kind]) if content.kind in words else content.body
    text = text.replace("\f", " ").strip()
    return text if len(text) <= EXCERPT else text[:EXCERPT].rstrip() + " …"


def add_to_study(context: Context, number: int, items: Sequence[NewItem]) -> None:
    """Items that join the ranking, with what judges see of them."""
    study = context.open_studies.study(number)
    study.add_items([item.id for item in items])
    setup = context.open_studies.setup(number)
    contents = {item.id: item.content for item in items if item.content is not None}
    groups = {item.id: item.group for item in items if item.group}
    if contents or groups:
        changed = setup.changed(contents={**setup.contents, **contents}, groups={**setup.groups, **groups})
        context.open_studies.save_setup(number, changed)


def correct(context: Context, number: int, item: str, *, body: str, alt: str, group: str) -> None:
    """Change what judges see of an item; what it shows can change until somebody has answered."""
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    if item not in study.items:
        raise UnknownName(f"there is no item {shown(item)} in this study")
    before = setup.contents.get(item) or Content(item)
    row = _row(item, before, "", 0)
    body = body.replace("\r\n", "\n").strip() if row.can_be_corrected else before.body
    if row.can_be_corrected and not body:
        raise BadInput("what judges see is empty; write something")
    if body != before.body and has_answers(study):
        raise BadInput(ANSWERED)
    after = before if body == before.body else Content.checked(body, kind=before.kind.value)
    after = replace(after, alt=before.alt if before.kind is Kind.PAGES else alt.strip())
    contents, groups = {**setup.contents, item: after}, {**setup.groups, item: group.strip()}
    if after == Content(item):
        contents.pop(item)
    groups = {name: one for name, one in groups.items() if one}
    context.open_studies.save_setup(number, setup.changed(contents=contents, groups=groups))


def has_answers(study: Study) -> bool:
    """Has anybody answered anything?"""
    return study.progress().answers > 0
