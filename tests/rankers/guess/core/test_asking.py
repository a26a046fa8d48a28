"""The information expected from an answer, and that the questions follow it."""

import numpy as np

from juryrank.rankers.guess.core.asking import about_judge, entropy, information, worth_asking
from juryrank.rankers.guess.core.posterior import LAPSES, SLOPES, CountedAnswers, fit, sigmoid
from juryrank.rankers.guess.ranker import Guess

ROWS = [(0, 0, 1), (0, 2, 3), (1, 0, 2), (1, 0, 2), (1, 4, 5)]


def fitted(rows=ROWS, items=8, judges=3):
    judge, winner, loser = (np.array(column) for column in zip(*rows, strict=True))
    return fit(CountedAnswers(judge, winner, loser, np.ones(len(rows))), items=items, judges=judges)


def test_information_is_what_integration_gives():
    found = fitted()
    first, second = np.triu_indices(8, 1)
    gap, spread = found.gaps(first, second)
    z = np.linspace(-6, 6, 24_001)
    mass = np.exp(-(z**2) / 2) / np.exp(-(z**2) / 2).sum()
    for k in (0, 5, 12, 27):
        chance = (
            found.jury.flat[1] + sigmoid((gap[k] + spread[k] ** 0.5 * z)[:, None] * SLOPES) @ found.jury.steep[1]
        )
        exact = entropy(mass @ chance[:, None]) - mass @ entropy(chance)
        assert abs(information(found, 1, first, second)[k] / exact[0] - 1) < 0.02


def test_what_an_answer_tells_about_its_judge_is_nothing_where_nobody_knows_better():
    found = fitted()
    told = about_judge(found, 1, np.array([6, 0]), np.array([7, 1]))
    assert told[0] < 1e-12 < told[1]
    belief = found.jury.belief[1]
    gap, spread = found.gaps(np.array([0]), np.array([1]))
    up = sigmoid(SLOPES / np.sqrt(1 + np.pi / 8 * SLOPES**2 * spread) * gap)
    says = LAPSES[:, None] + (1 - 2 * LAPSES[:, None]) * up
    mean = (belief * says).sum()
    exact = entropy(np.array([mean]))[0] - (belief * entropy(says)).sum()
    assert abs(told[1] / exact - 1) < 0.1


def test_it_counts_while_there_is_time_to_use_it():
    found = fitted()
    pairs = np.array([6, 0]), np.array([7, 1])
    late, early = (worth_asking(found, 1, *pairs, to_come=to_come) for to_come in (3.0, 60.0))
    assert np.array_equal(late, information(found, 1, *pairs)) and early[1] > late[1]
    assert abs(early[0] - late[0]) < 1e-12
    alone = fitted([(0, winner, loser) for _, winner, loser in ROWS], judges=1)
    assert np.array_equal(worth_asking(alone, 0, *pairs, to_come=60.0), information(alone, 0, *pairs))


def test_with_one_question_per_item_every_item_is_asked_about():
    """Of a new pair the answer tells most: no question is asked twice while somebody was never asked about."""
    ranker = Guess(range(10), judges=range(3), budget=10, seed=4)
    seen = []
    for _ in range(5):
        question = ranker.ask()
        seen += [question.left, question.right]
        ranker.tell(question, min(question.left, question.right))
    assert len(set(seen)) >= 9
