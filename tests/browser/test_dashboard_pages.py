"""The dashboard in a real browser."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from juryrank.server.crowd.platforms import of_preset
from juryrank.server.crowd.questionnaire import questions_from_text
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.render import Content, Kind
from tests.browser.conftest import Open, Served


def test_make_a_study_send_links_and_watch(served: Served, opened: Open, tmp_path: Path) -> None:
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    assert "#" not in page.url
    page.click("text=New study")
    page.fill("#name", "Teas by click")
    page.fill("#items", "green\nblack\nwhite")
    page.check("#reach-named")
    page.fill("#judges", "Lee, Ann <ann@a.org>\nBob")
    page.wait_for_selector("#advice:not([hidden])")
    assert "2 people give you an estimate" in page.inner_text("#advice")
    page.click("text=Create the study")
    page.wait_for_selector("#links")
    page.reload()  # nothing is posted again, and the links are still there
    assert sum(row.name == "Teas by click" for row in served.context.open_studies.rows()) == 1
    with page.expect_download() as download:
        page.click("#links-csv")
    download.value.save_as(tmp_path / "links.csv")
    table = list(csv.reader((tmp_path / "links.csv").read_text().splitlines()))
    assert table[0] == ["judge", "email", "link"] and [row[0] for row in table[1:]] == ["Lee, Ann", "Bob"]
    assert table[1][1] == "ann@a.org"
    judge_link = table[1][2]
    page.click("#links-copy")
    page.wait_for_selector("#links-copy:has-text('Copied'), #links-copy:has-text('Mark and copy it')")

    page.click("nav.tabs >> text=Result")
    page.wait_for_selector("text=No answers yet")
    assert page.locator("#chart-time").count() == 0  # before any answer there is nothing to draw
    judge = opened(judge_link)
    judge.wait_for_selector("#deck[data-ready]:not([data-ready=''])")
    judge.click("#choose-left")
    page.wait_for_function(
        "() => document.querySelector('[data-key=Answers] dd').textContent.startsWith('1')"
    )  # by itself
    page.wait_for_selector("#chart-time svg")
    assert page.inner_text("#live-state") == "Live"


def test_every_button_of_a_study(served: Served, opened: Open) -> None:
    study, _ = served.study(judges=2, items="abcd", ranker="panel", setup=Setup(intro="Hi"))
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    page.on("dialog", lambda dialog: dialog.accept())
    base = f"{served.address}/admin/studies/{study.id}"
    page.goto(base)
    page.click("text=Close")
    page.click("text=Reopen")
    page.click("nav.tabs >> text=Judges")
    page.click("tr:has-text('judge 0') >> text=Manage")
    page.click("#one >> text=Pause")
    assert "Paused" in page.inner_text("[role=status]")
    page.click("tr:has-text('judge 0') >> text=Manage")
    page.click("#one >> text=Resume")
    page.click("tr:has-text('judge 0') >> text=Manage")
    page.click("#one >> text=New link")
    assert page.inner_text("#links code").startswith(f"{served.address}/j/")  # on Share, with all the others
    page.click("nav.tabs >> text=Judges")
    page.click("#judge-rows tr:has-text('judge 1') >> text=Manage")
    page.click("#one >> text=Remove")
    assert "Removed" in page.inner_text("[role=status]")
    page.click("main >> text=Add people")
    page.click("summary:has-text('Add people')")
    page.fill("#judges", "Cy")
    page.click("text=Add and show their links")
    page.click("nav.tabs >> text=Settings")
    page.fill("#question", "Which one, then?")
    page.click("text=Save >> nth=0")
    page.click("summary:has-text('Attention checks')")
    page.fill("#checks", "a cat > a stone")
    page.click("text=Save the checks")
    page.click("nav.tabs >> text=Items")
    page.fill("#items", "e")
    page.click("text=Add them to the ranking")
    assert study.items[-1] == "e"
    page.click("nav.tabs >> text=Data")
    for name in ("csv", "Report to share", "Report with names and contents", "Certificate"):
        with page.expect_download() as download:
            page.click(f"main >> text={name}")
        assert download.value.suggested_filename.startswith("study-")
    page.click("summary:has-text('other settings')")
    page.click("button:has-text('Compute')")
    page.wait_for_selector("text=An estimate, chosen after")
    page.goto(f"{served.address}/admin/tokens")
    page.fill("#label", "by click")
    page.click("text=Make a key")
    page.click("tr:has-text('by click') >> text=Revoke")
    assert "Revoked" in page.inner_text("[role=status]")
    page.goto(f"{base}/settings")
    page.click("summary:has-text('Delete this study')")
    page.fill("#confirm", study.name)
    page.click("text=Delete it for good")
    page.wait_for_url("**/admin?said=deleted")
    page.click("text=Log out")
    page.wait_for_url("**/login")


def test_a_save_that_changes_nothing_leaves_no_trace(served: Served, opened: Open) -> None:
    """Every form with a Save on Settings, Share and Items, sent back as it stands."""
    setup = Setup(
        intro="Who asks?\n\nWe do.",
        lease=90.5,
        link_days=1.5,
        checks=(AttentionCheck("a cat", "a stone"),),
        before=questions_from_text("Age? [number] *\nHow often? [never / daily]"),
    )
    study, _ = served.study(items="abcde", ranker="panel", setup=setup)
    context, essay = served.context, Content("First line\nsecond line", Kind.TEXT)
    context.open_studies.change_setup(study.id, lambda setup: setup.changed(contents={"a": essay}))
    context.open_links.change(study.id, capacity=12, opens_at="2020-01-02T03:04:00+00:00", per_address=25)
    context.platforms.save(study.id, of_preset("prolific", code="C1"))
    page = opened(served.admin_link())
    page.wait_for_selector("h1")

    def trace() -> tuple[int, int, Any]:
        acts = [one for month in context.audit.months() for one in context.audit.of_month(month)]
        link, platform = context.open_links.of(study.id), context.platforms.of(study.id)
        return len(acts), study.log.seq, (link, platform, context.open_studies.setup(study.id))

    before, pressed = trace(), 0
    for tab in ("settings", "share", "items"):
        page.goto(f"{served.address}/admin/studies/{study.id}/{tab}")
        for place in range(page.locator("button:text-matches('^Save')").count()):
            button = page.locator("button:text-matches('^Save')").nth(place)
            button.evaluate("button => { const d = button.closest('details'); if (d) d.open = true; }")
            with page.expect_navigation():
                button.click()
            pressed += 1
            assert page.locator("[role=alert]").count() == 0
            assert trace() == before, (tab, place)
    assert pressed >= 7


def test_a_huge_upload_is_refused_on_a_page(served: Served, opened: Open, tmp_path: Path) -> None:
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")
    page.goto(f"{served.address}/admin/new")
    page.fill("#name", "too much")
    (tmp_path / "huge.csv").write_bytes(b"one,two\n" * 1_600_000)
    page.set_input_files("#file", tmp_path / "huge.csv")
    page.click("text=Create the study")
    page.wait_for_selector("[role=alert]:has-text('at most 10 MB are accepted')")
    assert page.input_value("#name") == "too much"  # what was filled in is still there


def test_dark_and_light_follow_the_system(served: Served, opened: Open) -> None:
    _, links = served.study(judges=1, items="abc", ranker="panel")
    colours = {}
    for scheme in ("light", "dark"):
        page = opened(links[0], color_scheme=scheme)
        colours[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colours["light"] != colours["dark"]


def test_moments_are_typed_in_the_readers_own_time(served: Served, opened: Open) -> None:
    study, _ = served.study(judges=1, ranker="panel")
    served.context.open_links.make(study.id)
    page = opened(served.admin_link(), timezone_id="Asia/Tokyo")
    page.wait_for_url("**/admin")
    page.goto(f"{served.address}/admin/studies/{study.id}/share")
    page.click("text=Who can begin, and when")
    assert "your time" in page.inner_text("label[for=closes]")
    page.fill("#closes", "2031-05-01T08:30")
    page.click("text=Save >> nth=0")
    page.wait_for_url("**said=saved")
    link = served.context.open_links.of(study.id)
    assert link is not None and link.closes_at is not None and link.closes_at.startswith("2031-04-30T23:30")
    assert page.input_value("#closes") == "2031-05-01T08:30"


PICTURE = """() => {
  const svg = document.querySelector(".picture svg"), room = svg.getBoundingClientRect();
  const inside = [...svg.querySelectorAll("text, rect, circle")].every((one) => {
    const box = one.getBoundingClientRect();
    return box.left >= Math.max(room.left, 0) - 1 && box.right <= Math.min(room.right, innerWidth) + 1;
  });
  const sizes = [...svg.querySelectorAll("text")].map((one) => Number(one.getAttribute("font-size")));
  const dots = [...svg.querySelectorAll("circle")].map((one) => Number(one.getAttribute("cx")));
  return { inside, dots, small: svg.getScreenCTM().a * Math.min(...sizes) };
}"""


def test_a_result_with_a_circle_on_a_phone(served: Served, opened: Open) -> None:
    """The picture is seen whole and can be read, every dot on its bar; what to do next is said in sentences."""
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    study, _ = served.study(judges=15, items="abcd", ranker="panel", sitting=6)
    page = opened(served.admin_link(), viewport={"width": 360, "height": 640})
    page.wait_for_url("**/admin")
    for count, says in ((4, "would settle"), (15, "in a circle")):
        for judge in study.judges[:count]:
            while (question := study.ask(judge)) is not None:
                left = (question.left, question.right)
                better = left in beats or (left[::-1] not in beats and left[0] < left[1])
                study.tell(question.id, side="left" if better else "right")
        page.goto(f"{served.address}/admin/studies/{study.id}")
        assert says in page.inner_text("section:has(#forecast-title)")
    assert study.ranking().ranges[:3] == ((1, 3),) * 3
    page.click("text=Possible ranks as a picture")
    seen = page.evaluate(PICTURE)
    assert seen["inside"] and seen["small"] >= 9, seen
    assert seen["dots"][0] < seen["dots"][1] < seen["dots"][2] < seen["dots"][3]
    base = f"/admin/studies/{study.id}"
    for path in (*(f"{base}/{tab}" for tab in ("judges", "share", "settings", "data")), "/admin/tokens"):
        page.goto(f"{served.address}{path}")
        for width in (360, 768, 1100):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, path)


def test_names_in_any_script_and_of_any_length_stay_on_the_page(
    served: Served, opened: Open, tmp_path: Path
) -> None:
    names = ["\u0645\u062d\u0645\u062f \u0639\u0628\u062f \u0627\u0644\u0644\u0647", "x" * 150, "Zo\u00eb"]
    study, _ = served.study(judges=3, items=names, ranker="panel")  # type: ignore[arg-type]
    for judge in study.judges:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, min(question.left, question.right, key=len))
    page = opened(served.admin_link(), viewport={"width": 360, "height": 640})
    page.wait_for_url("**/admin")
    for tab in ("", "/items", "/judges"):
        page.goto(f"{served.address}/admin/studies/{study.id}{tab}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, tab
    page.goto(f"{served.address}/admin/studies/{study.id}")
    assert f"\u2068{names[0]}\u2069" in page.text_content("#live-main")  # a sentence is not turned round by it
    page.click("text=How to read this")
    assert "The dot is the chance" in page.inner_text("#live-main")
    bars = page.eval_on_selector_all(  # in one go: the page may be renewed at any moment
        "table.estimates tbody svg.interval.span",
        "all => all.map(bar => bar.getBoundingClientRect()).map(box => [box.width, box.right])",
    )
    assert len(bars) == len(names) and all(width > 200 and right <= 360 for width, right in bars), bars
    report = tmp_path / "report.html"
    report.write_bytes(page.request.get(f"{served.address}/admin/studies/{study.id}/report").body())
    page.goto(report.as_uri())
    pictures = [one for one in page.query_selector_all("svg.jr-picture") if one.is_visible()]
    assert pictures and all(box["x"] + box["width"] <= 360 for box in map(inked, pictures))


def inked(picture: Any) -> dict[str, float]:
    """The box around everything drawn in an SVG, also what runs over its edge."""
    return picture.evaluate(  # type: ignore[no-any-return]
        "one => { const boxes = [...one.children].map(e => e.getBoundingClientRect());"
        " return {x: Math.min(...boxes.map(b => b.left)),"
        " width: Math.max(...boxes.map(b => b.right)) - Math.min(...boxes.map(b => b.left))} }"
    )
