"""`python -m benchmarks.peers.gavel FILE`: `guess` beside gavel's own code, in the worlds of the small budgets.

gavel is an application that judging fairs run, not a package: FILE is `gavel/crowd_bt.py` of a copy of it.
Updates and gains are its own; around them a judge is led as gavel leads one. Any judge comes along, keeps the item
seen last and is shown one that this judge has not seen: with fewer than two views while there are any;
a quarter of the time a random one of these, else the one with the largest gain. Who has seen everything is done.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.method import Method, best_first
from benchmarks.peers.ours import Ours
from benchmarks.peers.small import FIRST_SEED, WORLDS, marks_of, standard_error, wrong
from benchmarks.peers.world import make_world

LEAST_VIEWS = 2  # gavel's default


class Gavel(Method):
    """A fair's judges, led by gavel's own code."""

    name = "gavel"

    def __init__(self, code: Any, items: int, judges: int, rng: np.random.Generator) -> None:
        super().__init__(items, judges, rng)
        self.code = code
        self.mean, self.variance = [code.MU_PRIOR] * items, [code.SIGMA_SQ_PRIOR] * items
        self.trust = [(code.ALPHA_PRIOR, code.BETA_PRIOR)] * judges
        self.views = [0] * items
        self.seen: list[list[int]] = [[] for _ in range(judges)]

    @property
    def finished(self) -> bool:
        return all(len(seen) == self.items for seen in self.seen)

    def choose(self) -> tuple[int, int, int]:
        u = int(self.rng.choice([u for u in range(self.judges) if len(self.seen[u]) < self.items]))
        if not self.seen[u]:
            self._show(u, self._shown_next(u)[0])
        before, choices = self.seen[u][-1], self._shown_next(u)
        shown = choices[0]
        if self.rng.random() >= self.code.EPSILON:
            shown = self.code.argmax(lambda i: self._gain(u, before, i), choices)
        self._show(u, shown)
        return u, before, shown

    def learn(self, judge: int, i: int, j: int, won: bool) -> None:
        winner, loser = (i, j) if won else (j, i)
        known = (self.mean[winner], self.variance[winner], self.mean[loser], self.variance[loser])
        alpha, beta, *learned = self.code.update(*self.trust[judge], *known)
        self.trust[judge] = (alpha, beta)
        self.mean[winner], self.variance[winner], self.mean[loser], self.variance[loser] = learned

    def order(self) -> NDArray[np.int64]:
        return best_first(np.array(self.mean))

    def _shown_next(self, u: int) -> list[int]:
        """What judge u may be shown, in random order."""
        new = [i for i in range(self.items) if i not in self.seen[u]]
        seldom = [i for i in new if self.views[i] < LEAST_VIEWS]
        return [int(i) for i in self.rng.permutation(seldom or new)]

    def _show(self, u: int, i: int) -> None:
        self.seen[u].append(i)
        self.views[i] += 1

    def _gain(self, u: int, i: int, j: int) -> float:
        known = (self.mean[i], self.variance[i], self.mean[j], self.variance[j])
        return float(self.code.expected_information_gain(*self.trust[u], *known))


def code_of(path: Path) -> Any:
    """The module in this file."""
    spec = importlib.util.spec_from_file_location("gavel_crowd_bt", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SystemExit(f"{path} is not a Python file; give gavel/crowd_bt.py of a copy of gavel")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.gavel", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--items", type=int, default=30)
    parser.add_argument("--judges", type=int, default=18)
    parser.add_argument("--runs", type=int, default=40)
    given = parser.parse_args()
    code, marks = code_of(given.file), marks_of(given.items, given.judges)
    print(
        f"| {given.items} items, {given.judges} judges |", " | ".join(f"{mark} questions" for mark in marks), "|"
    )
    print("|---" * (len(marks) + 1) + "|")
    for kind in WORLDS:
        shares: defaultdict[str, list[list[float]]] = defaultdict(list)
        for seed in range(FIRST_SEED, FIRST_SEED + given.runs):
            world, size = (
                make_world(kind, seed, items=given.items, judges=given.judges),
                (given.items, given.judges),
            )
            fair = Gavel(code, *size, np.random.default_rng([seed, 7]))
            shares["gavel"].append(wrong(fair, world, marks))
            guesses = [Ours("guess", *size, np.random.default_rng([seed, 7]), budget=mark) for mark in marks]
            shares["`guess`"].append(
                [wrong(guess, world, [mark])[0] for guess, mark in zip(guesses, marks, strict=True)]
            )
        for name, rows in shares.items():
            found = np.array(rows)
            cells = zip(found.mean(axis=0), standard_error(found), strict=True)
            print(f"| {kind}: {name} |", " | ".join(f"{x:.1%} ± {e:.1%}" for x, e in cells), "|", flush=True)


if __name__ == "__main__":
    main()
