"""People who came from one network address: a school class, an office, or one person with many ballots.

Of an address only a keyed hash is kept, with what else is known about a person (`about`), and erased with it. It
is in no log, no export and no certificate: what is said is how many shared one, never which.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from juryrank.storage.base import Storage
from juryrank.storage.values import seconds_of
from juryrank.study.people.about import AboutPeople

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
    for last, time in enumerate(times):
        while time - times[first] > 60 * MINUTES:
            first += 1
        most = max(most, last - first + 1)
    return most
