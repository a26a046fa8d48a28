"""Every field of every form, found on the pages themselves, filled with what nobody should type."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from httpx import Client

from juryrank.server.context import Context
from juryrank.server.crowd.platforms import of_preset
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.studies.setup import Setup
from tests.server.conftest import MakeStudy

HOSTILE = {
    "a formula, quotes, markup, right to left": '=HYPERLINK("x")\u202e\'"><script>alert(1)</script>\u0639',
    "10,000 characters": "x" * 10_000,
    "nothing printable": "\x00\x07\ufffd",
}
PATIENT = (200, 303, 403, 404, 409, 413, 422)  # never a failure of the server


@dataclass
class Form:
    """A form as it is on the page."""

    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)


class Forms(HTMLParser):
    """The forms of a page, with what they would send."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append(Form(given.get("action", ""), given.get("method", "get")))
        named = bool(self.found and given.get("name")) and given.get("type") != "file"
        if named and tag in ("input", "textarea", "select", "button"):
            self.found[-1].fields.setdefault(given["name"], given.get("value", ""))


def attack(client: Client, page: str, *, but: tuple[str, ...] = ("close", "delete", "logout")) -> int:
    """Send every form of a page with every hostile value in every field; how many were sent."""
    shown = client.get(page)
    assert shown.status_code == 200, page
    sent, seen = 0, set(but)
    for form in Forms(shown.text).found:
        action = form.action or page
        if form.method != "post" or action.rpartition("/")[2] in seen:
            continue
        seen.add(action.rpartition("/")[2])  # the same buttons stand beside every judge and item
        sent += send_hostile(client, action, form)
    return sent


def send_hostile(client: Client, action: str, form: Form) -> int:
    """Send a form with every hostile value in every field; how many were sent."""
    sent = 0
    for name in form.fields:
        if name == "form_token":
            continue
        for words, value in HOSTILE.items():
            reply = client.post(action, data={**form.fields, name: value}, follow_redirects=False)
            assert reply.status_code in PATIENT, (action, name, words, reply.status_code, reply.text[-300:])
            assert "<script>alert" not in reply.text, (action, name)
            sent += 1
    return sent


def test_owners_forms(admin: Client, context: Context, make: MakeStudy) -> None:
    assert attack(admin, "/admin/new") > 50
    study, _ = make(ranker="panel", items="abcdefgh")
    context.open_links.make(study.id)
    base = f"/admin/studies/{study.id}"
    assert sum(attack(admin, f"{base}{tab}") for tab in ("/share", "/settings", "/items", "/judges")) > 80
    for tab in ("", "/share", "/settings", "/items", "/judges", "/data", "/preview"):
        page = admin.get(f"{base}{tab}")
        assert page.status_code == 200 and "<script>alert" not in page.text, tab
    for kind in ("ranking", "participants"):
        lines = admin.get(f"{base}/{kind}/csv").text.splitlines()
        assert not [line for line in lines if line.startswith(("=", '"='))]


@pytest.mark.parametrize("preset", ["", "prolific"])
def test_judges_forms(client: Client, context: Context, make: MakeStudy, preset: str) -> None:
    setup = Setup(
        intro="Hello", consent=True, own_work=True,
        before=questions_from_text("Age? [number] *\nHow often? [never / daily]\nWhere? [text]"),
    )  # fmt: skip
    study, links = make(ranker="panel", items="abcdefgh", setup=setup)
    link = context.open_links.make(study.id)
    context.open_links.save(study.id, link.with_phrase("open sesame"))
    if preset:
        context.platforms.save(study.id, of_preset(preset, code="C1"))
    address = f"/s/{link.code}" + ("?PROLIFIC_PID=p&STUDY_ID=s&SESSION_ID=x" if preset else "")
    before = study.log.seq
    assert attack(client, address) >= 12 and attack(client, links[0]) >= 12
    assert study.log.seq == before  # consent, age and phrase were never all given: nobody began
