"""First find a good judge, then rank with that judge alone. Paper: TSR, where NUS finds the judge.

pair     settle one pair of items by asking everybody (IIR on two items)
select   find a good judge on that pair (successive elimination, or Median-Elimination by option)
rank     IIR on all items with the judge found (constants `released`: with all who survived)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from juryrank.core import chance
from juryrank.options import SubsetChoices, TwoStageChoices
from juryrank.rankers.paper.core.selection import MedianElimination, SuccessiveElimination
from juryrank.rankers.paper.insertion import InsertionRanker
from juryrank.types import Item, Judge

TIE_STREAM = 3  # chance: ties among judges in Median-Elimination
NOT_CHOSEN = "dropped: another judge was selected on the first pair"


class TwoStage(InsertionRanker):
    """Naive-User-Selection, then insertion with the judge selected.

    >>> ranker = TwoStage("abc", judges=["ann", "bob"], error=0.1, selection="median", alpha=0.3)
    >>> ranker.progress.phase
    'settling the first pair'
    """

    name = "two-stage"
    title = "Finds one good judge on one pair first, then inserts items with that judge alone"
    stages = 3  # that share the error, under `paper`

    declared = TwoStageChoices
    chosen: TwoStageChoices

    def __init__(self, items: Iterable[Item], *, judges: Iterable[Judge], **given: Any) -> None:
        super().__init__(items, judges=judges, **given)
        self._alpha = self.constants.judge_epsilon if self.chosen.alpha is None else self.chosen.alpha
        self._first_pair: tuple[int, int] | None = None  # better, worse
        self._select_answers = 0
        self._selection = self._new_selection()
        if len(self.items) > 1 and len(self._selection.members) > 0:
            self._stage = "pair"
            self._insertion = self._new_insertion([0, 1], error=self._share())

    def _share(self) -> float:
        return self.error / self.stages if self.constants.split_stages else self.error

    def _ranking_error(self) -> float:
        return self._share()

    def _members(self) -> list[int]:
        return list(range(len(self.judge_names)))

    def _accuracy_step(self) -> float:
        """ε of the selection."""
        return self._alpha

    def _new_selection(self) -> SuccessiveElimination | MedianElimination:
        if self.chosen.selection == "median":
            return MedianElimination(self._members(), alpha=self._accuracy_step(), error=self._share())
        return SuccessiveElimination(
            self._members(),
            n_items=max(len(self.items), 1),
            epsilon=self._accuracy_step(),
            error=self._share(),
            constants=self.constants,
        )

    # ------------------------------------------------------------------ stages
    def _room(self) -> int:
        return self._selection.still_needed if self._stage == "select" else super()._room()

    def _pair(self) -> tuple[int, int]:
        if self._stage == "select" and self._first_pair is not None:
            return self._first_pair
        return super()._pair()

    def _duel(self) -> int:
        return 0 if self._stage == "select" else super()._duel()

    def _candidates(self) -> list[int]:
        if self._stage != "select":
            return super()._candidates()
        waiting: dict[int, int] = {}
        for question in self.outstanding.unanswered:
            if question.terms.get("stage") == "select":
                u = self.roster.judge(question.judge)
                waiting[u] = waiting.get(u, 0) + 1
        return self._selection.candidates(waiting)

    def _take(self, u: int, first_wins: bool) -> None:
        if self._stage != "select":
            super()._take(u, first_wins)
            return
        self._select_answers += 1
        self._selection.answer(
            u, first_wins, lambda judge: chance.uniform(self.seed, TIE_STREAM, self._select_answers + judge)
        )
        if self._selection.finished:
            self._begin_ranking()

    def _item_placed(self) -> None:
        if self._stage == "pair":
            better, worse = self._insertion.order
            self._first_pair = (better, worse)
            self._stage = "select"
            if self._selection.finished:
                self._begin_ranking()

    def _begin_ranking(self) -> None:
        keep = {self._selection.chosen} if self.constants.split_stages else set(self._selection.remaining)
        self._drop([u for u in list(self._active) if u not in keep], NOT_CHOSEN)
        self._stage = "rank"
        self._insertion = self._new_insertion(range(len(self.items)), error=self._share())

    # ------------------------------------------------------------------ what is known
    def _tally(self, u: int) -> tuple[int, int]:
        answered, right = super()._tally(u)
        if u not in self._selection.members:
            return answered, right
        selected, selected_right = self._selection.tally(u)
        return answered + selected, right + selected_right

    def _selection_answers(self) -> int | None:
        return self._select_answers

    def _state(self) -> dict[str, Any]:
        return {
            **super()._state(),
            "first_pair": self._first_pair,
            "select_answers": self._select_answers,
            "selection": self._selection.to_json(),
        }

    def _load(self, state: Mapping[str, Any]) -> None:
        if state["stage"] == "rank":
            self._insertion = self._new_insertion(range(len(self.items)), error=self._share())
        super()._load(state)
        self._first_pair = tuple(state["first_pair"]) if state["first_pair"] else None
        self._select_answers = state["select_answers"]
        self._selection.load(state["selection"])


# ----------------------------------------------------------------------------
# Two-stage ranking that looks for its judge in a random subset only. Paper: MTSR, where SUS finds the judge.
#
# Where judges are very many, asking each of them once already costs more than ranking.
SUBSET_STREAM = 4  # chance: who is in the subset


def default_subset(n_judges: int, *, alpha: float, error: float) -> int:
    """The paper's L = ceil(log(δ/4) / log F(b - α/2)) for margins spread evenly over (0, 1/2], at most all judges.

    >>> default_subset(1000, alpha=0.15, error=0.05)
    27
    """
    return min(n_judges, math.ceil(math.log(error / 4) / math.log(1 - alpha)))


class SubsetTwoStage(TwoStage):
    """Subset-User-Selection among `subset` random judges, then insertion with the judge selected.

    >>> ranker = SubsetTwoStage("abc", judges=range(50), subset=5, error=0.1)
    >>> len(ranker.subset)
    5
    """

    name = "subset-two-stage"
    title = "Two-stage that looks for its judge among a few drawn at random: for very many judges"
    stages = 4  # the first pair, the selection, the ranking, and the subset holding a good judge

    declared = SubsetChoices
    chosen: SubsetChoices

    @property
    def subset(self) -> list[int]:
        """The judges among whom one is selected."""
        size = self.chosen.subset
        if size is None:
            size = default_subset(len(self.judge_names), alpha=self._alpha, error=self.error)
        everybody = list(range(len(self.judge_names)))
        return sorted(chance.shuffled(everybody, self.seed, SUBSET_STREAM)[:size])

    def _members(self) -> list[int]:
        return self.subset

    def _accuracy_step(self) -> float:
        return self._alpha / 2 if self.constants.split_stages else self._alpha
