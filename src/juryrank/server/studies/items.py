"""A study's items after it was made: listed with what judges see, corrected, added."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from juryrank.errors import BadInput, UnknownName, shown
from juryrank.report.page.document import ShownItem
from juryrank.server.context import Context
from juryrank.server.languages.speaking import tr
from juryrank.server.studies.intake import NewItem
from juryrank.server.studies.setup import Setup, hidden_labels, labels_of
from juryrank.server.web.render import BY_URL, FILE, Content, Kind, plain_words

MOST_THUMB_BYTES = 20_000  # of a small picture: a report with 200 of them stays below 6 MB
EXCERPT = 300  # characters of a text in the list
CASES_LISTED = 500  # listed
OWN_EXCERPT = 100  # and where judges look for their own work
OWN_HEAD, OWN_BEFORE = 30, 10  # of the beginning, and before the first letter that others do not have
ANSWERED = (
    "somebody has answered already: what was compared must stay as it was. Add the corrected item as a new one, "
    "and withdraw the old one"
)


@dataclass(frozen=True, slots=True)
class ListedItem:
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
    label: str = ""  # what others call it, where its name is for the owner alone

    @property
    def can_be_corrected(self) -> bool:
        return bool(self.body)


def item_rows(context: Context, number: int) -> list[ListedItem]:
    """All items with what judges see of them."""
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    dead, gone = context.dead_links.of(number), set(study.log.withdrawn)
    rows = [
        _row(item, setup.contents.get(item) or Content(item), setup.groups.get(item, ""), dead.get(item, 0))
        for item in study.items
    ]
    labels = hidden_labels(study, setup)
    return [replace(row, withdrawn=row.item in gone, label=labels.get(row.item, "")) for row in rows]


def case_rows(context: Context, number: int) -> list[dict[str, str]]:
    """The first cases of a study of systems: their names and inputs; none without cases."""
    inputs = (context.open_studies.cases(number) or {}).get("inputs") or {}
    return [
        {"id": str(case), "input": said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)}
        for case, said in list(inputs.items())[:CASES_LISTED]
    ]


def _row(item: str, content: Content, group: str, dead: int) -> ListedItem:
    of_file = content.body.startswith(FILE)
    by_address = content.kind in BY_URL and not of_file
    return ListedItem(
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


@dataclass(frozen=True, slots=True)
class OwnWork:
    """An item among which judges find their own: by its name, or by a look at it where the name is hidden."""

    value: str  # what the form sends
    name: str
    words: str = ""
    picture: str = ""


def own_work(context: Context, number: int) -> list[OwnWork]:
    """The items that somebody may call their own. Hidden ones come in the order of their numbers."""
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    labels, gone = labels_of(study, setup), set(study.log.withdrawn)
    left = [item for item in study.items if item not in gone]
    hidden = sorted(filter(setup.hides, left), key=lambda item: (len(labels[item]), labels[item]))
    cut = [item for item in left if item not in hidden and _begins(item, setup.contents.get(item))]
    texts = {item: plain_words(setup.contents[item]) for item in (*hidden, *cut)}
    words = dict(zip(texts, telling_words(list(texts.values())), strict=True))
    plain = [OwnWork(item, words.get(item, item)) for item in left if item not in hidden]
    return plain + [_look(context, number, labels[item], setup.contents[item], words[item]) for item in hidden]


def _begins(item: str, content: Content | None) -> bool:
    """Is the name no more than the beginning of the text? Others may begin like that."""
    return content is not None and content.kind not in BY_URL and plain_words(content).startswith(item)


def _look(context: Context, number: int, label: str, content: Content, said: str) -> OwnWork:
    """Words that tell a text from the others, or a small picture."""
    outside = content.kind is Kind.IMAGE and not content.body.startswith(FILE)
    picture = content.body if outside else _data(context, number, content.thumb)
    address = "" if content.body.startswith(FILE) or outside else content.body.partition("://")[2]
    words = content.alt or address
    named = tr("Item {n}", n=label.removeprefix("Item "))
    return OwnWork(label, named, words if content.kind in BY_URL else said, picture)


def shown_items(context: Context, number: int, *, words: bool = False) -> dict[str, ShownItem]:
    """What judges see of each item, for a report: a small picture, and for the owner also its words."""
    contents = context.open_studies.setup(number).contents
    return {
        item: ShownItem(content_words(content) if words else "", _data(context, number, content.thumb))
        for item, content in contents.items()
    }


def content_words(content: Content) -> str:
    """What judges see of an item, as text.

    >>> content_words(Content("https://a.org/x.png", Kind.IMAGE, "a cat"))
    'a cat (https://a.org/x.png)'
    """
    if content.kind not in BY_URL:
        return plain_words(content)
    address = "" if content.body.startswith(FILE) else content.body
    both = f"{content.alt} ({address})" if content.alt and address else ""
    return both or content.alt or address


def _data(context: Context, number: int, hash: str) -> str:
    """A small picture as an address that holds it."""
    found = context.storage.file(number, hash) if hash else None
    if found is None or not found[0].type.startswith("image/") or found[0].size > MOST_THUMB_BYTES:
        return ""
    return f"data:{found[0].type};base64,{base64.b64encode(found[1]).decode()}"


def _excerpt(content: Content) -> str:
    """The beginning of what can be read in it."""
    text = plain_words(content)
    return _cut(text, EXCERPT)


def telling_words(texts: Sequence[str]) -> list[str]:
    """Of each text its beginning and, where others begin alike, the place where it goes its own way.

    >>> telling_words(["a b", "a c"])
    ['a b', 'a c']
    >>> telling_words(["We had to write. " * 9 + end for end in ("I swam.", "I slept.")])
    ['We had to write. We had to wri … write. I swam.', 'We had to write. We had to wri … write. I slept.']
    """
    flat = [" ".join(text.split()) for text in texts]
    order = sorted(range(len(flat)), key=flat.__getitem__)
    alike = [0] * len(flat)  # letters that a text shares with the one most like it: a neighbour in the alphabet
    for one, other in pairwise(order):
        shared = _shared(flat[one], flat[other])
        alike[one], alike[other] = max(alike[one], shared), max(alike[other], shared)
    said = [_telling(text, shared) for text, shared in zip(flat, alike, strict=True)]
    often = Counter(said)
    return [
        words if often[words] == 1 else _cut(text, shared + OWN_EXCERPT)
        for text, shared, words in zip(flat, alike, said, strict=True)
    ]


def _telling(text: str, shared: int) -> str:
    """The beginning of a text, and a passage from shortly before its first letter of its own."""
    if shared <= OWN_EXCERPT - OWN_BEFORE or len(text) <= OWN_EXCERPT:
        return _cut(text, OWN_EXCERPT)
    start = text.rfind(" ", 0, max(1, shared - OWN_BEFORE)) + 1
    return f"{text[:OWN_HEAD].rstrip()} … {_cut(text[start:], OWN_EXCERPT)}"


def _shared(one: str, other: str) -> int:
    """How many letters two texts begin with alike."""
    return next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rstrip() + " …"


def add_to_study(context: Context, number: int, items: Sequence[NewItem]) -> None:
    """Items that join the ranking, with what judges see of them."""
    contents = {item.id: item.content for item in items if item.content is not None}
    groups = {item.id: item.group for item in items if item.group}
    names = [item.id for item in items]
    if not contents and not groups:
        context.open_studies.study(number).add_items(names)
        return
    context.open_studies.add_items(
        number,
        names,
        lambda setup: setup.changed(contents={**setup.contents, **contents}, groups={**setup.groups, **groups}),
    )


def correct(context: Context, number: int, item: str, *, body: str, alt: str, group: str) -> bool:
    """Change what judges see of an item; what it shows can change until somebody has answered. False: it is so."""
    study, setup = context.open_studies.study(number), context.open_studies.setup(number)
    if item not in study.items:
        raise UnknownName(f"there is no item {shown(item)} in this study")
    before = setup.contents.get(item) or Content(item)
    row = _row(item, before, "", 0)
    body = body.replace("\r\n", "\n").strip() if row.can_be_corrected else before.body
    if row.can_be_corrected and not body:
        raise BadInput("what judges see is empty; write something")
    if body != before.body and study.progress().answers:
        raise BadInput(ANSWERED)
    after = before if body == before.body else Content.checked(body, kind=before.kind.value)
    after = replace(after, alt=before.alt if before.kind is Kind.PAGES else alt.strip())

    def corrected(setup: Setup) -> Setup:
        contents, groups = {**setup.contents, item: after}, {**setup.groups, item: group.strip()}
        if after == Content(item):
            contents.pop(item)
        return setup.changed(contents=contents, groups={name: one for name, one in groups.items() if one})

    return context.open_studies.change_setup(number, corrected)
