"""Somebody who installed juryrank a minute ago: a list, some rules or functions, and a result to show."""

from __future__ import annotations

import pytest

from tests.stories.desk import Desk

PLANETS = (
    "id,diameter,distance,day\nEarth,12.7,150,24\nJupiter,139.8,778,10\nMars,6.8,228,25\nMercury,4.9,58,4223\n"
)
RULES = """
def larger(left, right):
    return max(left, right, key=lambda row: float(row["diameter"]))

def nearer(left, right):
    return min(left, right, key=lambda row: float(row["distance"]))

def quicker(left, right):
    return min(left, right, key=lambda row: float(row["day"]))

def lost(left, right):
    raise ValueError("no idea")
"""
JUDGES = [word for name in ("larger", "nearer", "quicker") for word in ("--judge", f"{name}=python:rules:{name}")]
FUNCTIONS = """
import random, juryrank
def judge(accuracy, chance):
    def answer(left, right):
        better, worse = sorted((left, right))
        return better if chance.random() < accuracy else worse
    return answer
jury = {f"j{k}": judge(share, random.Random(k)) for k, share in enumerate((.95, .8, .6))}
result = juryrank.rank(list("HDBLGAKFCJEI"), jury, fresh=True, error=0.05, seed=1)
print("".join(result.order), result.proven, "/site-packages/" in juryrank.__file__)
"""


@pytest.fixture
def rules(desk: Desk) -> Desk:
    desk.write("planets.csv", PLANETS)
    desk.write("rules.py", RULES)
    return desk


def test_rules_rank_a_table_and_the_result_is_checked_and_shown(rules: Desk) -> None:
    """Rank, verify, report, and the same command again: it is kept, and nothing is asked twice."""
    command = ("rank", "planets.csv", *JUDGES, "--seed", 1, "--out", "result.json")
    first = rules.juryrank(*command)
    assert "juryrank verify result.json" in first.stdout and "Kept in juryrank.db" in first.stderr
    assert "TRUE AND CERTIFIED" in rules.juryrank("verify", "result.json").stdout
    rules.juryrank("report", "result.json", "--out", "page.html")
    assert "Jupiter" in rules.read("page.html")
    head = rules.read("result.json")
    rules.juryrank(*command)
    assert [line for line in head.splitlines() if '"head"' in line] == [
        line for line in rules.read("result.json").splitlines() if '"head"' in line
    ]


def test_twelve_things_by_three_noisy_functions(desk: Desk) -> None:
    assert desk.python(FUNCTIONS).split() == ["ABCDEFGHIJKL", "True", "True"]


def test_what_goes_wrong_is_said_in_one_line(rules: Desk) -> None:
    """An empty file, twins, a judge that raises, a file that is not there: what, why, what to do."""
    rules.write("empty.txt", "")
    rules.write("twins.txt", "a\na\n")
    rules.write("abc.txt", "a\nb\nc\n")
    judge = ("--judge", "x=python:rules:lost")
    assert "holds no items; put one on each line" in rules.juryrank("rank", "empty.txt", *judge, code=2).stderr
    assert "'a' is listed twice" in rules.juryrank("rank", "twins.txt", *judge, code=2).stderr
    assert "nowhere.txt" in rules.juryrank("rank", "nowhere.txt", *judge, code=2).stderr
    assert "raised ValueError: no idea" in rules.juryrank("rank", "abc.txt", *judge, code=5).stderr
    rules.write("judges.toml", '[[judge]]\nname = "small"\n')
    no_model = rules.juryrank("rank", "abc.txt", "--judges", "judges.toml", code=2).stderr
    assert "judge 1 has no api and no model; every [[judge]] needs name, api, model" in no_model
    assert "juryrank rank needs ITEMS; for example: juryrank rank" in rules.juryrank("rank", code=2).stderr
    assert (
        "--budget cannot be used: it must be a whole number"
        in rules.juryrank("rank", "abc.txt", "--budget", "many", code=2).stderr
    )


def test_messages_at_a_terminal_name_flags_not_arguments(rules: Desk) -> None:
    """Another question about a kept list, in words; what is said about options can be typed."""
    rules.write("abc.txt", "a\nb\nc\n")
    judge = ("--judge", "x=python:rules:larger")
    asked = rules.juryrank("rank", "planets.csv", "--judge", "x=python:rules:larger")
    assert "If each answer is drawn anew: --fresh." in " ".join(asked.stdout.split())
    assert "In the top k" not in asked.stdout  # the order says it
    other = rules.juryrank("rank", "planets.csv", *judge, "--about", "truth", code=2).stderr
    assert "what the judges themselves prefer then, the true order now" in other and "--again" in other
    wrong = rules.juryrank("rank", "abc.txt", *judge, "--about", "people", "--fresh", code=2).stderr
    assert "--about people asks each person a pair once, so --fresh does not fit" in wrong and "='" not in wrong


def test_the_cost_is_known_beforehand(desk: Desk) -> None:
    said = desk.juryrank("plan", "--items", 6, "--accuracies", "0.9,0.7", "--ranker", "certified").stdout
    assert said.startswith("Expect about ") and "in 9 of 10 runs fewer than" in said
