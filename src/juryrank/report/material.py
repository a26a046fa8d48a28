"""What a report is made of: a study's log as votes, its result, and the settings it was created with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from juryrank.log import Conduct, ConductTable, Event, EventKind
from juryrank.log.bodies import IDENTICAL
from juryrank.report.page.document import ShownItem
from juryrank.types import Ranking
from juryrank.votes.asides import ModelsInLog
from juryrank.votes.logs import VoteTable
from juryrank.votes.vote import Outcome, Vote


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a report says is computed from this."""

    name: str
    ranking: Ranking
    votes: tuple[Vote, ...]
    created: Mapping[str, Any]
    events: int
    last_hash: str = ""
    last_at: str = ""
    closed: bool = False
    state: str = ""  # running, done, spent or closed, where it is known
    edits: tuple[str, ...] = ()
    conduct: Mapping[str, Conduct] = field(default_factory=dict)  # per judge: skips, expiries, undos
    imported: bool = False
    sides_known: bool = True
    models: ModelsInLog = field(default_factory=ModelsInLog)
    shown: Mapping[str, ShownItem] = field(default_factory=dict)  # item -> what judges saw of it

    @property
    def decided(self) -> list[Vote]:
        """Votes that prefer one of the two, given in time and not taken back."""
        return [vote for vote in self.votes if vote.outcome in (Outcome.LEFT, Outcome.RIGHT)]

    @property
    def answered(self) -> list[Vote]:
        """Votes, ties and skips, given in time and not taken back."""
        return [vote for vote in self.votes if vote.counts or vote.skipped]


def material_of(
    events: Iterable[Event],
    ranking: Ranking,
    *,
    name: str = "",
    names: Mapping[str, str] | None = None,
    state: str = "",
) -> Material:
    """The material of a log and the result folded from it; `names` shows judges under other names."""
    return LogRead().walk(events).material(ranking, name=name, names=names or {}, state=state)


@dataclass(slots=True)
class LogRead:
    """What a log says: `walk` goes on from the last event seen, so that a study is read once and then followed."""

    votes: VoteTable = field(default_factory=VoteTable)
    conduct: ConductTable = field(default_factory=ConductTable)
    models: ModelsInLog = field(default_factory=ModelsInLog)
    created: Mapping[str, Any] = field(default_factory=dict)
    seq: int = 0
    last_hash: str = ""
    last_at: str = ""
    closed: bool = False

    def walk(self, events: Iterable[Event]) -> Self:
        log = list(events)
        for reader in (self.votes, self.conduct, self.models):
            reader.walk(log)
        for event in log:
            self.created = self.created or dict(event.data)  # the first one says it
            self.seq, self.last_hash, self.last_at = event.seq, event.hash, event.at or self.last_at
            if event.kind in (EventKind.CLOSED, EventKind.REOPENED):
                self.closed = event.kind == EventKind.CLOSED
        return self

    def material(self, ranking: Ranking, *, name: str = "", names: Mapping[str, str], state: str = "") -> Material:
        """What stands in the log so far, beside the result."""
        imported = dict((self.created.get("settings") or {}).get("imported") or {})
        votes = [vote for vote in self.votes.votes.values() if vote.source != IDENTICAL]  # nobody was asked those
        return Material(
            name=name or str(self.created.get("name") or "Ranking"),
            ranking=_named(ranking, names),
            votes=tuple(replace(one, judge=names[one.judge]) if one.judge in names else one for one in votes),
            created=self.created,
            events=self.seq,
            last_hash=self.last_hash,
            last_at=self.last_at,
            closed=self.closed,
            state=state,
            edits=tuple(ranking.post_hoc),
            conduct={names.get(judge, judge): replace(one) for judge, one in self.conduct.judges.items()},
            imported=bool(imported),
            sides_known=bool(imported.get("sides", True)),
            models=self.models,
        )


def with_items_named(material: Material, ranking: Ranking, names: Mapping[str, str]) -> Material:
    """The material with other names for some items; `ranking` has them already."""
    return replace(
        material,
        ranking=_judges_of(ranking, material.ranking),
        votes=tuple(_vote(vote, names) for vote in material.votes),
        created={**material.created, "items": [names.get(item, item) for item in material.created["items"]]},
        models=replace(material.models, opinions=[_vote(vote, names) for vote in material.models.opinions]),
        shown={names.get(item, item): what for item, what in material.shown.items()},
    )


def _vote(vote: Vote, names: Mapping[str, str]) -> Vote:
    left, right, winner = (names.get(item, item) for item in (vote.left, vote.right, vote.winner))
    return replace(vote, left=left, right=right, winner=winner)


def _judges_of(ranking: Ranking, other: Ranking) -> Ranking:
    return replace(ranking, judges=other.judges)


def _named(ranking: Ranking, names: Mapping[str, str]) -> Ranking:
    judges = tuple(replace(judge, name=names.get(str(judge.name), judge.name)) for judge in ranking.judges)
    return replace(ranking, judges=judges)
