"""A log that was altered in the storage is refused by its first bad event, and nothing is certified from it."""

from __future__ import annotations

import json
import sqlite3

import pytest

from juryrank.errors import BadInput, LogAltered
from juryrank.storage import open_storage
from juryrank.study import create_study, open_study
from juryrank.study import state as states
from juryrank.votes import export_votes
from tests.study.conftest import answer


@pytest.fixture
def letters(place):
    study = create_study("abcde", name="letters", judges=["ann", "bob"], ranker="iir", storage=place, seed=1)
    answer(study, 8)
    return study


def altered(place, statement, *values):
    with sqlite3.connect(place.removeprefix("sqlite:///")) as database:
        assert database.execute(statement, values).rowcount == 1
    database.close()


FLIP = """UPDATE juryrank_events SET data = replace(data, '"left"', '"right"') WHERE seq = ?"""


def first_left(study):
    return next(event.seq for event in study.events() if event.kind == "told" and event.data["answer"] == "left")


def test_a_flipped_answer(letters, place):
    seq = first_left(letters)
    altered(place, FLIP, seq)
    with pytest.raises(LogAltered, match=rf"event {seq} \(told\) does not match its hash.*back-up"):
        open_study("letters", storage=place)
    with pytest.raises(LogAltered, match=rf"event {seq} \(told\)"):
        letters.certificate()  # also by a process that had it open before


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM juryrank_events WHERE seq = 5", "event 5 is missing"),
        (
            "UPDATE juryrank_events SET at = '2001-01-01T00:00:00+00:00' WHERE seq = 5",
            r"event 5 \(told\) does not",
        ),
        ("UPDATE juryrank_events SET kind = 'expired' WHERE seq = 5", r"event 5 \(expired\) does not"),
        ("UPDATE juryrank_events SET hash = 'x' WHERE seq = 5", r"event 5 \(told\) does not"),
        ("UPDATE juryrank_events SET data = replace(data, '0.05', '0.5') WHERE seq = 1", r"event 1 \(created\)"),
    ],
)
def test_any_event_changed_or_dropped(letters, place, statement, says):
    altered(place, statement)
    for use in (lambda: open_study("letters", storage=place), letters.certificate):
        with pytest.raises(LogAltered, match=says):
            use()


def test_one_before_the_snapshot_stops_the_opening_too(letters, place):
    states.save(letters.storage, letters.id, states.load(letters.storage, letters.id))
    answer(letters, 2)
    seq = first_left(letters)
    altered(place, FLIP, seq)
    with pytest.raises(LogAltered, match=rf"event {seq} \(told\) does not match its hash"):
        open_study("letters", storage=place)
    unchecked = open_study("letters", storage=place, check=False)
    for use in (unchecked.ask, unchecked.progress, unchecked.log.head, unchecked.certificate):
        with pytest.raises(LogAltered, match=rf"event {seq} \(told\)"):
            use()


@pytest.mark.parametrize("kind", ['told",{"answer":"left', "nothing"])
def test_a_row_whose_parts_are_shifted_is_no_event(letters, place, kind):
    """The text that is hashed would be the same with the border between two columns somewhere else."""
    seq = first_left(letters)
    altered(place, "UPDATE juryrank_events SET kind = ?, data = '\"q\":1}' WHERE seq = ?", kind, seq)
    with pytest.raises(LogAltered, match=f"event {seq} "):
        open_study("letters", storage=place)


def test_text_that_is_written_otherwise_but_says_the_same_is_not_altered(place):
    """As older versions stored it, keys in another order; and letters beyond ASCII, hashed as letters."""
    study = create_study(["é", "b", "語"], name="letters", judges=["ann"], ranker="iir", storage=place, seed=1)
    answer(study, 3)
    with sqlite3.connect(place.removeprefix("sqlite:///")) as database:
        for seq, data in database.execute("SELECT seq, data FROM juryrank_events").fetchall():
            turned = json.dumps(dict(reversed(json.loads(data).items())), indent=1)
            database.execute("UPDATE juryrank_events SET data = ? WHERE seq = ?", (turned, seq))
    database.close()
    assert open_study("letters", storage=place).log.seq == study.log.seq == 7


def test_an_older_copy_of_the_database_is_not_called_altered(letters, place, tmp_path):
    file = tmp_path / "studies.db"
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    older = file.read_bytes()
    answer(letters, 2)
    open_study("letters", storage=letters.storage)
    letters.storage.close()
    file.write_bytes(older)
    for more in ("-wal", "-shm"):
        (tmp_path / f"studies.db{more}").unlink(missing_ok=True)
    answer(open_study("letters", storage=place), 3)  # another past from here on
    letters._keeper._state = None
    assert letters.log.seq == 23


