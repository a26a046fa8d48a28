"""An owner and a colleague with a phone, in a real browser, at a real server: one form, one link, a few taps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browsing import started
from tests.stories.site import Site

pytestmark = pytest.mark.browser
PATIENCE = 60_000  # milliseconds


@pytest.fixture
def browser() -> Iterator[Any]:
    yield from started()


def test_thirty_projects_from_nothing_to_a_link_that_is_answered(site: Site, browser: Any) -> None:
    page = browser.new_context().new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(site.admin)
    page.wait_for_url("**/admin")
    page.click("text=New study")
    page.fill("#name", "Projects")
    page.fill("#items", "\n".join(f"Project {k}" for k in range(1, 31)))
    page.click("text=Create the study")
    link = page.inner_text("#open-link")
    phone = browser.new_context(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True).new_page()
    phone.set_default_timeout(PATIENCE)
    phone.goto(link)
    phone.tap("#start")
    for _ in range(2):
        phone.wait_for_selector("#deck[data-ready]:not([data-ready=''])")
        question = phone.get_attribute("#deck", "data-ready")
        phone.tap("#choose-left")
        phone.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
    phone.reload()
    assert phone.inner_text("#progress-words") == "2 of 10"
