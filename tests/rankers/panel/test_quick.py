"""The quick player equals the panel: the same plans, tallies and claims from the same people."""

from __future__ import annotations

import numpy as np
import pytest

from juryrank.core.panel.field_share import matching_plan, met_at_most
from tests.rankers.panel.promise import OPTIONS, WORLDS, shaken
from tests.rankers.panel.scripted import SITTING, as_the_panel_draws, draw, lay_out, play_quick, play_really


def as_it_is(kernel):
    return kernel


def both(world, n, options, seed, *, people, at_once, gear):
    field = options.get("relation") == "field-share"
    rng = np.random.default_rng([seed, n, 5])
    script = draw(shaken(WORLDS[world](n, rng), leave=0.05), rng, people=people, at_once=at_once, field=field)
    script = as_the_panel_draws(script, seed, field=field)
    really = play_really(script, options, error=0.2, seed=seed)
    return really, play_quick(script, options, error=0.2, gear=gear)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: " ".join(map(str, o.values())))
@pytest.mark.parametrize("n", [2, 5])
def test_both_players_do_the_same(options, n):
    """Uncompiled here: compiling takes longer than these few runs."""
    for seed, world in enumerate(WORLDS):
        really, quick = both(world, n, options, seed, people=24, at_once=(1, 5, 30)[seed % 3], gear=as_it_is)
        assert quick == really


def test_the_matchings_dealt_at_once_are_those_of_the_panel():
    for items in (2, 3, 5, 10, 11, 50):
        rng = np.random.default_rng(items)
        seats, met = items + items % 2, met_at_most(items, SITTING)
        drawn = [rng.permutation(size) for size in (seats, seats - 1, met * (items // 2))]
        luck = iter(drawn)
        scripted = type("Scripted", (), {"permutation": lambda self, size, luck=luck: next(luck)})()
        plan = matching_plan(items, SITTING, scripted)
        plans, lengths = lay_out(items, drawn[0][None], drawn[1][None, :met], drawn[2][None, :SITTING])
        assert [tuple(map(int, pair)) for pair in plans[0]] == plan and lengths[0] == len(plan)
