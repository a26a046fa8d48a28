"""The log's table and the rules between events: what a hand-made log may not hold."""

import pytest

from juryrank.errors import BadInput, LogAltered
from juryrank.log import GENESIS, Event, chained, check_rules, checked, conduct_of, fold, settings

AT = "2026-05-01T10:{:02d}:00+00:00"
CREATED = settings("abc", judges=["ann", "bob"], ranker="iir", error=0.1)


def log_of(*steps, created=CREATED):
    """Events, one a minute."""
    events = []
    for seq, (kind, data) in enumerate([("created", created), *steps], start=1):
        events.append(chained(events[-1].hash if events else GENESIS, seq, kind, data, AT.format(seq)))
    return events


def asked(q, judge="ann", left="a", right="b", deadline=None, **more):
    return "asked", {
        "q": q,
        "judge": judge,
        "left": left,
        "right": right,
        "terms": {},
        "deadline": deadline,
        **more,
    }


def told(q, answer="left"):
    return "told", {"q": q, "answer": answer}


def retracted(q, seq, judge="ann", answer="left", by="judge", post_hoc=False):
    data = {"q": q, "told": seq, "judge": judge, "answer": answer, "post_hoc": post_hoc, "by": by}
    return "retracted", data


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"error": 5},
            r"event 1 \(created\) cannot be read: error is 5; it must be δ, a number above 0 and below 1",
        ),
        ({"error": 1e308}, "error is 1e"),
        ({"error": True}, "error is True"),
        ({"error": 0}, "error is 0"),
        ({"items": ["a", "a"]}, "none twice"),
        ({"judges": ["ann", ""]}, "none empty"),
        ({"lease": -1}, "lease is -1"),
        ({"prices": {"ann": -1}}, "prices"),
        ({"schema": 2}, "it must be juryrank-log/1"),
        ({"schema": "juryrank-log/2"}, "it must be juryrank-log/1"),
        ({"mood": "good"}, "a field 'mood'"),
    ],
)
def test_a_study_is_created_only_with_values_of_the_right_kind_and_range(change, says):
    with pytest.raises(BadInput, match=says):
        list(checked(log_of(created={**CREATED, **change})))


def test_a_number_that_is_none_has_no_hash():
    with pytest.raises(BadInput, match="NaN"):
        log_of(asked(1, terms={"bet": float("nan")}))


@pytest.mark.parametrize(
    ("step", "says"),
    [
        (("retracted", {"q": 1}), "no field 'answer'"),
        (("retracted", {**retracted(1, 3)[1], "by": "nobody"}), "judge, owner or program"),
        (("retracted", {**retracted(1, 3)[1], "by": None}), "judge, owner or program"),
        (asked(2, lease=5.0), "a field 'lease', which no event of this kind has"),
        (asked(2, deadline="tomorrow"), "a time with its zone"),
        (asked(2, deadline="2026-05-01T10:00:00"), "a time with its zone"),
        (("created", CREATED), "a log begins with `created`, and has it only there"),
        (("restored", {"events": 3, "head": "\x1b[2J" + "0" * 60}), "64 hexadecimal digits"),
    ],
)
def test_every_event_has_its_fields_and_no_others(step, says):
    with pytest.raises(BadInput, match=says):
        list(checked(log_of(asked(1), told(1), step)))


def test_the_first_altered_event_is_named():
    log = log_of(asked(1), told(1), asked(2), told(2))
    swapped = [*log[:2], Event(3, "told", {"q": 1, "answer": "right"}, log[2].at, log[2].hash), *log[3:]]
    with pytest.raises(LogAltered, match=r"event 3 \(told\) does not match its hash"):
        list(checked(swapped))
    with pytest.raises(LogAltered, match="event 3 is missing, or is in another place: after 2 comes 4"):
        list(checked([*log[:2], *log[3:]]))
    with pytest.raises(LogAltered, match=r"event 2 \(asked\) does not match"):
        list(checked([log[0], Event(2, "asked", log[1].data, AT.format(59), log[1].hash)]))
    with pytest.raises(BadInput, match="event 1 is asked"):
        list(checked([chained(GENESIS, 1, *asked(1), AT.format(1))]))


