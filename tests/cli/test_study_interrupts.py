"""Ctrl-C at `study run`: what judges are answering is waited for, and is in the study; a second one ends that."""

import json
import re
import shlex
import signal
import subprocess
import sys
import time

import pytest

from tests.commands import juryrank
from tests.judges.models.endpoint import Endpoint

STORE = ("--storage", "sqlite:///s.db")
JUDGE = '[[judge]]\nname = "m"\napi = "openai"\nmodel = "m"\nconcurrency = 32\nurl = "{}"\n'
SLOW = """
import json, os, sys, time
open("begun", "a").write("x")
first = not os.path.exists("first")
open("first", "a").close()
time.sleep(0.2 if first else 1.5)
open("answered", "a").write("x")
print("left")
sys.exit(not first and CODE)
"""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch, tmp_path):
    """Twelve items, so that one judge has 66 pairs."""
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.txt").write_text("".join(f"item {k}\n" for k in range(12)))
    how = ("--ranker", "panel", "-o", "about=panel", "--seed", "1", "--judge", "m")
    assert juryrank("study", "create", "s", "--items", "items.txt", *how, *STORE).returncode == 0
    return tmp_path


class Replying(Endpoint):
    """Notes whose questions it has answered."""

    def __enter__(self):
        self.answered = []
        return super().__enter__()

    def _said(self, seen, path):
        self.answered.append(json.dumps(seen.body["messages"]))
        return super()._said(seen, path)


def shorter(first, second):
    return "first" if (len(first), first) <= (len(second), second) else "second"


def run(*words):
    """The command as a user runs it."""
    start = [sys.executable, "-m", "juryrank", "study", "run", "s", *STORE, "--concurrency", "32", *words]
    return subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def status():
    return json.loads(juryrank("study", "status", "s", "--json", *STORE).stdout)


def interrupted(process, ready):
    while not ready():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130 and "Traceback" not in err, err
    waited = re.search(r"waiting for (\d+) answers under way", err)
    return out, int(waited[1]) if waited else 0


def test_every_answer_under_way_is_in_the_study(own_folder):
    """32 calls in flight at a slow endpoint: each one that was sent is an answer of the study."""
    pytest.importorskip("httpx")
    with Replying(verdict=shorter, delay=0.8, jitter=True) as endpoint:
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml", "--no-cache", "--json")
        out, waited = interrupted(process, lambda: len(endpoint.seen) - 12 > len(endpoint.answered) >= 3)
        first, endpoint.delay = len(endpoint.answered), 0.0
        assert waited >= 8 and first == len(endpoint.seen) < 66
        assert json.loads(out)["answered"] == status()["answers"] == first
        assert juryrank("study", "run", "s", "--judges", "judges.toml", "--no-cache", *STORE).returncode == 0
    assert len(endpoint.answered) == len(set(endpoint.answered)) == 66


def slow_program(folder, *, code):
    """Ten at once, of which the first answers soon; `code`: how the others end, after a second and a half."""
    (folder / "slow.py").write_text(SLOW.replace("CODE", str(code)))
    return run("--judge", f"m=cmd:{shlex.quote(sys.executable)} slow.py", "--per-judge", "10", "--json")


def test_programs_that_have_answered_are_waited_for_too(own_folder):
    process, answered = slow_program(own_folder, code=0), own_folder / "answered"
    out, waited = interrupted(process, lambda: answered.exists() and status()["answers"])
    assert waited >= 8
    assert json.loads(out)["answered"] == status()["answers"] == len(answered.read_text())


def test_what_fails_after_ctrl_c_is_left_to_the_next_run(own_folder):
    """A failure would count against claims, and it was not tried again only because somebody stopped the run."""
    process, answered = slow_program(own_folder, code=1), own_folder / "answered"
    out, waited = interrupted(process, lambda: answered.exists() and status()["answers"])
    assert (
        waited >= 8 and json.loads(out)["answered"] == status()["answers"] == 1 and not json.loads(out)["failed"]
    )
    assert len((own_folder / "begun").read_text()) == len(answered.read_text())  # nothing was tried again
    again = juryrank("study", "run", "s", "--judge", "m=cmd:echo left", "--json", *STORE)
    assert again.returncode == 0 and json.loads(again.stdout)["resumed"] >= 8


def test_a_second_ctrl_c_waits_for_nobody(own_folder):
    pytest.importorskip("httpx")
    with Replying(verdict=shorter, delay=0.2, jitter=True) as endpoint:
        endpoint.faults_after(5, {"hang": 1.0})
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml")
        while len(endpoint.answered) < 5:
            time.sleep(0.01)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        line = next(line for line in process.stderr if "under way" in line)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)  # the time-out is 60 s
    assert "Ctrl-C again" in line and process.returncode == 130 and "Traceback" not in err
    assert status()["answers"] == 5


def test_gold_pairs_under_way_are_kept(own_folder):
    """They never count, but they are paid for like any other."""
    pytest.importorskip("httpx")
    pairs = [("item 3", f"item {k}") for k in range(4, 12)]
    (own_folder / "gold.csv").write_text("left,right,winner\n" + "".join(f"{a},{b},left\n" for a, b in pairs))
    with Replying(verdict=shorter, delay=1.5, jitter=True, seed=1) as endpoint:
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml", "--gold", "gold.csv", "--json")
        out, waited = interrupted(process, lambda: len(endpoint.answered) >= 2)
        assert waited and json.loads(out)["aside"] + json.loads(out)["answered"] == len(endpoint.seen)
