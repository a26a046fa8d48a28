"""Who and what belongs to a study: judges and items that join or leave, people behind ids, settings, closing."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from juryrank.errors import BadInput, shown
from juryrank.storage.plain import dump, usable_text
from juryrank.storage.values import Person
from juryrank.study import turns
from juryrank.study.view import StudyView

PSEUDONYM_BYTES = 6


class StudyMembers(StudyView):
    """The managing half of a `Study`."""

    def add_judge(self, name: str, *, address: str | None = None, price: float = 1.0, person: bool = False) -> str:
        """A judge who joins; returns the id under which the log knows them.

        `person`: the log gets a random pseudonym, and name and address go to a table of their own, from which
        `erase_judge` removes them.
        """
        known = checked_person(Person(name, address))
        judge = pseudonym() if person else name
        with self._keeper.turn(settled=True) as (turn, state):
            if person or address is not None:
                turn.people[judge] = known
            turns.record(turn, state, "judge_added", {"judge": judge, "price": price})
        return judge

    def pause_judge(self, judge: str) -> None:
        """Ask this judge no more for now; answers given stay."""
        self._about_judge("judge_paused", judge)

    def resume_judge(self, judge: str) -> None:
        self._about_judge("judge_resumed", judge)

    def remove_judge(self, judge: str, *, discard_answers: bool = False) -> None:
        """Ask this judge no more. Discarding what they answered makes the result post-hoc."""
        self._about_judge("judge_removed", judge, **({"discard": True} if discard_answers else {}))

    def people(self) -> dict[str, Person]:
        """Who is behind which id, as far as it is known and not erased."""
        return self.storage.people(self.id)

    def set_person(self, judge: str, name: str, *, address: str | None = None) -> None:
        """Name the person behind a judge's id."""
        known = checked_person(Person(name, address))
        with self._keeper.lock:
            self._known_judge(self._keeper.caught_up(), judge)
        self.storage.set_person(self.id, judge, known)

    def erase_judge(self, judge: str) -> bool:
        """Forget a judge's name and address; their answers stay under the pseudonym. False: nothing was known."""
        return self.storage.erase_person(self.id, judge)

    def add_items(self, items: Iterable[str], *, rows: Mapping[str, Any] | None = None) -> None:
        """Items that join the ranking (rankers that cannot take them say so).

        `rows`: what programs that judge are shown instead of the bare name, for those items that have more.
        """
        dump(dict(rows or {}))
        new = [usable_text(item, what="item") for item in items]
        if not new:
            raise BadInput("there is no item to add; give at least one")
        with self._keeper.turn(settled=True) as (turn, state):
            here = set(state.ledger.items)
            for item in new:
                if item in here:
                    raise BadInput(f"item {shown(item)} is already in study {shown(self.name)}; nothing was added")
            turns.record(turn, state, "items_added", {"items": new})
            if rows:
                known = state.ledger.settings.get("rows") or {}
                state.absorb([turn.append("edited", {"settings": {"rows": {**known, **rows}}})])

    def edit(self, **settings: Any) -> None:
        """Change settings that do not touch the ranking: wording, item contents, consent text."""
        dump(settings)
        with self._keeper.turn() as (turn, state):
            state.absorb([turn.append("edited", {"settings": settings})])

    def close(self) -> None:
        """No new questions. Those that are out keep their deadlines, and their answers still count."""
        self._open_or_close("closed", closed=True)

    def reopen(self) -> None:
        self._open_or_close("reopened", closed=False)

    # ------------------------------------------------------------------ shared parts
    def _about_judge(self, kind: str, judge: str, **more: Any) -> None:
        with self._keeper.turn() as (turn, state):
            self._known_judge(state, judge)
            state.absorb([turn.append(kind, {"judge": judge, **more})])

    def _open_or_close(self, kind: str, *, closed: bool) -> None:
        with self._keeper.turn() as (turn, state):
            if state.ledger.closed != closed:
                state.absorb([turn.append(kind, {})])


def checked_person(person: Person) -> Person:
    """The person, if name and address are texts that a database can keep.

    >>> checked_person(Person("Ann", "ann@example.org")).name
    'Ann'
    """
    usable_text(person.name, what="name")
    if person.address is not None:
        usable_text(person.address, what="address")
    return person


def pseudonym() -> str:
    """A fresh id for a person: random, so that it says nothing about them.

    >>> pseudonym()[:7], pseudonym() != pseudonym()
    ('person-', True)
    """
    return f"person-{secrets.token_hex(PSEUDONYM_BYTES)}"
