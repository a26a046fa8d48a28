"""Sittings with one deadline; items and judges that join; any sequence of calls folds to the same state."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from juryrank.errors import JuryrankError, StorageError
from juryrank.storage import MemoryStorage
from juryrank.storage.values import StorageLost, seconds_of
from juryrank.study import create_study, keeper, restore_study
from juryrank.study import state as states
from juryrank.types import SKIP, TIE
from juryrank.verify import verify
from tests.quick import quick
from tests.study.conftest import again, answer, refolded, state_of


def panel(**more):
    return create_study(
        "abcdef", name="panel", ranker="panel", storage=MemoryStorage(), seed=1, options={"sitting": 4}, **more
    )


def test_a_study_for_people_may_start_with_nobody():
    study = create_study("abcdef", name="people", storage=MemoryStorage())
    assert study.created["ranker"] == "panel"
    ann = study.add_judge("Ann", person=True)
    assert study.ask(ann).judge == ann


def test_a_sitting_has_one_deadline_fixed_at_its_first_question():
    study = panel(judges=["ann"], sitting_lease=60.0)
    for _ in range(4):
        question = study.ask("ann", lease=1.0)
        study.tell(question, question.left)
    asked = [event.data for event in study.events() if event.kind == "asked"]
    assert len({data["deadline"] for data in asked}) == 1
    assert [("sitting_deadline" in data) for data in asked] == [True, False, False, False]
    first = next(event for event in study.events() if event.kind == "asked")
    assert seconds_of(asked[0]["deadline"]) == pytest.approx(seconds_of(first.at) + 60, abs=1e-3)


def test_an_unfinished_sitting_lapses_and_what_was_given_in_time_counts():
    study, now = panel(judges=["ann", "bob"], sitting_lease=60.0), [1e9]
    study.storage.now = lambda: now[0]
    question = study.ask("ann")
    study.tell(question, question.left)
    left_open = study.ask("ann")
    other = study.ask("bob")
    study.tell(other, other.left)
    now[0] += 61
    assert study.log.expire_due() == 3  # ann's open question, and both sittings
    kinds = [event.kind for event in study.events()]
    assert kinds.count("lapsed") == 2 and kinds.index("expired") < kinds.index("lapsed")
    assert study.tell(left_open, left_open.left).late
    assert study.log.expire_due() == 0
    assert state_of(study) == refolded(study) == state_of(again(study))


def taken_back_and_left(**more):
    """Ann takes her answer back and goes away: the question is open again, and nobody answers it."""
    study, now = panel(judges=["ann", "bob"], sitting_lease=60.0, **more), [1e9]
    study.storage.now = lambda: now[0]
    for judge in ("ann", "bob"):
        question = study.ask(judge)
        study.tell(question, question.left)
    study.undo("ann", by="judge")
    now[0] += 61
    return study


def test_a_question_that_was_taken_back_expires_once():
    study = taken_back_and_left()
    assert study.log.expire_due() == 3  # her question, and both sittings
    expired = [event for event in study.events() if event.kind == "expired"]
    assert [event.data["q"] for event in expired] == [1]
    report = verify(study.certificate(), rerun=True)
    assert report.true
    assert restore_study(study.events(), name="again", storage=MemoryStorage()).ranking() == study.ranking()


def answered_once_and_left():
    """Ann answers one question and goes away; nothing happens until long after her time is over."""
    study, now = panel(judges=["ann"], sitting_lease=3600.0, sitting_idle=900.0), [1e9]
    study.storage.now = lambda: now[0]
    question = study.ask("ann")
    now[0] += 20
    study.tell(question, question.left)
    left_open = study.ask("ann")
    now[0] += 1000
    return study, left_open.id


def test_what_is_open_expires_before_its_sitting_lapses():
    study, _ = answered_once_and_left()
    assert study.log.expire_due() == 2
    assert [event.kind for event in study.events()][-2:] == ["expired", "lapsed"]
    assert verify(study.certificate(), rerun=True).true


def left_behind(**more):
    """Ann goes away after one answer, then everybody else answers everything and nobody is left to ask."""
    study, now = panel(judges=[], sitting_lease=60.0, **more), [1e9]
    study.storage.now = lambda: now[0]
    study.add_judge("ann")
    question = study.ask("ann")
    study.tell(question, min(question.left, question.right))
    study.ask("ann")
    for k in range(6):
        study.add_judge(f"judge {k}")
        while (question := study.ask(f"judge {k}")) is not None:
            study.tell(question, min(question.left, question.right))
    return study, now


@pytest.mark.parametrize("look", ["ranking", "progress", "certificate"])
def test_results_count_everybody_once_the_time_of_whoever_went_away_is_over(look):
    study, now = left_behind()
    study.close()
    assert study.ranking().details.people == 0  # ann may still come back
    now[0] += 61
    getattr(study, look)()
    assert "lapsed" in [event.kind for event in study.events()]  # whoever looked first, it is in the log
    assert study.ranking().details.people == 7 and study.log.expire_due() == 0
    assert study.certificate()["result"]["ranges"] is not None
    assert state_of(study) == refolded(study) == state_of(again(study))


def test_a_storage_that_can_only_be_read_gives_results_all_the_same(monkeypatch):
    """And is asked to write once, not at every look: a locked file would let each of them wait for a minute."""
    study, now = left_behind()
    now[0] += 61
    tried, loaded, load = [], [], states.load

    def refuse(*args, **named):
        tried.append(args)
        raise StorageError("it is read-only")

    monkeypatch.setattr(states, "load", lambda *args: loaded.append(args) or load(*args))
    with monkeypatch.context() as refusing:
        refusing.setattr(study.storage, "turn", refuse)
        for _ in range(3):
            assert study.ranking().details.people == 0 and study.progress().answers == 25
        assert len(tried) == 1 and len(loaded) <= 1
    study.log._only_read_until = 0.0  # the rest is over, and it can be written again
    assert study.ranking().details.people == 7


def test_looking_takes_no_turn_where_all_was_answered_in_time(monkeypatch):
    """Deadlines of what was answered pass all the time: that is nothing to write, and nobody waits for a lock."""
    study, now = panel(judges=["ann", "bob"], sitting_lease=3600.0, sitting_idle=60.0), [1e9]
    study.storage.now = lambda: now[0]
    for _ in range(3):
        question = study.ask("ann")
        now[0] += 30
        study.tell(question, question.left)  # which moves the end of her sitting
    other = again(study)  # as another worker's
    other.progress()
    turns_taken, turn = [], study.storage.turn
    monkeypatch.setattr(
        study.storage, "turn", lambda *args, **named: turns_taken.append(args) or turn(*args, **named)
    )
    now[0] += 55  # past the deadlines of all questions
    for one in (study, other):
        assert not one.log.has_overdue() and one.progress().answers == 3 and one.ranking().order
    assert not turns_taken
    now[0] += 10
    assert other.log.has_overdue() and study.log.expire_due() == 1 and not other.log.has_overdue()


def test_a_connection_that_breaks_holds_up_the_clock_for_that_look_alone(monkeypatch):
    study, now = left_behind()
    now[0] += 61
    with monkeypatch.context() as broken:
        broken.setattr(study.storage, "turn", lambda *args, **named: (_ for _ in ()).throw(StorageLost("gone")))
        assert study.ranking().details.people == 0
    assert study.ranking().details.people == 7


def test_items_and_judges_join_a_certified_study(tmp_path):
    url = f"sqlite:///{tmp_path}/s.db"
    study = create_study(
        "abc", name="s", judges=["ann"], ranker="certified", error=0.2, storage=url, seed=1, fresh=True
    )
    while not study.done:
        answer(study)
    assert study.ranking().certified
    study.add_items(["d"])
    study.add_judge("bob", price=2.0)
    assert not study.done
    while not study.done:
        answer(study)
    assert study.ranking().order == tuple("abcd") and study.ranking().certified
    assert again(study).judges == ["ann", "bob"]
    assert state_of(study) == refolded(study) == state_of(again(study))
    with pytest.raises(JuryrankError):
        study.add_items(["a"])
    with pytest.raises(JuryrankError):
        study.add_judge("bob")
    assert state_of(study) == refolded(study)


def test_rows_join_with_their_items_or_not_at_all(tmp_path):
    url = f"sqlite:///{tmp_path}/s.db"
    study = create_study(
        "ab", name="s", judges=["ann"], ranker="certified", storage=url, settings={"rows": {"a": {"size": 1}}}
    )
    study.add_items(["c", "d"], rows={"c": {"size": 3}})
    assert study.settings["rows"] == {"a": {"size": 1}, "c": {"size": 3}}
    assert state_of(study) == refolded(study) == state_of(again(study))
    for items, rows in ((["a"], {"a": {"size": 9}}), (["e"], {"e": {1, 2}})):
        with pytest.raises(JuryrankError):
            study.add_items(items, rows=rows)
    assert study.items == list("abcd") and study.settings["rows"] == {"a": {"size": 1}, "c": {"size": 3}}
    assert state_of(study) == refolded(study) == state_of(again(study))


def test_an_answer_discarded_with_its_judge_can_be_retracted_too():
    """It once made the study unreadable."""
    study = create_study("abc", name="s", judges=["ann", "bob"], ranker="panel", storage=MemoryStorage(), seed=3)
    question = study.ask("ann")
    study.tell(question, question.left)
    study.judge("ann").remove(discard_answers=True)
    study.undo(question=question.id, post_hoc=True)
    assert len(study.ranking().post_hoc) == 2
    assert state_of(study) == refolded(study) == state_of(again(study))


CALLS = (
    "ask ask ask tell tell tell again undo retract pause resume remove discard close reopen edit join items "
    "expire other"
)
ACTIONS = st.lists(st.tuples(st.sampled_from(CALLS.split()), st.integers(0, 10)), max_size=60)


@pytest.mark.parametrize("ranker", quick(["certified", "ada-iir", "panel"]))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_any_sequence_of_calls_folds_to_the_same_state(ranker, monkeypatch, actions):
    for module in (keeper, states):
        monkeypatch.setattr(module, "SNAPSHOT_EVENTS", 7)
    judges = ["ann", "bob", "eve"]
    limits = {"sitting_lease": 100.0, "sitting_idle": 25.0} if ranker == "panel" else {}
    study = create_study(
        "abcde", name="s", judges=judges, ranker=ranker, storage=MemoryStorage(), seed=3, **limits
    )
    now = [1e9]
    study.storage.now = lambda: now[0]
    for action, number in actions:
        try:
            _act(study, action, number, judges[number % 3], now)
        except JuryrankError:
            continue  # refused: must have changed nothing
    assert state_of(study) == refolded(study) == state_of(again(study))
    if ranker == "panel":
        now[0] += 200.0  # whoever left a question open is out of time
        assert verify(study.certificate()).true


def _act(study, action, number, judge, now):
    now[0] += 1.0
    out = study.open_questions()
    if action == "ask":
        study.ask(judge if number % 2 else None, lease=5.0 if number % 3 else 50.0)
    elif action == "tell" and out:
        question = out[number % len(out)]
        study.tell(question, (question.left, question.right, TIE, SKIP)[number % 4])
    elif action == "again":
        study.tell(max(number, 1), side="left")
    elif action == "retract":
        study.undo(question=number, post_hoc=True)
    elif action == "expire":
        now[0] += 30.0
        study.log.expire_due()
    elif action == "edit":
        study.edit(wording=str(number))
    elif action == "join":
        study.add_judge(f"judge {number}", person=number % 2 == 0)
    elif action == "items":
        study.add_items([f"item {number}"])
    elif action == "other":
        again(study).ask(judge)
    elif action in ("close", "reopen"):
        study.close(reopen=action == "reopen")
    elif action == "discard":
        study.judge(judge).remove(discard_answers=True)
    elif action == "undo":
        study.undo(judge, by="judge" if number % 4 else "owner", post_hoc=number % 8 == 4)
    elif action == "remove_judge":
        study.judge(judge).remove()
    elif action in ("pause", "resume", "remove"):
        getattr(study.judge(judge), action)()
