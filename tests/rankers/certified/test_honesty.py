"""The monitor inside the certified ranker: it weakens the words where the answers look wrong, and only there."""

import numpy as np
import pytest

from juryrank import rank
from juryrank.defaults import FALSE_ALARM
from juryrank.errors import BadInput
from juryrank.judges import simulated
from juryrank.rankers.certified.ranker import Certified
from juryrank.verify import verify
from tests.quick import quick
from tests.statistics import lower_bound

ACCURACIES = (0.95, 0.85, 0.75, 0.6)


def play(answer, *, items=8, judges=4, seed=0, error=0.1, **options):
    """A whole ranking; `answer(rng, judge, better, worse)` says whether the judge is right."""
    rng = np.random.default_rng(seed)
    ranker = Certified(
        [int(i) for i in rng.permutation(items)], judges=range(judges), error=error, seed=seed, **options
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


def remembering(accuracy):
    """Decides a pair once, and says the same ever after."""
    said = {}

    def answer(rng, judge, better, worse):
        return said.setdefault((judge, better, worse), bool(rng.random() < accuracy))

    return answer


def test_a_judge_who_repeats_itself_proves_nothing():
    ranking = play(remembering(0.8), items=14, judges=1)
    assert not ranking.certified and "repeating itself" in " ".join(ranking.warnings)
    assert "although every link was proven" in ranking.statement
    assert ranking.details.never_changing == [0] and not ranking.details.claims
    assert any(best != worst for best, worst in ranking.ranges)


@pytest.mark.parametrize(
    ("assume", "judges"),
    [
        ("better-than-chance", 1),
        pytest.param("steady", 9, marks=pytest.mark.slow),
        pytest.param("better-than-chance", 9, marks=pytest.mark.slow),
        pytest.param("steady", 1, marks=pytest.mark.slow),
    ],
)
def test_judges_who_remember_do_not_get_their_mistakes_certified(assume, judges):
    """One in five of their answers is wrong, and said again and again; believed, most orders come out wrong."""
    runs = 12
    options = {"items": 10, "judges": judges, "assume": assume, "budget": 600}
    seen = [play(remembering(0.8), seed=seed, **options) for seed in range(runs)]
    wrong = [ranking.certified and list(ranking.order) != sorted(ranking.order) for ranking in seen]
    assert lower_bound(sum(wrong), runs) <= 0.1
    believed = [play(remembering(0.8), seed=seed, trust_repeats=True, **options) for seed in range(4)]
    assert sum(ranking.certified and list(ranking.order) != sorted(ranking.order) for ranking in believed) >= 2


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
@pytest.mark.parametrize("items", quick([2, 3, 5], 3))
def test_a_perfect_judge_of_a_short_list_is_asked_every_pair_there_is(items, assume):
    for seed in range(8):
        assert play(lambda *_: True, items=items, judges=1, seed=seed, assume=assume, error=0.05).certified


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
@pytest.mark.parametrize("judges", quick([1, 3], 3))
def test_perfect_judges_are_certified_after_a_cross_examination(assume, judges):
    ranking = play(lambda *_: True, items=10, judges=judges, assume=assume)
    trusted = play(lambda *_: True, items=10, judges=judges, assume=assume, trust_repeats=True)
    assert ranking.certified and not ranking.warnings
    assert trusted.certified and trusted.questions < ranking.questions < 2 * trusted.questions


def test_others_can_prove_what_rests_on_a_judge_who_remembers():
    """One remembers and errs; the rest answer afresh, and are many."""
    told = remembering(0.9)

    def answer(rng, judge, better, worse):
        return told(rng, judge, better, worse) if judge == 0 else rng.random() < 0.9

    rankings = [play(answer, items=8, judges=6, seed=seed, budget=600) for seed in range(6)]
    assert all(list(r.order) == sorted(r.order) for r in rankings if r.certified)
    assert sum(r.certified for r in rankings) >= 3


def test_a_cross_examination_goes_on_after_a_snapshot_and_in_a_replay():
    rng = np.random.default_rng(5)
    ranker = Certified(range(10), judges=range(2), error=0.1, seed=5)
    copy = None
    while (question := ranker.ask()) is not None:
        if copy is None and question.terms["phase"] == "cross-examine" and rng.random() < 0.1:
            copy = Certified.restore(ranker.snapshot())
        elif copy is not None:
            assert question == copy.ask()
        answer = min(question.left, question.right)
        ranker.tell(question, answer)
        if copy is not None:
            copy.tell(question.id, answer)
    assert copy is not None and ranker.ranking.certified and copy.ranking == ranker.ranking


def test_repeats_may_be_trusted_by_name_only():
    with pytest.raises(BadInput, match="trust_repeats"):
        Certified("ab", judges=["ann"], trust_repeats="yes")


def test_a_judge_who_reads_the_question_the_wrong_way_is_named():
    ranking = play(lambda rng, judge, *_: rng.random() < (0.35 if judge == 0 else 0.9), items=20, judges=2)
    (named,) = (words for words in ranking.warnings if "less than chance" in words)
    assert named.startswith("Judge 0 ")


@pytest.mark.slow
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_false_alarms_are_rare_in_whole_rankings(assume):
    runs = 400
    heard = sum(bool(play(steady, seed=seed, assume=assume).warnings) for seed in range(1000, 1000 + runs))
    assert lower_bound(heard, runs) <= FALSE_ALARM


@pytest.mark.slow
@pytest.mark.parametrize("accuracy", [0.95, 0.99, 0.9994, 1.0])
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_fresh_judges_however_good_are_not_withheld(assume, accuracy):
    """Right orders only: a wrong one that the cross-examination stops is no false alarm."""
    runs = 200
    seen = [
        play(lambda rng, *_: rng.random() < accuracy, items=8, judges=1 + seed % 4, seed=seed, assume=assume)
        for seed in range(2000, 2000 + runs)
    ]
    heard = sum(not r.certified and list(r.order) == sorted(r.order) for r in seen)
    assert lower_bound(heard, runs) <= FALSE_ALARM


@pytest.mark.parametrize("accuracies", quick([[0.95], [0.95, 0.95], [0.9, 0.7, 0.6]]))
def test_fresh_judges_who_happened_never_to_change_an_answer_are_asked_until_one_does(accuracies):
    """`fresh=True` is enough for the best: it ended unproven where good judges had said the same five times."""
    items = list("abcde")
    found = [
        rank(items, simulated(items, accuracies, seed=100 + seed), about="truth", goal="best", seed=seed)
        for seed in range(4)
    ]
    assert all(result.proven and result.order[0] == "a" for result in found)
    assert all(verify(result.certificate(), rerun=True).proven for result in found[:2])


def test_a_judge_who_never_changes_an_answer_proves_no_best_and_it_is_said_what_to_do():
    """A fixed program that is called fresh: it is asked some more, and stays unproven."""
    result = rank(list("abcde"), {"program": min}, about="truth", goal="best", seed=1)
    assert not result.proven and result.questions < 100
    (said,) = [words for words in result.warnings if "never gave another answer" in words]
    assert "4 ruled-out items rest on such repeats" in said and "trust_repeats=True" in said
