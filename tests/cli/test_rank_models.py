"""Models as judges from the command line: the same command again is free and says the same; nothing is hidden."""

from __future__ import annotations

import asyncio
import json
import random
import re
import signal
import socket
import subprocess
import sys
import time

import pytest

from juryrank.judges.models.probe import INJECTION
from tests.cli.interrupting import Held, interrupted
from tests.commands import juryrank
from tests.judges.models.endpoint import Endpoint
from tests.quick import quick
from tests.verify.logs import reforge

pytest.importorskip("httpx")
OF_THE_RUN = {"cost", "cached", "tokens", "at", "hash", "head"}  # what a run took is no part of what it found


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder, url, *, systems=("aa", "b", "cccc"), cases=40, judges=("m", "n"), more="", output=None):
    """Outputs, cases and judges as a user has them; `output(system, case)` is None where it is missing."""
    output = output or (lambda system, k: f"{system} says {k}")
    given = [(name, k, output(name, k)) for name in systems for k in range(cases)]
    rows = [{"system": name, "case": f"q{k}", "output": text} for name, k, text in given if text is not None]
    inputs = [{"id": f"q{k}", "input": f"question {k}?"} for k in range(cases)]
    for name, lines in (("outputs.jsonl", rows), ("cases.jsonl", inputs)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
    judge = '[[judge]]\nname = "{}"\napi = "openai"\nmodel = "m"\nconcurrency = 16\nurl = "{}"\n'
    (folder / "judges.toml").write_text(
        f"reason = false\n{more}\n" + "".join(judge.format(j, url) for j in judges)
    )


def rank(*words):
    how = ("--cases", "cases.jsonl", "--judges", "judges.toml", "--goal", "best")
    return juryrank("rank", "outputs.jsonl", *how, *words)


def found(done):
    """The result as JSON, without what the run took."""

    def plain(value):
        if isinstance(value, dict):
            return {name: plain(part) for name, part in value.items() if name not in OF_THE_RUN}
        return [plain(part) for part in value] if isinstance(value, list) else value

    return plain(json.loads(done.stdout))


def leaning(rng):
    """Verdicts that differ from call to call, mostly for the shorter text."""

    def verdict(first, second):
        shorter = ("first", "second") if len(first) < len(second) else ("second", "first")
        return rng.choices([*shorter, "tie"], weights=[5, 4, 1])[0]

    return verdict


@pytest.mark.parametrize("seed", [[], pytest.param(["--seed", "3"], marks=pytest.mark.slow)])
def test_the_same_command_again_makes_no_call_and_says_the_same(own_folder, seed):
    """A fifth of the answers are refusals in words, some cannot be read, answers overtake each other, 32 open."""
    faults = {"unwilling": 0.15, "filtered": 0.03, "refusal": 0.02, "prose": 0.2}
    verdict = leaning(random.Random(1))
    with Endpoint(verdict=verdict, faults=faults, seed=5, delay=0.004, jitter=True) as endpoint:
        files(own_folder, endpoint.url, cases=24)
        runs, calls = [], []
        for _ in range(3):
            before = len(endpoint.seen)
            runs.append(rank(*seed, "--json", "--within", "0"))
            calls.append(len(endpoint.seen) - before)
    assert calls[0] > 100 and calls[1:] == [0, 0]
    assert len({done.returncode for done in runs}) == 1 and runs[0].returncode in (0, 3)
    assert found(runs[0]) == found(runs[1]) == found(runs[2])
    did = json.loads(runs[2].stdout)["details"]["models"]
    assert all(each["refused"] and each["cached"] for each in did.values()) and sum(
        each["failed"] for each in did.values()
    )


def test_an_answer_that_was_not_had_is_asked_for_in_the_next_run_and_nothing_else(own_folder, monkeypatch):
    """The endpoint breaks down halfway: the next run pays for the rest, and finds what it would have found."""
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting([]))
    verdict, faults = (lambda first, second: "first" if len(first) <= len(second) else "second"), {}
    with Endpoint(verdict=verdict, faults=faults, delay=0.002, jitter=True) as endpoint:
        files(own_folder, endpoint.url, more="retries = 0", cases=12, systems=("aaa", "bb", "c"))
        how = ("--seed", "4", "--json", "--within", "0")
        undisturbed = rank(*how, "--no-cache", "--no-keep")
        needed = len(endpoint.seen)
        endpoint.faults_after(needed // 2, {"500": 0.5, "429": 0.3, "reset": 0.2})
        broken = rank(*how)
        answered = sum(not seen.fault for seen in endpoint.seen[needed:])
        endpoint.faults.clear()
        before = len(endpoint.seen)
        mended = rank(*how)
        again = len(endpoint.seen) - before
    assert broken.returncode == 5 and 0 < answered < needed
    assert again == needed - answered
    assert mended.returncode == undisturbed.returncode == 0 and found(mended) == found(undisturbed)


def test_outages_that_pass_cost_no_answer_and_change_nothing(own_folder):
    verdict = leaning(random.Random(2))
    faults = {"500": 0.1, "429": 0.1, "reset": 0.02}
    how = {"seed": 2, "retry_after": "0.001", "always_later": True}
    with Endpoint(verdict=verdict, faults=faults, **how) as endpoint:
        files(own_folder, endpoint.url, cases=6)
        first = rank("--seed", "4", "--json")
        paid = len(endpoint.seen)
        second = rank("--seed", "4", "--json")
        assert len(endpoint.seen) == paid > sum(not seen.fault for seen in endpoint.seen)
    assert found(first) == found(second)


class Ailing(Endpoint):
    """Nothing ever comes of the questions about some cases."""

    async def _act(self, writer, seen, path):
        sick = seen.shown[0] in [f"question {k}?" for k in range(4)]
        seen.fault = "500" if sick and not self.well else seen.fault
        return await super()._act(writer, seen, path)


def steady(first, second):
    """The shorter text, mostly, and the same for the same two texts every time."""
    shorter = ("first", "second") if len(first) < len(second) else ("second", "first")
    return random.Random(first + second).choices(shorter, weights=[2, 1])[0]


QUARTER = {"500": 0.09, "429": 0.08, "reset": 0.08}


@pytest.mark.parametrize("retries", quick([0, 1]))
def test_a_quarter_of_all_tries_lost_changes_nothing_and_the_next_run_asks_nothing(
    own_folder, monkeypatch, retries
):
    """16 per judge in flight: what an outage cuts off is asked again on its draw, within the run."""
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting([]))
    with Endpoint(verdict=steady, seed=7, delay=0.002, jitter=True) as endpoint:
        files(own_folder, endpoint.url, cases=18, more=f"retries = {retries}")
        how = ("--seed", "4", "--json", "--within", "0")
        undisturbed = rank(*how, "--no-cache", "--no-keep")
        needed = len(endpoint.seen)
        endpoint.faults = dict(QUARTER)
        first = rank(*how)
        asked = endpoint.seen[needed:]
        second = rank(*how)
    assert sum(bool(seen.fault) for seen in asked) > 0.2 * len(asked) and needed > 100
    assert sum(not seen.fault for seen in asked) == needed and len(endpoint.seen) == needed + len(asked)
    assert found(first) == found(second) == found(undisturbed)


