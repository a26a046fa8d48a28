"""False statements in hard small worlds: the exact 99 % lower bound of their rate stays below δ."""

import pytest
from benchmarks.jury.play import play
from benchmarks.jury.worlds import hard_worlds

from tests.statistics import lower_bound

ERROR = 0.1
WORLDS = {world.name: world for world in hard_worlds()}


def false_statements(world, runs):
    most = 600 if world.answers.fresh else 10**6
    options = {"objective": world.objective, "resolution": world.resolution, "error": ERROR, "most": most}
    return sum(play(world.answers, seed=seed, **options).false for seed in range(runs))


@pytest.mark.parametrize("name", [n for n, world in WORLDS.items() if not world.answers.fresh and "four" not in n])
def test_few_false_statements_in_small_worlds(name):
    runs = 12
    assert lower_bound(false_statements(WORLDS[name], runs), runs) <= ERROR


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", WORLDS)
def test_few_false_statements(name):
    runs = 2000
    false = false_statements(WORLDS[name], runs)
    assert lower_bound(false, runs) <= ERROR, f"{false} of {runs}"
