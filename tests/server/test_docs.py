"""The examples of docs/server.md run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from tests.server.conftest import ADDRESS

DOCS = Path(__file__).parents[2] / "docs"


def test_the_rest_examples(client: Client, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"<!-- tested -->\n```python\n(.*?)```", (DOCS / "server.md").read_text(), re.S)
    assert len(blocks) == 3
    monkeypatch.setenv("JURYRANK_URL", ADDRESS)
    monkeypatch.setenv("JURYRANK_TOKEN", context.vault.issue_token(Scope.ADMIN)[1])

    def opened(*, base_url: str, headers: dict[str, str]) -> Client:
        return TestClient(client.app, base_url=base_url, headers=headers)  # type: ignore[attr-defined]

    monkeypatch.setattr("httpx.Client", opened)
    names: dict[str, Any] = {}
    exec(blocks[0] + blocks[1], names)
    made, prefer = names["made"], lambda left, right: "left" if left < right else "right"
    for judge in made["judges"]:
        names["judge"](ADDRESS, names["study"], judge["token"], prefer)
    exec(blocks[2], names)
    assert names["ranking"]["order"] == ["summary A", "summary B", "summary C"]
    assert names["ranking"]["proven"]


def test_every_option_of_serve_is_documented() -> None:
    import typer

    from juryrank.cli import build_app

    command = typer.main.get_command(build_app()).commands["serve"]  # type: ignore[attr-defined,arg-type]
    text = "".join((DOCS / page).read_text() for page in ("server.md", "cli.md"))
    for option in command.params:
        assert getattr(option, "hidden", False) or any(name in text for name in option.opts), option.opts
