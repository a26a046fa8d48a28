"""A log in which questions end in every possible way, for tests."""

from juryrank.log import GENESIS, chained, settings

MINUTE = "2024-05-01T10:{:02d}:00+00:00"
STEPS = (
    ("created", settings("abc", judges=["ann", "bob"], ranker="iir", error=0.1)),
    ("asked", {"q": 1, "judge": "ann", "left": "a", "right": "b"}),
    ("told", {"q": 1, "answer": "left", "response_time": 2.5, "comment": 'so "clear",\nreally'}),
    ("asked", {"q": 2, "judge": "bob", "left": "b", "right": "a"}),
    ("told", {"q": 2, "answer": "right", "source": "web"}),
    ("asked", {"q": 3, "judge": "ann", "left": "c", "right": "b"}),
    ("told", {"q": 3, "answer": "tie"}),
    ("asked", {"q": 4, "judge": "bob", "left": "c", "right": "b"}),
    ("told", {"q": 4, "answer": "skip"}),
    ("asked", {"q": 5, "judge": "ann", "left": "a", "right": "c"}),
    ("expired", {"q": 5}),
    ("told", {"q": 5, "answer": "right"}),
    ("asked", {"q": 6, "judge": "bob", "left": "a", "right": "c"}),
    ("expired", {"q": 6}),
    ("judge_added", {"judge": "cid", "price": 3.0}),
    ("asked", {"q": 7, "judge": "cid", "left": "a", "right": "c"}),
    ("told", {"q": 7, "answer": "left"}),
    ("retracted", {"q": 7, "told": 17, "judge": "cid", "answer": "left", "post_hoc": False, "by": "owner"}),
    ("asked", {"q": 8, "judge": "cid", "left": "a", "right": "b"}),
)


def log_of(steps):
    events, before = [], GENESIS
    for seq, (kind, data) in enumerate(steps, start=1):
        events.append(chained(before, seq, kind, data, MINUTE.format(seq)))
        before = events[-1].hash
    return events


LOG = log_of(STEPS)
