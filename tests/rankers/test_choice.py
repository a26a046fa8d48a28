"""Who answers and what is wanted choose the ranker; what does not fit is refused, with the alternative."""

from __future__ import annotations

import json

import pytest

import juryrank
from juryrank.errors import BadInput, UnknownName
from juryrank.judges import simulated
from juryrank.rankers.choice import TABLE, TOP, WhoAnswers, choose
from juryrank.study import create_study
from tests.commands import juryrank as command

ITEMS = list("abcdef")
CROWD = {f"p{k}": min for k in range(40)}
CASES = {"cases": [str(k) for k in range(40)]}


def on_case(left, right, case):
    return min(left, right)


@pytest.mark.parametrize(
    ("judging", "words", "ranker", "options"),
    [
        (WhoAnswers(), {}, "panel", {"about": "panel", "objective": "order"}),
        (WhoAnswers(), {"goal": "Top 3"}, "panel", {"about": "panel", "objective": "top-3"}),
        (WhoAnswers(models=True), {"about": "judges"}, "panel", {"about": "panel", "objective": "order"}),
        (WhoAnswers(fresh=True), {}, "certified", {"objective": "order", "repeats": None}),
        (WhoAnswers(fresh=True, models=True), {}, "jury", {"fresh": True, "objective": "best"}),
        (WhoAnswers(fresh=True), {"about": "judges", "goal": "order", "within": 0.05}, "jury",
         {"fresh": True, "objective": "order", "resolution": 0.05}),
        (WhoAnswers(cases=True), {}, "jury", {"objective": "best"}),
        (WhoAnswers(cases=True), {"goal": "x over y"}, "jury", {"require": ["x over y"]}),
        (WhoAnswers(cases=True), {"goal": ["x over y", "y over z"]}, "jury",
         {"require": ["x over y", "y over z"]}),
        (WhoAnswers(people=True), {}, "panel", {"objective": "ranges"}),
        (WhoAnswers(people=True, too_few="few"), {}, "panel", {"about": "panel", "objective": "order"}),
        (WhoAnswers(people=True, too_few="2"), {"about": "people", "goal": "tiers"}, "panel",
         {"objective": "tiers"}),
        (WhoAnswers(people=True), {"about": "judges"}, "panel", {"about": "panel", "objective": "order"}),
        (WhoAnswers(), {"about": "truth"}, "certified", {"objective": "order", "repeats": None}),
        (WhoAnswers(fresh=False), {"about": "truth"}, "certified", {"objective": "order", "repeats": 1}),
        (WhoAnswers(people=True), {"about": "truth"}, "certified", {"objective": "order", "repeats": 1}),
        (WhoAnswers(), {"goal": "guess"}, "guess", {"repeats": 1}),
        (WhoAnswers(), {"about": "truth", "goal": "guess"}, "guess", {"repeats": None}),
    ],
)  # fmt: skip
def test_who_answers_and_what_is_wanted_choose_the_ranker(judging, words, ranker, options):
    found = choose(judging, **words)
    assert (found.name, found.options) == (ranker, options)
    assert bool(found.reason) == ("about" not in words and words.get("goal") != "guess")


REFUSED = [
    ({"about": "world"}, "judges, people, truth"),
    ({"goal": "tidy"}, "order, best, top-3"),
    ({"about": "people", "goal": "order"}, "goal='ranges'"),
    ({"about": "people", "fresh": True}, "about='truth'"),
    ({"about": "people", "within": 0.1}, "leave it out"),
    ({"about": "people", "goal": "a over b"}, "cases"),
    ({"about": "truth", "goal": "tiers"}, "order, best or top-3"),
    ({"about": "truth", "within": 0.1}, "exact"),
    ({"about": "truth", **CASES}, "about='judges'"),
    ({"about": "people", **CASES}, "about='judges'"),
    ({"goal": "ranges", **CASES}, "new over old"),
    ({"goal": "guess", **CASES}, "a budget"),
    ({"about": "judges", "goal": "ranges", "fresh": True}, "leave fresh out"),
    ({"goal": "a over b"}, "goal='order'"),
    ({"goal": "guess", "within": 0.1}, "leave one of them out"),
    ({"within": 0.1}, "counted exactly"),
    ({"assume": "steady"}, "about='truth'"),
    ({"about": "judges", "ranker": "panel"}, "do not go together"),
    ({"goal": "order", "options": {"objective": "best"}}, "leave one of them out"),
    ({"options": {"about": "panel"}}, "about="),
    ({"ranker": "iir", "goal": "best"}, "no option 'objective'"),
    ({"ranker": "certified", "goal": "guess"}, "leave ranker='certified' out"),
]


