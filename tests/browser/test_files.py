"""Uploaded files in a real browser: dropped, shown whole on both sides, reported when they are gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe

from juryrank.server.studies.setup import Setup
from juryrank.server.web.render import Content, Kind
from juryrank.study import Study
from tests.browser.conftest import Open, Served, answers, ready
from tests.browser.test_reading import EVERY_SIZE, buttons_in_sight
from tests.server.files import making

ESSAY = [["FIRST-LINE", *["and it goes on"] * 40], ["second page"], ["third page"] * 40 + ["LAST-LINE"]]
EDGES = """side => {
  const box = document.getElementById(side + "-content"), room = box.getBoundingClientRect();
  const sheets = [...box.querySelectorAll("img")].map((one) => one.getBoundingClientRect());
  box.scrollTo(0, 0);
  const top = box.querySelector("img").getBoundingClientRect().top;
  box.scrollTo(0, 1e9);
  const last = [...box.querySelectorAll("img")].at(-1).getBoundingClientRect();
  return { begins: top >= room.top - 1, ends: last.bottom <= room.bottom + 1 && last.bottom <= innerHeight,
           wide: Math.min(...sheets.map((one) => one.width)) / room.width };
}"""


def with_files(served: Served, study: Study, files: dict[str, tuple[str, bytes]], place: Path) -> None:
    """Let items show uploaded files."""
    uploads, contents = served.context.uploads, {}
    upload = uploads.begin()
    for item, (name, body) in files.items():
        (place / name).write_bytes(body)
        (taken,) = uploads.add(upload, name, place / name)
        contents[item] = taken.content  # type: ignore[union-attr]
    uploads.hand_over(upload, study.id)
    served.context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))


def loaded(page: Any) -> None:
    page.wait_for_function(
        "() => [...document.querySelectorAll('.option img')].every(one => one.complete && one.naturalHeight > 0)"
    )


@EVERY_SIZE
def test_a_pdf_and_a_portrait_are_seen_whole_on_both_sides(
    served: Served, opened: Open, tmp_path: Path, sizes: list[tuple[int, int]]
) -> None:
    study, links = served.study(judges=len(sizes), items="abc", ranker="panel")
    files = {"a": ("a.pdf", making.pdf(ESSAY)), "b": ("b.pdf", making.pdf(ESSAY[::-1]))}
    with_files(served, study, {**files, "c": ("c.jpg", making.picture(400, 1200))}, tmp_path)
    for link, (width, height), scheme in zip(links, sizes, ("dark", "light", "dark"), strict=False):
        page = opened(link, viewport={"width": width, "height": height}, color_scheme=scheme)
        for _ in range(3):
            question = ready(page)
            loaded(page)
            assert buttons_in_sight(page), width
            for side in ("left", "right"):
                seen = page.evaluate(EDGES, side)
                assert seen["begins"] and seen["ends"], (width, side, seen)
                if page.query_selector(f"#{side} .sheets"):
                    assert seen["wide"] > 0.8, (width, side, seen)
            assert buttons_in_sight(page), width
            if page.inner_text("#progress-words").startswith("2 "):
                break
            page.keyboard.press("ArrowLeft")
            page.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
        page.click("#enlarge-left")
        page.click("#reader-page img >> nth=0")
        assert page.eval_on_selector("#reader-page", "one => one.classList.contains('zoomed')")
        page.keyboard.press("Escape")
    found = Axe().run(page).response["violations"]
    assert not [(problem["id"], problem["nodes"][0]["html"]) for problem in found]
    assert len(answers(study)) == 2 * len(sizes)


def test_an_address_that_is_gone_is_said_to_judge_and_owner(served: Served, opened: Open) -> None:
    study, links = served.study(judges=1, items="ab", ranker="panel")
    address = f"{served.address}/static/no-such-picture.png"
    shown = Setup(contents={"a": Content(address, Kind.IMAGE, "a tower")})
    served.context.open_studies.change_setup(study.id, lambda _: shown)
    page = opened(links[0])
    ready(page)
    page.wait_for_selector("text=This could not be loaded")
    owner = opened(served.admin_link())
    owner.wait_for_url("**/admin")
    owner.goto(f"{served.address}/admin/studies/{study.id}/items")
    assert "could not be loaded by a judge" in owner.inner_text("[role=status]")
