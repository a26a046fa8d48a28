"""The monitor inside the certified ranker: it weakens the words where the answers look wrong, and only there."""

import numpy as np
import pytest

from juryrank.core.alarm import FALSE_ALARM
from juryrank.rankers.certified import Certified
from tests.core.test_monitor import lower_bound

ACCURACIES = (0.95, 0.85, 0.75, 0.6)


def play(answer, *, items=8, judges=4, seed=0, **options):
    """A whole ranking; `answer(rng, judge, better, worse)` says whether the judge is right."""
    rng = np.random.default_rng(seed)
    ranker = Certified(
        [int(i) for i in rng.permutation(items)], judges=range(judges), error=0.1, seed=seed, **options
    )
    while (question := ranker.ask()) is not None:
        better, worse = sorted((question.left, question.right))
        ranker.tell(question, better if answer(rng, question.judge, better, worse) else worse)
    return ranker.ranking


def steady(rng, judge, better, worse):
    return rng.random() < ACCURACIES[judge]


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_good_judges_are_certified_without_a_word(assume):
    for seed in range(4):
        ranking = play(steady, seed=seed, assume=assume)
        assert ranking.certified and not ranking.warnings


def test_a_judge_who_repeats_itself_proves_nothing():
    said = {}

    def remembering(rng, judge, better, worse):
        return said.setdefault((judge, better, worse), bool(rng.random() < 0.8))

    ranking = play(remembering, items=14, judges=1)
    assert not ranking.certified and "repeating themselves" in " ".join(ranking.warnings)
    assert "although every link was proven" in ranking.statement


def test_a_judge_who_reads_the_question_the_wrong_way_is_named():
    ranking = play(lambda rng, judge, *_: rng.random() < (0.1 if judge == 0 else 0.9), items=30, seed=3)
    named = [words for words in ranking.warnings if "less than chance" in words]
    assert ranking.certified
    assert all(words.startswith("Judge 0 ") for words in named)


@pytest.mark.slow
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_false_alarms_are_rare_in_whole_rankings(assume):
    runs = 400
    heard = sum(bool(play(steady, seed=seed, assume=assume).warnings) for seed in range(1000, 1000 + runs))
    assert lower_bound(heard, runs) <= FALSE_ALARM
