"""Asking, telling, undoing: on every storage."""

from __future__ import annotations

import time

import pytest

from juryrank.errors import (
    AnsweredTwice,
    BadAnswer,
    BadInput,
    CannotJoin,
    StudyClosed,
    StudyExists,
    UnknownName,
    UnknownQuestion,
    UnknownStudy,
    WrongJudge,
)
from juryrank.storage import MemoryStorage
from juryrank.storage.values import seconds_of
from juryrank.study import Person, Study, create_study, delete_study, list_studies, open_study
from juryrank.types import SKIP, TIE
from tests.study.conftest import again, answer, refolded, state_of

pytestmark = pytest.mark.xdist_group("postgres")


def test_a_study_is_asked_told_and_opened_again(study):
    answer(study, 20)
    other = again(study)
    assert other.progress() == study.progress()
    assert state_of(study) == state_of(other) == refolded(study)
    assert study.progress().answers == 20
    assert other.ask() == again(study).open_questions()[0]


def test_telling_the_same_again_changes_nothing(study):
    question = study.ask()
    first = study.tell(question, question.left)
    seq = study.log.seq
    assert study.tell(question.id, side="left").repeated and not first.repeated
    with pytest.raises(AnsweredTwice, match="first stands"):
        again(study).tell(question, question.right)
    assert study.log.seq == seq


def test_telling_and_asking_in_one_visit(study):
    question = study.ask("ann")
    receipt, following = study.tell_and_ask(question.id, side="left", judge="ann", response_time=1.5)
    assert not receipt.repeated and following.id > question.id and following.judge == "ann"
    assert state_of(study) == state_of(again(study)) == refolded(study)
    repeated, same = study.tell_and_ask(question.id, side="left", judge="ann")
    assert repeated.repeated and same == following
    seat = study.judge("ann").seat(fresh=True)
    assert seat.answered == 1 and [q.id for q in seat.open] == [following.id] and seat.last.answer == "left"
    with pytest.raises(WrongJudge):
        study.tell_and_ask(following.id, side="left", judge="bob")
    study.close()
    receipt, nothing = study.tell_and_ask(following.id, side="right", judge="ann")
    assert nothing is None and not receipt.late
    assert again(study).judge("ann").seat().answered == 2 and study.judge("ann").seat().closed


def test_wrong_answers_are_refused_and_leave_no_trace(study):
    question = study.ask("ann")
    before = study.log.seq
    with pytest.raises(WrongJudge, match="ann"):
        study.tell(question, question.left, judge="bob")
    for wrong in ("zebra", None, 3, ["a"]):
        with pytest.raises(BadAnswer):
            study.tell(question, wrong)
    with pytest.raises(BadAnswer):
        study.tell(question, side="middle")
    for known in ({"comment": object()}, {"source": 7}, {"comment": "half \ud83c a character"}):
        with pytest.raises(BadInput):
            study.tell(question, question.left, **known)
    for seconds in ("fast", -1, float("nan"), float("inf"), True):
        with pytest.raises(BadInput, match="response time"):
            study.tell(question, question.left, response_time=seconds)
    for unknown in (99, 0, -1, 2**63, -(2**70), 10**5000):
        with pytest.raises(UnknownQuestion):
            study.tell(unknown, "a")
    with pytest.raises(BadInput, match="not a question's number"):
        study.tell("1", "a")
    assert study.log.seq == before
    assert not study.tell(question, question.left, judge="ann").late


def test_ties_skips_and_what_is_known_about_an_answer_are_kept(study):
    study.tell(study.ask("ann"), TIE, response_time=1.5, source="web", comment="hard 🍷\n'quoted'")
    study.tell(study.ask("ann"), SKIP)
    told = [event.data for event in study.events() if event.kind == "told"]
    assert [data["answer"] for data in told] == ["tie", "skip"]
    assert told[0]["response_time"] == 1.5 and told[0]["comment"].startswith("hard 🍷\n")
    row = study.progress().judges[0]
    assert (row.ties, row.skips, row.left, row.right) == (1, 1, 0, 0)
    assert SKIP is not TIE


