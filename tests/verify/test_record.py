"""Impossible logs, and logs that end something before its time, are caught whatever their hashes say."""

import pytest

from juryrank.errors import BadInput, BadSnapshot
from juryrank.log import check_rules
from juryrank.verify import verify
from juryrank.verify.checkers import CHECKERS
from juryrank.verify.record import read_events
from tests.verify.logs import asked, document, expired, make_log, names_failed, told

EARLY, MIDDLE, DEADLINE, LATE = (f"2026-01-01T10:{minute}:00+00:00" for minute in ("00", "05", "10", "15"))


@pytest.fixture(autouse=True)
def toy_checker(monkeypatch):
    monkeypatch.setitem(CHECKERS, "toy", "tests.verify.logs:nothing_proven")


def timed(step, at):
    return (*step, at)


def retracted(q, seq, **more):
    said = {"q": q, "told": seq, "judge": "ann", "answer": "left", "post_hoc": False, "by": "judge"}
    return ("retracted", {**said, **more})


def sitting(number, deadline=DEADLINE):
    return asked(1, terms={"sitting": number, "place": 0}, sitting_deadline=deadline)


@pytest.mark.parametrize(
    ("steps", "check"),
    [
        ([told(1)], "answers"),
        ([asked(1), told(1), told(1)], "answers"),
        ([asked(1), retracted(1, 3)], "answers"),
        ([asked(1), told(1), retracted(1, 2)], "answers"),
        ([asked(1), told(1), retracted(1, 3, judge="bob")], "answers"),
        ([asked(1), told(1), retracted(1, 3, answer="right")], "answers"),
        ([asked(1), told(1), retracted(1, 3, post_hoc=True), retracted(1, 3)], "answers"),
        ([asked(1), asked(1)], "questions"),
        ([asked(2), asked(1)], "questions"),
        ([asked(1, "eve")], "questions"),
        ([asked(1, right="z")], "questions"),
        ([asked(1, right="a")], "questions"),
        ([("judge_paused", {"judge": "eve"})], "events"),
        ([("judge_added", {"judge": "ann"})], "events"),
        ([("items_added", {"items": ["a"]})], "events"),  # a better level for items that are there already
        ([("items_added", {"items": []})], "events"),
        ([expired(1)], "deadlines"),
        ([asked(1), told(1), expired(1)], "deadlines"),
        ([asked(1), expired(1), expired(1)], "deadlines"),
        ([timed(asked(1, deadline=DEADLINE), EARLY), timed(expired(1), MIDDLE)], "deadlines"),
        ([timed(asked(1, deadline=DEADLINE), EARLY), expired(1)], "deadlines"),  # no clock, no expiry
        ([timed(asked(1, deadline=DEADLINE), EARLY), timed(told(1), LATE)], "deadlines"),
        ([timed(asked(1, deadline=DEADLINE), LATE)], "deadlines"),
        ([timed(sitting(1), EARLY), timed(("lapsed", {"sitting": 1}), MIDDLE)], "deadlines"),
        ([timed(sitting(1), EARLY), ("lapsed", {"sitting": 1})], "deadlines"),
        ([("lapsed", {"sitting": 1})], "deadlines"),
        ([sitting(1, None), ("lapsed", {"sitting": 1}), ("lapsed", {"sitting": 1})], "deadlines"),
    ],
    ids=str,
)
def test_logs_that_cannot_be_are_caught(steps, check):
    report = verify(document(make_log(*steps)))
    assert check in names_failed(report) and not report.proven


@pytest.mark.parametrize("more", [{"items": ["a", "b", "a"]}, {"judges": ["ann", "ann"]}])
def test_names_that_stand_twice_are_no_log_at_all(more):
    with pytest.raises(BadSnapshot, match="none twice"):
        verify(document(make_log(**more), order=("a", "b")))


@pytest.mark.parametrize(
    "step",
    [
        told(1, "maybe"),
        told(True),
        ("told", {"q": 1}),
        ("told", {"q": 1, "answer": "left", "weight": 2}),
        ("asked", {"q": 1}),
        ("invented", {}),
        ("judge_removed", {"judge": "ann", "discard": "yes"}),
    ],
    ids=str,
)
def test_events_that_no_program_writes_are_no_certificate(step):
    with pytest.raises(BadSnapshot, match="event 3"):
        verify(document(make_log(asked(1))) | {"events": _with(step)})


def _with(step):
    log = document(make_log(asked(1)))["events"]
    return [*log, {"seq": 3, "kind": step[0], "data": step[1], "at": None, "hash": "0" * 64}]


def test_edits_after_the_fact_are_listed_and_nothing_is_promised():
    events = make_log(asked(1), told(1), ("judge_removed", {"judge": "ann", "discard": True}))
    report = verify(document(events))
    assert report.true and report.post_hoc == ("1 answers of judge ann discarded at event 4",)
    assert "promises nothing" in report.statement and not report.proven
    assert names_failed(verify(document(events, post_hoc=[]))) == {"result"}


def test_an_undo_of_another_than_the_last_answer_is_an_edit():
    assert not verify(document(make_log(asked(1), told(1), retracted(1, 3), told(1, "right")))).post_hoc
    too_late = make_log(asked(1), told(1), asked(2), told(2), retracted(1, 3))
    assert verify(document(too_late)).post_hoc == ("answer to question 1 taken back at event 6",)


def test_questions_given_up_without_a_deadline_are_noted():
    (note,) = verify(document(make_log(asked(1), expired(1)))).notes
    assert "without a deadline" in note and "1" in note


def test_a_price_for_nobody_is_found():
    for prices in ({"ann": 2.0, "bob": 1.0, "eve": 1.0}, {"ann": 2.0}, {}):
        assert any("fixes prices" in check.words for check in checks_of(prices=prices))
    for prices in ({"ann": 2.0, "bob": 1.0}, None):
        assert all(check.ok for check in checks_of(prices=prices))


def checks_of(**created):
    fields = ("seq", "kind", "data", "at", "hash")
    return read_events([{name: getattr(e, name) for name in fields} for e in make_log(**created)]).checks()


def test_a_skip_is_not_hidden_as_an_answer_that_nobody_gave():
    log = make_log(asked(1), told(1, "skip", source="identical outputs"))
    plain = [{name: getattr(e, name) for name in ("seq", "kind", "data", "at", "hash")} for e in log]
    assert any("not by a tie" in check.words for check in read_events(plain).checks())
    with pytest.raises(BadInput, match="not by a tie"):
        check_rules(log)
