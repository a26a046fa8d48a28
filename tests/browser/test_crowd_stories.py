"""Three more stories: a researcher with a paid crowd, a product manager, an engineer who judges beside models."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.study import Study
from tests.browser.conftest import Open, Served, pair, ready
from tests.browser.hand import Hand
from tests.judges.models.endpoint import Endpoint

JSON = {"accept": "application/json"}


def here(served: Served, page: Any) -> Study:
    """The study whose page this is."""
    return served.context.open_studies.study(int(page.url.split("/studies/")[1].split("/")[0]))


def by_hand(page: Any, better: Any) -> None:
    """Answer until nothing is asked."""
    while page.is_visible("#ask"):
        question = ready(page)
        page.click(f"#choose-{better(*pair(page))}")
        page.wait_for_function("was => document.getElementById('question-id').value !== was || "
                               "document.getElementById('ask').hidden", arg=question)  # fmt: skip


def by_program(link: str, sent: dict[str, str], *, better: Any) -> None:
    """Somebody who answers as fast as the server does."""
    with httpx.Client(follow_redirects=True) as client:
        client.post(f"{link}/begin", data=sent)
        card = client.get(f"{link}/next", headers=JSON).json()
        while card["question"]:
            left, right = card["question"]["left"]["item"], card["question"]["right"]["item"]
            side = better(left, right)
            answer = {"question": card["question"]["id"], "answer": side, "response_time": 2.5}
            card = client.post(f"{link}/answer", json=answer, headers=JSON).json()


def shorter(first: str, second: str) -> str:
    return "first" if len(first) < len(second) else "second"


def longer(first: str, second: str) -> str:
    return "second" if len(first) < len(second) else "first"


def first_number(left: str, right: str) -> str:
    return "left" if int(left.split()[-1]) < int(right.split()[-1]) else "right"


@pytest.mark.slow
def test_a_researcher_with_a_paid_crowd(served: Served, opened: Open) -> None:
    """From an empty server to participants.csv: consent, a questionnaire, attention checks, codes, flags."""
    hand = Hand(opened(served.admin_link()))
    page = hand.page
    page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "Slogans")
    hand.paste("#items", "\n".join(f"Slogan {k}" for k in range(1, 9)))
    hand.click("text=First page for judges")
    hand.paste("#intro", "We study slogans. Your answers are kept without your name.")
    hand.click("input[name=consent]")
    hand.click("text=Create the study")
    page.wait_for_selector("#open-link")
    hand.click("summary:has-text('Set one up')")
    hand.choose("#preset", "prolific")
    hand.type("input#code", "C7X9")
    hand.type("#failed_code", "CFAIL")
    hand.click("text=Save the platform")
    address = page.inner_text("#platform-link")
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in address
    hand.click("nav >> text=Settings")
    hand.click("summary:has-text('Questions about the person')")
    hand.type("#before", "How old are you? [number] *")
    hand.click("text=Save the questions")
    hand.click("summary:has-text('Attention checks')")
    hand.type("#checks", "a great slogan > xxxx")
    hand.click("text=Save the checks")
    assert hand.steps == 19 and hand.seconds < 120
    study = here(served, page)
    link = address.partition("?")[0]
    age = served.context.open_studies.setup(study.id).before[0].field

    person = opened(f"{link}?PROLIFIC_PID=ann1&STUDY_ID=s&SESSION_ID=x", viewport={"width": 360, "height": 640})
    person.fill(f"#{age}", "33")
    person.check("input[name=consent]")
    person.click("#start")
    for _ in range(3):
        ready(person)
        person.keyboard.press("ArrowLeft")
        person.wait_for_timeout(400)
    elsewhere = opened(f"{link}?PROLIFIC_PID=ann1&STUDY_ID=s&SESSION_ID=x")  # on another device an id says little
    assert "begun elsewhere" in elsewhere.inner_text("h1")
    person.click("#return")
    elsewhere = opened(person.inner_text("main code"))  # the link that the first one shows goes on
    assert elsewhere.inner_text("#progress-words").startswith("3 of")
    by_hand(elsewhere, lambda left, right: "left" if "great" in left else "right")
    assert elsewhere.get_attribute("#finish", "href").endswith("complete?cc=C7X9")
    for k in range(12):
        sent = {"PROLIFIC_PID": f"p{k}", "consent": "yes", age: str(20 + k)}
        by_program(link, sent, better=lambda a, b: "left" if "great" in a or "xxxx" in b else "right")
    by_program(link, {"PROLIFIC_PID": "lazy", "consent": "yes", age: "1"}, better=lambda a, b: "left")

    hand.click("nav >> text=Data")
    with page.expect_download() as download:
        hand.click("text=participants.csv")
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    assert len(rows) == 14 and rows[0]["PROLIFIC_PID"] == "ann1" and rows[0]["How old are you?"] == "33"
    assert all(row["consent_at"] for row in rows) and float(rows[-1]["left_share"]) == 1
    assert hand.steps == 21


@pytest.mark.slow
def test_a_product_manager_with_25_ideas_and_15_colleagues(served: Served, opened: Open) -> None:
    """A link in the chat, and a result that says something after 150 answers, on a page for everybody."""
    hand = Hand(opened(served.admin_link()))
    page = hand.page
    page.wait_for_url("**/admin")
    hand.click("text=New study")
    hand.type("#name", "What next?")
    hand.paste("#items", "\n".join(f"Idea {k}" for k in range(1, 26)))
    hand.type("#expected", "15")
    page.wait_for_selector("#advice:not([hidden])")
    assert page.inner_text("#advice").startswith("15 people give you an estimate of every rank.")
    hand.click("text=Create the study")
    page.wait_for_selector("#open-link")
    link = page.inner_text("#open-link")
    assert hand.steps == 5 and hand.seconds < 120
    colleague = opened(link)
    by_hand(colleague, first_number)
    assert "You are done" in colleague.inner_text("#ending-title")
    for _ in range(14):
        by_program(link, {}, better=first_number)
    study = here(served, page)
    assert study.progress().answers == 150 and len(study.judges) == 15
    hand.click("text=Make a public page")
    public = page.inner_text("#public-link")
    shown = opened(public)  # somebody without a log-in
    words = shown.inner_text("main")
    assert "Who is ahead" in words and "Idea 1" in words and "Visitor" not in words
    top = shown.inner_text("table.estimates tbody tr:first-child")
    assert any(f"Idea {k}" in top for k in range(1, 6)) and "%" in top
    assert hand.steps == 6


@pytest.mark.slow
def test_an_engineer_with_models_and_himself(
    served: Served, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two models answer by a command, he answers on his page, and the majority of the three is counted."""
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("\n".join("prompt " + "x" * k for k in range(1, 5)))
    storage = ["--storage", served.context.settings.storage]

    def command(*words: str) -> Any:
        return CliRunner().invoke(build_app(), ["study", *words, *storage])

    named = [word for name in ("small", "large") for word in ("--judge", name)]
    fixed = ["--ranker", "panel", "--set", "about=panel", "--person", "Tom Engineer"]
    made = command("create", "Prompts", "--items", str(prompts), *named, *fixed)
    assert made.exit_code == 0, made.output
    with Endpoint(verdict=shorter) as small, Endpoint(verdict=longer) as large:
        models = {"small": small.url, "large": large.url}
        asked = [word for name, url in models.items() for word in ("--judge", f"{name}=openai:m@{url}")]
        ran = command("run", "Prompts", *asked)
        assert ran.exit_code == 3, ran.output  # they disagree about everything: it is his turn
    hand = Hand(opened(served.admin_link()))
    page = hand.page
    page.wait_for_url("**/admin")
    hand.click("a:has-text('Prompts')")
    study = here(served, page)
    before = study.progress().answers
    assert before > 0
    hand.click("nav >> text=Judges")
    hand.click("tr:has-text('Tom Engineer') >> text=Manage")
    hand.click("#one button:has-text('New link')")
    link = page.inner_text("#links li:has-text('Tom Engineer') code")
    assert hand.steps == 4
    himself = opened(link)
    by_hand(himself, lambda left, right: "left" if len(left) < len(right) else "right")
    assert study.progress().answers == before + 6  # all pairs of four
    hand.click("nav >> text=Result")
    words = page.inner_text("main")
    assert "prompt x" in words and study.done
    assert study.ranking().order[0] == "prompt x" and hand.steps == 5
