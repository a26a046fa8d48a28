"""Who and what belongs to a study: names are checked before a judge, a person or an item joins."""

from __future__ import annotations

import secrets
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import attrgetter
from typing import Any

from juryrank.errors import BadInput, UnknownName, shown
from juryrank.log.bodies import JudgePaused, JudgeRemoved, JudgeResumed, Probed
from juryrank.quoting import skeleton
from juryrank.run.cases import Outputs
from juryrank.run.cases.catalogue import KEPT_CASES, with_systems
from juryrank.storage.base import Storage
from juryrank.storage.values import Person, Turn, dump, usable_text
from juryrank.study import turns
from juryrank.study.keeper import Keeper
from juryrank.study.ledger import LastAnswer, LeaseTally
from juryrank.study.people import AboutPeople
from juryrank.study.signing import JudgeReceipt, signed_head
from juryrank.study.state import StudyState
from juryrank.types import Question

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


@dataclass(frozen=True, slots=True)
class Seat:
    """A judge's place in a study: open questions, the latest answer, and how many were answered."""

    open: tuple[Question, ...] = ()
    last: LastAnswer | None = None
    answered: int = 0
    items: int = 0  # without those that were withdrawn
    closed: bool = False
    removed: bool = False


def seat_of(state: StudyState, judge: str) -> Seat:
    """A judge's open questions, latest answer and count."""
    ledger = state.ledger
    mine = sorted((lease for lease in ledger.open.values() if lease.judge == judge), key=attrgetter("q"))
    return Seat(
        open=tuple(Question(one.q, one.judge, one.left, one.right) for one in mine),
        last=ledger.last.get(judge),
        answered=ledger.tallies.get(judge, LeaseTally()).answered,
        items=len(ledger.items) - len(ledger.withdrawn),
        closed=ledger.closed,
        removed=judge in ledger.removed,
    )


# ----------------------------------------------------------------------------
# One judge of a study
class StudyJudge:
    """One judge by the id that the log knows: `study.judge("ann").pause()`."""

    def __init__(self, judge: str, *, storage: Storage, study: int, named: str, keeper: Keeper) -> None:
        self.id, self._storage, self._study, self._named, self._keeper = judge, storage, study, named, keeper

    def pause(self, *, reason: str | None = None) -> None:
        """Ask this judge no more for now; answers given stay."""
        self._write(JudgePaused(judge=self.id, reason=reason))

    def resume(self) -> None:
        self._write(JudgeResumed(judge=self.id))

    def remove(self, *, discard_answers: bool = False) -> None:
        """Ask this judge no more. Discarding what they answered makes the result post-hoc."""
        self._write(JudgeRemoved(judge=self.id, discard=discard_answers or None))

    def seat(self, *, fresh: bool = False) -> Seat:
        """A judge's open questions, latest answer and count as this process knows them; `fresh`: read the log."""
        with self._keeper.lock:
            state = self._keeper.caught_up() if fresh else self._keeper.known()
            check_member(state, self.id, study=self._named)
            return seat_of(state, self.id)

    def receipt(self) -> JudgeReceipt:
        """What a judge can keep: a short code for the place in the log behind all their answers so far."""
        with self._keeper.lock:
            state = self._keeper.caught_up()
            check_member(state, self.id, study=self._named)
            answers = state.ledger.tallies.get(self.id, LeaseTally()).answered
            return JudgeReceipt(self.id, answers, signed_head(self._storage, state.head))

    def put_aside(self, *, purpose: str, left: str, right: str, answer: str, **known: Any) -> bool:
        """Keep an answer that never counts: to a gold pair, or of a model in a study about people.

        True: gold pairs now show that this judge is wrong more often than right, and it was set aside.
        """
        with self._keeper.turn(settled=True) as (turn, state):
            return turns.take_aside(
                turn, state, self.id, {"purpose": purpose, "left": left, "right": right, "answer": answer, **known}
            )

    def note_probe(self, found: Mapping[str, Any], *, model: str | None = None, cost: float | None = None) -> None:
        """Keep what a probe found of a judge, and what it cost; nothing of it is evidence."""
        dump(dict(found))
        with self._keeper.turn() as (turn, state):
            turns.write(turn, state, Probed(judge=self.id, found=dict(found), model=model, cost=cost))

    def set_person(self, name: str, *, address: str | None = None) -> None:
        """Name the person behind a judge's id."""
        known = checked_person(Person(name, address))
        with self._keeper.lock:
            check_member(self._keeper.caught_up(), self.id, study=self._named)
        self._storage.set_person(self._study, self.id, known)

    def erase(self) -> bool:
        """Forget who a judge is; their answers stay under the pseudonym. False: nothing was known.

        Name, address, a platform's ids, and answers to the questionnaire go.
        """
        about = AboutPeople(self._storage, self._study).erase(self.id)
        return self._storage.erase_person(self._study, self.id) or about

    def _write(self, body: JudgePaused | JudgeResumed | JudgeRemoved) -> None:
        with self._keeper.turn() as (turn, state):
            check_member(state, self.id, study=self._named)
            turns.write(turn, state, body)


# ----------------------------------------------------------------------------
# Names that cannot be told apart: the same letters encoded in two ways are refused, lookalikes give a warning.
# "é" can be one character or an "e" with an accent after it. Two items that differ in nothing else are one item to
# everybody who reads them, and an answer about one of them would be recorded for the other.
class LookalikeNames(UserWarning):
    """Two names that look the same to most readers."""


def check_names(new: Sequence[str], *, known: Iterable[str] = (), what: str) -> None:
    """Raise BadInput if two names are the same letters encoded in two ways; warn if two look alike.

    >>> check_names(["caf\\u00e9", "cafe\\u0301"], what="item")
    Traceback (most recent call last):
    juryrank.errors.BadInput: item 'café' is listed twice, encoded in two ways that nobody can tell apart; keep one
    """
    known = list(known)
    if all(map(str.isascii, (*known, *new))):
        return
    coded = {unicodedata.normalize("NFC", name): name for name in known}
    drawn = {skeleton(name): name for name in known}
    for name in new:
        same = coded.setdefault(unicodedata.normalize("NFC", name), name)
        if same != name:
            raise BadInput(
                f"{what} {shown(same)} is listed twice, encoded in two ways that nobody can tell apart; keep one"
            )
        alike = drawn.setdefault(skeleton(name), name)
        if alike != name:
            codes = f"{_codes(alike, name)} and {_codes(name, alike)}"
            warnings.warn(
                f"{what}s {shown(alike)} and {shown(name)} look alike (they differ in {codes})",
                LookalikeNames,
                stacklevel=4,
            )


def _codes(name: str, other: str) -> str:
    own = [letter for letter in dict.fromkeys(name) if letter not in other]
    return " ".join(f"U+{ord(letter):04X}" for letter in own[:3]) or "nothing more"
