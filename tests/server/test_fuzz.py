"""Fuzzed by its own OpenAPI document, with and without a token: no 5xx, nothing the document does not announce."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

schemathesis = pytest.importorskip("schemathesis")
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from juryrank.server.app import create_app  # noqa: E402
from juryrank.server.settings import ServerSettings  # noqa: E402
from juryrank.server.vault import Scope  # noqa: E402
from juryrank.storage import MemoryStorage  # noqa: E402
from tests.server.conftest import MakeStudy, bearer  # noqa: E402

BIG = 1e9
APP = create_app(
    ServerSettings(
        address_per_second=BIG, address_burst=BIG, judge_per_second=BIG, judge_burst=BIG, wrong_per_minute=BIG
    ),
    storage=MemoryStorage(),
)
OFFICE = APP.state.office
MAKE = MakeStudy(OFFICE)
STUDIES = [MAKE(judges=2)[0] for _ in range(2)]
TOKENS = {
    "admin": OFFICE.vault.issue_token(Scope.ADMIN)[1],
    "judge": OFFICE.vault.issue_token(Scope.JUDGE, study=STUDIES[0].id, judge=STUDIES[0].judges[0])[1],
    "none": "",
}
SCHEMA = schemathesis.openapi.from_asgi("/api/openapi.json", APP).exclude(path_regex="/events$")
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def _run(case: Any, who: str) -> None:
    headers = bearer(TOKENS[who]) if TOKENS[who] else {}
    study = case.path_parameters.get("study") if case.path_parameters else None
    if study is not None and case.method != "DELETE":
        case.path_parameters["study"] = 1 + (hash(str(study)) % 3)  # mostly a study that exists
    response = case.call(headers=headers)
    case.validate_response(response, checks=CHECKS)
    if who == "none":
        assert response.status_code in (401, 422, 405, 404, 400), response.status_code


# How many examples a route: an intruder's are refused before anything is read, so one will do.
EXAMPLES = {"admin": 3, "judge": 1, "none": 1}


def operations() -> list[Any]:
    """Every route of the document, each its own test."""
    return [found.ok() for found in SCHEMA.get_all_operations()]


@pytest.mark.parametrize("who", TOKENS)
@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.label.replace("/", "|"))
def test_any_request_gets_an_announced_reply(operation: Any, who: str) -> None:
    @settings(
        max_examples=EXAMPLES[who],
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy())
    def fuzz(case: Any) -> None:
        _run(case, who)

    fuzz()
