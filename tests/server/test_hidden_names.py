"""Names of items that are for the owner alone reach no byte that a judge or the public receives."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import pytest
from httpx import Client, Response

from juryrank.server.access.vault import Scope
from juryrank.server.context import Context
from juryrank.server.studies.setup import AttentionCheck
from juryrank.study import Study
from tests.quick import quick
from tests.server.conftest import ADDRESS, JSON, bearer, form_token
from tests.server.files import making
from tests.server.test_dashboard import confirmed, new, send
from tests.server.test_routes import ROUTES, Who, filled

PUPILS = ["Quentzin Zwackel", "Xeniophra Vossheim", "Ullabritt Yilmazek", "Waldefrau Ypsilonka", "Olgunde Fuchsik"]
SECRET = [word for pupil in PUPILS for word in pupil.split()]


def essay(k: int) -> str:
    return f"My summer number {k}. {'We went to the sea and swam. ' * 30}"


@dataclass
class Stranger:
    """A client without any log-in that keeps everything it ever receives."""

    client: Client
    received: list[str] = field(default_factory=list)

    def send(self, method: str, path: str, **more: Any) -> Response:
        reply = self.client.request(method, path, **more)
        for one in [*reply.history, reply]:
            self.received += [str(one.url), str(one.headers), one.content.decode("utf-8", "replace")]
        return reply

    def names(self) -> set[str]:
        """The secret words in all that was received, also as JSON, HTML and addresses hide them."""
        text = "\n".join(dict.fromkeys(self.received)).lower()
        plain = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), text)
        seen = (plain, html.unescape(plain), unquote(plain))
        return {word for word in SECRET if any(word.lower() in one for one in seen)}


@pytest.fixture
def stranger(client: Client) -> Stranger:
    return Stranger(Client(transport=client._transport, base_url=ADDRESS, follow_redirects=True))


def essays(admin: Client, context: Context) -> Study:
    """A table of pupils and their essays, made as a teacher does."""
    table = "Student,Essay\n" + "".join(f'{name},"{essay(k)}"\n' for k, name in enumerate(PUPILS))
    look = new(admin, items="", name="Essays", reach="open", own_work="yes", file=("class.csv", table.encode()))
    assert confirmed(admin, look).status_code == 200
    return context.open_studies.study(context.open_studies.rows()[0].id)


def pictures(admin: Client, context: Context) -> Study:
    """One picture per pupil, whose file is called after them."""
    token = form_token(admin.get("/admin/new").text)
    colours = ("#d1495b", "#edae49", "#66a182", "#2e4057", "#8d96a3")
    sent = [
        ("files", (f"{name}.png", making.picture(80, 60, format="PNG", colour=colour)))
        for name, colour in zip(PUPILS, colours, strict=True)
    ]
    data = {"form_token": token, "name": "Pictures", "question": "Which?", "own_work": "yes"}
    assert admin.post("/admin/new", data=data, files=sent).status_code == 200
    return context.open_studies.study(context.open_studies.rows()[0].id)


def addresses(admin: Client, context: Context) -> Study:
    """Pictures and pages elsewhere, with the pupils' names beside them."""
    rows = [
        {"id": name, "content": f"https://a.example/{k}{'.png' if k % 2 else ''}"} for k, name in enumerate(PUPILS)
    ]
    body = json.dumps(rows).encode()
    look = new(admin, items="", name="Pages", reach="open", own_work="yes", file=("pages.json", body))
    assert confirmed(admin, look).status_code == 200
    return context.open_studies.study(context.open_studies.rows()[0].id)


def play(stranger: Stranger, link: str, study: Study) -> None:
    """Everything a judge can do: look, mark their own, answer, go on, make mistakes, ask for a receipt."""
    page = stranger.send("GET", link).text
    own = re.findall(r'name="own" value="([^"]+)"', page)
    assert len(own) == len(PUPILS)
    stranger.send("POST", f"{link}/begin", data={"own": "Nobody's"})
    stranger.send("POST", f"{link}/begin", data={"own": own[0]})
    shown = stranger.send("POST", f"{link}/next", json={}, headers=JSON).json()
    for more in range(2):
        while shown["question"]:
            for file in re.findall(r'src="(/[^"]+)"', json.dumps(shown).replace('\\"', '"')):
                stranger.send("GET", file)
            said = {"question": shown["question"]["id"], "answer": "left"}
            shown = stranger.send("POST", f"{link}/answer", json=said, headers=JSON).json()
        stranger.send("GET", link)
        if not more:
            shown = stranger.send("POST", f"{link}/more", json={}, headers=JSON).json()
    stranger.send("POST", f"{link}/undo", json={}, headers=JSON)
    for wrong in ({"question": "999", "answer": "left"}, {"question": "x", "answer": "up"}):
        stranger.send("POST", f"{link}/answer", json=wrong, headers=JSON)
    for path in ("receipt", "next", f"file/{'0' * 64}"):
        stranger.send("GET", f"{link}/{path}")
    stranger.send("GET", f"/heads/{study.id}")
    stranger.send("GET", f"/heads/{study.id}/all")


