"""The certified ranker's certificates: true ones pass, and whatever claims more than its events prove does not."""

import copy
import json
import math
import random
from functools import cache

import pytest

import juryrank
from juryrank.run.session import Session
from juryrank.verify import read_certificate, verify
from juryrank.verify.arithmetic.levels import attempt_level
from tests.quick import quick
from tests.verify.juries import ranked
from tests.verify.logs import asked, document, drawn_up, expired, make_log, names_failed, reforge, told

pytestmark = pytest.mark.usefixtures("terms_unread")  # the checker's own ranges

BOTH = ("better-than-chance", "steady")


@pytest.mark.parametrize("assume", BOTH)
@pytest.mark.parametrize("open_at_once", quick([1, 8], 8))
def test_every_run_ends_with_a_certificate_that_is_true(assume, open_at_once):
    for seed in range(2):
        session = ranked(8, assume=assume, seed=seed, open_at_once=open_at_once)
        report = verify(read_certificate(json.dumps(session.certificate())))
        assert report.verdict == "certified", report.failures
        assert len(report.links) == 7 and all(link.settled for link in report.links)
        assert report.order == session.ranking.order


@pytest.mark.parametrize("step", [23, pytest.param(7, marks=pytest.mark.slow)])
@pytest.mark.parametrize("assume", quick(BOTH))
def test_a_run_stopped_at_any_moment_gives_a_true_partial_certificate(assume, step):
    whole = ranked(6, assume=assume, seed=3, open_at_once=3).ranking.questions
    for budget in range(0, whole, step):
        report = verify(ranked(6, assume=assume, seed=3, open_at_once=3, budget=budget).certificate())
        assert report.true and report.verdict == "partial", (budget, report.failures)


@pytest.mark.parametrize("assume", BOTH)
def test_a_certificate_must_not_rest_on_a_judge_who_only_repeats_itself(assume):
    """The same events, called certified by somebody who leaves the cross-examination out."""
    names = [f"i{k}" for k in range(6)]
    session = Session(names, judges=["a"], ranker="certified", error=0.1, options={"assume": assume})
    while (question := session.ask()) is not None:
        session.tell(question, min(question.left, question.right))
    whole = session.certificate()
    assert verify(whole).verdict == "certified"
    first = next(e for e in whole["events"] if e["data"].get("terms", {}).get("phase") == "cross-examine")
    events = [event for event in whole["events"] if event["seq"] < first["seq"]]
    short = drawn_up(events, order=whole["estimates"]["order"])
    report = verify(short)
    assert report.verdict == "partial" and "never changed an answer" in report.statement
    claimed = verify({**short, "result": {**short["result"], "proven": True, "certified": True}})
    assert names_failed(claimed) == {"result"}


@pytest.mark.parametrize("assume", quick(BOTH))
def test_links_that_others_proved_in_a_cross_examination_are_recounted(assume):
    """One judge remembers and errs; the others answer afresh. Whatever is called certified must verify."""
    rng = random.Random(5)
    said = {}
    seen = []
    for seed in range(2):
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


def test_a_judge_who_never_changed_an_answer_and_is_believed_is_named():
    report = check_log(*answered(ENOUGH))
    assert "never changed an answer" in report.notes[0] and "ann" in report.notes[0]


def test_one_item_and_none_are_certified_without_a_question():
    assert verify(ranked(1).certificate()).verdict == "certified"


def partly(items, **options):
    """The certificate of a run stopped in the middle of its proof, by a budget a little too small."""
    budget = ranked(items, **options).ranking.questions
    while True:
        budget -= 2
        found = ranked(items, budget=budget, **options).certificate()
        links = verify(found).links
        if len({link.settled for link in links}) == 2:
            return found


@cache
def full():
    return ranked(5, seed=2, open_at_once=2).certificate()


@cache
def part():
    return partly(8, seed=2, assume="steady", open_at_once=4)


@cache
def long():
    return ranked(30, seed=1, assume="steady", objective="best", accuracies=(0.66, 0.66)).certificate()


def fixing(document):
    """The terms of the first question that fixes a Beta."""
    return next(e["data"]["terms"] for e in proving(document) if "beta" in e["data"].get("terms", {}))


