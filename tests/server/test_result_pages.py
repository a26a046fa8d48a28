"""What owners see of a result: the answer first, in the words of people; marks, a board, large studies."""

from __future__ import annotations

import csv
import html
import io
import re
import sys
import time
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from httpx import Client

from juryrank.log import Event
from juryrank.report.material import material_of
from juryrank.server.context import Context
from juryrank.server.dashboard import overview_cache
from juryrank.server.dashboard.answer import _people, _too_close
from juryrank.server.dashboard.overview import Overview
from juryrank.server.dashboard.reading import LogSoFar
from juryrank.server.studies.setup import Setup
from juryrank.server.web.templating import environment
from juryrank.study import Study
from juryrank.study.people import AboutPeople
from tests.server.conftest import MakeStudy
from tests.server.test_dashboard import send

LAY = r"\b(settled|promised?|post-hoc|resolution|infit|SSR|hash|token|gold pairs|verify)\b"


def answered(study: Study, *, per: int = 100) -> Study:
    """Everybody prefers what comes first in the alphabet."""
    for judge in study.judges:
        for _ in range(per):
            if (question := study.ask(judge)) is None:
                break
            study.tell(question, min(question.left, question.right))
    return study


def first_level(page: str) -> str:
    """What is read without opening anything."""
    main = page[page.index("<main") : page.index("</main>")]
    while "<details" in main:
        main = re.sub(r"<details(?:(?!<details).)*?</details>", "", main, flags=re.S)
    return html.unescape(
        re.sub(r"<[^>]+>", " ", re.sub(r'name="form_token"[^>]*>|<svg.*?</svg>', "", main, flags=re.S))
    )


def test_the_answer_comes_first_in_words_of_people(admin: Client, make: MakeStudy) -> None:
    study, _ = make(ranker="panel", items="abcdefgh", judges=4, sitting=8, error=0.05)
    answered(study)
    words = first_level(admin.get(f"/admin/studies/{study.id}").text)
    at = [words.index(part) for part in ("Leading", "Answers", "Reliability", "Proven", "Who is ahead")]
    assert at == sorted(at) and "by 4 people" in words and "another group" in words
    assert "nothing yet" in words and "at least" in words  # and why
    assert "in the top 3" in words and "Best estimate so far" in words
    assert not re.search(LAY, words, re.I), re.findall(LAY, words, re.I)
    for tab in ("share", "items", "judges", "models", "settings", "data", "marks"):
        page = first_level(admin.get(f"/admin/studies/{study.id}/{tab}").text)
        assert not re.search(LAY, page, re.I), (tab, re.findall(LAY, page, re.I))
    assert "a leads, 4 people" in html.unescape(admin.get("/admin").text).replace("\u2068", "").replace(
        "\u2069", ""
    )


@pytest.mark.parametrize("ranker", ["certified", "jury"])
def test_that_nothing_is_proven_is_said_once(admin: Client, make: MakeStudy, ranker: str) -> None:
    study, _ = make(ranker=ranker, items="abcdef", error=0.05)
    answered(study, per=3)
    words = " ".join(first_level(admin.get(f"/admin/studies/{study.id}").text).split())
    assert len(re.findall("nothing yet", words, re.I)) == 2 and ".." not in words  # the tile, and what is certain
    (proven,) = re.findall("^Proven: .*$", admin.get(f"/admin/studies/{study.id}/text").text, re.M)
    assert len(re.findall("nothing yet|no rank", proven, re.I)) == 1, proven


def test_what_next_names_people_or_says_that_they_do_not_help() -> None:
    def pair(first: str, second: str, needed: int | None, note: str = "") -> dict[str, Any]:
        return {"first": first, "second": second, "people_needed": needed, "note": note}

    pairs = [pair("a", "d", 30), pair("b", "d", 12), pair("c", "e", 260)]
    assert _people(pairs, "the top 3", 10, []) == ["At least 260 more people would settle the top 3."]
    early = [pair("a", "d", 30), *(pair("b", name, None, "too few answers yet") for name in "de")]
    assert _people(early, "the top 3", 10, ["More."])[0].startswith("It is too early to say")
    (words,) = _too_close([pair("a", "d", None, "too close")])
    assert "too close to call: more people will not help" in words


