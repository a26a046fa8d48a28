"""A certificate in which anything was touched is caught, and a broken file is a clear error."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.errors import BadInput, BadSnapshot
from juryrank.log import GENESIS, event_hash
from juryrank.run.session import Session
from juryrank.verify import Finding, certificate, read_certificate, verify
from juryrank.verify.checkers import CHECKERS
from tests.verify.logs import asked, expired, make_log, ranking_of, told


def believe(record, result):
    return Finding((), certified=result["certified"], statement="as claimed")


@pytest.fixture(autouse=True)
def toy_checker(monkeypatch):
    monkeypatch.setitem(CHECKERS, "toy", f"{__name__}:believe")


EVENTS = make_log(
    asked(1, terms={"bet": 0.5}),
    told(1),
    asked(2, "bob", "b", "c"),
    asked(3, "ann", "c", "a"),
    expired(3),
    told(3, "right"),
    told(2, "tie"),
)
DOCUMENT = certificate(EVENTS, ranking_of(EVENTS))


def reforge(document):
    """Make the chain fit again, as a forger would."""
    previous = GENESIS
    for seq, event in enumerate(document["events"], start=1):
        event["seq"] = seq
        previous = event["hash"] = event_hash(previous, seq, event["kind"], event["data"], event["at"])
    document["head"] = previous
    document["settings"] = copy.deepcopy(document["events"][0]["data"])
    return document


def leaves(value, path=()):
    """Every place in a JSON value that holds something other than a filled list or object."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for key, inner in enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path


def put(document, path, value):
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


def other(value):
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    return f"{value}x" if isinstance(value, str) else "something"


def with_one_change(document, path):
    """A copy in which one field of one event is another."""
    forged = copy.deepcopy(document)
    value = forged["events"]
    for key in path:
        value = value[key]
    put(forged["events"], path, other(value))
    return forged


def names_failed(report):
    return {check.name for check in report.failures}


def test_an_untouched_certificate_is_true():
    report = verify(read_certificate(json.dumps(DOCUMENT)))
    assert report.true and report.verdict == "partial"
    assert (report.events, report.questions, report.answers) == (8, 3, 2)  # the late answer is not counted


@pytest.mark.parametrize("path", list(leaves(DOCUMENT["events"])), ids=lambda path: "-".join(map(str, path)))
def test_any_single_field_of_any_event_changed_is_caught(path):
    report = verify(with_one_change(DOCUMENT, path))
    assert "chain" in names_failed(report) and not report.certified


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_events_dropped_swapped_or_repeated_are_caught(data):
    forged = copy.deepcopy(DOCUMENT)
    events = forged["events"]
    k = data.draw(st.integers(0, len(events) - 1))
    how = data.draw(st.sampled_from(["drop", "swap", "repeat"]))
    if how == "drop":
        del events[k]
    elif how == "repeat":
        events.insert(k, copy.deepcopy(events[k]))
    else:
        other_k = data.draw(st.integers(0, len(events) - 1).filter(lambda j: j != k))
        events[k], events[other_k] = events[other_k], events[k]
    try:
        assert "chain" in names_failed(verify(forged))
    except BadSnapshot:
        assert not events


def test_a_reforged_chain_is_told_apart_by_the_head_in_the_studys_own_log():
    forged = copy.deepcopy(DOCUMENT)
    forged["events"][2]["data"]["answer"] = "right"
    reforge(forged)
    assert verify(forged).true  # nothing inside the file can show it
    assert names_failed(verify(forged, head=DOCUMENT["head"])) == {"study's log"}
    assert verify(DOCUMENT, head=DOCUMENT["head"]).true


@pytest.mark.parametrize(
    ("change", "check"),
    [
        (lambda r: r.update(order=["a", "b"], certified=True), "settings"),
        (lambda r: r.update(order=["a", "b", "b"]), "settings"),
        (lambda r: r.update(error=0.01), "settings"),
        (lambda r: r.update(ranker="certified"), "settings"),
        (lambda r: r.update(questions=2), "settings"),
        (lambda r: r.update(post_hoc=["nothing of importance"]), "edits"),
    ],
)
def test_a_result_that_does_not_belong_to_the_events_is_caught(change, check):
    forged = copy.deepcopy(DOCUMENT)
    change(forged["result"])
    assert check in names_failed(verify(forged))


