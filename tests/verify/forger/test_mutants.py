"""No forged certificate passes. Seeds are fixed: a seed that fails here fails again."""

import pytest

from juryrank.verify import check, verify
from tests.verify.forger.documents import MAKERS, honest
from tests.verify.forger.forge import Tally

CHUNKS, SIZE = 4, 100


@pytest.mark.parametrize("name", list(MAKERS))
def test_the_honest_certificate_passes(name):
    report = verify(honest(name))
    assert report.true, report.failures
    assert report.proven or "partial" in name or name == "schema 1, panel"


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_no_mutant_passes(chunk):
    tally = Tally().forge(range(chunk * SIZE, (chunk + 1) * SIZE))
    assert not tally.passed, tally.passed
    assert sum(tally.seen.values()) >= SIZE


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_no_mutant_of_ten_thousand_passes():
    tally = Tally().forge(range(10_000, 20_000))
    assert not tally.passed, tally.passed
    assert tally.seen["redrawn, still proven"] > 300  # many of them are logs that prove something: the hard part


def test_the_forger_finds_a_checker_that_compares_nothing(monkeypatch):
    """A forger that never gets through shows nothing unless it gets through a bad checker."""
    monkeypatch.setattr(check, "difference", lambda *values, **options: "")
    assert len(Tally().forge(range(60)).passed) >= 5
