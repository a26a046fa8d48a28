"""Many at once on one study: processes on PostgreSQL, threads on SQLite. Nothing lost, doubled or stuck."""

from __future__ import annotations

import os
import random
import threading
import time
import traceback
from collections import Counter

import pytest

from juryrank.storage import open_storage
from juryrank.storage.values import seconds_of
from juryrank.study import create_study, open_study
from tests.study.conftest import refolded, state_of

FORGETFUL = 0.02  # the share of questions that are taken and never answered
SHORT, LONG = 0.5, 120.0  # seconds: their lease, and everybody else's


def work(url, name, judges, answers, seed, acknowledged):
    """Judges who ask, answer in any order, and sometimes walk away; `acknowledged(q)` after every tell."""
    study, rng, told = open_study(name, storage=url), random.Random(seed), 0
    leaves = True  # the first of every worker walks away, so that somebody does
    while told < answers:
        questions = []
        for judge in judges:
            question = study.ask(judge, lease=SHORT if leaves else LONG)
            if question is not None and not leaves:
                questions.append(question)
            leaves = rng.random() < FORGETFUL
        rng.shuffle(questions)
        for question in questions:
            receipt = study.tell(question, rng.choice([question.left, question.right]), judge=question.judge)
            assert not receipt.late and not receipt.repeated
            acknowledged(question.id)
        told += len(questions)
        if not questions:
            time.sleep(0.01)
    study.storage.close()


def make(url, *, workers, judges_each, ranker="iir"):
    judges = [[f"judge {w}.{k}" for k in range(judges_each)] for w in range(workers)]
    items = [f"item {k}" for k in range(200)]
    everybody = [judge for group in judges for judge in group]
    storage = open_storage(url)
    create_study(items, name="busy", judges=everybody, ranker=ranker, storage=storage, seed=1)
    storage.close()
    return judges


def examine(url, acknowledged):
    study = open_study("busy", storage=url)
    time.sleep(SHORT)  # whoever walked away last is overdue by now
    study.log.expire_due()
    log = list(study.events())
    told = Counter(event.data["q"] for event in log if event.kind == "told")
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    assert max(told.values()) == 1, "an answer counted twice"
    assert set(acknowledged) == set(told) and len(acknowledged) == len(told), "an answer lost"
    asked = {event.data["q"]: event for event in log if event.kind == "asked"}
    expired = [event for event in log if event.kind == "expired"]
    assert expired, "some judges walked away"
    for event in expired:
        assert seconds_of(event.at) >= seconds_of(asked[event.data["q"]].data["deadline"]), (
            "a deadline was shortened"
        )
    overdue = [q for q in study.open_questions() if seconds_of(asked[q.id].data["deadline"]) < study.storage.now()]
    assert not overdue, "a question was kept out for longer than its lease"
    assert state_of(study) == refolded(study)
    study.storage.close()
    return len(told)


def in_processes(url, *, workers, judges_each, answers):
    """Fork workers; the questions they were told are on disk."""
    judges = make(url, workers=workers, judges_each=judges_each)
    children = []
    for number in range(workers):
        reading, writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reading)
            code = 1
            try:
                work(
                    url,
                    "busy",
                    judges[number],
                    answers // workers,
                    number,
                    lambda q, pipe=writing: os.write(pipe, f"{q}\n".encode()),
                )
                code = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(code)
        os.close(writing)
        children.append((pid, reading))
    acknowledged, texts = [], {reading: [] for _, reading in children}
    readers = [threading.Thread(target=_drain, args=(pipe, texts[pipe])) for _, pipe in children]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    codes = [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid, _ in children]
    assert codes == [0] * workers
    for parts in texts.values():
        acknowledged += [int(line) for line in b"".join(parts).split()]
    return examine(url, acknowledged)


def _drain(pipe, parts):
    while block := os.read(pipe, 65536):
        parts.append(block)
    os.close(pipe)


def all_at_once(work, arguments):
    """Each argument in a thread of its own; what went wrong."""
    problems = []

    def guarded(argument):
        try:
            work(argument)
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=guarded, args=(argument,)) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return problems


def in_threads(url, *, workers, judges_each, answers):
    judges = make(url, workers=workers, judges_each=judges_each)
    acknowledged = []

    def one(number):
        work(url, "busy", judges[number], answers // workers, number, acknowledged.append)

    assert not all_at_once(one, range(workers))
    return examine(url, acknowledged)


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_processes_share_a_study_on_postgresql(postgres_url):
    assert in_processes(postgres_url, workers=4, judges_each=4, answers=240) >= 240


def test_threads_share_a_study_on_sqlite(tmp_path):
    assert in_threads(f"sqlite:///{tmp_path}/s.db", workers=4, judges_each=4, answers=240) >= 240


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
def test_eight_processes_of_eight_judges_give_twenty_thousand_answers_on_postgresql(postgres_url):
    assert in_processes(postgres_url, workers=8, judges_each=8, answers=20_000) >= 20_000


@pytest.mark.slow
def test_eight_threads_of_eight_judges_give_twenty_thousand_answers_on_sqlite(tmp_path):
    assert in_threads(f"sqlite:///{tmp_path}/s.db", workers=8, judges_each=8, answers=20_000) >= 20_000


def test_threads_may_share_one_study_object(tmp_path):
    judges = [f"judge {k}" for k in range(6)]
    study = create_study(
        "abcdefgh", name="s", judges=judges, ranker="iir", storage=f"sqlite:///{tmp_path}/s.db", seed=1
    )
    told = []

    def one(judge):
        for _ in range(20):
            while (question := study.ask(judge)) is None:
                time.sleep(0.001)  # the others must answer first
            study.tell(question, question.left)
            told.append(question.id)

    assert not all_at_once(one, judges)
    assert sorted(told) == list(range(1, 121))
    assert state_of(study) == refolded(study)