def test_what_was_proven_without_some_answers_stays_so_and_they_stay_open_for_others(own_folder, monkeypatch):
    """Some questions never get an answer: the proof did without, so the same command makes no call."""
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting([]))
    with Ailing(verdict=steady) as endpoint:
        endpoint.well = False
        files(own_folder, endpoint.url, cases=40, more="retries = 0")
        how = ("--seed", "4", "--json", "--within", "0.05")
        first = rank(*how)
        endpoint.well = True
        calls = len(endpoint.seen)
        second = rank(*how)
        assert len(endpoint.seen) == calls and any(seen.fault for seen in endpoint.seen)
        assert first.returncode == second.returncode == 0 and found(first) == found(second)
        assert sum(each["failed"] for each in found(second)["details"]["models"].values())
        other = rank("--seed", "4", "--json", "--within", "0.05", "--error", "0.04", "--study", "other")
        assert len(endpoint.seen) > calls and other.returncode == 0
        assert not any(each["failed"] for each in found(other)["details"]["models"].values())
        calls = len(endpoint.seen)
        assert found(rank(*how)) == found(first) and len(endpoint.seen) == calls


def test_what_was_not_proven_is_asked_again_on_the_same_draws(own_folder, monkeypatch):
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting([]))
    with Ailing(verdict=steady) as endpoint:
        endpoint.well = False
        files(own_folder, endpoint.url, cases=16, more="retries = 0")
        how = ("--seed", "4", "--json", "--within", "0", "--budget", "20")
        first = rank(*how)
        failed = sum(each["failed"] for each in found(first)["details"]["models"].values())
        endpoint.well, before = True, len(endpoint.seen)
        second = rank(*how)
        again = len(endpoint.seen) - before
        assert found(rank(*how)) == found(second) and len(endpoint.seen) == before + again
    assert first.returncode == 3 and 0 < failed <= again <= 20
    assert not any(each["failed"] for each in found(second)["details"]["models"].values())


