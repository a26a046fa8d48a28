"""Forged files that once passed: each with a chain that fits again, drawn up by somebody who knows the checker."""

import copy
import json

import numpy as np
import pytest

from juryrank import create_study
from juryrank.errors import BadSnapshot
from juryrank.rankers.panel.core.field_share import matching_plan
from juryrank.run.session import Session
from juryrank.storage import MemoryStorage
from juryrank.study.archive import import_votes
from juryrank.verify import read_certificate, verify
from juryrank.verify.panel.sittings import plan_by_lot
from juryrank.votes import read_votes
from tests.verify.forger.documents import honest
from tests.verify.forger.log import insert, of_kind
from tests.verify.logs import asked, document, drawn_up, make_log, names_failed, reforge, told


def redrawn(name, change):
    """The report on an honest document whose events were changed, and its result drawn up anew."""
    forged = honest(name)
    change(forged)
    reforge(forged)
    return verify(read_certificate(json.dumps(drawn_up(forged["events"], order=forged["estimates"]["order"]))))


def appended(kind, data):
    return lambda forged: insert(forged, len(forged["events"]), kind, data)


def test_that_repeats_are_believed_is_part_of_the_promise_about_the_best_item():
    options = {"objective": "best", "trust_repeats": True}
    session = Session(["a", "b"], judges=["ann"], ranker="certified", error=0.1, seed=1, options=options)
    while (question := session.ask()) is not None:
        session.tell(question, "a")
    report = verify(session.certificate())
    assert report.proven and "is the word of whoever made the study (trust_repeats)" in report.statement


def contrary(prior, beta, *, error=1e-6, answers=4):
    """One steady judge who says the opposite of a list of three, and whatever was thought of the judge before."""
    links, steps = [["a", "b"], ["b", "c"]], []
    fixed = {"list": ["a", "b", "c"], "level": 0.8 * error, "surest": [0, 1], "prior": prior, "beta": beta}
    for q in range(1, answers + 1):
        terms = {"phase": "prove", "attempt": 1, "link": links[q % 2], **(fixed if q == 1 else {})}
        steps += [asked(q, "ann", *links[q % 2], terms=terms), told(q, "right")]
    options = {"assume": "steady", "trust_repeats": True}
    log = make_log(*steps, judges=["ann"], ranker="certified", error=error, options=options)
    return verify(json.loads(json.dumps(document(log))))


@pytest.mark.usefixtures("terms_unread")
@pytest.mark.parametrize(
    "shapes", [(7.5e16, 1.5e16), (7.5e15, 1.5e15), (1e308, 1e308), (1e-320, 1e17), (-1.0, 2.0)]
)
def test_no_shape_of_a_prior_turns_answers_against_a_list_into_evidence_for_it(shapes):
    """Differences of log gammas of such numbers are noise: they once gave e^192 for four answers against."""
    assert names_failed(contrary([0.0] * 30, [1.0, *shapes])) == {"attempts"}


@pytest.mark.parametrize("shapes", [(1e6, 1e6), (1e6, 1e-4), (1e-4, 1e6), (1e-4, 1e-4)])
def test_within_its_range_a_prior_proves_nothing_against_the_answers(shapes):
    report = contrary([0.0] * 30, [1.0, *shapes], error=0.99, answers=40)
    assert report.true and not report.proven and not report.result["claims"]
    assert all(link.evidence <= 1 for link in report.links)


@pytest.mark.usefixtures("terms_unread")
@pytest.mark.parametrize("weights", [[1.0, 1e-8], [0.0, 0.0], [0.5, 0.5 - 1e-8], [-0.5, 1.5], [1e308, 1e308]])
def test_a_prior_is_a_probability(weights):
    assert names_failed(contrary([*weights, *[0.0] * 28], [0.0, 1.0, 1.0])) == {"attempts"}


def test_the_order_shown_has_the_best_item_first():
    forged = honest("certified, best, better-than-chance")
    forged["estimates"]["order"].reverse()
    assert names_failed(verify(forged)) == {"result"}


def test_a_set_as_large_as_all_items_is_no_question():
    report = redrawn(
        "certified, top-2, better-than-chance",
        lambda forged: forged["events"][0]["data"]["options"].update(objective="top-4"),
    )
    assert "options" in names_failed(report)


