"""Another ranker over the same log: always post-hoc, and as useful as the answers allow."""

from __future__ import annotations

import random

import pytest

from juryrank.errors import BadInput
from juryrank.rankers.registry import ranker_names
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.study.refold.recorded_answers import RecordedAnswers, best_guess, opinions, plain_links
from juryrank.study.refold.refold import chained_ranges, weighed
from juryrank.votes.vote import Outcome, Vote
from tests.quick import quick

pytestmark = pytest.mark.xdist_group("refold")  # the logs are played once

ITEMS = "abcd"


def vote(number, judge, pair, winner):
    left, right = pair
    outcome = {left: Outcome.LEFT, right: Outcome.RIGHT, "": Outcome.TIE}[winner]
    return Vote(number, judge=judge, left=left, right=right, winner=winner, outcome=outcome)


def played(ranker, *, judges=4, answers=10_000, accuracy=0.9, fresh=True, seed=1, error=0.05, **options):
    """A study answered by judges who know the alphabet, most of the time."""
    names = [f"judge {k}" for k in range(judges)]
    study = create_study(
        ITEMS, name="s", judges=names, ranker=ranker, fresh=fresh, seed=seed, error=error, options=options,
        storage=MemoryStorage(),
    )  # fmt: skip
    rng = random.Random(seed)
    for k in range(answers):
        question = study.ask(names[k % judges] if ranker == "panel" else None)
        if question is None and (study.done or ranker != "panel" or k > 20 * judges):
            break
        if question is not None:
            pair = sorted((question.left, question.right))
            study.tell(question, pair[rng.random() > accuracy])
    return study


@pytest.fixture(scope="module")
def logs():
    return {
        "panel": played("panel", judges=20, answers=200, fresh=False),
        "certified": played("certified"),
        "ada-iir": played("ada-iir", error=0.4),
    }


@pytest.mark.parametrize("source", quick(["panel", "certified", "ada-iir"], "certified"))
@pytest.mark.parametrize("ranker", [name for name in ranker_names() if name != "oracle"])
def test_every_ranker_orders_all_items_of_every_log_and_promises_nothing(logs, source, ranker):
    study = logs[source]
    result = study.log.refold(ranker=ranker)
    assert sorted(result.order) == sorted(ITEMS) and result.ranker == ranker
    assert not result.certified and "promises nothing" in result.statement and result.post_hoc
    assert len(result.links) == len(ITEMS) - 1 and len(result.ranges) == len(ITEMS)
    assert all(best <= place <= worst for place, (best, worst) in enumerate(result.ranges, 1)) or ranker == "panel"
    if ranker != source:
        told = result.details.refold
        assert 0 < told["used"] <= told["answers"] == study.progress().answers
        assert f"could use {told['used']:,} of the log's {told['answers']:,} answers" in result.warnings[0]
    assert study.ranking().post_hoc == ()


def test_the_order_uses_all_answers_though_the_other_ranker_cannot(logs):
    study = logs["certified"]
    assert study.ranking().order == tuple(ITEMS)
    for ranker in ("iir", "two-stage", "panel"):
        assert study.log.refold(ranker=ranker).order == tuple(ITEMS)
    assert study.log.refold(ranker="iir").details.refold["used"] < study.progress().answers


def test_a_panel_log_as_certified_shows_the_evidence_of_each_link(logs):
    result = logs["panel"].log.refold(ranker="certified", error=0.2)
    assert result.error == 0.2 and all(link.level == pytest.approx(0.16) for link in result.links)
    about = sum(link.answers_for + link.answers_against for link in result.links)
    assert about == result.questions == result.details.refold["used"]
    assert "its evidence is flattered" in result.warnings[0]


def test_a_finished_certified_log_settles_as_a_paper_ranker_sees_it():
    study = played("ada-iir", accuracy=1.0, error=0.4)
    again = study.log.refold(ranker="certified")
    assert again.order == study.ranking().order == tuple(ITEMS) and all(link.settled for link in again.links)


def test_options_of_the_other_ranker_are_checked(logs):
    for wrong in ({"ranker": "certified", "objective": "nonsense"}, {"ranker": "panel", "objective": "nonsense"}):
        with pytest.raises(BadInput):
            logs["ada-iir"].log.refold(**wrong)
    assert logs["ada-iir"].log.refold(ranker="panel", objective="best").details.objective == "best"


def test_answers_taken_back_are_not_used(logs):
    study = played("iir", answers=40)
    before = study.log.refold(ranker="certified").details.refold["answers"]
    first = next(event.data["q"] for event in study.events() if event.kind == "told")
    study.undo(question=first, post_hoc=True)
    after = study.log.refold(ranker="certified")
    assert after.details.refold["answers"] == before - 1 and "taken back" in " ".join(after.post_hoc)


def test_each_recorded_answer_is_given_once_and_only_to_its_judge():
    recorded = RecordedAnswers([vote(1, "ann", "ab", "a"), vote(2, "ann", "ba", "b"), vote(3, "bob", "ab", "")])
    assert recorded.take("cid", "a", "b") is None
    assert [recorded.take("ann", "b", "a") for _ in range(3)] == ["a", "b", None]
    assert recorded.judges_of("b", "a") == ["bob"] and recorded.given == 2


def test_a_judges_repeated_answers_are_one_opinion():
    votes = [vote(1, "ann", "ab", "b"), vote(2, "ann", "ba", "b"), vote(3, "ann", "ab", "a")]
    votes += [vote(4, "bob", "ab", "a"), vote(5, "cid", "ab", "a"), vote(6, "cid", "ab", "b")]
    said = [(one.vote_id, one.winner, one.outcome) for one in opinions(votes)]
    assert said == [(1, "b", Outcome.RIGHT), (4, "a", Outcome.LEFT), (5, "", Outcome.TIE)]


def test_a_best_guess_takes_all_answers():
    votes = [vote(k, "ann", pair, pair[0]) for k, pair in enumerate(["ab", "bc", "cd"] * 3)]
    assert best_guess("dcba", votes)[0] == "a" and best_guess("dcba", votes)[-1] == "d"
    assert best_guess("ab", []) == ("a", "b")
    assert [(link.answers_for, link.answers_against) for link in plain_links("abc", votes)] == [(3, 0), (3, 0)]


def test_repeats_count_as_often_as_allowed_and_bets_follow_the_judge():
    votes = [vote(k, "ann", "ab", "a") for k in range(10)] + [vote(k, "bob", "ab", "") for k in range(10, 12)]
    how = {"judges": ["ann", "bob"], "prices": {"ann": 2.0, "bob": 1.0}, "error": 0.1, "ranker": "certified"}
    result, used = weighed("ab", votes, repeats=3, **how)
    assert (used, result.cost, result.judges[0].accuracy, result.judges[1].accuracy) == (3, 6.0, 1.0, None)
    everything, used = weighed("ab", votes, repeats=None, **how)
    assert used == 10 and everything.links[0].evidence > result.links[0].evidence > 1
    against, _ = weighed("ba", votes, repeats=None, **how)
    assert against.links[0].evidence < 1 and not against.links[0].settled
    assert chained_ranges([]) == ((1, 1),)
