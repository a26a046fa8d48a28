"""Long items can be read from their first to their last line, and reading is not choosing."""

from __future__ import annotations

import io
from typing import Any

import pytest

from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.render import Content, Kind
from tests.browser.conftest import Open, Served, answers, pair, ready
from tests.quick import quick

SIZES = [(360, 640), (1280, 800), (768, 1024)]
EVERY_SIZE = pytest.mark.parametrize("sizes", quick([SIZES[:1], SIZES]), ids=len)
WORDS = "It was a bright cold day in the town and the clocks had just begun to strike. " * 25  # 400 words
ESSAY = f"FIRST-LINE {WORDS} LAST-LINE"
PICTURE = "https://pictures.example/portrait.png"


def portrait(page: Any) -> None:
    """A picture three times as high as wide."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (400, 1200), "#7799bb").save(file, "PNG")
    page.route(
        "https://pictures.example/*", lambda route: route.fulfill(body=file.getvalue(), content_type="image/png")
    )


IN_SIGHT = """([box, word]) => {
  const inside = document.getElementById(box);
  const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf(word);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at); range.setEnd(node, at + word.length);
    const seen = range.getBoundingClientRect(), room = inside.getBoundingClientRect();
    const low = Math.min(room.bottom + 1, innerHeight);
    return seen.top >= room.top - 1 && seen.bottom <= low && seen.left >= room.left;
  }
  return false;
}"""


def buttons_in_sight(page: Any) -> bool:
    boxes = [page.query_selector(f"#choose-{side}").bounding_box() for side in ("left", "right")]
    height = page.viewport_size["height"]
    return all(box["y"] >= 0 and box["y"] + box["height"] <= height for box in boxes)


@EVERY_SIZE
def test_an_essay_can_be_read_whole(served: Served, opened: Open, sizes: list[tuple[int, int]]) -> None:
    study, links = served.study(judges=len(sizes), items="ab", ranker="panel")
    contents = {"a": Content(ESSAY, Kind.TEXT), "b": Content(ESSAY, Kind.MARKDOWN)}
    served.context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    for link, (width, height) in zip(links, sizes, strict=True):
        page = opened(link, viewport={"width": width, "height": height}, has_touch=width < 500)
        ready(page)
        assert buttons_in_sight(page), width
        for side in ("left-content", "right-content"):
            assert page.evaluate(IN_SIGHT, [side, "FIRST-LINE"]), (width, side)
            page.evaluate("box => document.getElementById(box).scrollTo(0, 1e9)", side)
            assert page.evaluate(IN_SIGHT, [side, "LAST-LINE"]), (width, side)
            size = page.eval_on_selector(f"#{side} > *", "one => parseFloat(getComputedStyle(one).fontSize)")
            align = page.eval_on_selector(f"#{side} > *", "one => getComputedStyle(one).textAlign")
            assert size >= 16 and align in ("start", "left"), (width, side)
        assert buttons_in_sight(page), width
        for side in ("left", "right"):
            page.click(f"#{side}-content", position={"x": 40, "y": 40})  # reading, not choosing
            page.click(f"#enlarge-{side}")
            assert page.is_visible("#reader") and "FIRST-LINE" in page.inner_text("#reader-page")
            page.keyboard.press("ArrowLeft")  # not while reading
            page.keyboard.press("Escape")
            assert not page.is_visible("#reader")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert answers(study) == []


@EVERY_SIZE
def test_a_portrait_picture_is_seen_whole_and_enlarged(
    served: Served, opened: Open, sizes: list[tuple[int, int]]
) -> None:
    study, links = served.study(judges=len(sizes), items="ab", ranker="panel")
    contents = {item: Content(PICTURE, Kind.IMAGE, "a tower") for item in "ab"}
    served.context.open_studies.change_setup(study.id, lambda _: Setup(contents=contents))
    for link, (width, height) in zip(links, sizes, strict=True):
        page = opened("", viewport={"width": width, "height": height})
        portrait(page)
        page.goto(link)
        page.click("#start")
        ready(page)
        page.wait_for_function(
            "() => [...document.querySelectorAll('.option img')].every(i => i.naturalHeight === 1200)"
        )
        for side in ("left", "right"):
            picture = page.query_selector(f"#{side}-content img").bounding_box()
            room = page.query_selector(f"#{side}-content").bounding_box()
            assert picture["y"] >= room["y"] - 1, (width, side)
            assert picture["y"] + picture["height"] <= room["y"] + room["height"] + 1, (width, side)
            assert picture["height"] > 80, (width, side)
        assert buttons_in_sight(page), width
        page.click("#left-content img")
        assert page.is_visible("#reader-page img")
        whole = page.locator("#reader-page img").bounding_box()["height"]
        page.click("#reader-page img")  # once more, for its details
        assert page.locator("#reader-page img").bounding_box()["height"] > 1.5 * whole
        page.click("#reader-close")
        assert not page.is_visible("#reader")
    assert answers(study) == []


def test_after_a_tap_nothing_looks_chosen(served: Served, opened: Open) -> None:
    _, links = served.study(judges=1, items="abcdef", ranker="panel")
    page = opened(links[0], viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    ready(page)
    before = page.evaluate("() => getComputedStyle(document.getElementById('choose-right')).backgroundColor")
    page.tap("#choose-right")
    page.wait_for_function("() => document.getElementById('says').textContent === 'Saved.'")
    ready(page)
    page.wait_for_timeout(250)
    styles = "side => { const s = getComputedStyle(document.getElementById(side)); return s.borderColor; }"
    assert page.evaluate(styles, "left") == page.evaluate(styles, "right")
    for side in ("left", "right"):
        after = page.evaluate(
            "id => getComputedStyle(document.getElementById(id)).backgroundColor", f"choose-{side}"
        )
        assert after == before, side


def test_keys_for_everything_and_checks_that_look_like_questions(served: Served, opened: Open) -> None:
    setup = Setup(checks=(AttentionCheck("a cat", "a stone"),))
    study, links = served.study(judges=1, items="abcdef", ranker="panel", setup=setup)
    page, seen = opened(links[0]), []
    for key in ("t", "s", "ArrowLeft", "ArrowRight", "ArrowLeft"):
        question = ready(page)
        seen.append(("a cat" in pair(page), page.inner_text("#progress-words"), page.is_visible("#progress-bar")))
        page.keyboard.press(key)
        page.wait_for_function("before => document.getElementById('question-id').value !== before", arg=question)
    ready(page)
    page.keyboard.press("u")
    page.wait_for_function("() => document.getElementById('says').textContent.startsWith('Taken back')")
    assert [check for check, _, _ in seen] == [False, False, False, True, False]
    assert [words for _, words, _ in seen] == [f"{k} of 11" for k in range(5)] and all(bar for _, _, bar in seen)
    assert [answer for _, answer in answers(study)] == ["tie", "skip", "left", "left"]
