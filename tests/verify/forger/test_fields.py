"""No document made from the table of fields claims too much, crashes the checker, or takes long."""

import pytest

from juryrank.verify.certified import attempts
from juryrank.verify.panel import sittings
from tests.verify.forger.fields import KINDS
from tests.verify.forger.forge import FieldTally

pytestmark = pytest.mark.xdist_group("forger")  # the honest documents are made once

QUICK, SIZE, SECONDS = 25, 1000, 10  # documents, each with the old result and with one drawn up anew


def held(tally):
    assert not tally.passed, tally.passed
    assert not tally.crashed, tally.crashed
    assert tally.slowest[0] < SECONDS, tally.slowest
    assert all(tally.seen[kind] for kind in KINDS)


def test_no_adversarial_value_gets_through():
    held(FieldTally().forge(range(QUICK)))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("thousand", range(20))
def test_none_of_twenty_thousand_gets_through(thousand):
    tally = FieldTally().forge(range(thousand * SIZE, (thousand + 1) * SIZE))
    held(tally)
    assert tally.seen["still claims"] > 100  # many prove something: the hard part
    print({name: tally.seen[name] for name in [*KINDS, "documents", "refused", "false", "true", "still claims"]})


def test_the_generator_finds_checkers_that_look_less_closely(monkeypatch):
    """A generator that never gets through shows nothing unless it gets through a bad checker."""
    monkeypatch.setattr(attempts, "link_fault", lambda attempt, question: "")
    monkeypatch.setattr(attempts, "_fixed_again", lambda attempt, question: "")
    monkeypatch.setattr(sittings.Sittings, "_misfit", lambda self, q, number, place: "")
    tally = FieldTally()
    for seed in range(150):
        if tally.forge([seed]).passed or tally.crashed:
            return
    pytest.fail("it found none of them")