def nobody_there():
    """An address of this machine where nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}/v1"


COMMANDS = {
    "rank": ("rank", "outputs.jsonl", "--cases", "cases.jsonl", "--judges", "judges.toml", "--out", "result.json"),
    "rank items": ("rank", "items.txt", "--judges", "judges.toml", "--out", "result.json"),
    "probe": ("judges", "probe", "judges.toml", "outputs.jsonl", "--cases", "cases.jsonl"),
    "study run": ("study", "run", "s", "--judges", "judges.toml", "--storage", "sqlite:///s.db"),
}
CANNOT_ASK = {"rank": 5, "rank items": 5, "probe": 3, "study run": 3}  # the exit codes


@pytest.mark.parametrize("command", quick(COMMANDS, "rank", "study run"))
def test_a_model_that_is_not_running_is_named_with_its_address_at_once(own_folder, monkeypatch, command):
    """No minute of silence, no order out of nothing, nothing written."""
    pauses = []
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting(pauses))
    url = nobody_there()
    files(own_folder, url, cases=3, judges=("m",))
    (own_folder / "items.txt").write_text("tea\nmud\ncoffee\n")
    made = ("study", "create", "s", "--items", "outputs.jsonl", "--cases", "cases.jsonl", "--judge", "m")
    if command == "study run":
        assert juryrank(*made, "--storage", "sqlite:///s.db").returncode == 0
    done = juryrank(*COMMANDS[command])
    said = " ".join((done.stdout + done.stderr).split())
    assert (
        done.returncode == CANNOT_ASK[command]
        and f"nothing answers at {url}" in said
        and not re.search(r"\bm: judge 'm'", said)
        and "Start the model there" in said
    )
    assert len(re.findall(r"\bagain\b", said)) == 1  # the advice is given once
    assert "very likely the best" not in said and "calls of the whole" not in said
    assert not (own_folder / "result.json").exists()
    tries = [pause for pause in pauses if pause > 0.1]  # shorter ones only look whether something came
    assert sum(sorted(tries, reverse=True)[:2]) < 5 and len(tries) <= 2 * 16


@pytest.mark.parametrize("command", quick(COMMANDS, "rank", "probe"))
def test_a_server_that_takes_the_connection_and_never_answers_is_given_up(
    own_folder, monkeypatch, caplog, command
):
    """Two time-outs, a line about whom we wait for and until when, the address, no order."""
    monkeypatch.setattr("juryrank.judges.models.client.WORD_AFTER", 0.05)
    with Endpoint(faults={"hang": 1.0}) as endpoint:
        files(own_folder, endpoint.url, cases=3, judges=("m",), more="timeout = 0.3")
        (own_folder / "items.txt").write_text("tea\nmud\ncoffee\n")
        if command == "study run":
            assert juryrank(*MADE, "--judge", "m").returncode == 0
        done = juryrank(*COMMANDS[command])
        asked = [json.dumps(seen.body["messages"]) for seen in endpoint.seen]
    said = " ".join((done.stdout + done.stderr).split())
    waiting = [line for line in caplog.messages if "waiting for a first answer" in line]
    assert len(waiting) == 1 and endpoint.url in waiting[0] and "2 tries of 0.3 s" in waiting[0]
    assert re.search(r"until about \d\d:\d\d:\d\d", waiting[0])
    assert (
        done.returncode == CANNOT_ASK[command]
        and f"nothing answers at {endpoint.url}" in said
        and "in 2 tries" in said
    )
    assert "very likely the best" not in said and not (own_folder / "result.json").exists()
    assert len(asked) <= 2 * 32  # all that were under way at once, each tried twice, and then nothing more


def test_a_model_that_is_still_being_loaded_is_waited_for(own_folder, monkeypatch, caplog):
    """The first answers take more than one time-out: the second try has them."""
    monkeypatch.setattr("juryrank.judges.models.client.WORD_AFTER", 0.05)

    class Loading(Endpoint):
        async def _act(self, writer, seen, path):
            await asyncio.sleep(max(0.0, self.seen[0].at + 0.75 - time.monotonic()))
            return await super()._act(writer, seen, path)

    with Loading(verdict=steady) as endpoint:
        files(own_folder, endpoint.url, cases=3, judges=("m",), more="timeout = 0.5")
        done = rank("--seed", "4")
    assert done.returncode == 0 and "waiting for a first answer" in caplog.text and "failed" not in done.stdout


@pytest.mark.parametrize(("command", "code"), quick([("rank", 3), ("rank items", 130), ("probe", 130)]))
def test_ctrl_c_ends_the_wait_for_a_first_answer_at_once(own_folder, command, code):
    with Endpoint(faults={"hang": 1.0}) as endpoint:
        files(own_folder, endpoint.url, cases=3, judges=("m",))
        (own_folder / "items.txt").write_text("tea\nmud\ncoffee\n")
        process = in_a_process(*COMMANDS[command])
        first = next(line for line in process.stderr if "waiting" in line)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)  # the time-out is 60 s
    assert f"waiting for a first answer from {endpoint.url}" in first and "2 tries of 60 s" in first
    assert process.returncode == code and "Traceback" not in err
    assert command != "rank" or "stopped before any judge had answered" in err


ITEMS = (
    "rank",
    "items.txt",
    "--judges",
    "judges.toml",
    "--ranker",
    "panel",
    "--set",
    "about=panel",
    "--seed",
    "1",
)


def many_items(folder, url):
    """66 pairs for one judge, 32 at once."""
    files(folder, url, cases=1, judges=("m",))
    judges = folder / "judges.toml"
    judges.write_text(judges.read_text().replace("concurrency = 16", "concurrency = 32"))
    (folder / "items.txt").write_text("".join(f"item {k}\n" for k in range(12)))


def test_answers_under_way_are_waited_for_at_ctrl_c_and_kept(own_folder):
    """32 calls in flight at a slow endpoint: nothing that it answered is asked again."""
    with Held(verdict=steady) as endpoint:
        many_items(own_folder, endpoint.url)
        out, _ = interrupted(in_a_process(*ITEMS, "--json"), endpoint.full, endpoint.release)
        first = list(endpoint.answered)
        assert len(first) == len(endpoint.seen) < 66 and len(first) > 25  # each call that was sent was answered
        assert "Stopped after" in out
        assert sum(judge["answered"] for judge in json.loads(out)["judges"]) == len(first)
        juryrank(*ITEMS)
    assert len(endpoint.answered) == len(set(endpoint.answered)) == 66


def test_a_second_ctrl_c_waits_for_nobody(own_folder):
    with Held(verdict=steady, free=5) as endpoint:
        many_items(own_folder, endpoint.url)
        process = in_a_process(*ITEMS)
        out, _ = interrupted(process, endpoint.full)
    assert process.returncode == 3 and "Stopped after" in " ".join(out.split())


def in_a_process(*words):
    """A command as a user runs it, with everything that it says."""
    soon = (
        "from juryrank.judges.models import client; client.WORD_AFTER = 0.1; from juryrank.cli import main; main()"
    )
    start = [sys.executable, "-c", soon, *words]
    return subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _sleep_noting(pauses):
    real = asyncio.sleep

    async def sleep(seconds, *rest):
        pauses.append(seconds)
        await real(0, *rest)

    return sleep


@pytest.mark.parametrize("command", quick(["rank", "probe", "study run"], "study run"))
def test_a_wrong_key_is_named_with_the_address_and_its_variable(own_folder, monkeypatch, command):
    monkeypatch.setenv("MY_KEY", "sk-planted-987")
    with Endpoint(key="right") as endpoint:
        files(own_folder, endpoint.url, cases=3, judges=("m",), more='key_env = "MY_KEY"')
        made = ("study", "create", "s", "--items", "outputs.jsonl", "--cases", "cases.jsonl", "--judge", "m")
        if command == "study run":
            assert juryrank(*made, "--storage", "sqlite:///s.db").returncode == 0
        done = juryrank(*COMMANDS[command])
        said = " ".join((done.stdout + done.stderr).split())
        assert len(endpoint.seen) <= 16
    assert done.returncode == (5 if command == "rank" else 3), said
    assert "the key is wrong or missing (HTTP 401)" in said and "sk-planted" not in said
    assert endpoint.url in said and "the environment variable MY_KEY" in said
    assert "very likely the best" not in said and not (own_folder / "result.json").exists()


def one_call_in_ten(system, k):
    """Identical on 9 of 10 cases, and one output is missing."""
    return None if (system, k) == ("b", 11) else f"{system if k % 10 == 1 else ''} says {k}"


def test_calls_are_counted_of_those_that_would_really_be_made(own_folder):
    """100 cases: 90 with identical outputs, one without an output; 9 cases on both sides are 18 calls."""
    verdict = leaning(random.Random(1))
    with Endpoint(verdict=verdict) as endpoint:
        made = {"systems": ("aa", "b"), "cases": 100, "judges": ("m",), "output": one_call_in_ten}
        files(own_folder, endpoint.url, **made)
        how = ("--missing", "leave out", "--seed", "1")
        assert "the whole evaluation is 18 questions" in " ".join(rank(*how, "--dry-run").stdout.split())
        done = rank(*how, "--out", "result.json", "--within", "0")
        calls = len(endpoint.seen)
    text = " ".join(done.stdout.split())
    assert f"{calls} of 18 calls of the whole evaluation ({round(100 * calls / 18)} %)" in text
    assert f"{calls} of about {calls} calls; nothing left to prove" in " ".join(done.stderr.split())
    document = json.loads((own_folder / "result.json").read_text())
    assert document["estimates"]["details"]["jury"]["calls_in_all"] == 18
    assert juryrank("verify", "result.json", "--rerun").returncode == 0
    assert juryrank("report", "result.json", "--out", "report.html").returncode == 0
    assert f"{calls} of 18 calls" in (own_folder / "report.html").read_text()
    made = ("study", "create", "s", "--items", "outputs.jsonl", "--cases", "cases.jsonl", "--judge", "m")
    store = ("--storage", "sqlite:///s.db")
    assert juryrank(*made, "--missing", "leave out", *store).returncode == 0
    assert "0 of 18 calls" in juryrank("study", "show", "s", *store).stdout


def counts(text, better="aa"):
    """The column of calls in a table of claims."""
    rows = [line.split("%", 1)[1] for line in text.splitlines() if " over " in line and "%" in line]
    return [int(re.sub(r"^ \([\d to]+\)", "", row).split()[0]) for row in rows]


def test_a_tie_that_nobody_was_asked_for_is_no_call_in_any_table(own_folder):
    """Most outputs are the same: the table of claims, the share of refusals and the judges' rows count calls."""
    faults, same = {"unwilling": 0.5}, lambda system, k: f"{system if k % 4 == 0 else ''} says {k}"
    with Endpoint(verdict=steady, faults=faults, seed=1) as endpoint:
        files(own_folder, endpoint.url, systems=("aa", "b"), cases=40, judges=("m",), output=same)
        done = rank("--seed", "1", "--within", "0", "--out", "result.json")
        jury = json.loads((own_folder / "result.json").read_text())["estimates"]["details"]["jury"]
        (claim,), (judge,) = jury["claims"], jury["by_judge"]
        refused = sum(seen.fault == "unwilling" for seen in endpoint.seen)
        calls = len(endpoint.seen)
    assert jury["identical"] > calls > refused > 0 and claim["asked"] == jury["identical"] + calls
    assert claim["calls"] == calls == judge["answered"] + refused and judge["both_sides"] <= 10
    text = " ".join(done.stdout.split())
    assert f"refused {refused} of {calls}" in text or f"({refused} of {calls})" in text
    assert counts(done.stdout) == [calls]  # what was refused was asked, and paid for
    assert juryrank("verify", "result.json", "--rerun").returncode == 0