@pytest.mark.parametrize(("words", "alternative"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_does_not_fit_is_refused_with_the_alternative(words, alternative):
    with pytest.raises((BadInput, UnknownName)) as said:
        juryrank.rank(ITEMS, dict.fromkeys(CROWD, on_case), **words)
    assert alternative in str(said.value)
    study = {name: value for name, value in words.items() if name != "assume"}
    if study == words and words != {"within": 0.1} and words != {"goal": "a over b"}:  # a study means people
        with pytest.raises((BadInput, UnknownName)):
            create_study(ITEMS, name="refused", judges=list(CROWD), storage="memory://", **words)


@pytest.mark.parametrize(
    ("words", "few"),
    [({"about": "people"}, "here are 3"), ({"about": "truth", "fresh": False}, "here are 3")],
)
def test_what_these_judges_could_never_prove_is_said_before_anybody_is_asked(words, few):
    asked = []
    judges = dict.fromkeys("xyz", lambda left, right: asked.append(left) or left)
    with pytest.raises(BadInput, match=few) as said:
        juryrank.rank(ITEMS, judges, **words)
    assert not asked and "about='judges'" in str(said.value)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.judges)
def test_every_goal_of_the_table_is_proven_through_the_door(row):
    noisy = simulated("abc", [0.95, 0.9], seed=1)
    how = {
        "judges on cases": ({"x": on_case}, {**CASES, "within": 0.1}),
        "judges who answer anew": (noisy, {"about": "judges", "fresh": True, "within": 0.1}),
        "judges who are asked a pair once": (dict.fromkeys("xyz", min), {}),
        "people": (CROWD, {"about": "people"}),
        "the truth": (noisy, {"about": "truth"}),
    }
    judges, words = how[row.judges]
    for goal in row.goals:
        asked = {TOP: "top-2", "claim": "a over b"}.get(goal, goal)
        result = juryrank.rank(list("cab"), judges, goal=asked, error=0.1, seed=1, **words)
        assert result.proven and result.ranker == row.ranker and result.order[0] in "ab"
        assert juryrank.rank(list("cab"), judges, error=0.1, seed=1, **words).proven


def test_the_command_line_speaks_the_same_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "things.txt").write_text("a\nb\nc\n")
    (tmp_path / "mine_of_choice.py").write_text("def j(left, right): return min(left, right)\n")
    judges = [word for name in "xyz" for word in ("--judge", f"{name}=python:mine_of_choice:j")]

    def call(*more):
        done = command("rank", "things.txt", *judges, "--no-keep", "--seed", "1", *more)
        return done.returncode, done.stdout, done.stderr

    code, out, _ = call("--goal", "top-2", "--json")
    assert code == 0 and json.loads(out)["details"]["k"] == 2
    code, out, _ = call("--about", "truth", "--error", "0.1", "--json")
    assert code == 0 and (json.loads(out)["ranker"], json.loads(out)["error"]) == ("certified", 0.1)
    code, _, said = call("--about", "people")
    assert code == 2 and "--about judges" in said
    code, _, said = call("--about", "truth", "--ranker", "iir")
    assert code == 2 and "do not go together" in said
    code, _, said = call("--goal", "order", "--set", "objective=best")
    assert code == 2 and "leave one of them out" in said
