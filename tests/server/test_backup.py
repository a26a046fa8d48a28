"""Back-up and restore as docs/deploy.md says, while answers come in; the server as a program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from juryrank.server.access.vault import LINK
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.study import create_study, list_studies
from tests.commands import juryrank
from tests.postgres import Server


def _filled(url: str) -> tuple[Context, int, str]:
    context = Context.open(ServerSettings(storage=url))
    draft = StudyDraft("kept", [NewItem(c) for c in "abcd"], [NewJudge("ann")], ranker="panel", seed=1)
    study = make_study(context.open_studies, draft)
    return context, study.id, context.vault.issue_link(study.id, study.judges[0])


def _answer(context: Context, number: int) -> None:
    study = context.open_studies.study(number)
    question = study.ask(study.judges[0])
    assert question is not None
    study.tell(question.id, side="left")


@pytest.mark.parametrize("program", ["sqlite3", "python3"])
def test_sqlite_backup_while_in_use(tmp_path: Path, program: str) -> None:
    """By the commands of docs/deploy.md."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not here")
    context, number, secret = _filled(f"sqlite:///{tmp_path}/jury.db")
    _answer(context, number)
    lines = (Path(__file__).parents[2] / "docs" / "deploy.md").read_text().splitlines()
    command = next(line for line in lines if line.startswith(program) and "backup" in line).partition("   #")[0]
    for theirs in ("/var/lib/juryrank/juryrank.db", " juryrank.db"):
        command = command.replace(theirs, f" {tmp_path}/jury.db")
    command = command.replace("/backup/juryrank.db", f"{tmp_path}/backup.db")
    subprocess.run(command.replace(" backup.db", f" {tmp_path}/backup.db"), shell=True, check=True, cwd=tmp_path)
    _answer(context, number)  # after the copy: not in it
    restored = Context.open(ServerSettings(storage=f"sqlite:///{tmp_path}/backup.db"))
    assert restored.open_studies.study(number).progress().answers == 1
    assert restored.vault.holder(LINK, secret) is not None
    _answer(restored, number)
    assert restored.open_studies.study(number).progress().answers == 2


@pytest.mark.postgres
def test_postgresql_dump_and_restore(postgres_server: Server) -> None:
    url, empty = (_database(postgres_server, name) for name in ("used", "empty"))
    context, number, secret = _filled(url)
    _answer(context, number)
    programs = postgres_server.programs
    dump = subprocess.run([programs / "pg_dump", url], check=True, capture_output=True).stdout
    subprocess.run([programs / "psql", "-q", empty], input=dump, check=True, capture_output=True)
    restored = Context.open(ServerSettings(storage=empty))
    assert restored.open_studies.study(number).progress().answers == 1
    assert restored.vault.holder(LINK, secret) is not None
    _answer(restored, number)


def _database(server: Server, name: str) -> str:
    name = f"{name}_{os.getpid()}"
    with server.connect() as admin:
        admin.execute(f'CREATE DATABASE "{name}"')
    return f"postgresql://juryrank@/{name}?host={server.home}"


def _serve(folder: Path, *more: str, password: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "juryrank", "serve", "--port", "0", *more]
    environment = {**os.environ, "JURYRANK_PASSWORD": password}
    return subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_the_demonstration_prints_links_that_work(tmp_path: Path) -> None:
    create_study(["a", "b"], name="mine", storage=f"sqlite:///{tmp_path}/juryrank.db")
    process = _serve(tmp_path, "--demo", "--proxy", "127.0.0.1")
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(8)]
        assert lines[0].startswith("admin: http://127.0.0.1:") and "/login#" in lines[0]
        judges = [line.rpartition(" ")[2] for line in lines if line.startswith("judge ")]
        assert len(judges) == 3 and "/j/" in judges[0]
        assert httpx.get(judges[0], timeout=60).status_code == 200
        assert httpx.get(judges[0].partition("/j/")[0] + "/healthz", timeout=60).json()["status"] == "ok"
        behind_tls = httpx.get(judges[0].partition("/j/")[0] + "/login", headers={"X-Forwarded-Proto": "https"})
        assert "secure" in behind_tls.headers["set-cookie"].lower()  # the proxy that was named is believed
        assert "strict-transport-security" in behind_tls.headers
        assert "juryrank serve --lan" in lines[-3]  # which others cannot open yet
        assert lines[-2:] == [f"data: {tmp_path / 'juryrank-demo.db'}", "stop: Ctrl-C"]
        assert [row.name for row in list_studies(storage=f"sqlite:///{tmp_path}/juryrank.db")] == ["mine"]
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.parametrize(
    ("wish", "needed"), [(("--host", "0.0.0.0"), "password"), (("--workers", "2"), "PostgreSQL")]
)
def test_it_refuses_what_would_not_be_safe(
    wish: tuple[str, str], needed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JURYRANK_PASSWORD", "")
    refused = juryrank("serve", "--port", "0", *wish)
    assert refused.returncode == 2 and needed in refused.stderr and "Traceback" not in refused.stderr
