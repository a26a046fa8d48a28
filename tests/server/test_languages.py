"""Judges' pages in other languages: complete catalogues, and no text missing from them."""

from __future__ import annotations

import json
import re
import runpy
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from juryrank.server.context import Context
from juryrank.server.crowd.platforms import Platform, of_preset
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.languages.speaking import ENGLISH, LANGUAGES, PSEUDO, answering, messages, ntr, tr
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.render import Content, Kind
from juryrank.server.web.templating import STATIC
from tests.server.conftest import JSON, MakeStudy

ROOT, TEMPLATES = Path(__file__).parents[2], STATIC.parent / "templates"
OTHERS = [code for code in LANGUAGES if code != ENGLISH]
IN_BRACKETS = {"accept-language": PSEUDO}
SEEN = ("alt", "aria-label", "placeholder", "title")  # attributes that people read or hear
QUIET = ("script", "style", "code", "time")  # no words
OURS = {"juryrank", "UTC", "t", "s", "u", "PROLIFIC", "PID"}  # names and keys, the same in every language
JUDGES = ("base", "mark", "intro", "judge", "about", "message", "heads", "sheet")  # templates of judges' pages


class Text(HTMLParser):
    """What somebody reads on a page; where owners write only digits, all of it must be in the catalogue."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        if not self._hidden():
            self.found += [value for name, value in attributes if name in SEEN and value and "VOV2" not in value]
        for name in ("data-card", "data-words"):
            if known.get(name):
                self.found += card_words(json.loads(str(known[name])))
        if tag not in ("meta", "link", "input", "img", "br", "path", "circle", "hr"):
            self._open.append((tag, tag in QUIET))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if data.strip() and not self._hidden():
            self.found.append(data.strip())

    def _hidden(self) -> bool:
        return any(hidden for _, hidden in self._open)


def card_words(card: dict[str, Any]) -> list[str]:
    """The words of a card, those of the pair included, or of the script."""
    quiet = {"state", "question", "undo", "sign", "code", "finish"}
    said = [value for key, value in card.items() if isinstance(value, str) and key not in quiet and value]
    for part in ("left", "right"):
        if isinstance(card.get("question"), dict):
            shown = Text()
            shown.feed(card["question"][part]["html"])
            said += shown.found
    return said


def outside(texts: list[str]) -> list[str]:
    """Words that stand outside of the brackets."""
    found = []
    for text in texts:
        bare = text
        while bare != (inner := re.sub(r"⟦[^⟦⟧]*⟧", " ", bare)):  # a message may stand in another
            bare = inner
        found += [word for word in re.findall(r"[^\W\d_]+", bare) if word not in OURS]
    return found


def read(reply: Any) -> list[str]:
    if "json" in reply.headers["content-type"]:
        said = reply.json()
        return [said["detail"]] if "detail" in said else card_words(said)
    page = Text()
    page.feed(reply.text)
    assert page.found, reply.text
    return page.found


class Walk:
    """A judge whose browser asks for brackets; whatever stands outside of them is noted."""

    def __init__(self, client: Client) -> None:
        self.client, self.seen, self.wrong = client, 0, []  # type: ignore[var-annotated]

    def get(self, path: str, **more: Any) -> Any:
        return self._note(self.client.get(path, headers={**IN_BRACKETS, **more.pop("headers", {})}, **more))

    def post(self, path: str, **more: Any) -> Any:
        return self._note(self.client.post(path, headers={**IN_BRACKETS, **more.pop("headers", {})}, **more))

    def _note(self, reply: Any) -> Any:
        texts = read(reply)
        self.seen += len(texts)
        self.wrong += [(str(reply.url.path)[:4], reply.status_code, word) for word in outside(texts)]
        return reply


def test_no_text_that_a_judge_sees_is_outside_the_catalogue(
    client: Client, context: Context, make: MakeStudy
) -> None:
    file, address = f"file:{'0' * 64}", "https://1.2/3"
    shown = (
        (file, Kind.IMAGE),
        (file, Kind.AUDIO),
        (file, Kind.VIDEO),
        (address, Kind.LINK),
        ("7", Kind.MARKDOWN),
    )
    contents = {item: Content(*one) for item, one in zip("12345", shown, strict=True)}
    setup = Setup(consent=True, own_work=True, checks=(AttentionCheck("1", "2"),), contents=contents)
    study, links = make(name="0", ranker="panel", judges=2, items="123456", sitting=4)
    context.open_studies.change_setup(study.id, lambda _: setup)
    walk, link = Walk(client), links[0]
    walk.get(link)
    walk.post(f"{link}/begin", data={})  # without the tick
    walk.post(f"{link}/begin", data={"consent": "yes", "own": ["7"]})
    walk.post(f"{link}/begin", data={"consent": "yes", "own": ["1", "2", "3", "4", "5"]})
    walk.post(f"{link}/begin", data={"consent": "yes"})
    walk.get(link)
    card = walk.get(f"{link}/next", headers=JSON).json()
    for _ in range(9):
        if not card["question"]:
            break
        sent = {"question": card["question"]["id"], "answer": "tie"}
        card = walk.post(f"{link}/answer", json=sent, headers=JSON).json()
        last = walk.post(f"{link}/answer", json=sent, headers=JSON).json()  # twice, and then otherwise
        walk.post(f"{link}/answer", json={**sent, "answer": "left"}, headers=JSON)
        card = last if last["question"] else card
    assert card["state"] == "done"
    walk.get(link)
    for sent in ({"question": "x", "answer": "left"}, {"question": "1", "answer": "up"}, {"question": "999"}):
        walk.post(f"{link}/answer", json=sent, headers=JSON)
    walk.post(f"{link}/answer", json=[1], headers=JSON)
    walk.post(f"{link}/undo", json={"question": "77"}, headers=JSON)
    walk.post(f"{link}/undo", json={}, headers=JSON)
    walk.post(f"{link}/more", json={}, headers=JSON)
    code = study.judge(study.judges[0]).receipt().code
    for receipt in ("", code, "nonsense", code.replace(code.partition("-")[0], "9999", 1)):
        walk.get(f"/heads/{study.id}", params={"receipt": receipt})
    study.judge(study.judges[0]).pause()
    walk.get(link)
    study.close()
    walk.get(link)
    walk.get(links[1])
    walk.get("/j/" + "x" * 32)
    walk.get("/j/x/nothing")
    walk.client.app.state.context.open_studies.delete(study.id)  # type: ignore[attr-defined]
    walk.get(link)
    assert walk.wrong == [] and walk.seen > 150


def test_nor_on_the_open_link(client: Client, context: Context, make: MakeStudy) -> None:
    study, _ = make(name="0", ranker="panel", judges=0, items="123456")
    made = context.open_links.make(study.id)
    walk, link = Walk(client), f"/s/{made.code}"
    context.open_links.save(study.id, made.with_phrase("blue whale"))
    walk.get(link)
    walk.post(f"{link}/begin", data={"phrase": "red"})
    walk.get(f"{link}/next", headers=JSON)  # before Start
    walk.post(f"{link}/begin", data={"phrase": "blue whale"})
    client.cookies.clear()
    for change in ({"capacity": 1}, {"on": False}, {"opens_at": "2096-10-02T07:06:00+00:00"},
                   {"closes_at": "2001-09-09T01:46:00+00:00"}):  # fmt: skip
        context.open_links.save(study.id, replace(made, **change))
        walk.get(link)
    walk.get("/s/nothing")
    assert walk.wrong == [] and walk.seen > 40


def test_nor_for_people_of_a_platform(client: Client, context: Context, make: MakeStudy) -> None:
    asked = questions_from_text("1? [number] *\n2? [3 / 4]\n5?")
    setup = Setup(consent=True, before=asked, after=questions_from_text("6? [text] *"))
    study, _ = make(name="0", ranker="panel", judges=0, items="123456", sitting=2, setup=setup)
    link = f"/s/{context.open_links.make(study.id).code}"
    field, last = asked[0].field, setup.after[0].field
    for platform in (
        of_preset("prolific", code="7"),
        Platform("free", ("PROLIFIC_PID",), "PROLIFIC_PID", code="8"),
    ):
        context.platforms.save(study.id, platform)
        client.cookies.clear()
        walk = Walk(client)
        sent = {"PROLIFIC_PID": platform.preset, "consent": "yes", field: "9", "device": "d" * 32}
        walk.get(link)  # without an id
        walk.get(f"{link}?PROLIFIC_PID={platform.preset}")
        for wrong in ({field: ""}, {field: "x"}, {asked[1].field: "y"}, {asked[2].field: "1" * 2000}):
            assert walk.post(f"{link}/begin", data={**sent, **wrong}).status_code == 422
        walk.post(f"{link}/begin", data=sent)
        client.cookies.clear()
        walk.get(f"{link}?PROLIFIC_PID={platform.preset}")  # begun elsewhere
        context.open_links.change(study.id, per_address=1)
        said = [walk.post(f"{link}/begin", data={**sent, "PROLIFIC_PID": f"{k}"}).status_code for k in range(2)]
        assert said[-1] == 429
        context.open_links.change(study.id, per_address=60)
        walk.post(f"{link}/begin", data=sent)
        walk.post(f"{link}/return")
        card = walk.get(f"{link}/next", headers=JSON).json()
        while card["question"]:
            answer = {"question": card["question"]["id"], "answer": "left"}
            card = walk.post(f"{link}/answer", json=answer, headers=JSON).json()
        assert card["about"] and walk.post(f"{link}/about", data={last: ""}).status_code == 422
        end = walk.post(f"{link}/about", data={last: "0"}).text
        assert ("cc=7" in end) == (platform.preset == "prolific") and (">8</code>" in end) == (
            platform.code == "8"
        )
        assert [one for one in walk.wrong if one[2] != "Prolific"] == [] and walk.seen > 80


def test_other_rankers_words_are_for_owners(client: Client, make: MakeStudy) -> None:
    study, links = make(name="0", judges=2, items="12")
    walk = Walk(client)
    for link in links * 40:
        card = walk.post(f"{link}/next", json={}, headers=JSON).json()
        if card["question"]:
            side = "left" if card["question"]["left"]["item"] == "1" else "right"
            walk.post(f"{link}/answer", json={"question": card["question"]["id"], "answer": side}, headers=JSON)
    assert study.done and walk.wrong == []


def test_the_test_finds_text_outside() -> None:
    page = Text()
    page.feed(
        '<title>tab</title><p title="no">⟦in⟧ out</p><p dir="auto">12</p><img alt="⟦x⟧"><script>let a</script>'
    )
    assert outside(page.found) == ["tab", "no", "out"]
    assert outside(card_words({"question": {"left": {"html": "<p>1</p>"}, "right": {"html": "<b>two</b>"}}})) == [
        "two"
    ]


def said_by_script(text: str) -> list[str]:
    """Strings that look like words, and those that are written onto the page."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text)
    said = [
        one
        for one in re.findall(r"""["'`]([^"'`\n]*)["'`]""", code)
        if re.search(r"[A-Z][a-z]+ |[a-z]+ [a-z]+", one)
    ]
    found = [one for one in said if one != "use strict" and not re.search(r"[,#.\[]", one)]
    shown = re.findall(
        r"\b(?:say\(|alert\(|confirm\(|(?:textContent|innerText|title|placeholder|ariaLabel)\s*=)([^;\n]*)", code
    )
    return found + [
        one for line in shown for one in re.findall(r"""(?<!\$\()["'`]([^"'`]*[^\W\d_][^"'`]*)["'`]""", line)
    ]