def test_marks_have_a_scale_grades_and_anchors(admin: Client, make: MakeStudy) -> None:
    study = answered(make(ranker="panel", items="abcdef", judges=3, sitting=12)[0])
    base = f"/admin/studies/{study.id}/marks"
    assert "<strong>100</strong>" in admin.get(base).text
    wrong = {
        "the second must be the higher": {"low": "5", "high": "1"},
        "write the best grade first": {"grade": ["A", "B"], "cut": ["40", "60"]},
        "give two items with their marks": {"anchor": ["a"], "anchor_mark": ["90"]},
        "go against the ranking": {"anchor": ["a", "f"], "anchor_mark": ["20", "90"]},
        "is not an item": {"anchor": ["a", "nobody"], "anchor_mark": ["90", "20"]},
        "is not a number": {"low": "low"},
        "at most 1,000,000": {"high": "inf"},
    }
    for words, fields in wrong.items():
        reply = send(admin, base, **fields)
        assert reply.status_code == 422 and words in html.unescape(reply.text), words
        for typed in chain.from_iterable([one] if isinstance(one, str) else one for one in fields.values()):
            assert f'value="{typed}"' in reply.text or f"selected>{typed}<" in reply.text or typed == "nobody"
    fields = {"low": "0", "high": "20", "grade": ["=A", "B", ""], "cut": ["15", "5", "1"]}
    fields |= {"anchor": ["a", "f"], "anchor_mark": ["18", "4"]}
    assert send(admin, base, **fields).status_code == 200
    rows = list(csv.DictReader(io.StringIO(admin.get(f"{base}/csv").text)))
    assert [row["name"] for row in rows] == list("abcdef")
    assert (rows[0]["mark"], rows[-1]["mark"]) == ("18.0", "4.0")
    assert (rows[0]["grade"], rows[-1]["grade"]) == ("'=A", "")  # no formula in a spreadsheet
    assert all(float(row["mark_low"]) <= float(row["mark"]) <= float(row["mark_high"]) for row in rows)


def test_a_frozen_board_shows_nobody_what_came_later(
    admin: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview_cache, "DASHBOARD_SECONDS", 0.0)
    monkeypatch.setattr(overview_cache, "DASHBOARD_REST", 0)
    study = answered(make(ranker="panel", items=["<i>", "two", "x"], judges=3, sitting=3, setup=Setup())[0])
    base, code = f"/admin/studies/{study.id}", context.public_pages.switch_on(study.id)
    link = context.open_links.make(study.id)
    page = admin.get(f"{base}/board").text
    assert "3 of 3 judges have finished" in page and f"/s/{link.code}" in page and "&lt;i&gt;" in page
    assert "Frozen" in send(admin, f"{base}/board/freeze").text or context.boards.of(study.id)
    before = admin.get(f"/r/{code}").text
    for k in range(6):  # who think otherwise
        judge = study.add_judge(f"late {k}")
        while (question := study.ask(judge)) is not None:
            study.tell(question, max(question.left, question.right))
    shown = re.findall(r"<strong[^>]*>([^<]+)</strong>", admin.get(f"{base}/board").text)
    assert shown == ["&lt;i&gt;", "two", "x"] and admin.get(f"/r/{code}").text == before
    assert admin.get(f"/r/{code}/picture.svg").status_code == 404
    send(admin, f"{base}/board/go-on")
    after = re.findall(r"<strong[^>]*>([^<]+)</strong>", admin.get(f"{base}/board").text)
    assert after == ["x", "two", "&lt;i&gt;"] and admin.get(f"/r/{code}/picture.svg").status_code == 200


