"""Two-stage ranking that looks for its judge in a random subset only. Paper: MTSR, where SUS finds the judge.

Where judges are very many, asking each of them once already costs more than ranking.
"""

from __future__ import annotations

import math

from juryrank.core import chance
from juryrank.options.paper import SubsetChoices
from juryrank.rankers.paper.two_stage import TwoStage

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