@pytest.mark.parametrize(
    ("steps", "says"),
    [
        ([asked(1, judge="eve")], "'eve' is not a judge"),
        ([asked(1, right="z")], "'z' is not an item"),
        ([asked(1, right="a")], "against itself"),
        ([asked(2), asked(1)], "out of order"),
        ([told(1)], "never asked"),
        ([asked(1), told(1), told(1)], "an answer already"),
        ([asked(1), told(1), ("expired", {"q": 1})], "not open"),
        ([asked(1, deadline=AT.format(30)), ("expired", {"q": 1})], "1620 s before its deadline"),
        ([asked(1, deadline=AT.format(2)), told(1)], "answered after its deadline, and counted"),
        ([("lapsed", {"sitting": 1})], "sitting 1 is not open"),
        (
            [asked(1, terms={"sitting": 1}, sitting_deadline=AT.format(30)), ("lapsed", {"sitting": 1})],
            "sitting 1 lapses 1620 s before its deadline",
        ),
        ([asked(1), ("retracted", retracted(1, 2)[1])], "no answer that counts"),
        ([asked(1), told(1), retracted(1, 2)], "told is not that of the answer"),
        ([asked(1), told(1), retracted(1, 3, judge="bob")], "judge is not that of the answer"),
        ([asked(1), told(1), asked(2), told(2), retracted(1, 3)], "answered another question since"),
        ([asked(1, deadline=AT.format(3)), told(1), retracted(1, 3)], "past its deadline"),
        ([asked(1), told(1), retracted(1, 3, by="owner", post_hoc=True), told(1)], "taken back for good"),
        ([("items_added", {"items": ["d", "a"]})], "item 'a' is there already"),
        ([("judge_added", {"judge": "ann", "price": 1.0})], "a judge already"),
        ([("judge_removed", {"judge": "eve"})], "not a judge"),
        ([("restored", {"events": 1, "head": "0" * 64})], "names other events"),
    ],
)
def test_what_cannot_follow_is_refused(steps, says):
    with pytest.raises(BadInput, match=says):
        check_rules(checked(log_of(*steps)))


def test_a_log_with_every_fate_keeps_the_rules():
    check_rules(
        checked(
            log_of(
                asked(1),
                told(1),
                retracted(1, 3),
                told(1, "right"),
                asked(2, "bob", deadline=AT.format(7)),
                ("expired", {"q": 2}),
                told(2),
                retracted(1, 5, answer="right", by="owner", post_hoc=True),
                ("items_added", {"items": ["d"]}),
                ("judge_added", {"judge": "cid", "price": 0}),
            )
        )
    )


# ---------------------------------------------------------------------- who took an answer back
UNDO = (asked(1), told(1))


@pytest.mark.parametrize("by", ["owner", "program"])
def test_an_undo_by_anybody_but_the_judge_is_an_edit(by):
    step = ("retracted", {**retracted(1, 3)[1], "by": by})
    assert fold(log_of(*UNDO, step, told(1, "right"))).edits == ["answer to question 1 taken back at event 4"]


def test_the_judges_own_undo_is_none_unless_the_judges_are_programs():
    steps = (*UNDO, retracted(1, 3), told(1, "right"))
    assert fold(log_of(*steps)).edits == []
    assert fold(log_of(*steps, created={**CREATED, "fresh": True})).edits == [
        "answer to question 1 taken back at event 4"
    ]


def test_conduct_counts_every_question_once_and_every_undo():
    log = log_of(
        asked(1),
        told(1),
        retracted(1, 3),
        told(1, "tie"),
        asked(2, "bob"),
        told(2, "skip"),
        asked(3, "bob", deadline=AT.format(9)),
        ("expired", {"q": 3}),
        told(3),
        asked(4),
        told(4),
        ("judge_removed", {"judge": "ann", "discard": True}),
    )
    found = {judge: {k: n for k, n in vars_of(one).items() if n} for judge, one in conduct_of(log).items()}
    assert found == {
        "ann": {"asked": 2, "undone": 1, "taken_back": 2},
        "bob": {"asked": 2, "skips": 1, "expired": 1, "late": 1},
    }


def vars_of(one):
    return {name: getattr(one, name) for name in one.__slots__}
