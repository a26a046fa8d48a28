"""The certified ranker's certificates: true ones pass, and whatever claims more than its events prove does not."""

import copy
import json
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.core.certified.prove.evidence import level_of
from juryrank.run.session import Session
from juryrank.types import Link, Ranking
from juryrank.verify import certificate, read_certificate, verify
from tests.verify.juries import ranked
from tests.verify.logs import asked, expired, make_log, told
from tests.verify.test_chain import leaves, names_failed, reforge, with_one_change

BOTH = ("better-than-chance", "steady")


@pytest.mark.parametrize("assume", BOTH)
@pytest.mark.parametrize("open_at_once", [1, 8])
def test_every_run_ends_with_a_certificate_that_is_true(assume, open_at_once):
    for seed in range(4):
        session = ranked(8, assume=assume, seed=seed, open_at_once=open_at_once)
        report = verify(read_certificate(json.dumps(session.certificate())))
        assert report.verdict == "certified", report.failures
        assert len(report.links) == 7 and all(link.settled for link in report.links)
        assert report.order == session.ranking.order


@pytest.mark.parametrize("assume", BOTH)
def test_a_run_stopped_at_any_moment_gives_a_true_partial_certificate(assume):
    whole = ranked(6, assume=assume, seed=3, open_at_once=3).ranking.questions
    for budget in range(0, whole, 7):
        report = verify(ranked(6, assume=assume, seed=3, open_at_once=3, budget=budget).certificate())
        assert report.true and report.verdict == "partial", (budget, report.failures)


@pytest.mark.parametrize("assume", BOTH)
def test_a_certificate_must_not_rest_on_a_judge_who_only_repeats_itself(assume):
    """The same events, called certified by somebody who leaves the cross-examination out."""
    names = [f"i{k}" for k in range(6)]
    session = Session(names, judges=["a"], ranker="certified", error=0.1, options={"assume": assume})
    while (question := session.ask()) is not None:
        session.tell(question, min(question.left, question.right))
    document = session.certificate()
    assert verify(document).verdict == "certified"
    first = next(e for e in document["events"] if e["data"].get("terms", {}).get("phase") == "cross-examine")
    events = [event for event in document["events"] if event["seq"] < first["seq"]]
    asked_only = sum(event["kind"] == "asked" for event in events)
    result = {**document["result"], "questions": asked_only, "cost": float(asked_only)}
    short = {**document, "events": events, "head": events[-1]["hash"], "result": result}
    assert "cross-examination" in names_failed(verify(short))


@pytest.mark.parametrize("assume", BOTH)
def test_links_that_others_proved_in_a_cross_examination_are_recounted(assume):
    """One judge remembers and errs; the others answer afresh. Whatever is called certified must verify."""
    rng = random.Random(5)
    said = {}
    seen = []
    for seed in range(6):
        session = Session(
            [f"i{k}" for k in range(7)], judges="abcdef", ranker="certified", error=0.1, seed=seed, budget=500,
            options={"assume": assume},
        )  # fmt: skip
        while (question := session.ask()) is not None:
            good, bad = sorted((question.left, question.right))
            right = rng.random() < 0.9
            if question.judge == "a":
                right = said.setdefault((seed, good, bad), right)
            session.tell(question, good if right else bad)
        report = verify(session.certificate())
        assert report.true, report.failures
        assert all(best <= worst for best, worst in session.ranking.ranges)
        seen += [event.data["terms"] for event in session.events if event.kind == "asked"]
    assert any(terms["phase"] == "cross-examine" and "link" in terms for terms in seen)


def test_one_item_and_none_are_certified_without_a_question():
    assert verify(ranked(1).certificate()).verdict == "certified"


def partly(items, **options):
    """The certificate of a run stopped in the middle of its proof, by a budget a little too small."""
    budget = ranked(items, **options).ranking.questions
    while True:
        budget -= 2
        document = ranked(items, budget=budget, **options).certificate()
        proving = document["result"]["details"]["phase"] == "prove"
        if proving and len({link["settled"] for link in document["result"]["links"]}) == 2:
            return document


FULL = ranked(5, seed=2, open_at_once=2).certificate()
PART = partly(8, seed=2, assume="steady", open_at_once=4)
PLACES = {"full": list(leaves(FULL["events"])), "part": list(leaves(PART["events"]))}


@settings(max_examples=150, deadline=None)
@given(st.data(), st.sampled_from(["full", "part"]))
def test_any_single_field_of_any_event_changed_is_caught(data, which):
    path = data.draw(st.sampled_from(PLACES[which]))
    forged = with_one_change({"full": FULL, "part": PART}[which], path)
    assert "chain" in names_failed(verify(forged))


