"""A jury in a study: questions carry their case, named judges get theirs, grades are kept, the log refolds."""

import pytest

from juryrank import TIE, Grade, create_study
from juryrank.errors import BadAnswer
from juryrank.storage import MemoryStorage
from juryrank.verify import verify

CASES = [f"q{k}" for k in range(40)]


def made(**options):
    options = {"cases": CASES, "objective": "order", "resolution": 0.05, **options}
    return create_study(
        ["a", "b", "c"], name="s", judges=["m", "n"], ranker="jury", storage=MemoryStorage(), options=options
    )


def test_a_study_on_cases_is_proven_and_verified():
    study = made()
    for turn in range(400):
        question = study.ask(["m", "n"][turn % 2])
        if question is None:
            if study.done:
                break
            continue
        assert question.case in CASES
        study.tell(question, TIE if turn % 9 == 0 else Grade(1.0 if question.left < question.right else -0.7))
    ranking = study.ranking()
    assert ranking.proven and ranking.order == ("a", "b", "c")
    assert study.created["options"]["seed_from"] == "entropy"
    report = verify(study.certificate())
    assert report.proven, report.failures


def test_a_grade_is_refused_where_the_ranker_takes_none():
    study = create_study(["a", "b"], name="s", judges=["m"], ranker="iir", storage=MemoryStorage())
    question = study.ask()
    before = len(list(study.events()))
    with pytest.raises(BadAnswer, match="takes no grades"):
        study.tell(question, Grade(0.5))
    assert len(list(study.events())) == before
    study.tell(question, question.left)
