"""Whatever was made before 1.0 gets one sentence, from every command that reads it: what it is, and what to do."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from tests.commands import juryrank

CREATED = {"schema": 1, "items": ["a", "b"], "judges": ["j"], "ranker": "certified", "error": 0.1, "seed": 7}
ASKED = {"q": 1, "judge": "j", "left": "a", "right": "b", "terms": {"phase": "insert", "item": "b"}}
EVENTS = [
    {"seq": 1, "kind": "created", "data": CREATED, "at": "2026-01-01T00:00:00+00:00", "hash": "7" * 64},
    {"seq": 2, "kind": "asked", "data": ASKED, "at": "2026-01-01T00:00:01+00:00", "hash": "8" * 64},
]
CERTIFICATE = {
    "format": "juryrank certificate",
    "schema": 1,
    "version": "0.1.0",
    "settings": CREATED,
    "result": {},
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files as they were made then: a database, a log, a certificate."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    Path("things.txt").write_text("a\nb\n")
    Path("log.jsonl").write_text("\n".join(map(json.dumps, EVENTS)))
    Path("certificate.json").write_text(json.dumps({**CERTIFICATE, "head": "8" * 64, "events": EVENTS}))
    with sqlite3.connect("juryrank.db") as old:
        old.execute("CREATE TABLE juryrank_version (version_num VARCHAR(32) NOT NULL)")
        old.execute("INSERT INTO juryrank_version VALUES ('0004')")


@pytest.mark.parametrize(
    ("command", "what", "instead"),
    [
        ("rank things.txt --judge j=cmd:true", "database", "--no-keep"),
        ("serve --port 0", "database", "--storage"),
        ("study list", "database", "--storage"),
        ("study import log.jsonl --name x --storage sqlite:///new.db", "log", "as CSV"),
        ("study import log.jsonl --name x --as-votes --storage sqlite:///new.db", "log", "as CSV"),
        ("study import log.jsonl --dry-run", "log", "as CSV"),
        ("study import certificate.json --name x --storage sqlite:///new.db", "certificate", "as CSV"),
        ("fit log.jsonl", "log", "as CSV"),
        ("fit certificate.json", "certificate", "as CSV"),
        ("verify certificate.json", "certificate", "the juryrank that made it"),
        ("verify log.jsonl", "log", "the juryrank that made it"),
        ("report certificate.json --out report.html", "certificate", "the juryrank that made it"),
    ],
)
def test_one_sentence(command: str, what: str, instead: str) -> None:
    refused = juryrank(*command.split())
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"juryrank: this {what} was made by juryrank before 1.0, and nothing ")
    assert instead in refused.stderr and refused.stderr.count("\n") == 1
    assert not Path("report.html").exists()


def test_a_log_or_certificate_of_today_given_to_the_wrong_command() -> None:
    new = [{**EVENTS[0], "data": {**CREATED, "schema": "juryrank-log/1"}}, EVENTS[1]]
    Path("log.jsonl").write_text("\n".join(map(json.dumps, new)))
    assert "this is a log, not a certificate" in juryrank("verify", "log.jsonl").stderr
    Path("certificate.json").write_text(
        json.dumps({**CERTIFICATE, "format": "juryrank-certificate/1", "events": new})
    )
    assert "`juryrank verify` checks" in juryrank("fit", "certificate.json").stderr
