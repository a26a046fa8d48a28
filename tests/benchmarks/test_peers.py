"""The comparison with peers: every method gets the same answers, and each learns from them."""

import numpy as np
import pytest
from benchmarks.peers.field import certified, peers
from benchmarks.peers.merge_sort import merge_sort
from benchmarks.peers.race import play
from benchmarks.peers.reading import best_reading
from benchmarks.peers.world import Jury, kendall_tau, make_world

from tests.quick import quick

OURS, PEERS = list(certified()), list(peers())
CAPS = [(maker, 250) for maker in OURS] + [(maker, 1200) for maker in PEERS]
QUICK = [CAPS[0], *CAPS[6:]]  # the others take seconds each


def test_the_same_question_has_the_same_answer_whoever_asks_and_however():
    world = make_world("gaps", 3)
    one, two = Jury(world), Jury(world)
    questions = [(u, i, j) for u in range(3) for i in range(4) for j in range(i + 1, 5)] * 2
    first = [one.ask(*question) for question in questions]
    assert first == [not two.ask(u, j, i) for u, i, j in questions]


def test_tau_is_one_for_the_truth_and_minus_one_for_its_reverse():
    world = make_world("steady", 1)
    truth = np.argsort(world.place)
    assert kendall_tau(world, truth) == 1 and kendall_tau(world, truth[::-1]) == -1


def test_merge_sort_sorts():
    sorting = merge_sort([3, 1, 4, 0, 5, 2])
    pair = next(sorting)
    try:
        while True:
            pair = sorting.send(pair[0] < pair[1])
    except StopIteration as done:
        assert done.value == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(("maker", "cap"), quick(CAPS, *QUICK), ids=range(len(CAPS)))
def test_every_method_is_better_than_chance_after_some_questions(maker, cap):
    """Sorting by votes of 63 gives no order before it has asked many; what is ours does sooner."""
    world = make_world("gaps", 2, items=8, judges=6)
    method = maker(world.items, world.judges, np.random.default_rng(1))
    points, outcome = play(method, world, cap=cap)
    assert points[-1].tau > 0.2
    assert outcome.first_exact is None or outcome.first_exact <= cap


def test_who_knows_the_judges_reads_the_truth_out_of_enough_answers():
    world = make_world("steady", 3, items=8, judges=9)
    jury, rng = Jury(world), np.random.default_rng(3)
    answers = []
    for _ in range(400):
        judge, (i, j) = int(rng.integers(9)), rng.choice(8, 2, replace=False).tolist()
        answers.append((judge, i, j) if jury.ask(judge, i, j) else (judge, j, i))
    assert kendall_tau(world, best_reading(world, answers, rng)) == 1
    assert kendall_tau(world, best_reading(world, [(u, b, a) for u, a, b in answers], rng)) == -1