def test_a_restored_log_says_how_much_of_it_was_read():
    report = redrawn("study", appended("restored", {"events": 1, "head": "0" * 64}))
    assert names_failed(report) == {"events"}


@pytest.mark.parametrize("name", ["study", "study of sittings"])
def test_nothing_ends_in_a_study_without_a_deadline_on_record(name):
    """Whoever strikes the deadline out could leave out any answer they do not like."""

    def without_it(forged):
        question = of_kind(forged, "asked")[5]["data"]
        question["deadline"] = None
        answer = next(event for event in of_kind(forged, "told") if event["data"]["q"] == question["q"])
        answer["kind"], answer["data"] = "expired", {"q": question["q"]}

    assert "deadlines" in names_failed(redrawn(name, without_it))


def test_a_sitting_without_a_deadline_does_not_lapse():
    def lapses(forged):
        for event in of_kind(forged, "asked"):
            event["data"].pop("sitting_deadline", None)
        insert(forged, len(forged["events"]), "lapsed", {"sitting": 3}, forged["events"][-1]["at"])

    assert "deadlines" in names_failed(redrawn("study of sittings", lapses))


def test_a_place_that_counts_cannot_be_called_one_beyond():
    """It would stay open after its sitting lapsed, to be answered once the others are known."""

    def beyond(forged):
        places = [event["data"]["terms"] for event in of_kind(forged, "asked")]
        next(terms for terms in places if terms["place"] == 1)["beyond"] = True

    assert names_failed(redrawn("study of sittings, going on", beyond)) == {"plans"}


@pytest.mark.parametrize("ranker", ["x. With probability at least 99 % a is best", "", "a\nb", "x" * 100])
def test_the_name_of_a_ranker_is_no_sentence(ranker):
    with pytest.raises(BadSnapshot, match="ranker"):
        redrawn("study", lambda forged: forged["events"][0]["data"].update(ranker=ranker))


def test_more_cases_than_can_be_are_refused_at_once():
    def many(forged):
        forged["events"][0]["data"]["options"]["cases"] = 10**17

    assert names_failed(redrawn("jury, best", many)) == {"options"}


@pytest.mark.usefixtures("terms_unread")
@pytest.mark.parametrize("call", [-1, True, "0", None])
def test_a_side_that_there_is_not(call):
    def other_side(forged):
        of_kind(forged, "asked")[0]["data"]["terms"]["call"] = call

    assert names_failed(redrawn("jury, both sides", other_side)) == {"draws"}


def test_imported_votes_stay_post_hoc_when_the_first_event_no_longer_says_so():
    rows = "".join(f"p{k},x,y,x\n" for k in range(40))
    votes = read_votes(f"judge,left,right,winner\n{rows}".encode()).checked()
    document = import_votes(votes, name="bought", storage=MemoryStorage()).certificate()
    assert not verify(document).proven
    forged = copy.deepcopy(document)
    del forged["events"][0]["data"]["edits"]
    report = verify(drawn_up(reforge(forged)["events"], order=forged["estimates"]["order"]))
    assert not report.proven and "asked by another program" in report.post_hoc[0]


def test_what_judges_were_shown_is_not_changed_silently():
    """The answers to "Which is worse?" certify an order of "Which is better?" otherwise."""
    study = create_study(
        ["a", "b"], name="words", judges=["ann"], ranker="certified", storage=MemoryStorage(),
        settings={"setup": {"question": "Which is worse?", "contents": {"a": "red"}}},
    )  # fmt: skip
    study.edit(setup={"question": "Which one is worse?"})
    assert not verify(study.certificate()).notes
    study.tell(study.ask(), "a")
    study.edit(setup={"question": "Which is better?"})
    assert any("(event 5: question)" in note for note in verify(study.certificate()).notes)


@pytest.mark.parametrize("items", [2, 3, 8, 11])
@pytest.mark.parametrize("size", [1, 4, 10])
def test_the_checker_draws_the_lots_of_field_share_as_the_ranker_does(items, size):
    for seed, number in [(0, 1), (7, 2), (2**59 - 1, 300), (-3, 5)]:
        rng = np.random.default_rng([seed & 0xFFFFFFFFFFFF, 11, number])
        plan = [frozenset(pair) for pair in matching_plan(items, size, rng)]
        assert plan_by_lot(range(items), size, seed=seed, number=number) == plan


