"""A page that renews itself leaves its reader alone: what they hold, marked, opened and scrolled to stays."""

from __future__ import annotations

from typing import Any

from juryrank.study import Study
from tests.browser.conftest import Open, Served

HELD = """() => {
  const one = document.activeElement, marked = getSelection();
  return {
    focus: one.tagName + "|" + (one.id || one.getAttribute("aria-label") || one.textContent.trim()),
    same: one === window.held, marked: marked.toString(), at: [marked.anchorOffset, marked.focusOffset],
    open: [...document.querySelectorAll("#live details")].map((each) => each.open),
    inside: [...document.querySelectorAll("#live .scroll")].map((each) => [each.scrollLeft, each.scrollTop]),
    outside: scrollY,
  };
}"""
MARK = """() => {
  const words = document.querySelector("#live-main th[scope=row]").firstChild;
  getSelection().setBaseAndExtent(words, 1, words, 4);
}"""


def tell(study: Study, judge: str) -> bool:
    """One answer: the alphabet decides, but neighbours are a matter of taste. False: nothing was asked."""
    question = study.ask(judge)
    if question is None:
        return False
    close = abs(ord(question.left[0]) - ord(question.right[0])) <= 2
    taste = max if close and study.judges.index(judge) % 2 else min
    study.tell(question.id, taste(question.left, question.right))
    return True


def shows_answers(page: Any, study: Study) -> None:
    """Wait until the page counts every answer."""
    page.wait_for_function(
        "count => document.querySelector('.tile[data-key=Answers] dd').firstChild.textContent === count",
        arg=f"{study.progress().answers:,}",
    )


def renewed(page: Any, study: Study) -> None:
    """One more answer, and the page that shows it."""
    assert tell(study, study.judges[-1])
    shows_answers(page, study)


def test_focus_selection_scrolling_and_what_is_open_survive(served: Served, opened: Open) -> None:
    names = [f"{letter} long name of a thing" for letter in "abcdef"]
    study, _ = served.study(judges=13, items=names, ranker="panel", sitting=15)
    for judge in study.judges[:-1]:
        while tell(study, judge):
            pass
    page = opened(served.admin_link(), viewport={"width": 1280, "height": 500})
    page.wait_for_url("**/admin")
    page.goto(f"{served.address}/admin/studies/{study.id}")
    page.wait_for_function("() => document.getElementById('live-state').textContent === 'Live'")
    for summary in page.query_selector_all("#live summary"):
        summary.click()
    held = (("#live-main details summary", 1280), ("#live-main .scroll", 360), ("#live-main .picture", 360))
    for what, width in held:
        page.set_viewport_size({"width": width, "height": 500})
        page.evaluate(MARK)
        page.evaluate(
            "what => { window.held = document.querySelector(what); held.focus(); scrollTo(0, 300);"
            " for (const one of document.querySelectorAll('#live .scroll')) { one.scrollLeft = 40; } }",
            what,
        )
        before = page.evaluate(HELD)
        assert before["same"] and before["marked"] == names[0][1:4] and all(before["open"]), what
        renewed(page, study)
        assert page.evaluate(HELD) == before, what


def test_a_field_keeps_what_is_typed_while_the_page_around_it_changes(served: Served, opened: Open) -> None:
    """Whatever a live part holds: a field in it keeps its words, its caret and the focus."""
    study, _ = served.study(judges=2, items="abcdef", ranker="panel", sitting=10)
    page = opened(served.admin_link())
    page.wait_for_url("**/admin")

    def with_a_field(route: Any) -> None:
        part = route.fetch()
        body = part.text().replace('<dl class="tiles">', '<p><input id="find" value=""></p><dl class="tiles">')
        route.fulfill(response=part, body=body)

    page.route("**/part", with_a_field)
    page.goto(f"{served.address}/admin/studies/{study.id}")
    page.wait_for_selector("#find")
    page.fill("#find", "what I look for")
    page.evaluate("() => document.getElementById('find').setSelectionRange(2, 6)")
    renewed(page, study)
    page.wait_for_selector("text=Who is ahead")
    kept = page.evaluate("() => { const f = document.activeElement; return [f.id, f.value, f.selectionStart]; }")
    assert kept == ["find", "what I look for", 2]


def test_what_is_marked_moves_with_its_row(served: Served, opened: Open) -> None:
    """The last item of the list wins every comparison: its row goes up, and what is marked in it goes along."""
    study, _ = served.study(judges=8, items="abcdef", ranker="panel", sitting=15)
    while tell(study, study.judges[0]):
        pass
    page = opened(served.admin_link(), viewport={"width": 1280, "height": 500})
    page.wait_for_url("**/admin")

    def with_rows_to_hold(route: Any) -> None:
        part = route.fetch()
        route.fulfill(response=part, body=part.text().replace("<tr data-key", '<tr tabindex="-1" data-key'))

    page.route("**/part", with_rows_to_hold)
    page.goto(f"{served.address}/admin/studies/{study.id}")
    page.wait_for_selector("tr[tabindex]")
    order = "() => [...document.querySelectorAll('table.estimates th[scope=row]')].map((one) => one.textContent)"
    before = page.evaluate(order)
    page.evaluate(
        """() => {
          window.row = [...document.querySelectorAll("table.estimates tbody tr")].at(-1);
          const cell = row.querySelector("th"), words = row.querySelector("td.nowrap .number").firstChild;
          getSelection().setBaseAndExtent(cell.firstChild, 0, words, 1);
          row.focus({ preventScroll: true });
          scrollTo(0, 100);
        }"""
    )
    for judge in study.judges[1:]:
        while (question := study.ask(judge)) is not None:
            study.tell(question.id, max(question.left, question.right))
    shows_answers(page, study)
    after = page.evaluate(order)
    assert before[-1] == after[0] != before[0]
    held = page.evaluate(
        """() => {
          const { anchorNode, focusNode } = getSelection(), at = (node) => node.parentElement.closest("tr");
          return [row.isConnected, row.querySelector("th").textContent, at(anchorNode) === row,
                  at(focusNode) === row, document.activeElement === row, scrollY];
        }"""
    )
    assert held == [True, before[-1], True, True, True, 100]
