"""Panel certificates: true ones pass, and every kind of tampering is found."""

from __future__ import annotations

import copy
import random
import re

import pytest

import juryrank
from juryrank.log import GENESIS, chained, fold, settings
from juryrank.rankers import make_ranker
from juryrank.rankers.contract.roster import side_of
from juryrank.types import SKIP, TIE
from juryrank.verify import certificate, verify
from juryrank.verify.certificate import plain_log
from juryrank.verify.panel.options import options_of
from juryrank.verify.panel.sittings import read_sittings
from juryrank.verify.record import read_events
from tests.quick import quick
from tests.verify.logs import asked, document, make_log, names_failed, reforge, told

pytestmark = pytest.mark.usefixtures("terms_unread")  # the checker's own ranges

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
            self.add("asked", q=question.id, **shown, terms=dict(question.terms))
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
    {"relation": "field-share", "objective": "tiers"},
]


@pytest.mark.parametrize("joins", quick([False, True], True))
@pytest.mark.parametrize("options", CASES, ids=str)
def test_a_true_certificate_passes(options, joins):
    log = busy(joins=joins and options.get("joining", True), **options)
    report = verify(log.certificate())
    assert report.true, report.failures
    assert report.ranges == log.ranker.ranking.ranges
    assert fold(log.events).ranker.snapshot() == log.ranker.snapshot()


def test_something_was_settled_in_these_cases():
    assert busy().ranker.ranking.details.settled_count > 0


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


def altered(change):
    document = copy.deepcopy(busy(people=45).certificate())
    change(document)
    return verify(reforge(document))


def test_a_narrower_range_is_found():
    def change(document):
        document["result"]["ranges"][-1][1:] = [5, 5]
        document["result"]["ranges"][0][1:] = [1, 1]

    before = busy(people=8).certificate()
    change(before)
    assert not verify(reforge(before)).true


def test_a_claimed_pair_that_is_not_settled_is_found():
    report = altered(lambda d: d["result"]["claims"].append(["e", "a", 0.01]))
    assert "result.claims" in report.failures[0].words


def test_a_line_too_many_is_found():
    document = busy(people=8).certificate()
    document["result"]["details"]["lines"] = [["a"]]
    assert "result.details.lines" in verify(reforge(document)).failures[0].words


def first(document, kind, **terms):
    wanted = (e for e in document["events"] if e["kind"] == kind)
    return next(e for e in wanted if all(e["data"].get("terms", {}).get(k) == v for k, v in terms.items()))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: first(d, "asked", place=0)["data"]["terms"].pop("plan"), "not on record"),
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
    assert not verify(reforge(document)).true


# ---------------------------------------------------------------------- logs made by hand
PLAN = [["a", "b"], ["b", "c"], ["a", "c"]]
ENOUGH = 10  # unanimous people settle all three pairs at level 0.08 / 3


def sat(number, *, plan=PLAN):
    """One person's whole sitting, everybody shown the plan as it stands."""
    steps = []
    for place, (left, right) in enumerate(plan):
        terms = {"sitting": number, "place": place, **({"plan": plan} if place == 0 else {})}
        q = len(plan) * number + place
        steps += [asked(q, f"p{number}", left, right, terms=terms), told(q, "left")]
    return steps


def check_sittings(*sittings, order=("a", "b", "c"), **options):
    steps = [step for sitting in sittings for step in sitting]
    judges = [f"p{number}" for number in range(1, len(sittings) + 1)]
    events = make_log(*steps, judges=judges, ranker="panel", options=options)
    return verify(document(events, order=order))


def test_ranges_that_leave_one_order_prove_it():
    report = check_sittings(*map(sat, range(1, ENOUGH + 1)))
    assert report.verdict == "certified" and report.order == ("a", "b", "c")
    assert check_sittings(*map(sat, range(1, 4))).verdict == "partial"


def test_a_plan_longer_than_the_study_allows_is_found():
    assert names_failed(check_sittings(*map(sat, range(1, 3)), sitting=1)) == {"plans"}


def test_items_may_not_join_where_all_of_the_error_is_spent():
    join = [("items_added", {"items": ["d"]})]
    report = check_sittings(sat(1), join, order=("a", "b", "c", "d"), joining=False)
    assert names_failed(report) == {"plans"}


