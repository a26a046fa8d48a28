"""Imported votes become a study: the same votes, a sensible order, and no promise."""

from operator import attrgetter

import pytest

from juryrank.errors import BadInput, BadVotes, StudyExists
from juryrank.storage import MemoryStorage
from juryrank.study import create_study, list_studies, open_study
from juryrank.study.archive import import_votes
from juryrank.votes import export_votes, read_votes, votes_of
from tests.votes.logs import LOG


def crowd(people=30):
    """Everybody is asked every pair of three items; most prefer a to b to c. Some pairs twice."""
    rows = ["judge,left,right,winner"]
    for k in range(people):
        for left, right in (("a", "b"), ("c", "b"), ("c", "a"), ("b", "a")):
            good, bad = sorted((left, right))
            rows.append(f"p{k},{left},{right},{bad if k % 10 == 0 else good}")
    return "\n".join(rows).encode()


def test_the_study_holds_the_same_votes_and_ranks_them():
    votes = read_votes(crowd()).checked()
    study = import_votes(votes, name="crowd", source="crowd.csv", storage=MemoryStorage(), error=0.1)
    ranking = study.ranking()
    assert ranking.order == ("a", "b", "c") and ranking.details.settled_count == 3
    assert ranking.details.answers == 90  # the second answer to a pair is kept, and does not count again
    kept = votes_of(study.events())
    assert [(v.judge, v.left, v.right, v.winner) for v in kept] == [
        (v.judge, v.left, v.right, v.winner) for v in votes
    ]
    assert {vote.source for vote in kept} == {"import"}
    assert {(vote.asked_at, vote.answered_at, vote.response_time, vote.cost) for vote in kept} == {
        ("", "", None, None)
    }


def row(vote):
    return vote.judge, vote.left, vote.right, vote.winner


def test_its_result_is_post_hoc_never_certified():
    study = import_votes(read_votes(crowd()).checked(), name="crowd", storage=MemoryStorage(), error=0.1)
    ranking = study.ranking()
    assert not ranking.certified and "120 votes were imported" in ranking.post_hoc[0]
    assert "promises nothing" in ranking.statement


@pytest.mark.parametrize("ranker", ["panel", "certified", "ada-iir"])
def test_any_ranker_can_hold_imported_votes(ranker):
    study = import_votes(read_votes(crowd()).checked(), name="x", storage=MemoryStorage(), ranker=ranker)
    assert not study.ranking().certified and study.ranking().post_hoc
    assert len(votes_of(study.events())) == 120


def test_a_fixed_list_of_judges_is_counted():
    votes = read_votes(crowd(5)).checked()
    study = import_votes(votes, name="x", storage=MemoryStorage(), ranker="panel", options={"about": "panel"})
    assert study.ranking().order == ("a", "b", "c") and study.ranking().details.answers == 15


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_every_fate_survives_export_and_import(format):
    votes = read_votes(export_votes(LOG, format=format)).checked()
    study = import_votes(votes, name="letters", storage=MemoryStorage())
    fates = [str(vote.outcome) for vote in votes_of(study.events())]
    assert fates == ["left", "right", "tie", "skip", "late", "expired", "retracted", "expired"]
    again = [str(vote.outcome) for vote in votes_of(open_study("letters", storage=study.storage).events())]
    assert again == fates
    kept = attrgetter("winner", "asked_at", "answered_at", "response_time", "cost", "comment")
    assert [kept(vote) for vote in votes_of(study.events())] == [kept(vote) for vote in votes]
    assert [vote.source for vote in votes_of(study.events())] == [vote.source or "import" for vote in votes]
    assert "web" in {vote.source for vote in votes}


def test_people_are_known_by_pseudonyms_and_can_be_erased():
    storage = MemoryStorage()
    study = import_votes(read_votes(crowd(3)).checked(), name="x", storage=storage, people=True)
    assert sorted(person.name for person in study.people().values()) == ["p0", "p1", "p2"]
    assert not {"p0", "p1", "p2"} & set(study.judges)
    assert not any('"p1"' in str(event.data).replace("'", '"') for event in study.events())
    judge = next(judge for judge, person in study.people().items() if person.name == "p1")
    assert study.judge(judge).erase() and len(study.people()) == 2
    assert len(votes_of(study.events())) == 12


def test_the_study_goes_on_after_the_import():
    study = import_votes(read_votes(crowd(5)).checked(), name="x", storage=MemoryStorage())
    study.add_judge("new")
    question = study.ask("new")
    study.tell(question.id, question.left)
    assert len(votes_of(study.events())) == 21


def test_nothing_is_left_behind_when_it_fails(monkeypatch):
    storage = MemoryStorage()
    votes = read_votes(crowd(2)).checked()
    with pytest.raises(BadInput):
        import_votes(votes, name="x", storage=storage, error=7)
    with pytest.raises(BadVotes):
        import_votes([], name="x", storage=storage)
    monkeypatch.setattr("juryrank.rankers.panel.ranker.Panel._count", lambda panel, question, answer: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        import_votes(votes, name="x", storage=storage)
    assert list_studies(storage=storage) == []


def test_a_study_of_that_name_is_not_touched():
    storage = MemoryStorage()
    create_study(["a", "b"], name="x", judges=["ann"], storage=storage, ranker="iir")
    with pytest.raises(StudyExists):
        import_votes(read_votes(crowd(2)).checked(), name="x", storage=storage)
    assert open_study("x", storage=storage).log.seq == 1