def proving(document):
    """The events of questions that count, and of their answers."""
    events = document["events"]
    numbers = {e["data"]["q"] for e in events if e["data"].get("terms", {}).get("phase") == "prove"}
    return [e for e in events if e["kind"] in ("asked", "told") and e["data"]["q"] in numbers]


def flipped(document):
    event = next(e for e in proving(document) if e["kind"] == "told" and e["data"]["answer"] in ("left", "right"))
    event["data"]["answer"] = {"left": "right", "right": "left"}[event["data"]["answer"]]


def dropped(document):
    event = next(e for e in proving(document) if e["kind"] == "told")
    document["events"].remove(event)


def raised_bet(document):
    event = next(e for e in proving(document) if e["kind"] == "asked" and e["data"]["terms"]["bet"] < 0.9)
    event["data"]["terms"]["bet"] = 0.97


def impossible_bet(document):
    next(e for e in proving(document) if e["kind"] == "asked")["data"]["terms"]["bet"] = 1.5


def softer_level(document):
    next(e for e in proving(document) if "level" in e["data"].get("terms", {}))["data"]["terms"]["level"] *= 10


def other_judge(document):
    event = next(e for e in proving(document) if e["kind"] == "asked")
    event["data"]["judge"] = next(j for j in document["settings"]["judges"] if j != event["data"]["judge"])


@pytest.mark.parametrize("forge", [flipped, dropped, raised_bet, impossible_bet, softer_level, other_judge])
def test_even_with_a_reforged_chain_the_result_no_longer_fits(forge):
    forged = copy.deepcopy(FULL)
    forge(forged)
    report = verify(reforge(forged))
    assert "chain" not in names_failed(report)
    assert not report.true and not report.certified


@pytest.mark.parametrize("which", ["full", "part"])
@pytest.mark.parametrize(
    ("exaggerate", "check"),
    [
        (lambda r: r["links"][0].update(evidence=r["links"][0]["evidence"] * 10), "links"),
        (lambda r: r["links"][0].update(level=0.5), "links"),
        (lambda r: r["links"][0].update(answers_for=r["links"][0]["answers_for"] + 1), "links"),
        (lambda r: r["links"][0].update(better=r["links"][0]["worse"]), "links"),
        (lambda r: r["links"][0]["by"].update(j0=[99, 0]), "links"),
        (lambda r: r["order"].reverse(), "links"),
        (lambda r: r["details"].update(assume="nothing"), "details"),
        (lambda r: r["details"].update(proven_links=99), "details"),
        (lambda r: r["details"]["attempts"][0].update(level=0.9), "details"),
        (
            lambda r: r["details"]["claims"].append(
                {"better": r["order"][-1], "worse": r["order"][0], "attempt": 1, "level": 0.08}
            ),
            "claims",
        ),
    ],
)
def test_a_result_that_claims_more_is_caught(which, exaggerate, check):
    forged = copy.deepcopy({"full": FULL, "part": PART}[which])
    exaggerate(forged["result"])
    assert check in names_failed(verify(forged))


@pytest.mark.parametrize(
    ("exaggerate", "check"),
    [
        (lambda r: r.update(certified=True), "verdict"),
        (lambda r: r["ranges"].__setitem__(slice(None), [[k, k] for k in range(1, 9)]), "ranges"),
        (lambda r: next(link for link in r["links"] if not link["settled"]).update(settled=True), "links"),
    ],
)
def test_a_partial_result_that_claims_to_be_whole_is_caught(exaggerate, check):
    forged = copy.deepcopy(PART)
    exaggerate(forged["result"])
    assert check in names_failed(verify(forged))


# ---------------------------------------------------------------------- logs made by hand: two items, one link
BET = 0.9
START = {"list": ["a", "b"], "level": level_of(0.1, 1), "surest": [0]}


def prove(q, judge="ann", *, attempt=1, bet=BET, **more):
    terms = {"phase": "prove", "attempt": attempt, "link": ["a", "b"], "bet": bet, **more}
    return asked(q, judge, "a", "b", terms=terms)


def log_of(*steps, **more):
    return make_log(*steps, items=("a", "b"), ranker="certified", options={"assume": "better-than-chance", **more})


