"""The duel's law is exact: it sums to one, and is what answer-by-answer play gives."""

import math

import numpy as np
import pytest

from juryrank.core.compiling import compiled
from juryrank.rankers.paper.core.constants import PAPER, RELEASED
from juryrank.rankers.paper.core.elimination import INNER, NODE_ERROR, lead_table
from juryrank.simulation.players.by_law import alias_table, draw, laws, stopping_law


@pytest.mark.parametrize("p", [0.5, 0.52, 0.8176, 0.9994, 1.0, 0.0, 0.3])
@pytest.mark.parametrize("attempt", [1, 3])
def test_chances_sum_to_one(p, attempt):
    lead = lead_table(2.0 ** -(attempt + 1), NODE_ERROR[INNER], PAPER)
    answers, right, chance = compiled(stopping_law)(lead, p)
    assert chance.sum() == pytest.approx(1.0, abs=1e-12)
    assert np.all(np.abs(2 * right - answers) >= lead[answers])
    assert answers.max() <= len(lead) - 1


def test_by_hand():
    """Over after two answers that agree, else after three: every path can be counted."""
    answers, right, chance = stopping_law(np.array([99, 99, 2, 1, 0]), 0.7)
    found = {(int(a), int(w)): c for a, w, c in zip(answers, right, chance, strict=True)}
    assert found == pytest.approx({(2, 2): 0.49, (2, 0): 0.09, (3, 2): 0.42 * 0.7, (3, 1): 0.42 * 0.3})


def test_against_a_naive_loop():
    lead = lead_table(0.125, NODE_ERROR[INNER], RELEASED)
    answers, right, chance = compiled(stopping_law)(lead, 0.68)
    rng = np.random.default_rng(1)
    used, won = [], []
    for _ in range(3000):
        r = w = 0
        while r == 0 or abs(2 * w - r) < lead[r]:
            r, w = r + 1, w + (rng.random() < 0.68)
        used.append(r)
        won.append(2 * w > r)
    mean = (answers * chance).sum()
    spread = math.sqrt((answers**2 * chance).sum() - mean**2)
    assert abs(np.mean(used) - mean) < 4 * spread / math.sqrt(len(used))
    wins = chance[2 * right > answers].sum()
    assert abs(np.mean(won) - wins) < 4 * math.sqrt(wins * (1 - wins) / len(won)) + 1e-3


def test_alias_method_keeps_every_chance():
    chance = np.random.default_rng(2).dirichlet(np.full(50, 0.3))
    keep, alias = compiled(alias_table)(chance)
    back = keep / 50
    np.add.at(back, alias, (1 - keep) / 50)
    assert back == pytest.approx(chance, abs=1e-14)


def test_draws_follow_the_law():
    found, rng = laws(0.75, PAPER, attempts=2), np.random.default_rng(3)
    outcomes = [draw(found, 4, rng) for _ in range(4000)]
    assert min(outcomes) >= found.first[4]
    assert max(outcomes) < found.first[4] + found.size[4]
    answers, _, chance = stopping_law(lead_table(2.0**-3, NODE_ERROR[1], PAPER), 0.75)
    mean = (answers * chance).sum()
    spread = math.sqrt((answers**2 * chance).sum() - mean**2)
    assert abs(np.mean(found.answers[outcomes]) - mean) < 4 * spread / math.sqrt(4000)
