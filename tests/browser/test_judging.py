"""Judging in a real browser: every click, key and tap, and what happens when things go wrong."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from juryrank.server.app import create_app
from juryrank.server.settings import ServerSettings
from juryrank.server.studies.setup import Setup
from tests.browser.conftest import PATIENCE, Open, Served, answers, pair, ready
from tests.quick import quick
from tests.server.conftest import MakeStudy
from tests.serving import serving


def moved_on(page: Any, question: str) -> None:
    """Wait until another question, or the end, is shown."""
    page.wait_for_function(
        "before => !document.getElementById('ending').hidden"
        " || (document.getElementById('question-id').value !== before)",
        arg=question,
        timeout=PATIENCE,
    )


def prefer(page: Any) -> str:
    """Choose the item that comes first in the alphabet, by arrow key."""
    question = ready(page)
    left, right = pair(page)
    page.keyboard.press("ArrowLeft" if left < right else "ArrowRight")
    moved_on(page, question)
    return question


def test_three_judges_reach_a_certificate(served: Served, opened: Open) -> None:
    study, links = served.study(judges=3, items="ab", error=0.4)
    pages = [opened(link) for link in links]
    deadline = time.monotonic() + 150
    while not study.done and time.monotonic() < deadline:
        asking = [page for page in pages if page.is_visible("#ask")]
        for page in asking:
            prefer(page)
        if not asking:
            time.sleep(0.1)
    ranking = study.ranking()
    assert ranking.certified and list(ranking.order) == list("ab")
    for page in pages:
        if page.is_visible("#ask"):  # it was given a question while another page's last answer was under way
            prefer(page)
        page.wait_for_function("() => document.getElementById('ending-title').textContent === 'You are done'")
        assert "No more answers are needed" in page.inner_text("#ending-words")
    told = answers(study)
    assert len({question for question, _ in told}) == len(told)


def test_one_answer_a_pair_ends_in_a_partial_result(served: Served, opened: Open) -> None:
    study, links = served.study(judges=2, items="abc", ranker="panel")
    for link in links:
        page, seen = opened(link), set()
        while page.is_visible("#ask"):
            assert page.inner_text("#progress-words") == f"{len(seen)} of 3"
            seen.add(frozenset(pair(page)))
            prefer(page)
        assert len(seen) == 3
        assert page.inner_text("#ending-title") == "You are done"
    ranking = study.ranking()
    assert not ranking.certified and list(ranking.order) == list("abc")
    assert any("few people" in words for words in ranking.warnings)


def test_click_tap_skip_and_tie(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0], viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    wanted = ["right", "left", "tie", "skip", "left"]
    steps = [
        lambda: page.tap("#choose-right"),
        lambda: page.tap("#choose-left"),
        lambda: page.tap("#tie"),
        lambda: page.tap("#skip"),
        lambda: page.click("#choose-left"),
    ]
    for step in steps:
        question = ready(page)
        step()
        moved_on(page, question)
    assert [answer for _, answer in answers(study)] == wanted
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    sizes = page.eval_on_selector_all("button", "all => all.filter(b => b.offsetHeight).map(b => b.offsetHeight)")
    assert min(sizes) >= 44


def test_keyboard_alone(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcd", ranker="panel", setup=Setup(intro="Hello", consent=True))
    page = opened(links[0])
    for _ in range(4):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type") == "checkbox":
            break
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    question = ready(page)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "choose-right":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    moved_on(page, question)
    assert page.evaluate("document.activeElement.id") == "wording"  # a screen reader reads the next question
    assert page.inner_text("#says") == "Saved."
    question = ready(page)
    page.keyboard.press("ArrowLeft")
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["right", "left"]


def test_double_clicks_answer_once(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0])
    for target in ("#choose-left", "#choose-right", "#skip"):
        question = ready(page)
        page.dblclick(target)
        moved_on(page, question)
        ready(page)
    page.wait_for_timeout(300)
    assert [answer for _, answer in answers(study)] == ["left", "right", "skip"]


def test_undo_and_choose_again(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcd", ranker="panel")
    page = opened(links[0])
    question, shown = ready(page), pair(page)
    assert page.is_disabled("#undo")
    page.keyboard.press("ArrowLeft")
    moved_on(page, question)
    ready(page)
    page.click("#undo")
    page.wait_for_function("() => document.getElementById('says').textContent.startsWith('Taken back')")
    assert pair(page) == shown
    assert ready(page) == question
    page.keyboard.press("ArrowRight")
    moved_on(page, question)
    seat = study.judge(study.judges[0]).seat()
    assert seat.answered == 1 and seat.last is not None and seat.last.answer == "right"


def test_two_tabs_and_the_back_button(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    first = opened(links[0])
    second = opened(links[0], same=first.context)
    question = ready(first)
    assert ready(second) == question
    first.keyboard.press("ArrowLeft")
    moved_on(first, question)
    second.keyboard.press("ArrowRight")
    moved_on(second, question)
    assert "first answer stands" in second.inner_text("#says")
    assert ready(second) == ready(first)
    first.goto(f"{served.address}/healthz")
    first.go_back()
    following = ready(first)
    assert following != question
    first.keyboard.press("ArrowRight")
    moved_on(first, following)
    assert [answer for _, answer in answers(study)] == ["left", "right"]


def test_offline_in_the_middle_of_an_answer(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0])
    question = ready(page)
    page.context.set_offline(True)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('No connection')")
    assert answers(study) == []
    page.context.set_offline(False)
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["left"]


def test_the_reply_is_lost_but_not_the_answer(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0])
    question = ready(page)
    lost: list[int] = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch().status)  # the server has it, the page never hears of it
        route.abort()

    page.route("**/answer", lose)
    page.keyboard.press("ArrowLeft")
    moved_on(page, question)
    assert lost == [200]
    assert [answer for _, answer in answers(study)] == ["left"]


@pytest.mark.parametrize("status", quick([200, 502, 0]))
def test_an_unsent_answer_survives_a_reload(served: Served, opened: Open, status: int) -> None:
    """What replies is a hotel's page to log in, a gateway, or nobody."""
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0])
    question = ready(page)
    page.route(
        "**/answer",
        lambda route: route.fulfill(status=status, body="<html>") if status else route.abort(),
    )
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('No connection')")
    page.unroute("**/answer")
    page.reload()
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["right"]


