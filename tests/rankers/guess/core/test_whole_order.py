"""Every item has a place in the order at every moment; answers count whether or not the promise uses them."""

import os
import platform
import subprocess
import sys

import numpy as np
import pytest

from juryrank.rankers.certified.result import flights_of
from juryrank.rankers.contract.estimates import mean_gap, whole_order
from juryrank.types import SKIP, TIE
from tests.conformance.rankers import build, noisy


def test_newcomers_stand_where_their_answers_put_them():
    last, first = mean_gap(np.array([1, 2, 3]), np.array([0.0, 0.1, 0.9])), mean_gap(np.array([0]), np.ones(1))
    assert (last, first) == pytest.approx((2.9, 0.0))
    assert whole_order([5, 3, 1], {8: last, 9: first}, [5, 3, 1, 8, 9, 2]) == [9, 5, 3, 2, 1, 8]


@pytest.mark.parametrize("name", ["certified", "iir", "two-stage"])
def test_the_order_holds_all_items_at_every_moment(name):
    items = [f"{k:02}" for k in range(12)]
    ranker = build(name, items=items)
    answer = noisy(3, accuracy=0.95)
    for turn in range(60):
        if turn % 4 == 0:
            result = ranker.ranking
            assert sorted(result.order) == items and len(result.ranges) == 12
            assert len(result.links) == max(result.details.placed - 1, 0)
        question = ranker.ask()
        ranker.tell(question, answer(question))


def test_the_gaps_of_a_newcomer_are_all_there_and_follow_its_answers():
    ranker = build("certified", items=[f"{k:02}" for k in range(12)])
    while ranker._machine.cursor.placed < 7:
        question = ranker.ask()
        ranker.tell(question, min(question.left, question.right))
    question = ranker.ask()
    newcomer = question.terms["item"]
    ranker.tell(question, newcomer)
    (gap,) = flights_of(ranker._machine).values()
    assert 0.5 < gap < 3.5  # of the gaps 0 to 7
    assert ranker.ranking.order.index(newcomer) < 4


def test_every_answer_is_counted_for_the_estimates_even_late_ones():
    panel = build("panel", sitting=6)
    questions = [panel.ask(judge) for judge in ("ann", "bob", "cem", "dee")]
    panel.expire(questions[0])
    for question, answer in zip(questions, [questions[0].left, questions[1].right, TIE, SKIP], strict=True):
        panel.tell(question, answer)
    table = panel.heard.table()
    assert panel.heard.answers == table.answers == 3  # and the skip says nothing
    assert sorted(table.wins + table.losses) == [1.0, 1.0, 1.0] and 0.5 in table.wins


ON_CASES = """
import juryrank
systems = {"old": dict(a=1, b=2, c=3), "new": dict(a=2, b=3, c=4)}
jury = {"max": lambda left, right, case: max(left, right)}
found = juryrank.rank(systems, jury, cases=list("abc"), seed=1)
print([(round(row.score, 6), round(row.score_low, 6), round(row.best, 6)) for row in found.estimates.items])
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="these are names of x86 processors")
def test_the_same_answers_give_the_same_estimates_on_every_processor():
    said = [
        subprocess.run(
            [sys.executable, "-c", ON_CASES],
            env={**os.environ, "OPENBLAS_CORETYPE": processor},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for processor in ("Prescott", "Haswell")
    ]
    assert said[0] == said[1]
