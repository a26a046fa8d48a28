"""What a report is made of: a study's log as votes, its result, and the settings it was created with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from juryrank.log import Conduct, Event, EventKind, conduct_of
from juryrank.log.bodies import IDENTICAL
from juryrank.report.page.document import ShownItem
from juryrank.types import Ranking
from juryrank.votes.asides import ModelsInLog, models_in
from juryrank.votes.from_log import votes_of
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
    log = list(events)
    created = dict(log[0].data) if log else {}
    closing = [event.kind for event in log if event.kind in (EventKind.CLOSED, EventKind.REOPENED)]
    imported = dict((created.get("settings") or {}).get("imported") or {})
    votes = [vote for vote in votes_of(log, study=name) if vote.source != IDENTICAL]  # nobody was asked for those
    return Material(
        name=name or str(created.get("name") or "Ranking"),
        ranking=_named(ranking, names or {}),
        votes=tuple(replace(vote, judge=(names or {}).get(vote.judge, vote.judge)) for vote in votes),
        created=created,
        events=len(log),
        last_hash=log[-1].hash if log else "",
        last_at=next((event.at for event in reversed(log) if event.at), "") or "",
        closed=bool(closing) and closing[-1] == EventKind.CLOSED,
        state=state,
        edits=tuple(ranking.post_hoc),
        conduct={(names or {}).get(judge, judge): one for judge, one in conduct_of(log).items()},
        imported=bool(imported),
        sides_known=bool(imported.get("sides", True)),
        models=models_in(log),
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
