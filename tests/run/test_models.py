"""Language models in `juryrank.rank` and `juryrank rank`: which promise, what it costs, nothing lost or leaked."""

from __future__ import annotations

import json
import os
import random
import signal
import time

import pytest
from typer.testing import CliRunner

import juryrank
from juryrank.cli import build_app
from juryrank.errors import JudgeFailed
from juryrank.judges import openai
from juryrank.judges.models.settings import Price
from juryrank.report import result_text
from juryrank.storage import MemoryStorage
from juryrank.study import restore_study
from juryrank.verify import verify
from juryrank.votes.asides import models_in
from tests.judges.models.endpoint import Endpoint
from tests.quick import quick
from tests.ranking import rank_with

pytest.importorskip("httpx")
ITEMS = ["a", "bb", "ccc", "dddd"]


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))


def shorter(first, second):
    return "first" if len(first) <= len(second) else "second"


def models(endpoint, names=("m", "n", "o"), **settings):
    found = {name: openai(name, url=endpoint.url, reason=False, **settings) for name in names}
    for judge in found.values():
        judge.client.first_pause = 0.001
    return found


def test_models_that_repeat_themselves_are_counted_and_the_second_run_is_free():
    with Endpoint(verdict=shorter) as endpoint:
        first = juryrank.rank(ITEMS, models(endpoint), seed=1)
        paid = len(endpoint.seen)
        second = juryrank.rank(ITEMS, models(endpoint), seed=1)
        assert len(endpoint.seen) == paid
        juryrank.rank(ITEMS, models(endpoint), seed=1, cache=False)
        assert len(endpoint.seen) == 2 * paid
    assert first.order == second.order == tuple(ITEMS)
    assert first.ranker == "panel" and "repeat themselves" in first.details.reason
    assert second.details.models["m"]["cached"] == second.details.models["m"]["questions"]


def test_models_that_answer_anew_are_a_jury_and_nothing_is_said_of_truth():
    rng = random.Random(1)

    def often_shorter(first, second):
        word = shorter(first, second)
        return word if rng.random() < 0.9 else {"first": "second", "second": "first"}[word]

    with Endpoint(verdict=often_shorter) as endpoint:
        result = juryrank.rank(ITEMS, models(endpoint), goal="best", error=0.1, budget=400, fresh=True)
    assert result.ranker == "jury" and result.order[0] == "a" and result.proven
    assert "true" not in result.statement.lower()


@pytest.mark.parametrize("sides", quick(["random", "both"]))
def test_the_same_ranking_again_is_free_in_whatever_order_answers_came(sides):
    """No seed, many open questions, answers that overtake each other: the same questions come again."""
    rng = random.Random(5)
    with Endpoint(verdict=lambda *pair: rng.choice(["first", "second"]), delay=0.01, jitter=True) as endpoint:
        how = {"objective": "best", "error": 0.2, "budget": 30, "gold": [("x", "yy", "x"), ("z", "ww", "z")]}
        runs = []
        for _ in range(2):
            judges = models(endpoint, names=("m", "n"), price=Price(input=1.0, output=1.0), sides=sides)
            runs.append((rank_with(ITEMS, judges, **how), len(endpoint.seen)))
        (first, paid), (second, again) = runs
        assert again == paid, "the second run paid for something"
        asked = [[event.data for event in run.events if event.kind == "asked"] for run in (first, second)]
        assert asked[0] == asked[1] and first.order == second.order
        rank_with(ITEMS, models(endpoint, names=("m", "n"), sides=sides), seed=7, **how)
        assert len(endpoint.seen) > paid
    told = [event.data for event in first.events if event.kind == "told"]
    assert all(each["source"] == "model" and each["cost"] > 0 for each in told)
    free = [event.data["cost"] for event in second.events if event.kind == "told"]
    assert not any(free) and second.details.models["m"]["cost"] == 0
    text = result_text(second)
    assert "100 % of calls from the cache" in text and "In all: 0" in text
    assert "cost" in result_text(first) and ("flips with the side" in text) == (sides == "both")


def test_the_same_judges_again_in_one_program_are_free_and_counted_anew():
    with Endpoint(verdict=shorter) as endpoint:
        judges = models(endpoint, price=Price(input=1.0, output=1.0))
        first, paid = juryrank.rank(ITEMS, judges, money=1.0), len(endpoint.seen)
        second = juryrank.rank(ITEMS, judges, money=1.0)
        assert len(endpoint.seen) == paid
    assert first.cost > 0 and second.cost == 0
    did = second.details.models["m"]
    assert did["questions"] == did["cached"] == first.details.models["m"]["questions"] and did["cost"] == 0


