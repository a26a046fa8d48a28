"""Gold pairs in a ranking: asked, kept, never counted; a judge who is surely wrong is set aside."""

from __future__ import annotations

import copy
import json
import random

import pytest
from typer.testing import CliRunner

import juryrank
from juryrank.cli import build_app
from juryrank.defaults import FALSE_ALARM, GOLD_AT_START, GOLD_EVERY
from juryrank.errors import BadInput, JudgeFailed
from juryrank.judges.models.gold import GoldPair
from juryrank.log import fold
from juryrank.log.bodies import Aside
from juryrank.log.gold import GoldBook, GoldRecord
from juryrank.rankers.contract.ranker import Ranker
from juryrank.run.gold import GoldPlan, GoldQuestion, aside_of
from juryrank.run.session import Session
from juryrank.verify import verify
from tests.ranking import rank_with
from tests.verify.logs import reforge

ITEMS = [f"i{k}" for k in range(5)]
GOLD = [(f"g{k:02}", f"h{k:02}", f"g{k:02}") for k in range(30)]


def judge(accuracy, seed):
    """Prefers the name that comes first in the alphabet, with errors of its own."""
    rng = random.Random(seed)
    return lambda left, right: (min if rng.random() < accuracy else max)(left, right)


def ranked(judges, *, gold=GOLD, seed=3, **how):
    options = {"ranker": "certified", "fresh": True, "error": 0.1, **how}
    return rank_with(ITEMS, judges, gold=gold, seed=seed, **options)


def test_gold_pairs_are_asked_first_and_now_and_then_and_change_no_question():
    plain = ranked({"ann": judge(1.0, 1)}, gold=None, trust_repeats=True)
    tested = ranked({"ann": judge(1.0, 1)}, trust_repeats=True)
    kinds = [event.kind for event in tested.events]
    assert kinds[1 : GOLD_AT_START + 1] == ["aside"] * GOLD_AT_START and kinds[GOLD_AT_START + 1] == "asked"
    assert kinds.count("aside") == GOLD_AT_START + plain.questions // GOLD_EVERY
    assert tested.order == plain.order and tested.questions == plain.questions and tested.certified
    assert tested.details.gold["ann"]["right"] == kinds.count("aside")
    assert [e.data for e in tested.events if e.kind == "asked"] == [
        e.data for e in plain.events if e.kind == "asked"
    ]


def test_a_judge_that_is_surely_wrong_is_set_aside_before_it_counts():
    result = ranked({"ann": judge(0.95, 1), "eve": judge(0.0, 2)})
    assert result.certified and result.order == tuple(ITEMS)
    assert not any(e.kind == "asked" and e.data["judge"] == "eve" for e in result.events)
    paused = [event.data for event in result.events if event.kind == "judge_paused"]
    assert [(each["judge"], "0 of 8 gold pairs" in each["reason"]) for each in paused] == [("eve", True)]
    assert any("eve meets the rule for gold pairs: right on 0 of" in warning for warning in result.warnings)
    assert not any("wrong on most" in warning for warning in result.warnings)  # so few may be chance
    document = result.certificate()
    assert "judge eve counts as wrong more often than right (0 of 8 right); of judges who are right half of the " \
        "time it meets up to 1 in 20." in verify(document).statement  # fmt: skip
    assert verify(document).statement == result.statement
    assert verify(document, rerun=True).true


def certified(**options):
    return Session(ITEMS, judges=["ann", "bob"], ranker="certified", error=0.1, seed=4, options=options)


def refute(session, name):
    for k in range(8):
        session.aside(aside_of(GoldQuestion(name, k, f"g{k}", f"h{k}", "left"), k + 1, "right"))


def refuted_on_the_way():
    """Gold pairs speak against Bob, whom an attempt asks at the time."""
    session, rng = certified(), random.Random(1)
    while (question := session.ask()) is not None:
        session.tell(question, (min if rng.random() < 0.9 else max)(question.left, question.right))
        proof = [event for event in session.events if event.kind == "asked" and "bet" in event.data["terms"]]
        if len(proof) > 8 and not session.gold.asked:
            refute(session, "bob")
    return session


