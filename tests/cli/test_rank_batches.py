"""Models asked in batches: half the price, nothing paid twice, whatever becomes of the batch or of the command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import pytest

from tests.commands import juryrank
from tests.judges.models.batching import BatchEndpoint, WithoutBatches
from tests.quick import quick

pytest.importorskip("httpx")
PRICE = "price = { input = 1000.0, output = 1000.0 }"


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    for name, seconds in (("BATCH_QUIET", 0.05), ("FIRST_LOOK", 0.01), ("NOT_LISTED_YET", 0.5)):
        monkeypatch.setattr(f"juryrank.judges.models.batches.{name}", seconds)
    return tmp_path


def files(folder, url, *, api="openai", cases=40, more="", systems=("aa", "b", "cccc")):
    outputs = [{"system": s, "case": f"q{k}", "output": f"{s} says {k}"} for s in systems for k in range(cases)]
    inputs = [{"id": f"q{k}", "input": f"question {k}?"} for k in range(cases)]
    for name, rows in (("outputs.jsonl", outputs), ("cases.jsonl", inputs)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "judges.toml").write_text(
        f'reason = false\nretries = 1\n{more}\n[[judge]]\nname = "m"\napi = "{api}"\nmodel = "m"\nurl = "{url}"\n'
    )


WORDS = ("outputs.jsonl", "--cases", "cases.jsonl", "--judges", "judges.toml", "--goal", "best", "--json")


def rank(*words):
    return juryrank("rank", *WORDS, *words)


def shorter(first, second):
    """Nearly always the shorter one: about one answer in five is for the other, the same one every time."""
    against = sum(map(ord, first + second)) % 5 == 0
    return "first" if (len(first) < len(second)) != against else "second"


def sent_once(endpoint):
    """Was no line paid for twice?"""
    return len(endpoint.lines) == len(set(endpoint.lines))


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_a_ranking_by_batches_costs_half_and_the_same_command_again_nothing(own_folder, api, caplog):
    with BatchEndpoint(verdict=shorter, looks=2) as endpoint:
        files(own_folder, endpoint.url, api=api, more=f"batch = true\n{PRICE}")
        first, said = rank(), caplog.text
        caplog.clear()
        same, unkept = rank(), rank("--no-keep")
    found = json.loads(first.stdout)
    assert first.returncode == same.returncode == unkept.returncode == 0, first.stderr
    assert found["order"][0] == json.loads(unkept.stdout)["order"][0] == "b"
    assert not endpoint.seen and 1 < len(endpoint.made) < 15 and sent_once(endpoint)
    did = found["details"]["models"]["m"]
    assert did["cost"] == pytest.approx(did["tokens"] * 1000 / 1e6 / 2)
    assert "sent as a batch" in said and "sent as a batch" not in caplog.text


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_what_goes_wrong_with_batches_costs_no_answer_twice_and_changes_no_result(own_folder, api):
    """Lines expire or are missing, files break off or hold a line twice, a connection breaks as one is taken."""
    trouble = {"expire": 0.1, "left_out": 0.05, "half": 2, "twice": True, "lose": 1, "faults": {"prose": 0.1}}
    with BatchEndpoint(verdict=shorter, seed=3, **trouble) as endpoint:
        files(own_folder, endpoint.url, api=api)
        first = rank("--batch")
        made, asked = len(endpoint.made), len(endpoint.seen)
        same, unkept = rank("--batch"), rank("--batch", "--no-keep")
    assert first.returncode == same.returncode == unkept.returncode == 0, first.stderr
    assert json.loads(first.stdout)["order"][0] == json.loads(unkept.stdout)["order"][0] == "b"
    assert len(endpoint.made) == made and len(endpoint.seen) == asked > 0  # what could not be read, once more
    lines = [line for batch in endpoint.batches.values() for line in batch.raw.splitlines()]
    answered = [line for line in lines if b"expired" not in line]
    names = [json.loads(line)["custom_id"] for line in answered]
    assert set(map(names.count, names)) == {2}  # in one file each, where each stands twice


def test_a_line_that_never_brings_an_answer_counts_against_every_claim(own_folder):
    with BatchEndpoint(verdict=shorter, expire=1.0) as endpoint:
        files(own_folder, endpoint.url, cases=4)
        done = rank("--batch")
    assert done.returncode in (3, 5) and "3 batches brought no answer" in done.stderr + done.stdout
    assert max(map(endpoint.lines.count, endpoint.lines)) == 3


@pytest.mark.parametrize("api", ["openai", "anthropic"])
@pytest.mark.parametrize("end", quick([signal.SIGKILL, signal.SIGINT], signal.SIGKILL))
def test_a_command_that_ended_while_a_batch_was_out_goes_on_with_it(own_folder, api, end):
    with BatchEndpoint(verdict=shorter, held=True) as endpoint:
        files(own_folder, endpoint.url, api=api)
        command = [sys.executable, "-m", "juryrank", "rank", *WORDS, "--batch"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not endpoint.made:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(end)
        process.communicate(timeout=20)
        assert time.monotonic() - began < 10  # nobody waits for a batch after Ctrl-C
        endpoint.release()
        done = rank("--batch")
    assert done.returncode == 0 and sent_once(endpoint), done.stderr
    assert json.loads(done.stdout)["order"][0] == "b"


@pytest.mark.parametrize("api", ["openai", "anthropic"])
def test_a_batch_that_was_taken_unseen_is_found_again(own_folder, api):
    """The connection breaks when the batch is taken, and the endpoint is not there when it is looked for."""
    with BatchEndpoint(verdict=shorter, lose=1) as endpoint:
        files(own_folder, endpoint.url, api=api)
        done = rank("--batch")
    assert done.returncode == 0 and sent_once(endpoint), done.stderr


def test_an_endpoint_without_batches_is_named_and_nothing_is_asked(own_folder):
    with WithoutBatches() as endpoint:
        files(own_folder, endpoint.url)
        done = rank("--batch")
    assert (
        done.returncode == 5 and "it seems to have no batches" in done.stderr and "leave batch out" in done.stderr
    )
    assert not endpoint.seen


def test_an_endpoint_that_answers_everything_with_something_is_named_too(own_folder):
    class Anything(BatchEndpoint):
        def _batching(self, method, path, raw, writer):
            return self._reply(writer, 200, {"status": "ok"})

    with Anything() as endpoint:
        files(own_folder, endpoint.url)
        done = rank("--batch")
    assert done.returncode == 5 and "(it may have no batches: then leave batch out)" in done.stderr


def test_what_an_endpoint_does_not_accept_is_said_and_kept_open(own_folder):
    with BatchEndpoint(verdict=shorter, fails="The model m cannot be used in batches.") as endpoint:
        files(own_folder, endpoint.url)
        refused = rank("--batch")
        endpoint.fails = ""
        done = rank("--batch")
    assert refused.returncode == 5 and "The model m cannot be used in batches." in refused.stderr
    assert done.returncode == 0, done.stderr


def test_a_schema_that_is_not_known_is_left_out_of_the_next_batch(own_folder):
    with BatchEndpoint(verdict=shorter, schema=False) as endpoint:
        files(own_folder, endpoint.url)
        done = rank("--batch")
    assert done.returncode == 0 and max(map(endpoint.lines.count, endpoint.lines)) == 2, done.stderr


def test_a_cap_on_money_holds_for_batches(own_folder):
    with BatchEndpoint(verdict=shorter) as endpoint:
        files(own_folder, endpoint.url, more=f"batch = true\nmax_tokens = 20\n{PRICE}")
        done = rank("--money", "5")
    assert done.returncode == 3 and "raise the cap" in done.stderr + done.stdout
    assert json.loads(done.stdout)["details"]["models"]["m"]["cost"] <= 5


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--batch", "--no-cache"), "batch needs the cache"), (("--batch", "--judge", "x=cmd:true"), None)],
)
def test_batches_need_a_model_and_the_cache(own_folder, words, said):
    files(own_folder, "http://127.0.0.1:9/v1")
    if said is None:
        done = juryrank("rank", *WORDS[:3], *words)
        said = "--batch is for language models"
    else:
        done = rank(*words)
    assert done.returncode == 2 and said in done.stderr


def test_a_study_is_judged_in_batches_too_over_two_days(own_folder):
    """The command ends while a batch is out; its questions wait without a deadline, and the next run reads it."""
    storage = ("--storage", "sqlite:///s.db")
    with BatchEndpoint(verdict=shorter, held=True) as endpoint:
        files(own_folder, endpoint.url, more="batch = true")
        how = ("--items", "outputs.jsonl", "--cases", "cases.jsonl", "--judge", "m", "--goal", "best")
        assert juryrank("study", "create", "s", *how, *storage).returncode == 0
        command = [sys.executable, "-m", "juryrank", "study", "run", "s", "--judges", "judges.toml", *storage]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not endpoint.made:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.kill()
        process.communicate(timeout=20)
        endpoint.release()
        done = juryrank("study", "run", "s", "--judges", "judges.toml", *storage)
    assert done.returncode == 0, done.stderr
    assert sent_once(endpoint) and len(endpoint.made[0]) > 32 and not endpoint.seen
    shown = juryrank("study", "show", "s", *storage).stdout
    assert "b" in shown and "proven" in shown, shown


def test_a_probe_asks_a_judge_of_batches_at_once(own_folder):
    with BatchEndpoint(verdict=shorter) as endpoint:
        files(own_folder, endpoint.url, more="batch = true")
        done = juryrank("judges", "probe", "judges.toml", "outputs.jsonl", "--cases", "cases.jsonl")
    assert done.returncode == 0 and endpoint.seen and not endpoint.made, done.stderr


def test_a_certificate_of_batches_is_checked_like_any_other(own_folder):
    """Batches go out in full from the first one on; the checker finds that the search asked by its rules."""
    with BatchEndpoint(verdict=shorter) as endpoint:
        files(own_folder, endpoint.url)
        done = rank("--batch", "--out", "result.json")
    assert done.returncode == 0 and len(endpoint.made[0]) == 64, done.stderr
    for more in ((), ("--rerun",)):
        checked = juryrank("verify", "result.json", *more)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_an_endpoint_that_counts_more_than_was_allowed_is_not_asked_again_under_a_cap(own_folder):
    with BatchEndpoint(verdict=shorter, counted=5000) as endpoint:
        files(own_folder, endpoint.url, more=f"batch = true\n{PRICE}")
        done = rank("--money", "1000")
    assert "does not keep to max_tokens" in done.stderr + done.stdout and len(endpoint.made) == 1


def test_a_wrong_key_and_a_dead_address_are_named_at_once_and_the_next_command_waits_for_nothing(
    own_folder, monkeypatch
):
    monkeypatch.setattr("juryrank.judges.models.batches.NOT_LISTED_YET", 600.0)  # nobody waits for this
    files(own_folder, "http://127.0.0.1:9/v1", cases=6)
    began = time.monotonic()
    dead = rank("--batch", "--no-keep")
    assert dead.returncode == 5 and "nothing answers at http://127.0.0.1:9/v1" in dead.stderr
    with BatchEndpoint(verdict=shorter, key="right") as endpoint:
        files(own_folder, endpoint.url, cases=6, more='key_env = "MY_KEY"')
        monkeypatch.setenv("MY_KEY", "sk-planted-987")
        wrong = rank("--batch")
        assert wrong.returncode == 5 and "the key is wrong or missing (HTTP 401)" in wrong.stderr
        assert "sk-planted" not in wrong.stderr + wrong.stdout
        monkeypatch.setenv("MY_KEY", "right")
        assert rank("--batch").returncode in (0, 3) and sent_once(endpoint)
    assert time.monotonic() - began < 60


def test_a_line_that_the_account_could_not_pay_is_asked_again_by_the_next_command(own_folder):
    """A complaint about the account says nothing about the question: its draw stays open."""
    with BatchEndpoint(verdict=shorter, complaint="Your credit balance is too low.") as endpoint:
        files(own_folder, endpoint.url)
        refused = rank("--batch")
        assert refused.returncode == 5 and "credit balance" in refused.stderr
        endpoint.complaint = ""
        done = rank("--batch")
    assert done.returncode == 0 and json.loads(done.stdout)["order"][0] == "b", done.stderr
