"""The page in a real Chromium: opens from a file, fetches nothing, and shows its charts on screen and on paper."""

from collections import Counter

import pytest

from juryrank.report.material import material_of
from juryrank.report.page.compose import compose, report_html
from tests.commands import juryrank
from tests.report.logs import panel_log

PATIENCE = 60_000  # milliseconds
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
NAMES = ("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "bee <b>", "שוקולד חלב", "日本")


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(report_html(compose(material_of(*panel_log(NAMES), name="Animals"))), encoding="utf-8")
    return file


def test_the_page_opens_offline_and_shows_every_chart(browser, page_file):
    context = browser.new_context(offline=True, color_scheme="dark", viewport={"width": 1200, "height": 900})
    page = context.new_page()
    wrong, asked = [], []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda problem: wrong.append(str(problem)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri(), timeout=PATIENCE)
    assert page.locator("figure svg.jr-wide").count() >= 5
    assert wrong == [] and asked == [page_file.as_uri()]
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.check("#theme", force=True)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(18, 22, 29)", "rgb(255, 255, 255)")
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360  # tables scroll alone
    boxes = [one.bounding_box() for one in page.locator("figure svg.jr-narrow").all()]
    assert len(boxes) >= 5 and all(box and box["x"] >= 0 and box["x"] + box["width"] <= 360 for box in boxes)
    context.close()


def test_what_is_on_the_page_is_on_the_paper(browser, tmp_path):
    """The demo's report, printed without ever being scrolled, and from a dark screen."""
    pdfium = pytest.importorskip("pypdfium2")
    assert juryrank("demo", "--json", "--report", tmp_path / "demo.html").returncode == 0
    context = browser.new_context(color_scheme="dark", java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "demo.html").as_uri(), timeout=PATIENCE)
    charts = page.locator("figure svg.jr-wide")
    labels = Counter(charts.locator("text").all_text_contents())
    printed = pdfium.PdfDocument(page.pdf(format="A4"))
    words = Counter(" ".join(sheet.get_textpage().get_text_bounded() for sheet in printed).split())
    needed = Counter(word for label, times in labels.items() for word in label.split() * times)
    assert charts.count() == 4 and needed["Enceladus"] == 1 and needed["accuracy"] == 1 and needed["Ada"] == 3
    assert {word: times for word, times in needed.items() if words[word] < times} == {}
    headings = set(page.locator("h1, h2, h3").all_text_contents())
    margin = dict.fromkeys(("top", "bottom", "left", "right"), "1cm")
    for form in ({"format": "A4"}, {"format": "Letter", "margin": margin}, {"format": "A4", "margin": margin}):
        for sheet in pdfium.PdfDocument(page.pdf(**form)):  # headings and announcements stay with what follows
            last = sheet.get_textpage().get_text_bounded().strip().splitlines()[-1].strip()
            assert last not in headings and not last.endswith(":"), (form, last)
    colours = [_share_of_blue(sheet.render(scale=1).to_pil()) for sheet in printed]
    assert sum(share > 0.002 for share in colours) >= 4  # sheets with a picture or a chart
    assert all(sheet.render(scale=0.2).to_pil().getpixel((2, 2)) == (255, 255, 255) for sheet in printed)
    context.close()


OVER_THE_EDGE = """() => [...document.querySelectorAll("svg")].flatMap((chart) => {
  const frame = chart.getBoundingClientRect();
  return [...chart.querySelectorAll("text")].filter((label) => {
    const box = label.getBoundingClientRect();
    return frame.width && box.width && (box.left < frame.left - 0.5 || box.right > frame.right + 0.5);
  }).map((label) => label.textContent);
})"""
WIDE = ("Gonggong & Dunya", "#1 {bundled} <HTML> + dedup", "ЖЮЩ Дом обуви", "Ωmega ∑ → ≥ 9", "MWmw @ 100 %")


@pytest.mark.slow
def test_no_label_runs_over_the_edge_of_its_chart(browser, tmp_path):
    """Letters wider than most, as names of items and of judges."""
    file = tmp_path / "wide.html"
    log = panel_log(WIDE, named="person-DUNGHOOD#{}")
    file.write_text(report_html(compose(material_of(*log, name="Wide"))), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri(), timeout=PATIENCE)
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator("svg text", has_text="person-DUNG").count() >= 2
        assert page.evaluate(OVER_THE_EDGE) == [], width
    context.close()


def _share_of_blue(sheet):
    """How much of a sheet has the colours of dots and bars."""
    blue = sum(count for count, (r, g, b) in sheet.getcolors(1 << 24) if b > r + 20)
    return blue / (sheet.width * sheet.height)
