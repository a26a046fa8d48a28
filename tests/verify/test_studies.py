"""Certificates of lasting studies: undo, joining items, removed judges, late answers, several at once."""

import numpy as np
import pytest

from juryrank import create_study
from juryrank.storage import MemoryStorage
from juryrank.verify import verify

JUDGES = {"ann": 0.95, "bob": 0.85, "cem": 0.7, "dee": 0.9}  # dee joins later


def new_study(items="abcdef", *, assume="better-than-chance", **options):
    return create_study(
        list(items), name="letters", judges=["ann", "bob", "cem"], ranker="certified", seed=5, error=0.1,
        storage=MemoryStorage(), options={"assume": assume, "repeats": None}, **options,
    )  # fmt: skip


def answer(study, question, rng):
    better, worse = sorted((question.left, question.right))
    study.tell(question.id, better if rng.random() < JUDGES[question.judge] else worse)


def play(study, rng, *, most=2000, undo=0.0):
    """Answer until it is done; now and then a judge takes the last answer back and answers anew."""
    for _ in range(most):
        question = study.ask()
        if question is None:
            return
        answer(study, question, rng)
        if rng.random() < undo:
            answer(study, study.undo(question.judge, by="judge"), rng)


def checked(study):
    report = verify(study.certificate())
    assert report.true, report.failures
    return report


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_items_that_join_end_the_attempt_and_the_new_certificate_is_true(assume):
    study, rng = new_study(assume=assume), np.random.default_rng(1)
    play(study, rng)
    assert checked(study).verdict == "certified"
    study.add_items(["g", "h"])
    assert checked(study).verdict == "partial"
    play(study, rng)
    report = checked(study)
    assert report.verdict == "certified" and report.order == tuple("abcdefgh")
    assert len(report.result["details"]["attempts"]) >= 2


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_a_judges_own_undo_keeps_the_certificate_true(assume):
    for seed in range(3):
        study = new_study(assume=assume)
        play(study, np.random.default_rng(seed), undo=0.1)
        assert checked(study).verdict == "certified"


def test_an_owners_undo_is_an_edit():
    study = new_study()
    play(study, np.random.default_rng(1), most=20)
    study.undo(study.ranking().judges[0].name, by="owner", post_hoc=True)
    play(study, np.random.default_rng(1))
    report = checked(study)
    assert not report.proven and len(report.post_hoc) == 1


def test_discarding_a_judge_makes_it_post_hoc_and_the_certificate_says_so():
    study = new_study()
    play(study, np.random.default_rng(2))
    study.judge("bob").remove(discard_answers=True)
    report = checked(study)
    assert report.verdict == "partial" and len(report.post_hoc) == 1 and "bob" in report.post_hoc[0]


def test_to_stop_asking_a_judge_is_free():
    study, rng = new_study(), np.random.default_rng(3)
    play(study, rng, most=40)
    study.judge("ann").remove()
    study.add_judge("dee")
    play(study, rng)
    assert checked(study).verdict == "certified"


def test_an_answer_taken_back_after_the_fact_is_listed():
    study = new_study()
    play(study, np.random.default_rng(4))
    study.undo(question=3, post_hoc=True)
    report = checked(study)
    assert report.verdict == "partial" and "question 3" in report.post_hoc[0]
