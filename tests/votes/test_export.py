"""Votes out: one row per question with its outcome, in every format."""

import csv
import io
import json

import pytest

from juryrank.errors import BadInput
from juryrank.log import event_hash
from juryrank.storage import MemoryStorage
from juryrank.study import create_study
from juryrank.votes import COLUMNS, export_votes, read_votes, votes_of, write_votes
from juryrank.votes.write import left_out
from tests.votes.logs import LOG, STEPS, log_of


def test_each_question_becomes_one_row_with_its_fate():
    votes = votes_of(LOG, study="letters")
    assert [str(vote.outcome) for vote in votes] == [
        "left",
        "right",
        "tie",
        "skip",
        "late",
        "expired",
        "retracted",
        "open",
    ]
    assert [vote.winner for vote in votes] == ["a", "a", "", "", "c", "", "a", ""]
    assert [vote.vote_id for vote in votes] == list(range(1, 9))
    assert votes[0].response_time == 2.5 and votes[1].response_time == 60.0
    assert votes[1].source == "web" and votes[0].study == "letters"
    assert [vote.cost for vote in votes] == [1.0] * 6 + [3.0] * 2
    assert votes[0].asked_at == "2024-05-01T10:02:00+00:00" and votes[0].answered_at == "2024-05-01T10:03:00+00:00"


def test_an_answer_corrected_by_its_judge_is_the_corrected_one():
    again = [*STEPS, ("told", {"q": 7, "answer": "right"})]
    assert str(votes_of(log_of(again))[6].outcome) == "right"


def test_discarded_answers_are_retracted():
    gone = [*STEPS, ("judge_removed", {"judge": "bob", "discard": True})]
    fates = {vote.vote_id: str(vote.outcome) for vote in votes_of(log_of(gone)) if vote.judge == "bob"}
    assert fates == {2: "retracted", 4: "retracted", 6: "expired"}


def test_csv_has_the_documented_columns_and_survives_quotes_and_newlines():
    rows = list(csv.DictReader(io.StringIO(export_votes(LOG, format="csv").decode(), newline="")))
    assert tuple(rows[0]) == COLUMNS
    assert rows[0]["comment"] == 'so "clear",\nreally'


def test_other_tools_columns():
    assert export_votes(LOG, format="crowd-kit").decode().splitlines() == [
        "worker,left,right,label",
        "ann,a,b,a",
        "bob,b,a,a",
    ]
    assert export_votes(LOG, format="lmarena").decode().splitlines() == [
        "model_a,model_b,winner",
        "a,b,model_a",
        "b,a,model_b",
        "c,b,tie",
    ]
    assert export_votes(LOG, format="evalica").decode().splitlines()[1:] == ["a,b,left", "b,a,right", "c,b,tie"]


def test_what_a_format_cannot_say_is_said():
    votes = votes_of(LOG)
    assert left_out(votes, format="csv") == ""
    assert "1 tie, 1 skip, 1 late, 1 open, 1 expired, 1 retracted" in left_out(votes, format="crowd-kit")
    assert "tie" not in left_out(votes, format="lmarena")


def test_raw_events_keep_their_hashes():
    rows = [json.loads(line) for line in export_votes(LOG, format="jsonl").decode().splitlines()]
    before = "0" * 64
    for row in rows:
        assert row["hash"] == event_hash(before, row["seq"], row["kind"], row["data"], row["at"])
        before = row["hash"]


@pytest.mark.parametrize("format", ["csv", "parquet", "jsonl"])
def test_a_full_export_reads_back_the_same(format):
    votes = votes_of(LOG)
    back = read_votes(export_votes(LOG, format=format)).checked()
    assert [known(vote) for vote in back] == [known(vote) for vote in votes]


def known(vote):
    return (
        vote.judge,
        vote.left,
        vote.right,
        vote.winner,
        vote.outcome,
        vote.response_time,
        vote.cost,
        vote.comment,
    )


def test_evalica_reads_ours(tmp_path):
    command = pytest.importorskip("evalica.__main__")
    text = export_votes(LOG, format="evalica").decode()
    lefts, rights, winners = command.read_csv(io.StringIO(text))
    assert lefts == ["a", "b", "c"] and rights == ["b", "a", "b"] and len(winners) == 3


def test_an_unknown_format_is_refused():
    with pytest.raises(BadInput, match="there are: csv, parquet, votes-jsonl, jsonl, crowd-kit, lmarena, evalica"):
        write_votes([], format="xls")


def test_what_nobody_was_asked_cost_nothing():
    outputs = {"old": {"q1": "Paris", "q2": "four"}, "new": {"q1": "Paris", "q2": "4"}}
    study = create_study(outputs, cases=["q1", "q2"], name="s", judges=["m"], storage=MemoryStorage(), seed=1)
    study.run({"m": lambda left, right, case: min(left, right)})
    costs = {vote.source == "identical outputs": vote.cost for vote in votes_of(study.events())}
    assert costs == {True: 0.0, False: 1.0}
