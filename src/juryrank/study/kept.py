"""Rankings that last: the same command goes on where the last one ended.

A kept ranking is a study, named after the file that it ranks. Its first event holds a hash of everything that
judges are shown and of what each judge is (`source`): old answers never count for new content.

    nothing has changed          it goes on
    items came in                they join, where the ranker lets them
    items went                   a panel of people withdraws them
    items went or have changed   fixed judges, on cases too: a new ranking, in which answers about all that is
                                 still the same are known already
    anything else                refused: --again starts a new ranking
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

from juryrank.errors import BadInput, CannotJoin, StorageError, UnknownStudy, shown
from juryrank.judges.models.judge import ModelJudge
from juryrank.log import Event, EventKind, Head, answers_taken_back, fold
from juryrank.log.bodies import IDENTICAL, WITHDRAWN, Edited, ItemsAdded, ItemsWithdrawn, Probed
from juryrank.rankers.contract.ranker import Ranker
from juryrank.run.cases import CaseCatalogue
from juryrank.run.cases.catalogue import KEPT_CASES, kept_cases, same_outputs, with_systems
from juryrank.run.items import Catalogue
from juryrank.run.models import scope_of
from juryrank.storage import Storage, StudyRow, open_storage
from juryrank.storage.values import Step, usable_text
from juryrank.study.members import check_names
from juryrank.study.source import SOURCE, Change, Recall, changed_settings, settings_in, source_of
from juryrank.study.state import keep_forecasts, whole_log
from juryrank.types import Answer, Question

SCOPE = "scope"  # the key, among a study's settings, of the name under which the cache knows its models' answers
AFTER = "after"  # the key of the names of rankings whose answers are known in this one
DEFAULT_NAME = "ranking"  # of one that Python keeps
ANSWERS = (EventKind.TOLD, EventKind.ASIDE)


class StoredLog:
    """The log of a ranking in a storage; what is written is on disk. `recall`: answers that are known already."""

    def __init__(self, storage: Storage, row: StudyRow, events: Sequence[Event], recall: Recall) -> None:
        self._storage, self._row, self.events, self._recall = storage, row, events, recall
        self._head = Head(events[-1].seq, events[-1].hash)

    def recall(self, question: Question) -> tuple[Answer, str] | None:
        """What the judge said to the very same before, and where that comes from."""
        return self._recall(question)

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

    `again`: start a new one beside those there are. `opened` is told its name, the answers that are there (None:
    it is new), and what has changed since then.
    """

    storage: Storage
    name: str
    judges: Mapping[str, Callable[..., Any]]
    seed: int | None = None  # that somebody chose
    again: bool = False
    terminal: bool = True  # are messages read in a terminal, or in Python?
    opened: Callable[[str, int | None, Sequence[str]], None] = lambda name, answers, changed: None
    kept_as: str = ""  # once it is called

    def probes(self) -> list[Probed]:
        """What trying the judges out has shown, where this ranking was begun before."""
        found = self._begun()
        return [] if found is None else [e.body for e in found[1] if isinstance(e.body, Probed)]

    def scope(self, catalogue: Catalogue) -> str:
        """The name under which the cache knows the models' answers: it stays when items come and go."""
        found = self._begun()
        known = None if found is None else settings_in(found[1]).get(SCOPE)
        return scope_of(catalogue) if known is None else str(known)

    def __call__(self, catalogue: Catalogue, created: Mapping[str, Any]) -> StoredLog:
        mine = {**created, "settings": self._settings(catalogue)}
        found = self._begun()
        if found is None:
            return self._start(catalogue, mine)
        row, events = found
        before, now = settings_in(events), mine["settings"]
        items = Change.of("items", before[SOURCE], now[SOURCE])
        changed = Change.of("cases", before[SOURCE], now[SOURCE]).words
        changed += Change.of("judges", before[SOURCE], now[SOURCE]).words
        changed += changed_settings(events[0].data, mine)
        seed = events[0].data["seed"]
        if self.seed is not None and self._seed(before.get(AFTER, ())) != seed:
            changed.append(f"the seed was {seed} and is {self.seed}")
        if changed:
            self._refuse(row, events, [*items.words, *changed])
        if not items:
            return self._go_on(row, events, [])
        ranker = fold(events).ranker
        if items.changed or (items.gone and asked_once(ranker)):
            if not asked_once(ranker):
                self._refuse(row, events, items.words)
            after = [*before.get(AFTER, ()), row.name]
            seed = mine["seed"] if self.seed is None else self._seed(after)
            return self._start(catalogue, {**mine, "seed": seed, "settings": {**now, AFTER: after}}, items.words)
        try:
            steps = _joining(ranker, items, before, now)
        except (BadInput, CannotJoin) as problem:
            self._refuse(row, events, items.words, because=str(problem))
        StoredLog(self.storage, row, events, Recall()).write(steps)
        return self._go_on(row, whole_log(self.storage, row.id), items.words)

    def _seed(self, after: Sequence[str]) -> int:
        """The seed that follows from the one chosen: whoever has seen the old draws may have chosen by them."""
        if not after:
            return int(self.seed or 0)
        return int(hashlib.sha256(f"{self.seed} {len(after)}".encode()).hexdigest()[:12], 16)

    def _go_on(self, row: StudyRow, events: Sequence[Event], changed: Sequence[str]) -> StoredLog:
        self.kept_as = row.name
        self.opened(row.name, _answers(events), changed)
        return StoredLog(self.storage, row, events, self._recall(events))

    def _start(self, catalogue: Catalogue, mine: Mapping[str, Any], changed: Sequence[str] = ()) -> StoredLog:
        row = None if self.again or changed else self._newest()
        if row is not None:  # it has no answer: nothing is lost by starting anew, with judges or items put right
            self.storage.delete(row.id)
        check_names(catalogue.names, what="item")
        check_names(list(mine["judges"]), what="judge")
        row = self.storage.create(usable_text(self._free_name(), what="name"), mine)
        keep_forecasts(self.storage, row.id, mine)
        self.kept_as = row.name
        self.opened(row.name, None, changed)
        events = whole_log(self.storage, row.id)
        return StoredLog(self.storage, row, events, self._recall(events))

    def _recall(self, events: Sequence[Event]) -> Recall:
        """Answers of the rankings that this one goes on from; models' are in the cache, if there is one."""
        settings = settings_in(events)
        known = Recall(settings, either=not (settings.get(KEPT_CASES) or {}))
        for row in map(self._found, settings.get(AFTER, ())):
            if row is not None:
                known.learn(whole_log(self.storage, row.id))
        return known

    def _settings(self, catalogue: Catalogue) -> dict[str, Any]:
        made: dict[str, Any] = {SOURCE: source_of(catalogue, self.judges)}
        if any(isinstance(judge, ModelJudge) for judge in self.judges.values()):
            made[SCOPE] = self.scope(catalogue)
        if isinstance(catalogue, CaseCatalogue):
            return {**made, KEPT_CASES: kept_cases(catalogue)}
        return {**made, **({"rows": catalogue.rows} if catalogue.rows else {})}

    # ------------------------------------------------------------------ names
    def _numbered(self) -> Iterator[str]:
        return (self.name if number == 1 else f"{self.name} ({number})" for number in count(1))

    def _free_name(self) -> str:
        return next(name for name in self._numbered() if self._found(name) is None)

    def _begun(self) -> tuple[StudyRow, Sequence[Event]] | None:
        """The latest ranking of this name that has answers."""
        row = None if self.again else self._newest()
        events = () if row is None else self._ours(row)
        if row is None or not any(event.kind in ANSWERS for event in events):
            return None
        return row, events

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
                f"{shown(row.name)} is a study that was not made by `rank`; "
                f"{'--study NAME' if self.terminal else 'study=NAME'} keeps this ranking under another name"
            )
        return events

    def _found(self, name: str) -> StudyRow | None:
        try:
            return self.storage.find(name)
        except UnknownStudy:
            return None

    def _refuse(
        self, row: StudyRow, events: Sequence[Event], changed: Sequence[str], *, because: str = ""
    ) -> NoReturn:
        answers = _answers(events)
        raise BadInput(
            f"{shown(row.name)} was ranked here before ({answers} answer{'' if answers == 1 else 's'}), and since "
            f"then {'; '.join(changed)}. Old answers do not count for that{f' ({because})' if because else ''}: "
            f"{'--again' if self.terminal else 'again=True'} starts a new ranking and keeps the old one; "
            f"{'--study NAME' if self.terminal else 'study=NAME'} keeps both, each under its name"
        )


