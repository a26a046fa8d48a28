"""Stories of owners: run together, a hackathon's board, models on cases, a bad phone line, two hundred judges."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.settings import ServerSettings
from juryrank.study import Study
from tests.browser.conftest import Open, Served, answers, ready
from tests.browser.test_crowd_stories import here
from tests.browser.test_live import HELD, MARK, shows_answers
from tests.quick import quick
from tests.serving import serving

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
TABS = ("", "/share", "/items", "/judges", "/models", "/settings", "/data", "/marks", "/board")
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def narrow(page: Any, address: str) -> None:
    """Nothing is wider than the screens that there are; 320 pixels are what 400 % on a laptop leave."""
    page.goto(address)
    for width in (320, 360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.evaluate(WIDER) <= 0, (address, width)


def test_an_owner_shares_a_study_and_takes_it_back(served: Served, opened: Open) -> None:
    """Rename, a viewer who accepts by a link, what a viewer is offered, and the end of it."""
    study, _ = served.study(judges=3, items="abcde", ranker="panel", name="Essays")
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, min(question.left, question.right))
    base = f"{served.address}/admin/studies/{study.id}"
    owner, said = opened(), []
    owner.on("console", lambda message: said.append(message.text))
    owner.goto(served.admin_link())
    owner.wait_for_url("**/admin")
    owner.goto(f"{base}/settings")
    owner.fill("#name", "Essays 9b")
    owner.click("text=Rename")
    assert owner.inner_text("h1") == "Essays 9b"
    owner.goto(f"{base}/share")
    owner.fill("#label", "Head of school")
    owner.click("text=Make an invitation")
    owner.wait_for_url("**#members")  # where the invitation stands
    link = owner.inner_text("#members code")
    viewer = opened(link)
    viewer.fill("#name", "Dr Head")
    viewer.click("text=Accept")
    viewer.click("text=Open the study")
    assert viewer.inner_text("nav.tabs").split() == ["Result", "Data"] and "a" in viewer.inner_text(
        "table.estimates"
    )
    assert not viewer.query_selector("text=Close the study") and not viewer.query_selector("text=Marks")
    narrow(viewer, f"{base}/data")
    again = opened()
    again.goto(link)
    assert "accepted already" in again.inner_text("main")
    owner.reload()
    assert "Dr Head" in owner.inner_text("#members")
    owner.on("dialog", lambda dialog: dialog.accept())
    owner.click("text=Take access away")
    owner.wait_for_selector("#members:not(:has-text('Dr Head'))")
    viewer.goto(base)
    assert "/login" in viewer.url
    owner.click("text=Close the study")
    owner.wait_for_selector("text=Reopen the study")
    owner.goto(f"{base}/settings")
    owner.click("summary:has-text('Delete this study')")
    owner.fill("form[action$='/delete'] input:not([type=hidden])", "Essays 9b")
    owner.click("text=Delete it for good")
    owner.wait_for_url("**/admin?*")
    assert "Essays 9b" not in owner.inner_text("#studies, main")
    assert said == []


def test_a_hackathon_with_conflicts_and_a_board(served: Served, opened: Open) -> None:
    """Thirty projects: Start stays on a phone's first screen, own work is found by typing, a board is frozen."""
    owner = opened(served.admin_link())
    owner.wait_for_url("**/admin")
    owner.click("text=New study")
    owner.fill("#name", "Hackathon day")
    owner.fill("#items", "\n".join(f"Project {k}" for k in range(1, 31)))
    owner.click("summary:has-text('First page for judges')")
    owner.check("[name=own_work]")
    owner.click("text=Create the study")
    link, study = owner.inner_text("#open-link"), here(served, owner)
    phone = opened(link, **PHONE)
    box = phone.eval_on_selector("#start", "one => one.getBoundingClientRect().bottom")
    assert box <= 640
    phone.fill("#find-own", "project 12")
    rows = phone.eval_on_selector_all(
        ".choice.own", "all => all.filter(one => !one.hidden).map(one => one.innerText)"
    )
    assert [row.strip() for row in rows] == ["Project 12"]
    phone.check(".choice.own:not([hidden]) input")
    phone.fill("#find-own", "project 3")  # what is ticked stays in sight
    assert phone.is_visible(".choice.own:has-text('Project 12')")
    phone.tap("#start")
    for _ in range(3):
        question = ready(phone)
        assert "Project 12" not in phone.inner_text("#deck").split("\n")
        phone.tap("#choose-left")
        phone.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
    board = f"{served.address}/admin/studies/{study.id}/board"
    narrow(owner, board)
    owner.set_viewport_size({"width": 1920, "height": 1080})
    assert len(owner.query_selector_all(".podium li")) == 3 and link in owner.inner_text(".join")
    sizes = "one => [one, one.querySelector('path:last-of-type')].map(each => each.getBoundingClientRect().width)"
    white, black = owner.eval_on_selector(".join svg", sizes)
    assert black > 0.8 * white  # the code fills its place: it is read from the back of a hall
    owner.click("text=Freeze before the ceremony")
    frozen = owner.inner_text("#board")
    assert "The result follows" in frozen
    for _ in range(2):
        question = ready(phone)
        phone.tap("#choose-right")
        phone.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
    owner.reload()
    assert owner.inner_text("#board") == frozen
    owner.click("text=Show the result")
    assert "The result follows" not in owner.inner_text("#board")


