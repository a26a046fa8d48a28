"""Certificates of the best item and of the k best: true ones pass, and whatever claims more does not."""

import copy
import json
from functools import cache

import numpy as np
import pytest

from juryrank import create_study
from juryrank.log import Event, fold
from juryrank.storage import MemoryStorage
from juryrank.verify import read_certificate, verify
from juryrank.verify.certified.answers import answers_of
from juryrank.verify.certified.attempts import read_attempts
from juryrank.verify.certified.cross_examination import CrossExamination
from juryrank.verify.certified.recount import recount
from juryrank.verify.record import read_events
from tests.quick import quick
from tests.verify.juries import ranked
from tests.verify.logs import drawn_up, names_failed, reforge

pytestmark = pytest.mark.usefixtures("terms_unread")  # the checker's own ranges

ALL = [(objective, assume) for objective in ("best", "top-3") for assume in ("better-than-chance", "steady")]
WANTED = {"best": ["i00"], "top-3": ["i00", "i01", "i02"]}


def found(report, objective):
    """The items that the recomputed ranges put into the set."""
    most = len(WANTED[objective])
    return sorted(item for item, _, worst in report.result["ranges"] if worst <= most)


@pytest.mark.parametrize(("objective", "assume"), ALL)
@pytest.mark.parametrize("open_at_once", quick([1, 6], 6))
def test_every_run_ends_with_a_certificate_that_is_true(objective, assume, open_at_once):
    session = ranked(8, assume=assume, seed=3, open_at_once=open_at_once, objective=objective)
    report = verify(read_certificate(json.dumps(session.certificate())))
    assert report.true, report.failures
    assert session.ranking.proven and report.result["proven"] and not report.result["certified"]
    assert found(report, objective) == WANTED[objective]
    assert ("is the best item" if objective == "best" else "the 3 best items are") in report.statement


