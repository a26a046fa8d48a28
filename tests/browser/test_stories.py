"""Whole stories in a real browser, from an empty server to what somebody wanted, with their steps counted."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import Open, Served, answers, ready
from tests.browser.hand import Hand
from tests.server.files import making


def test_a_hackathon_from_nothing_to_a_link_in_the_chat(served: Served, opened: Open) -> None:
    """Thirty projects, one link, two people on their phones; one form, under two minutes."""
    hand = Hand(opened(served.admin_link()))
    hand.page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "Hackathon")
    hand.paste("#items", "\n".join(f"Project {k}" for k in range(1, 31)))
    hand.click("text=Create the study")
    hand.page.wait_for_selector("#open-link")
    link = hand.page.inner_text("#open-link")
    assert hand.steps == 4 and hand.seconds < 120
    study = served.context.open_studies.study(int(hand.page.url.split("/studies/")[1].split("/")[0]))
    for _ in range(2):
        phone = opened(link, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
        assert phone.url == link  # what is in the address bar may be sent on
        for _ in range(2):
            question = ready(phone)
            phone.tap("#choose-left")
            phone.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
        phone.reload()
        ready(phone)
        assert phone.inner_text("#progress-words") == "2 of 10"
    assert len(study.judges) == 2 and len(answers(study)) == 4


@pytest.mark.slow
def test_a_teacher_with_a_table_of_essays(served: Served, opened: Open, tmp_path: Any) -> None:
    """Student, Essay: the essays are shown to the judges, the names to the teacher."""
    table = tmp_path / "essays.csv"
    rows = [
        f'Student {k},"Essay {k} begins here. {"And it goes on. " * 60} Essay {k} ends."' for k in range(1, 15)
    ]
    table.write_text("Student,Essay\n" + "\n".join(rows))
    hand = Hand(opened(served.admin_link()))
    hand.page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "Essays of class 9")
    hand.upload("#file", str(table))
    hand.click("text=Create the study")
    hand.page.wait_for_selector("#columns")
    assert hand.page.input_value("#role_content") == "Essay"
    assert "Essay 1 begins here" in hand.page.inner_text("table")
    hand.click("text=Create the study")
    link = hand.page.inner_text("#open-link")
    assert hand.steps == 6
    colleague = opened(link)
    ready(colleague)
    shown = colleague.inner_text("#left-content")
    assert "begins here" in shown and "ends." in shown and "Student" not in shown
    hand.page.reload()  # nothing is posted again
    assert hand.page.inner_text("#open-link") == link
    assert sum(row.name == "Essays of class 9" for row in served.context.open_studies.rows()) == 1


def test_a_designer_with_pictures(served: Served, opened: Open, tmp_path: Any) -> None:
    """Four drafts dropped at once, one of them broken; a colleague on a phone compares them."""
    drafts = []
    for k, colour in enumerate(("#d1495b", "#edae49", "#66a182"), start=1):
        drafts.append(tmp_path / f"draft {k}.png")
        drafts[-1].write_bytes(making.picture(300, 700, format="PNG", colour=colour))
    (tmp_path / "broken.png").write_bytes(b"this is no picture")
    hand = Hand(opened(served.admin_link()))
    hand.page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "Poster")
    hand.upload("#files", [*map(str, drafts), str(tmp_path / "broken.png")])
    hand.page.wait_for_function(
        "() => document.getElementById('upload-words').textContent === '3 files are here.'"
    )
    assert "broken.png: its name says a PNG picture" in hand.page.inner_text("#refusals")
    hand.click("text=Create the study")
    hand.page.wait_for_selector("#open-link")
    link = hand.page.inner_text("#open-link")
    assert hand.steps == 5 and hand.seconds < 120
    phone = opened(link, viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    for k in range(2):
        question = ready(phone)
        phone.wait_for_function(
            "() => [...document.querySelectorAll('.option img')].filter(i => i.naturalHeight === 700).length === 2"
        )
        if k == 0:
            phone.tap("#left-content img")  # enlarges, does not choose
            phone.tap("#reader-close")
        phone.tap("#choose-left")
        phone.wait_for_function("was => document.getElementById('question-id').value !== was", arg=question)
    study = served.context.open_studies.study(int(hand.page.url.split("/studies/")[1].split("/")[0]))
    assert study.items == [f"draft {k}" for k in range(1, 4)] and len(answers(study)) == 2
    hand.click("nav >> text=Items")
    hand.page.wait_for_selector("#item-rows img.thumb")
    assert len(hand.page.query_selector_all("#item-rows img.thumb")) == 3
    found = Axe().run(hand.page).response["violations"]
    assert not [(problem["id"], problem["nodes"][0]["html"]) for problem in found]
    hand.click("nav >> text=Result")
    hand.page.wait_for_selector("img.thumb")  # the drafts stand beside their names


@pytest.mark.slow
def test_a_teacher_with_a_folder_of_essays(served: Served, opened: Open, tmp_path: Any) -> None:
    """DOCX, PDF and text as pupils hand them in, a whole folder at once; judges read them without names."""
    folder = tmp_path / "class 9"
    folder.mkdir()
    words = ["And it goes on, sentence by sentence."] * 30
    for k in range(1, 5):
        essay = [f"Essay {k} begins here.", *words, f"Essay {k} ends here."]
        (folder / f"Pupil {k}.docx").write_bytes(making.document(essay))
    for k in range(5, 8):
        pages = [[f"Essay {k} begins here.", *words], words, [*words, f"Essay {k} ends here."]]
        (folder / f"Pupil {k}.pdf").write_bytes(making.pdf(pages))
    (folder / "Pupil 8.txt").write_text("Essay 8 begins here. " + " ".join(words) + " Essay 8 ends here.")
    (folder / ".DS_Store").write_bytes(b"\x00")
    hand = Hand(opened(served.admin_link()))
    hand.page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "Essays")
    hand.page.set_input_files("#folder", str(folder))
    hand.steps += 2
    hand.page.wait_for_function(
        "() => document.getElementById('upload-words').textContent === '8 files are here.'"
    )
    assert hand.page.inner_text("#refusals") == ""
    hand.click("text=Create the study")
    hand.page.wait_for_selector("#open-link")
    link = hand.page.inner_text("#open-link")
    assert hand.steps == 5 and hand.seconds < 120
    seen: set[str] = set()
    for size in ({"width": 360, "height": 640}, {"width": 1280, "height": 800}):
        colleague = opened(link, viewport=size)
        for _ in range(10):
            question = ready(colleague)
            for side in ("left", "right"):
                shown = colleague.eval_on_selector(f"#{side}-content", "one => one.textContent")
                assert "begins here" in shown and "ends here" in shown and "Pupil" not in shown, shown[:80]
                seen |= {
                    name for name in ("sheets", "prose", "words") if colleague.query_selector(f"#{side} .{name}")
                }
            if colleague.inner_text("#progress-words").startswith("9 "):
                break
            colleague.keyboard.press("ArrowLeft")
            colleague.wait_for_function(
                "was => document.getElementById('question-id').value !== was", arg=question
            )
    assert seen >= {"sheets", "prose"}
    hand.click("nav >> text=Items")
    assert "Pupil 8" in hand.page.inner_text("main") and "Essay 1 begins here" in hand.page.inner_text("main")
