"""Signed heads and receipts: what is signed, by a key that only its owner can read; which receipts are found."""

from __future__ import annotations

import copy
import sqlite3
import stat

import pytest

from juryrank.errors import BadInput, BadSnapshot, LogAltered, UnknownName
from juryrank.log import chained
from juryrank.log.receipts import checked_key, is_signed, read_code, receipt_code
from juryrank.storage import MemoryStorage, open_storage
from juryrank.study import create_study, delete_study, keeper, open_study, restore_study
from juryrank.study.catalogue import change_key
from juryrank.study.signing import key_file, signing_key
from juryrank.verify import verify
from tests.study.conftest import answer


@pytest.fixture(autouse=True)
def no_key_of_this_machine(monkeypatch):
    monkeypatch.delenv("JURYRANK_KEY", raising=False)


@pytest.fixture
def letters(place):
    study = create_study("abcd", name="letters", judges=["ann", "bob"], ranker="iir", storage=place, seed=1)
    answer(study, 6)
    return study


def failed(report):
    return {check.name for check in report.checks if not check.ok}


# ---------------------------------------------------------------------- heads
def test_a_head_is_signed_with_the_time_by_one_key_for_all_processes(letters, place):
    first, second = letters.log.head(), open_study("letters", storage=place).log.head()
    assert first.key == second.key and first.head == second.head == list(letters.events())[-1].hash
    assert is_signed(first.for_certificate()) and first.seq == 13


def test_the_key_is_for_its_owner_only(letters):
    letters.log.head()
    file = key_file(letters.storage)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.glob("*key*")] == [file.name]  # nothing else is left about
    file.chmod(0o644)
    with pytest.raises(BadInput, match="can be read by others"):
        letters.log.head()


def test_the_place_of_the_key_is_a_setting(letters, tmp_path, monkeypatch):
    monkeypatch.setenv("JURYRANK_KEY", str(tmp_path / "elsewhere.key"))
    assert letters.log.head().key and (tmp_path / "elsewhere.key").exists()
    memory = create_study("ab", name="m", judges=["ann"], ranker="iir", storage=MemoryStorage())
    assert memory.log.head().key == letters.log.head().key


def test_without_a_place_for_a_key_nothing_is_signed():
    memory = create_study("ab", name="m", judges=["ann"], ranker="iir", storage=MemoryStorage())
    assert memory.log.head().signature == "" and "signature" not in memory.certificate()
    with pytest.raises(BadInput, match="JURYRANK_KEY"):
        change_key(memory.storage)


