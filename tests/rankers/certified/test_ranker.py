"""What the certified ranker adds to the contract: attempts, claims, joining, prices, repeats, replays."""

from contextlib import nullcontext

import numpy as np
import pytest

from juryrank.core.compiling import compiled, without_compiling
from juryrank.core.levels import level_of
from juryrank.errors import BadInput
from juryrank.log import chained, fold, settings
from juryrank.rankers.certified.core import state as st
from juryrank.rankers.certified.core.prove.evidence import GRID_SIZE, log_bet, log_mixture
from juryrank.rankers.certified.prover import Prover
from juryrank.rankers.certified.ranker import Certified
from juryrank.rankers.certified.result import ranges_of
from juryrank.rankers.contract.ranker import Ranker
from juryrank.rankers.contract.roster import side_of
from juryrank.simulation import Bernoulli
from juryrank.simulation.players.by_answer import prefers
from juryrank.simulation.players.certified import DIGEST, digested, play_out
from juryrank.simulation.worlds.kinds import stage_of
from juryrank.types import SKIP, TIE, Wait

from .worlds import better, coin, worse


def play(ranker, answer, most=5000):
    asked = []
    while len(asked) < most and (question := ranker.ask()) is not None:
        asked.append(question)
        ranker.tell(question, answer(question))
    return asked


def test_a_certificate_names_evidence_level_and_who():
    ranker = Certified(range(4), judges=["ann", "bob"], error=0.1, seed=1)
    asked = play(ranker, better)
    found = ranker.ranking
    assert found.certified and found.order == (0, 1, 2, 3)
    assert found.ranges == ((1, 1), (2, 2), (3, 3), (4, 4))
    level = level_of(0.1, len(found.details.attempts))
    for link in found.links:
        assert link.settled and link.level == level and link.evidence >= 1 / level
        assert link.answers_for == sum(good for good, _ in link.by.values()) > 0
    assert found.details.attempts[-1]["outcome"] == "certified"
    first = next(q for q in asked if q.terms["phase"] == "prove")
    assert first.terms["list"] == [0, 1, 2, 3] and sorted(first.terms["surest"]) == [0, 1, 2]
    assert all(0 < q.terms["bet"] < 1 for q in asked if q.terms["phase"] == "prove")


def test_steady_fixes_a_prior_at_a_judges_first_question():
    ranker = Certified(range(5), judges=["ann", "bob"], error=0.1, seed=1, assume="steady")
    proving = [q for q in play(ranker, better) if q.terms["phase"] == "prove"]
    firsts = {(q.terms["attempt"], q.judge): q for q in reversed(proving)}
    assert all(sum(q.terms["prior"]) == pytest.approx(1) for q in firsts.values())
    assert all("prior" not in q.terms for q in proving if q not in firsts.values())
    assert ranker.ranking.certified


def test_items_that_join_end_the_attempt_even_after_a_certificate():
    ranker = Certified(range(3), judges=["ann"], error=0.1, seed=2)
    play(ranker, better)
    assert ranker.ranking.certified
    ranker.add_items([3, 4])
    assert not ranker.done and not ranker.ranking.certified
    assert ranker.ranking.details.claims  # what was certified stays claimed
    play(ranker, better)
    found = ranker.ranking
    assert found.certified and found.order == (0, 1, 2, 3, 4)
    assert [a["attempt"] for a in found.details.attempts] == list(range(1, len(found.details.attempts) + 1))
    assert found.links[0].level < level_of(0.1, 1)
    assert "items joined" in found.details.attempts[0]["outcome"]


def test_a_judge_may_join_at_any_time():
    ranker = Certified(range(6), judges=["noise"], error=0.1, seed=2, budget=400)
    play(ranker, coin(1, 0.5), most=30)
    ranker.add_judge("sure")
    play(ranker, lambda q: better(q) if q.judge == "sure" else coin(q.id, 0.5)(q))
    assert ranker.ranking.certified and ranker.ranking.order == tuple(range(6))


