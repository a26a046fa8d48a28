"""A jury of numbers that answers a session: smaller items are better, judges err at random."""

import numpy as np

from juryrank.run.session import Session
from juryrank.types import TIE

ACCURACIES = (0.95, 0.9, 0.75, 0.6)


def ranked(
    items=6, *, assume="better-than-chance", seed=1, budget=None, open_at_once=1, error=0.1, accuracies=ACCURACIES,
    **options,
):  # fmt: skip
    """A session of the certified ranker, played to its end (or its budget)."""
    rng = np.random.default_rng(seed)
    names = [f"i{k:02d}" for k in rng.permutation(items)]
    judges = [f"j{u}" for u in range(len(accuracies))]
    session = Session(
        names, judges=judges, ranker="certified", error=error, seed=seed, budget=budget,
        options={"assume": assume, **options},
    )  # fmt: skip
    out = []
    while True:
        while len(out) < open_at_once and (question := session.ask()) is not None:
            out.append(question)
        if not out:
            return session
        answer(session, out.pop(rng.integers(len(out))), rng, accuracies, blanks=open_at_once > 1)


def answer(session, question, rng, accuracies=ACCURACIES, *, blanks=False):
    """One answer, right as often as the judge is; now and then a tie or nothing at all."""
    chance = rng.random()
    good, bad = sorted((question.left, question.right))
    if blanks and chance < 0.03:
        session.expire(question)
    elif blanks and chance < 0.06:
        session.tell(question, TIE)
    else:
        session.tell(question, good if rng.random() < accuracies[int(question.judge[1:])] else bad)