@pytest.mark.parametrize("step", [29, pytest.param(9, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("objective", "assume"), quick(ALL, ALL[0], ALL[-1]))
def test_a_run_stopped_at_any_moment_promises_no_more_than_its_events(objective, assume, step):
    whole = ranked(6, assume=assume, seed=3, open_at_once=3, objective=objective).ranking.questions
    for budget in range(0, whole, step):
        session = ranked(6, assume=assume, seed=3, open_at_once=3, budget=budget, objective=objective)
        report = verify(session.certificate())
        assert report.true, (budget, report.failures)
        assert report.result["proven"] == session.ranking.proven
        shown = dict(zip(session.ranking.order, session.ranking.ranges, strict=True))
        for item, best, worst in report.result["ranges"]:
            assert shown[item][0] <= best and worst <= shown[item][1], (budget, item)


def events_of(certificate, phase):
    return [e for e in certificate["events"] if e["data"].get("terms", {}).get("phase") == phase]


def forged(session, change):
    """The certificate of a session whose events somebody changed, and then made everything fit again."""
    copied = copy.deepcopy(json.loads(json.dumps(session.certificate())))
    change(copied)
    copied = reforge(copied)
    return verify({**copied, "result": drawn_up(copied["events"], order=copied["estimates"]["order"])["result"]})


def test_the_best_item_cannot_be_forged():
    session = ranked(6, seed=2, objective="best")
    assert verify(session.certificate()).result["proven"]

    def bet_too_much(copied):
        events_of(copied, "best")[0]["data"]["terms"]["bet"] = 1.5

    def accuse_somebody_else(copied):
        events_of(copied, "best")[0]["data"]["terms"]["item"] = "nobody"

    def easier_level(copied):
        events_of(copied, "best")[0]["data"]["terms"]["level"] = 0.5

    def other_objective(copied):
        copied["events"][0]["data"]["options"]["objective"] = "worst"

    for change in (bet_too_much, accuse_somebody_else, easier_level):
        assert "eliminations" in names_failed(forged(session, change)), change
    assert "options" in names_failed(forged(session, other_objective))


def test_without_its_last_answers_nothing_is_proven():
    session = ranked(6, seed=2, objective="best")
    whole = json.loads(json.dumps(session.certificate()))
    last = max(e["seq"] for e in whole["events"] if e["kind"] == "told")
    short = drawn_up([e for e in whole["events"] if e["seq"] < last], order=whole["estimates"]["order"])
    report = verify(short)
    assert report.true and not report.result["proven"]
    assert names_failed(verify({**short, "result": {**short["result"], "proven": True}})) == {"result"}


def test_answers_wait_for_those_asked_before_about_the_same_item():
    """Wrong answers that come back first must not rule the best item out before the others are in."""
    session = ranked(6, seed=2, objective="best")
    whole = json.loads(json.dumps(session.certificate()))
    accused = events_of(whole, "best")
    first = accused[0]["data"]
    without = [e for e in whole["events"] if not (e["kind"] == "told" and e["data"]["q"] == first["q"])]
    copied = reforge({**whole, "events": without})
    report = verify(drawn_up(copied["events"], order=whole["estimates"]["order"]))
    assert not report.result["proven"]
    assert first["terms"]["item"] not in report.result["details"]["eliminated"]


@pytest.mark.parametrize("assume", ["better-than-chance", "steady"])
def test_a_set_rests_on_its_own_links_only(assume):
    session = ranked(6, assume=assume, seed=4, objective="top-2")
    assert verify(session.certificate()).result["proven"]

    def neighbours_instead(copied):
        for event in events_of(copied, "prove"):
            event["data"]["terms"].pop("top", None)

    def smaller_set(copied):
        for event in events_of(copied, "prove"):
            if "top" in event["data"]["terms"]:
                event["data"]["terms"]["top"] = 1

    for change in (neighbours_instead, smaller_set):
        assert "attempts" in names_failed(forged(session, change)), change


@cache
def cross_examined():
    """A proven set, for which somebody who never changed an answer was examined: the certificate as text."""
    for seed in range(100):
        session = ranked(4, seed=seed, assume="steady", objective="top-2", open_at_once=2)
        if session.ranking.proven and session.ranking.details.never_changing:
            whole = json.loads(json.dumps(session.certificate()))
            if any("prior" in terms_of(e) for e in events_of(whole, "cross-examine")) and len(told_in(whole)) > 4:
                return json.dumps(whole)
    raise AssertionError("no run is cross-examined")


def terms_of(event):
    return event["data"]["terms"]


def told_in(whole):
    """The answers to questions of the cross-examination."""
    asked = [e["data"]["q"] for e in events_of(whole, "cross-examine") if "link" in terms_of(e)]
    return [e for e in whole["events"] if e["kind"] == "told" and e["data"]["q"] in asked]


def crossed(whole):
    record = read_events(whole["events"])
    attempt = read_attempts(record, "steady")[0][-1]
    return CrossExamination(record, answers_of(record, [attempt]), trust=False).cross_votes(recount(attempt))


def test_a_prior_fixed_by_a_question_without_answer_still_counts():
    whole = json.loads(cross_examined())
    votes, fault = crossed(whole)
    fixing = [e["data"]["q"] for e in events_of(whole, "cross-examine") if "prior" in terms_of(e)]
    answer = next(e for e in told_in(whole) if e["data"]["q"] in fixing)
    gone = answer["data"]["q"]
    answer["kind"], answer["data"] = "expired", {"q": gone}
    fewer, still = crossed(reforge(whole))
    assert not fault and not still and [v.id for v in votes if v.id != gone] == [v.id for v in fewer]


def test_an_open_question_of_the_cross_examination_is_waited_for():
    """Whoever could leave out an unwelcome one of its answers would choose what counts."""
    whole = json.loads(cross_examined())
    left_out = told_in(whole)[3]
    copied = reforge({**whole, "events": [e for e in whole["events"] if e is not left_out]})
    report = verify(drawn_up(copied["events"], order=whole["estimates"]["order"]))
    assert report.true and not report.proven


def test_a_cross_examination_counts_only_once_the_proof_is_complete():
    """Its questions are asked of a proof that an answer taken back may have opened again."""
    whole = json.loads(cross_examined())
    last = [e for e in whole["events"] if e["kind"] == "told" and e["data"]["q"] in proving(whole)][-1]
    events = [e for e in whole["events"] if e is not last]
    events.insert(events.index(told_in(whole)[2]) + 1, last)  # answered again after three answers across
    copied = reforge({**whole, "events": events})
    before, after = crossed(json.loads(cross_examined()))[0], crossed(copied)[0]
    assert len(after) < len(before)
    ranking = fold([Event(*(e[name] for name in ("seq", "kind", "data", "at", "hash"))) for e in events]).ranking()
    report = verify(drawn_up(events, order=whole["estimates"]["order"]))
    assert report.true and report.proven <= ranking.proven


def proving(whole):
    return [e["data"]["q"] for e in events_of(whole, "prove")]


def test_a_cross_examination_of_a_judge_without_a_prior_is_found():
    whole = json.loads(cross_examined())
    next(terms_of(e) for e in events_of(whole, "cross-examine") if "prior" in terms_of(e)).pop("prior")
    report = verify(drawn_up(reforge(whole)["events"], order=whole["estimates"]["order"]))
    assert names_failed(report) == {"repeats"}


def test_items_that_join_need_the_next_level_and_keep_what_was_found():
    rng = np.random.default_rng(5)
    study = create_study(
        ["i01", "i02", "i03", "i04"], name="joined", judges=[f"j{u}" for u in range(4)], ranker="certified",
        error=0.1, seed=5, storage=MemoryStorage(), options={"objective": "best", "repeats": None},
    )  # fmt: skip

    def go_on():
        while (question := study.ask()) is not None:
            good, bad = sorted((question.left, question.right))
            study.tell(question.id, good if rng.random() < 0.9 else bad)

    go_on()
    assert study.ranking().proven and study.ranking().order[0] == "i01"
    study.add_items(["i00", "i09"])
    assert not study.ranking().proven
    go_on()
    report = verify(study.certificate())
    assert report.true and report.result["proven"] and study.ranking().order[0] == "i00"
    assert {round(level, 9) for _, _, level in report.result["claims"]} == {0.01}