def test_every_count_that_is_read_as_calls_is_one_of_calls(own_folder):
    """Result as JSON, terminal, certificate, report, estimates and a study's status; a budget is one of calls."""
    same = lambda system, k: f"{system if k % 4 == 0 else ''} says {k}"  # noqa: E731
    with Endpoint(verdict=steady, seed=1) as endpoint:
        files(own_folder, endpoint.url, systems=("aa", "b", "cccc"), cases=24, judges=("m",), output=same)
        done = rank("--seed", "1", "--json", "--out", "result.json")
        calls = len(endpoint.seen)
        shown = rank("--seed", "1").stdout
        few = json.loads(rank("--seed", "1", "--json", "--no-cache", "--no-keep", "--budget", "5").stdout)
        assert few["questions"] == len(endpoint.seen) - calls == 5
    found = json.loads(done.stdout)
    identical = found["details"]["jury"]["identical"]
    assert identical > 5 and found["questions"] == found["judges"][0]["asked"] == calls
    assert found["estimates"]["answers"] == calls
    said = f"Estimates from {calls} answers and {identical} ties that needed no call"
    assert said in found["estimates"]["note"] and said in " ".join(shown.split())
    assert juryrank("verify", "result.json", "--rerun").returncode == 0
    assert juryrank("report", "result.json", "--out", "report.html").returncode == 0
    report = re.sub(r"<[^>]+>", " ", (own_folder / "report.html").read_text())
    assert f" {calls} answers " in " ".join(report.split())
    assert f"{calls + identical}" not in re.sub(r"[0-9a-f]{12,}", "", " ".join(report.split())).split()
    with Endpoint(verdict=steady, seed=1) as endpoint:
        files(own_folder, endpoint.url, systems=("aa", "b", "cccc"), cases=24, judges=("m",), output=same)
        assert juryrank(*MADE, "--judge", "m").returncode == 0
        study_run()
        status = json.loads(juryrank("study", "show", "s", "--json", *STORE).stdout)
        assert status["ranking"]["questions"] == status["progress"]["questions"] == len(endpoint.seen)
        assert status["ranking"]["cost"] == status["ranking"]["estimates"]["answers"] == len(endpoint.seen)