@pytest.mark.parametrize("sides", quick(["random", "both"]))
def test_what_a_run_cost_is_the_same_everywhere(sides):
    """Probes, failed calls and refusals too: in the result, in the log, in the certificate, on the report."""
    faults = {"prose": 0.2, "refusal": 0.1, "cut": 0.05}
    with Endpoint(verdict=shorter, faults=faults, seed=4) as endpoint:
        judges = models(endpoint, names=("m", "n"), price=Price(input=3.0, output=15.0), sides=sides, retries=1)
        result = juryrank.rank(ITEMS, judges, money=0.5, budget=30, seed=1)
    spent = sum(judge.client.cost for judge in judges.values())
    document = result.certificate()
    logged = sum(event["data"].get("cost") or 0.0 for event in document["events"])
    assert any(judge.usage.failed for judge in judges.values())
    assert result.cost == pytest.approx(spent) and document["estimates"]["cost"] == pytest.approx(spent)
    assert logged == pytest.approx(spent) and sum(models_in(result.events).cost.values()) == pytest.approx(spent)
    study = restore_study(result.events, name="kept", storage=MemoryStorage())
    assert study.progress().model_cost == pytest.approx(spent)
    assert verify(document, rerun=True).true
    document["estimates"]["cost"] *= 2
    assert not verify(document, rerun=True).true


def test_the_cost_of_calls_that_were_cut_off_is_money():
    """Also where no answer came at all: the number of questions stood there."""

    def cut_off(first, second):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        return "first"

    with Endpoint(verdict=cut_off) as endpoint:
        judges = models(endpoint, names=("m",), price=Price(input=3.0, output=15.0), concurrency=1)
        result = juryrank.rank(ITEMS, judges, ranker="certified", seed=1)
    assert 0 < result.cost == result.details.models["m"]["cost"] < 0.1
    assert "Stopped after" in " ".join(result.warnings)


def test_a_question_that_the_cap_ended_after_a_paid_try_is_no_failure_of_its_judge():
    with Endpoint(text="It is hard to say.") as endpoint:
        judges = models(endpoint, names=("m",), price=Price(input=0, output=1000.0), max_tokens=100, concurrency=1)
        result = juryrank.rank(ITEMS, judges, ranker="certified", money=0.105, seed=1)
    did = result.details.models["m"]
    assert (did["questions"], did["failed"]) == (1, 1) and 0 < did["cost"] == result.cost <= 0.105
    assert "The money is spent" in " ".join(result.warnings)
    assert not any("was asked on" in warning for warning in result.warnings)


def test_a_cap_on_money_holds_for_programs_beside_models():
    calls = []

    def program(left, right):
        calls.append(left)
        return min(left, right, key=len)

    with Endpoint(verdict=shorter) as endpoint:
        judges = {**models(endpoint, names=("m",), price=Price(input=0, output=0)), "program": program}
        result = juryrank.rank(ITEMS, judges, money=2.0, prices={"m": 0, "program": 1.0})
    assert len(calls) == 2 == result.cost and "The money is spent" in " ".join(result.warnings)
    assert verify(result.certificate(), rerun=True).true


def test_whether_models_answer_anew_is_found_out_by_asking_again():
    rng = random.Random(2)
    with Endpoint(verdict=lambda first, second: rng.choice(["first", "second"])) as endpoint:
        result = juryrank.rank(ITEMS, models(endpoint), goal="best", error=0.2, budget=20)
    assert result.ranker == "jury" and not result.proven
    assert len(endpoint.seen) == 3 * 15 + 20  # the first ones are never evidence


@pytest.mark.parametrize(("sides", "warned"), [("random", True), ("both", False)])
def test_a_model_that_follows_the_side_is_named_where_pairs_are_asked_once(sides, warned):
    things = [f"thing {k}" for k in range(7)]
    with Endpoint(verdict=lambda first, second: "first") as endpoint:
        result = juryrank.rank(things, models(endpoint, names=("m",), sides=sides), goal="ranges", seed=1)
    text = " ".join(result.warnings)
    assert ("shown 3 pairs turned round, changed its verdict on 3" in text) is warned
    assert ("chose the left side in 21 of 21 answers" in text) is warned
    assert any(link.settled for link in result.links) is warned


def test_a_changed_output_or_prompt_is_drawn_for_anew():
    """Whoever changes something may have seen what the old seed drew: the promise needs a new one."""
    outputs = {name: {f"c{k}": name * (k + 1) for k in range(6)} for name in ("x", "yy")}
    changed = {**outputs, "x": {**outputs["x"], "c3": "better now"}}
    with Endpoint(verdict=shorter) as endpoint:

        def seed(things, **settings):
            judges = models(endpoint, names=("m",), **settings)
            return juryrank.rank(things, judges, cases=[f"c{k}" for k in range(6)]).certificate()["settings"][
                "seed"
            ]

        first = seed(outputs)
        assert seed(outputs) == first and seed(changed) != first and seed(outputs, ask="Which?") != first
        assert seed(outputs, sides="both") != first
        paid = len(endpoint.seen)  # what decides no answer draws nothing anew: it would be another try for nothing
        assert seed(outputs, timeout=9.0, retries=1, price=Price(input=1.0, output=1.0)) == first
        assert len(endpoint.seen) == paid


