"""What a person said about themselves, and what the platform that sent them said; kept beside the names, erasable.

It lives in notes of the study, never in its log. A platform's id is looked up by its hash.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

from juryrank.storage.base import Storage
from juryrank.storage.values import seconds_of

JUDGE_NOTE = "judge/"  # what the pages remember of a judge: own work, attention checks
ABOUT_NOTE, ID_NOTE, COMMENT_NOTE = "person/", "person-id/", "comment/"
MOST_COMMENT = 1000  # characters
NETWORK_KEY = "network-key"  # what network addresses are hashed with, until the study closes
OTHERS_SECONDS = 0.05  # how long another process may take between looking for an id and claiming it

_claiming = threading.Lock()


class AboutPeople:
    """What is known about the people of one study."""

    def __init__(self, storage: Storage, study: int) -> None:
        self._storage, self._study = storage, study

    def of(self, judge: str) -> dict[str, Any]:
        """Everything about one judge: `parameters`, `consent_at`, `before`, `after`."""
        return dict(self._storage.note(ABOUT_NOTE + judge, study=self._study) or {})

    def all(self) -> dict[str, dict[str, Any]]:
        found = self._storage.notes(ABOUT_NOTE, study=self._study)
        return {key.removeprefix(ABOUT_NOTE): dict(value) for key, value in found.items()}

    def add(self, judge: str, facts: Mapping[str, Any]) -> None:
        """Keep these facts beside what is known already; empty ones are not kept."""
        kept = {key: value for key, value in facts.items() if value}
        if kept:
            self._storage.set_note(ABOUT_NOTE + judge, {**self.of(judge), **kept}, study=self._study)

    def pages_notes(self) -> dict[str, dict[str, Any]]:
        """What the pages remember of each judge."""
        found = self._storage.notes(JUDGE_NOTE, study=self._study)
        return {key.removeprefix(JUDGE_NOTE): dict(value) for key, value in found.items()}

    # ------------------------------------------------------------------ what they said about a choice
    def comment(self, judge: str, question: int, words: str) -> None:
        """Keep what a judge said about an answer, in the place of what was said before; empty: nothing."""
        kept = {"judge": judge, "q": question, "words": words.strip()[:MOST_COMMENT]} if words.strip() else None
        self._storage.set_note(f"{COMMENT_NOTE}{judge}/{question}", kept, study=self._study)

    def comments(self) -> list[dict[str, Any]]:
        """All comments: `judge`, `q`, `words`; newest question first."""
        found = self._storage.notes(COMMENT_NOTE, study=self._study).values()
        return sorted(map(dict, found), key=lambda one: -int(one["q"]))

    # ------------------------------------------------------------------ ids of a platform
    def judge_of(self, identity: str) -> str | None:
        """The judge whom a platform knows by this id."""
        found = self._storage.note(_key(identity), study=self._study)
        return None if found is None else str(found)

    def claim(self, identity: str, judge: str) -> str:
        """The judge of this id from now on: `judge`, unless another has it already. Two tabs get the same one."""
        with _claiming:
            known = self.judge_of(identity)
            if known is None:
                self._storage.set_note(_key(identity), judge, study=self._study)
        if known is None:
            time.sleep(OTHERS_SECONDS)  # another process may have looked before we wrote, and written after
            known = self.judge_of(identity)
        return known or judge

    def release(self, identity: str, judge: str) -> None:
        """The judge who claimed this id could not join after all."""
        if self.judge_of(identity) == judge:
            self._storage.set_note(_key(identity), None, study=self._study)

    def erase(self, judge: str) -> bool:
        """Forget everything about a judge, with the platform's ids; False: nothing was known."""
        known = self._storage.note(ABOUT_NOTE + judge, study=self._study) is not None
        for key, said in self._storage.notes(COMMENT_NOTE, study=self._study).items():
            if said["judge"] == judge:
                self._storage.set_note(key, None, study=self._study)
                known = True
        for key, value in self._storage.notes(ID_NOTE, study=self._study).items():
            if value == judge:
                self._storage.set_note(key, None, study=self._study)
        self._storage.set_note(ABOUT_NOTE + judge, None, study=self._study)
        return known


def _key(identity: str) -> str:
    return ID_NOTE + hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()


# ----------------------------------------------------------------------------
# People who came from one network address: a school class, an office, or one person with many ballots.
#
# Of an address only a keyed hash is kept, with what else is known about a person (`about`), and erased with it.
# It is in no log, no export and no certificate: what is said is how many shared one, never which.
NETWORK, CAME_AT = "network", "came_at"  # what is kept about a person
MINUTES = 10  # a burst: people of one address who began within so many minutes
FEWEST = 5  # fewer at one address are a family
LEAST_SHARE = 0.1  # a smaller part of all who came decides nothing


def burst_words(people: Iterable[Mapping[str, Any]]) -> str:
    """The largest burst from one address, as a sentence; empty: there is none worth mentioning.

    >>> from juryrank.storage.values import utc
    >>> class_of_30 = [{"network": "n1", "came_at": utc(10.0 * k)} for k in range(30)]
    >>> burst_words([*class_of_30, {"network": "n2", "came_at": utc(0)}])
    '30 of the 31 people who came by the open link began at one network address within 10 minutes.'
    """
    began: dict[str, list[float]] = {}
    for one in people:
        if one.get(NETWORK):
            began.setdefault(one[NETWORK], []).append(seconds_of(one[CAME_AT]))
    everybody = sum(map(len, began.values()))
    most = max((_most_at_once(sorted(times)) for times in began.values()), default=0)
    if most < FEWEST or most < LEAST_SHARE * everybody:
        return ""
    return (
        f"{most:,} of the {everybody:,} people who came by the open link began at one network address within "
        f"{MINUTES} minutes."
    )


def network_words(storage: Storage, study: int) -> tuple[str, ...]:
    """What is to be said beside a study's result about where its people came from."""
    words = burst_words(AboutPeople(storage, study).all().values())
    return (words,) if words else ()


def _most_at_once(times: list[float]) -> int:
    first = most = 0
    for last, at in enumerate(times):
        while at - times[first] > 60 * MINUTES:
            first += 1
        most = max(most, last - first + 1)
    return most