def test_systems_that_join_bring_outputs_that_are_the_same_as_others(own_folder):
    """Log, ranker and checker agree on how many calls there are; a log that says otherwise is refused."""
    same = lambda system, k: f"{'' if k % 10 else system} says {k}"  # noqa: E731
    with Endpoint(verdict=steady) as endpoint:
        files(own_folder, endpoint.url, systems=("aa", "b"), cases=20, judges=("m",), output=same)
        assert juryrank(*MADE, "--judge", "m").returncode == 0
        assert "0 of 4 calls" in juryrank("study", "show", "s", *STORE).stdout
        study_run()
        files(own_folder, endpoint.url, systems=("aa", "b", "cccc"), cases=20, judges=("m",), output=same)
        assert juryrank("study", "items", "s", "--add-outputs", "outputs.jsonl", *STORE).returncode == 0
        assert study_run().returncode == 0
        status = json.loads(juryrank("study", "show", "s", "--json", *STORE).stdout)
        assert len(endpoint.seen) == status["progress"]["questions"] <= 12
    assert status["ranking"]["details"]["jury"]["calls_in_all"] == 3 * 2 * 2
    assert status["units"] == {"progress.cost": "questions", "ranking.cost": "questions", "model_cost": "money"}
    assert status["ranking"]["cost"] == len(endpoint.seen)
    joined = next(event for event in log() if event["kind"] == "items_added")
    assert joined["data"]["same_outputs"] == 3 * 18
    assert juryrank("verify", "certificate.json", "--rerun").returncode == 0
    certificate = json.loads((own_folder / "certificate.json").read_text())
    certificate.pop("signature", None)  # a forger signs anew
    next(event for event in certificate["events"] if event["kind"] == "items_added")["data"]["same_outputs"] = 7
    (own_folder / "forged.json").write_text(json.dumps(reforge(certificate)))
    refused = juryrank("verify", "forged.json")
    assert refused.returncode == 2 and "the same 7 times, and they are 54 times" in " ".join(
        refused.stdout.split()
    )


