"""A small panel's log and its result, for tests of reports."""

import random

from juryrank.log import GENESIS, Fold, chained, fold, settings
from juryrank.rankers.contract.roster import side_of
from juryrank.types import TIE


def panel_log(
    items=("ant", "bee", "cow", "dog"), *, people=12, seed=5, left_bias=0.0, named="person {}", **created
):
    """People who mostly prefer the earlier item; the log's events and the ranking folded from them."""
    chance = random.Random(seed)
    first = settings(items, judges=[], ranker="panel", error=0.2, seed=seed, options={"sitting": 6}, **created)
    events = [chained(GENESIS, 1, "created", first, "2024-05-01T08:00:00+00:00")]

    def append(kind, data):
        at = f"2024-05-01T{9 + len(events) // 3600:02d}:{len(events) // 60 % 60:02d}:{len(events) % 60:02d}+00:00"
        events.append(chained(events[-1].hash, len(events) + 1, kind, data, at))

    ranker = Fold.start(first).ranker
    for number in range(people):
        person = named.format(number)
        append("judge_added", {"judge": person, "price": 2.0})
        ranker.add_judge(person, price=2.0)
        while (question := ranker.ask(person)) is not None:
            append(
                "asked",
                {
                    "q": question.id,
                    "judge": person,
                    "left": question.left,
                    "right": question.right,
                    "terms": dict(question.terms),
                },
            )
            better = min(question.left, question.right, key=items.index)
            worse = question.right if better == question.left else question.left
            answer = better if chance.random() < 0.85 else worse
            answer = question.left if chance.random() < left_bias else answer
            answer = TIE if chance.random() < 0.05 else answer
            ranker.tell(question, answer)
            append("told", {"q": question.id, "answer": side_of(question, answer), "response_time": 1.5})
    return events, fold(events).ranker.ranking


def asked_in_turn(study):
    """The questions of all judges, one judge after the other."""
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            yield question
