"""The page in a real Chromium: opens from a file, fetches nothing, draws every figure, light and dark."""

import pytest

from juryrank.report.material import material_of
from juryrank.report.page.compose import compose
from juryrank.report.page.html import report_html
from tests.report.logs import panel_log

PATIENCE = 60_000  # milliseconds
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_the_page_opens_offline_and_draws_everything(browser, tmp_path):
    names = ("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "bee <b>", '"cow"', "日本")
    file = tmp_path / "report.html"
    file.write_text(report_html(compose(material_of(*panel_log(names), name="Animals"))), encoding="utf-8")
    context = browser.new_context(offline=True, color_scheme="dark", viewport={"width": 1200, "height": 900})
    page = context.new_page()
    wrong, asked = [], []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda problem: wrong.append(str(problem)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri(), timeout=PATIENCE)
    charts = page.locator(".chart")
    page.wait_for_function(
        "document.querySelectorAll('.chart .main-svg').length >= document.querySelectorAll('.chart').length",
        timeout=PATIENCE,
    )
    assert charts.count() >= 5
    assert wrong == [] and asked == [file.as_uri()]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(18, 22, 29)", "rgb(255, 255, 255)")
    page.set_viewport_size({"width": 360, "height": 800})
    page.wait_for_function("document.documentElement.scrollWidth <= 360", timeout=PATIENCE)  # tables scroll alone
    context.close()