def test_a_system_that_has_just_joined_may_still_be_anything(own_folder):
    """Most answers are ties, so the others' places are well known; of the newcomer's nothing is, which is said."""

    def verdict(first, second):
        return "tie" if random.Random(first + second).random() < 0.7 else steady(first, second)

    systems = ("a", "bb", "ccc", "dddd")
    with Endpoint(verdict=verdict) as endpoint:
        files(own_folder, endpoint.url, systems=systems, cases=40, judges=("m",))
        assert juryrank(*MADE, "--judge", "m").returncode == 0
        study_run()
        files(own_folder, endpoint.url, systems=(*systems, "newcomer"), cases=40, judges=("m",))
        assert juryrank("study", "items", "s", "--add-outputs", "outputs.jsonl", *STORE).returncode == 0
    status = json.loads(juryrank("study", "show", "s", "--json", *STORE).stdout)["ranking"]["estimates"]
    new = next(row for row in status["items"] if row["item"] == "newcomer")
    assert not new["known"] and (new["rank_low"], new["rank_high"]) == (1, 5)
    assert 0.1 < new["best"] < 0.3  # one in five, before anything is known
    said = " ".join(juryrank("study", "show", "s", *STORE).stdout.split())
    assert (
        "No answer tells anything about newcomer yet: its place is open" in status["note"]
        and status["note"] in said
    )


