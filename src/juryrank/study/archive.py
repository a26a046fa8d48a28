"""Studies from files: the ZIP that a study is kept in, and votes that somebody else collected."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from juryrank.defaults import ARCHIVE_FILE_BYTES, ARCHIVE_LOG_BYTES, DEFAULT_ERROR, DEFAULT_STORAGE
from juryrank.errors import BadVotes, JuryrankError
from juryrank.log import Event, chained, check_rules, fold, settings
from juryrank.log.bodies import Restored
from juryrank.rankers import ranker_class
from juryrank.rankers.choice import WhoAnswers, choose
from juryrank.storage import Person, Storage, open_storage
from juryrank.storage.values import dump, first_events, usable_text, utc
from juryrank.study.members import check_names, pseudonym
from juryrank.study.state import StudyState
from juryrank.study.study import Study
from juryrank.votes import Vote, export_votes
from juryrank.votes.logs import RawLog, events_from_votes

ARCHIVE = "zip"  # the name of this format, beside those of votes
LOG, TYPES, FILES = "log.jsonl", "files.json", "files/"
ZIP_MARK = b"PK\x03\x04"
MEDIA = re.compile(r"(image/(jpeg|png|webp|gif)|audio/[a-z0-9]{1,20}|video/[a-z0-9]{1,20})")


def write_archive(study: Study, target: IO[bytes] | Path) -> int:
    """Write the archive; returns how many files it holds besides the log."""
    files = study.storage.files(study.id)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(LOG, export_votes(study.events(), format="jsonl", study=study.name))
        archive.writestr(TYPES, json.dumps({file.hash: file.type for file in files}, indent=1))
        for file in files:
            found = study.storage.file(study.id, file.hash)
            if found is not None:
                archive.writestr(FILES + file.hash, found[1], zipfile.ZIP_STORED)
    return len(files)


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive whose files were checked; they are read again, one at a time, when a study takes them."""

    path: Path
    log: bytes
    types: Mapping[str, str]

    def hand_over(self, study: Study) -> None:
        """Give the files to a study that was restored from the log."""
        with _opened(self.path) as archive:
            for hash, type in self.types.items():
                study.storage.put_file(study.id, _checked(archive, hash), type=type)


def is_archive(path: Path) -> bool:
    """Does the file begin like a ZIP?"""
    try:
        with path.open("rb") as file:
            return file.read(len(ZIP_MARK)) == ZIP_MARK
    except OSError:
        return False  # whoever reads it says why


def read_archive(path: Path) -> Archive:
    """The archive, if every file in it is what its name says; raises BadVotes otherwise."""
    with _opened(path) as archive:
        log = _read(archive, LOG, most=ARCHIVE_LOG_BYTES)
        types = _types(_read(archive, TYPES, most=ARCHIVE_FILE_BYTES))
        for hash in types:
            _checked(archive, hash)
    return Archive(path, log, types)


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError) as problem:
        raise BadVotes(f"{path.name} cannot be read as a ZIP: {problem}. Nothing was restored.") from None


def _read(archive: zipfile.ZipFile, name: str, *, most: int) -> bytes:
    try:
        size = archive.getinfo(name).file_size
    except KeyError:
        raise BadVotes(f"there is no {name} in it: no study was packed here. Nothing was restored.") from None
    if size > most:
        raise BadVotes(f"{name} has {size / 1e6:,.0f} MB, too many for what it is. Nothing was restored.")
    return archive.read(name)  # never more than the size it gives


def _types(text: bytes) -> dict[str, str]:
    try:
        types: Any = json.loads(text)
    except (ValueError, RecursionError):
        types = None
    names = isinstance(types, dict) and all(re.fullmatch(r"[0-9a-f]{64}", hash) for hash in types)
    if not names or not all(isinstance(type, str) and MEDIA.fullmatch(type) for type in types.values()):
        raise BadVotes(f"{TYPES} does not list files as this program writes them. Nothing was restored.")
    return dict(types)


def _checked(archive: zipfile.ZipFile, hash: str) -> bytes:
    body = _read(archive, FILES + hash, most=ARCHIVE_FILE_BYTES)
    if hashlib.sha256(body).hexdigest() != hash:
        raise BadVotes(f"the file {hash[:12]}… was changed or is damaged. Nothing was restored.")
    return body


# ----------------------------------------------------------------------------
# A study restored from its raw log: the same events, the same hashes, the same state to the last bit.
def restore_study(log: RawLog | Iterable[Event], *, name: str, storage: str | Storage = DEFAULT_STORAGE) -> Study:
    """The study of this log under a new name or in another storage: a back-up brought back, or a move.

    No promise is added and none lost: a certified result is certified there too, and open questions keep their
    deadlines. One more event says that the log was read from a file: whoever checks it should know that this
    installation did not see it grow. People's names are not in a log, so erased people stay erased.

    >>> from juryrank.storage import MemoryStorage
    >>> from juryrank.study import create_study
    >>> study = create_study("abc", name="first", judges=["ann"], ranker="iir", storage=MemoryStorage())
    >>> again = restore_study(study.events(), name="second", storage=study.storage)
    >>> [event.kind for event in again.events()]
    ['created', 'restored']
    """
    usable_text(name, what="name")
    events = checked_log(log)
    place = open_storage(storage)
    last = Restored(events=len(events), head=events[-1].hash)
    whole = (*events, chained(last.head, last.events + 1, *last.step, utc(place.now())))
    return Study(place, place.adopt(name, whole))


def checked_log(log: RawLog | Iterable[Event]) -> tuple[Event, ...]:
    """The events, if the chain is whole and the ranker can follow them; raises otherwise."""
    if not isinstance(log, RawLog):
        events = tuple(log)
        log = RawLog(events, tuple(event.seq for event in events))
    if not log.events:
        raise BadVotes("the log is empty: there is nothing to restore")
    state = StudyState()
    try:
        state.absorb(log.checked().events)
        state.settle()
        check_rules(log.events)
    except JuryrankError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as problem:
        raise BadVotes(
            f"this log cannot be followed ({problem!r}): its hashes are whole, but no version of juryrank wrote "
            "it. Nothing was restored."
        ) from problem
    return log.events


# ----------------------------------------------------------------------------
# A study made of votes that somebody else collected: the whole file or nothing


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
