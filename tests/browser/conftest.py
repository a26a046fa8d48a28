"""A real server and a real Chromium, shared by all browser tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

pytest.importorskip("fastapi")
from juryrank.server.access.vault import Scope
from juryrank.server.app import create_app
from juryrank.server.context import Context
from juryrank.server.settings import ServerSettings
from juryrank.study import Study
from tests.browsing import started
from tests.server.conftest import MakeStudy
from tests.serving import serving

READY = "#deck[data-ready]:not([data-ready=''])"
PATIENCE = 60_000  # milliseconds; machines that build software are slow


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.nodeid:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="package")  # starting one takes as long as a test
def browser() -> Iterator[Any]:
    yield from started()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("browser")
    app = create_app(ServerSettings(storage=f"sqlite:///{place}/jury.db", judge_burst=200, wrong_per_minute=600))
    with serving(app) as address:
        yield Served(address, app.state.context)


@dataclass
class Served:
    """The server as seen from outside, and its office for looking inside."""

    address: str
    context: Context
    make: MakeStudy = field(init=False)

    def __post_init__(self) -> None:
        self.make = MakeStudy(self.context)

    def study(self, **wishes: Any) -> tuple[Study, list[str]]:
        study, links = self.make(**wishes)
        return study, [self.address + link for link in links]

    def admin_link(self) -> str:
        return f"{self.address}/login#{self.context.vault.issue_token(Scope.ADMIN)[1]}"


Open = Callable[..., Any]


@pytest.fixture
def opened(browser: Any) -> Iterator[Open]:
    """Open an address in a fresh browser context; whatever goes wrong on the page fails the test."""
    with ExitStack() as stack:
        wrong: list[str] = []

        def open_page(address: str = "", *, same: Any = None, **options: Any) -> Any:
            context = same or browser.new_context(**{"viewport": {"width": 1100, "height": 750}, **options})
            context.set_default_timeout(PATIENCE)
            if same is None:
                stack.callback(context.close)
            page = context.new_page()
            stack.callback(page.unroute_all, behavior="ignoreErrors")  # a request may be under way at the end
            page.on("pageerror", lambda problem: wrong.append(str(problem)))
            if address:
                page.goto(address)
                press_start(page)
            return page

        yield open_page
        assert wrong == []


def press_start(page: Any) -> None:
    """On the first page of a study that asks for nothing."""
    if page.query_selector("#start") and not page.query_selector("[required], fieldset"):
        page.click("#start")
        page.wait_for_selector("#deck")


def ready(page: Any) -> str:
    """Wait until a question takes answers; its id."""
    page.wait_for_selector(READY)
    return str(page.get_attribute("#deck", "data-ready"))


def pair(page: Any) -> tuple[str, str]:
    return page.inner_text("#left-content").strip(), page.inner_text("#right-content").strip()


def answers(study: Study) -> list[tuple[int, str]]:
    """What the log holds, in order."""
    return [(event.data["q"], event.data["answer"]) for event in study.events() if event.kind == "told"]
