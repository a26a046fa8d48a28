"""Programs, modules, recorded votes and simulated judges all answer like functions."""

import asyncio
import sys
import time

import pytest

from juryrank import SKIP, TIE, rank
from juryrank.errors import BadInput, BadWorld, JudgeFailed, UnknownName
from juryrank.judges import CommandJudge, SimulatedJudge, judge_named, python_judge, replayed, simulated


def program(tmp_path, body, name="judge.py"):
    path = tmp_path / name
    path.write_text(f"#!/usr/bin/env python3\nimport json, sys, time\npair = json.load(sys.stdin)\n{body}\n")
    path.chmod(0o755)
    return str(path)


def ask(command, left="a", right="b", **options):
    return asyncio.run(CommandJudge(command, **options)(left, right))


@pytest.mark.parametrize(
    ("said", "answer"), [("left", "a"), ("right", "b"), ("TIE ", TIE), ("skip", SKIP), ('"left"', "a")]
)
def test_a_program_answers_with_one_word(tmp_path, said, answer):
    assert ask(program(tmp_path, f"print({said!r})")) == answer


def test_the_pair_comes_as_json_with_rows_whole(tmp_path):
    path = program(tmp_path, "print('left' if pair['left']['size'] > pair['right']['size'] else 'right')")
    small, large = {"id": "s", "size": 1}, {"id": "l", "size": 2}
    assert ask(path, small, large) is large


def test_half_a_character_reaches_a_program(tmp_path):
    path = program(tmp_path, "print('left' if pair['left'] == 'é\\ud800' else 'right')")
    assert ask(path, "é\ud800", "b") == "é\ud800"


def test_a_program_ranks_several_at_once(tmp_path):
    path = program(tmp_path, "print('left' if pair['left'] < pair['right'] else 'right')")
    result = rank(["b", "a"], {"prog": CommandJudge(path)}, ranker="iir", fresh=True, budget=10, seed=1)
    told = {event.data["q"]: event.data["answer"] for event in result.events if event.kind == "told"}
    asked = [event.data for event in result.events if event.kind == "asked"]
    smaller_on = {data["q"]: "left" if data["left"] == "a" else "right" for data in asked}
    assert len(told) == 10 and told == smaller_on


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("print('maybe')", "it must print left, right, tie, skip, or a grade"),
        ("sys.exit('no key')", "ended with code 1: no key"),
        ("time.sleep(30)", "no answer within 0.5 s"),
    ],
)
def test_a_program_that_fails_says_how(tmp_path, body, words):
    with pytest.raises(JudgeFailed, match=words):
        ask(program(tmp_path, body), time_limit=0.5 if "sleep" in body else 30)


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("cat > /dev/null; sleep 30", "no answer within 0.5 s"),  # the shell is ended, and what it started
        ("cat > /dev/null; yes | cat", "no answer within 0.5 s"),  # more than anybody wants to read or keep
        ("cat > /dev/null; setsid sleep 12", "no answer within 0.5 s"),  # and what left its group is left behind
        ("cat > /dev/null; yes | head -c 3000000", "answered 'y"),
        ("cat > /dev/null; yes | head -c 3000000 >&2; echo no key >&2; exit 4", "code 4: .*no key"),
    ],
)
def test_a_program_that_hangs_or_floods_ends_with_all_it_started(tmp_path, script, words):
    path = tmp_path / "judge.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    began = time.monotonic()
    with pytest.raises(JudgeFailed, match=f"(?s){words}"):
        ask(str(path), time_limit=0.5 if "within" in words else 30)
    assert time.monotonic() - began < 10


def test_a_program_that_is_not_there_is_refused_at_once():
    with pytest.raises(BadInput, match="chmod"):
        CommandJudge("/no/such/program")


@pytest.mark.parametrize("text", ["ann", "ann=", "=cmd:ls", "ann=cmd:", "ann=http:x", "ann=python:operator"])
def test_a_judge_that_cannot_be_read(text):
    with pytest.raises(BadInput, match=r"write|module:function"):
        judge_named(text)


def test_a_function_of_a_module_in_the_working_directory(tmp_path, monkeypatch):
    (tmp_path / "my_own_judges.py").write_text("def ann(left, right):\n    return left\n")
    monkeypatch.chdir(tmp_path)
    name, judge = judge_named("ann=python:my_own_judges:ann")
    assert (name, judge("a", "b")) == ("ann", "a")
    monkeypatch.delitem(sys.modules, "my_own_judges")


@pytest.mark.parametrize("path", ["no_such_module_here:f", "operator:no_such_function", "os.path:sep"])
def test_a_function_that_is_not_there(path):
    with pytest.raises(BadInput, match=r"cannot be imported|no function"):
        python_judge(path)


def test_recorded_votes_are_given_out_once():
    judges = replayed([("ann", "a", "b", "a"), ("bob", "a", "b", TIE)])
    assert judges["ann"]("b", "a") == "a"
    assert judges["ann"]("b", "a") is SKIP
    assert judges["bob"]("b", "a") is TIE


def test_simulated_judges_are_as_accurate_as_they_say():
    judge = SimulatedJudge("ab", accuracy=0.8, seed=3)
    right = sum(judge("a", "b") == "a" for _ in range(4000))
    assert abs(right / 4000 - 0.8) < 4 * (0.16 / 4000) ** 0.5
    assert [j.accuracy for j in simulated("ab", {"ann": 0.9, "bob": 0.6}).values()] == [0.9, 0.6]


def test_worlds_that_cannot_be():
    with pytest.raises(BadWorld, match="between 0 and 1"):
        simulated("ab", [1.2])
    with pytest.raises(UnknownName, match="'c'"):
        simulated("ab", [0.9])["judge-1"]("a", "c")