def test_the_script_and_the_style_say_nothing_by_themselves() -> None:
    assert said_by_script((STATIC / "judge.js").read_text()) == []
    assert said_by_script('say("Saved", 1);') == ["Saved"] and said_by_script("a.title = `no`;") == ["no"]
    style = (STATIC / "style.css").read_text()
    assert not re.search(r"""content:\s*["'][^"']*[a-zA-Z]""", style)


@pytest.mark.parametrize("name", JUDGES)
def test_a_judges_template_has_no_words_of_its_own(name: str) -> None:
    """In every state, also those that no test comes to: words stand in `tr` and `ntr` only."""
    text = re.sub(r"\{#.*?#\}", "", (TEMPLATES / f"{name}.html").read_text(), flags=re.S)
    quoted = r"""(?:"[^"]*"|'[^']*')"""
    code = "".join(re.findall(r"\{[{%].*?[}%]\}", text, flags=re.S))
    code = re.sub(rf"\bn?tr\((?:\s*{quoted}\s*,?)+", "", code)
    odd = [
        one
        for one in re.findall(quoted, code)
        if not re.fullmatch(r"""["'][\w.#%/:&=-]*["']|["'][\W\d]*["']""", one)
    ]
    text = re.sub(r"\{% block \w+_class %\}.*?\{% endblock %\}", "", text)  # names of classes
    page = Text()
    page.feed(re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "{}", text, flags=re.S))
    assert (odd, outside(page.found)) == ([], [])