@pytest.mark.slow
def test_a_judge_on_a_bad_line(served: Served, opened: Open) -> None:
    """Double taps, a lost reply, a reload in mid-send, the back button, a second tab, no line, undo: once each."""
    study, (link,) = served.study(judges=1, items="abcdef", ranker="panel", sitting=8)
    page = opened(link, **PHONE)
    said: list[str] = []

    def moved(was: str) -> None:
        page.wait_for_function("was => document.getElementById('question-id').value !== was", arg=was)

    question = ready(page)
    page.dblclick("#choose-left")
    moved(question)
    question, lost = ready(page), []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().status)
            route.abort()

    page.route("**/answer", lose)
    page.tap("#choose-right")
    moved(question)
    page.unroute("**/answer")
    question = ready(page)
    page.context.set_offline(True)
    page.tap("#choose-left")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('No connection')")
    page.context.set_offline(False)
    moved(question)
    question = ready(page)
    page.route("**/answer", lambda route: route.abort())
    page.tap("#choose-right")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('No connection')")
    page.unroute("**/answer")
    page.reload()
    moved(question)
    second = opened(link, same=page.context)
    question = ready(second)
    assert ready(page) == question
    second.click("#choose-left")
    second.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
    page.tap("#choose-right")  # too late: the first one stands
    moved(question)
    page.goto(f"{served.address}/healthz")
    page.go_back()
    ready(page)
    said = [answer for _, answer in answers(study)]
    assert said == ["left", "right", "left", "right", "left"]
    page.tap("#undo")
    page.wait_for_function("() => document.getElementById('progress-words').textContent.startsWith('4 of')")
    question = ready(page)
    page.tap("#choose-right")
    moved(question)
    assert page.inner_text("#progress-words") == "5 of 8"


@pytest.mark.slow
def test_an_engineer_makes_a_study_of_models_on_cases(opened: Open, tmp_path: Path) -> None:
    """Upload outputs, choose a judge from the operator's list, see the cost; Start is the next thing to press."""
    judges = tmp_path / "judges.toml"
    row = '[[judge]]\nname = "small"\napi = "openai"\nmodel = "m"\nurl = "http://127.0.0.1:9/v1"\n'
    judges.write_text(row + "price = { input = 0.4, output = 1.6 }\n")
    table = tmp_path / "outputs.csv"
    rows = [f"{name},q{k},{name} says {k},What is {k}?" for name in ("sys-a", "sys-b", "sys-c") for k in range(20)]
    table.write_text("\n".join(["system,case,output,input", *rows]))
    app = create_app(ServerSettings(storage=f"sqlite:///{tmp_path}/jury.db", judges=str(judges)))
    with serving(app) as address:
        page = opened(f"{address}/login#{app.state.context.vault.issue_token(Scope.ADMIN)[1]}")
        page.wait_for_url("**/admin")
        page.click("text=New study")
        page.fill("#name", "Prompts")
        page.set_input_files("#file", str(table))
        page.click("text=Create the study")
        page.wait_for_selector("#columns")
        assert "3 systems on 20 cases" in page.inner_text("main") and page.is_visible("text=sys-b says 3")
        page.set_viewport_size({"width": 360, "height": 700})  # without its head, a cell says whose it is
        said = "one => getComputedStyle(one, '::before').content"
        assert "sys-b" in page.eval_on_selector("td:has-text('sys-b says 3')", said)
        page.set_viewport_size({"width": 1100, "height": 750})
        page.check("[value=small]")
        page.click("text=Create the study")
        page.wait_for_url("**/models?*")
        words = page.inner_text("main")
        assert "120 questions for each model" in words and "all questions: about 0.0" in words
        assert page.is_checked("[value=small]") and page.is_visible("button:has-text('Start')")
        base = page.url.split("/models")[0]
        for tab in TABS[:-2]:
            narrow(page, f"{base}{tab}")
        page.goto(f"{base}/items")
        assert "20 cases" in page.inner_text("main") and "What is 7?" in page.inner_text("main")


