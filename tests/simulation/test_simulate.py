"""`simulate` and `juryrank simulate`: the JSON keys, the seed, the workers, the budget, bad input."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from juryrank.errors import BadInput, UnknownName
from juryrank.simulation import Bernoulli, Spammers, Where, simulate, two_groups
from tests.commands import juryrank

KEYS = [
    "ranker", "items", "judges", "delta", "constants", "repeats", "questions_mean", "questions_std",
    "selection_questions_mean", "exact_rate", "certified_rate", "active_judges_mean", "limit", "ratio_to_limit",
    "seconds", "objective", "yardstick", "ratio_to_yardstick",
    "fano",
]  # fmt: skip


def process(*arguments, **env):
    return subprocess.run(
        [sys.executable, "-m", "juryrank", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
    )


def test_json_keys_exactly(mixed):
    for ranker in ("iir", "ada-iir", "oracle", "two-stage"):
        found = simulate(ranker, mixed, items=4, repeats=3).to_dict()
        assert list(found) == KEYS
        assert found["ratio_to_limit"] == pytest.approx(found["questions_mean"] / found["limit"])


def test_same_seed_same_numbers_whatever_the_workers(mixed):
    one = simulate("two-stage", mixed, items=5, repeats=60, seed=3)
    two = simulate("two-stage", mixed, items=5, repeats=60, seed=3, where=Where(workers=2))
    assert one.runs == two.runs
    assert simulate("two-stage", mixed, items=5, repeats=60, seed=4).runs != one.runs
    assert simulate("two-stage", mixed, items=5, repeats=10, seed=3).runs == one.runs[:10]


def test_a_summary_is_of_its_runs(mixed):
    found = simulate("two-stage", mixed, items=4, repeats=20, seed=1)
    questions = [run.questions for run in found.runs]
    assert found.questions_mean == pytest.approx(np.mean(questions))
    assert found.questions_std == pytest.approx(np.std(questions, ddof=1))
    selecting = [run.selection_questions for run in found.runs]
    assert found.selection_questions_mean == pytest.approx(np.mean(selecting))
    assert 0 < found.selection_questions_mean < found.questions_mean


def test_the_budget_is_kept_and_said():
    """Judges at chance: no rule would ever stop."""
    hopeless = Spammers(n_judges=4, share=1.0, rest=0.9)
    for ranker in ("iir", "ada-iir", "oracle", "two-stage"):
        found = simulate(ranker, hopeless, items=4, repeats=3, budget=50_000)
        assert (found.certified_rate, found.exact_rate, found.questions_mean) == (0, 0, 50_000)
        assert found.limit is None
    assert simulate("iir", hopeless, items=4, repeats=1, budget=0).questions_mean == 0


def test_one_item_costs_nothing(mixed):
    for ranker in ("iir", "ada-iir", "oracle", "two-stage", "subset-two-stage"):
        found = simulate(ranker, mixed, items=1, repeats=2)
        assert (found.questions_mean, found.exact_rate) == (0, 1)


def test_progress_is_told(mixed):
    seen = []
    simulate("iir", mixed, items=3, repeats=60, progress=seen.append)
    assert sum(seen) == 60


def test_other_selection_goes_through_the_live_ranker():
    world = two_groups(3, gamma_a=1.0, gamma_b=2.5)
    found = simulate("two-stage", world, items=2, repeats=1, selection="median", alpha=0.4)
    assert found.exact_rate == 1
    assert found.selection_questions_mean > 1000


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"delta": 0.0}, "delta"),
        ({"delta": 1.0}, "delta"),
        ({"repeats": 0}, "repeats"),
        ({"budget": -1}, "budget"),
        ({"items": 0}, "items"),
        ({"constants": "mine"}, "mine"),
    ],
)
def test_bad_input(mixed, changed, word):
    with pytest.raises(BadInput, match=word):
        simulate("iir", mixed, **{"items": 4, **changed})


def test_unknown_ranker(mixed):
    with pytest.raises(UnknownName, match="bubble"):
        simulate("bubble", mixed, items=4)


def test_command_line_json_and_table():
    asked = ("simulate", "--ranker", "ada-iir", "--items", 5, "--judges", 9, "--gamma-a", 0.5, "--gamma-b", 2.5)
    found = juryrank(*asked, "--repeats", 30, "--seed", 2, "--error", 0.25, "--json")
    assert found.returncode == 0, found.stderr
    values = json.loads(found.stdout)
    assert list(values) == KEYS
    again = simulate("ada-iir", two_groups(9, gamma_a=0.5, gamma_b=2.5), items=5, repeats=30, seed=2, delta=0.25)
    assert {**values, "seconds": 0} == {**again.to_dict(), "seconds": 0}
    table = juryrank("simulate", "--items", 3, "--accuracies", "0.9,0.8", "--ranker", "two-stage", "--repeats", 5)
    assert table.returncode == 0, table.stderr
    assert "to select judges" in table.stdout


def test_exit_code_is_zero_whatever_the_runs_gave():
    found = juryrank(
        "simulate", "--items", 3, "--accuracies", "0.5,0.5", "--budget", 500, "--repeats", 2, "--json"
    )
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["certified_rate"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ("--items", 5, "--judges", 0),
        ("--items", 5, "--judges", 2),
        ("--items", 5, "--accuracies", "0.9,1.5"),
        ("--items", 5, "--accuracies", "good,bad"),
        ("--items", 5, "--world", "no-such-file.json"),
        ("--items", 5, "--world", "no-such-file.json", "--accuracies", "0.9"),
        ("--items", 0),
        ("--items", 5, "--ranker", "bubble"),
        (),
    ],
)
def test_command_line_bad_input(wrong):
    found = juryrank("simulate", *wrong)
    assert found.returncode == 2
    assert found.stdout == ""
    assert found.stderr.strip()


def test_world_file(tmp_path):
    file = tmp_path / "world.json"
    file.write_text(json.dumps(Bernoulli((0.95, 0.9)).to_dict()))
    found = juryrank("simulate", "--world", file, "--items", 3, "--repeats", 4, "--json")
    assert json.loads(found.stdout)["judges"] == 2


def test_votes_as_a_world(tmp_path):
    file = tmp_path / "votes.csv"
    votes = ["ann,tea,milk,left", "bob,milk,tea,right", "ann,tea,water,left", "bob,milk,water,left"]
    file.write_text("judge,left,right,winner\n" + "\n".join(votes * 3) + "\nann,tea,milk,tie\n")
    found = juryrank("simulate", "--world", file, "--ranker", "iir", "--repeats", 2, "--json")
    assert found.returncode == 0, found.stderr
    values = json.loads(found.stdout)
    assert (values["items"], values["judges"], values["limit"]) == (3, 2, None)
    assert values["exact_rate"] == 1


@pytest.mark.slow
def test_first_compile_is_announced(tmp_path):
    asked = ("simulate", "--items", 3, "--repeats", 1, "--json")
    assert "compiling" in process(*asked, JURYRANK_CACHE=str(tmp_path)).stderr
    assert "compiling" not in process(*asked, JURYRANK_CACHE=str(tmp_path)).stderr
