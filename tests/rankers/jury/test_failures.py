"""A refusal is what a judge said; a call that failed says nothing, and counts against every claim."""

import pytest

from juryrank import SKIP, create_study, rank
from juryrank.log.bodies import FAILED, REFUSED
from juryrank.rankers import Ranker
from juryrank.storage import MemoryStorage
from juryrank.verify import verify
from tests.quick import quick

CASES = [str(k) for k in range(300)]


def drops_losses(instead):
    """`new` wins 44 % of the cases; of the others, a fifth never comes back as a loss."""

    def judge(left, right, case):
        if int(case) % 25 < 11:
            return "new"
        return instead() if int(case) % 25 < 14 else "old"

    return judge


def gone():
    raise RuntimeError("the connection was lost")


INSTEAD = [(gone, False), (lambda: SKIP, True)]


@pytest.mark.parametrize(("instead", "proven"), quick(INSTEAD), ids=["failed", "refused"])
def test_losses_that_fail_prove_nothing(instead, proven):
    """Of the answers given 44 of 88 are for it: a refusal is left out, as the statement says; a failure is not."""
    result = rank(
        ["new", "old"], {"m": drops_losses(instead)}, cases=CASES, goal=["new over old"], within=0.02, seed=1
    )
    jury = result.details.jury
    assert result.proven is proven
    assert bool(jury["failed"]) is not proven and bool(jury["refused"]) is proven
    assert any("count against every claim" in warning for warning in result.warnings) is not proven
    report = verify(result.certificate())
    assert report.true and report.proven is proven


@pytest.mark.parametrize(("source", "proven"), quick([(FAILED, False), (REFUSED, True)]))
def test_a_study_tells_the_two_apart_live_and_folded_again(source, proven):
    study = create_study(
        ["new", "old"], cases=CASES, name="apart", judges=["m"], error=0.1, storage=MemoryStorage(), seed=3,
        options={"require": ["new over old"], "resolution": 0.02},
    )  # fmt: skip
    judge = drops_losses(lambda: SKIP)
    while (question := study.ask()) is not None:
        answer = judge(question.left, question.right, question.case)
        study.tell(question, answer, **({"source": source} if answer is SKIP else {}))
    assert study.ranking().proven is proven
    report = verify(study.certificate())
    assert report.true and report.proven is proven


def test_a_snapshot_knows_what_failed():
    from juryrank.rankers.jury.ranker import Jury

    jury = Jury(["a", "b"], judges=["m"], cases=40, sides="both", seed=1, resolution=0)
    for turn in range(12):
        question = jury.ask()
        jury.fail(question) if turn % 5 == 0 else jury.tell(question, "a")
    again = Ranker.restore(jury.snapshot_text())
    assert again.ranking == jury.ranking and again.ranking.details.jury["failed"] == 3
    assert again.snapshot_text() == jury.snapshot_text()
