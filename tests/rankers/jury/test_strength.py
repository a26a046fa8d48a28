"""What a proof would survive: the worst of all that was not said, and another choice of list and time."""

import pytest

from juryrank import SKIP, create_study
from juryrank.run.session import Session
from juryrank.storage import MemoryStorage
from juryrank.verify import verify
from tests.ranking import rank_with

CASES = [str(k) for k in range(200)]
SURVIVES, FRAGILE, FIRST = "even if every answer that was refused", "would not be proven if", "from the first draw"


def ranked(refused, *, share=0.8, **options):
    """`new` wins this share of the cases; the first `refused` percent of them are refused instead."""

    def judge(left, right, case):
        number = 37 * int(case) % 100
        return SKIP if number < refused else "new" if number < refused + (100 - refused) * share else "old"

    how = {"seed": 1, "require": ["new over old"], "resolution": 0, "error": 0.05, **options}
    return rank_with(["new", "old"], {"m": judge}, cases=CASES, **how)


@pytest.mark.parametrize(("refused", "survives"), [(0, True), (10, False), (45, False)])
def test_a_proof_says_whether_silence_could_undo_it(refused, survives):
    """A proof stops where it is one, so that a few refusals undo it."""
    result = ranked(refused)
    report = verify(result.certificate())
    assert result.proven and report.true and report.proven
    assert result.details.jury["survives"] is report.result["details"]["survives"] is survives
    for words in (result.statement, report.statement):
        assert SURVIVES not in words and (FRAGILE in words) is not survives


def test_a_proof_by_a_hair_does_not_stand_from_the_first_draw():
    """The level for every list that there could be is the smaller one."""
    result = ranked(0, share=0.9)
    assert result.proven and not result.details.jury["from_first_draw"] and FIRST not in result.statement


def test_more_answers_than_the_proof_needs_make_it_stronger():
    """Questions that are out when the proof is reached count as well: 40 answers that all agree, one refused."""
    options = {"cases": CASES, "resolution": 0}
    session = Session(["new", "old"], judges=["m"], ranker="jury", error=0.05, seed=1, options=options)
    for size in (6, 40):
        out = [session.ask("m") for _ in range(size)]
        for number, question in enumerate(out):
            session.tell(question, SKIP if number == 9 else "new")
    report = verify(session.certificate())
    details = session.ranking.details.jury
    assert report.proven and not any(row["counted"] for row in details["claims"])
    assert details["from_first_draw"] and report.result["details"]["from_first_draw"]
    assert details["survives"] and report.result["details"]["survives"]
    for words in (session.ranking.statement, report.statement):
        assert FIRST in words and SURVIVES in words


def test_what_is_counted_stands_from_the_first_draw():
    result = ranked(0, share=0.52, error=1e-6)
    report = verify(result.certificate())
    assert result.proven and report.statement.startswith("Counted")
    assert result.details.jury["from_first_draw"] and report.result["details"]["from_first_draw"]
    assert FIRST in result.statement and FIRST in report.statement


def test_a_judge_who_was_dropped_is_against_it():
    """Two of three judges prefer `new`; without the third one it is proven, and not with the third one against."""
    study = create_study(
        ["new", "old"], cases=CASES, name="dropped", judges=["m", "n", "o"], error=0.1, storage=MemoryStorage(),
        seed=2, options={"resolution": 0},
    )  # fmt: skip
    for turn in range(2000):
        if turn == 6:
            study.judge("o").remove()
        if (question := study.ask()) is None:
            break
        wins = question.judge != "o" and int(question.case) % 10 < 6
        study.tell(question, "new" if wins else "old")
    report = verify(study.certificate())
    details = study.ranking().details.jury
    assert report.true and report.proven and report.result["details"]["dropped"] == ["o"]
    assert details["survives"] is report.result["details"]["survives"] is False
    assert details["from_first_draw"] is report.result["details"]["from_first_draw"] is False
    assert FRAGILE in report.statement
