"""A raw log restored: the same study, event for event; a broken one is refused."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from juryrank.errors import BadInput, BadVotes, StudyExists
from juryrank.log import GENESIS, chained
from juryrank.storage import MemoryStorage, Person
from juryrank.study import create_study, list_studies, restore_study
from juryrank.study.state import unsealed
from juryrank.votes import export_votes
from juryrank.votes.logs import read_log
from tests.study.conftest import answer, refolded, state_of


def exported(study):
    return export_votes(study.events(), format="jsonl")


@pytest.fixture
def lively():
    """A study with everything in its log: people, an undo, an expired and an open question, a judge gone."""
    study = create_study(
        ["a", "b", "c", "d", "e", "é 名 🍷"], name="letters", judges=["ann", Person("Bob", "bob@example.org")],
        ranker="certified", storage=MemoryStorage(), seed=1,
    )  # fmt: skip
    study.ask("ann", lease=0.001)
    time.sleep(0.01)
    assert study.log.expire_due() == 1
    answer(study, 6)
    question = study.ask("ann", lease=1000)
    study.tell(question, side="left", comment='so "clear",\nreally', response_time=0.1 + 0.2)
    study.undo("ann", by="judge")
    study.add_judge("cid")
    study.judge("cid").remove()
    study.edit(wording="Which?")
    for k in range(8):
        study.judge("ann").put_aside(
            purpose="gold", left=f"g{k}", right="h", answer="right", better="left", cost=0.5
        )
    study.judge("small").put_aside(purpose="beside", left="a", right="b", answer="tie")
    study.judge("small").note_probe({"fresh": False}, model="openai:m")
    study.ask(lease=1000)
    return study


def without_place(text):
    """A state but for where its log ends."""
    return {key: value for key, value in json.loads(unsealed(text)).items() if key not in ("seq", "hash")}


def test_the_same_study_in_any_storage(lively, storage):
    restored = restore_study(read_log(exported(lively)), name="again", storage=storage)
    *events, last = restored.events()
    assert events == list(lively.events())
    assert (last.kind, last.data) == ("restored", {"events": len(events), "head": events[-1].hash})
    assert restored.created_at == lively.created_at
    assert state_of(restored) == refolded(restored)
    assert without_place(state_of(restored)) == without_place(state_of(lively))
    assert exported(restored).startswith(exported(lively))
    assert restored.ask() == lively.ask()  # and it goes on as the first would


def test_a_promise_survives(storage):
    study = create_study(
        "abc", name="s", judges=["ann"], ranker="certified", storage=MemoryStorage(), seed=1, fresh=True
    )
    while (question := study.ask()) is not None:
        study.tell(question, min(question.left, question.right))
    restored = restore_study(study.events(), name="s", storage=storage)
    assert restored.ranking() == study.ranking() and restored.ranking().certified
    ours, theirs = (one.certificate()["result"] for one in (restored, study))
    assert ours.pop("counts")["events"] == theirs.pop("counts")["events"] + 1
    assert ours == theirs


def test_nobodys_name_comes_back(lively):
    lively.judge(next(iter(lively.people()))).erase()
    restored = restore_study(read_log(exported(lively)), name="again", storage=MemoryStorage())
    assert restored.people() == {} and b"Bob" not in exported(lively)


def test_a_study_of_that_name_is_left_alone(study):
    before = state_of(study)
    with pytest.raises(StudyExists, match="'letters' already"):
        restore_study(study.events(), name="letters", storage=study.storage)
    assert [row.name for row in list_studies(storage=study.storage)] == ["letters"]
    assert state_of(study) == before


def flipped(lines):
    told = next(k for k, line in enumerate(lines) if b'"told"' in line and b'"left"' in line)
    return [*lines[:told], lines[told].replace(b'"left"', b'"right"'), *lines[told + 1 :]]


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (flipped, r"\(told\) does not match its hash"),
        (lambda lines: lines[:4] + lines[5:], "after 4 comes 6"),
        (
            lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
            "event 4 is missing",
        ),
        (lambda lines: lines[1:], "line 1: a log starts with `created`"),
        (lambda lines: [*lines[:-1], lines[-1][:30]], "is the file cut off"),
        (lambda lines: [*lines[:2], b"{}", *lines[2:]], "line 3: this event of the log has no usable 'seq'"),
    ],
)
def test_a_broken_log_is_refused_and_nothing_is_written(lively, broken, words):
    storage = MemoryStorage()
    with pytest.raises((BadVotes, BadInput), match=words):
        restore_study(read_log(b"\n".join(broken(exported(lively).splitlines()))), name="x", storage=storage)
    assert list_studies(storage=storage) == []


def forged(study, change):
    """Hashes made anew over events that no program wrote."""
    log, made = list(study.events()), []
    for event in log:
        data = json.loads(json.dumps(event.data))
        change(event, data)
        previous = made[-1].hash if made else GENESIS
        made.append(chained(previous, event.seq, event.kind, data, event.at))
    return made


def test_a_whole_chain_of_nonsense_is_refused(study):
    answer(study, 3)
    storage = MemoryStorage()
    for change in (
        lambda event, data: data.pop("answer", None),
        lambda event, data: data.update(judge="nobody") if event.kind == "asked" else None,
        lambda event, data: data.update(q=77) if event.kind == "told" else None,
        lambda event, data: data.update(schema=99) if event.kind == "created" else None,
    ):
        with pytest.raises((BadVotes, BadInput)):
            restore_study(forged(study, change), name="x", storage=storage)
    with pytest.raises(BadVotes, match="empty"):
        restore_study([], name="x", storage=storage)
    first = replace(next(study.events()), hash="0" * 64)
    with pytest.raises(BadVotes, match="does not match its hash"):
        restore_study([first], name="x", storage=storage)
    assert list_studies(storage=storage) == []


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "\ud800"])
def test_a_name_must_be_usable(study, name):
    with pytest.raises(BadInput):
        restore_study(study.events(), name=name, storage=MemoryStorage())
