"""Bets on links are fixed when a question is asked; they cost or save questions, never the promise."""

import math

import pytest

from juryrank.core.certified.judge_accuracy import credit, refresh
from juryrank.core.certified.pair_answers import note_answer, note_asked
from juryrank.core.certified.prove.choose import bet_on
from juryrank.core.certified.prove.evidence import log_bet
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
