"""Fuzzed by its own OpenAPI document, with every kind of token: no 5xx, nothing the document does not announce."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, Phase, given, settings

schemathesis = pytest.importorskip("schemathesis")
from schemathesis import GenerationMode  # noqa: E402
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from juryrank.server.access.vault import Scope  # noqa: E402
from juryrank.server.app import create_app  # noqa: E402
from juryrank.server.dashboard.news import Live  # noqa: E402
from juryrank.server.settings import ServerSettings  # noqa: E402
from juryrank.storage import MemoryStorage  # noqa: E402
from tests.quick import quick  # noqa: E402
from tests.server.conftest import MakeStudy, bearer  # noqa: E402

BIG = 1e9
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
REFUSED = {"none": {400, 401, 404, 405, 422}}  # what somebody without a token may be told


class FirstNews(Live):
    """The events stream, which has no end by itself, read up to its first message."""

    async def stream(self, number: int, **more: Any) -> AsyncIterator[bytes]:
        news = super().stream(number, **more)
        yield await anext(news)
        await news.aclose()  # type: ignore[attr-defined]


APP = create_app(
    ServerSettings(
        address_per_second=BIG, address_burst=BIG, judge_per_second=BIG, judge_burst=BIG, wrong_per_minute=BIG
    ),
    storage=MemoryStorage(),
)
OFFICE = APP.state.context = replace(APP.state.context, live=FirstNews(APP.state.context.open_studies))
MAKE = MakeStudy(OFFICE)
STUDIES = [MAKE(judges=2)[0] for _ in range(2)]
JUDGES = STUDIES[0].judges
TOKENS = {
    "admin": OFFICE.vault.issue_token(Scope.ADMIN)[1],
    "judge": OFFICE.vault.issue_token(Scope.JUDGE, study=STUDIES[0].id, judge=JUDGES[0])[1],
    "read": OFFICE.vault.issue_token(Scope.READ)[1],
    "none": "",
}
SCHEMA = schemathesis.openapi.from_asgi("/api/openapi.json", APP)


def _sensible(case: Any) -> None:
    """Mostly studies, judges and questions that exist: random ones get no further than "unknown"."""
    lot = crc32(repr((case.path_parameters, case.body)).encode("utf-8", "surrogatepass"))
    path = case.path_parameters or {}
    if "study" in path and case.method != "DELETE":
        path["study"] = 1 + lot % 3
    if "judge" in path and lot % 5:
        path["judge"] = JUDGES[lot % 2]
    if isinstance(case.body, dict) and lot % 2:
        case.body.update({"question": str(1 + lot % 7)} if "question" in case.body else {})
        case.body.update({"judge": JUDGES[lot % 2]} if case.body.get("judge") else {})


def _fuzz(operation: Any, who: str, *, examples: int, mode: Any = GenerationMode.POSITIVE) -> None:
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def fuzz(case: Any) -> None:
        if mode is GenerationMode.POSITIVE:
            _sensible(case)
        response = case.call(headers=bearer(TOKENS[who]) if TOKENS[who] else {})
        case.validate_response(response, checks=CHECKS)
        assert response.status_code in REFUSED.get(who, {response.status_code}), response.status_code

    fuzz()


def operations() -> list[Any]:
    """Every route of the document, each its own test."""
    return [found.ok() for found in SCHEMA.get_all_operations()]


every_route = pytest.mark.parametrize(
    "operation", operations(), ids=lambda operation: operation.label.replace("/", "|")
)


# How many examples a route: an intruder's are refused before anything is read, so one will do.
EXAMPLES = {"admin": 2, "none": 1, "judge": 1, "read": 1}


@pytest.mark.parametrize(("who", "examples"), quick(EXAMPLES.items(), ("admin", 2), ("none", 1)))
@every_route
def test_any_request_gets_an_announced_reply(operation: Any, who: str, examples: int) -> None:
    _fuzz(operation, who, examples=examples)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["fitting", "unfitting"])
@pytest.mark.parametrize("who", TOKENS)
@every_route
def test_any_request_at_length(operation: Any, who: str, mode: Any) -> None:
    try:
        _fuzz(operation, who, examples=60, mode=mode)
    except Exception as problem:
        if "unsatisfiable" not in type(problem).__name__.lower():  # a route without input has no unfitting one
            raise
