"""`python -m benchmarks.peers.reading`: could another reading of the same answers give a better order?

The worlds of `benchmarks.peers.early` in which all pairs are equally hard, and the very questions of `certified`
(and of `breadth`). Beside the ranker's own order stands that of somebody who knows every judge's accuracy: items
by their mean place over orders drawn from their distribution given all answers (Gibbs sampling: one item after the
other is taken out and put back where the answers make it likely). Whoever has to learn the accuracies can hardly
read more out of the answers.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.early import FIRST_SEED, ITEMS, JUDGES
from benchmarks.peers.small import methods, standard_error
from benchmarks.peers.world import Jury, World, kendall_tau, make_world

SWEEPS, SETTLING = 400, 50  # every item is moved once per sweep; the first sweeps are not counted
Answers = list[tuple[int, int, int]]  # judge, preferred, other


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers.reading", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--methods", default="certified,breadth")
    parser.add_argument("--first-seed", type=int, default=FIRST_SEED)
    parser.add_argument("--questions", type=int, nargs="+", default=[100, 150, 200])
    options = parser.parse_args()
    print(f"{'method':10} {'questions':>9}  own order     accuracies known  difference")
    for name in options.methods.split(","):
        seeds = range(options.first_seed, options.first_seed + options.runs)
        shares = np.array([wrong(name, seed, options.questions) for seed in seeds])
        for asked, both in zip(options.questions, np.swapaxes(shares, 0, 1), strict=True):
            columns = np.column_stack([both, both[:, 1] - both[:, 0]])
            figures = zip(columns.mean(axis=0), standard_error(columns), strict=True)
            print(f"{name:10} {asked:9}", *(f"{100 * m:6.1f} % ± {100 * e:3.1f}" for m, e in figures), flush=True)


def wrong(name: str, seed: int, questions: list[int]) -> list[tuple[float, float]]:
    """After each number of questions: shares of pairs in the wrong order, by the ranker and by who knows more."""
    world = make_world("steady", seed, items=ITEMS, judges=JUDGES)
    (make,) = (make for own, make, _ in methods(ITEMS, JUDGES, seed) if own == name)
    method, jury, answers, found = make(0), Jury(world), Answers(), []
    for mark in questions:
        while len(answers) < mark and not getattr(method, "finished", False):
            judge, i, j = method.choose()
            won = jury.ask(judge, i, j)
            method.learn(judge, i, j, won)
            answers.append((judge, i, j) if won else (judge, j, i))
        orders = method.order(), best_reading(world, answers, np.random.default_rng([seed, mark]))
        found.append(tuple((1 - kendall_tau(world, order)) / 2 for order in orders))
    return found  # type: ignore[return-value]


def best_reading(world: World, answers: Answers, rng: np.random.Generator) -> NDArray[np.int64]:
    """Items by their mean place, if each judge is known to be right as often as it is."""
    judge, preferred, other = np.array(answers).T
    accuracy = world.accuracy[judge, preferred, other]
    favour = np.zeros((world.items, world.items))  # log odds for the row's item, by the answers about the pair
    np.add.at(favour, (preferred, other), np.log(accuracy / (1 - accuracy)))
    favour -= favour.T
    order, places = rng.permutation(world.items), np.zeros(world.items)
    for sweep in range(SWEEPS):
        for item in range(world.items):
            rest = order[order != item]
            likely = np.append(0.0, -np.cumsum(favour[item, rest]))  # log-weight of each gap of the rest
            reach = np.cumsum(np.exp(likely - likely.max()))
            order = np.insert(rest, np.searchsorted(reach, rng.random() * reach[-1]), item)
        if sweep >= SETTLING:
            places[order] += np.arange(world.items)
    return np.argsort(places, kind="stable")


if __name__ == "__main__":
    main()
