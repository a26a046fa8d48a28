"""Rankings that last: the same command goes on where the last one ended.

A kept ranking is a study, named after the file that it ranks. Its first event holds a hash of everything that
judges are shown and of what each judge is. Where any of them has changed, or the goal, it is another ranking: old
answers never count for new content.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from juryrank.errors import BadInput, StorageError, UnknownStudy, shown
from juryrank.judges.command import CommandJudge
from juryrank.judges.models.judge import ModelJudge
from juryrank.log import Event, EventKind, Head, answers_taken_back
from juryrank.log.bodies import IDENTICAL
from juryrank.run.cases import CaseCatalogue
from juryrank.run.cases.kept import KEPT_CASES, kept_cases
from juryrank.run.items import Catalogue
from juryrank.storage import Storage, StudyRow
from juryrank.storage.plain import usable_text
from juryrank.storage.values import Step
from juryrank.study.integrity import whole_log
from juryrank.study.twins import check_names

SOURCE = "source"  # the key of the hashes among a study's settings
OURS = ("judges", "schema", "items", "seed", "settings")  # of a first event: compared by their hashes, or drawn
DERIVED = ("seed_from", KEPT_CASES)  # options that follow from the content, or say who chose the seed
ANSWERS = (EventKind.TOLD, EventKind.ASIDE)
Hashes = Mapping[str, str]  # name -> hash


class StoredLog:
    """The log of a ranking in a storage; what is written is on disk."""

    def __init__(self, storage: Storage, row: StudyRow, events: Sequence[Event]) -> None:
        self._storage, self._row, self.events = storage, row, events
        self._head = Head(events[-1].seq, events[-1].hash)

    def write(self, steps: Sequence[Step]) -> Sequence[Event]:
        """Add these steps, all or none; returns their events."""
        with self._storage.turn(self._row.id, after=self._head) as turn:
            if turn.new:
                raise StorageError(
                    f"somebody else has written to {shown(self._row.name)} meanwhile; the same command goes "
                    "on from there"
                )
            for step in steps:
                turn.append(*step)
        self._head = turn.head
        return turn.written


@dataclass(slots=True)
class Keeping:
    """Where a ranking is kept and who judges; called with what is ranked and how, it gives the log to go on with.

    `again`: start a new one beside those there are. `opened` is told its name and the answers that are there
    (None: it is new).
    """

    storage: Storage
    name: str
    judges: Mapping[str, Callable[..., Any]]
    seed: int | None = None  # that somebody chose
    again: bool = False
    opened: Callable[[str, int | None], None] = lambda name, answers: None

    def __post_init__(self) -> None:
        check_no_models(self.judges)

    def __call__(self, catalogue: Catalogue, created: Mapping[str, Any]) -> StoredLog:
        mine = {**created, "settings": self._settings(catalogue)}
        row = None if self.again else self._newest()
        events = () if row is None else self._ours(row)
        if row is not None and any(event.kind in ANSWERS for event in events):
            answers = _answers(events)
            self._check_same(events[0].data, mine, row.name, answers)
            self.opened(row.name, answers)
            return StoredLog(self.storage, row, events)
        if row is not None:  # nothing is lost by starting anew, with judges or items put right
            self.storage.delete(row.id)
        check_names(catalogue.names, what="item")
        check_names(list(created["judges"]), what="judge")
        row = self.storage.create(usable_text(self._free_name(), what="name"), mine)
        self.opened(row.name, None)
        return StoredLog(self.storage, row, whole_log(self.storage, row.id))

    def _settings(self, catalogue: Catalogue) -> dict[str, Any]:
        source = {
            "items": {name: _hash(catalogue.content(name)) for name in catalogue.names},
            "judges": {name: _hash(what_judges(judge)) for name, judge in self.judges.items()},
        }
        if isinstance(catalogue, CaseCatalogue):
            source["cases"] = {case.id: _hash(case) for case in catalogue.cases.values()}
            return {SOURCE: source, KEPT_CASES: kept_cases(catalogue)}
        return {SOURCE: source, **({"rows": catalogue.rows} if catalogue.rows else {})}

    # ------------------------------------------------------------------ names
    def _numbered(self) -> Iterator[str]:
        return (self.name if number == 1 else f"{self.name} ({number})" for number in count(1))

    def _free_name(self) -> str:
        return next(name for name in self._numbered() if self._found(name) is None)

    def _newest(self) -> StudyRow | None:
        """The latest ranking of this name, if there is one."""
        found = None
        for row in map(self._found, self._numbered()):
            if row is None:
                return found
            found = row
        raise AssertionError("the names never end")

    def _ours(self, row: StudyRow) -> Sequence[Event]:
        """The log of a study that `rank` has made; others are refused."""
        events = whole_log(self.storage, row.id)
        if SOURCE not in events[0].data.get("settings", {}):
            raise BadInput(
                f"{shown(row.name)} is a study that was not made by `juryrank rank`; --study NAME keeps this "
                "ranking under another name"
            )
        return events

    def _found(self, name: str) -> StudyRow | None:
        try:
            return self.storage.find(name)
        except UnknownStudy:
            return None

    # ------------------------------------------------------------------ the same ranking?
    def _check_same(self, before: Mapping[str, Any], now: Mapping[str, Any], name: str, answers: int) -> None:
        changed = [*_changed_content(before["settings"][SOURCE], now["settings"][SOURCE])]
        changed += _changed_settings(before, now)
        if self.seed not in (None, before["seed"]):
            changed.append(f"the seed was {before['seed']} and is {self.seed}")
        if changed:
            raise BadInput(
                f"{shown(name)} was ranked here before ({answers} answer{'' if answers == 1 else 's'}), and since "
                f"then {'; '.join(changed)}. Old answers do not count for that: --again starts a new ranking and "
                "keeps the old one"
            )


def check_no_models(judges: Mapping[str, Callable[..., Any]]) -> None:
    """Refuse language models: after a stop, the first draw of a pair would come from their cache once more."""
    if any(isinstance(judge, ModelJudge) for judge in judges.values()):
        raise BadInput(
            "a ranking by models is not kept under a name (--study, --again): their answers are in a cache, so "
            "that the same command asks nothing twice"
        )


def _answers(events: Sequence[Event]) -> int:
    """How many answers stand: those taken back are none, nor is a tie that nobody was asked for."""
    out, _ = answers_taken_back(events)
    told = (event for event in events if event.kind == EventKind.TOLD and event.seq not in out)
    return sum(event.data.get("source") != IDENTICAL for event in told)


def what_judges(judge: Callable[..., Any]) -> Any:
    """What decides a judge's answers, as far as that can be seen: a command and its files, a function's module."""
    if isinstance(judge, CommandJudge):
        return [judge.words, [_content(Path(file)) for file in judge.files]]
    module = inspect.getmodule(judge)
    file = getattr(module, "__file__", None)
    return [getattr(judge, "__qualname__", repr(type(judge))), None if file is None else _content(Path(file))]


def _content(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _hash(thing: Any) -> str:
    text = thing if isinstance(thing, str) else json.dumps(thing, sort_keys=True, default=repr)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _changed_content(before: Mapping[str, Hashes], now: Mapping[str, Hashes]) -> Iterator[str]:
    """What was added, is gone or has changed, in words."""
    for what in ("items", "cases", "judges"):
        old, new = before.get(what, {}), now.get(what, {})
        added, gone = [name for name in new if name not in old], [name for name in old if name not in new]
        changed = [name for name in new if name in old and new[name] != old[name]]
        for names, happened in ((added, "came in"), (gone, "went"), (changed, "changed")):
            if names:
                some = ", ".join(shown(name) for name in names[:3])
                more = f" and {len(names) - 3} more" if len(names) > 3 else ""
                yield f"{what[:-1] if len(names) == 1 else what} {some}{more} {happened}"


def _changed_settings(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Options that differ, in words."""
    old, new = _options(before), _options(now)
    if old["ranker"] != new["ranker"]:
        yield f"another ranker fits: {shown(old['ranker'])} before, {shown(new['ranker'])} now"
        return
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            yield f"{key} was {shown(old.get(key))} and is {shown(new.get(key))}"


def _options(created: Mapping[str, Any]) -> dict[str, Any]:
    chosen = {key: value for key, value in created.items() if key not in (*OURS, "options", "lease")}
    more = {key: value for key, value in (created.get("options") or {}).items() if key not in DERIVED}
    known: dict[str, Any] = json.loads(json.dumps({**chosen, **more}))
    return known


@contextmanager
def alone(storage: Storage, name: str) -> Iterator[None]:
    """One process at a time ranks the same thing; raises StorageError where another one does."""
    if sys.platform == "win32":  # two at once are found out when the second one writes
        yield
        return
    import fcntl

    key = hashlib.sha256(f"{os.path.abspath(storage.place)} {name}".encode()).hexdigest()[:24]
    file = Path(tempfile.gettempdir()) / f"juryrank-{os.getuid()}-{key}.lock"
    try:  # others may write to that folder: a link of theirs is not followed, and nothing is cut
        lock = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as problem:
        raise StorageError(f"the lock {file} cannot be opened ({problem.strerror}); run with --no-keep") from None
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise StorageError(
                f"{shown(name)} is being ranked in another terminal right now; wait until it has ended, or run "
                "with --no-keep"
            ) from None
        yield
    finally:
        os.close(lock)
