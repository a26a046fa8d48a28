"""A storage of every kind, and small studies on it."""

from __future__ import annotations

import shutil

import pytest

from juryrank.storage import MemoryStorage, open_storage
from juryrank.study import create_study

KINDS = ["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]


@pytest.fixture(params=KINDS)
def storage(request, tmp_path):
    if request.param == "memory":
        made = MemoryStorage()
    elif request.param == "sqlite":
        made = open_storage(f"sqlite:///{tmp_path}/studies.db")
    else:
        made = open_storage(request.getfixturevalue("postgres_url"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """An SQLite file with tables and nothing else: making them takes longer than most tests."""
    file = tmp_path_factory.mktemp("empty") / "studies.db"
    open_storage(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def place(empty_database, tmp_path):
    """The URL of an SQLite storage of one's own."""
    shutil.copy(empty_database, tmp_path / "studies.db")
    return f"sqlite:///{tmp_path}/studies.db"


@pytest.fixture
def study(storage):
    return create_study("abcde", name="letters", judges=["ann", "bob"], ranker="iir", storage=storage, seed=1)


def answer(study, count=1, *, judge=None):
    """Ask and tell the alphabetical truth; the questions."""
    asked = []
    for _ in range(count):
        question = study.ask(judge)
        study.tell(question, min(question.left, question.right))
        asked.append(question)
    return asked


def again(study):
    """The same study as another process would open it."""
    from juryrank.study import open_study

    return open_study(study.name, storage=study.storage)


def state_of(study):
    """Everything that is folded from the log, as text."""
    study._keeper.settled()
    return study._keeper._state.to_json()


def refolded(study):
    """The same, folded from the first event, without snapshot."""
    from juryrank.study.state import StudyState

    state = StudyState()
    state.absorb(study.events())
    return state.to_json()
