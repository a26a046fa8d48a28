"""What the paper's rankers share: an insertion ranking in stages, fed by a pool of judges.

A stage is either an insertion ranking (duel after duel) or a judge selection. Each question carries its stage
and duel in its terms; answers of one duel count in the order they were asked; one that comes after its duel's
verdict is late: kept, not counted. Ties and skips enter no count; they only spend budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any, ClassVar

import numpy as np

from juryrank.core import chance
from juryrank.core.intervals import wilson
from juryrank.options import PaperChoices, RankerOptions
from juryrank.rankers.contract.limits import JUDGE_STREAM, Draft, RecordedUse
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.guess.core.whole_order import whole_order
from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core.constants import constants_named
from juryrank.rankers.paper.core.insertion import Insertion
from juryrank.statements.details import PaperDetails
from juryrank.statements.promises import PaperPromise
from juryrank.types import SKIP, TIE, Answer, Item, Judge, JudgeReport, Link, Progress, Question, Ranking

# ----------------------------------------------------------------------------
# How many questions an insertion ranking will take in all, by the insertions so far. An estimate, no promise
#
# Inserting into a longer list takes more questions, but by how much depends on the judges. Measured costs lay
# between two guesses: an insertion costs the same whatever the list's length n, or it grows like 2 + log2(n + 1).
FEWEST = 3  # insertions from which their spread says something
SPREADS = 2.0  # the interval reaches so many standard errors beyond the two guesses

Outlook = tuple[float | None, float | None, float | None]  # expected, low, high


def outlook(placed_after: Sequence[int], *, items: int, asked: int) -> Outlook:
    """Questions in all; `placed_after`: how many had been asked when each item was placed.

    >>> outlook([100, 200, 300], items=5, asked=310)[0] > 400, outlook([], items=5, asked=7)
    (True, (None, None, None))
    """
    if not placed_after:
        return None, None, None
    flat, flat_spread = _total(placed_after, items, _alike)
    steep, steep_spread = _total(placed_after, items, _deeper)
    expected = max((flat + steep) / 2, float(asked))
    if len(placed_after) < FEWEST:
        return expected, None, None
    return expected, max(flat - SPREADS * flat_spread, float(asked)), steep + SPREADS * steep_spread


def _total(placed_after: Sequence[int], items: int, grows: Callable[[int], float]) -> tuple[float, float]:
    """The questions in all, and their spread, if the cost of an insertion grows like this."""
    costs = [later - earlier for earlier, later in pairwise((0, *placed_after))]
    rates = [cost / grows(listed) for listed, cost in enumerate(costs, 1)]
    ahead = [grows(listed) for listed in range(len(costs) + 1, items)]
    spread = stdev(rates) if len(rates) >= FEWEST else 0.0
    error = spread * math.sqrt(sum(one * one for one in ahead) + sum(ahead) ** 2 / len(rates))
    return placed_after[-1] + fmean(rates) * sum(ahead), error


def _alike(listed: int) -> float:
    return 1.0


def _deeper(listed: int) -> float:
    return 2.0 + math.log2(listed + 1)


# ----------------------------------------------------------------------------
# What the paper's rankers share: an insertion ranking in stages, fed by a pool of judges
NOT_FRESH = (
    "This ranker asks the same judge the same pair again and again, which proves something only where every "
    "answer is drawn anew (as simulated judges do: then say fresh=True). For people and "
    "deterministic programs use 'panel' or 'certified'."
)


PAPER_ASSUMES = (
    "every judge is right more often than not, and equally often on every pair",
    "answers are independent, and given anew each time",
)


class InsertionRanker(Ranker):
    """Base of the paper's rankers: `constants` is `paper` or `released`; `fresh` as in NOT_FRESH."""

    recorded = RecordedUse.ANSWERS
    true_order = True
    promises_parts = False
    any_order = True

    declared: ClassVar[type[RankerOptions]] = PaperChoices
    chosen: PaperChoices

    def __init__(self, items: Iterable[Item], *, judges: Iterable[Judge], **given: Any) -> None:
        super().__init__(items, judges=judges, **given)
        self.constants = constants_named(self.chosen.constants)
        self._fresh = self.chosen.fresh
        self._stage = "rank"
        self._in_flight = 0  # open questions of the running duel or selection
        self._active = list(range(len(self.judge_names)))  # whom to draw the next judge from
        self._credited = [0] * len(self.judge_names)
        self._right = [0] * len(self.judge_names)
        self._dropped_at: dict[int, int] = {}
        self._drop_note: dict[int, str] = {}
        self._tallies: dict[tuple[int, int, int], int] = {}  # (preferred, other, judge): answers
        self._placed_after: list[int] = []  # questions asked when each item was placed
        self._insertion = self._new_insertion(range(len(self.items)), error=self._ranking_error())

    def _new_insertion(self, items: Iterable[int], *, error: float) -> Insertion:
        return Insertion(list(items), error=error, constants=self.constants)

    def _ranking_error(self) -> float:
        return self.error

    @classmethod
    def assumptions(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        return PAPER_ASSUMES

    # ------------------------------------------------------------------ what to ask
    def _choose(self, judge: int | None) -> Draft | None:
        if self._room() <= self._in_flight:
            return None
        u = self._draw_judge(judge)
        if u is None:
            return None
        newcomer, opponent = self._pair()
        return Draft(u, newcomer, opponent, self._lane(), {"stage": self._stage, "duel": self._duel()})

    def _room(self) -> int:
        """Answers that the running duel may still need, at the most."""
        return self._insertion.longest - self._insertion.answers

    def _pair(self) -> tuple[int, int]:
        return self._insertion.pair

    def _duel(self) -> int:
        return self._insertion.duel

    def _lane(self) -> str:
        return f"{self._stage}:{self._duel()}"

    def _candidates(self) -> list[int]:
        return self._active

    def _in_play(self) -> list[int]:
        return self._active

    def _draw_judge(self, judge: int | None) -> int | None:
        candidates = [u for u in self._candidates() if u not in self.roster.paused and self._affordable(u)]
        if judge is not None:
            return judge if judge in candidates else None
        return chance.pick(candidates, self.seed, JUDGE_STREAM, self.outstanding.next_id) if candidates else None

    # ------------------------------------------------------------------ what comes back
    def _lane_for(self, question: Question) -> Hashable:
        return f"{question.terms.get('stage')}:{question.terms.get('duel')}"

    def _fits(self, question: Question) -> bool:
        """Does this question belong to the running duel? (An undo or another ranker may have asked others.)"""
        return self._lane_for(question) == self._lane() and set(self._pair()) == {
            self.roster.item(question.left),
            self.roster.item(question.right),
        }

    def _asked(self, question: Question) -> None:
        if not self.done and self._fits(question):
            self._in_flight += 1

    def _expired(self, question: Question) -> None:
        if not self.done and self._fits(question):
            self._in_flight -= 1

    def _count(self, question: Question, answer: Answer) -> None:
        if self.done or not self._fits(question):
            self.outstanding.late += 1
            return
        self._in_flight -= 1
        if answer is TIE or answer is SKIP:
            return
        u, preferred = self.roster.judge(question.judge), self.roster.item(answer)
        newcomer, opponent = self._pair()
        key = (preferred, opponent if preferred == newcomer else newcomer, u)
        self._tallies[key] = self._tallies.get(key, 0) + 1
        before = self._lane()
        self._take(u, preferred == newcomer)
        if self.done or self._lane() != before:
            self._in_flight = 0

    def _take(self, u: int, first_wins: bool) -> None:
        """One answer of judge u about the running pair."""
        credit = self._insertion.answer(u, first_wins)
        if credit is not None:
            for judge, (answered, right) in credit.items():
                self._credited[judge] += answered
                self._right[judge] += right
            self._placed_after.append(self.questions)
            self._item_placed()

    def _item_placed(self) -> None:
        """After each insertion."""

    def _drop(self, judges: Iterable[int], note: str) -> None:
        for u in judges:
            self._active.remove(u)
            self._dropped_at[u] = self.questions
            self._drop_note[u] = note

    def _finished(self) -> bool:
        return self._stage == "rank" and self._insertion.finished

    # ------------------------------------------------------------------ what is known
    def _ranking(self) -> Ranking:
        placed = self._insertion.order if self._stage == "rank" else []
        among = set(placed)
        missing = [item for k, item in enumerate(self.items) if k not in among]
        order = whole_order(placed, self._insertion.flight if placed else {}, range(len(self.items)))
        certified = self._finished() and self._fresh
        return Ranking(
            order=tuple(self.items[k] for k in order),
            certified=certified,
            error=self.error,
            questions=self.questions,
            ranker=self.name,
            links=tuple(self._link(a, b) for a, b in pairwise(placed)),
            judges=self.judges,
            ranges=tuple((k, k) if certified else (1, len(order)) for k in range(1, len(order) + 1)),
            statement=PaperPromise(error=self.error, finished=self._finished(), fresh=self._fresh).words,
            warnings=() if self._fresh else (NOT_FRESH,),
            details=PaperDetails(
                placed=len(placed),
                unplaced=missing,
                late=self.outstanding.late,
                constants=self.constants.name,
                selection_answers=self._selection_answers(),
            ),
        )

    def _selection_answers(self) -> int | None:
        """How many answers chose the judge, where one is chosen first."""
        return None

    def _tally(self, u: int) -> tuple[int, int]:
        """Answers of a judge that could be checked, and those right."""
        return self._credited[u], self._right[u]

    def _link(self, a: int, b: int) -> Link:
        by = {
            name: (self._tallies.get((a, b, u), 0), self._tallies.get((b, a, u), 0))
            for u, name in enumerate(self.judge_names)
        }
        by = {name: counts for name, counts in by.items() if any(counts)}
        return Link(
            self.items[a],
            self.items[b],
            settled=self._fresh,
            answers_for=sum(n for n, _ in by.values()),
            answers_against=sum(n for _, n in by.values()),
            by=by,
        )

    def _judge_report(self, u: int) -> JudgeReport:
        credited, right = self._tally(u)
        low, high = wilson(right, credited)
        active = u in self._active
        return JudgeReport(
            name=self.judge_names[u],
            asked=self.roster.asked[u],
            answered=self.roster.answered[u],
            right=right,
            accuracy=right / credited if credited else None,
            low=low if credited else None,
            high=high if credited else None,
            active=active and u not in self.roster.paused,
            dropped_at=self._dropped_at.get(u),
            note="paused"
            if u in self.roster.paused
            else "kept"
            if active
            else self._drop_note.get(u, "not asked"),
            price=self.prices[self.judge_names[u]],
        )

    def _progress(self) -> Progress:
        placed = self._insertion.placed if self._stage == "rank" and self.items else 0
        links = max(len(self.items) - 1, 0)
        expected, low, high = outlook(self._placed_after, items=len(self.items), asked=self.questions)
        return Progress(
            items=len(self.items),
            placed=placed,
            settled=max(placed - 1, 0),
            links=links,
            judges=len(self.judge_names),
            active_judges=len([u for u in self._active if u not in self.roster.paused]),
            questions=self.questions,
            open=len(self.open_questions),
            expected=expected,
            expected_low=low,
            expected_high=high,
            cost=self.cost,
            phase={"pair": "settling the first pair", "select": "selecting a judge"}.get(self._stage, "inserting"),
        )

    # ------------------------------------------------------------------ snapshots
    def _state(self) -> dict[str, Any]:
        return {
            "stage": self._stage,
            "in_flight": self._in_flight,
            "active": self._active,
            "credited": self._credited,
            "right": self._right,
            "dropped": [[u, at, self._drop_note[u]] for u, at in self._dropped_at.items()],
            "tallies": [[*key, n] for key, n in self._tallies.items()],
            "insertion": self._insertion.to_json(),
            "placed_after": self._placed_after,
        }

    def _load(self, state: Mapping[str, Any]) -> None:
        self._stage, self._in_flight = state["stage"], state["in_flight"]
        self._active = list(state["active"])
        self._credited, self._right = list(state["credited"]), list(state["right"])
        self._dropped_at = {u: at for u, at, _ in state["dropped"]}
        self._drop_note = {u: note for u, _, note in state["dropped"]}
        self._tallies = {(a, b, u): n for a, b, u, n in state["tallies"]}
        self._insertion.load(state["insertion"])
        self._placed_after = list(state.get("placed_after", []))


# ----------------------------------------------------------------------------
# The paper's own ranker: insertion, and after each item the judges who are surely worse are dropped.
#
# Paper: IIR with EliminateUser (Ada-IIR).
WORSE = "dropped: surely less often right than another judge"


class AdaIIR(InsertionRanker):
    """Iterative insertion with judge elimination.

    >>> ranker = AdaIIR(range(4), judges=["ann", "bob"], error=0.1)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order
    (0, 1, 2, 3)
    """

    name = "ada-iir"
    title = "The paper's: inserts items one by one and drops judges who are surely worse than another"

    def __init__(self, items: Any, *, judges: Any, **rest: Any) -> None:
        super().__init__(items, judges=judges, **rest)
        splits = max(len(self.items) - 1, 1) if self.constants.split_elimination else 1
        self._rule = elimination.rule(
            max(len(self.items), 1), len(self.judge_names), self.error / splits, self.constants
        )

    def _item_placed(self) -> None:
        pool = elimination.pool(len(self.judge_names), self._active)
        pool = pool._replace(answered=np.array(self._credited), right=np.array(self._right))
        if elimination.eliminate(pool, self._rule, sum(self._credited)):
            kept = set(pool.active[: pool.n_active[0]].tolist())
            self._drop([u for u in self._active if u not in kept], WORSE)


# ----------------------------------------------------------------------------
# The non-adaptive ranker: insert items one by one, asking judges at random. Paper: IIR (Ren et al. 2019).
class IIR(InsertionRanker):
    """Iterative-Insertion-Ranking over all judges alike.

    >>> ranker = IIR("abc", judges=["ann"], error=0.1)
    >>> while (question := ranker.ask()) is not None:
    ...     ranker.tell(question, min(question.left, question.right))
    >>> ranker.ranking.order, ranker.ranking.certified
    (('a', 'b', 'c'), True)
    """

    name = "iir"
    title = "Non-adaptive: inserts items one by one and asks every judge alike"
