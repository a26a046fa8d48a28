"""Files, frames, rows and studies say the same; results are read by the rules of an import."""

import gzip

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import juryrank
from juryrank.errors import BadInput, BadVotes
from juryrank.votes import read_votes
from juryrank.votes.fitting.sources import ballots_of, from_votes
from tests.votes.fitting.worlds import rows_of, world

HEADER = "judge,left,right,winner\n"


def plain(ballots):
    names, judges = ballots.items, ballots.judges
    columns = (ballots.judge, ballots.left, ballots.right, ballots.outcome)
    return sorted((judges[u], names[a], names[b], int(y)) for u, a, b, y in zip(*columns, strict=True))


def test_every_source_gives_the_same_votes(tmp_path):
    import pandas

    rows = rows_of(world(np.random.default_rng(1), items=5, judges=6, votes=20, tie=-0.5)[0])
    text = HEADER + "".join(",".join(row) + "\n" for row in rows)
    frame = pandas.DataFrame(rows, columns=["judge", "left", "right", "winner"])
    (tmp_path / "votes.csv").write_text(text)
    (tmp_path / "votes.csv.gz").write_bytes(gzip.compress(text.encode()))
    frame.to_json(tmp_path / "votes.json", orient="records")
    frame.to_parquet(tmp_path / "votes.parquet")
    expected = plain(ballots_of(rows))
    assert len(expected) == 120
    for name in ("votes.csv", "votes.csv.gz", "votes.json", "votes.parquet"):
        assert plain(ballots_of(tmp_path / name)) == expected, name
    dicts = frame.to_dict("records")
    for source in (text.encode(), frame, dicts, read_votes(text.encode()).votes, text.replace(",", ";").encode()):
        assert plain(ballots_of(source)) == expected


CELL = st.sampled_from(
    ["x", "y", "a", "b", "left", "right", "1", "2", "0", "0.5", "-1", "tie", "", "skip", "?", " x "]
)
ROW = st.tuples(st.sampled_from(["ann", "bob", ""]), CELL, CELL, CELL)


@settings(max_examples=150, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=12))
def test_columns_are_read_by_the_rules_of_an_import(rows):
    text = (HEADER + "".join(",".join(row) + "\n" for row in rows)).encode()
    reading = read_votes(text)
    counted = [vote for vote in reading.votes if vote.counts]
    if reading.problems or not counted:
        with pytest.raises(BadVotes):
            ballots_of(text)
    if counted:
        assert plain(ballots_of(text, skip_bad=True)) == plain(from_votes(reading.votes))


def test_flags_and_winner_loser():
    flags = "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\nx,y,0,0,1\nx,y,0,1,0\n"
    assert plain(ballots_of(flags.encode())) == [("unknown", "x", "y", k) for k in (0, 1, 2)]
    found = ballots_of(b"annotator,chosen,rejected\nann,x,y\n")
    assert plain(found) == [("ann", "x", "y", 0)] and not found.sided


def test_a_study_and_its_log(tmp_path):
    from juryrank.storage import MemoryStorage
    from juryrank.study.archive import import_votes
    from juryrank.votes import export_votes

    votes = read_votes((HEADER + "ann,x,y,y\nbob,x,y,y\nbob,y,x,x\nann,x,z,tie\n").encode()).checked()
    study = import_votes(votes, name="s", storage=MemoryStorage())
    fitted = juryrank.fit(study)
    assert fitted.order[0] in ("x", "y") and len(fitted.estimate.ballots) == 4
    for format in ("jsonl", "csv"):
        (tmp_path / format).write_bytes(export_votes(study.events(), format=format))
        assert plain(ballots_of(tmp_path / format)) == plain(fitted.estimate.ballots)


def test_a_live_study_counts_what_counts_and_names_items_without_votes():
    study = juryrank.create_study(["a", "b", "c", "d"], name="live", judges=["ann"], storage="memory://", seed=1)
    question = study.ask()
    study.tell(question, question.left)
    fitted = juryrank.fit(study)
    assert set(fitted.order) == {question.left, question.right}
    (check,) = [check for check in fitted.checks if check.name == "connected"]
    assert not check.ok and "2 items were never compared" in check.words


def test_our_own_export_as_a_frame(tmp_path):
    import pandas

    from juryrank.votes import Outcome, Vote, write_votes

    votes = [Vote(1, judge="ann", left="x", right="y", winner="x", outcome=Outcome.LEFT)]
    votes += [Vote(2, judge="ann", left="x", right="y", outcome=Outcome.EXPIRED)]
    path = tmp_path / "own.csv"
    path.write_bytes(write_votes(votes))
    for source in (path, pandas.read_csv(path), pandas.read_csv(path, keep_default_na=False).to_dict("records")):
        found = ballots_of(source)
        assert len(found) == 1 and found.left_out == ("left out: 1 expired",)


