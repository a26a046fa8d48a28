"""What a report is made of: a study's log as votes, its result, and the settings it was created with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

from juryrank.errors import BadSnapshot
from juryrank.log import Conduct, ConductTable, Event, EventKind, fold
from juryrank.log.bodies import IDENTICAL
from juryrank.report.page.compose import ShownItem, compose, report_html, report_markdown
from juryrank.types import Ranking
from juryrank.verify.certificate import LiveStatement
from juryrank.verify.chain import check_chain
from juryrank.votes.asides import ModelsInLog
from juryrank.votes.from_log import VoteTable
from juryrank.votes.vote import Outcome, Vote

if TYPE_CHECKING:
    from juryrank.study import Study


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


# ----------------------------------------------------------------------------
# Where a report's material comes from: a study, or the certificate of any ranking.
def study_material(study: Study, *, names: bool = False) -> Material:
    """A study's material; `names` shows people's names where they are known, not pseudonyms."""
    ranking = study.ranking(besides=False)  # the report says it, under the names it shows
    known = {judge: person.name for judge, person in study.people().items()} if names else {}
    return material_of(study.events(), ranking, name=study.name, names=known, state=study.progress().state)


def certificate_material(document: Mapping[str, Any], *, name: str = "Ranking") -> Material:
    """The material of a certificate: the result is folded again from its events, not taken from its claims."""
    chain = check_chain(document["events"], document["head"])
    if not chain.ok:
        raise BadSnapshot(f"this certificate was altered: {chain.words}. A report of it would not be true.")
    events = [Event(row["seq"], row["kind"], row["data"], row["at"], row["hash"]) for row in document["events"]]
    found = fold(events)
    state = "done" if found.ranker.done else "spent" if found.ranker.spent else ""
    ranking = found.ranking()
    ranking = LiveStatement(lambda: events).complete(ranking, state=0, judges=False)
    return material_of(events, ranking, name=name, state=state)


def rendered(material: Material, *, format: str = "html", title: str = "") -> str:
    """The report as HTML or Markdown (`format="md"`)."""
    made = compose(material, title=title)
    return report_markdown(made) if format == "md" else report_html(made)


def study_report(
    study: Study,
    *,
    format: str = "html",
    title: str = "",
    names: bool = False,
    shown: Mapping[str, ShownItem] | None = None,
    items: Mapping[str, str] | None = None,
) -> str:
    """The whole report of a study; `shown`: what judges saw of its items; `items`: other names for some of them.

    >>> from juryrank import create_study
    >>> from juryrank.storage import MemoryStorage
    >>> study = create_study(["a", "b"], name="Letters", judges=["ann"], storage=MemoryStorage(), seed=1)
    >>> study_report(study, format="md").splitlines()[0]
    '# Letters'
    """
    material = replace(study_material(study, names=names), shown=shown or {})
    if items:
        material = with_items_named(material, study.ranking(names=items, besides=False), items)
    return rendered(material, format=format, title=title)


def certificate_report(document: Mapping[str, Any], *, format: str = "html", title: str = "Ranking") -> str:
    """The whole report of a certificate, such as `juryrank.rank(...).certificate()`.

    >>> from juryrank import rank
    >>> document = rank(["a", "b"], {"ann": min}, seed=1).certificate()
    >>> certificate_report(document, format="md", title="Letters").splitlines()[0]
    '# Letters'
    """
    return rendered(certificate_material(document, name=title), format=format)
