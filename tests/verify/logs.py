"""Small logs to verify: made by hand, one event a line."""

from juryrank.log import GENESIS, chained, settings
from juryrank.types import Ranking


def make_log(*steps, items=("a", "b", "c"), judges=("ann", "bob"), ranker="toy", error=0.1, **more):
    """Events from (kind, data) or (kind, data, at) steps, after a `created` event."""
    start = settings(items, judges=judges, ranker=ranker, error=error, **more)
    events, previous = [], GENESIS
    for seq, step in enumerate([("created", start), *steps], start=1):
        kind, data, at = (*step, None)[:3]
        events.append(chained(previous, seq, kind, data, at))
        previous = events[-1].hash
    return events


def asked(q, judge="ann", left="a", right="b", **more):
    return ("asked", {"q": q, "judge": judge, "left": left, "right": right, "terms": {}, "deadline": None, **more})


def told(q, answer="left", **more):
    return ("told", {"q": q, "answer": answer, **more})


def expired(q):
    return ("expired", {"q": q})


def ranking_of(events, *, order=("a", "b", "c"), certified=False, post_hoc=(), ranker="toy", **more):
    questions = sum(event.kind == "asked" for event in events)
    return Ranking(order, certified, 0.1, questions, ranker, post_hoc=tuple(post_hoc), **more)