@pytest.mark.parametrize("given", quick(["folder", "file"]))
@pytest.mark.parametrize("inputs", quick([True, False]))
def test_a_probe_shows_a_judge_what_the_ranking_would_show(own_folder, given, inputs):
    """To the byte: the input, two outputs for it, no name. (Copies, and texts that ask to be chosen, aside.)"""
    outputs = {"alpha-7b": {"q0": "4", "q1": "Paris"}, "beta-9b": {"q0": "five", "q1": "Rome"}}
    with Endpoint(verdict=lambda first, second: "tie") as endpoint:
        files(own_folder, endpoint.url, systems=tuple(outputs), cases=2, output=lambda s, k: outputs[s][f"q{k}"])
        place = "outputs.jsonl"
        if given == "folder":
            place = "folder"
            for name, said in outputs.items():
                (own_folder / place / name).mkdir(parents=True)
                for case, text in said.items():
                    (own_folder / place / name / f"{case}.txt").write_text(text)
        cases = ("--cases", "cases.jsonl") if inputs else ()
        assert juryrank("judges", "probe", "judges.toml", place, *cases).returncode == 0
        probed = len(endpoint.seen)
        juryrank("rank", place, *cases, "--judges", "judges.toml", "--within", "0", "--seed", "1")
    asked = [seen.body["messages"] for seen in endpoint.seen]
    ranked = [json.dumps(each) for each in asked[probed:]]
    assert probed > 20 and len(set(ranked)) == 4  # both cases on both sides
    assert not any(name in json.dumps(each) for each in asked for name in outputs)
    texts = {text for said in outputs.values() for text in said.values()}
    for seen in endpoint.seen[:probed]:
        case, first, second = seen.shown
        if first != second and INJECTION not in second:
            assert json.dumps(seen.body["messages"]) in ranked
        assert case in (("question 0?", "question 1?") if inputs else ("q0", "q1"))
        assert {first, second.removesuffix(INJECTION)} <= texts


