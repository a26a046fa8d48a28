"""`juryrank study link | platform | participants`."""

from __future__ import annotations

import csv
import io

import pytest

from juryrank.errors import BadInput

pytest.importorskip("fastapi")


def test_a_study_gets_its_link_and_its_platform(call):
    call("create", "s", "--ranker", "panel")
    made = call("link", "s", "--room", 30, "--json")
    assert made["room"] == 30 and made["address"].startswith("/s/")
    assert call("link", "s", "--off", "--json")["address"] == made["address"]
    assert call("link", "s", "--new", "--json")["address"] != made["address"]
    assert "pass_phrase" in call("link", "s")
    with pytest.raises(BadInput, match="is not a time"):
        call("link", "s", "--opens", "soon")
    found = call("platform", "s", "--preset", "prolific", "--code", "C1", "--json")
    assert found["identity"] == "PROLIFIC_PID" and found["finish"].endswith("cc={code}")
    assert "PROLIFIC_PID STUDY_ID SESSION_ID" in call("platform", "s")
    with pytest.raises(BadInput, match="give the code"):
        call("platform", "s", "--preset", "prolific")
    with pytest.raises(BadInput, match="--preset"):
        call("platform", "s", "--code", "C1")
    assert call("platform", "s", "--preset", "none", "--json")["preset"] == ""


def test_questions_about_the_person_and_the_language(call):
    call("create", "s", "--ranker", "panel")
    found = call("about", "s", "--before", "Age? [number] *", "--before", "City", "--language", "fr", "--json")
    assert found == {"before": ["Age? [number] *", "City [text]"], "after": [], "language": "fr"}
    assert call("about", "s", "--before", "none", "--language", "browser", "--json")["before"] == []
    assert "browser" in call("about", "s")
    for wrong in (["--before", "a [b]"], ["--language", "tlh"]):
        with pytest.raises(BadInput):
            call("about", "s", *wrong)


def test_participants_as_a_table(call, tmp_path):
    made = call("create", "s", "--ranker", "panel", "--person", "=Ann <ann@example.org>", "--json")
    (judge,) = made["judges"]
    call("ask", "s", "--judge", judge)
    call("tell", "s", 1, "left", "--judge", judge)
    out = tmp_path / "participants.csv"
    call("participants", "s", "--out", out)
    (row,) = csv.DictReader(io.StringIO(out.read_text()))
    assert row["participant"] == judge and row["name"] == "'=Ann" and row["answered"] == row["left"] == "1"
    assert row["started_at"] and row["state"] == "started"
    assert call("participants", "s", "--json")[0]["left_share"] == 1.0
    assert call("participants", "s").startswith("participant,name,state,")
