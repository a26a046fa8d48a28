"""axe-core on every page in every state, light and dark: no violation at all.

By default the first page of each test is seen in dark, in the slow tests every page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from juryrank import rank
from juryrank.report import certificate_report
from juryrank.server.crowd.platforms import Platform
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.studies.judging import Judging
from juryrank.server.studies.setup import Setup
from juryrank.study import Study
from juryrank.types import Status, Wait
from tests.browser.conftest import Open, Served, ready
from tests.postgres import missing
from tests.quick import quick

BAD = {"resultTypes": ["violations"], "preload": False}  # of what passes one example is enough
RUN = "options => axe.run(options).then(({ violations, passes }) => ({ violations, passes: passes.length }))"
CONTRAST = {**BAD, "runOnly": ["color-contrast", "link-in-text-block"]}  # the rules that colours decide


@pytest.fixture(scope="module")
def axe() -> Any:
    try:
        from axe_playwright_python.sync_playwright import Axe
    except ImportError:
        missing("accessibility by axe-core: axe-playwright-python is not installed")
    return Axe()


class Inspector:
    """Looks at a page in light with every rule, in dark with those about colours; remembers what is wrong."""

    def __init__(self, axe: Any, *, all_dark: bool) -> None:
        self.axe, self.all_dark = axe, all_dark
        self.problems: list[str] = []
        self.looked = 0

    def look(self, page: Any, name: str) -> None:
        self.looked += 1
        schemes = {"light": BAD, "dark": CONTRAST} if self.all_dark or self.looked == 1 else {"light": BAD}
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(self.axe.axe_script)
        for scheme, options in schemes.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            found = page.evaluate(RUN, options)
            assert found["passes"], (name, scheme)  # it did look at something
            self.problems += [
                f"{name}, {scheme}: {one['id']}: {one['nodes'][0]['html'][:120]}" for one in found["violations"]
            ]


@pytest.fixture(params=quick([False, True]), ids=["some in dark", "all in dark"])
def inspector(axe: Any, request: pytest.FixtureRequest) -> Inspector:
    return Inspector(axe, all_dark=request.param)


def _answered(study: Study, people: int) -> None:
    for judge in study.judges[:people]:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, side="left", response_time=1.5)


def test_the_dashboards_pages(served: Served, opened: Open, inspector: Inspector) -> None:
    study, _ = served.study(judges=3, items="abcd", ranker="panel")
    _answered(study, 2)
    proven, _ = served.study(judges=2, items="abc")
    for _ in range(6):
        question = proven.ask()
        assert question is not None
        proven.tell(question.id, min(question.left, question.right))
    empty, _ = served.study(judges=2, items="abc")
    study.judge(study.judges[2]).pause()
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    base = f"/admin/studies/{study.id}"
    for path in (
        "/admin",
        f"{base}/judges",
        f"{base}/marks",
        f"{base}/board",
        f"{base}/settings",
        f"{base}/data?ranker=certified&error=0.1",
    ):
        page.goto(served.address + path)
        inspector.look(page, path)
    for path, part in (
        (base, "#chart-judges svg"),
        (f"/admin/studies/{proven.id}", "#live-main svg"),
        (f"/admin/studies/{empty.id}", "text=No answers yet"),
    ):
        page.goto(served.address + path)
        page.wait_for_selector(part)
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        inspector.look(page, path)
    for path in ("/admin/tokens", "/api/docs", "/nowhere", f"{base}/export/nonsense", "/admin/studies/99999"):
        page.goto(served.address + path)
        inspector.look(page, path)
    assert inspector.problems == [] and inspector.looked == 14


def test_forms_filled_in_rightly_and_wrongly(served: Served, opened: Open, inspector: Inspector) -> None:
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    page.goto(f"{served.address}/admin/new")
    page.click("text=First page for judges")
    inspector.look(page, "a new study")
    page.fill("#name", f"Seen by axe {len(served.context.open_studies.rows())}")  # light and dark
    page.fill("#items", "one\none")
    page.click("text=Create the study")
    page.wait_for_selector("[role=alert]")
    inspector.look(page, "a mistake")
    page.fill("#items", "one\ntwo")
    page.check("#reach-named")
    page.fill("#judges", "Ann\nBob")
    page.wait_for_selector("#advice:not([hidden])")
    inspector.look(page, "advice")
    page.click("text=Create the study")
    page.wait_for_selector("#links")
    for summary in page.query_selector_all("main summary"):
        summary.click()
    inspector.look(page, "new links")
    page.goto(f"{served.address}/admin/tokens")
    page.fill("#label", "seen by axe")
    page.click("text=Make a key")
    inspector.look(page, "a new token")
    page.click("text=Log out")
    page.wait_for_url("**/login")
    inspector.look(page, "log-in")
    page.fill("#secret", "not it")
    page.click("#login button")
    page.wait_for_selector("[role=alert]")
    inspector.look(page, "a wrong password")
    assert inspector.problems == [] and inspector.looked == 7


def test_the_pages_of_a_crowd(served: Served, opened: Open, inspector: Inspector) -> None:
    """Questions about the person, right to left, a code to copy; and the forms that set them up."""
    asked = questions_from_text("Age? [number] *\nCook? [never / daily]\nCity")
    setup = Setup(consent=True, before=asked, after=questions_from_text("Else? *"), language="ar")
    study, _ = served.study(judges=0, items="abcd", ranker="panel", sitting=1, setup=setup)
    served.context.platforms.save(study.id, Platform("free", ("who",), "who", code="CODE-1"))
    link = f"{served.address}/s/{served.context.open_links.make(study.id).code}"
    page = opened(link)
    inspector.look(page, "without an id")
    page.goto(f"{link}?who=ann")
    inspector.look(page, "about the person")
    page.fill(f"#{asked[0].field}", "30")
    page.check("input[name=consent]")
    page.click("#start")
    ready(page)
    inspector.look(page, "right to left")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#ending-about:not([hidden])")
    inspector.look(page, "last questions")
    page.fill(f"#{setup.after[0].field}", "no")
    page.click("#ending-about button")
    page.wait_for_selector("#ending-code:not([hidden])")
    assert page.inner_text("#code") == "CODE-1"
    inspector.look(page, "a code")
    page = opened(f"{link}?who=ann")  # opened presses the button
    owner = opened(served.admin_link())
    owner.wait_for_url("**/admin")
    for tab in ("share", "settings", "data?reliability=yes"):
        owner.goto(f"{served.address}/admin/studies/{study.id}/{tab}")
        inspector.look(owner, tab)
    assert inspector.problems == [] and inspector.looked == 8


def _close(study: Study) -> None:
    study.close()


def _pause(study: Study) -> None:
    study.judge(study.judges[0]).pause()


ENDINGS: list[tuple[str, Callable[[Study], None]]] = [
    ("You are done", lambda study: _answered(study, 1)),
    ("No more questions for you", _pause),
    ("This study is closed", _close),
]


def test_the_judges_pages_in_every_state(
    served: Served, opened: Open, inspector: Inspector, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, links = served.study(judges=1, setup=Setup(intro="Hi *you*", consent=True, own_work=True))
    page = opened(links[0])
    inspector.look(page, "first page")
    page.check("text=I have read this")
    page.check("input[name=own] >> nth=0")
    page.click("text=Start")
    ready(page)
    inspector.look(page, "a question")
    page.click("#choose-left")
    page.wait_for_function("() => document.getElementById('says').textContent === 'Saved.'")
    ready(page)
    inspector.look(page, "a question after an answer")
    page.context.set_offline(True)
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => document.getElementById('says').textContent.includes('No connection')")
    page.wait_for_timeout(50)
    inspector.look(page, "no connection")
    page.context.set_offline(False)
    for heading, happens in ENDINGS:
        ended, links = served.study(judges=1, items="abc", ranker="panel")
        happens(ended)
        page = opened(links[0])
        assert page.inner_text("#ending-title") == heading
        inspector.look(page, heading)
    page.goto(f"{served.address}/j/wrong")
    inspector.look(page, "a wrong link")
    _, links = served.study(judges=1, items="abc", ranker="panel")
    monkeypatch.setattr(Judging, "_next", lambda *_: Status(Wait.WAIT, "Others must answer first."))
    monkeypatch.setattr(Study, "status", lambda *_: Status(Wait.WAIT, "Others must answer first."))
    page.goto(links[0])
    page.click("#start")
    page.wait_for_selector("#ending-title")
    assert page.inner_text("#ending-title") == "Nothing for you right now"
    inspector.look(page, "waiting")
    assert inspector.problems == [] and inspector.looked == 9


def test_the_report(browser: Any, inspector: Inspector, tmp_path: Path) -> None:
    ranking = rank(list("abcdef"), {"ann": min, "bob": min, "cat": max}, ranker="certified", fresh=True, budget=30)
    file = tmp_path / "report.html"
    file.write_text(certificate_report(ranking.certificate(), title="Letters"), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    inspector.look(page, "a report")
    assert inspector.problems == [] and page.locator("figure svg.jr-wide").count() >= 4
    page.close()
