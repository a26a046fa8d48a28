"""Bets on links are fixed when a question is asked; they cost or save questions, never the promise."""

import math

import pytest

from juryrank.rankers.certified.core.judge_accuracy import credit, refresh
from juryrank.rankers.certified.core.pair_answers import note_answer, note_asked
from juryrank.rankers.certified.core.prove.attempt import adopt_list, bet_on, landing
from juryrank.rankers.certified.core.prove.evidence import BET_MOST, log_bet
from juryrank.rankers.certified.core.state import NOW, OPENED
from juryrank.rankers.certified.ranker import Certified


@pytest.mark.parametrize("share", [51, 52, 55, 70])
def test_bets_on_a_pair_asked_often_follow_its_own_record(share):
    """A bet above twice the margin loses in the long run: a very hard pair would never be proven."""
    s = Certified(range(2), judges=["a"], error=0.1)._machine
    for _ in range(200):
        credit(s.jury, 0, 0.99, 1.0)  # a judge who is right about nearly everything else
    refresh(s.jury, 0)
    for k in range(6_000):
        note_asked(s.tallies, 0, 1, 0)
        note_answer(s.tallies, 0, 1, 0, k * 37 % 100 < share)
    bet, p = bet_on(s, 0, 0, 1), share / 100
    assert math.isclose(bet, 2 * p - 1, abs_tol=0.01)
    assert p * log_bet(bet, True) + (1 - p) * log_bet(bet, False) > 0


@pytest.mark.parametrize("accuracy", [60, 75, 82, 90, 95, 99])
def test_whole_answers_prove_a_link_without_going_far_beyond(accuracy):
    """Bets land on the threshold: as many answers in agreement as they were made for, and no fewer, prove it."""
    ranker = Certified(range(2), judges=["a"], error=0.1)
    s = ranker.state.views
    for k in range(400):
        credit(s.jury, 0, float(k % 100 < accuracy), 1.0)
    refresh(s.jury, 0)
    adopt_list(s, [0, 1], 1)
    usual, evidence, answers = bet_on(s, 0, 0, 1), 0.0, 0
    while evidence < s.cursor.threshold:
        s.proof.worth[0, NOW] = evidence
        bet = landing(s, 0, usual)
        assert 0 < bet <= BET_MOST
        evidence, answers = evidence + log_bet(bet, True), answers + 1
    assert evidence - s.cursor.threshold < 1e-5
    assert answers <= math.ceil(s.cursor.threshold / log_bet(usual, True))


def test_a_bet_that_lands_needs_no_more_answers_than_are_out():
    """What is out is counted as if it agreed; where that is enough, or nothing is expected, a bet stays."""
    s = Certified(range(2), judges=["a"], error=0.1).state.views
    adopt_list(s, [0, 1], 1)
    alone = landing(s, 0, 0.6)
    s.proof.link[0, OPENED] = 1
    assert landing(s, 0, 0.6) != alone
    s.proof.link[0, OPENED] = 50
    assert landing(s, 0, 0.6) == 0.6
    assert landing(s, 0, 0.0) == 0.0
