"""Where a spending cap, a key or a draw number could go wrong: each of these did once, or nearly."""

from __future__ import annotations

import asyncio
import random

import pytest

import juryrank
from juryrank.errors import BadInput, JudgeFailed, JudgeUnusable
from juryrank.judges.models import Price, from_file, openai
from juryrank.judges.models.cache import Cache
from juryrank.judges.models.money import Purse
from juryrank.judges.models.probe import probe
from juryrank.judges.models.prompts import prompt, text_of

from .endpoint import Endpoint
from .test_client import ask_all, judge_of, shorter
from .test_probe import pairs_of

pytest.importorskip("httpx")
PRICE = Price(input=1000.0, output=1000.0)


# ---------------------------------------------------------------------- money
def test_a_call_that_is_cut_off_is_paid_for():
    """The endpoint works on, whether anybody waits for it or not."""
    with Endpoint(delay=5.0) as endpoint:
        judge = judge_of(endpoint, price=PRICE, max_tokens=10)
        judge.begin(scope="s", purse=Purse(cap=10.0))

        async def play():
            call = asyncio.create_task(judge("a", "b"))
            while not endpoint.seen:
                await asyncio.sleep(0.01)
            call.cancel()
            await asyncio.wait([call])
            await judge.close()

        asyncio.run(play())
    assert judge.purse.spent > PRICE.of(input=100, output=10) and judge.purse.held == 0


@pytest.mark.parametrize("cap", [None, 100.0])
def test_an_endpoint_that_counts_more_than_was_asked_for_is_charged_and_ends_a_cap(cap):
    with Endpoint(counted=5_000) as endpoint:
        judge = judge_of(endpoint, price=PRICE, max_tokens=10)
        judge.begin(scope="s", purse=Purse(cap=cap))
        first, second = (ask_all(judge, [(f"a{k}", "b")])[0] for k in range(2))
    assert first == "a0" and judge.purse.spent > PRICE.of(input=0, output=5_000)
    if cap is None:
        assert second == "a1" and len(endpoint.seen) == 2
    else:
        assert isinstance(second, JudgeUnusable) and "cap on money cannot hold" in str(second)
        assert len(endpoint.seen) == 1


def test_more_tokens_asked_for_in_extra_fields_are_set_aside_too():
    with Endpoint(usage=False) as endpoint:
        for extra, least in (({"max_tokens": 900}, 900), ({"max_completion_tokens": 700, "n": 2}, 1400)):
            judge = judge_of(endpoint, price=Price(input=0, output=1e6), max_tokens=10, extra=extra)
            judge.begin(scope="s", purse=Purse())
            ask_all(judge, [("a", "b")])
            assert judge.purse.spent >= least


def test_an_answer_of_ten_megabytes_is_paid_for_and_a_complaint_is_not():
    with Endpoint(text="x" * 10_000_000) as endpoint:
        judge = judge_of(endpoint, price=PRICE)
        (answer,) = ask_all(judge, [("a", "b")])
    assert isinstance(answer, JudgeFailed) and judge.client.cost > 0
    with Endpoint(context=10) as endpoint:
        judge = judge_of(endpoint, price=PRICE)
        ask_all(judge, [("a", "b")])
    assert judge.client.cost == 0


def test_a_cap_that_ends_in_the_first_look_takes_nobody_for_fresh():
    with Endpoint(verdict=shorter) as endpoint:
        judges = {name: judge_of(endpoint, price=PRICE, max_tokens=20) for name in ("m", "n")}
        result = juryrank.rank(["a", "bb", "ccc"], judges, money=2.5, seed=1, cache=False)
    assert result.ranker == "panel" and not result.proven
    assert any("money is spent" in warning for warning in result.warnings)
    assert not any("gave no answer" in warning for warning in result.warnings)  # it was not asked


@pytest.mark.parametrize("money", [float("nan"), float("inf"), -1, "lots", True])
def test_a_cap_that_is_no_amount_is_refused_before_anything_is_asked(money):
    with Endpoint() as endpoint, pytest.raises(BadInput, match="the most to spend"):
        juryrank.rank(["a", "b"], {"m": judge_of(endpoint, price=PRICE)}, money=money)
    assert not endpoint.seen


def test_a_probe_keeps_to_its_money_and_says_so():
    with Endpoint(verdict=shorter) as endpoint:
        judge = judge_of(endpoint, price=PRICE, max_tokens=10)
        judge.begin(scope="s", purse=Purse(cap=3.0))
        found = asyncio.run(probe(judge, pairs_of(["a", "bb", "ccc"])))
    assert not found.usable and "raise the cap" in found.problem and 0 < found.spent <= 3.0


# ---------------------------------------------------------------------- what endpoints take
def test_an_endpoint_with_another_name_for_the_limit_is_asked_by_that_name():
    with Endpoint(limit="max_completion_tokens") as endpoint:
        answers = ask_all(judge_of(endpoint, concurrency=8), [(f"a{k}", "b") for k in range(20)])
    assert answers == [f"a{k}" for k in range(20)]
    assert sum("max_tokens" in seen.body for seen in endpoint.seen) <= 8  # those that were under way


def test_many_calls_under_way_all_learn_that_there_are_no_schemas():
    with Endpoint(schema=False) as endpoint:
        answers = ask_all(judge_of(endpoint, concurrency=8), [(f"a{k}", "b") for k in range(20)])
    assert answers == [f"a{k}" for k in range(20)]


