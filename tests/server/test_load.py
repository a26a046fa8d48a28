"""A small crowd at once: nothing lost or doubled, no 5xx, with listeners (speed: benchmarks/serve.py)."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest
import uvicorn

from benchmarks import serve
from juryrank.server.app import create_app
from juryrank.server.settings import ServerSettings
from juryrank.server.vault import Scope
from juryrank.study import create_study


def test_a_crowd_and_its_listeners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "THINKING", (0.05, 0.3))
    monkeypatch.setattr(serve, "ARRIVING", 0.5)
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db", judge_per_second=100))
    office = app.state.office
    names = [f"judge {k}" for k in range(20)]
    study = create_study("abcdefgh", name="crowd", judges=names, ranker="panel", storage=office.storage, seed=1)
    links = office.vault.issue_links(study.id, names)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    seen = asyncio.run(
        serve.crowd(
            [f"{address}/j/{secret}" for secret in links.values()],
            3.0,
            events=f"{address}/api/v1/studies/{study.id}/events",
            token=office.vault.issue_token(Scope.READ)[1],
            listeners=10,
        )
    )
    server.should_exit = True
    thread.join(timeout=20)
    assert seen.failures == [] and len(seen.told) > 5
    assert serve.checked(study, seen) == (0, 0)
