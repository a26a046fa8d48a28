"""Panel certificates: true ones pass, and every kind of tampering is found."""

from __future__ import annotations

import copy
import random
import re

import pytest

from juryrank.log import GENESIS, chained, fold, settings
from juryrank.rankers import make_ranker
from juryrank.rankers.contract.sides import side_of
from juryrank.types import SKIP, TIE
from juryrank.verify import certificate, verify

ITEMS = ["a", "b", "c", "d", "e"]


class Log:
    """A ranker and its log, growing together."""

    def __init__(self, items=ITEMS, judges=(), **options):
        start = settings(items, judges=judges, ranker="panel", error=0.1, seed=3, options=options)
        self.ranker = make_ranker("panel", items, judges=judges, error=0.1, seed=3, **options)
        self.events = [chained(GENESIS, 1, "created", start)]

    def add(self, kind, **data):
        self.events.append(chained(self.events[-1].hash, len(self.events) + 1, kind, data))

    def ask(self, judge=None):
        if judge is not None and judge not in self.ranker.judge_names:
            self.ranker.add_judge(judge)
            self.add("judge_added", judge=judge)
        question = self.ranker.ask(judge)
        if question is not None:
            shown = {"judge": question.judge, "left": question.left, "right": question.right}
            self.add("asked", q=question.id, **shown, terms=dict(question.terms), lease=None)
        return question

    def tell(self, question, answer):
        self.ranker.tell(question, answer)
        self.add("told", q=question.id, answer=side_of(question, answer))

    def lapse(self, sitting):
        self.ranker.lapse(sitting)
        self.add("lapsed", sitting=sitting)

    def join(self, *items):
        self.ranker.add_items(items)
        self.add("items_added", items=list(items))

    def certificate(self):
        return certificate(self.events, self.ranker.ranking)


def busy(seed=1, people=40, joins=False, **options):
    """People who overlap, tie, skip and leave."""
    log, rng = Log(**options), random.Random(seed)
    here, came = [], 0
    while came < people or here:
        if came < people and len(here) < 4:
            came += 1
            here.append(f"p{came}")
            if joins and came == people // 2:
                log.join("f")
        name = rng.choice(here)
        question = log.ask(name)
        if question is None:
            here.remove(name)
        elif rng.random() < 0.03:
            log.lapse(question.terms["sitting"])
            here.remove(name)
        else:
            luck = rng.random()
            best, worst = sorted((question.left, question.right))
            log.tell(question, TIE if luck < 0.05 else SKIP if luck < 0.08 else worst if luck < 0.15 else best)
    return log


CASES = [
    {},
    {"objective": "tiers"},
    {"objective": "best"},
    {"objective": "top-2", "joining": False},
    {"objective": "order"},
    {"relation": "field-share", "objective": "tiers"},
]


@pytest.mark.parametrize("joins", [False, True])
@pytest.mark.parametrize("options", CASES, ids=str)
def test_a_true_certificate_passes(options, joins):
    log = busy(joins=joins and options.get("joining", True), **options)
    report = verify(log.certificate())
    assert report.true, report.failures
    assert report.ranges == log.ranker.ranking.ranges or options.get("objective") == "order"
    assert fold(log.events).ranker.snapshot() == log.ranker.snapshot()


def test_something_was_settled_in_these_cases():
    assert busy().ranker.ranking.details["settled_count"] > 0
    assert busy(objective="order", people=80).ranker.ranking.details["settled_count"] > 0


def votes(judges=("m1", "m2", "m3"), **options):
    log, rng = Log(judges=list(judges), about="panel", **options), random.Random(4)
    while (question := log.ask()) is not None:
        luck = rng.random() if options else 1.0
        answer = SKIP if luck < 0.1 else max(question.left, question.right) if luck < 0.2 else None
        log.tell(question, answer or min(question.left, question.right))
    return log


@pytest.mark.parametrize("objective", ["ranges", "tiers", "best", "order"])
def test_votes_with_skips_and_exact_ties_verify(objective):
    for count in (2, 4):
        log = votes([f"m{k}" for k in range(count)], objective=objective)
        report = verify(log.certificate())
        assert report.true, report.failures


def test_the_majority_of_these_judges_verifies():
    report = verify(votes().certificate())
    assert report.true and report.certified and "exactly these 3 judges" in report.statement


def rehash(document):
    """An attacker who alters an event also repairs the chain."""
    head = GENESIS
    for event in document["events"]:
        event["hash"] = chained(head, event["seq"], event["kind"], event["data"], event["at"]).hash
        head = event["hash"]
    document["head"] = head
    return document


def altered(change):
    document = copy.deepcopy(busy(people=45).certificate())
    change(document)
    return verify(rehash(document))


def test_a_narrower_range_is_found():
    def change(document):
        document["result"]["ranges"][-1] = [5, 5]
        document["result"]["ranges"][0] = [1, 1]

    before = busy(people=8).certificate()
    change(before)
    assert not verify(rehash(before)).true


def test_a_claimed_pair_that_is_not_settled_is_found():
    report = altered(lambda d: d["result"]["details"]["settled_pairs"].append(["e", "a", 9, 9]))
    assert "is claimed" in report.failures[0].words


def test_a_line_too_many_is_found():
    document = busy(people=8).certificate()
    document["result"]["details"]["lines"] = [1]
    assert "lines claimed" in verify(rehash(document)).failures[0].words


def first(document, kind, **terms):
    wanted = (e for e in document["events"] if e["kind"] == kind)
    return next(e for e in wanted if all(e["data"].get("terms", {}).get(k) == v for k, v in terms.items()))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: first(d, "asked", place=0)["data"]["terms"].pop("plan"), "no plan on record"),
        (lambda d: first(d, "asked", place=0)["data"]["terms"]["plan"].reverse(), "not what the plan"),
        (lambda d: first(d, "asked", place=1)["data"]["terms"].update(place=0), "second time|not what the plan"),
        (lambda d: first(d, "asked", sitting=2)["data"].update(judge="p1"), "second sitting|instead of"),
        (lambda d: first(d, "asked", place=2)["data"]["terms"].update(sitting=90), "has not begun"),
    ],
)
def test_tampered_plans_are_found(change, words):
    report = altered(change)
    assert not report.true
    assert any(re.search(words, failure.words) for failure in report.failures), report.failures


def test_an_altered_answer_changes_what_is_settled():
    log = busy(people=45)
    document = log.certificate()
    for event in document["events"]:
        if event["kind"] == "told" and event["data"]["answer"] == "left":
            event["data"]["answer"] = "right"
    assert not verify(rehash(document)).true
