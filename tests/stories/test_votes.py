"""Somebody who has votes already: a CSV to scores, odd columns, votes out of a ranking that was kept."""

from __future__ import annotations

import csv
import io

import pyarrow
import pytest
from pyarrow import parquet

from tests.stories.desk import Desk

VOTES = [
    line.split()
    for line in (
        "ann Malbec Shiraz Shiraz", "ann Shiraz Merlot Shiraz", "ann Malbec Pinot tie", "bob Pinot Merlot Pinot",
        "bob Malbec Merlot tie", "bob Shiraz Pinot Shiraz", "cid Pinot Malbec Malbec", "cid Malbec Merlot Malbec",
        "cid Shiraz Pinot tie",
    )
]  # fmt: skip

COLUMNS = ("judge", "left", "right", "winner")


def table(*head: str) -> str:
    lines = io.StringIO()
    csv.writer(lines).writerows([head, *VOTES])
    return lines.getvalue()


def test_a_csv_of_votes_becomes_scores(desk: Desk) -> None:
    desk.write("votes.csv", table("judge", "left", "right", "winner"))
    said = desk.juryrank("fit", "votes.csv", "--out", "scores.csv").stdout
    assert "Shiraz" in said and "left out: nothing; every row was counted" in said
    rows = list(csv.DictReader(io.StringIO(desk.read("scores.csv"))))
    assert rows[0]["name"] == "Shiraz" and len(rows) == 4


def test_odd_columns_are_named_and_then_read(desk: Desk) -> None:
    desk.write("odd.csv", table("who", "one", "two", "liked"))
    complaint = desk.juryrank("fit", "odd.csv", code=2).stderr
    assert "liked" in complaint and "--column" in complaint
    columns = ("judge=who", "left=one", "right=two", "winner=liked")
    words = [word for column in columns for word in ("--column", column)]
    assert desk.json("fit", "odd.csv", *words, "--no-reliability")["items"][0]["name"] == "Shiraz"


def test_a_million_votes_with_a_bad_line_among_them(desk: Desk) -> None:
    """Counted before they are fitted; the bad line is named by its number, and the same comes out of Parquet."""
    head, *rows = table("judge", "left", "right", "winner").splitlines(keepends=True)
    desk.write("votes.csv", head + "".join(rows * 70_000) + "ann,Malbec\n" + "".join(rows * 50_000))
    complaint = desk.juryrank("fit", "votes.csv", code=2).stderr
    assert "1 of 1,080,001 rows cannot be used" in complaint and "line 630002: it has 2 cells" in complaint
    by_text = desk.json("fit", "votes.csv", "--skip-bad", "--model", "bt")
    once = pyarrow.Table.from_pylist([dict(zip(COLUMNS, vote, strict=True)) for vote in VOTES])
    parquet.write_table(pyarrow.concat_tables([once] * 120_000), desk.folder / "v.parquet", row_group_size=1 << 18)
    packed = desk.json("fit", "v.parquet", "--model", "bt")
    assert by_text["votes"] == packed["votes"] == 1_080_000 and packed["items"][0]["name"] == "Shiraz"
    scores = [[item["score"] for item in found["items"]] for found in (by_text, packed)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)


def test_answers_given_at_a_terminal_come_out_as_votes(desk: Desk) -> None:
    desk.write("wines.txt", "Malbec\nShiraz\nMerlot\nPinot\n")
    desk.juryrank("rank", "wines.txt", "--seed", 1, "--study", "wines", typed="1\n" * 20)
    desk.juryrank("study", "export", "wines", "--out", "votes.csv")
    assert len(desk.json("fit", "votes.csv", "--no-reliability")["items"]) == 4