def test_items_may_come_from_nothing():
    ranker = Certified([], judges=["ann"], error=0.1)
    assert ranker.done and ranker.ranking.order == ()
    ranker.add_items([5])
    assert ranker.done and ranker.ranking.certified
    ranker.add_items([1, 3])
    play(ranker, better)
    assert ranker.ranking.order == (1, 3, 5)


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_a_replayed_log_gives_the_same_ranker_with_many_open(assume):
    data = settings("abcdef", judges=["x", "y"], ranker="certified", error=0.2, seed=3)
    data["options"] = {"assume": assume}
    events = [chained("0" * 64, 1, "created", data)]
    ranker = Certified("abcdef", judges=["x", "y"], error=0.2, seed=3, assume=assume)
    answer = coin(4, 0.85)
    out = []

    def note(kind, data):
        events.append(chained(events[-1].hash, len(events) + 1, kind, data))

    for step in range(1500):
        question = ranker.ask()
        if question is not None:
            out.append(question)
            note("asked", {
                "q": question.id, "judge": question.judge, "left": question.left, "right": question.right,
                "terms": dict(question.terms),
            })  # fmt: skip
        if not out:
            break
        if question is None or len(out) > 4 or step % 3:
            told = out.pop(step * 7 % len(out))
            given = [TIE, SKIP][step % 2] if step % 11 == 0 else answer(told)
            ranker.tell(told, given)
            note("told", {"q": told.id, "answer": side_of(told, given)})
    again = fold(events).ranker
    assert again.ranking == ranker.ranking
    assert again.snapshot()["state"]["machine"] == ranker.snapshot()["state"]["machine"]
    assert ranker.done


def test_a_snapshot_in_the_middle_of_a_proof_goes_on_the_same():
    def until_proving():
        ranker = Certified(range(6), judges=range(3), error=0.1, seed=7)
        answer = coin(8, 0.85)
        while (question := ranker.ask()).terms["phase"] != "prove":
            ranker.tell(question, answer(question))
        held = [question, ranker.ask()]
        return ranker, held

    ranker, held = until_proving()
    copy = Ranker.restore(ranker.snapshot())
    for one in (ranker, copy):
        for question in reversed([q for q in held if q is not None]):
            one.tell(question.id, better(question))
    assert play(ranker, coin(9, 0.85)) == play(copy, coin(9, 0.85))
    assert ranker.ranking == copy.ranking


def test_information_per_cost_decides():
    prices = {"dear": 50.0, "cheap": 1.0}
    ranker = Certified(range(8), judges=["dear", "cheap"], error=0.1, seed=1, prices=prices)
    asked = play(ranker, better)
    assert sum(q.judge == "cheap" for q in asked) > 0.9 * len(asked)


def test_a_budget_in_money_is_kept_and_the_claims_are_a_prefix():
    how = {"prices": {"ann": 2.0}, "money": 150.0, "trust_repeats": True}  # ann is a program, and always right
    ranker = Certified(range(12), judges=["ann"], error=0.1, seed=1, **how)
    play(ranker, better)
    found = ranker.ranking
    assert ranker.cost <= 150 and ranker.spent and not found.certified
    assert all(low <= k + 1 <= high for k, (low, high) in enumerate(found.ranges))
    s = ranker._machine
    claimed = int(s.cursor.claimed)
    assert all(s.proof.link[k, st.IS_PROVEN] for k in s.proof.link[:claimed, st.FIXED])
    assert len(found.details.claims) == claimed


def test_each_judge_is_asked_a_pair_once_when_repeats_is_one():
    ranker = Certified(range(6), judges=range(12), error=0.2, seed=1, repeats=1)
    asked = play(ranker, better)
    pairs = [(q.judge, frozenset((q.left, q.right))) for q in asked]
    assert len(pairs) == len(set(pairs))
    assert ranker.ranking.certified and ranker.ranking.order == tuple(range(6))


def test_too_few_judges_for_repeats_one_is_said_and_ends():
    ranker = Certified(range(4), judges=["ann", "bob"], error=0.05, seed=1, repeats=1)
    assert ranker.fewest_judges == 5
    play(ranker, better)
    found = ranker.ranking
    assert ranker.done and not found.certified
    assert any("at least 5 unanimous judges" in words for words in found.warnings)


def test_a_judge_may_pull_and_a_paused_one_gets_nothing():
    ranker = Certified(range(5), judges=["ann", "bob"], error=0.2, seed=1)
    assert ranker.ask("bob").judge == "bob"
    ranker.pause_judge("ann")
    assert ranker.ask("ann") is None and ranker.status("ann").state is Wait.DROPPED
    ranker.resume_judge("ann")
    ranker.tell(1, better(ranker.open_questions[0]))
    assert ranker.ask("ann").judge == "ann"