@pytest.mark.parametrize(
    ("place", "pair", "fine"),
    [(0, "ab", False), (0, "cd", False), (2, "bc", False), (2, "ab", True), (2, "cd", True), (6, "ac", True)],
)
def test_nobody_is_asked_outside_a_plan_what_the_plan_asks_later(place, pair, fine):
    """Else whoever says the right thing could be given a sitting, and nobody else."""
    sitting = [(kind, {**data, "q": data["q"] * 10}) for kind, data in sat(1)]
    before = sitting[place - 1][1]["q"] if place else 0
    sitting[place:place] = [asked(before + 1, "p1", *pair), told(before + 1)]
    report = verify(document(make_log(*sitting, items="abcd", judges=["p1"], ranker="panel"), order="abcd"))
    assert names_failed(report) == (set() if fine else {"plans"})


@pytest.mark.parametrize("again", [["left"], []])
def test_what_is_said_anew_after_a_sitting_lapsed_is_late(again):
    """Else the sitting's people could be asked for other words once all is known."""
    steps = []
    for n in range(1, 31):
        terms = {"sitting": n, "place": 0, "plan": [["a", "b"]]}
        steps += [asked(n, f"p{n}", terms=terms), told(n, "right"), ("lapsed", {"sitting": n})]
        undo = {"told": len(steps), "judge": f"p{n}", "answer": "right", "post_hoc": False, "by": "judge"}
        steps += [("retracted", {"q": n, **undo}), *(told(n, answer) for answer in again)]
    log = make_log(*steps, items="ab", judges=[f"p{n}" for n in range(1, 31)], ranker="panel")
    report = verify(document(log, order="ab"))
    assert report.true and not report.result["claims"]
    assert report.result["counts"]["late"] == 30 * len(again)
    options, _ = options_of({}, items=2, judges=30)
    sittings = read_sittings(read_events(plain_log(log)), options).sittings
    assert all(sitting.missing() == [{"a", "b"}] for sitting in sittings)


def test_judges_may_not_join_a_fixed_list():
    events = make_log(("judge_added", {"judge": "eve"}), ranker="panel", options={"about": "panel"})
    assert names_failed(verify(document(events))) == {"repeats"}


@pytest.mark.parametrize(
    "options",
    [
        {"objective": "everything"},
        {"objective": 3},
        {"objective": "top-3"},
        {"objective": "top-k", "k": True},
        {"objective": "best", "k": 2},
        {"objective": "best", "k": 1.0},
        {"relation": "field-share", "k": "steady"},
        {"objective": "tiers", "k": 0},
        {"about": "nobody"},
        {"objective": "order"},
        {"relation": "field-share", "objective": "order"},
        {"relation": "field-share", "about": "panel"},
        {"sitting": 0},
        {"sitting": "10"},
        {"joining": "yes"},
        {"objective": "best", "assume": "steady"},
    ],
    ids=str,
)
def test_options_that_the_ranker_does_not_have_prove_nothing(options):
    assert names_failed(verify(document(make_log(ranker="panel", options=options)))) == {"options"}


def test_scores_need_plans_that_meet_no_item_too_often():
    """A plan that shows one item in every question would make its factor more than a fair bet."""
    plan = [["a", "b"], ["a", "c"], ["a", "d"]]
    steps = sat(1, plan=plan)
    options = {"relation": "field-share", "sitting": 3}
    events = make_log(*steps, items="abcdefgh", judges=["p1"], ranker="panel", options=options)
    assert names_failed(verify(document(events, order="abcdefgh"))) == {"plans"}


@pytest.mark.parametrize("objective", ["best", "order", "tiers"])
def test_nothing_is_proven_where_nobody_chose(objective):
    """Everybody skips: neither order of the two is anybody's."""
    votes = [
        s for q, j in enumerate(["ann", "bob"], 1) for s in (asked(q, j, terms={"vote": True}), told(q, "skip"))
    ]
    options = {"about": "panel", "objective": objective}
    events = make_log(*votes, items=["a", "b"], ranker="panel", options=options)
    report = verify(document(events, order=("b", "a")))
    assert report.true and not report.proven and not report.result["claims"]
    assert not fold(events).ranking().proven


def test_the_majority_of_nobody_proves_nothing():
    events = make_log(items=["a", "b"], judges=[], ranker="panel", options={"about": "panel", "objective": "best"})
    assert names_failed(verify(document(events, order=("b", "a")))) == {"options"}


def test_majorities_in_circles_are_no_lie_whatever_order_is_shown():
    """Three judges who choose by the toss of a coin: the set of the first so many by wins need not stand first."""
    for seed in range(10):
        rng = random.Random(seed)
        items = [f"i{k}" for k in range(rng.randrange(4, 8))]
        tosses = {}

        def judge(name, tosses=tosses, rng=rng):
            return lambda *pair: tosses.setdefault((name, *sorted(pair)), rng.choice(pair))

        result = juryrank.rank(items, {name: judge(name) for name in "abc"}, seed=seed)
        report = verify(result.certificate())
        assert report.true, (seed, report.failures)
