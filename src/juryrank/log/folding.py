"""State = fold(events): a ranker driven by a log.

Undo, another ranker, another error or an audit are all the same operation: fold again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, cast

from juryrank.errors import BadInput
from juryrank.log import bodies
from juryrank.log.bodies import IDENTICAL, MODEL, RECALLED, REFUSED, Aside, Asked, Expired, Probed, Told
from juryrank.log.chain import (
    COMMITMENT,
    NOTHING,
    Event,
    LogReader,
    SecretSeed,
    answer_anew,
    answers_taken_back,
    opened_in,
)
from juryrank.log.fields import LOG_SCHEMA, Body
from juryrank.log.gold import GoldBook
from juryrank.log.kinds import EventKind
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.contract.roster import answer_of
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
        self.taken_back, edits = answers_taken_back(events, fresh=answer_anew(self.created))
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
                self.ranker.tell(question, answer_of(question, told.answer, told.grade, told.order))
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


def asked(
    question: Question,
    *,
    deadline: str | None = None,
    sitting_deadline: str | None = None,
    sitting_idle: float | None = None,
) -> bodies.Asked:
    """The event that says that a question was asked.

    >>> asked(Question(1, "ann", "tea", "milk")).data()["right"]
    'milk'
    """
    return bodies.Asked(
        q=question.id,
        judge=cast(str, question.judge),  # checked like any other field
        left=cast(str, question.left),
        right=cast(str, question.right),
        terms=dict(question.terms),
        deadline=deadline,
        sitting_deadline=sitting_deadline,
        sitting_idle=sitting_idle,
        case=question.case,
        shown=[*map(str, question.shown)] or None,
    )


def recorded_question(asked: bodies.Asked) -> Question:
    """The question of an `asked` event."""
    shown = tuple(asked.shown or ())
    return Question(asked.q, asked.judge, asked.left, asked.right, asked.terms or {}, asked.case, shown)


def settings(
    items: Iterable[str], *, judges: Iterable[str], ranker: str, error: float, seed: int = 0, **more: Any
) -> dict[str, Any]:
    """The data of a `created` event."""
    return {
        "schema": LOG_SCHEMA,
        "items": list(items),
        "judges": list(judges),
        "ranker": ranker,
        "error": error,
        "seed": seed,
        **more,
    }


def commitment_in(created: Mapping[str, Any]) -> str | None:
    """The hash that a study's seed is committed by; None: its seed is not hidden."""
    found: str | None = (created.get("options") or {}).get(COMMITMENT)
    return found


def seed_for(created: Mapping[str, Any], known: SecretSeed | None) -> int:
    """The seed of a log's draws; raises where it is committed and neither known here nor opened."""
    commitment = commitment_in(created)
    if commitment is None:
        return int(created["seed"])
    if known is None:
        raise BadInput(
            "the seed of this study is committed and not opened yet, so its log cannot be followed elsewhere: "
            "make its certificate where the study was made, which opens the seed once it is done or closed"
        )
    if known.commitment != commitment:
        raise BadInput("the seed that was opened is not the one that was committed: the log was altered")
    return known.seed


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


# ----------------------------------------------------------------------------
# What the calls of a run cost: one rule for the run that writes a log and for whoever reads it again.
NO_FEE = {IDENTICAL, MODEL, RECALLED, REFUSED}  # sources of answers without a call, or of a model without a price


class Paid:
    """Money: what a model's event says, and for each call of another judge its price, where prices are given.

    >>> paid = Paid({"program": 2.0})
    >>> paid.note(Aside(judge="program", left="a", right="b", answer="left", purpose="gold", n=1))
    >>> paid.total is None
    True
    >>> paid.note(Probed(judge="model", found={}, cost=0.5))
    >>> paid.total
    2.5
    """

    def __init__(self, prices: Mapping[str, float] | None) -> None:
        self._prices = prices or {}
        self._said: dict[str, float] = {}  # by judge
        self._calls: Counter[str] = Counter()  # of judges whose events say no cost
        self._judge: dict[int, str] = {}

    def note(self, body: Body) -> None:
        """Take in one event."""
        if isinstance(body, Asked):
            self._judge[body.q] = body.judge
        if not isinstance(body, Told | Expired | Aside | Probed):
            return
        judge = self._judge[body.q] if isinstance(body, Told | Expired) else body.judge
        if body.cost is not None:
            self._said[judge] = self._said.get(judge, 0.0) + body.cost
        elif not isinstance(body, Probed) and not (isinstance(body, Told) and body.source in NO_FEE):
            self._calls[judge] += 1

    @property
    def total(self) -> float | None:
        """All of it; None: no model's price is known."""
        if not self._said:
            return None
        fees = (self._prices.get(judge, 0.0) * calls for judge, calls in self._calls.items())
        return sum(self._said.values()) + sum(fees)
