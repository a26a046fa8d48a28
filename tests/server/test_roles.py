"""Running a study together: invitations, owners and viewers, links shown again, names, two who edit."""

from __future__ import annotations

import re

import pytest
from httpx import Client
from starlette.testclient import TestClient

from juryrank.server.access.vault import LINK, Scope
from juryrank.server.context import Context
from tests.server.conftest import ADDRESS, MakeStudy, bearer, form_token
from tests.server.test_dashboard import links_in, send


@pytest.fixture
def friend(client: Client) -> Client:
    """Another browser."""
    return TestClient(client.app, base_url=ADDRESS, raise_server_exceptions=False)  # type: ignore[attr-defined]


def invited(admin: Client, study: int, role: str) -> str:
    shown = send(admin, f"/admin/studies/{study}/share/invite", role=role, label="Bea")
    return re.findall(r"/i/[\w-]+", shown.text)[0]


def test_a_second_owner_runs_one_study(admin: Client, make: MakeStudy, friend: Client) -> None:
    (study, _), (other, _) = make(name="Essays"), make(name="Posters")
    link = invited(admin, study.id, "owner")
    assert link in admin.get(f"/admin/studies/{study.id}/share").text  # shown again
    offer = friend.get(link)
    assert "an owner" in offer.text and "Essays" in offer.text
    taken = friend.post(link, data={"name": "Bea <b>"})
    key = re.findall(r"/login#([\w-]+)", taken.text)[0]
    base = f"/admin/studies/{study.id}"
    assert (
        send(friend, f"{base}/rename", name="Essays of 2026").status_code == 200 and study.name == "Essays of 2026"
    )
    assert friend.get(f"/admin/studies/{other.id}").status_code == 403
    assert friend.get("/admin/tokens").status_code == friend.get("/admin/new").status_code == 403
    assert "Posters" not in friend.get("/admin").text
    again = friend.post(link, data={"name": "Eve"})
    assert again.status_code == 404 and "accepted" in again.text  # an invitation works once
    friend.cookies.clear()
    page = friend.get("/login")
    back = friend.post("/login", data={"secret": key, "form_token": form_token(page.text)})
    assert back.url.path == base and "Close the study" in back.text  # a key for one study logs in, and leads there
    share = admin.get(f"{base}/share").text
    assert "Bea &lt;b&gt;" in share and link not in share
    (number,) = re.findall(r'/share/remove".*?name="credential" value="(\d+)"', share, re.S)
    send(admin, f"{base}/share/remove", credential=number)
    assert friend.get(base, follow_redirects=False).status_code == 303  # logged out at once


def test_a_viewer_looks(admin: Client, make: MakeStudy, friend: Client) -> None:
    study, _ = make(ranker="panel", judges=3, sitting=6)
    friend.post(invited(admin, study.id, "viewer"), data={"name": "Vic"})
    base = f"/admin/studies/{study.id}"
    assert f"{base}/share" not in friend.get(base).text  # nothing is offered that is refused
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, min(question.left, question.right), response_time=0.1)
    assert "judge 1" in admin.get(base).text and "judge 1" in admin.get(f"{base}/part").text
    for path in ("", "/part", "/text", "/data?reliability=yes", "/ranking/json", "/export/csv", "/report"):
        seen = friend.get(f"{base}{path}")
        assert seen.status_code == 200 and "judge 1" not in seen.text, path  # who judged is for owners
    assert f"{base}/marks" not in friend.get(base).text and f"{base}/board" not in friend.get(base).text
    assert friend.get(base).status_code == friend.get(f"{base}/data").status_code == 200
    for tab in ("share", "settings", "judges", "items", "participants/csv", "preview"):
        refused = friend.get(f"{base}/{tab}")
        assert refused.status_code == 403 and "look at this study, not change it" in refused.text, tab
    token = form_token(friend.get(base).text)
    assert friend.post(f"{base}/close", data={"form_token": token}).status_code == 403 and not study.closed


def test_a_withdrawn_invitation(admin: Client, make: MakeStudy, friend: Client) -> None:
    study, _ = make()
    link = invited(admin, study.id, "viewer")
    share = admin.get(f"/admin/studies/{study.id}/share").text
    (number,) = re.findall(r'/share/uninvite".*?name="credential" value="(\d+)"', share, re.S)
    other, _ = make()
    send(
        admin, f"/admin/studies/{other.id}/share/uninvite", credential=number
    )  # of another study: nothing happens
    assert friend.get(link).status_code == 200
    send(admin, f"/admin/studies/{study.id}/share/uninvite", credential=number)
    gone = friend.get(link)
    assert gone.status_code == 404 and "ask for a new invitation" in gone.text
    assert send(admin, f"/admin/studies/{study.id}/share/invite", role="king").status_code == 422