def everywhere(stranger: Stranger, study: Study, public: str) -> None:
    """Every route that the public can open, and all others without a log-in."""
    for (method, path), who in ROUTES.items():
        if who in (Who.ANYBODY, Who.PUBLIC) or method == "GET":
            stranger.send(method, filled(path, study.id, code=public))
    page = stranger.send("GET", f"/r/{public}")
    for file in re.findall(r'src="(/[^"]+)"', page.text):
        stranger.send("GET", file)


@pytest.mark.parametrize("kind", quick([essays, pictures, addresses]))
def test_no_byte_of_a_hidden_name(admin: Client, context: Context, stranger: Stranger, kind: Any) -> None:
    study = kind(admin, context)
    checks = (AttentionCheck(PUPILS[0], "a blank page"),)
    context.open_studies.change_setup(study.id, lambda setup: setup.changed(checks=checks))
    link = context.open_links.of(study.id)
    public = context.public_pages.switch_on(study.id)
    assert link is not None
    play(stranger, f"/s/{link.code}", study)
    for _ in range(12):  # enough people for something to be proven, and said
        judge = study.add_judge("Visitor", person=True)
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, min(question.left, question.right))
    context.overviews.get(study.id, fresh=True)
    everywhere(stranger, study, public)
    assert study.ranking().order[0] == min(PUPILS)
    token = context.vault.issue_token(Scope.JUDGE, study=study.id, judge=study.judges[0])[1]
    for path in ("ask", "undo"):
        stranger.send("POST", f"/api/v1/studies/{study.id}/{path}", json={}, headers=bearer(token))
    for path in ("ranking", "certificate", "export/csv", "setup", "receipt", "head"):
        stranger.send("GET", f"/api/v1/studies/{study.id}/{path}", headers=bearer(token))
    shared = admin.get(f"/admin/studies/{study.id}/report")  # "Report to share"
    stranger.received += [str(shared.headers), shared.text]
    assert stranger.names() == set()
    board = stranger.send("GET", f"/r/{public}").text
    assert "Item 1" in board and "Item 5" in board and "Who is ahead" in board
    owner = [admin.get(f"/admin/studies/{study.id}{tab}").text for tab in ("", "/items")]
    assert all(all(name in page for name in PUPILS) for page in owner)


def test_what_an_owner_allows_is_shown(admin: Client, context: Context, stranger: Stranger) -> None:
    study = essays(admin, context)
    link, public = context.open_links.of(study.id), context.public_pages.switch_on(study.id)
    assert link is not None
    assert "Names of items are for you alone" in admin.get(f"/admin/studies/{study.id}/share").text
    saved = send(admin, f"/admin/studies/{study.id}/settings", question="Which?", own_work="yes", show_names="yes")
    assert saved.status_code == 200 and context.open_studies.setup(study.id).show_names
    assert "Names of items are for you alone" not in admin.get(f"/admin/studies/{study.id}/share").text
    play(stranger, f"/s/{link.code}", study)
    assert PUPILS[0] in stranger.send("GET", f"/s/{link.code}").text or stranger.names()
    context.overviews.get(study.id, fresh=True)
    board = stranger.send("GET", f"/r/{public}").text
    assert all(name in board for name in PUPILS)


def test_pupils_find_their_own_essay_by_its_words(admin: Client, context: Context, stranger: Stranger) -> None:
    study = essays(admin, context)
    link = context.open_links.of(study.id)
    assert link is not None
    page = stranger.send("GET", f"/s/{link.code}").text
    rows = dict(re.findall(r'name="own" value="(Item \d)"[^>]*>.*?(My summer number \d)', page, re.S))
    assert len(rows) == 5
    (mine,) = [value for value, words in rows.items() if words.endswith("3")]
    shown = stranger.send("POST", f"/s/{link.code}/begin", data={"own": mine})
    seen = ""
    card = stranger.send("POST", f"/s/{link.code}/next", json={}, headers=JSON).json()
    while card["question"]:
        seen += json.dumps(card["question"])
        said = {"question": card["question"]["id"], "answer": "left"}
        card = stranger.send("POST", f"/s/{link.code}/answer", json=said, headers=JSON).json()
    assert shown.status_code == 200 and "number 4" in seen and "number 3" not in seen
    shown_as = r"<th scope=\"row\"[^>]*>([^<]+?) *<span class=\"soft small\">(Item \d)</span>"
    listed = re.findall(shown_as, owner_items(admin, study))
    assert dict(listed)[PUPILS[3]] == mine  # the owner can say whose it is


