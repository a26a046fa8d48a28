"""People's side in a browser: a tap on the card, a choice while reading, links on a phone, a form that shows."""

from __future__ import annotations

from juryrank.server.access.vault import Scope
from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content
from tests.browser.conftest import Open, Served
from tests.browser.test_judging import answers, moved_on, ready

ESSAY = "My summer was long, and the lake was cold. " * 60
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def test_a_card_chooses_where_its_text_is_short_and_reads_where_it_is_long(served: Served, opened: Open) -> None:
    study, links = served.study(judges=2, items="abcdef", ranker="panel", setup=Setup(comment="Why?"))
    page = opened(links[0], **PHONE)
    question = ready(page)
    assert page.inner_text("#left-name") == "First" and page.inner_text("#right-name") == "Second"
    page.fill("#comment", "shorter")
    page.tap("#right-content")
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["right"] and page.input_value("#comment") == ""
    contents = {item: Content(f"{item}: {ESSAY}") for item in study.items}
    served.context.open_studies.change_setup(study.id, lambda setup: setup.changed(contents=contents))
    page = opened(links[1], **PHONE)
    question = ready(page)
    page.tap("#right-content")  # reading is not choosing
    page.tap("#enlarge-left")
    assert page.inner_text("#reader-title") == "First"
    page.tap("#reader-other")
    assert page.inner_text("#reader-title") == "Second"
    page.tap("#reader-choose")
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["right", "right"]
    assert not page.is_visible("#reader")


def test_links_fit_a_phone_and_the_form_shows_what_judges_will_see(served: Served, opened: Open) -> None:
    study, _ = served.study(judges=3, name="Posters " + "of the long year " * 8, ranker="panel")
    served.context.open_links.make(study.id)
    served.context.vault.invite(study.id, Scope.ADMIN, label="B" * 90)
    page = opened(served.admin_link(), **PHONE)
    page.wait_for_url("**/admin")
    for tab in ("share", "settings", "preview", "preview/question"):
        page.goto(f"{served.address}/admin/studies/{study.id}/{tab}")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab
    page.goto(f"{served.address}/admin/studies/{study.id}/share")
    assert page.is_visible("text=Only this computer can open these links")
    rows = page.eval_on_selector_all("#links .copy", "all => all.map(one => one.getBoundingClientRect().height)")
    assert len(rows) == 3 and max(rows) < 60  # a line each, with its button
    copies = page.eval_on_selector_all("[data-copy]", "all => all.map(one => one.getBoundingClientRect().right)")
    assert max(copies) <= 360
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{served.address}/admin/new")
    page.fill("#question", "Which poster?")
    page.fill("#items", "Blue whale\nRed fox\nGreen <b>frog</b>")
    assert (
        page.inner_text("#preview-question") == "Which poster?" and page.inner_text("#preview-second") == "Red fox"
    )
    assert page.inner_text("#preview-count") == "3 items"
    sent = [{"name": f"p{k}.txt", "mimeType": "text/plain", "buffer": f"Text {k}".encode()} for k in (10, 9)]
    page.fill("#items", "")
    page.set_input_files("#files", sent)
    page.wait_for_function("() => document.querySelectorAll('#taken > li').length === 2")
    # what is in them, in the order of names, however they arrive: judges see no name of a file
    assert [page.inner_text(f"#preview-{place}") for place in ("first", "second")] == ["Text 9", "Text 10"]
