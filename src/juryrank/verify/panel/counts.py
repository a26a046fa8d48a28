"""What a log's answers settle, recomputed with plain dictionaries: pairs, scores, a list's links, votes."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter
from typing import Any

from juryrank.core.lead_table import LeadTable
from juryrank.core.levels import Objective, attempt_error, epoch_error, false_proofs
from juryrank.core.panel.field_share import BETS, met_at_most
from juryrank.verify.panel.sittings import SittingRead

Pair = tuple[str, str]


class Claims(ABC):
    """Settled pairs, and what the statement covers of them."""

    transitive = False  # may chains be used: scores, and the objective order

    def __init__(self, items: list[str], *, objective: Objective, k: int | None, **more: Any) -> None:
        self.items, self.objective, self.k = list(items), objective, k
        self.settled: set[Pair] = set()

    @abstractmethod
    def count(self, sitting: SittingRead) -> None: ...

    @abstractmethod
    def join(self, items: list[str], *, arrived: int) -> None: ...

    def promised(self, order: list[str]) -> tuple[set[Pair], list[int]]:
        """The pairs and lines that the statement covers, for the order shown."""
        settled = self.settled if self.objective is Objective.RANGES else self.at_least_half(order)
        settled = _chains(settled, order) if self.transitive else settled
        lines = [
            line
            for line in range(1, len(order))
            if all((a, b) in settled for a in order[:line] for b in order[line:])
        ]
        if self.objective is Objective.TOP:
            lines = [line for line in lines if line == self.k]
        if self.objective in (Objective.TOP, Objective.TIERS):
            settled = {(a, b) for line in lines for a in order[:line] for b in order[line:]}
        return settled, lines

    def at_least_half(self, order: list[str]) -> set[Pair]:
        return self.settled

    def ranges(self, order: list[str]) -> list[tuple[int, int]]:
        """Best and worst rank of each item in the order shown."""
        settled, _ = self.promised(order)
        above, below = Counter(b for _, b in settled), Counter(a for a, _ in settled)
        return [(1 + above[item], len(order) - below[item]) for item in order]


def _chains(settled: set[Pair], items: list[str]) -> set[Pair]:
    below: dict[str, set[str]] = {item: set() for item in items}
    for a, b in settled:
        below[a].add(b)
    found = set()
    for item in items:
        stack, seen = list(below[item]), set(below[item])
        while stack:
            for further in below[stack.pop()] - seen:
                seen.add(further)
                stack.append(further)
        found |= {(item, other) for other in seen if other != item}
    return found


class Pairwise(Claims):
    """Head-to-head: each pair's tally against the lead table; a pair once settled stays settled."""

    def __init__(self, items: list[str], *, error: float, joining: bool, **more: Any) -> None:
        super().__init__(items, **more)
        self.error, self.joining, self.epoch = error, joining, 0
        self.tally: Counter[Pair] = Counter()
        self.history: dict[Pair, list[tuple[int, int]]] = {}
        self._set_table()

    def _set_table(self) -> None:
        share = epoch_error(self.error, self.epoch, joining=self.joining)
        self.table = LeadTable(share / false_proofs(len(self.items), self.objective))

    def count(self, sitting: SittingRead) -> None:
        for better, worse in sitting.preferences():
            self.tally[better, worse] += 1
            now = self.tally[better, worse], self.tally[worse, better]
            self.history.setdefault((better, worse), []).append(now)
            if self.table.settles(*now) and (worse, better) not in self.settled:
                self.settled.add((better, worse))

    def join(self, items: list[str], *, arrived: int) -> None:
        """The next epoch: lines need its level on every pair; pairs settled for ranges stay."""
        self.items += items
        self.epoch += 1
        self._set_table()
        again = {
            (a, b)
            for (a, b), past in self.history.items()
            if (b, a) not in self.settled and any(self.table.settles(*tally) for tally in past)
        }
        self.settled = again | (self.settled if self.objective is Objective.RANGES else set())


