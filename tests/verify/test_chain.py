"""A certificate in which an event was touched is caught by its hashes; one re-forged as a whole by the head."""

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.errors import BadInput, BadSnapshot, JuryrankError
from juryrank.log import event_hash
from juryrank.types import Ranking
from juryrank.verify import certificate, verify
from juryrank.verify.chain import BEGINNING, hash_of
from juryrank.verify.checkers import CHECKERS
from tests.verify.forger.leaves import leaves, with_one_change
from tests.verify.juries import ranked
from tests.verify.logs import asked, document, expired, make_log, names_failed, reforge, told

EVENTS = make_log(
    asked(1, terms={"bet": 0.5}),
    told(1),
    asked(2, "bob", "b", "c"),
    asked(3, "ann", "c", "a"),
    expired(3),
    told(3, "right"),
    told(2, "tie"),
)
PLACES = list(leaves([{"seq": e.seq, "kind": e.kind, "data": e.data, "at": e.at, "hash": e.hash} for e in EVENTS]))


@pytest.fixture(autouse=True)
def toy_checker(monkeypatch):
    monkeypatch.setitem(CHECKERS, "toy", "tests.verify.logs:nothing_proven")


def test_an_untouched_certificate_is_true():
    report = verify(document(EVENTS))
    assert report.true and report.verdict == "partial"
    counted = report.result["counts"]
    assert (counted["events"], counted["asked"], counted["chosen"], counted["ties"], counted["late"]) == (
        8, 3, 1, 1, 1,
    )  # fmt: skip


@pytest.mark.parametrize("path", PLACES, ids=lambda path: "-".join(map(str, path)))
def test_any_single_field_of_any_event_changed_is_caught(path):
    forged = with_one_change(document(EVENTS), ("events", *path))
    try:
        report = verify(forged)
    except BadSnapshot:
        return
    assert "chain" in names_failed(report) and not report.proven


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_events_dropped_swapped_or_repeated_are_caught(data):
    CHECKERS["toy"] = "tests.verify.logs:nothing_proven"
    forged = copy.deepcopy(document(EVENTS))
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
        assert not events or events[0]["kind"] != "created"


def test_a_reforged_chain_is_told_apart_by_the_head_in_the_studys_own_log():
    true = document(EVENTS)
    forged = copy.deepcopy(true)
    forged["events"][2]["data"]["answer"] = "right"
    reforge(forged)
    assert verify(forged).true  # nothing inside the file can show it
    assert names_failed(verify(forged, head=true["head"])) == {"study's log"}
    assert verify(true, head=true["head"]).true


def test_the_checker_computes_hashes_as_the_log_does():
    event = {"seq": 3, "kind": "told", "data": {"q": 1, "answer": "left", "comment": "ä\u2028"}, "at": None}
    assert hash_of(BEGINNING, event) == event_hash(BEGINNING, 3, "told", event["data"], None)


def test_a_certificate_needs_the_whole_log():
    session = ranked(3)
    with pytest.raises(BadInput, match="beginning"):
        certificate(session.events[1:], session.ranking)


def test_no_certificate_is_issued_from_an_altered_log():
    session = ranked(4)
    events = list(session.events)
    k = next(k for k, event in enumerate(events) if event.kind == "told")
    events[k] = type(events[k])(events[k].seq, "told", {**events[k].data, "answer": "tie"}, None, events[k].hash)
    with pytest.raises(JuryrankError, match=f"event {k + 1} .*does not match its hash"):
        certificate(events, session.ranking)


def test_no_certificate_is_issued_for_a_ranking_that_claims_more_than_its_answers_prove():
    session = ranked(4, budget=9)
    honest = session.ranking
    for false in (
        Ranking(honest.order, True, 0.1, 9, "certified"),
        Ranking(honest.order, False, 0.1, 9, "certified", ranges=((1, 1), (2, 2), (3, 3), (4, 4))),
    ):
        with pytest.raises(JuryrankError, match="claims more than its answers prove"):
            certificate(session.events, false)