def test_names_with_blanks_and_numbers_are_names():
    import pandas

    frame = pandas.DataFrame({"judge": [1, 2], "left": [10, 20], "right": [20, 10], "winner": [20, 20]})
    assert plain(ballots_of(frame)) == [("1", "10", "20", 1), ("2", "20", "10", 0)]


def test_repeated_rows_are_counted_in_every_kind_of_file(tmp_path):
    import pandas

    frame = pandas.DataFrame([("ann", "x", "y", "x"), ("bob", "x", "y", "y"), ("ann", "x", "y", "x")] * 2)
    frame.columns = ["judge", "left", "right", "winner"]
    frame.to_csv(tmp_path / "votes.csv", index=False)
    frame.to_json(tmp_path / "votes.json", orient="records")
    frame.to_json(tmp_path / "votes.jsonl", orient="records", lines=True)
    frame.to_parquet(tmp_path / "votes.parquet")
    for ending in ("csv", "json", "jsonl", "parquet"):
        assert ballots_of(tmp_path / f"votes.{ending}").duplicates == 4, ending
    frame["at"] = range(6)  # another column tells them apart
    frame.to_json(tmp_path / "apart.json", orient="records")
    assert ballots_of(tmp_path / "apart.json").duplicates == 0


def test_parquet_in_pieces_is_read_as_csv_is(tmp_path, monkeypatch):
    import pandas

    monkeypatch.setattr("juryrank.votes.containers.PIECE", 7)
    rows = rows_of(world(np.random.default_rng(2), items=4, judges=5, votes=12, tie=-0.5)[0])
    frame = pandas.DataFrame(rows, columns=["judge", "left", "right", "winner"])
    frame.loc[5, "winner"] = None
    frame["case"], frame["note"] = range(len(frame)), ["x", "y"] * 30
    for file in (tmp_path / "votes.csv", tmp_path / "votes.parquet"):
        getattr(frame, f"to_{file.suffix[1:]}")(file, index=False)
    small, large = (ballots_of(tmp_path / f"votes.{ending}") for ending in ("csv", "parquet"))
    assert plain(small) == plain(large) and small.cases == large.cases and small.duplicates == large.duplicates
    nested = frame.assign(note=[["a"]] * len(frame))
    nested.to_parquet(tmp_path / "nested.parquet")
    assert plain(ballots_of(tmp_path / "nested.parquet")) == plain(small)
    whole = (tmp_path / "votes.parquet").read_bytes()
    (tmp_path / "broken.parquet").write_bytes(whole[:4] + b"\xff" * 200 + whole[204:])
    with pytest.raises(BadInput, match="this Parquet file cannot be read"):
        ballots_of(tmp_path / "broken.parquet")


def test_a_broken_row_group_is_named_with_what_to_do(tmp_path):
    import pandas
    import pyarrow.parquet

    rows = rows_of(world(np.random.default_rng(2), items=4, judges=5, votes=12)[0])
    frame = pandas.DataFrame(rows, columns=["judge", "left", "right", "winner"])
    path = tmp_path / "votes.parquet"
    frame.to_parquet(path, row_group_size=20)
    at = pyarrow.parquet.ParquetFile(path).metadata.row_group(1).column(0).dictionary_page_offset
    whole = path.read_bytes()
    path.write_bytes(whole[:at] + b"\xff" * 40 + whole[at + 40 :])
    with pytest.raises(BadInput, match=r"row groups \(from 0\), row group 1 cannot be read; nothing of the file"):
        ballots_of(path)


def test_cases_are_read_from_every_source_and_a_blank_is_a_case_of_its_own(tmp_path):
    import pandas

    rows = [("ann", "x", "y", "x", "c1"), ("bob", "x", "y", "y", "c1"), ("ann", "x", "z", "x", "c2"),
            ("bob", "y", "z", "z", ""), ("ann", "y", "z", "y", "")]  # fmt: skip
    frame = pandas.DataFrame(rows, columns=["judge", "left", "right", "winner", "prompt_id"])
    frame.to_csv(tmp_path / "votes.csv", index=False)
    frame.to_json(tmp_path / "votes.json", orient="records")
    sources = [frame, tmp_path / "votes.csv", tmp_path / "votes.json", frame.to_dict("records")]
    for source in sources:
        found = ballots_of(source)
        assert found.case.max() == 3, "two cases, and two votes without one"
        named = {(found.judges[u], found.items[a], found.items[b]): c
                 for u, a, b, c in zip(found.judge, found.left, found.right, found.case, strict=True)}  # fmt: skip
        assert named["ann", "x", "y"] == named["bob", "x", "y"]
    assert ballots_of([row[:4] for row in rows]).case is None
    renamed = frame.rename(columns={"prompt_id": "task number"})
    assert ballots_of(renamed, columns={"case": "task number"}).case.max() == 3
