"""Votes in: usual names, spellings of ties, dialects and encodings, and bad rows with their lines."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from juryrank.errors import BadInput, BadVotes
from juryrank.votes import Outcome, Vote, read_votes, write_votes
from juryrank.votes.fitting.sources import ballots_of
from juryrank.votes.read import row_words


def outcomes(text, **how):
    data = text if isinstance(text, bytes) else text.encode()
    return [str(vote.outcome) for vote in read_votes(data, **how).checked()]


@pytest.mark.parametrize(
    "header",
    [
        "judge,left,right,winner",
        "annotator,item_a,item_b,label",
        "performer,left,right,label",
        "worker,left,right,label",
        "user,item_a,item_b,preferred",
        "Worker ID,Item-A,Item-B,Choice",
        "rater,model_a,model_b,winner",
        "user_id,option_1,option_2,answer",
    ],
)
def test_usual_names_are_recognised(header):
    vote = read_votes(f"{header}\nann,x,y,y\n".encode()).checked()[0]
    assert (vote.judge, vote.left, vote.right, vote.winner, vote.outcome) == ("ann", "x", "y", "y", Outcome.RIGHT)


TIES = ("tie", "TIE", "tie (bothbad)", "Draw", "0.5", "both", "neither", "None")


@pytest.mark.parametrize("word", TIES)
def test_ties_in_their_spellings(word):
    others = "x,y,1\ny,x,0\n" if word == "0.5" else "x,y,left\n"
    text = f"left,right,winner\nx,y,{word}\n{others}"
    assert outcomes(text)[0] == "tie"


@pytest.mark.parametrize("word", ["", "nan", "NULL", "n/a", "-"])
def test_an_empty_result_is_no_answer_and_no_tie(word):
    assert outcomes(f"left,right,winner\nx,y,{word}\nx,y,left\n") == ["skip", "left"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["model_a", "model_b", "tie"], ["left", "right", "tie"]),
        (["left", "right", "skip"], ["left", "right", "skip"]),
        (["A", "B", "="], ["left", "right", "tie"]),
        (["1", "0", "0.5"], ["left", "right", "tie"]),
        (["1", "2", "0"], ["left", "right", "tie"]),
        (["1", "-1", "0"], ["left", "right", "tie"]),
        (["1.0", "2.0", "1.0"], ["left", "right", "left"]),
    ],
)
def test_sides_and_numbers(said, expected):
    assert outcomes("a,b,winner\n" + "".join(f"x,y,{word}\n" for word in said)) == expected


def test_an_item_called_like_a_side_means_itself_where_results_name_items():
    assert outcomes("judge,left,right,winner\nann,b,a,a\nann,a,c,c\nann,c,b,b\n") == ["right", "right", "right"]


def test_items_that_are_numbers_are_named_not_scored():
    assert outcomes("judge,left,right,winner\nann,0,1,1\nann,1,2,2\nann,2,0,2\n") == ["right", "right", "left"]


def test_winner_and_loser_without_sides():
    reading = read_votes(b"annotator,chosen,rejected\nann,x,y\n")
    assert reading.votes[0].winner == "x" and any("position bias" in note for note in reading.notes)


def test_one_column_a_result():
    text = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\nx,y,0,0,1\n"
    assert outcomes(text) == ["left", "tie"]
    assert len(read_votes((text + "x,y,1,1,0\n").encode()).problems) == 1


def test_a_column_can_be_said():
    text = b"who,links,rechts,wahl\nann,x,y,y\n"
    with pytest.raises(BadInput, match="--column left=NAME"):
        read_votes(text)
    columns = {"judge": "who", "left": "links", "right": "rechts", "winner": "wahl"}
    assert read_votes(text, columns=columns).votes[0].judge == "ann"
    with pytest.raises(BadInput, match="no column 'nothing'"):
        read_votes(text, columns={"left": "nothing"})


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_dialects_and_encodings(delimiter, end, encoding):
    rows = [["judge", "left", "right", "winner"], ["añn", '"é,;| ""x"""', "日本", "日本"]]
    text = end.join(delimiter.join(row) for row in rows) + end
    vote = read_votes(text.encode(encoding)).checked()[0]
    assert (vote.judge, vote.left, vote.winner) == ("añn", 'é,;| "x"', "日本")


def test_other_encodings_are_tried_and_named():
    reading = read_votes("judge,left,right,winner\nZoë,x,y,y\n".encode("cp1252"))
    assert reading.votes[0].judge == "Zoë"
    assert any("not utf-8, read as windows-1252" in note for note in reading.notes)
    with pytest.raises(BadInput, match="no encoding 'klingon'"):
        read_votes(b"a,b,winner\n", encoding="klingon")


