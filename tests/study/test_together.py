"""Answers that come while another is written to disk are written together, and mean what they would alone."""

import threading
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from juryrank import create_study, open_study
from juryrank.errors import AnsweredTwice, BadInput, JuryrankError, WrongJudge
from juryrank.study import turns
from tests.study.conftest import refolded, state_of
from tests.study.test_concurrency import all_at_once

JUDGES = [f"judge {k}" for k in range(8)]


@pytest.fixture
def slow(monkeypatch):
    """A study on a slow disk, each judge's open question, and the visits to the log."""

    def make(url):
        study = create_study("abcdefgh", name="s", ranker="panel", judges=JUDGES, storage=url, seed=1)
        asked = {judge: study.ask(judge) for judge in JUDGES}
        visits, turn = [], study.storage.turn

        @contextmanager
        def slowly(*args, **named):
            with turn(*args, **named) as visit:
                visits.append(visit)
                yield visit
                time.sleep(0.1)

        monkeypatch.setattr(study.storage, "turn", slowly)
        return study, asked, visits

    return make


def at_once(study, calls):
    """Each (judge, question, side) in a thread of its own: what came of each."""
    found, ready = {}, threading.Barrier(len(calls))

    def one(k):
        judge, question, side = calls[k]
        ready.wait()
        try:
            found[k] = study.tell_and_ask(question.id, side=side, judge=judge)
        except JuryrankError as problem:
            found[k] = problem

    assert not all_at_once(one, range(len(calls)))
    return found


@pytest.mark.postgres
@pytest.mark.parametrize("where", ["sqlite", "postgresql"])
def test_answers_share_a_write_and_nobodys_is_lost_or_doubled(where, slow, tmp_path, request):
    url = f"sqlite:///{tmp_path}/s.db" if where == "sqlite" else request.getfixturevalue("postgres_url")
    study, asked, visits = slow(url)
    calls = [(judge, asked[judge], "left") for judge in JUDGES]
    calls += [calls[0], (JUDGES[1], asked[JUDGES[1]], "right"), (JUDGES[2], asked[JUDGES[3]], "left")]
    found = at_once(study, calls)
    assert len(visits) < len(JUDGES)
    assert sum(receipt.repeated for receipt, _ in (found[0], found[8])) == 1  # a double click is one answer
    assert sum(isinstance(found[k], AnsweredTwice) for k in (1, 9)) == 1  # two answers: the first stands
    assert isinstance(found[10], WrongJudge)
    nexts = {found[k][1].judge: found[k][1] for k in (0, 2, 3, 4, 5, 6, 7)}
    assert set(nexts) == {*JUDGES} - {JUDGES[1]} and all(one.id > 8 for one in nexts.values())
    told = Counter(event.data["q"] for event in study.events() if event.kind == "told")
    assert told == {asked[judge].id: 1 for judge in JUDGES}
    assert state_of(study) == refolded(study)
    study.storage.close()
    assert {one.id for one in open_study("s", storage=url).open_questions()} >= {one.id for one in nexts.values()}


def test_a_call_that_fails_half_way_takes_nobody_with_it(slow, tmp_path, monkeypatch):
    study, asked, _ = slow(f"sqlite:///{tmp_path}/s.db")
    choose = turns.next_question

    def refusing(turn, state, judge, **how):
        if judge == JUDGES[3]:
            raise BadInput("no question for this one")
        return choose(turn, state, judge, **how)

    monkeypatch.setattr(turns, "next_question", refusing)
    found = at_once(study, [(judge, asked[judge], "left") for judge in JUDGES])
    assert [k for k in found if isinstance(found[k], BadInput)] == [3]
    told = [event.data["q"] for event in study.events() if event.kind == "told"]
    assert sorted(told) == sorted(one.id for judge, one in asked.items() if judge != JUDGES[3])
    assert state_of(study) == refolded(study)
