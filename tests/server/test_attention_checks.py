"""Attention checks as judges meet them: nothing that a browser receives tells one from any other question."""

from __future__ import annotations

import re
from typing import Any

from httpx import Client

from juryrank.defaults import CHECK_EVERY
from juryrank.server.context import Context
from juryrank.server.studies.creating import StudyDraft, make_study
from juryrank.server.studies.intake import NewItem, NewJudge
from juryrank.server.studies.setup import AttentionCheck, Setup
from juryrank.server.web.render import Content, Kind
from tests.server.conftest import JSON, MakeStudy
from tests.server.test_judge_pages import answer, card, told

ONE = Setup(checks=(AttentionCheck("a cat", "a stone"),))


def is_check(shown: dict[str, Any]) -> bool:
    return "a cat" in shown["question"]["left"]["html"] + shown["question"]["right"]["html"]


def undo(client: Client, link: str, question: str = "") -> dict[str, Any]:
    reply = client.post(f"{link}/undo", json={"question": question}, headers=JSON)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_they_stay_out_of_the_ranking(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(judges=1, setup=ONE)
    shown, checks = card(client, links[0]), 0
    for _ in range(2 * CHECK_EVERY):
        asked = shown["question"]
        checks += is_check(shown)
        said = "left" if asked["left"]["item"] < asked["right"]["item"] else "right"  # a cat before a stone, too
        shown = answer(client, links[0], asked["id"], said)
        if not shown["question"]:
            break
    assert checks == 1
    assert all(isinstance(one["q"], int) for one in told(study))
    assert context.overviews.get(study.id, fresh=True).judges[0]["checks"] == "1 of 1"


def test_they_are_counted_like_any_other_question(client: Client, make: MakeStudy) -> None:
    """The number announced, the number in the header, the number thanked for: the same, and one more each time."""
    checks = tuple(AttentionCheck(f"a cat {k}", f"a stone {k}") for k in range(3))
    study, links = make(ranker="panel", judges=1, items="abcdefghij", sitting=16, setup=Setup(checks=checks))
    assert "18 comparisons." in client.get(links[0]).text
    client.post(f"{links[0]}/begin")
    shown, ids, met = card(client, links[0]), [], 0
    while shown["question"]:
        assert shown["progress_words"] == f"{len(ids)} of 18"
        ids.append(shown["question"]["id"])
        met += is_check(shown)
        assert client.get(f"{links[0]}/next", headers=JSON).json()["progress_words"] == shown["progress_words"]
        shown = answer(client, links[0], ids[-1], "left")
        assert shown["undo"] == ids[-1]  # and taken back like any other
    assert len(ids) == 18 and met == 2 and len(told(study)) == 16
    assert shown["words"] == "You have answered all 18 questions. Thank you!"
    receipt = client.get(f"{links[0]}/receipt").text.split("Event")[0]
    assert not re.search(r"\b(16|18)\b", re.sub(r"[\dT:.+-]{19,}", "", receipt))  # but for the time it was given


def test_nothing_that_a_browser_receives_tells_them(client: Client, context: Context) -> None:
    """Ids of one shape and in no order, the same fields, and no name where the others have none."""
    items = [NewItem(f"Pupil {k}", Content(f"Essay {k}", Kind.TEXT)) for k in range(6)]
    made = make_study(context.open_studies, StudyDraft("essays", items, [NewJudge("Ann")], setup=ONE))
    link = f"/j/{context.vault.issue_link(made.id, made.judges[0])}"
    client.post(f"{link}/begin")
    shown, seen = card(client, link), []
    while shown["question"]:
        page = client.get(link).text
        assert shown["question"]["id"] in page and not re.search(r"check-|attention", page, re.IGNORECASE)
        seen.append((is_check(shown), shown))
        shown = answer(client, link, shown["question"]["id"], "left")
    assert [check for check, _ in seen].count(True) == 1
    ids = [one["question"]["id"] for _, one in seen]
    assert len(set(ids)) == len(ids) and len({(len(one), re.sub("[a-z2-7]", "", one)) for one in ids}) == 1
    assert ids not in (sorted(ids), sorted(ids, reverse=True))
    for part in (lambda one: sorted(one), lambda one: sorted(one["question"]), _names):
        assert len({str(part(one)) for _, one in seen}) == 1


def _names(shown: dict[str, Any]) -> list[str]:
    return [shown["question"][side]["item"] for side in ("left", "right")]


def test_an_id_is_of_one_judge_and_one_study(client: Client, make: MakeStudy) -> None:
    _, links = make(ranker="panel", judges=2, setup=ONE)
    theirs = card(client, links[0])["question"]["id"]
    for wrong in (theirs, "1", "check-1", "a" * len(theirs), theirs[:-1], theirs.upper(), "ä" * 21, ""):
        card(client, links[1])
        reply = client.post(f"{links[1]}/answer", json={"question": wrong, "answer": "left"}, headers=JSON)
        assert reply.status_code == 404 and "not asked any more" in reply.json()["detail"]


def test_an_answer_is_taken_back_like_any_other(client: Client, make: MakeStudy, context: Context) -> None:
    study, links = make(ranker="panel", judges=1, setup=ONE)
    shown = card(client, links[0])
    while not is_check(shown):
        shown = answer(client, links[0], shown["question"]["id"], "left")
    check, answered = shown["question"], study.judge(study.judges[0]).seat().answered
    wrong, right = ("right", "left") if check["left"]["item"] == "a cat" else ("left", "right")
    answer(client, links[0], check["id"], wrong)
    back = undo(client, links[0], check["id"])
    assert back["says"] == "Taken back. Choose again." and back["question"] == check
    answer(client, links[0], check["id"], right)
    assert study.judge(study.judges[0]).seat().answered == answered
    assert context.overviews.get(study.id, fresh=True).judges[0]["checks"] == "1 of 1"


def test_two_undos_do_what_they_do_after_any_question(client: Client, make: MakeStudy) -> None:
    """The second one finds nothing to take back; then the question is answered, and undo is there again."""
    study, links = make(ranker="panel", judges=1, items="abcdefgh", setup=ONE)
    shown, seen = card(client, links[0]), {}
    while len(seen) < 2 or not seen.get(True):
        asked, check, before = shown["question"]["id"], is_check(shown), len(told(study))
        answer(client, links[0], asked, "left")
        first, looked = undo(client, links[0], asked), client.get(f"{links[0]}/next", headers=JSON).json()
        again = [undo(client, links[0], name) for name in (asked, "")]  # by the script, and by the plain form
        shown = answer(client, links[0], asked, "right")
        seen[check] = [
            [(one["question"]["id"] == asked, one["undo"], one["says"]) for one in (first, *again)],
            [looked["question"]["id"] == asked, looked["undo"]],
            [shown["undo"] == asked, shown["question"]["id"] != asked],
        ]
        assert len(told(study)) == before + (0 if check else 2)
    assert seen[True] == seen[False]
    assert seen[True][0][0] == (True, "", "Taken back. Choose again.")


def test_one_answered_again_says_what_any_question_says(client: Client, make: MakeStudy) -> None:
    _, links = make(ranker="panel", judges=1, setup=Setup(checks=ONE.checks, ties=False))
    shown, said = card(client, links[0]), {}
    while len(said) < 2:
        asked, check = shown["question"]["id"], is_check(shown)
        tie = client.post(f"{links[0]}/answer", json={"question": asked, "answer": "tie"}, headers=JSON)
        odd = client.post(f"{links[0]}/answer", json={"question": asked, "answer": "up"}, headers=JSON)
        shown = answer(client, links[0], asked, "left")
        again = [answer(client, links[0], asked, side)["says"] for side in ("left", "right")]
        said[check] = [tie.json()["detail"], odd.json()["detail"], shown["says"], *again]
    assert said[True] == said[False]


def test_none_comes_where_no_question_would(client: Client, make: MakeStudy) -> None:
    """After the last question, or once the study is closed, a lone further one would be known for what it is."""
    study, links = make(ranker="panel", judges=2, items="abcdefgh", sitting=3, setup=ONE)
    client.post(f"{links[0]}/begin")
    shown, asked = card(client, links[0]), 0
    while shown["question"]:
        assert shown["progress_words"] == f"{asked} of 3"
        shown, asked = answer(client, links[0], shown["question"]["id"], "left"), asked + 1
    assert asked == 3 and shown["state"] == "done"

    study, links = make(ranker="panel", judges=1, items="abcdefgh", setup=ONE)
    shown = card(client, links[0])
    while not is_check(shown):
        shown = answer(client, links[0], shown["question"]["id"], "left")
    study.close()
    assert client.get(f"{links[0]}/next", headers=JSON).json()["state"] == "closed"
    assert card(client, links[0])["state"] == "closed"