@pytest.mark.xdist_group("long proof")  # which is made once
def test_a_long_proof_with_a_beta_in_its_prior_verifies():
    terms = fixing(long())
    assert sum(terms["prior"]) + terms["beta"][0] == pytest.approx(1)
    assert verify(long()).proven


@pytest.mark.xdist_group("long proof")  # which is made once
@pytest.mark.parametrize(
    "beta", [[0.9, 20.0, 10.0], [0.5, -1.0, 10.0], [0.5, 20.0, 0.0], [0.5, 20.0], [0.5, 20.0, None], "half", None]
)
def test_a_prior_that_is_no_probability_is_found(beta):
    forged = copy.deepcopy(long())
    fixing(forged)["beta"] = beta
    assert names_failed(verify(reforge(forged))) >= {"attempts"}


@pytest.mark.xdist_group("long proof")  # which is made once
def test_a_second_prior_for_a_judge_is_found():
    forged = copy.deepcopy(long())
    later = [e["data"]["terms"] for e in proving(forged) if e["kind"] == "asked"][-1]
    later["beta"] = fixing(forged)["beta"]
    assert names_failed(verify(reforge(forged))) >= {"attempts"}


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


def impossible_bet(document):
    next(e for e in proving(document) if e["kind"] == "asked")["data"]["terms"]["bet"] = 1.5


def softer_level(document):
    next(e for e in proving(document) if "level" in e["data"].get("terms", {}))["data"]["terms"]["level"] *= 10


def other_judge(document):
    event = next(e for e in proving(document) if e["kind"] == "asked")
    event["data"]["judge"] = next(j for j in document["settings"]["judges"] if j != event["data"]["judge"])


@pytest.mark.parametrize("forge", [flipped, dropped, impossible_bet, softer_level, other_judge])
def test_even_with_a_reforged_chain_the_result_no_longer_fits(forge):
    forged = copy.deepcopy(full())
    forge(forged)
    report = verify(reforge(forged))
    assert "chain" not in names_failed(report)
    assert not report.true and not report.certified


def test_a_partial_result_that_claims_to_be_whole_is_caught():
    assert verify(part()).verdict == "partial"
    for change in ({"certified": True}, {"proven": True}, {"order": part()["estimates"]["order"]}):
        assert names_failed(verify({**part(), "result": part()["result"] | change})) == {"result"}


def test_an_order_shown_must_be_the_order_proven():
    forged = copy.deepcopy(full())
    forged["estimates"]["order"].reverse()
    assert names_failed(verify(forged)) == {"result"}


# ---------------------------------------------------------------------- logs made by hand: two items, one link
BET = 0.9
LEVEL = float(attempt_level(0.1, 1))
START = {"list": ["a", "b"], "level": LEVEL, "surest": [0]}


def prove(q, judge="ann", *, attempt=1, bet=BET, **more):
    terms = {"phase": "prove", "attempt": attempt, "link": ["a", "b"], "bet": bet, **more}
    return asked(q, judge, "a", "b", terms=terms)


def check_log(*steps, items=("a", "b"), **more):
    options = {"assume": "better-than-chance", "trust_repeats": True, **more}
    events = make_log(*steps, items=items, ranker="certified", options=options)
    return verify(document(events, order=items))


def answered(count, *, start=1):
    """Questions to ann, each answered for the list as soon as asked."""
    for q in range(start, start + count):
        yield prove(q, **(START if q == 1 else {}))
        yield told(q)


ENOUGH = math.ceil(math.log(1 / LEVEL) / math.log1p(BET))


def test_enough_agreeing_answers_prove_a_link_and_one_fewer_does_not():
    proven = check_log(*answered(ENOUGH))
    assert proven.verdict == "certified" and proven.result["claims"] == [["a", "b", LEVEL]]
    assert "the word of whoever made the study" in proven.statement  # trust_repeats
    short = check_log(*answered(ENOUGH - 1))
    assert short.verdict == "partial" and not short.result["claims"]
    assert short.links[0].evidence == pytest.approx((1 + BET) ** (ENOUGH - 1))