def test_a_reload_without_a_connection_keeps_the_answer_and_says_so(opened: Open, tmp_path: Path) -> None:
    """Even twice; the answer is sent by itself, and once, when the connection is back."""
    settings = ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db")
    app = create_app(settings)
    study, (link,) = MakeStudy(app.state.context)(judges=1, items="abcdef", ranker="panel")
    with serving(app) as address:
        page = opened(address + link)
        ready(page)
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('Your answer is kept')")
    for _ in range(2):
        page.reload()
        assert page.inner_text("#says") == "No connection. Your answer is kept here and will be sent."
        assert not page.query_selector("#deck") and answers(study) == []
    with serving(create_app(settings), port=int(address.rpartition(":")[2])):
        page.wait_for_selector("#deck")  # by itself
        page.wait_for_function("() => document.getElementById('progress-words').textContent.startsWith('1 of')")
        assert [answer for _, answer in answers(study)] == ["left"]
        assert page.evaluate("() => Object.keys(sessionStorage).length") == 0


def test_a_reload_while_an_answer_is_on_its_way_says_that_it_is_kept(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0])
    question = ready(page)
    stuck: list[Any] = []
    page.context.route("**/answer", lambda route: stuck.append(route))  # neither refused nor answered
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('deck').classList.contains('busy')")
    page.reload()
    assert "Your answer is kept here" in page.inner_text("#says")
    assert "chosen" in page.get_attribute("#right", "class").split()
    page.context.unroute("**/answer")
    for route in stuck:
        with suppress(Exception):  # the page that sent it is gone
            route.continue_()
    moved_on(page, question)
    assert [answer for _, answer in answers(study)] == ["right"]


def test_it_waits_wakes_and_ends(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcd", ranker="panel")
    study.judge(study.judges[0]).pause()
    page = opened(links[0])
    assert page.inner_text("#ending-title") == "No more questions for you"
    study.judge(study.judges[0]).resume()
    page.click("#start")  # it looked again by itself
    ready(page)
    study.close()
    page.reload()
    assert page.inner_text("#ending-title") == "This study is closed"
    served.context.open_studies.delete(study.id)
    page.reload()
    assert "does not work" in page.inner_text("main")


def test_deleted_in_the_middle_of_an_answer(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="abcd", ranker="panel")
    page = opened(links[0])
    ready(page)
    served.context.open_studies.delete(study.id)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('its study is gone')")
    assert "Ask whoever sent it for a new one" in page.inner_text("#says")
    assert not page.query_selector(".chosen")  # nothing was


def test_items_of_every_kind_are_shown_and_none_can_run(served: Served, opened: Open) -> None:
    from juryrank.server.web.render import Content, Kind

    contents = {
        "a": Content("**bold** <script>window.hacked = 1</script> [x](javascript:alert(1))", Kind.MARKDOWN),
        "b": Content("<img src=x onerror='window.hacked=1'>"),
        "c": Content(f"{served.address}/static/icon.svg", Kind.IMAGE, "a mark"),
        "d": Content(f"{served.address}/healthz", Kind.LINK),
    }
    study, links = served.study(judges=1, items="abcd", ranker="panel")
    served.context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    page, seen = opened(links[0]), ""
    while page.is_visible("#ask"):
        seen += page.inner_html(".pair")
        question = ready(page)
        if page.query_selector(".option img"):
            page.wait_for_function(
                "() => [...document.querySelectorAll('.option img')].every(i => i.naturalWidth > 0)"
            )
        page.click("#skip")
        moved_on(page, question)
    assert "<strong>bold</strong>" in seen and 'alt="a mark"' in seen
    assert page.evaluate("window.hacked") is None
