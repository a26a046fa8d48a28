"""A jury in a study: questions carry their case, named judges get theirs, grades are kept, the log refolds."""

import pytest

from juryrank import TIE, Grade, create_study
from juryrank.errors import BadAnswer, BadInput
from juryrank.log.rules import check_rules
from juryrank.storage import MemoryStorage
from juryrank.study import list_studies, open_study
from juryrank.verify import verify
from tests.verify.logs import reforge

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


OUTPUTS = {
    name: {f"q{k}": "alike" if k % 5 == 0 else "word " * (size + k % 3) for k in range(30)}
    for name, size in (("new", 9), ("mid", 6), ("old", 3))
}
INPUTS = [{"id": f"q{k}", "input": f"Question {k}", "group": "ab"[k % 2]} for k in range(30)]


def on_cases(judges=("m", "n"), seed=1, **more):
    options = {"objective": "order", "resolution": 0.05}
    return create_study(
        OUTPUTS, cases=INPUTS, name="s", judges=judges, storage=MemoryStorage(), options=options, seed=seed, **more
    )


def test_judges_of_all_kinds_are_shown_outputs_and_the_case_but_never_a_name():
    study, seen = on_cases(), []

    def graded(left, right, case):
        seen.append((left, right, case))
        return Grade(1.0 if len(left) > len(right) else -1.0)

    async def worded(left, right, case):
        seen.append((left, right, case))
        return "left" if len(left) > len(right) else "right"

    report = study.run({"m": graded, "n": worded})
    assert report.state == "done" and report.ranking.proven and report.ranking.order == ("new", "mid", "old")
    assert all(case.startswith("Question ") and left != right for left, right, case in seen)
    assert not {"new", "mid", "old"} & {text for row in seen for text in row}
    told = [event.data for event in study.events() if event.kind == "told"]
    alike = [data for data in told if data.get("source") == "identical outputs"]
    assert alike and all(data["answer"] == "tie" for data in alike)
    assert len(told) == len(alike) + len(seen)
    assert study.progress().progress.cost == len(seen)  # nobody was asked about the others
    assert verify(study.certificate()).proven


def test_what_is_compared_is_fixed_with_the_first_event():
    study = on_cases()
    with pytest.raises(BadInput, match="fixed with its first event"):
        study.edit(cases={})
    assert open_study("s", storage=study.storage).settings["cases"]["inputs"]["q3"] == "Question 3"
    with pytest.raises(BadInput, match="knows no cases"):
        create_study(OUTPUTS, cases=INPUTS, name="t", ranker="panel", storage=study.storage)
    with pytest.raises(BadInput, match="no output for case"):
        create_study({**OUTPUTS, "new": {"q1": "x"}}, cases=INPUTS, name="t", storage=study.storage)
    assert [row.name for row in list_studies(storage=study.storage)] == ["s"]


def test_no_tie_is_made_up_between_outputs_that_differ():
    study = on_cases()
    study.run({"m": lambda left, right, case: left, "n": lambda left, right, case: left}, budget=12)
    document = study.certificate()
    told = next(event for event in document["events"] if event["data"].get("source") == "program")
    told["data"].update(answer="tie", source="identical outputs")
    report = verify(reforge(document))
    assert not report.true and "although the outputs differ" in str(report.failures)


def test_a_deadline_that_passes_counts_against_every_claim(monkeypatch):
    study = on_cases(["m"])
    question, now = study.ask("m"), study.storage.now()
    monkeypatch.setattr(study.storage, "now", lambda: now + study.created["lease"] + 1)
    assert study.ask("m") != question
    jury = study.ranking().details.jury
    assert (jury["failed"], jury["refused"]) == (1, 0)


def test_a_judge_takes_back_their_own_answer_behind_a_tie_that_nobody_gave():
    study = on_cases(["m"])
    while True:
        question = study.ask("m", again=True)
        study.tell(question, question.left, judge="m")
        after = study.ask("m", again=True)
        if after.id > question.id + 1:  # in between, two outputs were the same
            break
    assert study.undo("m", by="judge").id == question.id
    study.tell(question, question.right, judge="m")
    assert (
        study.judge("m").seat().answered
        == sum(e.data.get("source") is None for e in study.events() if e.kind == "told") - 1
    )
    report = verify(study.certificate())
    assert report.true and not report.post_hoc, report.failures
    check_rules(study.events())