def test_an_attempt_that_may_rest_on_a_refuted_judge_ends_and_is_void():
    session = refuted_on_the_way()
    outcomes = [attempt["outcome"] for attempt in session.ranking.details.attempts]
    assert outcomes[0] == "gold pairs spoke against a judge" and len(outcomes) > 1
    assert session.ranking.certified and session.ranking.order == tuple(ITEMS)
    last = max(e.seq for e in session.events if e.kind == "aside")
    assert not any(e.kind == "asked" and e.data["judge"] == "bob" and e.seq > last for e in session.events)
    document = session.certificate()
    report = verify(document, rerun=True)
    assert report.true, report.failures
    assert all(attempt["attempt"] > 1 for attempt in document["result"]["details"]["attempts"])


def test_the_checker_knows_that_it_is_void():
    """A log that goes on with the attempt, or with the judge, is refused."""
    document = json.loads(json.dumps(refuted_on_the_way().certificate()))
    kinds = [event["kind"] for event in document["events"]]
    first = kinds.index("aside")
    before = [event for event in document["events"][:first] if event["kind"] == "asked"]
    proof = [event for event in before if event["data"]["terms"].get("phase") == "prove"]
    late = copy.deepcopy(document)
    for event in late["events"][first + 9 :]:
        if event["kind"] == "asked":
            terms = event["data"]["terms"]
            event["data"]["judge"] = "bob" if "attempt" in terms else event["data"]["judge"]
    assert not verify(reforge(late)).true
    on = copy.deepcopy(document)
    for event in on["events"][first + 9 :]:
        if event["kind"] == "asked" and "attempt" in event["data"]["terms"]:
            event["data"]["terms"] = {**proof[-1]["data"]["terms"], "bet": 0.5}
            event["data"]["left"], event["data"]["right"] = proof[-1]["data"]["left"], proof[-1]["data"]["right"]
            break
    assert not verify(reforge(on)).true


def test_the_best_item_found_with_a_refuted_judge_is_not_proven():
    session = certified(objective="best")
    while (question := session.ask()) is not None:
        session.tell(question, min(question.left, question.right))
    assert session.ranking.proven or session.ranking.warnings
    refute(session, "ann")
    assert not session.ranking.proven and session.ask() is None
    report = verify(session.certificate(), rerun=True)
    assert report.true and not report.proven and "rests on its answers" in report.statement


@pytest.mark.parametrize("how", ["evidence", "gap", "twice", "no better side"])
def test_a_gold_answer_that_is_passed_off_as_evidence_fails(how):
    document = json.loads(
        json.dumps(ranked({"ann": judge(1.0, 1)}, gold=[("i0", "i1", "i0")] * 1 + GOLD).certificate())
    )
    assert verify(document).true
    k = next(k for k, event in enumerate(document["events"]) if event["kind"] == "aside")
    event = document["events"][k]
    if how == "evidence":  # relabelled with the terms of a question that counted
        model = next(e for e in document["events"] if e["kind"] == "asked" and "bet" in e["data"]["terms"])
        last = max(e["data"]["q"] for e in document["events"] if e["kind"] == "asked")
        asked = {**model["data"], "q": last + 1}
        told = {"q": last + 1, "answer": event["data"]["answer"]}
        document["events"][k : k + 1] = []
        document["events"] += [{**event, "kind": "asked", "data": asked}, {**event, "kind": "told", "data": told}]
    elif how == "gap":
        del document["events"][k]
    elif how == "twice":
        document["events"].insert(k, copy.deepcopy(event))
    else:
        del event["data"]["better"]
    assert not verify(reforge(document)).true


def test_a_jury_counts_against_every_claim_what_a_refuted_judge_would_have_said():
    def on_case(left, right, case):
        return min(left, right)

    outputs = {name: {f"c{k}": f"{name} {k}" for k in range(8)} for name in ITEMS[:3]}
    gold = [(f"a{k}", f"z{k}", f"z{k}") for k in range(12)]
    judges = {"ann": on_case, "bob": on_case, "eve": lambda left, right, case: max(left, right)}
    result = juryrank.rank(outputs, judges, gold=gold, goal="best")
    assert {e.data["judge"] for e in result.events if e.kind == "asked"} == {"eve"}
    assert not result.proven and verify(result.certificate(), rerun=True).true


def test_a_panel_is_about_everybody_so_nobody_is_set_aside():
    result = juryrank.rank(ITEMS, {n: judge(0.0, 1) for n in "abc"}, gold=GOLD, seed=1)
    assert result.proven and not any(event.kind == "judge_paused" for event in result.events)
    assert sum("meets the rule for gold pairs" in warning for warning in result.warnings) == 3


