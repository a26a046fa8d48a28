"""What must survive: kill -9, a full disk, a read-only database, a database server that dies and comes back."""

from __future__ import annotations

import sqlite3
import threading
import time

import pytest
from sqlalchemy import event

from juryrank.errors import StorageError
from juryrank.log import GENESIS, chained
from juryrank.study import create_study, open_study
from tests.faults.harness import _answers, _chain, many_runs
from tests.postgres import running_server
from tests.study.conftest import again, answer, refolded, state_of

SMALL, LARGE = 2, 200


def test_sqlite_survives_kill_9(tmp_path):
    outcome = many_runs(f"sqlite:///{tmp_path}/studies.db", runs=SMALL)
    assert not outcome.problems
    assert outcome.acknowledged > 0
    assert sqlite3.connect(tmp_path / "studies.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_postgresql_survives_kill_9(postgres_url):
    outcome = many_runs(postgres_url, runs=SMALL)
    assert not outcome.problems
    assert outcome.acknowledged > 0


@pytest.mark.slow
def test_sqlite_survives_kill_9_two_hundred_times(tmp_path):
    outcome = many_runs(f"sqlite:///{tmp_path}/studies.db", runs=LARGE, first_seed=1000, show=True)
    assert not outcome.problems


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_postgresql_survives_kill_9_two_hundred_times(postgres_url):
    outcome = many_runs(postgres_url, runs=LARGE, first_seed=1000, show=True)
    assert not outcome.problems


def test_the_examination_sees_lost_doubled_and_forged_answers():
    log = [chained(GENESIS, 1, "created", {})]
    for kind, data in [("asked", {"q": 1}), ("told", {"q": 1, "answer": "left"})]:
        log.append(chained(log[-1].hash, len(log) + 1, kind, data))
    assert _answers(log, ["told 1 left"]) == [] and _chain(log) == []
    assert _answers(log, ["told 1 left", "undo 1"]) == []
    assert "2 is there" not in str(_answers(log, ["told 1 right"])) and _answers(log, ["told 1 right"])
    assert _answers(log, ["told 2 left"])
    assert _answers([*log, log[-1]], [])
    assert _chain([log[0], log[2]])


def test_a_full_disk_loses_nothing_and_the_study_goes_on(tmp_path):
    url = f"sqlite:///{tmp_path}/small.db"
    study = create_study("abcdef", name="s", judges=["ann"], ranker="iir", storage=url, seed=1)
    answer(study, 3)
    engine, limit = study.storage._engine, [0]
    with engine.connect() as connection:
        limit[0] = connection.exec_driver_sql("PRAGMA page_count").scalar()

    @event.listens_for(engine, "begin")
    def shrink(connection):
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit[0]}")

    acknowledged = [3]

    def fill():
        while acknowledged[0] < 500:
            question = study.ask(again=True, judge="ann")
            study.tell(question, question.left, comment="x" * 500)
            acknowledged[0] += 1

    with pytest.raises(StorageError, match="disk is full"):
        fill()
    assert study.progress().answers == acknowledged[0]
    assert state_of(study) == refolded(study) == state_of(again(study))
    limit[0] = 100_000  # somebody made room
    question = study.ask("ann", again=True)
    study.tell(question, question.left)
    assert study.progress().answers == acknowledged[0] + 1
    assert sqlite3.connect(tmp_path / "small.db").execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_read_only_database_can_be_read(tmp_path):
    study = create_study("abc", name="s", judges=["ann"], ranker="iir", storage=f"sqlite:///{tmp_path}/s.db")
    answer(study, 3)
    question = study.ask()
    study.storage.close()
    reader = open_study("s", storage=f"sqlite:///file:{tmp_path}/s.db?mode=ro&uri=true")
    for call in (reader.ask, lambda: reader.tell(question, question.left), reader.close):
        with pytest.raises(StorageError, match="read-only"):
            call()
    assert reader.progress().answers == 3
    assert state_of(reader) == refolded(reader)


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_postgresql_dies_and_comes_back_and_the_study_goes_on():
    with running_server() as server:
        study = create_study(
            "abcdefgh", name="s", judges=["ann", "bob"], ranker="iir", storage=server.url(), seed=1
        )
        told: dict[int, str] = {}
        stop = threading.Event()
        problems: list[BaseException] = []

        def work(judge):
            try:
                while not stop.is_set():
                    question = study.ask(judge)
                    if question is None:  # not this judge's turn, or all is settled
                        time.sleep(0.01)
                        continue
                    receipt = study.tell(question, min(question.left, question.right))
                    told[question.id] = receipt.answer
            except BaseException as problem:
                problems.append(problem)

        threads = [threading.Thread(target=work, args=(judge,)) for judge in ("ann", "bob")]
        for thread in threads:
            thread.start()
        for _ in range(2):
            time.sleep(0.3)
            server.kill()
            before = len(told)
            server.start()
            while len(told) < before + 5 and not problems and not study.done:
                time.sleep(0.01)
        stop.set()
        for thread in threads:
            thread.join()
        assert not problems
        log = {e.data["q"]: e.data["answer"] for e in study.events() if e.kind == "told"}
        assert told.items() <= log.items()
        assert state_of(study) == refolded(study)
        study.storage.close()


def test_a_server_that_stays_away_is_an_error_after_a_while(tmp_path):
    from juryrank.storage import MemoryStorage, StorageLost

    class Away(MemoryStorage):
        tries = 0

        def turn(self, study, *, after, **more):
            self.tries += 1
            raise StorageLost("the database cannot be reached")

    study = create_study("ab", name="s", judges=["ann"], ranker="iir", storage=Away())
    study.patience = 0.3
    with pytest.raises(StorageLost):
        study.ask()
    assert study.storage.tries > 2
