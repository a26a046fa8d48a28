"""Worlds: accuracies as promised, JSON in and out, and impossible ones refused."""

import json
import math

import numpy as np
import pytest

from juryrank.core.compiling import compiled
from juryrank.errors import BadInput, BadWorld
from juryrank.simulation import (
    Bernoulli,
    Btl,
    Drifting,
    Spammers,
    Thurstone,
    Wst,
    from_votes,
    play,
    read_world,
    simulate,
    two_groups,
    world_from_dict,
)
from juryrank.simulation.players.by_answer import prefers
from juryrank.simulation.worlds.base import accuracy

VOTES = [("ann", "a", "b"), ("ann", "a", "b"), ("ann", "b", "a"), ("bob", "b", "c"), ("bob", "a", "c")]
WORLDS = [
    Bernoulli((0.9, 0.6)),
    Spammers(n_judges=7, share=0.3, rest=0.9, spam=0.55),
    Btl((1.0, 0.3), spacing=2.0),
    Thurstone((1.0,), scores=(0.0, 0.5, 3.0)),
    Wst((0.5, 1.0), least=0.1, seed=3),
    Drifting((0.9, 0.6), (0.6, 0.9), 500),
    from_votes(VOTES),
]


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.kind)
def test_json_in_and_out(world, tmp_path):
    file = tmp_path / "world.json"
    file.write_text(json.dumps(world.to_dict()))
    again = read_world(file)
    assert again.to_dict() == world.to_dict()
    assert again.judges == world.judges


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.kind)
def test_every_world_can_be_played_by_every_paper_ranker(world):
    for ranker in ("iir", "ada-iir", "oracle", "two-stage"):
        run = play(ranker, world, items=world.items or 3, seed=1, budget=20_000)
        assert 0 < run.questions <= 20_000


def test_the_papers_accuracies():
    world = two_groups(10, gamma_a=0.25, gamma_b=1.0)
    assert len([p for p in world.accuracies if p > 0.9]) == 3  # floor(10 / 3)
    assert world.accuracy == world.accuracies[world.best_judge] == 1 / (1 + math.exp(-3))


def test_pair_dependent_accuracies():
    btl = Btl((2.0,), spacing=0.5).stage(4)
    assert accuracy(btl, 0, 3, 1, 0) == pytest.approx(1 / (1 + math.exp(-2.0)))
    normal = Thurstone((1.0,), spacing=1.0).stage(4)
    assert accuracy(normal, 0, 2, 1, 0) == pytest.approx(0.8413447, abs=1e-6)
    wst = Wst((1.0, 0.0), least=0.1).stage(5)
    assert 0.6 <= accuracy(wst, 0, 4, 0, 0) <= 1
    assert accuracy(wst, 1, 4, 0, 0) == 0.5
    drift = Drifting((0.9,), (0.5,), 100).stage(3)
    assert [round(accuracy(drift, 0, 1, 0, t), 3) for t in (0, 50, 100, 900)] == [0.9, 0.7, 0.5, 0.5]


def test_recorded_votes_are_resampled():
    world = from_votes(VOTES)
    assert world.order == ("a", "b", "c")
    assert world.judge_names == ("ann", "bob")
    stage = world.stage(3)
    a, b, c = 2, 1, 0  # true ranks
    assert accuracy(stage, 0, a, b, 0) == pytest.approx(2 / 3)  # ann's own votes
    assert accuracy(stage, 1, a, b, 0) == pytest.approx(2 / 3)  # bob has none: everybody's
    assert accuracy(stage, 1, b, c, 0) == 1.0


def test_answers_come_with_the_promised_frequency():
    stage, rng = Btl((1.0,), spacing=1.0).stage(3), np.random.default_rng(5)
    ask = compiled(prefers)
    share = np.mean([ask(stage, 0, 2, 0, 0, rng) for _ in range(4000)])
    assert abs(share - 1 / (1 + math.exp(-2))) < 4 * math.sqrt(0.105 / 4000)


@pytest.mark.parametrize(
    ("given", "word"),
    [
        ({"kind": "bernoulli", "accuracies": [0.9, 1.2]}, "1.2"),
        ({"kind": "bernoulli", "accuracies": [0.9, "x"]}, "number"),
        ({"kind": "bernoulli", "accuracies": [float("nan")]}, "nan"),
        ({"kind": "bernoulli", "accuracies": []}, "at least one judge"),
        ({"kind": "bernoulli", "judges": 0, "gamma_a": 1, "gamma_b": 1}, "0"),
        ({"kind": "bernoulli", "judges": 2, "gamma_a": 0.5, "gamma_b": 1}, "each group"),
        ({"kind": "bernoulli", "judges": 9, "gamma_a": 0.5, "gamma_b": 1, "share": 0}, "each group"),
        ({"kind": "bernoulli", "judges": 9, "gamma_a": 0.5}, "gamma_b"),
        ({"kind": "bernoulli", "accuracies": [0.9], "colour": 1}, "colour"),
        ({"kind": "mars"}, "mars"),
        ([], "JSON object"),
        ({"kind": "btl", "gammas": [1], "scores": [1, 1]}, "rise"),
        ({"kind": "btl", "gammas": [1], "spacing": 0}, "spacing"),
        ({"kind": "spammers", "n_judges": 5, "share": 1.5, "rest": 0.9}, "1.5"),
        ({"kind": "drifting", "start": [0.9], "end": [0.8, 0.7], "horizon": 9}, "one each"),
        ({"kind": "drifting", "start": [0.9], "end": [0.8], "horizon": 0}, "0"),
        ({"kind": "wst", "skills": [2.0]}, "2.0"),
        ({"kind": "votes", "votes": []}, "no vote"),
        ({"kind": "votes", "votes": [["ann", "a", "a", 1]]}, "ann"),
        ({"kind": "votes", "votes": [["ann", "a"]]}, "rows"),
    ],
)
def test_impossible_worlds(given, word):
    with pytest.raises(BadWorld, match=word):
        world_from_dict(given)


def test_unreadable_world_files(tmp_path):
    with pytest.raises(BadWorld, match="cannot be read"):
        read_world(tmp_path / "none.json")
    (tmp_path / "half.json").write_text('{"kind": "bern')
    with pytest.raises(BadWorld, match="not JSON"):
        read_world(tmp_path / "half.json")


def test_items_must_fit_the_world():
    with pytest.raises(BadInput, match="3 items, not 4"):
        simulate("iir", from_votes(VOTES), items=4)
    with pytest.raises(BadInput, match="how many items"):
        simulate("iir", Bernoulli((0.9,)))