@pytest.mark.parametrize(
    ("how", "schema", "logprobs"),
    [
        ({"logprobs": True}, "honoured", "honoured"),
        ({"schema": False}, "refused", "ignored"),
        ({"text": "The verdict is: first"}, "ignored", "ignored"),
    ],
)
def test_a_probe_says_which_settings_an_endpoint_honours(how, schema, logprobs):
    with Endpoint(**how) as endpoint:
        found = asyncio.run(probe(judge_of(endpoint), pairs_of(["a", "bb", "ccc"])))
    assert (found.schema, found.logprobs, found.temperature) == (schema, logprobs, "not known")
    assert any("schema" in remark for remark in found.remarks) == (schema == "ignored")


@pytest.mark.parametrize("heeds", [True, False])
def test_a_probe_sees_whether_the_temperature_is_heeded(heeds):
    rng = random.Random(4)

    class Warm(Endpoint):
        def _said(self, seen, path):
            cold = heeds and seen.body.get("temperature") == 0
            self.verdict = lambda first, second: "first" if cold else rng.choice(["first", "second"])
            return super()._said(seen, path)

    with Warm() as endpoint:
        found = asyncio.run(probe(judge_of(endpoint, temperature=1.0), pairs_of(["a", "bb", "ccc"]), draws=16))
    assert found.fresh and found.temperature == ("honoured" if heeds else "ignored")


# ---------------------------------------------------------------------- draws
def test_two_judges_with_the_same_settings_do_not_share_an_answer(tmp_path):
    with Endpoint() as endpoint:
        for name in ("ann", "bob"):
            judge = openai("m", name=name, url=endpoint.url)
            judge.begin(scope="s", cache=Cache(tmp_path / "m.db"))
            ask_all(judge, [("a", "b")], draw=0)
        assert len(endpoint.seen) == 2


def test_asked_on_both_sides_the_pair_turned_round_is_a_new_draw(tmp_path):
    with Endpoint() as endpoint:
        judge = judge_of(endpoint, sides="both")
        judge.begin(scope="s", cache=Cache(tmp_path / "m.db"))
        ask_all(judge, [("a", "b"), ("b", "a")], draw=0)
        assert len(endpoint.seen) == 4
        ask_all(judge, [("a", "b"), ("b", "a")], draw=0)
        assert len(endpoint.seen) == 4


# ---------------------------------------------------------------------- keys and files
def test_a_program_that_prints_the_key_runs_once_for_many_calls(tmp_path):
    runs = tmp_path / "runs"
    program = tmp_path / "key.sh"
    program.write_text(f"#!/bin/sh\necho run >> {runs}\necho k1\n")
    program.chmod(0o755)
    with Endpoint(key="k1") as endpoint:
        assert ask_all(judge_of(endpoint, key_command=str(program)), [(f"a{k}", "b") for k in range(9)])[0] == "a0"
    assert runs.read_text().count("run") == 1


@pytest.mark.parametrize("held", ["", "  ", "sk-“quoted”", "two\nlines"])
def test_what_is_no_key_is_not_sent(monkeypatch, held):
    monkeypatch.setenv("MY_KEY", held)
    with Endpoint() as endpoint:
        (answer,) = ask_all(judge_of(endpoint, key_env="MY_KEY"), [("a", "b")])
        assert not endpoint.seen
    assert isinstance(answer, JudgeUnusable) and "MY_KEY" in str(answer)
    assert not held.strip() or held not in str(answer)


def test_a_missing_key_is_said_before_anything_is_asked(monkeypatch):
    monkeypatch.delenv("MY_KEY", raising=False)
    with Endpoint() as endpoint, pytest.raises(BadInput, match="MY_KEY"):
        juryrank.rank(["a", "b"], {"m": judge_of(endpoint), "n": judge_of(endpoint, key_env="MY_KEY")})
    assert not endpoint.seen


ROW = "[[judge]]\nname = 'a'\napi = 'openai'\nmodel = 'm'\n"


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ("key_env = 'sk-planted-1'", "never the key itself"),
        ("extra = { Authorization = 'sk-planted-1' }", "keys do not belong"),
        ("extra = { api-key = 'sk-planted-1' }", "keys do not belong"),
        ("url = 'https://me:sk-planted-1@host/v1'", "the address alone"),
        ("url = 'https://host/v1?key=sk-planted-1'", "the address alone"),
        ("template = '{left} or {rihgt}?'", "{rihgt}"),
        ("template = 'Which, {left}?'", "never shows {right}"),
        ("template = 'no-such-file.md'", "template cannot be read"),
        ("temperature = -1", "temperature"),
        ("temperature = 'hot'", "temperature"),
    ],
)
def test_files_that_hold_keys_or_templates_that_cannot_be_filled(tmp_path, more, complaint):
    (tmp_path / "judges.toml").write_text(ROW + more)
    with pytest.raises(BadInput) as refused:
        from_file(tmp_path / "judges.toml")
    assert complaint in str(refused.value) and "sk-planted" not in str(refused.value)


def test_a_template_may_hold_json_and_is_told_when_there_is_no_case(tmp_path):
    (tmp_path / "judges.toml").write_text(ROW + """template = '{left} {right} {"verdict": "first"} {case}'""")
    settings = from_file(tmp_path / "judges.toml")["a"].settings
    assert '{"verdict": "first"}' in prompt(settings, "x", "y", "z")
    with pytest.raises(BadInput, match="no cases"):
        prompt(settings, "x", "y")


def test_a_row_that_is_only_a_name_is_shown_by_it():
    assert text_of({"id": "tea"}) == "tea" and text_of({"id": "1", "text": "tea"}) == "text: tea"