@pytest.mark.parametrize(("judges", "items", "each"), quick([(20, 20, 6), (200, 60, 55)]))
def test_two_hundred_judges_and_sixty_items(
    served: Served, opened: Open, judges: int, items: int, each: int
) -> None:
    """Tables of one line each, sorted and searched; no page wider than a phone; news leave the reader alone."""
    names = [f"Project {k} of the long summer" for k in range(items)]
    study, _ = served.study(judges=judges + 1, items=names, ranker="panel", sitting=each)
    draws = random.Random(1)
    for judge in study.judges[:-1]:
        for _ in range(each):  # and nobody goes on beyond
            one_more(study, judge, draws)
    assert study.progress().answers == judges * each
    base = f"{served.address}/admin/studies/{study.id}"
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    for tab in TABS:
        narrow(page, f"{base}{tab}")
    page.set_viewport_size({"width": 1280, "height": 800})
    sorts(page, f"{base}/judges", "#judge-rows > tr", by="Answers", find="judge 17")
    sorts(page, f"{base}/items", "#item-rows > tr", by="Item", find="project 2")
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(base)
    page.wait_for_function("() => document.getElementById('live-state').textContent === 'Live'")
    assert page.is_visible("table.estimates tbody tr:nth-child(10)")  # the ten that matter, and the rest on demand
    assert not page.is_visible("table.estimates tbody tr:nth-child(11)")
    page.evaluate(MARK)
    page.evaluate(
        "() => { window.held = document.querySelector('#live-main summary'); held.focus(); scrollTo(0, 400); }"
    )
    before = page.evaluate(HELD)
    assert before["same"] and before["marked"] and before["outside"] > 0
    one_more(study, study.judges[-1], draws)
    shows_answers(page, study)
    page.wait_for_function("() => !document.getElementById('live-top').textContent.includes('As of')")
    assert page.evaluate(HELD) == before


def one_more(study: Study, judge: str, draws: random.Random) -> None:
    """An answer by somebody who mostly sees what most people see."""
    question = study.ask(judge)
    assert question is not None
    left, right = (int(one.split()[1]) for one in (question.left, question.right))
    first = draws.random() < 1 / (1 + 2.718 ** ((left - right) / 12))
    study.tell(question, question.left if first else question.right)


def sorts(page: Any, address: str, rows: str, *, by: str, find: str) -> None:
    """A table with a line for each row, which is turned round and searched."""
    page.goto(address)
    assert page.eval_on_selector_all(rows, "all => Math.max(...all.map(one => one.offsetHeight))") <= 48
    page.click(f"th >> text={by}")
    first = page.inner_text(f"{rows}:first-child")
    page.keyboard.press("Enter")  # the head has the focus
    assert page.inner_text(f"{rows}:first-child") != first
    page.fill("#find", find)
    names = "all => all.filter(one => !one.hidden).map(one => one.dataset.name.toLowerCase())"
    shown, there = page.eval_on_selector_all(rows, names), page.locator(rows).count()
    assert 0 < len(shown) < there and all(find in name for name in shown)
