"""Files of millions of rows: in pieces, with equal rows counted; the same votes, the same words about bad rows."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

import juryrank
from juryrank.errors import BadInput, BadVotes
from juryrank.votes import pieces, read_votes
from juryrank.votes.fitting.sources import ballots_of


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Every file is a large one."""
    for name, value in (("CSV_FROM", 0), ("COUNT_FROM", 0), ("BLOCK", 64), ("HELD", 8)):
        monkeypatch.setattr(pieces, name, value)


HEADER = "judge,left,right,winner\n"
GOOD = "ann,x,y,y\nbob,y,z,left\nann,x,y,y\ncid,x,z,tie\n"
AWKWARD = {
    "quotes": '"ann","x","y","y"\n"b,ob","y","z",left\n',
    "empty lines": "ann,x,y,y\n\n,,,\nbob,x,y,x\n",
    "windows": "ann,x,y,y\r\nbob,x,y,x\r\n",
    "letters": "änn,x,y,y\nbob,x,y,x\n",
    "no last line end": "ann,x,y,y\nbob,x,y,x",
    "a line end in quotes": 'ann,"x\nx",y,y\nbob,y,"x\nx",left\n',
    "blanks": " ann , x,y ,y\nbob,x,y,x\n",
    "blanks beyond": "ann,x,y,y,,\nbob,x,y,x\n",
    "inches": 'ann,x,5" tall,x\nbob,x,y,x\n',
}


def told(path, **how):
    """Every vote of a file, and what was said about it."""
    found = ballots_of(path, **how)
    votes = found.one_by_one()
    rows = zip(votes.judge, votes.left, votes.right, votes.outcome, strict=True)
    listed = sorted((votes.judges[u], votes.items[a], votes.items[b], int(y)) for u, a, b, y in rows)
    return listed, found.duplicates, found.left_out, found.notes


@pytest.mark.parametrize("rows", AWKWARD.values(), ids=AWKWARD)
def test_csv_in_pieces_says_what_csv_row_by_row_says(tmp_path, monkeypatch, rows):
    path = tmp_path / "votes.csv"
    path.write_bytes((HEADER + GOOD * 5 + rows).encode())
    large = told(path)
    monkeypatch.setattr(pieces, "CSV_FROM", 1 << 30)
    assert large == told(path)


def test_bad_lines_among_many_are_named_and_left_out_on_demand(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(HEADER + GOOD * 50 + "ann,x\n" + GOOD * 50 + "bob,y,y,y\nbob,y,y,y\ncid,x,y,purple\n")
    with pytest.raises(BadVotes) as refused:
        juryrank.fit(path)
    said = str(refused.value)
    assert "4 of 404 rows cannot be used" in said and "line 202: it has 2 cells" in said
    assert "line 403 and 1 more: both items are 'y'" in said and "line 405: the result is 'purple'" in said
    assert juryrank.fit(path, skip_bad=True).estimate.ballots.total == 400


def test_a_file_with_a_bad_quote_in_the_middle_says_where(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text(HEADER + GOOD * 50 + '"ann"x,x,y,y\n' + GOOD)
    with pytest.raises(BadInput, match="line 202: this is not CSV from here on"):
        juryrank.fit(path)


def test_parquet_is_counted_and_votes_are_still_read_one_by_one(tmp_path):
    frame = pandas.DataFrame([row.split(",") for row in GOOD.split()] * 30, columns=HEADER.strip().split(","))
    frame["seconds"] = np.arange(len(frame))  # every row another one, and of no use to a fit
    frame.to_parquet(tmp_path / "votes.parquet", row_group_size=7)
    found = ballots_of(tmp_path / "votes.parquet")
    assert (len(found), found.total, found.duplicates) == (3, 120, 0)
    assert len(read_votes(tmp_path / "votes.parquet").votes) == 120  # as studies need them
    one, other = juryrank.fit(found, "bt"), juryrank.fit(replace(found.one_by_one()), "bt")
    assert [item.score for item in one.items] == pytest.approx([item.score for item in other.items], abs=1e-9)
    whole = (tmp_path / "votes.parquet").read_bytes()
    (tmp_path / "votes.parquet").write_bytes(whole[:200] + b"\0" * 60 + whole[260:])
    with pytest.raises(BadInput, match=r"row group \d+.* cannot be read; nothing of the file was used"):
        juryrank.fit(tmp_path / "votes.parquet")
