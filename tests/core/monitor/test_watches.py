"""Each watch has a world where it must raise an alarm and one where it must not; false alarms are counted."""

import json

import numpy as np
import pytest

from juryrank.core.tallies import AnswerTallies
from juryrank.core.watches import never_changing, probes_needed, watch
from juryrank.defaults import FALSE_ALARM
from tests.statistics import lower_bound

ITEMS = tuple(range(8))  # 0 is the best


def ask(rng, judges, pairs, answers, *, fresh=True):
    """Votes of `judges` (functions of rng, left, right) on random `pairs`, sides at random."""
    remembered = {}
    for _ in range(answers):
        judge = int(rng.integers(len(judges)))
        better, worse = sorted(pairs[rng.integers(len(pairs))])
        left, right = (better, worse) if rng.random() < 0.5 else (worse, better)
        choice = judges[judge](rng, left, right)
        if not fresh:
            choice = remembered.setdefault((judge, better, worse), choice)
        yield judge, left, right, choice


def steady(p):
    """Right (the smaller number) with probability p on every pair."""
    return lambda rng, left, right: min(left, right) if rng.random() < p else max(left, right)


def lefty(rng, left, right):
    return left


def hard_on(pair, *, easy, hard):
    def judge(rng, left, right):
        return steady(hard if {left, right} == set(pair) else easy)(rng, left, right)

    return judge


def round_and_round(rng, left, right):
    """0 over 1, 1 over 2, but 2 over 0, in nine of ten answers."""
    first, second = sorted((left, right))
    winner = second if (first, second) == (0, 2) else first
    return winner if rng.random() < 0.9 else (first + second - winner)


ALL_PAIRS = [(i, j) for i in ITEMS for j in ITEMS if i < j]
LINKS = [(i, i + 1) for i in ITEMS[:-1]]
GOOD = [steady(0.75), steady(0.9), steady(0.95), steady(0.5)]


def kinds(votes, **options):
    return {alarm.kind for alarm in watch(AnswerTallies.of(votes), ITEMS, **options)}


def must_speak(kind, judges, *, pairs=ALL_PAIRS, answers=400, fresh=True, runs=20, **options):
    heard = [
        kind in kinds(ask(np.random.default_rng(seed), judges, pairs, answers, fresh=fresh), **options)
        for seed in range(runs)
    ]
    assert all(heard), f"{kind} spoke in {sum(heard)} of {runs} runs"


def test_it_speaks_of_a_judge_who_agrees_less_than_chance():
    must_speak("below chance", [*GOOD[:3], steady(0.2)], answers=700)


def test_it_speaks_of_a_judge_who_answers_by_side():
    must_speak("by side", [*GOOD, lefty])


def test_it_speaks_of_repeats_that_are_too_alike_when_others_outvote_them():
    must_speak("same again", [steady(0.6)] * 3, pairs=LINKS, fresh=False, answers=400)


def test_it_speaks_of_a_single_judge_who_remembers():
    """All repeats equal, while some pairs that were asked once contradict the order."""
    rng = np.random.default_rng(5)
    once = list(ask(rng, [steady(0.8)], ALL_PAIRS, 60, fresh=False))
    again = [(0, i, i + 1, i) for i in ITEMS[:-1] for _ in range(25)]
    assert "same again" in kinds(once + again)


def test_it_speaks_of_a_link_unlike_the_rest_under_the_steady_model_only():
    judges = [hard_on((3, 4), easy=0.95, hard=0.5)] * 2
    must_speak("uneven", judges, pairs=LINKS, steady=True)
    votes = list(ask(np.random.default_rng(1), judges, LINKS, 400))
    assert "uneven" not in kinds(votes)


def test_it_speaks_of_a_cycle_and_names_it():
    votes = list(ask(np.random.default_rng(2), [round_and_round] * 3, [(0, 1), (1, 2), (0, 2)], 200))
    (alarm,) = [a for a in watch(AnswerTallies.of(votes), (0, 1, 2)) if a.kind == "cycle"]
    assert "0 over 1 over 2 over 0" in alarm.words and alarm.withheld


def false_alarms(runs, answers, *, first_seed=10_000):
    """How many of `runs` good worlds hear anything: steady judges, adaptive in whom they ask, looked at often."""
    heard = 0
    for seed in range(first_seed, first_seed + runs):
        rng = np.random.default_rng(seed)
        judges = [steady(p) for p in rng.uniform(0.5, 0.95, size=rng.integers(1, 7))]
        pairs = LINKS if seed % 2 else ALL_PAIRS
        seen, score = AnswerTallies(), np.zeros(len(judges))
        spoke = False
        for k in range(answers):
            u = int(np.argmax(score + rng.gumbel(size=len(judges))))  # whoever was right asks on
            vote = next(ask(rng, [judges[u]], pairs, 1))
            score[u] += 0.3 if vote[3] == min(vote[1:3]) else -0.5
            seen.count(u, *vote[1:])
            if k % 50 == 49:
                spoke = spoke or bool(watch(seen, ITEMS, steady=True))
        heard += spoke
    return heard


def test_false_alarms_are_rare():
    runs = 60
    assert lower_bound(false_alarms(runs, 200), runs) <= FALSE_ALARM


@pytest.mark.slow
def test_false_alarms_are_rare_in_many_runs():
    runs = 3000
    assert lower_bound(false_alarms(runs, 600, first_seed=50_000), runs) <= FALSE_ALARM


def test_sides_are_only_watched_where_they_are_random():
    votes = list(ask(np.random.default_rng(3), [lefty, steady(0.9)], ALL_PAIRS, 200))
    assert "by side" in kinds(votes) and "by side" not in kinds(votes, random_sides=False)


def test_ties_and_skips_are_no_votes():
    votes = [("ann", 0, 1, "tie"), ("ann", 0, 1, None)] * 50
    assert watch(AnswerTallies.of(votes), (0, 1)) == ()


def test_the_watch_goes_on_after_a_snapshot():
    votes = list(ask(np.random.default_rng(4), GOOD, LINKS, 200))
    seen = AnswerTallies.of(votes[:100])
    back = AnswerTallies.load(json.loads(json.dumps(seen.state())), seen.sides)
    for vote in votes[100:]:
        seen.count(*vote)
        back.count(*vote)
    assert back == seen


def test_a_judge_who_never_changes_an_answer_is_known_but_no_alarm():
    """A perfect judge says the same: it takes a cross-examination to tell."""
    votes = [(0, i, i + 1, i) for i in ITEMS[:-1] for _ in range(10)] + [(1, 0, 1, 0), (1, 0, 1, 1)]
    assert never_changing(AnswerTallies.of(votes)) == [0]
    assert "same again" not in kinds(votes)


@pytest.mark.parametrize(("links", "error"), [(2, 0.05), (9, 0.1), (9, 0.25), (99, 0.1), (299, 0.01)])
def test_enough_probes_catch_every_judge_who_remembers(links, error):
    enough = probes_needed(links, error)
    shares = np.linspace(0, 1, 20_001)
    passes_wrongly = (1 - (1 - shares) ** links) * (1 - shares) ** enough
    assert passes_wrongly.max() <= error
    fewer = int(0.98 * enough) - 1
    assert ((1 - (1 - shares) ** links) * (1 - shares) ** fewer).max() > error
