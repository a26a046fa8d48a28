"""The oracle of the forger: where it takes more than the ranker's word, and that it is not blind there."""

import copy
import random
from dataclasses import replace

import pytest

from juryrank.verify import verify
from tests.quick import quick
from tests.verify.forger import fields, oracle
from tests.verify.forger.documents import MAKERS, honest, pick
from tests.verify.forger.theorem import bears_out
from tests.verify.logs import reforge

CERTIFIED = [name for name in MAKERS if name.startswith("certified")]


@pytest.mark.parametrize("name", quick(CERTIFIED, *CERTIFIED[::4]))
def test_the_theorem_bears_honest_claims_out_and_no_others(name):
    document = honest(name)
    report = verify(document)
    assert report.result["claims"] and oracle.ranker_agrees(document, report)
    result = copy.deepcopy(report.result)
    better, worse, level = result["claims"][-1]
    result["claims"][-1] = [worse, better, level]
    for gone in filter(None, [result["details"].get("eliminated")]):
        gone.append(better)
    assert not oracle.ranker_agrees(document, replace(report, result=result))


@pytest.mark.parametrize("name", CERTIFIED)
def test_evidence_short_of_what_is_needed_is_no_claim(name):
    """The same answers at a thousandth of the level, which every claim of these documents falls short of."""
    document = honest(name)
    report = verify(document)
    document["events"][0]["data"]["error"] /= 1000
    assert not bears_out(document, report)


FIRST = list(MAKERS)[:34]  # those there were when these two seeds were found


@pytest.mark.parametrize(("seed", "why"), [(1639, "_ended_sooner"), (1130, "_counts_later_votes")])
def test_where_the_log_proves_more_than_the_ranker_the_theorem_decides(seed, why, monkeypatch):
    rng = random.Random(f"fields {seed}")
    forged = honest(pick(rng, FIRST))
    fields.adversarial(rng, forged)
    made = oracle.redrawn(reforge(forged))
    report = oracle.verdict(made)
    assert report.true and report.proven and oracle.ranker_agrees(made, report)
    monkeypatch.setattr(oracle, why, lambda *args: False)
    assert not oracle.ranker_agrees(made, report)
