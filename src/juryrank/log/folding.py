"""State = fold(events): a ranker driven by a log.

Undo, another ranker, another error or an audit are all the same operation: fold again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from juryrank.errors import BadInput
from juryrank.log import bodies
from juryrank.log.chain import Event, SecretSeed, opened_in, seed_for
from juryrank.log.gold import GoldBook
from juryrank.log.kinds import EventKind
from juryrank.log.reader import NOTHING, LogReader, answers_taken_back
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.contract.sides import answer_of
from juryrank.rankers.registry import make_ranker
from juryrank.types import Question, Ranking

POST_HOC_STATEMENT = "Post-hoc: something was chosen after answers had been seen, so this promises nothing."


@dataclass(slots=True)
class Fold(LogReader):
    """A ranker driven by a log. `apply` each event once, in order; `edits` lists what makes it post-hoc.

    A retraction, or answers discarded afterwards, change the past: `stale` is then True, and the caller
    folds again from the start (`fold`), where the answers concerned are left out.
    """

    created: Mapping[str, Any]
    ranker: Ranker
    seq: int = 1
    closed: bool = False
    edits: list[str] = field(default_factory=list)
    stale: bool = False
    taken_back: Mapping[int, bool] = field(default_factory=lambda: NOTHING)  # `told` events to leave out
    gold: GoldBook = field(default_factory=GoldBook)
    because: dict[str, str] = field(default_factory=dict)  # judge who was set aside -> why

    @classmethod
    def start(cls, created: Mapping[str, Any], *, secret: SecretSeed | None = None) -> Fold:
        """The state after a `created` event; `secret`: the seed, where the event holds only its hash."""
        options = dict(created.get("options") or {})
        ranker = make_ranker(
            created["ranker"],
            created["items"],
            judges=created["judges"],
            error=created["error"],
            seed=seed_for(created, secret),
            budget=created.get("budget"),
            prices=created.get("prices"),
            money=created.get("money"),
            **options,
        )
        return cls(created, ranker, edits=list(created.get("edits") or []))

    @contextmanager
    def knowing(self, events: Sequence[Event]) -> Iterator[None]:
        """Walk these events inside: an answer that they take back, which must be among them, is left out."""
        self.taken_back, edits = answers_taken_back(events, fresh=bool(self.created.get("fresh")))
        self.edits.extend(edits)
        yield
        self.taken_back, self.stale = NOTHING, False

    def passed(self, event: Event) -> None:
        self.seq = event.seq

    def on_asked(self, event: Event, asked: bodies.Asked) -> None:
        self.ranker.replay(recorded_question(asked))

    def on_told(self, event: Event, told: bodies.Told) -> None:
        for_good = self.taken_back.get(event.seq)
        if for_good is None:
            question = self.ranker.outstanding.find(told.q)
            if told.source == bodies.FAILED and told.answer == "skip":
                self.ranker.fail(question)
            else:
                self.ranker.tell(question, answer_of(question, told.answer, told.grade))
            if told.source == bodies.IDENTICAL:
                self.ranker.waive(question)
        elif for_good:  # as if it had never come, so that later answers of its lane do not wait for it
            self.ranker.expire(told.q)

    def on_expired(self, event: Event, expired: bodies.Expired) -> None:
        self.ranker.expire(expired.q)

    def on_lapsed(self, event: Event, lapsed: bodies.Lapsed) -> None:
        self.ranker.lapse(lapsed.sitting)

    def on_retracted(self, event: Event, retracted: bodies.Retracted) -> None:
        self.stale = True

    def on_judge_added(self, event: Event, added: bodies.JudgeAdded) -> None:
        self.ranker.add_judge(added.judge, price=added.price)
        self._draws_anew(added.entropy)
        if self.gold.refutes(added.judge):  # by gold pairs that were asked before
            self.ranker.refute_judge(added.judge)

    def on_judge_paused(self, event: Event, paused: bodies.JudgePaused) -> None:
        self.ranker.pause_judge(paused.judge)
        if paused.reason:
            self.because[paused.judge] = paused.reason

    def on_judge_resumed(self, event: Event, resumed: bodies.JudgeResumed) -> None:
        self.ranker.resume_judge(resumed.judge)
        self.because.pop(resumed.judge, None)

    def on_judge_removed(self, event: Event, removed: bodies.JudgeRemoved) -> None:
        self.ranker.remove_judge(removed.judge)
        self.stale = self.stale or bool(removed.discard)

    def on_items_added(self, event: Event, added: bodies.ItemsAdded) -> None:
        self.ranker.add_items(added.items)
        self._draws_anew(added.entropy)
        if added.same_outputs is not None:
            self.ranker.note_same_outputs(added.same_outputs)

    def _draws_anew(self, entropy: int | None) -> None:
        if entropy is not None:
            self.ranker.draw_anew(entropy)

    def on_items_withdrawn(self, event: Event, withdrawn: bodies.ItemsWithdrawn) -> None:
        self.ranker.withdraw_items(withdrawn.items)

    def on_closed(self, event: Event, closed: bodies.Closed) -> None:
        self.closed = True

    def on_reopened(self, event: Event, reopened: bodies.Reopened) -> None:
        self.closed = False

    def on_aside(self, event: Event, aside: bodies.Aside) -> None:
        if self.gold.note(aside) and aside.judge in self.ranker.judge_names:
            self.ranker.refute_judge(aside.judge)

    def on_probed(self, event: Event, probed: bodies.Probed) -> None:
        if probed.cost is not None:
            self.gold.paid(probed.judge, probed.cost)

    def ranking(self, names: Mapping[str, str] | None = None) -> Ranking:
        """The ranker's result with what gold pairs say; after an edit it is post-hoc and promises nothing.

        `names`: other names for some items.
        """
        ranker = self.ranker.under_names(names) if names else self.ranker
        return post_hoc(with_gold(with_reasons(ranker.ranking, self.because), self.gold), self.edits)


def with_reasons(ranking: Ranking, because: Mapping[str, str]) -> Ranking:
    """The result, with the reason noted for each judge who was set aside."""
    if not because:
        return ranking
    judges = tuple(
        replace(report, active=False, note=f"set aside: {because[str(report.name)]}")
        if report.name in because
        else report
        for report in ranking.judges
    )
    return replace(ranking, judges=judges)


def with_gold(ranking: Ranking, gold: GoldBook) -> Ranking:
    """The result, with how each judge did on gold pairs in its details."""
    if not gold.records:
        return ranking
    details = replace(ranking.details, gold=gold.to_dict())
    return replace(ranking, details=details).with_warnings(*gold.warnings())


def post_hoc(ranking: Ranking, edits: Sequence[str]) -> Ranking:
    """The same order without its promise, as something was chosen after answers had been seen."""
    if not edits:
        return ranking
    edited = (*ranking.post_hoc, *edits)
    return replace(ranking, certified=False, proven=False, post_hoc=edited, statement=POST_HOC_STATEMENT)


def recorded_question(asked: bodies.Asked) -> Question:
    """The question of an `asked` event."""
    return Question(asked.q, asked.judge, asked.left, asked.right, asked.terms or {}, asked.case)


def fold(events: Iterable[Event], *, secret: SecretSeed | None = None) -> Fold:
    """The state that a whole log stands for, with retractions and discards taken into account.

    `secret`: the seed of a log that has committed it and not opened it yet.

    >>> from juryrank.log import GENESIS, chained, settings
    >>> log = [chained(GENESIS, 1, "created", settings("abc", judges=["ann"], ranker="iir", error=0.1))]
    >>> fold(log).ranker.ask().judge
    'ann'
    """
    log = list(events)
    if not log or log[0].kind != EventKind.CREATED:
        raise BadInput("a log starts with its `created` event; this one does not: it is empty or cut off")
    state = Fold.start(log[0].data, secret=secret or opened_in(log))
    with state.knowing(log[1:]):
        return state.walk(log[1:])