def test_a_bad_row_is_named_by_its_line_and_nothing_is_given():
    good, bad = 'ann,"two\nlines",y,y\n', "ann,x,y,z\nbob,x,x,x\n\nbob,x\n,x,y,y\nbob,,y,y\n"
    text = f"judge,left,right,winner\n{good}{bad}ann,x,y,x\n"
    reading = read_votes(text.encode())
    assert [(problem.line) for problem in reading.problems] == [4, 5, 7, 8, 9]
    with pytest.raises(BadVotes, match=r"5 of 7 rows cannot be used:\n  line 4: the result is 'z'"):
        reading.checked()
    assert len(reading.checked(skip_bad=True)) == 2


def test_an_unclosed_quote_is_named_by_its_line():
    with pytest.raises(BadInput, match="line 3: this is not CSV"):
        read_votes(b'judge,left,right,winner\nann,x,y,y\nann,"x,y,y\nbob,x,y,y\n')


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "the file is empty"),
        (b"item,rank\na,1\n", "none for the left item"),
        (b"left,left,right,winner\n", "'left' is listed twice"),
        (b"left,right,winner\n", "no usable vote"),
        (b'{"left": "a"\n', "not JSON"),
        (b"[1, 2]", "must be a JSON object"),
        (b"PAR1 and no more", "cannot be read"),
        (b"PK\x03\x04 and so on", "a ZIP file that is damaged: neither a workbook"),
        (b"\xd0\xcf\x11\xe0 and so on", "a workbook of before 2007 .* as .xlsx or CSV"),
    ],
)
def test_files_that_hold_no_votes(data, why):
    with pytest.raises(BadInput, match=why):
        read_votes(data).checked()


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadInput, match=r"cannot read .*nothing\.csv"):
        read_votes(tmp_path / "nothing.csv")


def test_json_and_json_lines():
    rows = [
        {
            "question_id": "x",
            "model_a": "m",
            "model_b": "n",
            "winner": "model_b",
            "judge": "arena_user_1",
            "turn": 1,
        },
        {"question_id": "y", "model_a": "m", "model_b": "n", "winner": "tie (bothbad)", "judge": "arena_user_2"},
    ]
    for text in (json.dumps(rows), "\n".join(map(json.dumps, rows))):
        reading = read_votes(text.encode())
        assert [str(vote.outcome) for vote in reading.votes] == ["right", "tie"]
        assert reading.judges == ["arena_user_1", "arena_user_2"]


def test_files_without_judges_say_so():
    reading = read_votes(b"left,right,winner\nx,y,left\n")
    assert reading.judges == ["unknown"] and any("no column names the judges" in note for note in reading.notes)


def test_our_own_export_is_checked():
    good = write_votes([Vote(1, judge="ann", left="x", right="y", winner="y", outcome=Outcome.RIGHT)]).decode()
    twice = good + good.splitlines()[1] + "\n"
    assert "listed twice (also on line 2)" in str(read_votes(twice.encode()).problems[0])
    assert "contradict" in str(read_votes(good.replace("y,right", "x,right").encode()).problems[0])
    assert "is one of left" in str(read_votes(good.replace(",right,,", ",rihgt,,").encode()).problems[0])


def test_a_row_in_words():
    reading = read_votes(b"annotator,item_a,item_b,label\nann,x,y,\n")
    assert row_words(2, reading.votes[0]) == "line 2: 'ann' was shown 'x' (left) and 'y' (right): skipped"
    assert reading.summary() == "1 vote (1 skip); 2 items, 1 judge"


NAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12)
SIDE = st.sampled_from(["left", "right", "tie", "skip"])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(NAME, NAME, NAME, SIDE, NAME), min_size=1, max_size=4))
def test_any_text_survives_csv(rows):
    votes = [
        Vote(k, judge=j, left=a, right=b, winner={"left": a, "right": b}.get(o, ""), outcome=Outcome(o), comment=c)
        for k, (j, a, b, o, c) in enumerate(rows, start=1)
        if a != b
    ]
    back = read_votes(write_votes(votes)) if votes else None
    assert back is None or (list(back.votes) == votes and not back.problems)


def test_a_bad_line_of_json_is_one_bad_row_and_a_log_must_be_whole():
    good = b'{"judge": "ann", "left": "x", "right": "y", "winner": "x"}\n'
    reading = read_votes(good + b'{"judge": "bob", "left"\n[1, 2]\n' + good)
    assert len(reading.votes) == 2
    second, third = map(str, reading.problems)
    assert second.startswith("line 2: this is not JSON") and third.startswith("line 3: each vote must be")
    with pytest.raises(BadInput, match="line 2: this is not JSON"):
        read_votes(b'{"seq": 1, "kind": "created", "data": {}}\n{"seq": 2, "kin')


def test_rows_of_separators_are_passed_over_and_counted():
    text = b"judge,left,right,winner\nann,a,b,left\n,,,\n\nbob,a,b,right\n , ,,\n"
    said = "empty rows: 2, passed over (the first is line 3)"
    assert said in read_votes(text).notes and len(read_votes(text).votes) == 2
    assert said in ballots_of(text).notes