@pytest.mark.parametrize(
    "text", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_broken_key_file_is_said(letters, text):
    file = key_file(letters.storage)
    file.write_bytes(text)
    file.chmod(0o600)
    with pytest.raises(BadInput, match="not a signing key"):
        letters.certificate()


def test_heads_stated_before_are_kept_and_held_against_the_log(letters, place):
    assert letters.log.past_heads() == []
    letters.log.head()  # looking keeps nothing
    assert letters.log.past_heads() == []
    first = letters.log.head(keep=True)
    letters.log.head(keep=True)  # the same place: the first time stays
    answer(letters, 1)
    letters.certificate()
    past = open_study("letters", storage=place).log.past_heads()
    assert [(one.head.seq, one.held) for one in past] == [(13, True), (15, True)] and past[0].head == first
    assert all(is_signed(one.head.for_certificate()) for one in past)
    assert [one.head.seq for one in letters.log.past_heads(latest=1)] == [15]


def test_another_past_under_heads_that_were_stated_is_seen(letters, place):
    letters.log.head(keep=True)
    with sqlite3.connect(place.removeprefix("sqlite:///")) as database:  # the last two events never were
        database.execute("DELETE FROM juryrank_events WHERE seq > 11")
    database.close()
    forged = open_study("letters", storage=place)
    assert [one.held for one in forged.log.past_heads()] == [False]
    answer(forged, 1)
    forged.log.head(keep=True)  # the same place with another hash: both stay
    assert [(one.head.seq, one.held) for one in forged.log.past_heads()] == [(13, False), (13, True)]


def test_a_growing_log_leaves_heads_behind(letters, monkeypatch):
    answer(letters, 1)
    assert letters.log.past_heads() == []  # ten minutes have not passed
    monkeypatch.setattr(keeper, "HEAD_SECONDS", 0.0)
    answer(letters, 2)
    assert [one.head.seq for one in letters.log.past_heads()] == [16, 17, 18, 19]
    letters.progress()
    assert len(letters.log.past_heads()) == 4  # nothing was written


def test_a_head_that_cannot_be_kept_stops_no_answer(letters, monkeypatch):
    monkeypatch.setattr(keeper, "HEAD_SECONDS", 0.0)
    letters.log.head()
    key_file(letters.storage).chmod(0o644)  # such a key signs nothing
    answer(letters, 2)
    assert letters.log.past_heads() == [] and letters.progress().answers == 8


# ---------------------------------------------------------------------- in certificates
def test_a_certificate_carries_its_signature_and_a_key_can_be_expected(letters):
    document = letters.certificate()
    assert set(document["signature"]) == {"key", "time", "head", "made", "deleted", "signature"}
    assert verify(document).true and verify(document, key=document["signature"]["key"]).true
    assert failed(verify(document, key="0" * 64)) == {"signature"}
    unsigned = {name: value for name, value in document.items() if name != "signature"}
    assert verify(unsigned).true and failed(verify(unsigned, key=document["signature"]["key"])) == {"signature"}


@pytest.mark.parametrize("name", ["time", "signature", "key", "head"])
def test_a_changed_signature_is_caught(letters, name):
    document = copy.deepcopy(letters.certificate())
    value = document["signature"][name]
    document["signature"][name] = value.replace("2026", "2025") if name == "time" else value[::-1]
    assert failed(verify(document)) == {"signature"}


@pytest.mark.parametrize(
    "signature",
    [None, "yes", {}, {"key": "x", "time": "x", "head": "x", "signature": "x"}, {"key": 1, "time": 2, "head": 3}],
)
def test_what_is_no_signature_is_no_certificate(letters, signature):
    with pytest.raises(BadSnapshot, match="signature"):
        verify({**letters.certificate(), "signature": signature})


def test_a_new_key_is_an_event_signed_by_the_old_one(letters, place):
    old = letters.log.head().key
    before, after, studies = change_key(place)
    assert (before, studies) == (old, 1) and letters.log.head().key == after != old
    event = list(letters.events())[-1]
    assert (event.kind, event.data["old"], event.data["new"]) == ("key_changed", old, after)
    document = letters.certificate()
    assert verify(document, key=old).true and verify(document, key=after).true
    kept = key_file(letters.storage).with_name(f"studies.db.key.{old[:8]}")
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_successor_that_the_old_key_did_not_sign_is_not_believed(letters, place):
    old = letters.log.head().key
    file = key_file(letters.storage)
    file.unlink()
    new = signing_key(letters.storage).public
    with letters.storage.turn(letters.id, after=letters._keeper.caught_up().head) as turn:
        turn.append("key_changed", {"old": old, "new": new, "signature": "00" * 64})
    document = open_study("letters", storage=place).certificate()
    assert verify(document, key=new).true and failed(verify(document, key=old)) == {"signature"}


# ---------------------------------------------------------------------- receipts
def test_a_receipt_is_found_later_and_shows_nobodys_answers(letters, place):
    receipt = letters.judge("ann").receipt()
    assert receipt.answers == sum(
        row.left + row.right for row in letters.progress().judges if row.report.name == "ann"
    )
    answer(letters, 2)
    found = open_study("letters", storage=place).log.find_receipt(receipt.code.lower())
    assert (found.held, found.seq, found.events) == (True, 13, 17)
    assert verify(letters.certificate(), receipt=receipt.code).true
    text = receipt.text()
    assert receipt.code in text and receipt.head.signature[:64] in text and max(map(len, text.splitlines())) <= 80


def test_an_owner_who_drops_or_changes_an_answer_is_found_out(letters, tmp_path):
    receipt = letters.judge("ann").receipt()
    log, made = list(letters.events()), []
    for event in log:  # the whole chain made anew, with one answer turned into a tie
        data = {**event.data, "answer": "tie"} if event.seq == 5 else event.data
        made.append(chained(made[-1].hash if made else "0" * 64, event.seq, event.kind, data, event.at))
    forged = restore_study(made, name="forged", storage=open_storage(f"sqlite:///{tmp_path}/forged.db"))
    assert not forged.log.find_receipt(receipt.code).held
    document = forged.certificate()
    assert verify(document).true and failed(verify(document, receipt=receipt.code)) == {"receipt"}
    cut = restore_study(log[:-2], name="cut", storage=MemoryStorage())
    assert not cut.log.find_receipt(receipt.code).held


def test_an_answer_changed_in_the_database_does_not_pass_by_its_old_hash(letters, place):
    receipt = letters.judge("ann").receipt()
    with sqlite3.connect(place.removeprefix("sqlite:///")) as database:
        database.execute('UPDATE juryrank_events SET data = \'{"q":1,"answer":"tie"}\' WHERE seq = 3')
    database.close()
    with pytest.raises(LogAltered, match="event 3"):
        letters.log.find_receipt(receipt.code)


def test_a_receipt_from_the_future_or_of_nobody(letters):
    assert "only 13 events" in letters.log.find_receipt(receipt_code(99, "ab" * 32)).words
    with pytest.raises(UnknownName):
        letters.judge("eve").receipt()


@pytest.mark.parametrize(
    "code", ["", "17", "17-VOV2", "0-VOV2-XK5L-VOV2-XK5L", "17-VOV2-XK5L-VOV2-XK51", "x" * 10_000]
)
def test_what_is_no_receipt_is_said(code):
    with pytest.raises(BadInput, match="is not a receipt"):
        read_code(code)


def test_codes_are_read_as_people_copy_them():
    place = read_code(receipt_code(17, "ab" * 32))
    assert place == read_code("17 vov2xk5l vov2 xk5l") and place.fits("ab" * 32) and not place.fits("ac" * 32)


# ---------------------------------------------------------------------- history
def test_the_history_names_what_owners_did_and_what_was_an_edit(place):
    letters = create_study("abcd", name="s", judges=["ann", "bob"], ranker="certified", storage=place, seed=1)
    letters.add_judge("cid")
    answer(letters, 1, judge="ann")
    letters.undo("ann", by="judge")
    letters.judge("cid").pause()
    letters.judge("bob").remove(discard_answers=True)
    letters.edit(wording="Which?")
    letters.close()
    acts = letters.log.history()
    assert [act.words.split()[0] for act in acts] == [
        "created", "added", "paused", "removed", "changed", "closed",
    ]  # fmt: skip
    assert [act.words for act in acts if act.edit] == ["removed judge 'bob' and discarded their answers"]
    assert all(act.at for act in acts)


# ---------------------------------------------------------------------- the second round of attacks
NOBODYS_KEY = "01" + "00" * 31  # the neutral point: a signature of zeros fits every text
WEAK_KEYS = [  # the points of small order, in every encoding that a library takes
    *(first + "00" * 30 + last for first in ("00", "01") for last in ("00", "80")),
    *(first + "ff" * 30 + last for first in ("ec", "ed", "ee") for last in ("7f", "ff")),
    *("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc" + last for last in ("05", "85")),
    *("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03" + last for last in ("7a", "fa")),
]


@pytest.mark.parametrize("key", WEAK_KEYS)
def test_a_key_under_which_anybody_can_sign_is_nobodys(letters, key):
    document = letters.certificate()
    forged = {**document["signature"], "key": key, "signature": NOBODYS_KEY + "00" * 32}
    report = verify({**document, "signature": forged})
    assert not report.true and failed(report) == {"signature"}
    with pytest.raises(BadInput, match="nobody's key"):
        checked_key(key)


def test_a_certificate_says_how_many_studies_were_made_and_deleted(letters, place):
    """Whoever runs many, deletes, and shows the best, shows that as well."""
    for k in range(13):
        create_study("ab", name=f"try {k}", judges=["ann"], ranker="iir", storage=place)
    for k in range(3):
        delete_study(f"try {k}", storage=place)
    document = letters.certificate()
    assert (document["signature"]["made"], document["signature"]["deleted"]) == (14, 3)
    assert "This installation had made 14 studies by then, and deleted 3." in verify(document).notes
    assert "made 14 studies by then, and deleted 3." in letters.judge("ann").receipt().text()
    for field, lie in (("made", 11), ("deleted", 0)):
        forged = {**document, "signature": {**document["signature"], field: lie}}
        assert failed(verify(forged)) == {"signature"}
    for wrong in ({"made": -1}, {"deleted": 15}, {"made": True}, {"made": "14"}):
        with pytest.raises(BadSnapshot, match="counts the studies"):
            verify({**document, "signature": {**document["signature"], **wrong}})