def test_systems_on_cases_are_shown_with_their_input():
    outputs = {"good": {"q": "4", "r": "9"}, "bad": {"q": "five", "r": "eleven"}}
    cases = [{"id": "q", "input": "2 + 2?"}, {"id": "r", "input": "3 * 3?"}]
    with Endpoint(verdict=shorter) as endpoint:
        result = juryrank.rank(outputs, models(endpoint), cases=cases, goal="best", error=0.2, seed=1)
    assert result.order[0] == "good" and result.proven
    assert all("2 + 2?" in seen.shown or "3 * 3?" in seen.shown for seen in endpoint.seen)
    assert not any("good" in json.dumps(seen.body) for seen in endpoint.seen)


def test_the_money_ends_the_ranking_and_is_never_exceeded():
    price = Price(input=1000.0, output=1000.0)
    with Endpoint(verdict=shorter) as endpoint:
        judges = models(endpoint, price=price, max_tokens=20)
        result = juryrank.rank(ITEMS, judges, money=5.0, seed=1)
    spent = sum(each["cost"] for each in result.details.models.values())
    assert 0 < spent <= 5.0 and not result.proven
    assert any("money is spent" in warning for warning in result.warnings)


def test_a_refusal_is_a_skip_with_its_reason():
    with Endpoint(faults={"refusal": 1.0}) as endpoint:
        result = juryrank.rank(ITEMS, models(endpoint), seed=1, fresh=False)
    told = [event.data for event in result.events if event.kind == "told"]
    assert told and all(each["answer"] == "skip" and each["source"] == "refused" for each in told)
    assert any("refused" in warning for warning in result.warnings)


def test_a_wrong_key_sets_a_model_aside_at_once_and_stands_nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("MY_KEY", "sk-planted-987")
    with Endpoint(key="right") as endpoint, pytest.raises(JudgeFailed) as failure:
        juryrank.rank(list("abcdefgh"), models(endpoint, key_env="MY_KEY", names=("m",)), seed=1, fresh=False)
    assert len(endpoint.seen) == 8  # as many as were open at once: no second round
    said = [str(failure.value), json.dumps(failure.value.ranking.certificate())]
    said += [path.read_bytes().decode(errors="replace") for path in tmp_path.rglob("*") if path.is_file()]
    assert not any("sk-planted-987" in text for text in said)


def test_the_command_with_a_judges_file(tmp_path):
    (tmp_path / "items.txt").write_text("\n".join(ITEMS))
    with Endpoint(verdict=shorter) as endpoint:
        (tmp_path / "judges.toml").write_text(
            "reason = false\n"
            + "".join(
                f'[[judge]]\nname = "{name}"\napi = "openai"\nmodel = "m"\nurl = "{endpoint.url}"\n'
                for name in "xyz"
            )
        )
        command = ["rank", str(tmp_path / "items.txt"), "--judges", str(tmp_path / "judges.toml")]
        prompts = CliRunner().invoke(build_app(), [*command, "--dry-run"])
        assert prompts.exit_code == 0 and not endpoint.seen
        assert "The first:" in prompts.stdout and "no price known" in prompts.stdout
        done = CliRunner().invoke(build_app(), [*command, "--json", "--seed", "1"])
        word = [
            "rank",
            str(tmp_path / "items.txt"),
            "--judge",
            f"w=openai:m@{endpoint.url}",
            "--seed",
            "1",
            "--json",
        ]
        by_word = CliRunner().invoke(build_app(), word)
    assert json.loads(done.stdout)["order"] == ITEMS, done.stderr
    assert json.loads(by_word.stdout)["order"] == ITEMS


def test_a_promise_about_right_answers_says_what_it_assumes_of_models():
    with Endpoint(verdict=shorter) as endpoint:
        gold = [("x" * k, "y" * (k + 2), "x" * k) for k in range(1, 7)]
        how = {"ranker": "certified", "fresh": True, "error": 0.2, "budget": 30}
        told = rank_with(ITEMS, models(endpoint), gold=gold, seed=1, **how)
        plain = rank_with(ITEMS, models(endpoint), seed=1, **how)
        panel = juryrank.rank(ITEMS, models(endpoint), gold=gold, seed=1, fresh=False)
    said = [w for w in told.warnings if "assumes that no model" in w]
    assert len(said) == 1 and "m: right on 6 of 6 gold pairs" in said[0] and "never support it" in said[0]
    assert any("assumes that no model" in w for w in plain.warnings)
    assert not any("assumes that no model" in w for w in panel.warnings)
