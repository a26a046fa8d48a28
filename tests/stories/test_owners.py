"""Owners and judges of studies on a server: REST, links on bad lines, a study that moves, ends and is deleted."""

from __future__ import annotations

import json

from tests.stories.site import Judge, Site

IDEAS = ["bikes", "coffee", "desks", "plants"]
THREE = [{"name": name} for name in ("Ann", "Bob", "Cem")]


def test_a_manager_with_three_colleagues_gets_a_result_that_anybody_can_check(site: Site) -> None:
    study, links = site.study(name="Ideas", items=IDEAS, judges=THREE, ranker="panel", goal="ranges")
    assert [Judge(link).answers(min) for link in links] == [6, 6, 6]
    assert site.owner.get(f"{study}/ranking").json()["order"] == IDEAS
    site.desk.write("ideas.json", site.owner.get(f"{study}/certificate").text)
    said = site.desk.juryrank("verify", "ideas.json", code=3).stdout
    assert "without a promise" in said and "3 judges" in said
    assert not [
        name for name in ("Ann", "Bob", "Cem") if name in site.desk.read("ideas.json")
    ]  # people stay private


def test_a_changed_answer_in_a_certificate_is_found(site: Site) -> None:
    study, (link,) = site.study(name="Forged", items=IDEAS, judges=THREE[:1], ranker="panel")
    Judge(link).answers(min)
    certificate = site.owner.get(f"{study}/certificate").json()
    told = next(event for event in certificate["events"] if event["kind"] == "told")
    told["data"]["answer"] = {"left": "right", "right": "left"}[told["data"]["answer"]]
    site.desk.write("forged.json", json.dumps(certificate))
    said = site.desk.juryrank("verify", "forged.json", code=2)
    assert "changed" in said.stdout


def test_one_link_for_everybody_at_a_hackathon(site: Site) -> None:
    study, _ = site.study(name="Hackathon", items=[f"project {k}" for k in range(12)], ranker="panel", sitting=5)
    link = site.owner.put(f"{study}/open-link", json={}).json()["link"]
    assert [Judge(link).answers(min) for _ in range(3)] == [5, 5, 5]
    found = site.owner.get(study).json()
    assert found["answers"] == 15 and found["judges"] == 3


def test_a_judge_on_a_bad_line_counts_once(site: Site) -> None:
    """The same answer twice, another one about the same question, the page opened again."""
    study, (link, _) = site.study(name="Bad line", items=IDEAS, judges=THREE[:2], ranker="panel")
    judge = Judge(link)
    sent = judge.answer(min)
    judge.sends(sent)
    other = {**sent, "answer": {"left": "right", "right": "left"}[sent["answer"]]}
    judge.client.post(f"{link}/answer", json=other)
    assert Judge(link).answers(min) == 5
    assert site.owner.get(study).json()["answers"] == 6


def test_an_owner_exports_closes_and_deletes(site: Site) -> None:
    study, (link,) = site.study(name="Short", items=IDEAS, judges=THREE[:1], ranker="panel")
    judge = Judge(link)
    judge.answer(min)
    assert site.owner.get(f"{study}/export/csv").text.count("Short") == 2  # one answer, one open question
    assert site.owner.post(f"{study}/close").status_code == 200
    assert Judge(link).card["question"] is None
    assert site.owner.delete(study).status_code == 200
    assert site.owner.get(study).status_code == 404 and judge.client.get(link).status_code == 404


def test_a_ranking_moves_from_the_terminal_to_the_server(site: Site) -> None:
    """Begun at a terminal in the same folder; the owner sees it in REST and asks for more there."""
    site.desk.write("colours.txt", "amber\nblue\ncyan\n")
    site.desk.juryrank("rank", "colours.txt", "--seed", 1, "--study", "colours", typed="1\n" * 10)
    names = [study["name"] for study in site.owner.get("/studies").json()]
    assert "colours" in names