class Scores(Claims):
    """Field-share: one factor a person for each ordered pair of items."""

    transitive = True

    def __init__(self, items: list[str], *, error: float, joining: bool, size: int, **more: Any) -> None:
        super().__init__(items, **more)
        self.error, self.joining, self.size, self.epoch, self.fresh_from = error, joining, size, 0, 1
        self._start()

    def _start(self) -> None:
        self.settled = set()
        share = epoch_error(self.error, self.epoch, joining=self.joining)
        self.goal = math.log(false_proofs(len(self.items), self.objective, scores=True) / share)
        self.logs = {(a, b): [0.0] * len(BETS) for a in self.items for b in self.items if a != b}

    def count(self, sitting: SittingRead) -> None:
        if sitting.number < self.fresh_from:
            return
        balance: Counter[str] = Counter()
        for better, worse in sitting.preferences():
            balance[better] += 1
            balance[worse] -= 1
        most = 2 * met_at_most(len(self.items), self.size)
        above = set()
        for (a, b), logs in self.logs.items():
            edge = (balance[a] - balance[b]) / most
            if edge:
                logs[:] = [old + math.log1p(bet * edge) for old, bet in zip(logs, BETS.tolist(), strict=True)]
            top = max(logs)
            if top + math.log(sum(math.exp(x - top) for x in logs) / len(logs)) >= self.goal:
                above.add((a, b))
        self.settled |= {(a, b) for a, b in above if (b, a) not in above and (b, a) not in self.settled}

    def join(self, items: list[str], *, arrived: int) -> None:
        self.items += items
        self.epoch += 1
        self.fresh_from = arrived + 1
        self._start()


class Chain(Claims):
    """The objective `order`: lists on record before their answers, links claimed in the order fixed with them."""

    transitive = True

    def __init__(self, items: list[str], *, error: float, **more: Any) -> None:
        super().__init__(items, **more)
        self.error = error
        self.attempt = 0
        self.barred = 0  # attempts up to this one ended when items joined
        self.tally: Counter[Pair] = Counter()
        self.proven: set[int] = set()

    def count(self, sitting: SittingRead) -> None:
        attempt = sitting.terms.get("attempt")
        if not isinstance(attempt, int) or attempt <= self.barred or attempt < self.attempt:
            return
        order = [str(item) for item in sitting.terms["list"]]
        if attempt > self.attempt:
            self.attempt, self.tally, self.proven = attempt, Counter(), set()
        table = LeadTable(attempt_error(self.error, attempt))
        links = {pair: k for k, pair in enumerate(itertools.pairwise(order))}
        for better, worse in sitting.preferences():
            self.tally[better, worse] += 1
            link = links.get((better, worse))
            if link is not None and table.settles(self.tally[better, worse], self.tally[worse, better]):
                self.proven.add(link)
        for link in sitting.terms["claim_order"]:
            if link not in self.proven:
                break
            self.settled.add((order[link], order[link + 1]))

    def join(self, items: list[str], *, arrived: int) -> None:
        self.items += items
        self.barred = self.attempt


class Votes(Claims):
    """The majority of a fixed list of judges: settled when those not heard could no longer turn it."""

    def __init__(self, items: list[str], *, judges: int, **more: Any) -> None:
        super().__init__(items, **more)
        self.judges = judges
        self.transitive = self.objective is Objective.ORDER
        self.tally: Counter[Pair] = Counter()
        self.heard: Counter[frozenset[str]] = Counter()

    def hear(self, left: str, right: str, winner: str | None) -> None:
        """One judge's word on a pair; None: no choice."""
        self.heard[frozenset((left, right))] += 1
        if winner is not None:
            self.tally[winner, right if winner == left else left] += 1
        for a, b in ((left, right), (right, left)):
            missing = self.judges - self.heard[frozenset((a, b))]
            if self.tally[a, b] - self.tally[b, a] > missing:
                self.settled.add((a, b))

    def at_least_half(self, order: list[str]) -> set[Pair]:
        """Exact ties, everybody heard, stand in the way of no line: each side has at least half."""
        level = {
            (a, b)
            for k, a in enumerate(order)
            for b in order[k + 1 :]
            if self.heard[frozenset((a, b))] >= self.judges and self.tally[a, b] == self.tally[b, a]
        }
        return self.settled | level

    def count(self, sitting: SittingRead) -> None:
        """Fixed judges have no sittings."""

    def join(self, items: list[str], *, arrived: int) -> None:
        self.items += items
