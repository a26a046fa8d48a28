"""Receipts on the judge's page and the public page of heads."""

from __future__ import annotations

import json
import re

import pytest
from httpx import Client

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.study.signing import SETTING
from tests.server.conftest import MakeStudy, bearer


@pytest.fixture(autouse=True)
def key(tmp_path, monkeypatch):
    monkeypatch.setenv(SETTING, str(tmp_path / "server.key"))


def test_a_judge_keeps_a_receipt_and_anybody_finds_it(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    link, judge = links[0], study.judges[0]
    question = study.ask(judge)
    study.tell(question.id, side="left", judge=judge)
    kept = client.get(f"{link}/receipt")
    assert kept.status_code == 200 and kept.headers["content-type"].startswith("text/plain")
    code = re.search(r"Receipt (\S+)", kept.text).group(1)  # type: ignore[union-attr]
    study.ask(study.judges[1])  # the log grows on
    client.cookies.clear()
    page = client.get(f"/heads/{study.id}", params={"receipt": code.lower()}).text
    assert "In the log: event" in page and study.log.head().head in page and study.log.head().key in page
    assert judge not in page and question.left not in re.sub(r"<[^>]+>", " ", page).split()
    assert "Not in the log" in client.get(f"/heads/{study.id}", params={"receipt": f"2{code[1:]}"}).text
    assert "is no receipt" in client.get(f"/heads/{study.id}", params={"receipt": "<script>"}).text
    assert "<script>alert" not in client.get(f"/heads/{study.id}", params={"receipt": "<script>alert(1)"}).text
    assert client.get("/heads/77").status_code == 404


def test_heads_stated_before_are_listed_and_looking_adds_none(client: Client, make: MakeStudy) -> None:
    study, _ = make()
    assert "Stated before" not in client.get(f"/heads/{study.id}").text
    study.certificate()
    page = client.get(f"/heads/{study.id}").text
    assert "Stated before" in page and study.log.head().head[:16] in page and "not in the log any more" not in page
    (kept,) = [json.loads(line) for line in client.get(f"/heads/{study.id}/all").text.splitlines()]
    assert (kept["seq"], kept["head"], kept["in_log"]) == (1, study.log.head().head, True) and len(
        kept["signature"]
    ) == 128
    study.ask(study.judges[0])
    client.get(f"/heads/{study.id}")
    assert len(study.log.past_heads()) == 1


def test_programs_get_heads_and_receipts(client: Client, make: MakeStudy, context: Context) -> None:
    study, _ = make()
    admin = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    base = f"/api/v1/studies/{study.id}"
    head = client.get(f"{base}/head", headers=admin).json()
    assert head["head"] == study.log.head().head and len(head["signature"]) == 128
    own = bearer(context.vault.issue_token(Scope.JUDGE, study=study.id, judge=study.judges[0])[1])
    made = client.get(f"{base}/receipt", headers=own).json()
    assert (
        made["judge"] == study.judges[0] and made["code"] in made["text"] and made["head"]["seq"] == study.log.seq
    )
    assert client.get(f"{base}/receipt", headers=admin).json()["judge"] == "everybody"
    assert client.get(f"{base}/receipt", params={"judge": study.judges[1]}, headers=own).status_code == 403


def test_the_end_of_the_judges_page_offers_it(client: Client, make: MakeStudy) -> None:
    _, links = make()
    client.post(f"{links[0]}/begin")
    assert f'href="{links[0]}/receipt"' in client.get(links[0]).text
