"""Small worlds for the certified ranker, driven through the contract: item k is better than item k + 1."""

import math
import random

from juryrank.rankers.certified.ranker import Certified
from juryrank.simulation import Bernoulli


def better(question):
    return min(question.left, question.right)


def worse(question):
    return max(question.left, question.right)


def coin(seed, accuracy):
    """Answers right with this chance; `accuracy` may be a function of the question."""
    rng = random.Random(seed)

    def answer(question):
        p = accuracy(question) if callable(accuracy) else accuracy
        return better(question) if rng.random() < p else worse(question)

    return answer


def run(seed, *, items=3, judges=3, accuracy=0.8, error=0.25, budget=4000, **options):
    """One sequential run; (certified, exact)."""
    ranker = Certified(range(items), judges=range(judges), error=error, seed=seed, budget=budget, **options)
    answer = coin(f"world {seed}", accuracy)
    while (question := ranker.ask()) is not None:
        ranker.tell(question, answer(question))
    found = ranker.ranking
    return found.certified, found.order == tuple(range(items))


def logistic(x):
    return 1 / (1 + math.exp(-x))


def mixed(judges, *, worst, best):
    """Accuracies between two bounds, spread the same way for every number of judges."""
    return Bernoulli(tuple(worst + (best - worst) * (k * 0.618034 % 1) for k in range(judges)))
