"""Somebody with outputs of systems on cases and a model that compares two: a proven claim, paid for once."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.judges.models.endpoint import Endpoint
from tests.stories.desk import Desk

JUDGE = 'reason = false\n[[judge]]\nname = "m"\napi = "openai"\nmodel = "m"\nconcurrency = 8\nurl = "{}"\n'
ASK = ("rank", "outputs.jsonl", "--cases", "cases.jsonl", "--judges", "judges.toml")
CASES = 12


def shorter(first: str, second: str) -> str:
    return "first" if len(first) <= len(second) else "second"


def lines(rows: list[dict[str, str]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def outputs(*systems: str) -> str:
    return lines(
        [{"system": s, "case": f"q{k}", "output": f"{s} says {k}"} for s in systems for k in range(CASES)]
    )


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(verdict=shorter) as endpoint:
        yield endpoint


@pytest.fixture
def models(desk: Desk, endpoint: Endpoint) -> Desk:
    desk.write("outputs.jsonl", outputs("new", "older"))
    desk.write("cases.jsonl", lines([{"id": f"q{k}", "input": f"question {k}?"} for k in range(CASES)]))
    desk.write("judges.toml", JUDGE.format(endpoint.url))
    return desk


def test_two_systems_to_a_proven_claim_and_the_second_run_is_free(models: Desk, endpoint: Endpoint) -> None:
    """Look before you pay, ask, check; the same command again makes no call."""
    assert "question 0?" in models.juryrank(*ASK, "--dry-run").stdout and endpoint.seen == []
    claim = ("--require", "new over older", "--within", 0, "--seed", 1)
    models.juryrank(*ASK, *claim, "--out", "result.json")
    paid = len(endpoint.seen)
    assert 0 < paid < 2 * CASES and "Verdict: TRUE" in models.juryrank("verify", "result.json").stdout
    models.juryrank(*ASK, *claim)
    assert len(endpoint.seen) == paid


def test_a_gate_in_a_build_stops_what_is_refuted(models: Desk) -> None:
    models.juryrank(*ASK, "--require", "older over new", "--within", 0, "--seed", 1, "--no-keep", code=4)


def test_a_third_system_joins_and_old_answers_are_not_paid_for_again(models: Desk, endpoint: Endpoint) -> None:
    goal = ("--goal", "best", "--within", 0, "--seed", 1)
    models.juryrank(*ASK, *goal)
    asked = {json.dumps(seen.body["messages"]) for seen in endpoint.seen}
    before = len(endpoint.seen)
    models.write("outputs.jsonl", outputs("new", "older", "oldest"))
    models.juryrank(*ASK, *goal)
    later = [json.dumps(seen.body["messages"]) for seen in endpoint.seen[before:]]
    assert later and not asked & set(later)


def test_four_systems_in_one_call_per_case_and_a_fifth_joins(models: Desk, endpoint: Endpoint) -> None:
    """All at once: look, try the judge, ask, check; again for nothing; with one more system every call is new."""
    endpoint.order = lambda lettered: sorted(lettered, key=lambda letter: len(lettered[letter]))
    models.write("outputs.jsonl", outputs("a", "bbb", "ccccc", "ddddddd"))
    at_once = ("--set", "at_once=all")
    assert "best first" in models.juryrank(*ASK, *at_once, "--dry-run").stdout and endpoint.seen == []
    probed = models.juryrank(
        "judges", "probe", "judges.toml", "outputs.jsonl", "--cases", "cases.jsonl", "--at-once"
    )
    assert "orders: flip when turned" in probed.stdout
    before, goal = len(endpoint.seen), (*at_once, "--goal", "order", "--within", 0, "--seed", 1)
    models.juryrank(*ASK, *goal, "--out", "result.json")
    paid = len(endpoint.seen)
    assert before < paid <= before + 2 * CASES
    assert "Verdict: TRUE" in models.juryrank("verify", "result.json").stdout
    models.juryrank(*ASK, *goal)
    assert len(endpoint.seen) == paid
    models.write("outputs.jsonl", outputs("a", "bbb", "ccccc", "ddddddd", "eeeeeeeee"))
    models.juryrank(*ASK, *goal, "--out", "result.json")
    assert len(endpoint.seen) > paid and all("E:" in str(seen.body) for seen in endpoint.seen[paid:])
    assert "Verdict: TRUE" in models.juryrank("verify", "result.json").stdout


def test_an_endpoint_that_is_dead_is_named_and_costs_no_answer(models: Desk, endpoint: Endpoint) -> None:
    models.write("judges.toml", JUDGE.format("http://127.0.0.1:9/v1") + "retries = 0\n")
    said = models.juryrank(*ASK, "--goal", "best", code=5).stderr
    assert "127.0.0.1:9" in said and "m:" in said
