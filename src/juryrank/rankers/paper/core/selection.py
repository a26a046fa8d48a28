"""Finding one good judge on one settled pair. Paper: the second half of NUS and SUS.

Two ways, both fed with one judged answer at a time ("right" = agrees with the settled pair):

    SuccessiveElimination   ask a random active judge; EliminateUser's test after each answer; stop when its
                            radius is under ε or one judge is left (what the paper's experiments use)
    MedianElimination       Even-Dar et al. 2002: rounds; every judge is asked equally often, the better half stays
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from juryrank.rankers.paper.core import elimination
from juryrank.rankers.paper.core.constants import Constants


class SuccessiveElimination:
    """Paper: successive elimination with ε (0.15 in the text, 0.05 in the released program)."""

    def __init__(
        self,
        members: Sequence[int],
        *,
        n_items: int,
        epsilon: float,
        error: float,
        constants: Constants,
    ) -> None:
        self.members = sorted(members)
        self._epsilon = epsilon
        self._pool = elimination.pool(len(self.members))
        self._rule = elimination.rule(n_items, len(self.members), error, constants)

    @property
    def remaining(self) -> list[int]:
        """Judges still in the running."""
        return [self.members[k] for k in self._pool.active[: self._pool.n_active[0]]]

    @property
    def finished(self) -> bool:
        return len(self.remaining) == 1 or elimination.radius(self._pool, self._rule) < self._epsilon

    @property
    def still_needed(self) -> int:
        """Answers that may still be needed, at the most."""
        m = int(self._pool.n_active[0])
        enough = math.floor(self._rule.log_pool[m] / (2 * self._epsilon**2)) + 1
        missing = np.maximum(enough - self._pool.answered[self._pool.active[:m]], 0)
        return max(int(missing.sum()), 1)

    def candidates(self, waiting: Mapping[int, int]) -> list[int]:
        """Whom to draw the next judge from (`waiting`: open questions per judge; every draw is blind to it)."""
        return self.remaining

    def answer(self, judge: int, right: bool, tie_break: Callable[[int], float]) -> None:
        k = self.members.index(judge)
        self._pool.answered[k] += 1
        self._pool.right[k] += right
        elimination.eliminate(self._pool, self._rule, int(self._pool.answered.sum()))

    @property
    def chosen(self) -> int:
        """The judge with the best estimate among the remaining."""
        return max(self.remaining, key=lambda u: (self._share(u), -u))

    def _share(self, judge: int) -> float:
        k = self.members.index(judge)
        return float(self._pool.right[k] / max(self._pool.answered[k], 1))

    def tally(self, judge: int) -> tuple[int, int]:
        """Answers given and right in the selection."""
        k = self.members.index(judge)
        return int(self._pool.answered[k]), int(self._pool.right[k])

    def to_json(self) -> dict[str, Any]:
        pool = {name: values.tolist() for name, values in self._pool._asdict().items()}
        return {"members": self.members, **pool}

    def load(self, state: Mapping[str, Any]) -> None:
        self.members = list(state["members"])
        self._pool = elimination.Pool(*(np.array(state[name], np.int64) for name in elimination.Pool._fields))


class MedianElimination:
    """Paper: Median-Elimination, with α as ε: ε₁ = α/4, δ₁ = δ/2; then ε ← 3ε/4, δ ← δ/2 every round."""

    def __init__(self, members: Sequence[int], *, alpha: float, error: float) -> None:
        self.members = sorted(members)
        self._remaining = list(self.members)
        self._epsilon, self._error = alpha / 4, error / 2
        self._total = dict.fromkeys(self.members, (0, 0))
        self._round = dict.fromkeys(self._remaining, (0, 0))

    @property
    def per_round(self) -> int:
        """How often every remaining judge is asked in this round."""
        return math.ceil(4 / self._epsilon**2 * math.log(3 / self._error))

    @property
    def remaining(self) -> list[int]:
        return list(self._remaining)

    @property
    def finished(self) -> bool:
        return len(self._remaining) == 1

    @property
    def still_needed(self) -> int:
        return sum(self.per_round - answered for answered, _ in self._round.values())

    def candidates(self, waiting: Mapping[int, int]) -> list[int]:
        """Those with the fewest answers in this round; nobody once all have given enough."""
        owing = {u: self._round[u][0] + waiting.get(u, 0) for u in self._remaining}
        least = min(owing.values())
        return [u for u in self._remaining if owing[u] == least and least < self.per_round]

    def answer(self, judge: int, right: bool, tie_break: Callable[[int], float]) -> None:
        """One answer; the last one of a round halves the field (ties at random, so equal judges cannot loop)."""
        for tally in (self._total, self._round):
            answered, good = tally[judge]
            tally[judge] = (answered + 1, good + right)
        if any(answered < self.per_round for answered, _ in self._round.values()):
            return
        ranked = sorted(self._remaining, key=lambda u: (-self._round[u][1] / self._round[u][0], tie_break(u)))
        self._remaining = sorted(ranked[: math.ceil(len(ranked) / 2)])
        self._epsilon, self._error = 3 / 4 * self._epsilon, self._error / 2
        self._round = dict.fromkeys(self._remaining, (0, 0))

    @property
    def chosen(self) -> int:
        return self._remaining[0]

    def tally(self, judge: int) -> tuple[int, int]:
        return self._total[judge]

    def to_json(self) -> dict[str, Any]:
        return {
            "members": self.members,
            "remaining": self._remaining,
            "epsilon": self._epsilon,
            "error": self._error,
            "total": [[u, *counts] for u, counts in self._total.items()],
            "round": [[u, *counts] for u, counts in self._round.items()],
        }

    def load(self, state: Mapping[str, Any]) -> None:
        self.members, self._remaining = list(state["members"]), list(state["remaining"])
        self._epsilon, self._error = state["epsilon"], state["error"]
        self._total = {u: (answered, right) for u, answered, right in state["total"]}
        self._round = {u: (answered, right) for u, answered, right in state["round"]}
