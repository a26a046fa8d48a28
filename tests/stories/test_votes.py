"""Somebody who has votes already: a CSV to scores, odd columns, votes out of a ranking that was kept."""

from __future__ import annotations

import csv
import io

from tests.stories.desk import Desk

VOTES = [
    line.split()
    for line in (
        "ann Malbec Shiraz Shiraz", "ann Shiraz Merlot Shiraz", "ann Malbec Pinot tie", "bob Pinot Merlot Pinot",
        "bob Malbec Merlot tie", "bob Shiraz Pinot Shiraz", "cid Pinot Malbec Malbec", "cid Malbec Merlot Malbec",
        "cid Shiraz Pinot tie",
    )
]  # fmt: skip


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


def test_answers_given_at_a_terminal_come_out_as_votes(desk: Desk) -> None:
    desk.write("wines.txt", "Malbec\nShiraz\nMerlot\nPinot\n")
    desk.juryrank("rank", "wines.txt", "--seed", 1, "--study", "wines", typed="1\n" * 20)
    desk.juryrank("study", "export", "wines", "--out", "votes.csv")
    assert len(desk.json("fit", "votes.csv", "--no-reliability")["items"]) == 4