def test_judges_pages_use_these_templates() -> None:
    used = set()
    for path in ("pages/judge.py", "pages/open_link.py", "pages/heads.py", "web/guard.py", "web/problems.py"):
        used |= set(re.findall(r'"(\w+)\.html"', (STATIC.parent / path).read_text()))
    more = [re.findall(r'"(\w+)\.html"', (TEMPLATES / f"{name}.html").read_text()) for name in JUDGES]
    assert used | {name for names in more for name in names} <= set(JUDGES)


@pytest.mark.parametrize("code", OTHERS)
def test_a_language_has_every_message_with_the_same_places(code: str) -> None:
    from babel.messages.pofile import read_po

    with (ROOT / f"src/juryrank/server/languages/po/{code}.po").open("rb") as file:
        catalogue = read_po(file, locale=code)
    missing, wrong = [], []
    for one in catalogue:
        if not one.id:
            continue
        english = [one.id] if isinstance(one.id, str) else list(one.id)
        said = [one.string] if isinstance(one.string, str) else list(one.string)
        places = set(re.findall(r"{\w+}", english[-1]))
        missing += [english[0]] * (not all(said))
        wrong += [text for text in said if text and not set(re.findall(r"{\w+}", text)) <= places]
        wrong += [text for text in said[-1:] if text and set(re.findall(r"{\w+}", text)) != places]
    assert wrong == []
    assert len(missing) < 0.1 * len(catalogue), missing  # a draft may lag behind; what is missing is in English


