"""A study made of votes that somebody else collected: the whole file or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from juryrank.defaults import DEFAULT_STORAGE
from juryrank.errors import BadVotes
from juryrank.log import fold, settings
from juryrank.options import DEFAULT_ERROR
from juryrank.rankers import ranker_class
from juryrank.rankers.choice import WhoAnswers, choose
from juryrank.storage import Person, Storage, open_storage
from juryrank.storage.values import dump, first_events, usable_text
from juryrank.study.members import check_names, pseudonym
from juryrank.study.study import Study
from juryrank.votes import Vote
from juryrank.votes.logs import events_from_votes


def import_votes(
    votes: Sequence[Vote],
    *,
    name: str,
    source: str = "a file",
    ranker: str | None = None,
    error: float = DEFAULT_ERROR,
    storage: str | Storage = DEFAULT_STORAGE,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
    sides: bool = True,
    people: bool = False,
) -> Study:
    """A new study whose log holds these votes. Its result is post-hoc: the votes were not asked by it.

    `sides=False`: the file did not say on which side items were shown. `people=True`: the judges are people; the
    log knows them by pseudonyms, and their names can be erased.

    >>> from juryrank.storage import MemoryStorage
    >>> from juryrank.votes import read_votes
    >>> votes = read_votes(b"judge,left,right,winner\\nann,x,y,y\\nbob,x,y,y\\n").checked()
    >>> import_votes(votes, name="two", storage=MemoryStorage()).ranking().order
    ('y', 'x')
    """
    usable_text(name, what="name")
    if not votes:
        raise BadVotes("there is no vote to import")
    known = {pseudonym(): name for name in dict.fromkeys(vote.judge for vote in votes)} if people else {}
    if people:
        alias = {name: id_ for id_, name in known.items()}
        votes = [replace(vote, judge=alias[vote.judge]) for vote in votes]
    if ranker is None:
        choice = choose(WhoAnswers(people=True))
        ranker, options = choice.name, {**choice.options, **(options or {})}
    created = _created(votes, source=source, ranker=ranker, error=error, seed=seed, options=options, sides=sides)
    story = [
        body.step for body in events_from_votes(votes, terms=ranker_class(ranker).recorded_terms(options or {}))
    ]
    dump([created, story])
    fold(first_events(created, story, ""))  # a log that cannot be folded must not be written
    place = open_storage(storage)
    return Study(place, place.create(name, created, then=story, people=_persons(known)))


def _persons(known: Mapping[str, str]) -> dict[str, Person]:
    return {judge: Person(usable_text(name, what="judge")) for judge, name in known.items()}


def _created(votes: Sequence[Vote], *, source: str, sides: bool, **more: Any) -> dict[str, Any]:
    items = list(dict.fromkeys(name for vote in votes for name in (vote.left, vote.right)))
    judges = list(dict.fromkeys(vote.judge for vote in votes))
    check_names(items, what="item")
    check_names(judges, what="judge")
    return settings(
        [usable_text(item, what="item") for item in items],
        judges=[usable_text(judge, what="judge") for judge in judges],
        ranker=more["ranker"],
        error=more["error"],
        seed=more["seed"],
        options=dict(more["options"] or {}),
        edits=[f"{len(votes):,} votes were imported from {source}; how their pairs were chosen is not known"],
        settings={"imported": {"from": source, "votes": len(votes), "sides": sides}},
    )