STORE = ("--storage", "sqlite:///s.db")
MADE = (
    "study",
    "create",
    "s",
    "--items",
    "outputs.jsonl",
    "--cases",
    "cases.jsonl",
    "--goal",
    "best",
    *STORE,
)


def study_run(*words):
    return juryrank(
        "study", "run", "s", "--judges", "judges.toml", "--concurrency", "32", "--json", *STORE, *words
    )


def test_a_study_that_goes_on_pays_for_no_question_twice(own_folder):
    """Refusals in words and answers that cannot be read are final in a study too."""
    faults = {"unwilling": 0.15, "prose": 0.4}  # unreadable twice in a row: one question in six, so surely some
    with Endpoint(verdict=leaning(random.Random(1)), faults=faults, seed=5, delay=0.002, jitter=True) as endpoint:
        files(own_folder, endpoint.url, cases=6)
        assert juryrank(*MADE, "--judge", "m", "--judge", "n", "--set", "resolution=0").returncode == 0
        runs, calls = [], []
        for _ in range(2):
            before = len(endpoint.seen)
            runs.append(study_run())
            calls.append(len(endpoint.seen) - before)
    first, second = (json.loads(done.stdout) for done in runs)
    assert calls[0] > 30 and calls[1] == 0 and not first["failed"]
    assert runs[0].returncode == runs[1].returncode and second["ranking"]["order"] == first["ranking"]["order"]
    sources = [event["data"].get("source") for event in log() if event["kind"] == "told"]
    assert {"model", "refused", "failed"} <= set(sources)


def log():
    done = juryrank("study", "certificate", "s", *STORE, "--out", "certificate.json")
    assert done.returncode == 0, done.stderr
    with open("certificate.json") as file:
        return json.load(file)["events"]


def test_a_study_asks_what_an_outage_left_open_on_the_same_draw(own_folder, monkeypatch):
    """Nothing is told for a judge that could not be asked, and it is not paused: the next run goes on."""
    monkeypatch.setattr("juryrank.judges.models.client.asyncio.sleep", _sleep_noting([]))
    verdict = lambda first, second: "first" if len(first) <= len(second) else "second"  # noqa: E731
    with Endpoint(verdict=verdict, delay=0.002, jitter=True) as endpoint:
        files(own_folder, endpoint.url, cases=12, more="retries = 0")
        assert juryrank(*MADE, "--judge", "m", "--judge", "n").returncode == 0
        endpoint.faults_after(15, {"500": 0.5, "429": 0.3, "reset": 0.2})
        broken = study_run()
        told = [event["data"]["q"] for event in log() if event["kind"] == "told"]
        asked = [event["data"]["q"] for event in log() if event["kind"] == "asked"]
        left = set(asked) - set(told)
        endpoint.faults.clear()
        mended = study_run()
    assert broken.returncode == 3 and left and json.loads(broken.stdout)["failed"]
    assert mended.returncode == 0 and json.loads(mended.stdout)["resumed"] == len(left)
    assert not {"judge_paused", "expired"} & {event["kind"] for event in log()}
    assert left <= {event["data"]["q"] for event in log() if event["kind"] == "told"}
    assert juryrank("verify", "certificate.json", "--rerun").returncode == 0


def test_a_system_joins_or_leaves_and_old_answers_are_not_paid_for_again(own_folder):
    """No prompt that was answered is sent a second time."""
    with Endpoint(verdict=lambda first, second: "first" if len(first) <= len(second) else "second") as endpoint:
        calls, systems = [], ("a", "bbbb", "ccccc", "dddddd", "eeeeeee")
        for some in (systems[:4], systems, systems[:3]):
            files(own_folder, endpoint.url, cases=60, systems=some, judges=("m",))
            before = len(endpoint.seen)
            done = rank("--json", "--out", "c.json")
            calls.append(len(endpoint.seen) - before)
            assert done.returncode == 0 and sorted(json.loads(done.stdout)["order"]) == sorted(some)
            assert juryrank("verify", "c.json").returncode == 0
        sent = [json.dumps(seen.body, sort_keys=True) for seen in endpoint.seen]
    assert len(sent) == len(set(sent)), calls