@pytest.mark.parametrize(
    "texts",
    [
        [f"{'The task was to write about the summer. ' * 12}I swam {k} times." for k in range(5)],
        [f"{'My summer was long. ' * k}{'The end of it all was near. ' * 9}" for k in range(3, 8)],
        ["Once upon a time " * 20, "Once upon a time " * 20 + "it rained", "Once upon a time " * 21, "Once", "On"],
    ],
    ids=["the same opening", "the same ending", "one goes on where another ends"],
)
def test_pupils_can_tell_essays_apart_that_begin_alike(
    admin: Client, context: Context, stranger: Stranger, texts: list[str]
) -> None:
    table = "Student,Essay\n" + "".join(f'{pupil},"{text}"\n' for pupil, text in zip(PUPILS, texts, strict=True))
    confirmed(
        admin, new(admin, items="", name="Essays", reach="open", own_work="yes", file=("c.csv", table.encode()))
    )
    study = context.open_studies.study(context.open_studies.rows()[0].id)
    page = stranger.send("GET", f"/s/{context.open_links.of(study.id).code}").text  # type: ignore[union-attr]
    seen = [html.unescape(one).strip() for one in re.findall(r'soft small" dir="auto">([^<]*)</span>', page)]
    assert len(seen) == len(set(seen)) == 5 and max(map(len, seen)) < 400
    plain = [" ".join(text.split()) for text in texts]
    for words in seen:  # nothing is shown that is not written
        parts = [part.strip() for part in words.split("…") if part.strip()]
        assert any(all(part in text for part in parts) for text in plain)
    assert stranger.names() == set()


def owner_items(admin: Client, study: Study) -> str:
    return str(admin.get(f"/admin/studies/{study.id}/items").text)


def test_the_numbers_do_not_follow_the_list_and_stay(admin: Client, context: Context) -> None:
    """A list is often in the order of the alphabet: a number that followed it would say whose it is."""
    seen = set()
    for k in range(5):
        rows = "".join(f'{name},"{essay(n)}"\n' for n, name in enumerate(PUPILS))
        table = ("class.csv", f"Student,Essay\n{rows}".encode())
        confirmed(admin, new(admin, items="", name=f"Essays {k}", reach="open", file=table))
        study = context.open_studies.study(context.open_studies.rows()[0].id)
        page = owner_items(admin, study)
        seen.add(tuple(re.findall(r">(Item \d)<", page)))
    assert len(seen) > 1 and all(sorted(numbers) == [f"Item {n}" for n in range(1, 6)] for numbers in seen)
    before = re.findall(r">(Item \d)<", page)
    rows = '{"id": "Petra Neu", "content": "Late."}'
    send(admin, f"/admin/studies/{study.id}/items", file=("late.json", f"[{rows}]".encode()))
    assert re.findall(r">(Item \d)<", owner_items(admin, study)) == [*before, "Item 6"]


def test_a_list_behind_a_pass_phrase_is_shown_to_those_who_know_it(
    admin: Client, context: Context, stranger: Stranger
) -> None:
    study = essays(admin, context)
    link = context.open_links.of(study.id)
    assert link is not None
    context.open_links.save(study.id, link.with_phrase("blue whale"))
    base = f"/s/{link.code}"
    assert "My summer" not in stranger.send("GET", base).text
    wrong = stranger.send("POST", f"{base}/begin", data={"phrase": "red"})
    assert wrong.status_code == 422 and "My summer" not in wrong.text
    listed = stranger.send("POST", f"{base}/begin", data={"phrase": "Blue Whale"})
    assert "My summer number 0" in listed.text and study.judges == []
    fields = dict(re.findall(r'name="(phrase|listed)"[^>]*value="([^"]*)"', listed.text))
    own = re.findall(r'name="own" value="([^"]+)"', listed.text)
    stranger.send("POST", f"{base}/begin", data={**fields, "own": own[0]})
    assert len(study.judges) == 1


def test_names_that_are_shown_anyway_are_not_hidden(admin: Client, context: Context, stranger: Stranger) -> None:
    """Pasted lines, blocks that begin with their name, addresses: judges see the name as the item itself."""
    new(
        admin,
        name="Lines",
        reach="open",
        items="green tea\nblack tea\nhttps://a.example/white.png",
        own_work="yes",
    )
    blocks = "Solar oven\nA box that cooks.\n---\nRain clock\nIt counts drops."
    new(admin, name="Blocks", reach="open", items=blocks, own_work="yes")
    for row, names in zip(
        context.open_studies.rows(), (["Solar oven", "Rain clock"], ["green tea", "white.png"]), strict=True
    ):
        link = context.open_links.of(row.id)
        assert link is not None
        page = stranger.send("GET", f"/s/{link.code}").text
        assert all(name in page for name in names) and "Item 1" not in page