def test_an_owner_who_opens_an_invitation_loses_nothing(admin: Client, make: MakeStudy, context: Context) -> None:
    study, _ = make()
    link = invited(admin, study.id, "viewer")
    assert admin.get(link).url.path == f"/admin/studies/{study.id}"
    assert len(context.vault.invitations(study.id)) == 1  # it still waits for whom it is meant


def test_links_are_shown_again_and_switched_off(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    base = f"/admin/studies/{study.id}"
    assert links_in(admin.get(f"{base}/share").text) == links
    shown = send(admin, f"{base}/judges/unlink", judge=study.judges[0])
    assert links_in(shown.text) == links[1:] and admin.get(links[0]).status_code == 404
    replaced = links_in(send(admin, f"{base}/judges/link", judge=study.judges[0]).text)
    assert len(replaced) == 2 and links[0] not in replaced
    for link in replaced:
        assert admin.get(link).status_code == 200
    whole = repr(context.storage._notes) + repr(context.storage._credentials)  # type: ignore[attr-defined]
    assert not [one for one in (*links, *replaced) if one.removeprefix("/j/") in whole]  # sealed, not as they are


def test_links_sealed_with_a_lost_key_are_not_shown(admin: Client, make: MakeStudy, context: Context) -> None:
    study, links = make()
    context.storage.set_note("server/seal-key", "another one")
    later = Context.open(context.settings, context.storage)
    assert later.vault.links(study.id) == {}
    assert later.vault.holder(LINK, links[0].removeprefix("/j/")) is not None  # they still work


def test_names_that_cannot_be_given(admin: Client, make: MakeStudy, context: Context) -> None:
    (study, _), (other, _) = make(name="Wines"), make(name="Teas")
    base = f"/admin/studies/{study.id}"
    for name, words in (("Teas", "already"), ("   ", "name"), ("x" * 10_000, "at most 200")):
        refused = send(admin, f"{base}/rename", name=name)
        assert refused.status_code == 422 and words in refused.text, name[:10]
    rtl = "\u202eأسماء <b>\"'"
    assert send(admin, f"{base}/rename", name=rtl).status_code == 200
    assert "&lt;b&gt;" in admin.get(base).text and "<b>" not in admin.get(base).text
    for path in (base, "/admin"):  # what turns the direction of text stays within the name
        page = admin.get(path).text
        assert "\u202e" not in page.partition("</title>")[0]
        named = [found for found in re.findall(r"<(h\d[^>]*)>(?:<a[^>]*>)?([^<]*)", page) if "\u202e" in found[1]]
        assert named and all('dir="auto"' in tag for tag, _ in named), path
    token = context.vault.issue_token(Scope.ADMIN, study=study.id)[1]
    told = admin.patch(f"/api/v1/studies/{study.id}", json={"name": "Red <wines>"}, headers=bearer(token))
    assert told.json()["name"] == "Red <wines>" and "Red &lt;wines&gt;" in admin.get(base).text
    taken = admin.patch(f"/api/v1/studies/{study.id}", json={"name": "Teas"}, headers=bearer(token))
    assert taken.status_code == 409 and other.name == "Teas"


def test_two_owners_who_edit_at_once_lose_nothing(admin: Client, make: MakeStudy, context: Context) -> None:
    study, _ = make()
    path = f"/admin/studies/{study.id}/settings"
    seen = re.findall(r'name="seen" value="(\w+)"', admin.get(path).text)[0]
    fields = {"ties": "yes", "lease": "600", "seen": seen}
    assert send(admin, path, question="Warmer?", **fields).status_code == 200
    late = send(admin, path, question="Colder?", **fields)
    assert late.status_code == 409 and "Another owner" in late.text
    assert 'value="Colder?"' in late.text and "“Warmer?”" in late.text  # both can be read
    assert context.open_studies.setup(study.id).question == "Warmer?"
    fields["seen"] = re.findall(r'name="seen" value="(\w+)"', late.text)[0]
    assert send(admin, path, question="Colder?", **fields).status_code == 200
    assert context.open_studies.setup(study.id).question == "Colder?"


def test_share_says_in_red_who_cannot_open_it(admin: Client, make: MakeStudy) -> None:
    study, _ = make()
    path = f"/admin/studies/{study.id}/share"
    assert "Only this computer" not in admin.get(path).text
    for host in ("127.0.0.1:8000", "localhost"):
        page = admin.get(path, headers={"host": host}).text
        assert "juryrank serve --lan" in page and "Only this computer" in page
