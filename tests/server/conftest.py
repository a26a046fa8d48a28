"""A server in this process, on a storage of its own, and people who use it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from unittest import mock

import pytest

pytest.importorskip("fastapi")
from argon2 import PasswordHasher
from httpx import Client
from starlette.testclient import TestClient

from juryrank.server.access import vault as secrets
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.server.studies import advice
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.server.studies.setup import Setup
from juryrank.simulation.planning.people import PeoplePlan, plan_people
from juryrank.storage import MemoryStorage
from juryrank.study import Study

ADDRESS = "http://jury.test"
JSON = {"accept": "application/json"}
PASSWORD = "correct horse battery"


@pytest.fixture(scope="session")
def settings() -> ServerSettings:
    return ServerSettings(
        judge_per_second=1000,
        judge_burst=1000,
        address_per_second=10_000,
        address_burst=10_000,
        wrong_per_minute=1000,
    )


@pytest.fixture(scope="session")
def served(settings: ServerSettings) -> Iterator[TestClient]:
    app = create_app(settings, storage=MemoryStorage())
    with TestClient(app, base_url=ADDRESS, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(served: TestClient, settings: ServerSettings) -> Client:
    """The server with nothing in it (what databases do is tested in tests/storage)."""
    served.app.state.context = Context.open(settings, MemoryStorage())  # type: ignore[attr-defined]
    served.cookies.clear()
    return served


@pytest.fixture
def context(client: Client) -> Context:
    return client.app.state.context  # type: ignore[attr-defined,no-any-return]


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hashes of the same kind as the server's, which are made to take long."""
    with mock.patch.object(secrets, "_hasher", return_value=PasswordHasher(time_cost=1, memory_cost=64)):
        yield


@pytest.fixture
def few_runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., PeoplePlan]]:
    """What `juryrank plan` computes and the server's advice rests on, from 4 simulated panels instead of 20."""
    plan = partial(plan_people, runs=4)
    monkeypatch.setattr(advice, "plan_people", plan)
    monkeypatch.setattr(advice, "FORECAST_SECONDS", 600.0)
    advice.planned.cache_clear()
    yield plan
    advice.planned.cache_clear()


@pytest.fixture
def make(context: Context) -> MakeStudy:
    return MakeStudy(context)


class MakeStudy:
    """Studies with links, in one line."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.number = 0

    def __call__(
        self,
        *,
        items: str = "abcde",
        judges: int = 2,
        name: str = "",
        ranker: str = "certified",
        setup: Setup | None = None,
        **more: object,
    ) -> tuple[Study, list[str]]:
        self.number += 1
        draft = StudyDraft(
            name or f"study {self.number}",
            [NewItem(name) for name in items],
            [NewJudge(f"judge {k}") for k in range(judges)],
            ranker=ranker,
            seed=7,
            setup=setup or Setup(),
            **{"error": 0.25, "fresh": True if ranker == "certified" else None, **more},  # type: ignore[arg-type]
        )
        made = make_study(self.context.open_studies, draft)
        study = self.context.open_studies.study(made.id)
        return study, [f"/j/{self.context.vault.issue_link(study.id, judge)}" for judge in study.judges]


@pytest.fixture
def admin(client: Client, context: Context) -> Client:
    """A browser that is logged in."""
    _, token = context.vault.issue_token(Scope.ADMIN)
    login(client, token)
    return client


def login(client: Client, secret: str) -> None:
    page = client.get("/login")
    answer = client.post("/login", data={"secret": secret, "form_token": form_token(page.text)})
    assert answer.status_code == 200, answer.text
    assert answer.url.path == "/admin"


def form_token(html: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', html)
    assert found, html
    return found[1]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