def test_when_everybody_is_refuted_nothing_is_ranked():
    with pytest.raises(JudgeFailed, match="gold pairs"):
        ranked({"ann": judge(0.0, 1)})


def test_a_judge_that_turns_bad_is_caught():
    """Right on the first answers to each gold pair, wrong when they are asked again."""
    book = GoldBook()
    for number, turn in enumerate(range(60)):
        answer = "left" if turn < 30 else "right"
        book.note(
            Aside(
                judge="m",
                n=number + 1,
                purpose="gold",
                left=f"g{turn % 30}",
                right="h",
                answer=answer,
                better="left",
            )
        )
    record = book.records["m"]
    assert (record.right, record.again, record.worse, record.drift(1), record.below_half) == (
        30,
        30,
        30,
        "worse",
        False,
    )
    assert any("for the worse" in warning for warning in book.warnings())
    assert GoldBook.load(json.loads(json.dumps(book.state()))) == book


def test_a_judge_that_stays_the_same_is_seldom_called_changed():
    changed = 0
    for seed in range(200):
        rng, record = random.Random(seed), GoldRecord()
        chances = [rng.random() for _ in range(12)]
        changed += any(
            record.add((str(k), "", ""), right=rng.random() < chances[k]) or bool(record.drift(1))
            for _ in range(16)
            for k in range(12)
        )
    assert changed <= 200 * FALSE_ALARM


def test_sides_are_drawn_and_draws_numbered():
    plan = GoldPlan([GoldPair(*pair) for pair in GOLD], seed=1)
    first, second = plan.start("ann"), plan.start("bob")
    assert {question.better for question in first} == {"left", "right"}
    assert [q.left for q in first] != [q.left for q in second]  # each judge has sides of its own
    assert [q.draw for q in first] == [q.draw for q in second] == [2_000_000 + k for k in range(GOLD_AT_START)]
    assert plan.start("ann") == [] and GoldPlan(plan.pairs, seed=1, asked={"ann": 5}).start("ann") == first[5:]


def test_the_command_says_how_judges_did_and_refuses_gold_without_judges(tmp_path):
    (tmp_path / "items.txt").write_text("\n".join(ITEMS))
    (tmp_path / "gold.csv").write_text("left,right,winner\n" + "".join(f"a{k},b{k},left\n" for k in range(9)))
    (tmp_path / "first.sh").write_text("#!/bin/sh\ncat > /dev/null\necho left\n")
    (tmp_path / "first.sh").chmod(0o755)
    base = ["rank", str(tmp_path / "items.txt"), "--gold", str(tmp_path / "gold.csv")]
    said = CliRunner().invoke(build_app(), [*base, "--judge", f"f=cmd:{tmp_path / 'first.sh'}", "--seed", "1"])
    assert "Gold pairs" in said.stdout and "gold pairs (" in said.stdout, said.output
    alone = CliRunner().invoke(build_app(), base)
    assert isinstance(alone.exception, BadInput)
    with pytest.raises(BadInput, match="not a gold pair"):
        ranked({"ann": judge(1.0, 1)}, gold=[("a", "b")])


@pytest.mark.parametrize(
    "options", [{}, {"assume": "steady"}, {"objective": "top-2"}, {"objective": "best"}, {"repeats": 3}]
)
def test_wherever_a_judge_is_refuted_replay_snapshot_and_checker_agree(options):
    """Several questions are open at once, answers come in any order, and gold answers anywhere among them."""
    rng = random.Random(len(options) + 1)
    judges = ["a", "b", "c"]
    session = Session(ITEMS, judges=judges, ranker="certified", error=0.2, seed=5, options=options, budget=200)
    waiting, turn, victim, start = [], 0, rng.choice(judges), rng.randrange(10, 40)
    while (question := session.ask()) is not None or waiting:
        waiting += [question] if question is not None else []
        if question is None or len(waiting) > 3:
            one = waiting.pop(rng.randrange(len(waiting)))
            session.tell(one, (min if rng.random() < 0.85 else max)(one.left, one.right))
        turn += 1
        if turn >= start and (asked := session.gold.asked.get(victim, 0)) < 9:
            gold = GoldQuestion(victim, asked, f"g{asked}", f"h{asked}", "left")
            session.aside(aside_of(gold, asked + 1, "right"))
    again = fold(session.events).ranker
    assert again.snapshot_text() == session.ranker.snapshot_text()
    assert Ranker.restore(again.snapshot()).snapshot_text() == again.snapshot_text()
    assert verify(session.certificate(), rerun=True).true