def test_unknown_judges_are_named(study):
    for call in (
        study.ask,
        study.undo,
        lambda name: study.judge(name).pause(),
        lambda name: study.judge(name).seat(),
    ):
        with pytest.raises(UnknownName, match="'eve'"):
            call("eve")


def test_an_open_question_can_be_fetched_again(study):
    question = study.ask("ann")
    assert study.ask("ann", again=True) == question
    assert again(study).ask("ann", again=True) == question
    assert study.ask("bob", again=True) != question
    assert study.open_questions("ann") == [question]


def test_an_expired_question_goes_to_somebody_else_and_its_answer_is_late(study):
    question = study.ask("ann", lease=0.05)
    time.sleep(0.1)
    receipt = again(study).tell(question, question.left, judge="ann")
    assert receipt.late and "kept" in receipt.notice
    assert study.tell(question, question.left).late  # again: the same
    assert [event.kind for event in study.events(after=2)] == ["expired", "told"]
    assert study.progress().late == 1 and study.progress().answers == 0
    assert state_of(study) == refolded(study)


def test_asking_closes_what_is_overdue_and_never_earlier(study):
    short, long = study.ask("ann", lease=0.05), study.ask("bob", lease=100)
    forever = study.ask("ann", lease=None)
    time.sleep(0.1)
    assert study.ask("bob") is not None
    expired = [event for event in study.events() if event.kind == "expired"]
    asked = next(event for event in study.events() if event.kind == "asked")
    assert [event.data["q"] for event in expired] == [short.id]
    assert seconds_of(expired[0].at) >= seconds_of(asked.data["deadline"])
    assert {long.id, forever.id} < {question.id for question in study.open_questions()}
    assert study.log.expire_due() == 0


def test_a_lease_must_be_a_time(study):
    for wrong in (0, -1, float("nan"), float("inf"), "5", True):
        with pytest.raises(BadInput, match="lease"):
            study.ask(lease=wrong)


def test_undo_opens_the_question_again_on_its_old_terms(study):
    answer(study, 3)
    question = study.ask("ann")
    study.tell(question, question.left)
    before = study.ranking()
    back = study.undo("ann", by="judge")
    assert back.id == question.id
    assert study.open_questions("ann") == [question]
    study.tell(question, question.right)
    assert study.ranking().post_hoc == () and before.post_hoc == ()
    assert state_of(study) == refolded(study) == state_of(again(study))
    told = [
        event.data["answer"] for event in study.events() if event.kind == "told" and event.data["q"] == question.id
    ]
    assert told == ["left", "right"]


def test_undo_is_for_the_last_answer_only(study):
    with pytest.raises(BadInput, match="no answer"):
        study.undo("ann", by="judge")
    answer(study, 2, judge="ann")
    study.undo("ann", by="judge")
    with pytest.raises(BadInput, match="no answer"):
        study.undo("ann", by="judge")


def test_undo_after_the_deadline_is_a_choice_after_the_fact():
    storage, now = MemoryStorage(), [1e9]
    storage.now = lambda: now[0]
    study = create_study("abc", name="s", judges=["ann"], ranker="iir", storage=storage)
    question = study.ask("ann", lease=10)
    study.tell(question, question.left)
    now[0] += 11
    with pytest.raises(BadInput, match="deadline"):
        study.undo("ann", by="judge")
    study.undo("ann", post_hoc=True)
    assert study.ranking().post_hoc and not study.ranking().certified
    with pytest.raises(AnsweredTwice, match="for good"):
        study.tell(question, question.right)
    assert state_of(study) == refolded(study)


def test_taking_back_any_answer_marks_the_result(study):
    first = answer(study, 5)[0]
    study.undo(question=first.id, post_hoc=True)
    with pytest.raises(BadInput):
        study.undo(question=first.id, post_hoc=True)
    assert "taken back" in study.ranking().post_hoc[0]
    assert state_of(study) == refolded(study) == state_of(again(study))
    answer(study, 3)
    assert state_of(study) == refolded(study)


