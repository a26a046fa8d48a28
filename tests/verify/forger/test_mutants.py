"""No forged certificate passes. Seeds are fixed: a seed that fails here fails again."""

import random

import pytest

from juryrank.verify import check, verify
from tests.verify.forger.documents import MAKERS, honest
from tests.verify.forger.forge import Tally
from tests.verify.forger.log import gold_as_evidence, other_gold
from tests.verify.forger.oracle import ranker_agrees, redrawn, verdict
from tests.verify.logs import reforge

pytestmark = pytest.mark.xdist_group("forger")  # the honest documents are made once

SIZE, MUTANTS = 40, 60  # documents, each altered in one or two ways; at least so many mutants of them


@pytest.mark.parametrize("name", list(MAKERS))
def test_the_honest_certificate_passes(name):
    report = verify(honest(name))
    assert report.true, report.failures
    assert report.proven or report.refuted or "partial" in name
    assert report.refuted == ("refuted" in name)


def test_no_mutant_passes():
    tally = Tally().forge(range(SIZE))
    assert not tally.passed, tally.passed
    assert tally.mutants >= MUTANTS


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("thousand", range(600, 610))
def test_no_mutant_of_ten_thousand_passes(thousand):
    tally = Tally().forge(range(thousand * 1000, (thousand + 1) * 1000))
    assert not tally.passed, tally.passed
    assert tally.mutants >= 1000
    assert tally.seen["redrawn, still claims"] > 50  # many of them are logs that prove something: the hard part


@pytest.mark.parametrize("alter", [gold_as_evidence, other_gold])
def test_gold_answers_are_never_evidence(alter):
    """A relabelled one fails, whether the old result is kept or our own program draws up a new one."""
    for seed in range(12):
        forged = honest("certified, gold pairs")
        alter(random.Random(seed), forged)
        if reforge(forged) == honest("certified, gold pairs"):
            continue  # it was so before
        kept, drawn = verdict(forged), redrawn(forged)
        assert kept is None or not kept.true, seed
        report = None if drawn is None else verdict(drawn)
        assert report is None or not report.proven or ranker_agrees(drawn, report), seed


def test_the_forger_finds_a_checker_that_compares_nothing(monkeypatch):
    """A forger that never gets through shows nothing unless it gets through a bad checker."""
    monkeypatch.setattr(check, "difference", lambda *values, **options: "")
    assert len(Tally().forge(range(40)).passed) >= 5
