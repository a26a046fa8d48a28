"""Going on, own work and coming back late, as judges experience them on the pages."""

from __future__ import annotations

from collections import Counter
from typing import Any

from httpx import Client

from juryrank.server.context import Context
from juryrank.server.studies.setup import Setup
from juryrank.study import restore_study
from juryrank.study.people import participant_rows
from juryrank.study.state import StudyState
from juryrank.verify import verify
from tests.server.conftest import JSON, MakeStudy
from tests.server.test_judge_pages import answer, card, told


def through(client: Client, link: str, shown: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Answer until nothing is asked; the last card, and how many were asked."""
    asked = 0
    while shown["question"]:
        shown, asked = answer(client, link, shown["question"]["id"], "left"), asked + 1
    return shown, asked


def test_whoever_has_done_enough_may_go_on(client: Client, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=1, items="abcdefgh", sitting=4)
    end, asked = through(client, links[0], card(client, links[0]))
    assert asked == 4 and end["state"] == "done" and end["more"] == "Go on with a few more"
    assert "answered all 4 questions" in end["words"]
    assert card(client, links[0])["state"] == "done"  # nothing is asked before it is wanted
    assert "Go on with a few more" in client.get(links[0]).text
    before = study.log.seq
    client.get(f"{links[0]}/next")
    assert study.log.seq == before
    more = client.post(f"{links[0]}/more", json={}, headers=JSON).json()
    assert more["planned"] == 8 and more["answered"] == 4
    end, asked = through(client, links[0], more)
    assert asked == 4 and study.progress().answers == 8
    undone = client.post(f"{links[0]}/undo", json={}, headers=JSON).json()
    assert undone["question"] is not None


def test_own_work_is_passed_over_until_the_promised_number_was_asked(client: Client, make: MakeStudy) -> None:
    setup = Setup(own_work=True)
    study, links = make(ranker="panel", judges=1, items="abcdefgh", sitting=6, setup=setup)
    client.post(f"{links[0]}/begin", data={"own": ["a", "b", "c"]})
    end, asked = through(client, links[0], card(client, links[0]))
    skipped = [one for one in told(study) if one.get("source") == "own-work"]
    assert asked == 6 and skipped and end["state"] == "done"
    seen = {
        event.data["q"]: {event.data["left"], event.data["right"]}
        for event in study.events()
        if event.kind == "asked"
    }
    for one in told(study):
        assert bool(seen[one["q"]] & set("abc")) == (one.get("source") == "own-work")


def test_own_work_that_was_passed_over_is_nobodys_answer(
    client: Client, context: Context, make: MakeStudy
) -> None:
    """How much somebody answered follows from the log alone: no crash and no move can lose it."""
    study, links = make(ranker="panel", judges=1, items="abcdefgh", sitting=6, setup=Setup(own_work=True))
    client.post(f"{links[0]}/begin", data={"own": ["a", "b", "c"]})
    end, asked = through(client, links[0], card(client, links[0]))
    assert len(told(study)) > asked == 6 and "all 6 questions" in end["words"]
    (row,) = participant_rows(study)
    assert (study.progress().answers, row["answered"], row["skips"]) == (6, 6, 0)
    state = study._keeper.known()
    again = StudyState.from_json(state.to_json())
    assert again is not None and again.ledger.tallies == state.ledger.tallies
    context.vault.save_judge_note(study.id, study.judges[0], {"begun": True, "own": ["a", "b", "c"]})
    assert client.get(f"{links[0]}/next", headers=JSON).json()["state"] == "done"


def test_undo_takes_back_what_was_said_and_not_what_was_passed_over(client: Client, make: MakeStudy) -> None:
    """Own work is passed over unseen, after the answer: the answer is still the last thing that the judge said."""
    study, links = make(ranker="panel", judges=1, items="abcdefg", setup=Setup(own_work=True))
    client.post(f"{links[0]}/begin", data={"own": ["a", "b", "c"]})
    shown, passed = card(client, links[0]), 0
    assert shown["planned"] == 6 and shown["undo"] == ""  # the pairs of four; passed over, nothing is hers to undo
    for said in ("left", "right"):
        while shown["question"] and passed == 0:
            before, asked = len(told(study)), shown["question"]["id"]
            shown = answer(client, links[0], asked, said)
            passed = len(told(study)) - before - 1
        assert passed > 0 and shown["undo"] == asked
        shown = client.post(f"{links[0]}/undo", json={"question": asked}, headers=JSON).json()
        assert shown["question"]["id"] == asked and study.judge(study.judges[0]).seat().last is None
        shown, passed = answer(client, links[0], asked, "tie"), 0
    restore_study(study.events(), name="again", storage=study.storage)  # every rule of a log holds
    document = study.certificate()
    assert verify(document).true and not document["result"]["post_hoc"] and not study.ranking().post_hoc


def test_after_items_were_withdrawn_no_more_is_announced_than_is_asked(client: Client, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=2, items="abcdefg", setup=Setup(own_work=True))
    study.withdraw_items(list("abcd"))
    assert "3 comparisons" in client.get(links[0]).text
    refused = client.post(f"{links[0]}/begin", data={"own": ["e", "f"]})
    assert refused.status_code == 422 and "nearly everything is your own" in refused.text
    client.post(f"{links[0]}/begin", data={})
    shown = card(client, links[0])
    assert shown["planned"] == 3 and through(client, links[0], shown)[1] == 3


def test_no_item_is_in_more_than_a_third_of_anybodys_questions(client: Client, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=4, items="abcdefghijkl", sitting=9)
    for link in links:
        through(client, link, card(client, link))
    for judge in study.judges:
        asked = [e.data for e in study.events() if e.kind == "asked" and e.data["judge"] == judge]
        seen = Counter(item for one in asked for item in (one["left"], one["right"]))
        assert len(asked) == 9 and max(seen.values()) <= 3, seen


def test_the_first_page_of_a_new_study_says_what_is_fixed(client: Client, make: MakeStudy) -> None:
    study, links = make(ranker="panel", judges=1, items="abcdefgh", sitting=6, sitting_minutes=30)
    assert "6 comparisons" in client.get(links[0]).text and "30 minutes" in client.get(links[0]).text
    card(client, links[0])
    first = next(event.data for event in study.events() if event.kind == "asked")
    assert first["terms"]["counts"] == 6 and first["sitting_idle"] == 900.0


def test_one_idle_judge_holds_up_the_proof_and_nothing_else(admin: Client, make: MakeStudy) -> None:
    """Estimates use every answer at once; only promises wait, and the page says so and forecasts nothing yet."""
    study, links = make(ranker="panel", judges=4, items="abcdef")
    page = admin.get(f"/admin/studies/{study.id}").text
    assert "No answers yet" in page and "1 to 6" not in page  # an order would be that of the list
    admin.post(f"{links[0]}/begin")  # and is never seen again
    for link in links[1:]:
        card = admin.post(f"{link}/begin") and admin.get(f"{link}/next", headers=JSON).json()
        while card["question"]:
            left, right = (card["question"][side]["item"] for side in ("left", "right"))
            answer = {"question": card["question"]["id"], "answer": "left" if left < right else "right"}
            card = admin.post(f"{link}/answer", json=answer, headers=JSON).json()
    page = admin.get(f"/admin/studies/{study.id}").text
    assert "Who is ahead" in page and "Estimates from 30 answers" in page
    assert "3 people have finished, but not counted" in page and "What to do next" not in page
