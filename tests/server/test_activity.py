"""Activity says what happened: every act of an owner, on pages and in the API; nothing where there was none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from httpx import Client, Response
from starlette.testclient import TestClient

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.study import Study
from tests.server.conftest import ADDRESS, MakeStudy, bearer, form_token
from tests.server.test_dashboard import confirmed, new
from tests.server.test_routes import HARMLESS, ROUTES, Who

TABLE = ("teas.csv", b"id,content\ntea,green leaves\nmilk,white\n")


class Owner:
    """Does things on the pages and through the API, and reads what Activity says about them."""

    def __init__(self, admin: Client, context: Context, make: MakeStudy) -> None:
        self.admin, self.context = admin, context
        self.study, _ = make(ranker="panel", items="abcdef", judges=2)
        self.pages, self.api = f"/admin/studies/{self.study.id}", f"/api/v1/studies/{self.study.id}"
        self.headers = bearer(context.vault.issue_token(Scope.ADMIN)[1])
        self.judge = self.study.judges[0]

    def post(self, path: str, /, **data: Any) -> Response:
        token = form_token(self.admin.get("/admin").text)
        return self.admin.post(path, data={"form_token": token, **data})

    def call(self, method: str, path: str, sent: Any = None) -> Response:
        return self.admin.request(method, path, json=sent, headers=self.headers)

    def acts(self) -> list[tuple[str, str]]:
        month = self.context.audit.months()[0]
        return [(one["act"], one["details"]) for one in self.context.audit.of_month(month)[::-1]]

    def upload(self) -> str:
        return str(self.post("/admin/uploads").json()["upload"])

    def send_file(self, upload: str) -> Response:
        token = form_token(self.admin.get("/admin").text)
        path = f"/admin/uploads/{upload}"
        return self.admin.post(path, params={"name": "a.txt"}, content=b"words", headers={"X-Form-Token": token})

    def token(self) -> int:
        return self.context.vault.issue_token(Scope.READ)[0].id


@pytest.fixture
def owner(admin: Client, context: Context, make: MakeStudy) -> Owner:
    return Owner(admin, context, make)


def filed(owner: Owner) -> Response:
    upload = owner.upload()
    owner.send_file(upload)
    return owner.post(f"/admin/uploads/{upload}/drop", path="a.txt")


def attached(owner: Owner) -> Response:
    from juryrank.server.studies.models import ATTACHED

    owner.study.edit(**{ATTACHED: {"names": ["m"], "money": None, "running": True}})
    return owner.post(f"{owner.pages}/models/pause")


def told(owner: Owner) -> Response:
    asked = owner.call("POST", f"{owner.api}/ask", {"judge": owner.judge}).json()["question"]
    return owner.call("POST", f"{owner.api}/tell", {"question": asked["id"], "answer": "left"})


def invitation(owner: Owner) -> str:
    owner.context.vault.invite(owner.study.id, Scope.READ)
    return str(owner.context.vault.invitations(owner.study.id)[0][0].id)


def accepted(owner: Owner) -> Response:
    secret = owner.context.vault.invite(owner.study.id, Scope.READ)
    stranger = TestClient(owner.admin.app, base_url=ADDRESS)  # type: ignore[attr-defined]
    return stranger.post(f"/i/{secret}", data={"name": "Vic"})


def member(owner: Owner) -> str:
    return str(owner.context.vault.members(owner.study.id)[0][0].id)


P, S = "/admin/studies/{study}", "/api/v1/studies/{study}"
DONE: dict[tuple[str, str], list[tuple[str, Callable[[Owner], Response]]]] = {
    ("POST", "/admin/new"): [("made a study", lambda o: new(o.admin, reach="open"))],
    ("POST", "/admin/tokens"): [("made a token", lambda o: o.post("/admin/tokens", scope="read"))],
    ("POST", "/admin/tokens/revoke"): [
        ("revoked a token", lambda o: o.post("/admin/tokens/revoke", credential=o.token()))
    ],
    ("POST", f"{P}/close"): [("closed the study", lambda o: o.post(f"{o.pages}/close"))],
    ("POST", f"{P}/open"): [
        ("reopened the study", lambda o: (o.study.close(), o.post(f"{o.pages}/open"))[1]),
    ],
    ("POST", f"{P}/delete"): [("deleted the study", lambda o: o.post(f"{o.pages}/delete", confirm=o.study.name))],
    ("POST", f"{P}/judges/add"): [("added judges", lambda o: o.post(f"{o.pages}/judges/add", judges="Cy"))],
    ("POST", f"{P}/judges/link"): [
        ("replaced a judge's link", lambda o: o.post(f"{o.pages}/judges/link", judge=o.judge))
    ],
    ("POST", f"{P}/judges/{{action}}"): [
        ("paused a judge", lambda o: o.post(f"{o.pages}/judges/pause", judge=o.judge)),
        ("resumed a judge", lambda o: o.post(f"{o.pages}/judges/resume", judge=o.judge)),
        ("took back a judge's answer", lambda o: (told(o), o.post(f"{o.pages}/judges/undo", judge=o.judge))[1]),
        ("erased a judge's name", lambda o: o.post(f"{o.pages}/judges/erase", judge=o.judge)),
        ("removed a judge", lambda o: o.post(f"{o.pages}/judges/remove", judge=o.study.judges[1])),
        ("discarded a judge's answers", lambda o: o.post(f"{o.pages}/judges/discard", judge=o.judge)),
    ],
    ("POST", f"{P}/settings"): [
        ("changed what judges see", lambda o: o.post(f"{o.pages}/settings", question="Which, then?"))
    ],
    ("POST", f"{P}/checks"): [
        ("changed the attention checks", lambda o: o.post(f"{o.pages}/checks", checks="a cat > a stone"))
    ],
    ("POST", f"{P}/about"): [
        ("changed the questions about the person", lambda o: o.post(f"{o.pages}/about", before="Age? [number]"))
    ],
    ("POST", f"{P}/share"): [
        ("made the open link", lambda o: o.post(f"{o.pages}/share", on="yes")),
        ("changed the open link", lambda o: o.post(f"{o.pages}/share", on="yes", capacity="7")),
    ],
    ("POST", f"{P}/share/new"): [
        ("made the open link", lambda o: o.post(f"{o.pages}/share/new")),
        ("replaced the open link", lambda o: o.post(f"{o.pages}/share/new")),
    ],
    ("POST", f"{P}/share/platform"): [
        (
            "changed the crowd platform",
            lambda o: o.post(f"{o.pages}/share/platform", preset="prolific", code="C1"),
        )
    ],
    ("POST", f"{P}/share/public"): [
        ("switched the public page on", lambda o: o.post(f"{o.pages}/share/public", public="yes")),
        ("switched the public page off", lambda o: o.post(f"{o.pages}/share/public")),
    ],
    ("POST", f"{P}/share/invite"): [
        ("invited somebody to run the study", lambda o: o.post(f"{o.pages}/share/invite", role="owner"))
    ],
    ("POST", f"{P}/share/uninvite"): [
        ("withdrew an invitation", lambda o: o.post(f"{o.pages}/share/uninvite", credential=invitation(o)))
    ],
    ("POST", f"{P}/share/remove"): [
        ("accepted an invitation", accepted),
        (
            "took somebody's access to the study away",
            lambda o: o.post(f"{o.pages}/share/remove", credential=member(o)),
        ),
    ],
    ("POST", f"{P}/rename"): [("renamed the study", lambda o: o.post(f"{o.pages}/rename", name="Teas"))],
    ("PATCH", S): [("renamed the study", lambda o: o.call("PATCH", o.api, {"name": "Wines"}))],
    ("POST", f"{P}/judges/unlink"): [
        ("switched a judge's link off", lambda o: o.post(f"{o.pages}/judges/unlink", judge=o.judge))
    ],
    ("POST", f"{P}/marks"): [
        ("changed the scale of the marks", lambda o: o.post(f"{o.pages}/marks", low="0", high="20"))
    ],
    ("POST", f"{P}/board/freeze"): [("froze the board", lambda o: o.post(f"{o.pages}/board/freeze"))],
    ("POST", f"{P}/board/go-on"): [
        (
            "let the board go on",
            lambda o: (o.post(f"{o.pages}/board/freeze"), o.post(f"{o.pages}/board/go-on"))[1],
        )
    ],
    ("POST", f"{P}/items"): [("added items", lambda o: o.post(f"{o.pages}/items", items="g"))],
    ("POST", f"{P}/items/correct"): [
        ("corrected an item", lambda o: o.post(f"{o.pages}/items/correct", item="a", body="An A"))
    ],
    ("POST", f"{P}/items/withdraw"): [
        ("withdrew an item", lambda o: o.post(f"{o.pages}/items/withdraw", item="a"))
    ],
    ("POST", f"{P}/models/pause"): [("paused the models", attached)],
    ("POST", "/admin/uploads"): [("began an upload", lambda o: o.post("/admin/uploads"))],
    ("POST", "/admin/uploads/{upload}/drop"): [("took a file out of an upload", filed)],
    ("POST", "/api/v1/studies"): [
        ("made a study", lambda o: o.call("POST", "/api/v1/studies", {"name": "x", "items": ["a", "b"]}))
    ],
    ("DELETE", S): [("deleted the study", lambda o: o.call("DELETE", o.api))],
    ("PATCH", f"{S}/setup"): [
        ("changed what judges see", lambda o: o.call("PATCH", f"{o.api}/setup", {"question": "Which, then?"}))
    ],
    ("POST", f"{S}/close"): [("closed the study", lambda o: o.call("POST", f"{o.api}/close"))],
    ("POST", f"{S}/open"): [
        ("reopened the study", lambda o: (o.study.close(), o.call("POST", f"{o.api}/open"))[1]),
    ],
    ("POST", f"{S}/items"): [("added items", lambda o: o.call("POST", f"{o.api}/items", ["g"]))],
    ("POST", f"{S}/items/withdraw"): [
        ("withdrew items", lambda o: o.call("POST", f"{o.api}/items/withdraw", {"items": ["a"]}))
    ],
    ("POST", f"{S}/judges"): [("added judges", lambda o: o.call("POST", f"{o.api}/judges", [{"name": "Cy"}]))],
    ("POST", f"{S}/judges/{{judge}}/link"): [
        ("replaced a judge's link", lambda o: o.call("POST", f"{o.api}/judges/{o.judge}/link"))
    ],
    ("POST", f"{S}/judges/{{judge}}/{{action}}"): [
        ("paused a judge", lambda o: o.call("POST", f"{o.api}/judges/{o.judge}/pause")),
        ("discarded a judge's answers", lambda o: o.call("POST", f"{o.api}/judges/{o.judge}/discard")),
    ],
    ("PUT", f"{S}/open-link"): [
        ("made the open link", lambda o: o.call("PUT", f"{o.api}/open-link", {})),
        ("changed the open link", lambda o: o.call("PUT", f"{o.api}/open-link", {"on": False})),
    ],
    ("POST", f"{S}/open-link/new"): [
        ("made the open link", lambda o: o.call("POST", f"{o.api}/open-link/new")),
        ("replaced the open link", lambda o: o.call("POST", f"{o.api}/open-link/new")),
    ],
    ("PUT", f"{S}/platform"): [
        ("changed the crowd platform", lambda o: o.call("PUT", f"{o.api}/platform", {"preset": "sona"}))
    ],
    ("POST", f"{S}/ask"): [
        ("asked a question for a judge", lambda o: o.call("POST", f"{o.api}/ask", {"judge": o.judge}))
    ],
    ("POST", f"{S}/tell"): [("answered for a judge", told)],
    ("POST", "/api/v1/tokens"): [
        ("made a token", lambda o: o.call("POST", "/api/v1/tokens", {"scope": "read", "label": "x"}))
    ],
    ("DELETE", "/api/v1/tokens/{token}"): [
        ("revoked a token", lambda o: o.call("DELETE", f"/api/v1/tokens/{o.token()}"))
    ],
    ("POST", "/logout"): [("logged out", lambda o: o.post("/logout"))],
}
ELSEWHERE = {
    ("POST", "/admin/uploads/{upload}"),  # not put on record: the study that takes the files is
    ("POST", f"{S}/undo"),  # refused to owners: theirs is /judges/{judge}/undo
    ("POST", f"{P}/models"),  # asks models: tests/server/test_models.py
}


def test_every_route_of_an_owner_is_tried() -> None:
    changing = {
        key
        for key, who in ROUTES.items()
        if key[0] != "GET"
        and who not in (Who.ANYBODY, Who.LINK, Who.COOKIE, Who.INVITED)
        and key[1] not in HARMLESS
    }
    assert changing == DONE.keys() | ELSEWHERE


@pytest.mark.parametrize("route", DONE, ids=" ".join)
def test_the_words_are_what_happened(owner: Owner, route: tuple[str, str]) -> None:
    for words, act in DONE[route]:
        reply = act(owner)
        assert reply.status_code < 400, (words, reply.text)
        assert owner.acts()[-1][0] == words


NOTHING: dict[str, Callable[[Owner], Any]] = {
    "a look at a list": lambda o: new(o.admin, items="", file=TABLE),
    "a form with a mistake": lambda o: new(o.admin, items="one"),
    "a link's form with a mistake": lambda o: o.post(f"{o.pages}/share", on="yes", capacity="0"),
    "opening what is open": lambda o: o.post(f"{o.pages}/open"),
    "opening what is open, by a program": lambda o: o.call("POST", f"{o.api}/open"),
    "switching off what is off": lambda o: o.post(f"{o.pages}/share/public"),
    "pausing no models": lambda o: o.post(f"{o.pages}/models/pause"),
    "a look as a judge": lambda o: o.post(f"{o.pages}/preview/answer"),
    "a name that is not the study's": lambda o: o.post(f"{o.pages}/delete", confirm="another"),
    "the same settings, by a program": lambda o: o.call("PATCH", f"{o.api}/setup", {"own_work": False}),
    "the same platform, by a program": lambda o: o.call("PUT", f"{o.api}/platform", {"preset": ""}),
    "resuming who is not paused": lambda o: o.post(f"{o.pages}/judges/resume", judge=o.judge),
    "a token that there is not": lambda o: o.post("/admin/tokens/revoke", credential=99_999),
}


@pytest.mark.parametrize("what", NOTHING)
def test_nothing_is_on_record_where_nothing_happened(owner: Owner, what: str) -> None:
    before, events = owner.acts(), owner.study.log.seq
    NOTHING[what](owner)
    assert owner.acts() == before and owner.study.log.seq == events
    assert owner.context.open_links.of(owner.study.id) is None


def test_what_is_so_already_is_not_on_record_again(owner: Owner) -> None:
    acts: list[Callable[[], Response]] = [
        lambda: owner.call("PUT", f"{owner.api}/open-link", {"on": True, "capacity": 7}),
        lambda: owner.post(f"{owner.pages}/share/platform", preset="prolific", code="C1"),
        lambda: owner.post(f"{owner.pages}/checks", checks="a cat > a stone"),
        lambda: owner.post(f"{owner.pages}/about", before="Age? [number] *", after="City"),
        lambda: owner.post(f"{owner.pages}/items/correct", item="a", body="An A", group="vowels"),
        lambda: owner.post(f"{owner.pages}/judges/pause", judge=owner.judge),
        lambda: owner.post(f"{owner.pages}/judges/erase", judge=owner.judge),
        lambda: owner.post(f"{owner.pages}/judges/remove", judge=owner.judge),
    ]
    for act in acts:
        before = len(owner.acts())
        assert act().status_code < 400
        once, events = len(owner.acts()), owner.study.log.seq
        assert once == before + 1
        assert act().status_code < 400
        assert len(owner.acts()) == once and owner.study.log.seq == events, owner.acts()[-1]


def test_a_study_from_a_list_is_made_once(owner: Owner, context: Context) -> None:
    before, studies = len(owner.acts()), len(context.open_studies.rows())
    look = new(owner.admin, items="", reach="open", file=TABLE)
    assert "Nothing is made yet" in look.text
    confirmed(owner.admin, look)
    assert owner.acts()[before:] == [("made a study", "teas")]
    assert len(context.open_studies.rows()) == studies + 1
    shown = owner.admin.get("/admin/activity").text
    assert shown.count("made a study") == 1


def test_a_repeated_answer_is_on_record_once(owner: Owner) -> None:
    told(owner)
    before, study = owner.acts(), owner.study
    question = {"question": str(last_question(study)), "answer": "left"}
    assert owner.call("POST", f"{owner.api}/tell", question).json()["repeated"]
    assert owner.acts() == before


def last_question(study: Study) -> int:
    return int([event.data["q"] for event in study.events() if event.kind == "told"][-1])