def test_removing_a_judge_keeps_answers_unless_they_are_discarded(study):
    answer(study, 6)
    study.judge("ann").remove()
    assert study.ask("ann") is None and "no longer" in study.status("ann").reason
    assert study.ranking().post_hoc == ()
    study.judge("bob").remove(discard_answers=True)
    assert "discarded" in study.ranking().post_hoc[0]
    assert not study.ranking().certified
    assert state_of(study) == refolded(study) == state_of(again(study))


def test_a_paused_judge_is_not_asked(study):
    study.judge("ann").pause()
    assert study.ask("ann") is None
    assert {study.ask().judge for _ in range(3)} == {"bob"}
    study.judge("ann").resume()
    assert study.ask("ann").judge == "ann"


def test_a_closed_study_asks_nothing_but_takes_what_is_out(study):
    question = study.ask()
    study.close()
    study.close()
    with pytest.raises(StudyClosed, match="reopen"):
        study.ask()
    assert study.progress().state == "closed"
    assert not study.tell(question, question.left).late
    study.close(reopen=True)
    assert study.ask() is not None
    assert [event.kind for event in study.events()].count("closed") == 1


def test_rankers_that_cannot_grow_say_so_and_nothing_changes(study):
    with pytest.raises(CannotJoin):
        study.add_items(["f"])
    with pytest.raises(CannotJoin):
        study.add_judge("eve", person=True)
    with pytest.raises(BadInput):
        study.add_items([])
    assert study.items == list("abcde") and study.judges == ["ann", "bob"]
    assert study.people() == {} and study.log.seq == 1
    answer(study, 2)


def test_people_stand_in_the_log_under_a_pseudonym(storage):
    people = [Person("Ann Example", "ann@example.org"), Person("Bob")]
    study = create_study("abc", name="wines", judges=people, ranker="iir", storage=storage)
    ann, _ = study.judges
    assert study.people()[ann] == people[0]
    answer(study, 3)
    assert "Example" not in str(list(study.events())) and "example.org" not in str(list(study.events()))
    before = [event.hash for event in study.events()]
    assert study.judge(ann).erase() and not study.judge(ann).erase()
    assert ann not in study.people()
    assert [event.hash for event in study.events()] == before
    study.judge(ann).set_person("A.")
    with pytest.raises(UnknownName):
        study.judge("nobody").set_person("N.")


def test_a_person_who_cannot_be_kept_does_not_join(storage):
    study = create_study("abc", name="s", ranker="panel", storage=storage)
    for wrong in ({"name": ""}, {"name": "Ann", "address": 7}, {"name": "Ann", "address": "half \ud83c"}):
        with pytest.raises(BadInput):
            study.add_judge(**wrong, person=True)
        with pytest.raises(BadInput):
            create_study("abc", name="other", judges=[Person(**wrong)], storage=storage)
    assert study.log.seq == 1 and study.people() == {} and len(list_studies(storage=storage)) == 1


def test_settings_can_be_edited(study):
    study.edit(wording="Which is better?", content={"a": {"title": "A"}})
    study.edit(wording="Which is nicer?")
    assert again(study).settings == {"wording": "Which is nicer?", "content": {"a": {"title": "A"}}}
    with pytest.raises(BadInput):
        study.edit(wording=object())


def test_studies_are_created_listed_and_deleted(storage):
    made = create_study("ab", name="one", judges=["ann"], ranker="iir", storage=storage)
    with pytest.raises(StudyExists):
        create_study("abc", name="one", judges=["ann"], ranker="iir", storage=storage)
    same = create_study("abc", name="one", judges=["ann"], ranker="iir", storage=storage, load_if_exists=True)
    assert (same.id, same.items) == (made.id, ["a", "b"])
    create_study("ab", name="two", judges=["ann"], ranker="iir", storage=storage)
    delete_study("one", storage=storage)
    assert [row.name for row in list_studies(storage=storage)] == ["two"]
    with pytest.raises(UnknownStudy):
        open_study("one", storage=storage)
    with pytest.raises(UnknownStudy):
        made.ask()
    with pytest.raises(UnknownStudy):
        made.progress()


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": " \n"},
        {"name": 7},
        {"name": "nul\0"},
        {"name": "half\ud800"},
        {"items": ["a", "a"]},
        {"items": ["a", 1]},
        {"items": ["a", "half\udfff"]},
        {"judges": ["ann", "ann"]},
        {"judges": [None]},
        {"judges": []},
        {"ranker": "nonsense"},
        {"error": 2},
        {"budget": -1},
        {"lease": 0},
        {"settings": {"x": object()}},
        {"prices": {"ann": -1.0}},
        {"options": {"constants": "imaginary"}},
    ],
)
def test_bad_settings_create_nothing(wrong):
    storage = MemoryStorage()
    good = {"items": ["a", "b"], "name": "study", "judges": ["ann"], "ranker": "iir"}
    with pytest.raises(BadInput):
        create_study(**{**good, **wrong}, storage=storage)
    assert storage.studies() == []


