"""A study moves: from the terminal to a server and back, between SQLite and PostgreSQL, with its key."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import sys
from pathlib import Path
from unittest import mock

import pytest

pytest.importorskip("fastapi")
from starlette.testclient import TestClient

from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.settings import ServerSettings
from juryrank.study import open_study
from tests.commands import juryrank
from tests.quick import quick

HERE = "sqlite:///juryrank.db"
THINGS = {"w": "é 名", "x": "two", "y": "three", "z": "four", "v": "five"}
SHOWN = [f"{name}\ntext: {text}" for name, text in THINGS.items()]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("JURYRANK_KEY", raising=False)
    lines = ["id,text", *(f"{name},{text}" for name, text in THINGS.items())]
    (tmp_path / "things.csv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where the server keeps its studies."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/server.db"
    url: str = request.getfixturevalue("postgres_url")
    return url


def rank(typed: str, *more: str) -> dict[str, object]:
    """Somebody ranks at the terminal; one key per answer."""
    with mock.patch.object(sys, "stdin", io.StringIO("".join(f"{key}\n" for key in typed))):
        done = juryrank("rank", "things.csv", "--study", "mine", "--seed", "3", "--json", *more)
    assert done.returncode in (0, 3), done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def moved(source: str, target: str, *, format: str = "jsonl", name: str = "mine") -> None:
    """By the commands of docs/votes.md; both print the same head, and the study is gone from where it was."""
    out = juryrank("study", "export", name, "--format", format, "--out", f"moved.{format}", "--storage", source)
    assert out.returncode == 0, out.stderr
    into = juryrank("study", "import", f"moved.{format}", "--name", name, "--storage", target)
    assert into.returncode == 0, into.stderr
    assert into.stdout.partition("Head ")[2][:64] == out.stderr.rpartition("head ")[2].strip()
    assert juryrank("study", "delete", name, "--yes", "--storage", source).returncode == 0


def hashes(storage: str) -> list[str]:
    return [event.hash for event in open_study("mine", storage=storage).events()]


def answered_on_the_server(storage: str, count: int) -> None:
    """The same judge, through the server's door."""
    app = create_app(ServerSettings(storage=storage))
    context = app.state.context
    study = open_study("mine", storage=context.storage)
    _, token = context.vault.issue_token(Scope.JUDGE, study=study.id, judge=study.judges[0])
    who = {"authorization": f"Bearer {token}"}
    with TestClient(app, headers=who) as client:
        for _ in range(count):
            question = client.post(f"/api/v1/studies/{study.id}/ask").json()["question"]
            assert question["left"] in SHOWN  # the whole row, as at the terminal
            answer = {"question": question["id"], "answer": "left"}
            assert client.post(f"/api/v1/studies/{study.id}/tell", json=answer).status_code == 200


@pytest.mark.parametrize("format", quick(["zip", "jsonl"]))
def test_from_the_terminal_to_a_server_and_back(server: str, format: str) -> None:
    rank("112q")
    before = hashes(HERE)
    moved(HERE, server, format=format)
    assert hashes(server)[: len(before)] == before
    answered_on_the_server(server, 2)
    there = hashes(server)
    moved(server, HERE, format=format)
    assert hashes(HERE)[: len(there)] == there
    result = rank("1" * 30, "--out", "result.json")
    assert result["proven"] and hashes(HERE)[: len(there)] == there  # it has gone on, and is proven
    assert juryrank("verify", "result.json").returncode == 0


def head(storage: str) -> dict[str, object]:
    done = juryrank("study", "head", "mine", "--json", "--storage", storage)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_its_key_goes_with_it(server: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A head and a receipt from before the move are found after it, under the same key."""
    rank("112q")
    stated, judge = head(HERE), open_study("mine", storage=HERE).judges[0]
    receipt = juryrank("study", "receipt", "mine", "--judge", judge, "--json")
    code = json.loads(receipt.stdout)["code"]
    moved(HERE, server)
    assert head(server)["key"] != stated["key"]  # another installation, until it has the key
    monkeypatch.setenv("JURYRANK_KEY", str(folder / "juryrank.db.key"))
    assert head(server)["key"] == stated["key"]
    answered_on_the_server(server, 1)
    checked = juryrank("study", "receipt", "mine", "--check", code, "--storage", server)
    assert checked.returncode == 0, checked.stdout
    made = juryrank("study", "certificate", "mine", "--out", "c.json", "--storage", server)
    assert made.returncode == 0, made.stderr
    for more in (["--key", str(stated["key"])], ["--receipt", code]):
        checked = juryrank("verify", "c.json", *more)
        assert checked.returncode in (0, 3) and "FAILED" not in checked.stdout, checked.stdout


def test_a_back_up_comes_back(folder: Path) -> None:
    """The whole file with its key, as docs/deploy.md says: names, answers, and the same key."""
    rank("112q")
    before, key = hashes(HERE), head(HERE)["key"]
    backup = folder / "backup"
    backup.mkdir()
    with sqlite3.connect("juryrank.db") as source, sqlite3.connect(backup / "juryrank.db") as copy:
        source.backup(copy)
    shutil.copy2("juryrank.db.key", backup)
    rank("11q")
    for file in folder.glob("juryrank.db*"):
        os.unlink(file)
    for file in backup.iterdir():
        shutil.copy2(file, folder)
    assert hashes(HERE) == before and head(HERE)["key"] == key
    assert rank("1" * 30)["proven"]


def test_a_move_that_would_lose_something_is_refused(server: str) -> None:
    """A name that is taken, a file that was cut: nothing is written, and the study stays where it was."""
    rank("112q")
    out = juryrank("study", "export", "mine", "--format", "jsonl", "--out", "m.jsonl")
    assert out.returncode == 0
    assert juryrank("study", "import", "m.jsonl", "--name", "mine", "--storage", server).returncode == 0
    taken = juryrank("study", "import", "m.jsonl", "--name", "mine", "--storage", server)
    assert taken.returncode == 2 and "choose another name" in taken.stderr
    lines = Path("m.jsonl").read_bytes().splitlines(keepends=True)
    Path("m.jsonl").write_bytes(b"".join(lines[:2] + lines[3:]))
    broken = juryrank("study", "import", "m.jsonl", "--name", "other", "--storage", server)
    assert broken.returncode == 2 and "missing" in broken.stderr
