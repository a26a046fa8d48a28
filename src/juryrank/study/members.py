"""Who and what belongs to a study: names are checked before a judge, a person or an item joins."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from juryrank.errors import BadInput, UnknownName, shown
from juryrank.run.cases import Outputs
from juryrank.run.cases.kept import KEPT_CASES, with_systems
from juryrank.storage.plain import dump, usable_text
from juryrank.storage.values import Person, Turn
from juryrank.study.state import StudyState
from juryrank.study.twins import check_names

PSEUDONYM_BYTES = 6


def check_member(state: StudyState, judge: str, *, study: str) -> None:
    """Raise unless the study has this judge."""
    if judge not in state.ledger.judges:
        some = ", ".join(shown(name) for name in state.ledger.judges[:5]) or "nobody yet"
        raise UnknownName(f"judge {shown(judge)} is not in study {shown(study)}; there are: {some}")


def checked_items(items: Iterable[str], rows: Mapping[str, Any] | None) -> list[str]:
    """The items as a list, if there are any and a database can keep them and their rows."""
    dump(dict(rows or {}))
    new = [usable_text(item, what="item") for item in items]
    if not new:
        raise BadInput("there is no item to add; give at least one")
    return new


def settings_with(
    settings: Mapping[str, Any],
    items: Sequence[str],
    *,
    outputs: Mapping[str, Mapping[str, Any]] | None,
    rows: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What a study's settings keep of items that join: their rows, or on cases their outputs."""
    found: dict[str, Any] = {"rows": {**(settings.get("rows") or {}), **rows}} if rows else {}
    kept = settings.get(KEPT_CASES)
    if outputs is not None:
        if kept is None:
            raise BadInput("this study has no cases: give the names of its new items alone")
        found[KEPT_CASES] = with_systems(kept, outputs)
    elif kept is not None and kept["outputs"] is not None:
        raise BadInput(
            f"{shown(items[0])} needs outputs, as the other systems have: give {{name: {{case: output}}}}"
        )
    return found


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """New settings, if they can be kept and change nothing that a promise is about."""
    dump(dict(settings))
    if KEPT_CASES in settings:
        raise BadInput(
            "the cases and outputs of a study are fixed with its first event, as the promise is about them; "
            "create a new study for other ones"
        )
    return dict(settings)


def joining_systems(state: StudyState, outputs: Outputs, *, study: str) -> Outputs:
    """The systems that are new to the study; those it has may be among them as it knows them, not changed."""
    kept = ((state.ledger.settings.get(KEPT_CASES) or {}).get("outputs")) or {}
    known = {name: given for name, given in outputs.items() if name in kept}
    for name, given in known.items():
        changed = next(
            (case for case in given.keys() & kept[name].keys() if given[case] != kept[name][case]), None
        )
        if changed is not None:
            raise BadInput(
                f"{shown(name)} is already in study {shown(study)}, with another output for case "
                f"{shown(changed)}; nothing was added. Give a changed system a name of its own: the answers so "
                "far are about the old one"
            )
    if known and len(known) == len(outputs):
        raise BadInput(f"{shown(next(iter(known)))} is already in study {shown(study)}; nothing was added")
    return {name: given for name, given in outputs.items() if name not in known}


def check_new_items(state: StudyState, items: Sequence[str], *, study: str) -> None:
    """Raise if the study has one of these items."""
    here = set(state.ledger.items)
    for item in items:
        if item in here:
            raise BadInput(f"item {shown(item)} is already in study {shown(study)}; nothing was added")
    check_names(items, known=state.ledger.items, what="item")


def check_leaving(state: StudyState, items: Sequence[str], *, study: str) -> None:
    """Raise unless all of these are items of the study that were not withdrawn before."""
    if not items:
        raise BadInput("there is no item to withdraw; name at least one")
    for item in items:
        if item not in state.ledger.items:
            raise UnknownName(f"item {shown(item)} is not in study {shown(study)}; nothing was withdrawn")
        if item in state.ledger.withdrawn or items.count(item) > 1:
            raise BadInput(f"item {shown(item)} is withdrawn already; nothing was withdrawn")


def checked_person(person: Person) -> Person:
    """The person, if name and address are texts that a database can keep.

    >>> checked_person(Person("Ann", "ann@example.org")).name
    'Ann'
    """
    usable_text(person.name, what="name")
    if person.address is not None:
        usable_text(person.address, what="address")
    return person


def numbered_name(turn: Turn, name: str, *, first: int) -> str:
    """The name with a number that makes it differ from everybody else's; chosen in the turn that writes it."""
    return next(f"{name} {number}" for number in count(first) if not turn.named(f"{name} {number}"))


def pseudonym() -> str:
    """A fresh id for a person: random, so that it says nothing about them.

    >>> pseudonym()[:7], pseudonym() != pseudonym()
    ('person-', True)
    """
    return f"person-{secrets.token_hex(PSEUDONYM_BYTES)}"
