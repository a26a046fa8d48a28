"""Snapshots are only a cache; a refold gives the same state and the same next question."""

from __future__ import annotations

import json
import random

import pytest

from juryrank.rankers.registry import ranker_names
from juryrank.storage import MemoryStorage
from juryrank.study import create_study, keeper
from juryrank.study import state as states
from juryrank.study.state import StudyState, load, sealed, unsealed
from tests.study.conftest import again, refolded, state_of


@pytest.fixture
def often(monkeypatch):
    """A snapshot every ten events, so that small studies have some."""
    for module in (keeper, states):
        monkeypatch.setattr(module, "SNAPSHOT_EVENTS", 10)


def play(study, answers, *, seed=1, undo=0.05):
    """Several questions open at once, told in any order, some expired, some undone."""
    rng, out = random.Random(seed), []
    for _ in range(answers):
        while len(out) < 4 and (question := study.ask(lease=1000)) is not None:
            out.append(question)
        if not out:
            return
        question = out.pop(rng.randrange(len(out)))
        study.tell(question, rng.choice([question.left, question.right]))
        if rng.random() < undo:
            study.undo(question.judge, by="judge")
            study.tell(question, rng.choice([question.left, question.right]))


def make(ranker="iir", **more):
    judges = [f"judge {k}" for k in range(5)]
    return create_study(
        "abcdefgh", name="s", judges=judges, ranker=ranker, storage=MemoryStorage(), seed=7, **more
    )


@pytest.mark.parametrize("ranker", ranker_names())
def test_a_refold_asks_the_very_next_question_it_would_have_asked(ranker, often):
    study = make(ranker, options={"best": "judge 0"} if ranker == "oracle" else {})
    play(study, 60)
    assert study.log.seq > 60 or study.done or ranker == "panel"
    whole = StudyState()
    whole.absorb(study.events())
    from_log = whole.settle().ranker
    from_snapshot = load(study.storage, study.id)
    expected = study.ask()
    assert from_log.ask() == expected
    assert from_snapshot.settle().ranker.ask() == expected
    assert state_of(study) == refolded(study) == state_of(again(study))


def test_snapshots_are_made_used_and_few(often, monkeypatch):
    study = make()
    play(study, 80, undo=0)
    kept = study.storage.snapshots(study.id)
    assert 1 <= len(kept) <= states.KEPT_SNAPSHOTS
    read = []
    real = study.storage.events
    monkeypatch.setattr(study.storage, "events", lambda s, *, after=0: read.append(after) or real(s, after=after))
    again(study).progress()
    assert min(read) >= kept[0] - 1, "the whole log was read in spite of a snapshot"


def test_a_damaged_snapshot_is_never_believed_and_said_once(caplog):
    """Of another version, cut off, or with one figure changed: folded anew, with one line and no traceback."""
    study = make()
    play(study, 40)
    storage, seq, expected = study.storage, study.log.seq, study.ranking()
    states.save(storage, study.id, load(storage, study.id))
    whole = storage.snapshot(study.id, seq)
    other = sealed(unsealed(whole).replace(f'"schema":{states.STATE_SCHEMA}', '"schema":1', 1))
    changed = whole.replace('"attempts":2', '"attempts":3', 1)
    assert whole not in (other, changed)
    for text in (other, changed, whole[:-40], whole[: len(whole) // 2], "", "null", "[]", "\x00", whole[5:]):
        storage.save_snapshot(study.id, seq, text)
        caplog.clear()
        assert again(study).ranking() == expected
        (said,) = (record.getMessage() for record in caplog.records if record.name == "juryrank")
        assert "snapshot" in said and "\n" not in said
        assert seq not in storage.snapshots(study.id)


@pytest.mark.parametrize("damage", ["", "{}", "not json", '{"schema": 99}', "half"])
def test_a_damaged_or_deleted_snapshot_does_no_harm(often, damage):
    study = make()
    play(study, 40)
    before = state_of(study)
    for seq in study.storage.snapshots(study.id):
        if damage == "half":
            text = study.storage.snapshot(study.id, seq)
            study.storage.save_snapshot(study.id, seq, text[: len(text) // 2])
        elif damage:
            study.storage.save_snapshot(study.id, seq, damage)
        else:
            study.storage.drop_snapshots(study.id, [seq])
    assert state_of(again(study)) == before


def test_a_snapshot_of_another_past_is_not_used(often):
    study = make()
    play(study, 40)
    before = state_of(study)
    seq = study.storage.snapshots(study.id)[0]
    body = json.loads(unsealed(study.storage.snapshot(study.id, seq)))
    body["hash"] = "f" * 64
    study.storage.save_snapshot(study.id, seq, sealed(json.dumps(body)))
    assert state_of(again(study)) == before


def test_an_undo_behind_the_newest_snapshot(often):
    study = make()
    question = study.ask("judge 0")
    study.tell(question, question.left)
    others = [f"judge {k}" for k in range(1, 5)]
    for k in range(30):
        other = study.ask(others[k % 4])
        study.tell(other, other.left)
    assert study.storage.snapshots(study.id)[0] > 3
    study.undo("judge 0", by="judge")
    study.tell(question, question.right)
    assert state_of(study) == refolded(study) == state_of(again(study))
    assert study.ranking().post_hoc == ()


def test_another_process_sees_an_undo(often):
    study = make()
    other = again(study)
    play(study, 20, undo=0)
    other.progress()
    question = study.ask("judge 1")
    study.tell(question, question.left)
    other.progress()
    study.undo("judge 1", by="judge")
    assert state_of(other) == refolded(study)
    other.tell(question, question.right)
    assert state_of(other) == state_of(study) == refolded(study)