def test_answers_wait_for_earlier_ones_of_their_link():
    prover = Prover([0, 1], judges=["ann"], error=0.3, give_up=False)
    prover.fix([0, 1])
    first, second = prover.ask(), prover.ask()
    prover.tell(second, better(second))
    assert prover.ranking.links[0].answers_for == 0
    prover.expire(first)
    assert prover.ranking.links[0].answers_for == 1


def test_a_link_that_looks_wrong_ends_the_attempt():
    ranker = Certified([0, 1], judges=["ann"], error=0.1, seed=1)
    while ranker.ask().terms["phase"] != "prove":
        ranker.tell(ranker.open_questions[0], worse(ranker.open_questions[0]))
    for _ in range(40):
        for question in ranker.open_questions:
            ranker.tell(question, better(question))
        if ranker.done:
            break
        ranker.ask()
    found = ranker.ranking
    assert found.order == (0, 1) and len(found.details.attempts) > 1
    assert "spoke against" in found.details.attempts[0]["outcome"]


def test_ranges_follow_from_the_claims():
    assert ranges_of([0, 1, 2, 3], [(0, 1, 1), (1, 2, 1)], 4, False) == [(1, 2), (2, 3), (3, 4), (1, 4)]
    assert ranges_of([0, 1], [], 2, False) == [(1, 2), (1, 2)]


@pytest.mark.parametrize(("option", "value"), [("assume", "hope"), ("repeats", 0), ("repeats", 1.5)])
def test_bad_options_are_named(option, value):
    with pytest.raises(BadInput, match=option):
        Certified("ab", judges=["ann"], **{option: value})


def live_and_played(assume, play_how):
    """Digests of the questions of a live ranker and of the simulated machine, fed with the same answers."""
    world, truth = Bernoulli((0.9, 0.7, 0.8)), np.array([3, 1, 6, 0, 5, 2, 4])
    stage = stage_of(world, 7)
    machine = Certified(range(7), judges=range(3), error=0.1, seed=11, assume=assume)._machine
    with play_how():
        _, board = play_out(machine, stage, truth, np.random.default_rng(5), budget=5000, parallel=1)
    live = Certified(range(7), judges=range(3), error=0.1, seed=11, assume=assume)
    rng, digest = np.random.default_rng(5), 0
    while (question := live.ask()) is not None:
        c = live._machine.cursor
        x, y = int(c.draft_first), int(c.draft_second)
        digest = digested(digest, question.judge, x, y)
        live.tell(question, x if prefers(stage, question.judge, truth[x], truth[y], live.questions, rng) else y)
    return digest, int(board.flow[DIGEST])


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_live_and_simulated_ask_the_same(assume):
    live, played = live_and_played(assume, without_compiling)
    assert live == played


@pytest.mark.slow  # the first time compiles the whole machine: more than a minute
@pytest.mark.xdist_group("certified, compiled")  # in one process, so that it is compiled once
@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_plain_and_compiled_ask_the_same(assume):
    live, played = live_and_played(assume, nullcontext)
    assert live == played


def test_plain_and_compiled_evidence_is_the_same():
    """The arithmetic of the promise; the whole machine is compared in the slow tests."""
    prior = np.append(np.full(GRID_SIZE, 0.5 / GRID_SIZE), [0.5, 3.0, 1.0])
    for agree, answers in ((0, 0), (7, 9), (300, 501)):
        plain = log_mixture(memoryview(prior), agree, answers)
        assert compiled(log_mixture)(prior, agree, answers) == pytest.approx(plain, rel=1e-14)
    for agrees in (True, False):
        assert compiled(log_bet)(0.3, agrees) == pytest.approx(log_bet(0.3, agrees), rel=1e-14)


def test_only_who_is_asked_seldom_is_called_seldom_asked():
    ranker = Certified(["a", "b", "c"], judges=["ann", "bob"], seed=1)
    assert {judge.note for judge in ranker.ranking.judges} == {"not asked"}
    for _ in range(60):
        ranker.tell(question := ranker.ask(), TIE if question.id < 40 else min(question.left, question.right))
        asked = [judge.asked for judge in ranker.ranking.judges]
        for judge in ranker.ranking.judges:
            assert (judge.note == "not asked") == (judge.asked == 0)
            assert judge.note != "seldom asked" or 2 * judge.asked <= max(asked)
            assert judge.note != "kept: asked most" or judge.asked == max(asked)
