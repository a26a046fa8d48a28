"""The best item where a winner is assumed: what it promises, what it needs for that, what it does not promise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from juryrank.core.panel.assumed_winner import AssumedWinner
from juryrank.errors import BadInput
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.panel.ranker import Panel
from juryrank.simulation.worlds.people import Population, circle, false_claims, play
from tests.rankers.panel.crowds import ITEMS, crowd, sit
from tests.rankers.panel.promise import WORLDS, ever_false, shaken
from tests.statistics import lower_bound, surely_above

WINNER = {"objective": "best", "assume": "winner"}


def beside_a_circle(items, rng):
    """One item is narrowly preferred to all others, which go in a circle."""
    others = circle(items - 1).scores
    return Population("winner", np.column_stack([others[:, [0]] * 0 - 0.5, others]), np.full(3, 1 / 3))


WITH_A_WINNER = {name: WORLDS[name] for name in ("thin", "normal", "normal, coins")} | {"circle": beside_a_circle}


# ---------------------------------------------------------------------- the promise
def wrong_winner(world, n, seed, *, people, error, withdraw=()):
    rng = np.random.default_rng([seed, n])
    population = shaken(world(n, rng), leave=(0.0, 0.08)[seed % 2])
    panel = Panel(range(n), error=error, seed=seed, spread=bool(seed % 2), **WINNER)
    at_once = (1, 5, 20)[seed % 3]
    return ever_false(panel, population, rng=rng, people=people, at_once=at_once, withdraw=withdraw)


def test_the_promise_holds_in_small():
    runs = [wrong_winner(WITH_A_WINNER["thin"], 3, seed, people=30, error=0.2) for seed in range(12)]
    assert not surely_above(sum(runs), len(runs), 0.2)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("n", [2, 4, 8])
@pytest.mark.parametrize("world", list(WITH_A_WINNER))
def test_the_promise_holds_at_large(world, n):
    if world == "circle" and n == 2:
        return
    for error in (0.05, 0.2):
        withdraw = (12, 24) if n == 8 else ()
        runs = [
            wrong_winner(WITH_A_WINNER[world], n, seed, people=80, error=error, withdraw=withdraw)
            for seed in range(300)
        ]
        assert not surely_above(sum(runs), len(runs), error), (sum(runs), error)


def hostile(seed, *, error=0.2, people=150, choose=None):
    """Is the winner, at the thinnest majority, ruled out by plans that accuse it whenever they can?

    `choose`: how many of one person's answers about it count, and whether that is fixed before they are given.
    """
    rng = np.random.default_rng(seed)
    ballot = AssumedWinner(4, error=error, joining=False)
    for person in range(1, people + 1):
        plan = [(0, 1), (0, 2), (0, 3)]
        opinion = rng.random() < 0.5  # of all three pairs: one person's answers hang together
        said = [(0, y) if (opinion if choose == "all" else rng.random() < 0.5) else (y, 0) for _, y in plan]
        place = person % 3
        if choose == "afterwards":
            place = next((k for k, (better, _) in enumerate(said) if better), place)
        ballot.begin(person, plan, [(0,) if choose == "all" or k == place else () for k in range(3)])
        ballot.count_person(person, said, arrived=person)
        if ballot.out[0]:
            return True
    return False


def test_the_whole_error_may_be_spent_on_one_item():
    """At shares of one half, hostile plans come near δ and not above it: there is no slack to give away."""
    wrong = sum(hostile(seed) for seed in range(150))
    assert not surely_above(wrong, 150, 0.2) and lower_bound(wrong, 150) > 0.05


@pytest.mark.parametrize("choose", ["all", "afterwards"])
def test_one_place_per_person_fixed_before_the_answers(choose):
    """Each of these breaks the promise: all of a person's places, or one chosen once they have answered."""
    wrong = sum(hostile(seed, choose=choose) for seed in range(100))
    assert surely_above(wrong, 100, 0.2)


def test_without_a_winner_the_best_is_claimed_wrongly():
    """The assumption matters: 72 % prefer a to b, 72 % b to c, 56 % c to a; a is called the best all the same."""
    population, wrong, runs = replace(circle(3, spread=8.0), weights=np.array([0.44, 0.28, 0.28])), 0, 4
    for seed in range(runs):
        panel = Panel(range(3), error=0.1, seed=seed, **WINNER)
        play(panel, population, people=120, rng=np.random.default_rng(seed))
        wrong += panel.ranking.proven and false_claims(panel, population.theta()) > 0
        assert "If there is no such item, nothing is promised" in panel.ranking.statement
    assert surely_above(wrong, runs, 0.1)
    best = Panel(range(3), error=0.1, objective="best")  # the same people, nothing assumed
    play(best, population, people=120, rng=np.random.default_rng(1))
    assert not best.ranking.proven


def test_it_settles_sooner_than_best_on_the_same_people():
    def people(**options):
        panel = Panel(ITEMS, error=0.1, seed=1, objective="best", **options)
        crowd(panel, 60)
        return panel.people

    assert people(assume="winner") < people()