@pytest.mark.pinned
def test_the_catalogues_are_those_of_the_code() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "messages.py"))
    stale = [path.name for path, body in script["files"]().items() if path.read_bytes() != body]
    assert stale == [], "run scripts/messages.py"


def test_no_message_hides_from_the_collector() -> None:
    """Within an f-string a message is not found; one that is not a plain string cannot be."""
    hidden = []
    for path in (ROOT / "src/juryrank/server").rglob("*.py"):
        text = path.read_text()
        hidden += re.findall(r"\{n?tr\([^}]*", text)
        if path.name not in ("speaking.py", "words.py", "cards.py", "open_link.py"):  # they say marked messages
            hidden += [one for one in re.findall(r"(?<![\w.])n?tr\(\s*(\S)", text) if one not in "\"'"]
    assert hidden == []


def test_the_browser_chooses_unless_the_study_does(client: Client, context: Context, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=1)
    german = messages("de").gettext("Start")
    assert f">{german}<" in client.get(links[0], headers={"accept-language": "de-AT,en;q=0.3"}).text
    assert ">Start<" in client.get(links[0], headers={"accept-language": "pt"}).text
    context.open_studies.change_setup(study.id, lambda _: Setup(language="ar"))
    page = client.get(links[0], headers={"accept-language": "de"}).text
    assert '<html lang="ar" dir="rtl">' in page and messages("ar").gettext("Start") in page
    gone = client.get(f"{links[0]}/nothing", headers={"accept-language": "fr"})
    assert '<html lang="fr">' in gone.text
    assert '<html lang="en">' in client.get("/login", headers={"accept-language": "fr"}).text


def test_an_unknown_language_is_refused(admin: Client, make: MakeStudy) -> None:
    study, _ = make()
    page = admin.get(f"/admin/studies/{study.id}/settings").text
    assert "Arabic (draft)" in page and ">English<" in page
    token = re.search(r'name="form_token" value="([^"]+)"', page)[1]  # type: ignore[index]
    for language, status in (("tlh", 422), ("fr", 200)):
        sent = {"form_token": token, "question": "Which?", "lease": "60", "language": language}
        assert admin.post(f"/admin/studies/{study.id}/settings", data=sent).status_code == status


def test_plurals_and_requests_do_not_mix() -> None:
    with answering("ar"):
        said = {ntr("{n} answered", "{n} answered", n) for n in (0, 1, 2, 3, 11)}
    assert len(said) == 5
    assert tr("Start") == "Start"