def test_one_after_the_snapshot_stops_the_opening(letters, place):
    states.save(letters.storage, letters.id, states.load(letters.storage, letters.id))
    begun = letters.log.seq
    answer(letters, 4)
    altered(place, "UPDATE juryrank_events SET at = '2001-01-01T00:00:00+00:00' WHERE seq = ?", begun + 1)
    with pytest.raises(LogAltered, match=rf"event {begun + 1} \(asked\)"):
        open_study("letters", storage=place)


def test_a_doctored_snapshot_is_not_what_a_certificate_is_made_from(letters, place):
    honest = letters.certificate()["result"]
    states.save(letters.storage, letters.id, states.load(letters.storage, letters.id))
    altered(place, """UPDATE juryrank_snapshots SET body = replace(body, '"error":0.05', '"error":0.01')""")
    assert open_study("letters", storage=place).certificate()["result"] == honest


def test_what_others_wrote_is_checked_before_it_is_used(letters, place):
    other = open_study("letters", storage=place)
    answer(other, 1)
    altered(place, "UPDATE juryrank_events SET at = '2001-01-01T00:00:00+00:00' WHERE seq = ?", other.log.seq - 1)
    with pytest.raises(LogAltered, match=rf"event {other.log.seq - 1} "):
        letters.ask()


def test_an_event_written_by_hand_with_a_good_hash_is_refused_by_the_rules(letters, place):
    storage = open_storage(place)
    with storage.turn(letters.id, after=states.load(storage, letters.id).head) as turn:
        turn.append("items_added", {"items": ["a"]})
    with pytest.raises(BadInput, match=r"event 18 \(items_added\) is not possible: item 'a' is there already"):
        open_study("letters", storage=place, check=False).certificate()


def test_the_raw_events_can_still_be_exported(letters, place):
    altered(place, FLIP, first_left(letters))
    kept = open_study("letters", storage=place, check=False)
    assert export_votes(kept.events(), format="jsonl").count(b"\n") == 17


# ---------------------------------------------------------------------- undo and its author
def test_an_undo_by_the_owner_is_an_edit_and_needs_to_be_said(study):
    answer(study, 1, judge="ann")
    with pytest.raises(BadInput, match="only the judge"):
        study.undo("ann")
    study.undo("ann", post_hoc=True)
    (edit,) = study.ranking().post_hoc
    assert edit == "answer to question 1 taken back at event 4"
    assert list(study.events())[-1].data["by"] == "owner"


def test_programs_have_no_undo(storage):
    study = create_study(
        "abc", name="s", judges=["model"], ranker="certified", fresh=True, storage=storage, seed=1
    )
    answer(study, 1)
    with pytest.raises(BadInput, match="a program cannot take an answer back"):
        study.undo("model", by="program", post_hoc=True)
    with pytest.raises(BadInput, match="answer anew each time"):
        study.undo("model", by="judge")
    with pytest.raises(BadInput, match="by 'me' is not possible"):
        study.undo("model", by="me")
    study.undo("model", by="judge", post_hoc=True)
    assert study.ranking().post_hoc


def test_progress_counts_undos_and_expiries(study):
    answer(study, 1, judge="ann")
    study.undo("ann", by="judge")
    row = next(row for row in study.progress().judges if row.report.name == "ann")
    assert (row.undone, row.expired, row.left + row.right) == (1, 0, 0)


PATHS = [  # who takes an answer back, how; does the result stay promised?
    ("judge", {"by": "judge"}, True),
    ("judge, for good", {"by": "judge", "post_hoc": True}, True),  # in time and their own: no edit
    ("owner", {"by": "owner", "post_hoc": True}, False),
    ("owner by default", {"post_hoc": True}, False),
]


@pytest.mark.parametrize(("who", "how", "promised"), PATHS, ids=[path[0] for path in PATHS])
def test_every_undo_is_recorded_with_its_author_and_counted(study, who, how, promised):
    answer(study, 1, judge="ann")
    study.undo("ann", **how)
    event = list(study.events())[-1]
    assert event.kind == "retracted" and event.data["by"] == how.get("by", "owner")
    assert event.data["post_hoc"] is not promised
    assert bool(study.ranking().post_hoc) is not promised
    result = study.certificate()["result"]
    row = next(row for row in result["judges"] if row["judge"] == "ann")
    assert (row["undone"], row["taken_back"]) == ((1, 0) if promised else (0, 1))
    assert bool(result["post_hoc"]) is not promised


@pytest.mark.parametrize("source", ["identical outputs", "withdrawn"])
def test_nobody_can_give_an_answer_as_the_studys_own(study, source):
    question = study.ask("ann")
    with pytest.raises(BadInput, match="calls its own answers"):
        study.tell(question, side="skip", source=source)
    assert study.progress().answers == 0