# ---------------------------------------------------------------------- results
def test_a_result_names_the_assumption_and_who_is_left():
    panel = Panel(ITEMS, error=0.1, seed=1, **WINNER)
    crowd(panel, 6)
    sit(panel, "odd", most=2)
    panel.lapse(7)
    result = panel.ranking
    assert result.details["assume"] == "winner" and not result.details["lines"]
    assert result.statement.startswith("Assumed, not proven: a majority of the people prefers some item to every")
    assert any("prefers some item to every other one" in words for words in Panel.assumptions(WINNER))
    assert "if a majority prefers one to all others" in Panel.caption(result)
    for item, (best, worst) in zip(result.order, result.ranges, strict=True):
        assert (best, worst) == (2 if item in result.details["eliminated"] else 1, 5)
    crowd(panel, 40)
    done = panel.ranking
    assert panel.done and done.proven and done.order[0] == "a" and done.details["lines"] == [1]
    assert done.details["eliminated"] == ["b", "c", "d", "e"] and not done.certified
    assert [link.settled for link in done.links] == [True] * 4
    assert all(link.evidence >= 1 / link.level and link.answers_for >= 6 for link in done.links)


def test_everybody_ruled_out_is_said_plainly():
    ballot = AssumedWinner(2, error=0.2, joining=False)
    panel = Panel(["a", "b"], error=0.2, **WINNER)
    panel.state.counted.out[:] = True
    panel.state.version += 1
    assert panel.done and not panel.ranking.proven and panel.ranking.ranges == ((1, 2), (1, 2))
    assert any("Every item is ruled out" in words for words in panel.ranking.warnings)
    assert "more people would not change that" in panel.forecast()["words"]
    assert not ballot.finished()


def test_the_forecast_and_the_open_pairs_are_about_those_who_are_left():
    panel = crowd(Panel(ITEMS, error=0.1, seed=1, **WINNER), 5)
    seen, rows = panel.forecast(people=20), panel.ranking.details["open_pairs"]
    assert 0 < seen["low"] <= seen["items"] <= seen["high"] <= 4
    assert {maybe["out"] for maybe in seen["likely"]} <= set("bcde")
    assert {row["first"] for row in rows} == {"a"} and len(rows) == 4
    assert panel.forecast(people=0)["high"] == 0


@pytest.mark.parametrize(
    "options",
    [
        {"assume": "luck"},
        {"assume": "winner"},
        {**WINNER, "relation": "field-share"},
        {**WINNER, "about": "panel"},
    ],
)
def test_it_goes_with_the_best_of_a_population_only(options):
    with pytest.raises(BadInput, match="assume"):
        Panel(["a", "b"], judges=["m"], **options)


# ---------------------------------------------------------------------- joining, withdrawing, going on, replays
def test_items_join_at_their_own_epochs_level_and_who_is_out_stays_out():
    panel = crowd(Panel(["b", "c", "d"], error=0.1, seed=2, **WINNER), 30)
    assert panel.ranking.proven and panel.ranking.details["eliminated"] == ["c", "d"]
    panel.add_items(["a"])
    counted = panel.state.counted
    assert not panel.done and panel.ranking.details["eliminated"] == ["c", "d"]
    assert counted.level_of(0) == pytest.approx(0.08) and counted.level_of(3) == pytest.approx(0.01)
    for person in range(100, 140):
        sit(panel, person)
    assert panel.ranking.proven and panel.ranking.order[0] == "a"
    assert [link.level for link in panel.ranking.links] == pytest.approx([0.08] * 3)


def test_nobody_wins_who_was_preferred_by_nobody():
    """Everybody was ruled out, then an item joins: the only one left is asked about before it is the best."""
    panel = Panel(["b", "c"], error=0.2, seed=1, **WINNER)
    panel.state.counted.out[:] = True
    panel.add_items(["a"])
    assert not panel.done and not panel.ranking.proven
    sit(panel, "somebody")
    assert panel.done and panel.ranking.proven


def test_a_withdrawn_item_may_still_be_the_winner_so_nothing_more_is_proven():
    """As for every aim of a panel: what was withdrawn is not asked about, and what it leaves open stays open."""
    panel = crowd(Panel(["a", "b", "c"], error=0.2, seed=1, sitting=2, **WINNER), 2)
    panel.withdraw_items(["c"])
    asked = [question for person in range(50, 80) for question in sit(panel, person)]
    assert asked and not any("c" in (question.left, question.right) for question in asked)
    assert panel.ranking.details["eliminated"] == ["b"] and not panel.ranking.proven


def test_what_comes_after_the_places_that_count_accuses_nobody():
    panel = Panel(ITEMS, error=0.2, seed=3, sitting=3, beyond=4, **WINNER)
    crowd(panel, 6, answer=lambda question: max(question.left, question.right))
    first = sit(panel, "last", most=1)[0]
    assert len(first.terms["plan"]) == 7 and first.terms["counts"] == 3 and len(first.terms["accused"]) == 3
    before = panel.state.counted.tally.sum()
    sit(panel, "last")
    named = sum(map(len, first.terms["accused"]))
    assert 0 < named and panel.state.counted.tally.sum() == before + named


def test_a_snapshot_in_the_middle_goes_on_alike():
    panel = Panel(ITEMS, error=0.1, seed=4, **WINNER)
    crowd(panel, 4)
    sit(panel, "half", most=3)  # its accusations are not counted yet
    again = Ranker.restore(panel.snapshot())
    for one in (panel, again):
        sit(one, "half")
        crowd(one, 30)
    assert panel.ranking.to_dict() == again.ranking.to_dict() and panel.ranking.proven