def test_watch_gives_events_as_they_come(study):
    seen = [event.kind for event in study.log.watch(after=0, poll=0.01, timeout=0)]
    assert seen == ["created"]
    watcher = again(study).log.watch(poll=0.01, timeout=5)
    study._keeper.settled()
    import threading

    threading.Timer(0.1, lambda: answer(study)).start()
    assert [next(watcher).kind for _ in range(2)] == ["asked", "told"]


def test_another_error_or_ranker_is_post_hoc(study):
    answer(study, 60)
    for ranking in (study.log.refold(error=0.2), study.log.refold(ranker="ada-iir"), study.log.refold()):
        assert not ranking.certified
        assert "chosen after event 121" in ranking.post_hoc[-1]
        assert "promises nothing" in ranking.statement
    assert study.log.refold(error=0.2).error == 0.2
    assert study.log.refold(ranker="ada-iir").ranker == "ada-iir"
    assert study.ranking().post_hoc == ()


def test_an_answer_in_the_usual_case_takes_no_turn(study, monkeypatch):
    question = study.ask()
    turns = []
    real = study.storage.turn
    monkeypatch.setattr(study.storage, "turn", lambda *a, **k: turns.append(1) or real(*a, **k))
    study.tell(question, question.left)
    assert len(turns) == (1 if study.storage.url.startswith("memory") else 0)
    other = study.ask()
    again(study).ask()  # somebody else writes: the next answer must notice
    before = len(turns)
    study.tell(other, other.left)
    assert len(turns) == before + 1
    assert state_of(study) == refolded(study)


def test_an_answer_after_the_deadline_is_late_in_the_quick_case_too(study):
    question = study.ask(lease=0.05)
    study._keeper._clock -= 3600  # our idea of the storage's clock is wrong: the storage decides
    time.sleep(0.1)
    assert study.tell(question, question.left).late


def test_nobody_is_asked_a_pair_twice_unless_answers_are_fresh():
    for fresh, most in ((None, 1), (True, 100)):
        study = create_study(
            "abc",
            name="s",
            judges=["ann", "bob"],
            ranker="certified",
            storage=MemoryStorage(),
            fresh=fresh,
            seed=1,
        )
        for _ in range(20):
            question = study.ask()
            if question is None:
                break
            study.tell(question, min(question.left, question.right))
        asked = [
            (e.data["judge"], *sorted((e.data["left"], e.data["right"])))
            for e in study.events(after=1)
            if e.kind == "asked"
        ]
        assert (max(map(asked.count, asked)) == 1) == (most == 1)


def test_the_choice_of_ranker_has_a_reason():
    people = create_study("abc", name="s", storage=MemoryStorage())
    assert people.created["ranker"] == "panel" and "people" in people.created["reason"]
    models = create_study("abc", name="s", judges=["m"], storage=MemoryStorage(), fresh=True)
    assert models.created["ranker"] == "certified" and "fresh" in models.created["reason"]
    with pytest.raises(BadInput, match="no option 'nonsense'"):
        create_study("abc", name="s", ranker="panel", storage=MemoryStorage(), options={"nonsense": 1})


def test_a_study_has_few_members():
    """What is about one judge is in `study.judge(id)`, what is about the log itself in `study.log`."""
    members = {name for name in dir(Study) if not name.startswith("_")} | {"log"}
    assert len(members) <= 25, sorted(members)