@pytest.mark.parametrize(("options", "check"), [({}, "options"), ({"objective": "best"}, "eliminations")])
@pytest.mark.parametrize("first", [("a",), ("a", "b")])
def test_nobody_joins_where_all_of_the_error_is_spent(options, check, first):
    """With one founding item, too: else every set that a join makes gets all of δ again."""
    join = ("items_added", {"items": ["c"]})
    options = {"joining": False, **options}
    events = make_log(join, items=first, ranker="certified", options=options)
    assert names_failed(verify(document(events, order=(*first, "c")))) == {check}


def test_a_link_once_proven_stays_proven():
    assert check_log(*answered(ENOUGH), prove(ENOUGH + 1), told(ENOUGH + 1, "right")).verdict == "certified"


@pytest.mark.parametrize("blank", ["tie", "skip"])
def test_ties_and_skips_are_no_evidence(blank):
    assert check_log(*answered(ENOUGH - 1), prove(ENOUGH), told(ENOUGH, blank)).verdict == "partial"


@pytest.mark.parametrize("wrong", [7, 8])
def test_gold_pairs_answered_before_joining_are_held_against_a_judge(wrong):
    gold = {"judge": "eve", "purpose": "gold", "answer": "left", "better": "right"}
    asides = [("aside", {**gold, "n": n, "left": f"l{n}", "right": f"r{n}"}) for n in range(1, wrong + 1)]
    report = check_log(*asides, ("judge_added", {"judge": "eve"}), prove(1, "eve", **START), told(1))
    assert names_failed(report) == ({"attempts"} if wrong == 8 else set())


def test_an_open_question_blocks_the_later_ones():
    assert check_log(prove(1, **START), *answered(ENOUGH, start=2)).verdict == "partial"
    assert check_log(prove(1, **START), *answered(ENOUGH, start=2), expired(1)).verdict == "certified"


def test_late_answers_are_no_evidence():
    late = [prove(1, **START), expired(1), told(1)]
    assert check_log(*late, *answered(ENOUGH - 1, start=2)).verdict == "partial"


def test_answers_of_the_search_are_no_evidence():
    search = [step for q in range(1, ENOUGH) for step in (asked(q, terms={"phase": "repair"}), told(q))]
    assert check_log(*search, prove(ENOUGH, **START), told(ENOUGH)).verdict == "partial"


@pytest.mark.parametrize(
    "steps",
    [
        [prove(1), told(1)],  # no list
        [prove(1, **{**START, "list": ["a"]}), told(1)],
        [prove(1, **{**START, "list": ["a", "a"]}), told(1)],
        [prove(1, **{**START, "list": "ab"}), told(1)],
        [prove(1, **{**START, "level": 0.1}), told(1)],
        [prove(1, **{**START, "level": "0.08"}), told(1)],
        [prove(1, **{**START, "surest": []}), told(1)],
        [prove(1, **{**START, "surest": [0.0]}), told(1)],
        [prove(1, **START, bet=-0.1), told(1)],
        [prove(1, **START, bet=True), told(1)],
        [prove(1, **START, bet="0.9"), told(1)],
        [prove(1, **START, attempt=0), told(1)],
        [prove(1, **START, attempt=1.0), told(1)],
        [prove(1, **START), told(1), prove(2, **START)],  # the list is fixed once
        [prove(1, **START), told(1), prove(2, attempt=2, **{**START, "level": 0.01}), prove(3)],
        [prove(1, **START), ("items_added", {"items": ["c"]}), prove(2)],
        [asked(1, terms={"phase": "prove", "attempt": 1, "link": ["b", "a"], "bet": 0.5, **START})],
        [asked(1, terms={"phase": "prove", "attempt": 1, "link": ["a", "b", "a"], "bet": 0.5, **START})],
        [asked(1, terms={"phase": "prove", "attempt": 1, "link": 3, "bet": 0.5, **START})],
    ],
)
def test_questions_that_break_the_rules_of_an_attempt_are_named(steps):
    joined = any(step[0] == "items_added" for step in steps)
    events = make_log(*steps, items=("a", "b"), ranker="certified", options={})
    report = verify(document(events, order=("a", "b", "c") if joined else ("a", "b")))
    assert "attempts" in names_failed(report) and not report.proven


def test_a_judge_may_not_be_asked_a_pair_more_often_than_allowed():
    assert "repeats" in names_failed(check_log(*answered(ENOUGH), repeats=1))


