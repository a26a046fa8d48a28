"""Every kind of event has one class and one method of the reader, and refuses fields that do not belong to it."""

import pytest

from juryrank.errors import BadInput
from juryrank.log import Event, EventKind, LogReader, bodies
from juryrank.log.fields import BODIES, Body

BY_HAND = {
    bodies.Told(q=1, answer="left", response_time=2.5): {"q": 1, "answer": "left", "response_time": 2.5},
    bodies.Expired(q=3): {"q": 3},
    bodies.Closed(): {},
    bodies.JudgeRemoved(judge="ann"): {"judge": "ann"},
    bodies.JudgeRemoved(judge="ann", discard=True): {"judge": "ann", "discard": True},
    bodies.Retracted(q=1, told=4, judge="ann", answer="tie", post_hoc=False, by="judge"): {
        "q": 1,
        "told": 4,
        "judge": "ann",
        "answer": "tie",
        "post_hoc": False,
        "by": "judge",
    },
}


def test_every_kind_has_a_class_and_a_method():
    assert set(BODIES) == set(EventKind)
    for kind in EventKind:
        assert BODIES[kind].kind == kind and callable(getattr(LogReader, f"on_{kind}"))


@pytest.mark.parametrize("body", BY_HAND, ids=lambda body: body.kind)
def test_a_body_is_written_in_plain_words_and_read_back(body: Body):
    assert body.data() == BY_HAND[body]
    assert Event(7, body.kind, body.data()).body == body


def test_a_question_always_says_its_terms_and_its_deadline():
    asked = bodies.Asked(q=1, judge="ann", left="a", right="b", terms={})
    assert asked.data() == {"q": 1, "judge": "ann", "left": "a", "right": "b", "terms": {}, "deadline": None}


@pytest.mark.parametrize(
    ("kind", "data", "says"),
    [
        (
            "told",
            {"q": 1, "answer": "maybe"},
            r"event 7 \(told\) cannot be read: answer is 'maybe'; it must be left",
        ),
        ("told", {"q": 1, "answer": ["left"]}, "answer is"),
        ("told", {"q": [1], "answer": "left"}, "q is"),
        ("asked", {"q": 1, "judge": {}, "left": [], "right": None}, "judge is"),
        ("retracted", {"q": 1, "by": ["judge"]}, "by is"),
        ("told", {"q": True, "answer": "left"}, "q is True; it must be a whole number from 1 to 2"),
        ("told", {"q": 1}, "no field 'answer'"),
        ("told", {"q": 1, "answer": "left", "mood": "good"}, "a field 'mood'"),
        ("told", {"q": 1, "answer": "left", "response_time": float("nan")}, "response_time is nan"),
        ("expired", {"q": 0}, "q is 0"),
        ("items_added", {"items": ["a", 2]}, "a list of texts"),
        ("invented", {}, "event 7 is of unknown kind 'invented'"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_event_named(kind, data, says):
    with pytest.raises(BadInput, match=says):
        Event(7, kind, data).body  # noqa: B018


def test_a_reader_without_a_method_for_a_kind_passes_it_by_and_refuses_unknown_ones():
    reader = LogReader()
    reader.walk([Event(1, "closed", {}), Event(2, "reopened", {})])
    with pytest.raises(BadInput, match="unknown kind"):
        reader.walk([Event(3, "invented", {})])