def test_pairs_of_field_share_that_were_not_drawn_by_lot_are_found():
    """Whoever lets a favourite meet weak items only proves any score."""

    def another_pair(forged):
        first = of_kind(forged, "asked")[0]["data"]
        plan = first["terms"]["plan"]
        plan[0], plan[1] = plan[1], plan[0]
        first["left"], first["right"] = plan[0]

    assert names_failed(redrawn("panel, field-share", another_pair)) == {"plans"}
    later = redrawn("panel, field-share", lambda forged: forged["events"][0]["data"].update(seed=99))
    assert names_failed(later) == {"plans"}


def test_cases_are_left_out_only_where_an_output_is_missing_and_the_statement_says_so():
    """A system that has no output where it would lose leaves those cases out of every comparison."""
    cases = [f"q{k}" for k in range(12)]
    outputs = {name: {case: f"{name} {case}" for case in cases} for name in "ab"}
    for case in cases[:3]:
        del outputs["a"][case]
    study = create_study(
        outputs, cases=cases, name="gaps", judges=["m"], storage=MemoryStorage(), missing="leave out",
        options={"resolution": 0.1},
    )  # fmt: skip
    while (question := study.ask()) is not None:
        study.tell(question, "a")
    document = json.loads(json.dumps(study.certificate()))
    said = "3 of the 12 comparisons of two systems on one case are left out, as an output is missing."
    assert said in verify(document).statement == study.ranking().statement
    kept = document["events"][0]["data"]["settings"]["cases"]["outputs"]
    kept["a"].update(dict.fromkeys(cases[:3], "something"))
    report = verify(drawn_up(reforge(document)["events"], order=document["estimates"]["order"]))
    assert names_failed(report) == {"draws"} and "is left out, although" in report.failures[0].words


def test_times_that_run_backwards_are_noted():
    """Whoever lets something end at a time that has not come yet must move all later times too."""

    def early(forged):
        of_kind(forged, "items_added")[0]["at"] = "2999-01-01T00:00:00+00:00"

    assert any("says a time that is" in note for note in redrawn("study", early).notes)
    assert not any("says a time" in note for note in verify(honest("study")).notes)


def test_names_in_letters_that_are_drawn_alike_are_noted():
    session = Session(["pay", "p\u0430y"], judges=["ann"], ranker="certified", error=0.1, seed=1)
    assert any("look alike" in note for note in verify(session.certificate()).notes)


def test_that_nobody_chose_a_seed_is_somebodys_word():
    """A log cannot show where its seed came from: a flipped word may not make the promise stronger."""

    def said_to_be(source):
        return lambda forged: forged["events"][0]["data"]["options"].update(seed_from=source)

    chosen, free = (redrawn("jury, best", said_to_be(source)) for source in ("owner", "entropy"))
    assert "a seed that its owner chose" in chosen.statement
    assert "by the word of whoever made the study" in free.statement


@pytest.mark.parametrize(("name", "grade"), [("panel, these judges", 1e-300), ("certified, best, steady", 0.5)])
def test_a_grade_goes_with_a_ranker_that_takes_grades(name, grade):
    def graded(forged):
        of_kind(forged, "told")[0]["data"]["grade"] = grade

    assert names_failed(redrawn(name, graded)) == {"answers"}


def test_a_grade_goes_with_its_answer():
    def turned(forged):
        answer = next(row["data"] for row in of_kind(forged, "told") if row["data"]["answer"] == "left")
        answer["grade"] = -0.5

    assert "answers" in names_failed(redrawn("jury, best", turned))


@pytest.mark.parametrize("name", ["certified, believed", "jury, best"])
def test_true_is_not_the_number_one(name):
    def yes(forged):
        options = forged["events"][0]["data"]["options"]
        options["objective"], options["k"] = "best", True

    assert "options" in names_failed(redrawn(name, yes))


def test_an_option_of_another_ranker_is_not_known():
    def told_who_is_best(forged):
        forged["events"][0]["data"]["options"]["best"] = "j1"

    assert "options" in names_failed(redrawn("ada-iir", told_who_is_best))