@pytest.mark.parametrize(
    "option", [{"repeats": 0}, {"repeats": "1"}, {"assume": "nothing"}, {"trust_repeats": "yes"}], ids=str
)
def test_options_that_the_ranker_does_not_have_prove_nothing(option):
    assert "options" in names_failed(check_log(*answered(ENOUGH), **option))


def test_a_discarded_judge_makes_it_post_hoc():
    report = check_log(*answered(ENOUGH), ("judge_removed", {"judge": "bob", "discard": True}))
    assert report.verdict == "partial" and report.post_hoc and not report.result["claims"]


def undone(times, **who):
    """An answer against the list, taken back again and again until it is for it."""
    taken = {"q": 1, "judge": "ann", "answer": "right", "post_hoc": False, "by": "judge", **who}
    against = [
        step for k in range(times) for step in (told(1, "right"), ("retracted", {**taken, "told": 3 + 2 * k}))
    ]
    return [prove(1, **START), *against, told(1), *answered(ENOUGH - 1, start=2)]


def test_an_undo_by_anybody_but_the_judge_is_an_edit():
    """Take back every unwelcome answer, and coins prove what you like."""
    own = check_log(*undone(1))
    assert own.verdict == "certified" and own.result["judges"][0]["undone"] == 1
    for who in ({"by": "owner"}, {"by": "program"}, {"post_hoc": True}):
        steps = undone(1, **who)
        steps = [step for k, step in enumerate(steps) if k != 3] if who.get("post_hoc") else steps
        report = check_log(*steps)
        assert report.true and not report.proven and report.post_hoc, (who, report.failures)


def test_programs_that_answer_anew_have_no_undo():
    events = make_log(
        *undone(1), items=("a", "b"), ranker="certified", options={"trust_repeats": True}, fresh=True
    )
    report = verify(document(events, order=("a", "b")))
    assert report.true and report.post_hoc == ("answer to question 1 taken back at event 4",)


def test_many_undos_are_part_of_the_statement():
    report = check_log(*undone(3))
    assert "Judges changed 3 answers" in report.statement and "ann: 3 of" in report.statement


# ---------------------------------------------------------------------- judges who never change, few pairs
def always(choose):
    return lambda left, right: choose(left, right)


@pytest.mark.parametrize("items", ["ab", "abc", "abcde"])
@pytest.mark.parametrize("choose", [min, max])
def test_with_few_pairs_the_statement_names_who_may_only_remember(items, choose):
    """Nothing tells a program that is right from one that is wrong and says so again: the reader is told."""
    result = juryrank.rank(list(items), {"m": always(choose)}, about="truth", error=0.1, seed=1)
    report = verify(result.certificate())
    assert report.true and report.certified
    for statement in (result.statement, report.statement):
        assert "It rests on repeat" in statement and " of m, who never changed " in statement


def test_enough_pairs_or_enough_judges_need_no_such_words():
    alone = juryrank.rank(list("abcdefghijkl"), {"m": always(min)}, about="truth", error=0.1, seed=1)
    many = juryrank.rank(
        ["a", "b"], {f"m{k}": always(min) for k in range(5)}, error=0.1, seed=1
    )  # each asked once
    trusted = juryrank.rank(
        ["a", "b"], {"m": always(min)}, about="truth", error=0.1, seed=1, options={"trust_repeats": True}
    )
    for result in (alone, many, trusted):
        report = verify(result.certificate())
        assert report.certified and "It rests on" not in report.statement + result.statement


def test_hiding_on_whom_it_rests_is_found():
    document = juryrank.rank(["a", "b"], {"m": always(min)}, about="truth", error=0.1, seed=1).certificate()
    assert document["result"]["promise"]["resting"] == ["m"]
    document["result"]["promise"]["resting"] = []
    assert names_failed(verify(document)) == {"result"}


@pytest.mark.parametrize(
    "written",
    [{"objective": "order", "k": 2}, {"objective": " BEST "}, {"objective": "top-02"}, {"objective": "Order"}],
)
def test_an_objective_as_people_write_it_has_a_certificate(written):
    ranking = juryrank.rank(list("abcd"), {"x": min}, ranker="certified", options=written, seed=1)
    assert juryrank.verify(ranking.certificate()).true
