"""One run: its random draws depend on seed and repeat alone."""

import pytest

from juryrank.simulation.play import PLAYERS, _reused_rng, play, player, repeat_rng


@pytest.mark.parametrize(("seed", "repeat"), [(0, 0), (0, 1), (7, 123_456), (2**70, 3)])
def test_the_reused_generator_gives_the_same_stream(seed, repeat):
    fresh, reused = repeat_rng(seed, repeat), _reused_rng(seed, repeat)
    assert reused.random(50).tolist() == fresh.random(50).tolist()
    assert reused.integers(10**9, size=9).tolist() == fresh.integers(10**9, size=9).tolist()


def test_runs_do_not_depend_on_what_was_played_before(mixed):
    first = play("ada-iir", mixed, items=4, seed=9, repeat=2)
    play("two-stage", mixed, items=5, seed=1)
    assert play("ada-iir", mixed, items=4, seed=9, repeat=2) == first


def test_every_player_is_there():
    assert all(callable(player(name)) for name in PLAYERS)
