"""The best guess for a small budget: every question goes where it tells most, and nothing is ever proven.

Its state is the answers it has heard, and who was asked what; scores and judges are fitted to them anew before
each question, so that a replayed or restored ranker goes on exactly alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from juryrank.core import chance
from juryrank.defaults import GUESS_ITEMS, GUESS_PER_ITEM
from juryrank.options import GuessChoices
from juryrank.rankers.contract.limits import RecordedUse
from juryrank.rankers.contract.ranker import Draft, Ranker
from juryrank.rankers.guess.core.asking import (
    CORE_EACH,
    CORE_FROM,
    CORE_ITEMS,
    CORE_PER_ITEM,
    choose_judge,
    doubt,
    worth_asking,
)
from juryrank.rankers.guess.core.many import RunningScores, fit_many
from juryrank.rankers.guess.core.posterior import (
    LAPSES,
    PRIOR,
    CountedAnswers,
    Floats,
    Ints,
    Posterior,
    ScoreBelief,
    fit,
    meant,
)
from juryrank.statements.details import GuessDetails
from juryrank.statements.promises import GuessPromise
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Link, Progress, Question, Ranking

OWED_TRIED = 20  # items that a judge is not to be asked about again are passed over, up to so many
NOISE_STREAM, CORE_STREAM = 21, 22  # streams of chance: equally good choices, the items to begin with
CLEAR = 0.02  # it stops where no two neighbours are in more doubt than this
ORDER_PRIOR = meant(1.0)  # of judges, for the order: small lapses are a little likelier than large ones
LARGE = (
    "With more than {most} items no pair is chosen among all: each question is about an item that is owed one, "
    "the likely first places first, and another that looks near it."
)


class Guess(Ranker):
    """The best guess, and no promise.

    >>> ranker = Guess("abcd", judges=["ann", "bob"], budget=20)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order, ranker.ranking.certified
    (('a', 'b', 'c', 'd'), False)
    """

    name: ClassVar[str] = "guess"
    title: ClassVar[str] = "The best guess for a small budget, without any promise"
    recorded = RecordedUse.ANSWERS
    true_order = False  # it promises none
    promises = False
    any_order = True
    sets_aside = False  # it is about what everybody says, whoever is right

    declared = GuessChoices
    chosen: GuessChoices

    def __init__(
        self, items: Iterable[Item], *, judges: Iterable[Judge], budget: int | None = None, **given: Any
    ) -> None:
        super().__init__(items, judges=judges, budget=budget, **given)
        self._running: RunningScores | None = None
        self._places = np.zeros(len(self.items), np.int64)  # by item: how often asked about
        if len(self.items) > GUESS_ITEMS:
            self._running = RunningScores(len(self.items), judges=len(self.judge_names))
        if budget is None:
            self.budget = GUESS_PER_ITEM * len(self.items)
        self.repeats = self.chosen.repeats
        self._times: dict[tuple[int, int, int], int] = {}  # (judge, pair): how often asked, by item numbers
        self._fitted: tuple[tuple[int, int, int], Posterior] | None = None

    # ------------------------------------------------------------------ asking
    def _choose(self, judge: int | None) -> Draft | None:
        if len(self.items) < 2:
            return None
        noise = np.random.default_rng([self.seed & 0xFFFFFFFFFFFF, NOISE_STREAM, self.outstanding.next_id])
        able = self._able() if judge is None else np.array([judge])
        while len(able):
            chosen = self._judge_of(able, noise.random(len(self.judge_names)))
            pair = self._pair_for(chosen, noise) if self._running is None else self._owed_pair(chosen, noise)
            if pair is not None:
                return Draft(chosen, *pair)
            able = able[able != chosen]
        return None

    def _able(self) -> Ints:
        out = self.roster.paused
        return np.array(
            [u for u in range(len(self.judge_names)) if u not in out and self._affordable(u)], np.int64
        )

    def _judge_of(self, able: Ints, noise: Any) -> int:
        if len(able) == 1:
            return int(able[0])
        prices = np.array([self.prices[name] for name in self.judge_names])
        to_come = float(self.budget - self.questions)
        return choose_judge(self.posterior(), allowed=able, to_come=to_come, prices=prices, noise=noise)

    def _pair_for(self, judge: int, noise: np.random.Generator) -> tuple[int, int] | None:
        """The pair that tells most, of those that are not out and that this judge may be asked."""
        first, second = np.triu_indices(len(self.items), 1)
        keep = ~self._closed(judge, first, second)
        few = keep & self._core(first, second)
        rows = np.flatnonzero(few if few.any() else keep)
        if not len(rows):
            return None
        to_come = float(self.budget - self.questions)
        told = worth_asking(self.posterior(), judge, first[rows], second[rows], to_come=to_come)
        best = rows[np.argmax(told * (1 + 1e-3 * noise.random(len(told))))]
        return int(first[best]), int(second[best])

    def _owed_pair(self, judge: int, noise: np.random.Generator) -> tuple[int, int] | None:
        """Of many items: one of those owed most, and of those near it the one that tells most."""
        assert self._running is not None
        luck = noise.random(len(self.items))
        owed = self._running.owed(self._places) + 1e-3 * luck
        most = min(OWED_TRIED, len(owed) - 1)
        tried = np.argpartition(-owed, most)[:most]
        for x in tried[np.argsort(-owed[tried], kind="stable")]:
            near = self._running.opponents(int(x), luck=luck)
            first, second = np.minimum(x, near), np.maximum(x, near)
            keep = ~self._closed(judge, first, second)
            if not keep.any():
                continue
            first, second = first[keep], second[keep]
            told = worth_asking(self._running, judge, first, second, to_come=0.0)
            best = int(np.argmax(told * (1 + 1e-3 * luck[: len(told)])))
            return int(first[best]), int(second[best])
        return None

    def _closed(self, judge: int, first: Ints, second: Ints) -> Any:
        """Pairs with a question out, and those that this judge was asked often enough."""
        items = len(self.items)
        out = [sorted((self.roster.item(q.left), self.roster.item(q.right))) for q in self.open_questions]
        closed = {low * items + high for low, high in out}
        if self.repeats is not None:
            asked = (key for key, times in self._times.items() if key[0] == judge and times >= self.repeats)
            closed |= {low * items + high for _, low, high in asked}
        return np.isin(first * items + second, np.array(sorted(closed), np.int64))

    def _core(self, first: Ints, second: Ints) -> Any:
        """With many items the first questions go to a few of them: else no answer could contradict another."""
        items, judges = len(self.items), len(self.judge_names)
        pays = judges > 1 and items >= CORE_FROM and self.budget >= CORE_PER_ITEM * items
        if not pays or self.questions >= CORE_ITEMS * CORE_EACH:
            return np.ones(len(first), bool)
        few = chance.shuffled(range(items), self.seed, CORE_STREAM)[:CORE_ITEMS]
        return np.isin(first, few) & np.isin(second, few)

    def posterior(self) -> ScoreBelief:
        """Scores and judges as questions are chosen by them, fitted to all answers; of many items as they come."""
        if self._running is not None:
            return self._running
        state = (self.heard.answers, len(self.items), len(self.judge_names))
        if self._fitted is None or self._fitted[0] != state:
            self._fitted = (state, self._fit(PRIOR))
        return self._fitted[1]

    def _read(self) -> ScoreBelief:
        """The same as the order is read from them: who is asked must earn it, what was said is taken as meant."""
        if self._running is not None:
            answers = CountedAnswers.of(self.heard.table())
            return fit_many(answers, items=len(self.items), judges=len(self.judge_names), prior=ORDER_PRIOR)
        return self._fit(ORDER_PRIOR)

    def _fit(self, prior: Floats) -> Posterior:
        answers = CountedAnswers.of(self.heard.table())
        return fit(answers, items=len(self.items), judges=len(self.judge_names), prior=prior)

    def _asked(self, question: Question) -> None:
        low, high = sorted((self.roster.item(question.left), self.roster.item(question.right)))
        key = (self.roster.judge(question.judge), low, high)
        self._times[key] = self._times.get(key, 0) + 1
        self._places[[low, high]] += 1

    def _count(self, question: Question, answer: Answer) -> None:
        """Everything is in `heard` already; scores of many items move with each answer."""
        if self._running is None or answer is SKIP:
            return
        u, left, right = self.roster.judge(question.judge), *map(self.roster.item, (question.left, question.right))
        if answer in (TIE, question.left):
            self._running.hear(u, winner=left, loser=right, weight=0.5 if answer is TIE else 1.0)
        if answer in (TIE, question.right):
            self._running.hear(u, winner=right, loser=left, weight=0.5 if answer is TIE else 1.0)

    def _lane_for(self, question: Question) -> Hashable:
        return None

    def _finished(self) -> bool:
        if len(self.items) < 2:
            return True
        if self._running is not None and self._places.min() < 2:
            return False  # somebody was hardly asked about: no need to look at everybody
        return self.heard.answers > 0 and doubt(self.posterior()) < CLEAR

    # ------------------------------------------------------------------ what is known
    def _ranking(self) -> Ranking:
        order = [int(k) for k in np.argsort(-self._read().mean, kind="stable")]
        rows: dict[tuple[int, int], list[list[int]]] = {}
        for row in self.heard.rows():
            rows.setdefault((row[1], row[2]), []).append(row)
        return Ranking(
            order=tuple(self.items[k] for k in order),
            certified=False,
            error=self.error,
            questions=self.questions,
            ranker=self.name,
            links=tuple(self._link(rows, a, b) for a, b in pairwise(order)),
            judges=self.judges,
            ranges=((1, len(order)),) * len(order),
            statement=GuessPromise(error=self.error).words,
            warnings=() if self._running is None else (LARGE.format(most=GUESS_ITEMS),),
            details=GuessDetails(repeats=self.repeats, doubt=round(doubt(self.posterior()), 4)),
        )

    def _link(self, rows: Mapping[tuple[int, int], list[list[int]]], a: int, b: int) -> Link:
        by = {}
        for u, low, _, preferred, other, _ in rows.get((min(a, b), max(a, b)), ()):
            if preferred + other:
                by[self.judge_names[u]] = (preferred, other) if a == low else (other, preferred)
        agree, against = (sum(both[k] for both in by.values()) for k in (0, 1))
        return Link(self.items[a], self.items[b], False, None, None, agree, against, by)

    def _judge_report(self, u: int) -> JudgeReport:
        heard = self.roster.answered[u] > 0
        lapse = self.posterior().jury.belief[u].sum(axis=1)
        share = np.cumsum(lapse)  # from the largest lapse to the smallest
        low, high = (1 - LAPSES[int(np.searchsorted(share, q))] for q in (0.05, 0.95))
        paused = u in self.roster.paused
        return JudgeReport(
            name=self.judge_names[u],
            asked=self.roster.asked[u],
            answered=self.roster.answered[u],
            right=round(float(self.roster.answered[u] * (1 - lapse @ LAPSES)), 3),
            accuracy=float(1 - lapse @ LAPSES) if heard else None,
            low=float(low) if heard else None,
            high=float(high) if heard else None,
            active=not paused,
            note="paused" if paused else "accuracy where items are far apart" if heard else "",
            price=self.prices[self.judge_names[u]],
        )

    def _progress(self) -> Progress:
        return Progress(
            items=len(self.items),
            placed=len(self.items),
            settled=0,
            links=max(len(self.items) - 1, 0),
            judges=len(self.judge_names),
            active_judges=len(self.judge_names) - len(self.roster.paused),
            questions=self.questions,
            open=len(self.open_questions),
            expected=float(self.budget),
            cost=self.cost,
            phase="guessing: nothing will be proven",
        )

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        return ("nothing is promised, so nothing is assumed; the guess supposes one order behind all answers",)

    @classmethod
    def weighs_judges(cls) -> bool:
        return True

    # ------------------------------------------------------------------ joining, snapshots
    def _judge_joined(self, u: int) -> None:
        """Known from now on."""
        if self._running is not None:
            self._running.grow(judges=1)

    def _items_joining(self, items: Sequence[Item]) -> None:
        """Any item may join: how questions are chosen stays as it began."""

    def _items_joined(self, count: int) -> None:
        self._places = np.append(self._places, np.zeros(count, np.int64))
        if self._running is not None:
            self._running.grow(items=count)

    def _done_words(self) -> str:
        return "No two neighbours are in doubt any more: more questions would change the guess very little."

    def _state(self) -> dict[str, Any]:
        running = {} if self._running is None else {"running": self._running.state()}
        return {"times": [[*key, times] for key, times in sorted(self._times.items())], **running}

    def _load(self, state: Mapping[str, Any]) -> None:
        self._times = {(u, low, high): times for u, low, high, times in state["times"]}
        for (_, low, high), times in self._times.items():
            self._places[[low, high]] += times
        self._running = None
        if "running" in state:
            self._running = RunningScores(len(self.items), judges=len(self.judge_names))
            self._running.load(state["running"])
