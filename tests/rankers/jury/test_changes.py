"""Somebody who drops and readmits a judge whenever the evidence looks bad gains nothing by it."""

import pytest

from juryrank.rankers.jury.ranker import Jury
from tests.statistics import lower_bound

CASES = [str(k) for k in range(20)]
ERROR = 0.1


def meddled(seed: int) -> bool:
    """One run in a world where a is just worse than b, for both judges; was the false claim ever stated?"""
    jury = Jury(
        ["a", "b"], judges=["m", "n"], cases=CASES, objective="best", resolution=0, error=ERROR, seed=seed,
        joining=True,
    )  # fmt: skip
    out, told = False, 0
    while (question := jury.ask()) is not None:
        b_wins = int(question.case) % 2 == 0 or (question.case == "1" and question.left == "a")
        jury.tell(question, "b" if b_wins else "a")
        told += 1
        best = jury.state.machine.best
        if best is not None and best.steps and best.order[0] == 0:
            return True
        if told % 6 == 0 and not jury.done:  # it looks bad: try the other jury
            (jury.resume_judge if out else jury.remove_judge)("n")
            out = not out
    return False


@pytest.mark.slow
def test_choosing_the_jury_by_its_answers_proves_nothing_false():
    runs = 400
    assert lower_bound(sum(map(meddled, range(runs))), runs) <= ERROR
