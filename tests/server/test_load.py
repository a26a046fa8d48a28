"""A small crowd at once: nothing lost or doubled, no 5xx, with listeners (speed: benchmarks/serve)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from benchmarks.serve import crowd

from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.settings import ServerSettings
from juryrank.study import create_study
from tests.serving import serving


def test_a_crowd_and_its_listeners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "THINKING", (0.05, 0.3))
    monkeypatch.setattr(crowd, "ARRIVING", 0.5)
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db", judge_per_second=100))
    context = app.state.context
    names = [f"judge {k}" for k in range(12)]
    study = create_study("abcdefgh", name="crowd", judges=names, ranker="panel", storage=context.storage, seed=1)
    links = context.vault.issue_links(study.id, names)
    with serving(app) as address:
        events, token = f"{address}/api/v1/studies/{study.id}/events", context.vault.issue_token(Scope.READ)[1]
        listening = crowd.Listening(events, token, listeners=10, block=0.6)
        addresses = [f"{address}/j/{secret}" for secret in links.values()]
        seen = asyncio.run(crowd.crowd(addresses, 4.0, listening=listening))
    assert seen.failures == [] and seen.told
    assert crowd.checked(study, seen) == (0, 0)
    assert listening.heard >= 10