@pytest.mark.parametrize(
    ("steps", "check"),
    [
        ([told(1)], "answers"),
        ([asked(1), told(1), told(1)], "answers"),
        ([asked(1), told(1, "maybe")], "answers"),
        ([asked(1), told(1, judge="bob")], "answers"),
        ([asked(1), ("retracted", {"q": 1})], "answers"),
        ([asked(1), asked(1)], "questions"),
        ([asked(2), asked(1)], "questions"),
        ([asked(1, "eve")], "questions"),
        ([asked(1, right="z")], "questions"),
        ([asked(1, right="a")], "questions"),
        ([("asked", {"q": 1})], "questions"),
        ([("invented", {})], "questions"),
        ([expired(1)], "deadlines"),
        (
            [
                (*asked(1, deadline="2026-01-01T10:10:00+00:00"), "2026-01-01T10:00:00+00:00"),
                (*expired(1), "2026-01-01T10:05:00+00:00"),
            ],
            "deadlines",
        ),
        (
            [
                (*asked(1, deadline="2026-01-01T10:10:00+00:00"), "2026-01-01T10:00:00+00:00"),
                (*told(1), "2026-01-01T10:15:00+00:00"),
            ],
            "deadlines",
        ),
    ],
)
def test_logs_that_cannot_be_are_caught(steps, check):
    events = make_log(*steps)
    assert check in names_failed(verify(certificate(events, ranking_of(events))))


def test_edits_after_the_fact_must_be_listed_and_are_never_certified():
    events = make_log(asked(1), told(1), ("judge_removed", {"judge": "ann", "discard": True}))
    edit = "1 answers of judge ann discarded at event 4"
    assert names_failed(verify(certificate(events, ranking_of(events)))) == {"edits"}
    assert names_failed(verify(certificate(events, ranking_of(events, certified=True, post_hoc=[edit])))) == {
        "edits"
    }
    listed = verify(certificate(events, ranking_of(events, post_hoc=[edit])))
    assert listed.true and not listed.certified and listed.post_hoc == (edit,)


def test_a_judges_own_undo_before_their_next_answer_is_no_edit():
    retracted = ("retracted", {"q": 1})
    undo = make_log(asked(1), told(1), retracted, told(1, "right"))
    assert verify(certificate(undo, ranking_of(undo))).true
    too_late = make_log(asked(1), told(1), asked(2), told(2), retracted)
    assert names_failed(verify(certificate(too_late, ranking_of(too_late)))) == {"edits"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (json.dumps(DOCUMENT)[:500], "breaks off"),
        ("", "breaks off"),
        ("[1, 2]", "not a juryrank certificate"),
        (json.dumps({**DOCUMENT, "schema": 99}), "schema 99"),
        (json.dumps({**DOCUMENT, "events": None}), "events"),
        (json.dumps({**DOCUMENT, "result": {}}), "order"),
        (json.dumps({**DOCUMENT, "events": [{"seq": 1}]}), "event 1"),
    ],
)
def test_a_file_that_is_no_whole_certificate_is_a_clear_error(text, says):
    with pytest.raises(BadSnapshot, match=says):
        read_certificate(text)


def test_a_certificate_needs_the_whole_log():
    with pytest.raises(BadInput, match="beginning"):
        certificate(EVENTS[1:], ranking_of(EVENTS))


def test_a_question_given_up_without_a_deadline_is_noted():
    (note,) = verify(DOCUMENT).notes
    assert "1 questions were given up" in note


def test_rankers_without_a_checker_of_their_own_are_run_again():
    session = Session(["a", "b", "c"], judges=["ann"], ranker="iir", error=0.1)
    while (question := session.ask()) is not None:
        session.tell(question, min(question.left, question.right))
    document = session.certificate()
    assert verify(document).true and "run again" in " ".join(verify(document).notes)
    document["result"]["order"].reverse()
    assert "result" in names_failed(verify(document))
