"""Small tables of answers, and playing a jury against them."""

import random

import numpy as np

from juryrank.rankers.jury.ranker import Jury
from juryrank.types import SKIP, Grade


class Table:
    """x[pair][judge, case, side] from the side of the pair's first item; NaN is a refusal."""

    def __init__(self, values):
        self.values = values
        self.items = sorted({item for pair in values for item in pair})
        self.judges, self.cases, _ = next(iter(values.values())).shape

    def answer(self, question):
        first, second = sorted((question.left, question.right))
        first_left = question.left == first
        case = int(question.case)
        x = self.values[first, second][int(question.judge), case, 0 if first_left else 1]
        if np.isnan(x):
            return SKIP
        return Grade(float(x if first_left else -x))

    def mean(self, better, worse, epsilon=0.0):
        """Z of "better over worse" with equal weights, refusals left out."""
        first, second = sorted((better, worse))
        x = self.values[first, second] * (1 if better == first else -1)
        return float(np.where(np.isnan(x), 0.0, x + 2 * epsilon).mean())

    def jury(self, **options):
        judges = [str(u) for u in range(self.judges)]
        cases = [str(c) for c in range(self.cases)]
        return Jury(self.items, judges=judges, cases=cases, **{"error": 0.1, "seed": 1, **options})


def shuffled(total, ones, seed, ties=0):
    """`ones` cells of +1, `ties` of 0, the rest -1, in random order."""
    cells = [1.0] * ones + [0.0] * ties + [-1.0] * (total - ones - ties)
    random.Random(seed).shuffle(cells)
    return cells


def table(shares, *, judges=1, cases=20, seed=0):
    """A table by the share of +1 per pair: {("a", "b"): 0.7, ...}."""
    values = {}
    for number, (pair, share) in enumerate(sorted(shares.items())):
        total = judges * cases * 2
        cells = shuffled(total, round(share * total), f"{seed}/{number}")
        values[pair] = np.array(cells).reshape(judges, cases, 2)
    return Table(values)


def play(jury, answer, *, most=100_000, out=1):
    """Ask with up to `out` questions open, answers coming back in the order asked; the questions."""
    asked, waiting = [], []
    while len(asked) < most:
        question = jury.ask() if len(waiting) < out else None
        if question is not None:
            asked.append(question)
            waiting.append(question)
        elif waiting:
            told = waiting.pop(0)
            jury.tell(told, answer(told))
        else:
            break
    return asked
