"""The examination that every storage passes. A subclass in a test file says how to make one:

class TestMine(StorageExamination):
    @pytest.fixture
    def storage(self): return MyStorage(...)          # empty
    def reopened(self, storage): ...                  # the same data through another connection, or None
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from juryrank.errors import JuryrankError, StudyExists, UnknownStudy
from juryrank.log import GENESIS, Event, Head, chained, event_hash
from juryrank.storage.base import Storage
from juryrank.storage.values import WHOLE_STORAGE, LogChanged, Person, Step, StudyCount, StudyRow

CREATED = {"items": ["a", "b"], "judges": ["ann"], "schema": "juryrank-log/1"}
STRANGE_NAMES = ("it's", 'say "hi"', "two\nlines", "x" * 10_000, "名前", "اسم", "नाम", "🍷; DROP TABLE", "%_\\")


class StorageExamination:
    """Mix into a test class that has a `storage` fixture."""

    def reopened(self, storage: Storage) -> Storage | None:
        """The same data as another process would see it; None: this storage cannot."""
        return None

    # ------------------------------------------------------------------ studies
    def test_a_study_is_found_by_its_name(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        assert storage.find("wines") == row
        assert [one.name for one in storage.studies()] == ["wines"]

    def test_two_studies_of_one_name_are_refused(self, storage: Storage) -> None:
        first = storage.create("wines", CREATED)
        with raises(StudyExists):
            storage.create("wines", {**CREATED, "items": ["c"]})
        assert storage.studies() == [first]
        assert len(list(storage.events(first.id))) == 1

    def test_a_study_is_renamed(self, storage: Storage) -> None:
        row, other = storage.create("wines", CREATED), storage.create("teas", CREATED)
        storage.rename(row.id, "red wines")
        assert storage.find("red wines").id == row.id and len(list(storage.events(row.id))) == 1
        storage.rename(row.id, "red wines")  # its own name is not taken
        with raises(StudyExists):
            storage.rename(row.id, "teas")
        with raises(UnknownStudy):
            storage.find("wines")
        with raises(UnknownStudy):
            storage.rename(99, "nothing")
        assert [one.name for one in storage.studies()] == ["red wines", other.name]

    def test_a_study_may_begin_with_a_whole_log(self, storage: Storage) -> None:
        steps: list[Step] = [("asked", {"q": 1}), ("told", {"q": 1, "answer": "left"})]
        row = storage.create("wines", CREATED, then=steps)
        log = list(storage.events(row.id))
        assert [(event.seq, event.kind) for event in log] == [(1, "created"), (2, "asked"), (3, "told")]
        assert log[2].hash == event_hash(log[1].hash, 3, "told", steps[1][1], log[2].at)
        with storage.turn(row.id, after=Head()) as turn:
            assert [event.kind for event in turn.find(1)] == ["asked", "told"]
            assert turn.append("closed", {}).seq == 4

    def test_a_whole_log_is_adopted_as_it_is(self, storage: Storage) -> None:
        first = chained(GENESIS, 1, "created", CREATED, "2001-01-01T00:00:00.000000+00:00")
        log = [first, chained(first.hash, 2, "asked", {"q": 1, "float": 0.1 + 0.2, "text": "é\n"}, "later")]
        row = storage.adopt("wines", log, people={"ann": Person("Ann")})
        assert list(storage.events(row.id)) == log
        assert (row.created_at, storage.people(row.id)) == (first.at, {"ann": Person("Ann")})
        with storage.turn(row.id, after=Head(2, log[1].hash)) as turn:
            assert [event.kind for event in turn.find(1)] == ["asked"]
        with raises(StudyExists):
            storage.adopt("wines", log)
        assert [one.name for one in storage.studies()] == ["wines"]

    def test_a_deleted_study_is_still_counted(self, storage: Storage) -> None:
        assert storage.count() == StudyCount(0, 0)
        rows = [storage.create(f"study {k}", CREATED) for k in range(4)]
        with raises(StudyExists):
            storage.create("study 0", CREATED)
        for row in rows[1:3]:
            storage.delete(row.id)
        with raises(UnknownStudy):
            storage.delete(rows[1].id)
        storage.create("study 1", CREATED)
        assert storage.count() == StudyCount(made=5, deleted=2)
        again = self.reopened(storage)
        assert again is None or again.count() == StudyCount(made=5, deleted=2)

    def test_an_unknown_study_says_so(self, storage: Storage) -> None:
        with raises(UnknownStudy):
            storage.find("nothing")

    def test_any_name_will_do(self, storage: Storage) -> None:
        for name in STRANGE_NAMES:
            storage.create(name, {**CREATED, "items": [name]}, people={name: Person(name, name)})
        assert [one.name for one in storage.studies()] == list(STRANGE_NAMES)
        for name in STRANGE_NAMES:
            row = storage.find(name)
            assert next(storage.events(row.id)).data["items"] == [name]
            assert storage.people(row.id) == {name: Person(name, name)}

    def test_a_deleted_study_is_gone_with_all_its_parts(self, storage: Storage) -> None:
        row, other = storage.create("wines", CREATED), storage.create("teas", CREATED)
        storage.save_snapshot(row.id, 1, "{}")
        storage.set_person(row.id, "j1", Person("Ann"))
        storage.set_note("key", 1, study=row.id)
        storage.add_credential("link", "hash", study=row.id)
        storage.delete(row.id)
        assert storage.studies() == [other]
        assert storage.credentials() == []
        with raises(UnknownStudy):
            list(storage.events(row.id))
        with raises(UnknownStudy), storage.turn(row.id, after=Head()):
            pass
        again = storage.create("wines", CREATED)
        assert again.id != row.id
        assert (storage.snapshots(again.id), storage.people(again.id), storage.notes(study=again.id)) == (
            [],
            {},
            {},
        )

    # ------------------------------------------------------------------ the log
    def test_events_come_back_as_written_and_chained(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        strange = {"q": 1, "text": 'quote " \n \\ é 名 🍷', "float": 0.1 + 0.2, "null": None, "list": [1, [2]]}
        write(storage, row, ("asked", strange), ("told", {"q": 1}))
        log = list(storage.events(row.id))
        assert [event.kind for event in log] == ["created", "asked", "told"]
        assert [event.seq for event in log] == [1, 2, 3]
        assert log[1].data == strange
        assert_chained(log)
        assert [event.seq for event in storage.events(row.id, after=2)] == [3]

    def test_rows_are_the_events_with_their_data_as_sorted_ascii_text(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        write(storage, row, ("asked", {"q": 1, "a": {"z": "é", "b": 0.1}}), ("told", {"q": 1, "answer": "left"}))
        events, rows = list(storage.events(row.id)), list(storage.rows(row.id))
        assert [(seq, kind, json.loads(text), at, hash) for seq, kind, text, at, hash in rows] == [
            (event.seq, event.kind, event.data, event.at, event.hash) for event in events
        ]
        assert rows[1][2] == '{"a":{"b":0.1,"z":"\\u00e9"},"q":1}'
        assert list(storage.rows(row.id, after=2)) == rows[2:]
        assert list(storage.rows(row.id, after=1, most=1)) == rows[1:2] and not list(storage.rows(row.id, most=0))

    def test_a_turn_shows_what_others_wrote(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        head = write(storage, row, ("asked", {"q": 1}))
        write(storage, row, ("told", {"q": 1}), ("asked", {"q": 2}))
        with storage.turn(row.id, after=head) as turn:
            assert [(event.seq, event.kind) for event in turn.new] == [(3, "told"), (4, "asked")]
            assert [event.kind for event in turn.find(1)] == ["asked", "told"]
            assert turn.find(99) == []
            assert turn.append("told", {"q": 2}).seq == 5

    def test_a_turn_is_all_or_nothing(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        with raises(ZeroDivisionError), storage.turn(row.id, after=Head()) as turn:
            turn.append("asked", {"q": 1})
            turn.append("told", {"q": 1 // 0})
        assert len(list(storage.events(row.id))) == 1
        write(storage, row, ("asked", {"q": 1}))
        assert_chained(list(storage.events(row.id)))

    def test_a_person_is_written_with_the_turn_or_not_at_all(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        with raises(ZeroDivisionError), storage.turn(row.id, after=Head()) as turn:
            turn.people["j1"] = Person("Ann")
            turn.append("judge_added", {"judge": 1 // 0})
        assert storage.people(row.id) == {}
        with storage.turn(row.id, after=Head()) as turn:
            turn.people["j1"] = Person("Ann", "ann@example.org")
            turn.append("judge_added", {"judge": "j1"})
        assert storage.people(row.id) == {"j1": Person("Ann", "ann@example.org")}
        other = storage.create("teas", CREATED)
        for study, here in ((row, True), (other, False)):
            with storage.turn(study.id, after=Head()) as turn:
                assert (turn.named("Ann"), turn.named("Bob")) == (here, False)

    def test_a_log_that_is_not_the_one_read_before_is_noticed(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        with raises(LogChanged), storage.turn(row.id, after=Head(1, "f" * 64)):
            pass
        with raises(LogChanged), storage.turn(row.id, after=Head(7, "f" * 64)):
            pass

    def test_turns_exclude_each_other(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        workers, each, problems = 4, 15, list[BaseException]()

        def work() -> None:
            head = Head()
            try:
                for k in range(each):
                    with storage.turn(row.id, after=head) as turn:
                        turn.append("asked", {"q": turn.head.seq, "k": k})
                        head = turn.head
            except BaseException as problem:
                problems.append(problem)

        threads = [threading.Thread(target=work) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = list(storage.events(row.id))
        assert not problems
        assert [event.seq for event in log] == list(range(1, workers * each + 2))
        assert all(event.data["q"] == event.seq - 1 for event in log[1:])
        assert_chained(log)

    def test_one_event_may_be_written_without_a_turn_if_nothing_else_happened(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        head = write(storage, row, ("asked", {"q": 1}))
        later = write(storage, row, ("asked", {"q": 2}))

        def alone(after: Head, deadline: float | None) -> bool:
            event = chained(after.hash, after.seq + 1, "told", {"q": 1}, "2001-01-01T00:00:00.000000+00:00")
            return storage.append_alone(row.id, event, after=after, deadline=deadline)

        assert not alone(head, None), "somebody wrote in between"
        assert not alone(Head(later.seq, "f" * 64), None), "another past"
        assert not alone(later, storage.now() - 1), "the deadline has passed"
        with storage.turn(row.id, after=later) as turn:
            assert turn.new == []
        written = alone(later, storage.now() + 60)
        log = list(storage.events(row.id))
        assert [event.kind for event in log[3:]] == (["told"] if written else [])
        assert_chained(log)

    def test_studies_do_not_mix(self, storage: Storage) -> None:
        one, two = storage.create("one", CREATED), storage.create("two", CREATED)
        write(storage, one, ("asked", {"q": 1}))
        assert [event.kind for event in storage.events(two.id)] == ["created"]
        with storage.turn(two.id, after=Head()) as turn:
            assert turn.find(1) == []

    def test_the_clock_goes_forward(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        with storage.turn(row.id, after=Head()) as turn:
            first = turn.now
        assert abs(storage.now() - first) < 60

    # ------------------------------------------------------------------ the rest
    def test_snapshots_are_kept_listed_and_dropped(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        for seq in (3, 20, 100):
            storage.save_snapshot(row.id, seq, f"body {seq}")
        storage.save_snapshot(row.id, 20, "newer")
        assert storage.snapshots(row.id) == [100, 20, 3]
        assert storage.snapshot(row.id, 20) == "newer"
        storage.drop_snapshots(row.id, [100, 3])
        assert storage.snapshots(row.id) == [20]
        assert storage.snapshot(row.id, 100) is None

    def test_people_can_be_named_and_erased(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED, people={"j1": Person("Ann", "ann@example.org")})
        storage.set_person(row.id, "j2", Person("Bob"))
        storage.set_person(row.id, "j2", Person("Robert"))
        assert storage.people(row.id) == {"j1": Person("Ann", "ann@example.org"), "j2": Person("Robert")}
        assert storage.erase_person(row.id, "j1") and not storage.erase_person(row.id, "j1")
        assert storage.people(row.id) == {"j2": Person("Robert")}

    def test_credentials_are_found_and_revoked(self, storage: Storage) -> None:
        link = storage.add_credential("link", "h1", study=3, judge="j1")
        token = storage.add_credential("token", "h2", scope="read")
        assert storage.credentials("link") == [link] and storage.credentials(hash="h2") == [token]
        assert storage.credentials(study=3) == [link] and storage.credentials("link", hash="h2") == []
        assert storage.revoke(link.id) and not storage.revoke(link.id) and not storage.revoke(999)
        assert [one.revoked_at is None for one in storage.credentials()] == [False, True]

    def test_revoking_ends_what_hangs_on_it(self, storage: Storage) -> None:
        token = storage.add_credential("token", "h1", expires_at="2030-01-01T00:00:00+00:00")
        session = storage.add_credential("session", "h2", parent=token.id)
        other = storage.add_credential("session", "h3")
        assert storage.credentials("token") == [token] and token.expires_at is not None
        assert storage.revoke(token.id)
        assert [one.id for one in storage.credentials() if one.revoked_at is None] == [other.id]
        assert storage.credentials(hash="h2")[0].parent == token.id and not storage.revoke(session.id)

    def test_files_are_kept_by_their_content(self, storage: Storage) -> None:
        row, other = storage.create("wines", CREATED), storage.create("cheese", CREATED)
        body = bytes(range(256)) * 5
        made = storage.put_file(row.id, body, type="image/png")
        assert (made.hash, made.size) == (hashlib.sha256(body).hexdigest(), 1280)
        assert storage.put_file(row.id, body, type="image/png") == made
        assert storage.file(row.id, made.hash) == (made, body)
        assert storage.files(row.id) == [made] and storage.files(other.id) == []
        assert storage.file(other.id, made.hash) is None and storage.file(row.id, "0" * 64) is None
        assert storage.delete_file(row.id, made.hash) and not storage.delete_file(row.id, made.hash)
        waiting = storage.put_file(WHOLE_STORAGE, body, type="image/png")  # of no study yet
        assert storage.files(WHOLE_STORAGE) == [waiting] and storage.files(row.id) == []
        assert storage.delete_file(WHOLE_STORAGE, waiting.hash)
        again = storage.put_file(row.id, b"", type="text/plain")
        storage.delete(row.id)
        new = storage.create("wines", CREATED)
        assert storage.file(new.id, again.hash) is None

    def test_notes_hold_json_values(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        storage.set_note("check.1", {"pair": ["a", "b"]}, study=row.id)
        storage.set_note("check.1", {"pair": ["a", "é"]}, study=row.id)
        storage.set_note("check.2", 0, study=row.id)
        storage.set_note("check.1", "whole storage")
        assert storage.note("check.1", study=row.id) == {"pair": ["a", "é"]}
        assert storage.notes("check.", study=row.id) == {"check.1": {"pair": ["a", "é"]}, "check.2": 0}
        storage.set_note("check.2", None, study=row.id)
        assert storage.note("check.2", study=row.id) is None
        assert storage.note("check.1") == "whole storage"

    def test_others_see_what_was_written(self, storage: Storage) -> None:
        row = storage.create("wines", CREATED)
        write(storage, row, ("asked", {"q": 1}))
        other = self.reopened(storage)
        if other is None:
            return
        assert other.find("wines") == row
        assert list(other.events(row.id)) == list(storage.events(row.id))
        write(other, row, ("told", {"q": 1}))
        assert [event.kind for event in storage.events(row.id, after=1)] == ["asked", "told"]
        other.close()


def write(storage: Storage, study: StudyRow, *events: tuple[str, dict[str, Any]]) -> Head:
    """Append events in one turn; the new head."""
    with storage.turn(study.id, after=Head()) as turn:
        for kind, data in events:
            turn.append(kind, data)
        return turn.head


def assert_chained(log: list[Event]) -> None:
    """Every hash follows from the one before."""
    before = GENESIS
    for event in log:
        assert event.hash == event_hash(before, event.seq, event.kind, event.data, event.at)
        before = event.hash


@contextmanager
def raises(kind: type[JuryrankError] | type[ArithmeticError]) -> Iterator[None]:
    """The block must raise this (pytest has a better one; this file needs none)."""
    try:
        yield
    except kind:
        return
    raise AssertionError(f"{kind.__name__} was not raised")
