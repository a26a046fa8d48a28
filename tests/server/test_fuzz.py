"""Fuzzed by its own OpenAPI document, with every kind of token: no 5xx, nothing the document does not announce."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import pytest

from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.dashboard.news import Live
from juryrank.server.settings import ServerSettings
from juryrank.storage import MemoryStorage
from tests.quick import quick
from tests.server.conftest import MakeStudy, bearer
from tests.server.test_routes import ROUTES

pytestmark = pytest.mark.xdist_group("fuzz")  # what it needs takes seconds to import, and is imported once
BIG = 1e9
REFUSED = {"none": {400, 401, 404, 405, 422}}  # what somebody without a token may be told
CALLERS = ("admin", "judge", "read", "none")
OPERATIONS = [f"{method} {path}" for method, path in ROUTES if path.startswith("/api/v1")]


class FirstNews(Live):
    """The events stream, which has no end by itself, read up to its first message."""

    async def stream(self, number: int, **more: Any) -> AsyncIterator[bytes]:
        news = super().stream(number, **more)
        yield await anext(news)
        await news.aclose()  # type: ignore[attr-defined]


@dataclass(frozen=True)
class Target:
    """A server with two studies, its document and who may call it."""

    operations: dict[str, Any]
    judges: list[str]
    tokens: dict[str, str]


@pytest.fixture(scope="module")
def target() -> Target:
    schemathesis = pytest.importorskip("schemathesis")
    limits = dict.fromkeys(("address_per_second", "address_burst", "judge_per_second", "judge_burst"), BIG)
    app = create_app(ServerSettings(wrong_per_minute=BIG, **limits), storage=MemoryStorage())
    context = app.state.context = replace(app.state.context, live=FirstNews(app.state.context.open_studies))
    make = MakeStudy(context)
    study, _ = (make(judges=2)[0] for _ in range(2))
    issue = context.vault.issue_token
    tokens = {
        "admin": issue(Scope.ADMIN)[1],
        "judge": issue(Scope.JUDGE, study=study.id, judge=study.judges[0])[1],
        "read": issue(Scope.READ)[1],
        "none": "",
    }
    found = schemathesis.openapi.from_asgi("/api/openapi.json", app).get_all_operations()
    return Target({one.ok().label: one.ok() for one in found}, list(study.judges), tokens)


def test_every_route_is_played(target: Target) -> None:
    assert sorted(target.operations) == sorted(OPERATIONS)


def _sensible(case: Any, judges: list[str]) -> None:
    """Mostly studies, judges and questions that exist: random ones get no further than "unknown"."""
    lot = crc32(repr((case.path_parameters, case.body)).encode("utf-8", "surrogatepass"))
    path = case.path_parameters or {}
    if "study" in path and case.method != "DELETE":
        path["study"] = 1 + lot % 3
    if "judge" in path and lot % 5:
        path["judge"] = judges[lot % 2]
    if isinstance(case.body, dict) and lot % 2:
        case.body.update({"question": str(1 + lot % 7)} if "question" in case.body else {})
        case.body.update({"judge": judges[lot % 2]} if case.body.get("judge") else {})


def _fuzz(target: Target, label: str, who: str, *, examples: int, fitting: bool = True) -> None:
    from hypothesis import HealthCheck, Phase, given, settings
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conform = (
        checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance
    )  # fmt: skip
    mode = GenerationMode.POSITIVE if fitting else GenerationMode.NEGATIVE
    token = target.tokens[who]

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=target.operations[label].as_strategy(generation_mode=mode))
    def fuzz(case: Any) -> None:
        if fitting:
            _sensible(case, target.judges)
        response = case.call(headers=bearer(token) if token else {})
        case.validate_response(response, checks=[not_a_server_error, *conform])
        assert response.status_code in REFUSED.get(who, {response.status_code}), response.status_code

    fuzz()


every_route = pytest.mark.parametrize("route", OPERATIONS, ids=lambda route: route.replace("/", "|"))


# How many examples a route: an intruder's are refused before anything is read, so one will do.
EXAMPLES = {"admin": 2, "none": 1, "judge": 1, "read": 1}


@pytest.mark.parametrize(("who", "examples"), quick(EXAMPLES.items(), ("admin", 2), ("none", 1)))
@every_route
def test_any_request_gets_an_announced_reply(target: Target, route: str, who: str, examples: int) -> None:
    _fuzz(target, route, who, examples=examples)


@pytest.mark.slow
@pytest.mark.parametrize("fitting", [True, False], ids=["fitting", "unfitting"])
@pytest.mark.parametrize("who", CALLERS)
@every_route
def test_any_request_at_length(target: Target, route: str, who: str, fitting: bool) -> None:
    try:
        _fuzz(target, route, who, examples=60, fitting=fitting)
    except Exception as problem:
        if "unsatisfiable" not in type(problem).__name__.lower():  # a route without input has no unfitting one
            raise