def test_a_result_is_taken_along_as_text_and_picture(
    admin: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = answered(make(ranker="panel", items="abcde", judges=3, sitting=10, name="Teas")[0])
    base = f"/admin/studies/{study.id}"
    lines = admin.get(f"{base}/text").text.splitlines()
    assert lines[0] == "Teas" and lines[3].startswith("1. a (") and lines[-1].endswith("by 3 people.")
    drawn = admin.get(f"{base}/picture.svg").text
    assert drawn.startswith("<svg") and ">Teas<" in drawn and "Proven: nothing yet (" in drawn  # for a slide
    assert not re.search("settled|still open|judge 0|juryrank verify", drawn, re.I)
    assert admin.get(f"{base}/picture.png").content.startswith(b"\x89PNG")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    missing = admin.get(f"{base}/picture.png")
    assert missing.status_code == 501 and "lacks a package" in missing.text  # and no path of the machine
    assert "pip install" not in missing.text


def test_after_discarding_there_is_one_number_and_people_have_names(admin: Client, make: MakeStudy) -> None:
    study = answered(make(ranker="panel", items="abcde", judges=4, sitting=6)[0])
    base = f"/admin/studies/{study.id}"
    send(admin, f"{base}/judges/discard", judge=study.judges[0])
    page = html.unescape(admin.get(base).text)
    assert "by 3 people" in page and "4 people" not in page
    notes = page[page.index('id="notes"') :].split("</details>")[0]
    assert "judge 0" in notes and "person-" not in notes and "at event" not in notes


def test_a_large_study_answers_at_once_and_estimates_behind_the_page(
    admin: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = answered(make(ranker="panel", items="abcde", judges=3, sitting=6)[0])
    base = f"/admin/studies/{study.id}"
    assert "a</" in admin.get(base).text
    monkeypatch.setattr(overview_cache, "AT_ONCE", -1)
    held = overview_cache.Overviews._read
    monkeypatch.setattr(overview_cache.Overviews, "_read", lambda self, *args: None)
    judge = study.add_judge("late")
    question = study.ask(judge)
    assert question is not None
    study.tell(question, question.left)
    page = admin.get(base).text
    assert "by 4 people" in page and f">{study.progress().answers}<" in page  # counted at once
    assert "late" in admin.get(f"{base}/judges").text
    before = study.progress().answers - 1
    assert f"As of {before} answers." in page and f"As of {before} answers." in admin.get(f"{base}/text").text
    assert all(f"As of {before} answers." in admin.get(place).text for place in (f"{base}/marks", "/admin"))
    seen = re.search(r'data-seq="(\d+)"', admin.get(f"{base}/part").text)
    assert seen is not None and int(seen[1]) < study.log.seq  # so the page asks again
    monkeypatch.setattr(overview_cache.Overviews, "_read", held)
    monkeypatch.setattr(overview_cache, "DASHBOARD_SECONDS", 0.0)
    context: Context = admin.app.state.context  # type: ignore[attr-defined]
    context.overviews._kept[study.id].busy = False
    for _ in range(600):
        if context.overviews.get(study.id, fresh=True).seq == study.log.seq:
            break
        time.sleep(0.05)
    assert context.overviews.get(study.id).seq == study.log.seq and "As of" not in admin.get(base).text


PAGES = ("", "/part", "/share", "/items", "/judges", "/models", "/settings", "/data", "/marks", "/board", "/text")


def test_right_after_an_answer_no_page_estimates_or_reads_the_log_again(
    admin: Client, context: Context, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `python -m benchmarks.owner_pages` measures in milliseconds, counted: events that a page reads."""
    setup = Setup(comment="What made the difference?")
    study = answered(make(ranker="panel", items="abcdefgh", judges=12, sitting=10, setup=setup)[0])
    AboutPeople(study.storage, study.id).comment(study.judges[0], 1, "The second was longer.")
    base, late = f"/admin/studies/{study.id}", [study.add_judge(f"late {k}") for k in range(2)]
    for page in PAGES:
        admin.get(f"{base}{page}")
    monkeypatch.setattr(overview_cache, "AT_ONCE", -1)
    monkeypatch.setattr(overview_cache, "DASHBOARD_SECONDS", 0.0)
    read: list[int] = []
    monkeypatch.setattr(overview_cache.Overviews, "_read", lambda self, *args: None)
    monkeypatch.setattr(Overview, "of", lambda *args: pytest.fail("a page estimates while somebody waits"))
    events = context.storage.events

    def counting(*args: Any, **more: Any) -> Iterator[Event]:
        for event in events(*args, **more):
            read.append(event.seq)
            yield event

    monkeypatch.setattr(context.storage, "events", counting)
    for page in PAGES:
        question = next(filter(None, map(study.ask, late)))
        study.tell(question, question.left)
        del read[:]
        assert admin.get(f"{base}{page}").status_code == 200
        unread = 2 * len(PAGES) if page == "/data" else 0  # comments stand with answers that no page has shown yet
        assert len(set(read)) <= 3 + unread < study.log.seq / 8, page
    monkeypatch.undo()


def test_the_log_is_read_once_and_then_followed(context: Context, make: MakeStudy) -> None:
    study = answered(make(ranker="panel", items="abcdefgh", judges=6, sitting=10)[0])
    followed = LogSoFar()
    overview = Overview.of(study, followed, {})
    judge = study.add_judge("late")
    while (question := study.ask(judge)) is not None:
        study.tell(question, question.left, response_time=3.0)
    undone = study.undo(judge, by="judge")
    study.tell(undone.id, undone.right)
    study.judge(study.judges[0]).remove(discard_answers=True)
    for overview in (Overview.of(study, followed, {}), Overview.of(study, LogSoFar(), {})):
        log = followed.follow(study)[1]
        fresh = material_of(study.events(), overview.ranking, name=study.name)
        assert log.material(overview.ranking, name=study.name, names={}) == fresh
        assert overview.conduct == fresh.conduct and overview.answers.median_time(judge) == 3.0


def test_what_an_owner_does_is_in_the_result_at_once(
    admin: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the study: a result that may promise less than it did is not shown as it was."""
    study = answered(make(ranker="panel", items="abcd", judges=20, sitting=6)[0])
    base = f"/admin/studies/{study.id}"
    assert "nothing any more" not in admin.get(base).text
    monkeypatch.setattr(overview_cache, "AT_ONCE", -1)
    monkeypatch.setattr(overview_cache.Overviews, "_read", lambda self, *args: None)
    send(admin, f"{base}/judges/discard", judge=study.judges[0])
    assert "nothing any more" in admin.get(base).text
    study.withdraw_items(["d"])
    assert "<s>d" in admin.get(base).text


def test_files_hold_every_answer(admin: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may be a moment behind, and says so; a file cannot."""
    study = answered(make(ranker="panel", items="abcd", judges=3, sitting=6)[0])
    base, late = f"/admin/studies/{study.id}", study.add_judge("late")
    assert "As of" not in admin.get(base).text
    monkeypatch.setattr(overview_cache, "AT_ONCE", -1)
    monkeypatch.setattr(overview_cache.Overviews, "_read", lambda self, *args: None)
    for file in ("picture.svg", "picture.png", "marks/csv"):
        question = study.ask(late)
        assert question is not None
        study.tell(question, question.left)
        assert "As of" in admin.get(base).text
        assert admin.get(f"{base}/{file}").status_code == 200 and "As of" not in admin.get(base).text, file


def test_long_lists_show_their_first_rows_and_find_the_others(
    admin: Client, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of 10,000 took a page 2.4 s, with seven megabytes of rows that nobody reads."""
    study, _ = make(ranker="panel", items="abcdefgh", judges=4, sitting=8, error=0.05)
    answered(study)
    monkeypatch.setitem(environment().globals, "page_rows", 3)
    base = f"/admin/studies/{study.id}"
    items = admin.get(f"{base}/items").text
    assert items.count("<tr data-name") == 3 and "These are the first 3." in items and "8 items" in items
    found = admin.get(f"{base}/items", params={"find": "G"}).text
    assert found.count("<tr data-name") == 1 and "1 found." in found and 'data-name="g ' in found
    assert "These are the first 3 of 8." in admin.get(base).text
    assert "the spreadsheet has all" in admin.get(f"{base}/marks").text