def kept_in(
    storage: str | Storage,
    judges: Mapping[str, Callable[..., Any]],
    *,
    study: str | None,
    seed: int | None,
    again: bool,
) -> Keeping:
    """How `juryrank.rank` keeps a ranking: as the command does, and two at once are found out when one writes."""
    return Keeping(open_storage(storage), study or DEFAULT_NAME, judges, seed=seed, again=again, terminal=False)


def asked_once(ranker: Ranker) -> bool:
    """Is it about what fixed judges say, each asked the same once? Then an answer is the same in any ranking."""
    options = ranker.options
    return (ranker.knows_cases and not options.get("fresh")) or options.get("about") == "panel"


def _joining(ranker: Ranker, items: Change, before: Mapping[str, Any], now: Mapping[str, Any]) -> list[Step]:
    """The steps by which items join and withdraw; raises where the ranker cannot do it."""
    steps: list[Step] = []
    if items.gone:
        ranker.withdraw_items(items.gone)
        steps.append(ItemsWithdrawn(items=list(items.gone)).step)
    more = {key: now[key] for key in (SOURCE, "rows") if key in now}
    if items.added:
        ranker.add_items(items.added)
        if KEPT_CASES in before and before[KEPT_CASES]["outputs"] is not None:
            outputs = now[KEPT_CASES]["outputs"]
            more[KEPT_CASES] = with_systems(before[KEPT_CASES], {name: outputs[name] for name in items.added})
        times = same_outputs(more.get(KEPT_CASES), ranker.options.get("require") or ())
        joined = ItemsAdded(items=list(items.added), same_outputs=times, entropy=ranker.fresh_entropy())
        steps.append(joined.step)
    return [*steps, Edited(settings=more).step]


def _answers(events: Sequence[Event]) -> int:
    """How many answers stand: those taken back are none, nor is what nobody was asked for."""
    out, _ = answers_taken_back(events)
    told = (event for event in events if event.kind == EventKind.TOLD and event.seq not in out)
    return sum(event.data.get("source") not in (IDENTICAL, WITHDRAWN) for event in told)


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
