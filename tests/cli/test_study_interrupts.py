"""Ctrl-C at `study run`: what judges are answering is waited for, and is in the study; a second one ends that."""

import json
import shlex
import subprocess
import sys

import pytest

from tests.cli.interrupting import Held, interrupted
from tests.commands import juryrank

STORE = ("--storage", "sqlite:///s.db")
JUDGE = '[[judge]]\nname = "m"\napi = "openai"\nmodel = "m"\nconcurrency = 32\nurl = "{}"\n'
SLOW = """
import os, sys, time
open("begun", "a").write("x")
try:
    first = bool(os.open("first", os.O_CREAT | os.O_EXCL))
except FileExistsError:
    first = False
until = time.monotonic() + 60
while not first and not os.path.exists("go") and time.monotonic() < until:
    time.sleep(0.02)
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
    how = ("--ranker", "panel", "--set", "about=panel", "--seed", "1", "--judge", "m")
    assert juryrank("study", "create", "s", "--items", "items.txt", *how, *STORE).returncode == 0
    return tmp_path


def shorter(first, second):
    return "first" if (len(first), first) <= (len(second), second) else "second"


def run(*words):
    """The command as a user runs it."""
    start = [sys.executable, "-m", "juryrank", "study", "run", "s", *STORE, "--concurrency", "32", *words]
    return subprocess.Popen(start, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def status():
    return json.loads(juryrank("study", "show", "s", "--json", *STORE).stdout)


def test_every_answer_under_way_is_in_the_study(own_folder):
    """32 calls in flight at a slow endpoint: each one that was sent is an answer of the study."""
    pytest.importorskip("httpx")
    with Held(verdict=shorter) as endpoint:
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml", "--no-cache", "--json")
        out, waited = interrupted(process, endpoint.full, endpoint.release)
        first = len(endpoint.answered)
        assert process.returncode == 130 and waited >= 8 and first == len(endpoint.seen) < 66
        assert json.loads(out)["answered"] == status()["answers"] == first
        assert juryrank("study", "run", "s", "--judges", "judges.toml", "--no-cache", *STORE).returncode == 0
    assert len(endpoint.answered) == len(set(endpoint.answered)) == 66


def slow_program(folder, *, code):
    """Ten at once, of which the first answers soon, and the others, which end with `code`, after Ctrl-C."""
    (folder / "slow.py").write_text(SLOW.replace("CODE", str(code)))
    begun = folder / "begun"
    process = run("--judge", f"m=cmd:{shlex.quote(sys.executable)} slow.py", "--per-judge", "10", "--json")
    ready = lambda: begun.exists() and len(begun.read_text()) > 10  # noqa: E731
    out, waited = interrupted(process, ready, (folder / "go").touch)
    assert process.returncode == 130 and waited >= 8
    return json.loads(out), len((folder / "answered").read_text())


@pytest.mark.slow
def test_programs_that_have_answered_are_waited_for_too(own_folder):
    out, answered = slow_program(own_folder, code=0)
    assert out["answered"] == status()["answers"] == answered


def test_what_fails_after_ctrl_c_is_left_to_the_next_run(own_folder):
    """A failure would count against claims, and it was not tried again only because somebody stopped the run."""
    out, answered = slow_program(own_folder, code=1)
    assert out["answered"] == status()["answers"] == 1 and not out["failed"]
    assert len((own_folder / "begun").read_text()) == answered  # nothing was tried again
    again = juryrank("study", "run", "s", "--judge", "m=cmd:echo left", "--json", *STORE)
    assert again.returncode == 0 and json.loads(again.stdout)["resumed"] >= 8


@pytest.mark.slow
def test_a_second_ctrl_c_waits_for_nobody(own_folder):
    pytest.importorskip("httpx")
    with Held(verdict=shorter, free=5) as endpoint:
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml")
        interrupted(process, endpoint.full)
    assert process.returncode == 130 and status()["answers"] == 5


@pytest.mark.slow
def test_gold_pairs_under_way_are_kept(own_folder):
    """They never count, but they are paid for like any other."""
    pytest.importorskip("httpx")
    pairs = [("item 3", f"item {k}") for k in range(4, 12)]
    (own_folder / "gold.csv").write_text("left,right,winner\n" + "".join(f"{a},{b},left\n" for a, b in pairs))
    with Held(verdict=shorter, free=2) as endpoint:
        (own_folder / "judges.toml").write_text("reason = false\n" + JUDGE.format(endpoint.url))
        process = run("--judges", "judges.toml", "--gold", "gold.csv", "--json")
        out, waited = interrupted(process, lambda: len(endpoint.answered) >= 2, endpoint.release)
        found = json.loads(out)
        assert process.returncode == 130 and waited and found["aside"]
        assert found["aside"] + found["answered"] == len(endpoint.seen)
