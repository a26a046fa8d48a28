"""One person with many ballots, or with another's id: what an open link stops, and what it says."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.defaults import PER_ADDRESS
from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.crowd.platforms import Platform, of_preset
from juryrank.storage import MemoryStorage
from juryrank.study import Study
from juryrank.verify import verify
from tests.server.conftest import ADDRESS, JSON, MakeStudy, bearer

SONA = of_preset("sona", finish="https://x.sona-systems.com/c?survey_code=XXXX")


def opened(context: Context, make: MakeStudy, platform: Platform | None = None, **more: Any) -> tuple[Study, str]:
    study, _ = make(ranker="panel", judges=0, items="abcdef", sitting=4)
    if platform:
        context.platforms.save(study.id, platform)
    return study, f"/s/{context.open_links.make(study.id, **more).code}"


def at(client: Client, address: str) -> TestClient:
    """Another machine, without cookies."""
    return TestClient(client.app, base_url=ADDRESS, client=(address, 50_000))  # type: ignore[attr-defined]


def votes(someone: Client, link: str, *, answers: int = 1, **sent: str) -> int:
    """Begin and answer as a new browser would; the status of Start."""
    someone.cookies.clear()
    began = someone.post(f"{link}/begin", data=sent, follow_redirects=False)
    for _ in range(answers if began.status_code == 303 else 0):
        shown = someone.get(f"{link}/next").json()["question"]["id"]
        assert someone.post(f"{link}/answer", json={"question": shown, "answer": "left"}, headers=JSON).is_success
    return began.status_code


def named(study: Study) -> bool:
    return any("network address" in one for one in study.ranking().warnings)


# ---------------------------------------------------------------------------- many ballots (V8)
def test_a_class_gets_in_and_a_hundred_ballots_do_not(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make)
    school, stuffer = at(client, "198.51.100.7"), at(client, "203.0.113.9")
    assert [votes(school, link, answers=0) for _ in range(30)] == [303] * 30
    said = [votes(stuffer, link, answers=0) for _ in range(100)]
    assert said.count(303) == PER_ADDRESS and set(said[PER_ADDRESS:]) == {429}
    assert len(study.judges) == 30 + PER_ADDRESS
    page = stuffer.post(f"{link}/begin", follow_redirects=False)
    assert "at your network address" in page.text and int(page.headers["retry-after"]) > 0
    assert [votes(school, link, answers=0) for _ in range(5)] == [303] * 5  # nobody else is held up


def test_what_came_from_one_address_is_named_beside_the_result(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make)
    stuffer, words = at(client, "203.0.113.9"), "8 of the 10 people who came by the open link began at one network"
    for k in range(2):
        votes(at(client, f"198.51.100.{k}"), link)
    assert not named(study)
    for _ in range(8):
        votes(stuffer, link)
    token = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    said = client.get(f"/api/v1/studies/{study.id}/ranking", headers=token).json()["warnings"]
    assert any(one.startswith(words) for one in said)
    assert words in client.get(f"/api/v1/studies/{study.id}/report", headers=token).text
    session = context.vault.begin_session()[1]
    assert words in client.get(f"/admin/studies/{study.id}", headers={"cookie": f"juryrank={session}"}).text
    study.close()
    document = study.certificate()
    kept = json.dumps(context.storage.notes(study=study.id))
    for text in (
        json.dumps(document),
        kept,
        client.get(f"/api/v1/studies/{study.id}/participants/csv", headers=token).text,
    ):
        assert "203.0.113" not in text
    marks = set(re.findall(r'"network": "([0-9a-f]{32})"', kept))
    assert len(marks) == 3 and not [one for one in marks if one in json.dumps(document)]
    assert verify(document).true
    for judge in study.judges:
        study.judge(judge).erase()
    assert "network" not in json.dumps(context.storage.notes(study=study.id)) and not named(study)


def test_a_certificate_says_that_ballots_came_faster_than_one_reads(
    client: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, link = opened(context, make)
    now, pace = [time.time()], 0.001  # seconds between two looks at the clock

    def ticking(storage: MemoryStorage) -> float:
        now[0] += pace
        return now[0]

    monkeypatch.setattr(MemoryStorage, "now", ticking)
    for _ in range(6):
        votes(client, link, answers=3)
    words = "6 of 6 judges on pages took less than a second for most of their answers"
    assert any(note.startswith(words) for note in verify(study.certificate()).notes)
    pace = 2.0
    for _ in range(6):
        votes(client, link, answers=3)
    said = verify(study.certificate()).notes
    assert any(note.startswith("6 of 12 judges on pages") for note in said), said


def test_the_marks_of_addresses_need_a_key_and_differ_by_study(context: Context) -> None:
    mark = context.networks.mark
    assert mark(1, "203.0.113.9") == mark(1, "203.0.113.9") != mark(2, "203.0.113.9")
    context.storage.set_note("server/network-key", "another")
    assert mark(1, "203.0.113.9") != mark(1, "203.0.113.8")


def test_a_whole_ipv6_network_is_one_address(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make, per_address=3)
    said = [votes(at(client, f"2001:db8::{k:x}:1"), link, answers=0) for k in range(5)]
    assert said == [303, 303, 303, 429, 429] and len(study.judges) == 3
    assert votes(at(client, "2001:db8:0:1::1"), link, answers=0) == 303


@pytest.mark.parametrize(("per_address", "let_in"), [(2, 2), (0, 70)])
def test_the_owner_sets_the_limit(
    client: Client, context: Context, make: MakeStudy, per_address: int, let_in: int
) -> None:
    study, link = opened(context, make)
    token = bearer(context.vault.issue_token(Scope.ADMIN)[1])
    sent = client.put(f"/api/v1/studies/{study.id}/open-link", json={"per_address": per_address}, headers=token)
    assert sent.json()["per_address"] == per_address
    said = [votes(client, link, answers=0) for _ in range(70)]
    assert said.count(303) == let_in == len(study.judges)


# ---------------------------------------------------------------------------- another's id (V9)
def test_whoever_knows_an_id_does_not_enter_as_that_person(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make, SONA)
    ann, mallory = at(client, "198.51.100.7"), at(client, "203.0.113.9")
    assert votes(ann, link, survey_code="1041") == 303
    before = study.log.seq
    assert "You have begun elsewhere" in mallory.get(f"{link}?survey_code=1041").text
    for sent in ({}, {"device": "x" * 32}, {"device": ""}):
        reply = mallory.post(f"{link}/begin", data={"survey_code": "1041", **sent}, follow_redirects=False)
        assert reply.status_code == 200 and "set-cookie" not in reply.headers
        assert "You have begun elsewhere" in reply.text
        for act in ("next", "undo", "answer", "return"):
            assert mallory.post(f"{link}/{act}", headers=JSON).status_code == 403
    assert study.log.seq == before and len(study.judges) == 1
    assert ann.post(f"{link}/undo", headers=JSON).is_success  # who has the place keeps it


def test_the_return_link_brings_them_to_another_device(client: Client, context: Context, make: MakeStudy) -> None:
    study, link = opened(context, make, SONA)
    ann, phone = at(client, "198.51.100.7"), at(client, "203.0.113.9")
    votes(ann, link, survey_code="1041")
    assert "Go on with another device" in ann.get(link).text
    first = ann.get(f"{link}/next").json()["question"]["id"]
    pages = [ann.post(f"{link}/return").text for _ in range(2)]
    old, new = (re.findall(rf"{ADDRESS}(/j/[\w-]+)", page)[0] for page in pages)
    assert phone.get(old).status_code == 404  # replaced by the newer one
    assert phone.get(f"{new}/next").json()["question"]["id"] == first
    sent = {"question": first, "answer": "right"}
    assert phone.post(f"{new}/answer", json=sent, headers=JSON).json()["says"] == "Saved."
    assert (
        ann.get(f"{link}/next").status_code == 200 and len(study.judges) == 1
    )  # the first device goes on as well


def test_start_pressed_twice_is_one_person_even_if_the_first_reply_was_lost(
    client: Client, context: Context, make: MakeStudy
) -> None:
    study, link = opened(context, make, SONA)
    page = client.get(f"{link}?survey_code=1041").text
    sent = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', page))
    assert len(sent["device"]) >= 32 and sent["survey_code"] == "1041"
    for _ in range(2):
        client.cookies.clear()
        assert client.post(f"{link}/begin", data=sent, follow_redirects=False).status_code == 303
        assert client.get(f"{link}/next").json()["question"]
    assert len(study.judges) == 1
    assert sent["device"] not in json.dumps(context.storage.notes(study=study.id))  # a hash of it is kept