def claim(events, votes, *, certified=True):
    """What a ranker would say that counts these votes (+1 for, -1 against), all by ann."""
    evidence, most = 1.0, 1.0
    for vote in votes:
        evidence *= 1 + BET * vote
        most = max(most, evidence)
    good, bad = votes.count(1), votes.count(-1)
    level = level_of(0.1, 1)
    by = {"ann": (good, bad)} if votes else {}
    details = {
        "attempts": [{"attempt": 1, "level": level, "questions": sum(e.kind == "asked" for e in events)}],
        "claims": [{"better": "a", "worse": "b", "attempt": 1, "level": level}] if certified else [],
    }
    return Ranking(
        ("a", "b"), certified, 0.1, sum(e.kind == "asked" for e in events), "certified",
        (Link("a", "b", certified, most, level, good, bad, by),),
        ranges=((1, 1), (2, 2)) if certified else ((1, 2), (1, 2)), details=details,
    )  # fmt: skip


def answered(count, *, start=1):
    """Questions to ann, each answered for the list as soon as asked."""
    for q in range(start, start + count):
        yield prove(q, **(START if q == 1 else {}))
        yield told(q)


ENOUGH = math.ceil(math.log(1 / level_of(0.1, 1)) / math.log1p(BET))


def check_claim(events, votes, **options):
    return verify(certificate(events, claim(events, votes, **options)))


def test_enough_agreeing_answers_prove_a_link_and_one_fewer_does_not():
    events = log_of(*answered(ENOUGH))
    assert check_claim(events, [1] * ENOUGH).verdict == "certified"
    events = log_of(*answered(ENOUGH - 1))
    assert names_failed(check_claim(events, [1] * (ENOUGH - 1))) >= {"links", "verdict", "claims", "ranges"}


def test_a_link_once_proven_stays_proven():
    steps = [*answered(ENOUGH), prove(ENOUGH + 1), told(ENOUGH + 1, "right")]
    assert check_claim(log_of(*steps), [1] * ENOUGH + [-1]).verdict == "certified"


@pytest.mark.parametrize("blank", ["tie", "skip"])
def test_ties_and_skips_are_no_evidence(blank):
    events = log_of(*answered(ENOUGH - 1), prove(ENOUGH), told(ENOUGH, blank))
    assert not check_claim(events, [1] * ENOUGH).true
    assert check_claim(events, [1] * (ENOUGH - 1), certified=False).true


def test_an_open_question_blocks_the_later_ones():
    events = log_of(prove(1, **START), *answered(ENOUGH, start=2))
    assert not check_claim(events, [1] * ENOUGH).true
    assert check_claim(events, [], certified=False).true
    events = log_of(prove(1, **START), *answered(ENOUGH, start=2), expired(1))
    assert check_claim(events, [1] * ENOUGH).verdict == "certified"


def test_late_answers_are_no_evidence():
    events = log_of(prove(1, **START), expired(1), told(1), *answered(ENOUGH - 1, start=2))
    assert not check_claim(events, [1] * ENOUGH).true


def test_answers_of_the_search_are_no_evidence():
    search = [step for q in range(1, ENOUGH) for step in (asked(q, terms={"phase": "repair"}), told(q))]
    events = log_of(*search, prove(ENOUGH, **START), told(ENOUGH))
    assert not check_claim(events, [1] * ENOUGH).true


@pytest.mark.parametrize(
    "steps",
    [
        [prove(1), told(1)],  # no list
        [prove(1, **{**START, "list": ["a"]}), told(1)],
        [prove(1, **{**START, "level": 0.1}), told(1)],
        [prove(1, **{**START, "surest": []}), told(1)],
        [prove(1, **START, bet=-0.1), told(1)],
        [prove(1, **START, bet=True), told(1)],
        [prove(1, **START, attempt=0), told(1)],
        [prove(1, **START), told(1), prove(2, attempt=2, **{**START, "level": 0.01}), prove(3)],
        [prove(1, **START), ("items_added", {"items": ["c"]}), prove(2)],
        [asked(1, terms={"phase": "prove", "attempt": 1, "link": ["b", "a"], "bet": 0.5, **START})],
    ],
)
def test_questions_that_break_the_rules_of_an_attempt_are_named(steps):
    events = log_of(*steps)
    report = check_claim(events, [], certified=False)
    assert "attempts" in names_failed(report)


def test_a_judge_may_not_be_asked_a_pair_more_often_than_allowed():
    events = log_of(*answered(ENOUGH), repeats=1)
    assert "repeats" in names_failed(check_claim(events, [1] * ENOUGH))


def test_a_discarded_judge_makes_it_post_hoc():
    events = log_of(*answered(ENOUGH), ("judge_removed", {"judge": "bob", "discard": True}))
    assert "edits" in names_failed(check_claim(events, [1] * ENOUGH))
