"""`juryrank plan`: every ranker has a line that says how its number came about."""

import json
import math
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.errors import BadInput, JuryrankError
from juryrank.simulation.planning.plan import FORMULA, NEVER, SIMULATED
from juryrank.simulation.planning.plan import plan_rankers as plan
from juryrank.theory.adaptive import FORMULAS, formula


def run(*arguments):
    return CliRunner().invoke(build_app(), ["plan", *map(str, arguments)])


def test_simulated_numbers_for_the_paper_s_rankers():
    found = plan(6, [0.95, 0.8, 0.7], error=0.2, rankers=list(FORMULAS), runs=2)
    assert [line.ranker for line in found.estimates] == list(FORMULAS)
    for line in found.estimates:
        assert line.how == SIMULATED and line.runs == 2
        assert line.questions > found.limit


def test_same_seed_same_plan():
    plans = [plan(5, [0.9, 0.7], error=0.2, rankers=["ada-iir"], runs=1, seed=3) for _ in range(2)]
    assert plans[0] == plans[1]


def test_the_formula_where_simulating_is_not_quick():
    found = plan(2000, [0.9, 0.52], error=0.05, rankers=["iir", "oracle"])
    assert [line.how for line in found.estimates] == [FORMULA, FORMULA]
    assert found.estimates[1].questions == formula("oracle", [0.9, 0.52], items=2000, error=0.05)


def test_judges_who_are_on_average_at_chance_never_end():
    found = plan(10, [0.6, 0.3], error=0.05, rankers=["iir", "oracle"], runs=1)
    assert [line.how for line in found.estimates] == [NEVER, SIMULATED]
    assert math.isinf(found.estimates[0].questions)


def test_money_follows_who_is_asked():
    prices = {"good": 1.0, "poor": 0.0}
    found = plan(6, {"good": 0.99, "poor": 0.55}, error=0.2, rankers=["iir", "oracle"], prices=prices, runs=2)
    everybody, oracle = found.estimates
    assert oracle.money == oracle.questions
    assert everybody.money == pytest.approx(everybody.questions / 2)
    flat = plan(6, {"good": 0.99}, error=0.2, rankers=["iir"], prices={"good": 0.002}, runs=1).estimates[0]
    assert flat.money == pytest.approx(flat.questions * 0.002)


def test_the_certified_ranker_weighs_prices_in_its_plan():
    judges = {"dear": 0.95, "cheap": 0.9}
    flat = plan(6, judges, error=0.2, rankers=["certified"], runs=3).estimates[0]
    prices = {"dear": 50.0, "cheap": 1.0}
    paid = plan(6, judges, error=0.2, rankers=["certified"], prices=prices, runs=3).estimates[0]
    assert flat.how == paid.how == SIMULATED and flat.money is None
    assert paid.money < 25 * paid.questions  # asked at random it would be 25.5


def test_text_says_which_numbers_are_simulated_and_fits_80_columns():
    given = ["--items", 12, "--accuracies", "0.95,0.8,0.7,0.7", "--error", 0.2, "--ranker", "iir"]
    result = run(*given, "--price", 0.5)
    assert result.exit_code == 0
    assert "simulated, 20 runs" in result.stdout and "money" in result.stdout
    assert "4 judges are many for 12 items" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_judges_of_whom_none_is_right_more_often_than_not_never_end():
    said = run("--items", 4, "--accuracies", "0.5,0.4").stdout
    assert said.count("never: on average no better than chance") == 6 and "right 40% to 50%" in said


def test_json_has_no_infinities():
    result = run("--items", 12, "--accuracies", "ann=0.5", "--json", "--ranker", "iir")
    found = json.loads(result.stdout, parse_constant=lambda name: pytest.fail(name))
    assert found["estimates"][0]["how"] == NEVER and found["estimates"][0]["questions"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--items", 1, "--accuracies", "0.9"], "2 or more"),
        (["--items", 9, "--accuracies", "good"], "is not a number"),
        (["--items", 9, "--accuracies", "a=0.9,a=0.8"], "twice"),
        (["--items", 9, "--accuracies", ""], "no judge"),
        (["--items", 9, "--accuracies", "1.5"], "between 0 and 1"),
        (["--items", 9, "--accuracies", "0.9", "--error", 0], "strictly between"),
        (["--items", 9, "--accuracies", "0.9", "--price", "bob=1"], "not a judge here"),
        (["--items", 9, "--accuracies", "0.9,0.8", "--price", "judge-1=1"], "no price"),
        (["--items", 9, "--accuracies", "0.9", "--price", "-1"], "0 or more"),
        (["--items", 9, "--accuracies", "0.9", "--runs", 0], "1 or more"),
        (["--items", 9, "--accuracies", "0.9", "--ranker", "bubble"], "there are:"),
        (["--items", 9, "--accuracies", "0.9", "--forecast", 0.4], "add --systems and --cases"),
    ],
)
def test_misuse_is_a_typed_error(arguments, words):
    result = run(*arguments)
    assert isinstance(result.exception, JuryrankError), result.output
    assert words in str(result.exception)


def test_an_option_goes_to_the_rankers_that_have_it():
    judges = {"good": 0.9, "poor": 0.6}
    usual, breadth = (
        plan(12, judges, error=0.2, rankers=["certified", "iir"], runs=2, options=options).estimates
        for options in (None, {"insert": "breadth"})
    )
    assert usual[0].questions != breadth[0].questions and usual[1] == breadth[1]
    with pytest.raises(BadInput, match="no ranker of this plan has an option 'width'; there are: assume, "):
        plan(6, judges, options={"width": 3})
    with pytest.raises(BadInput, match="no ranker of this plan has an option 'budget'"):
        plan(6, judges, options={"budget": 3})


def test_it_begins_with_what_to_expect():
    """The median, and what nine runs in ten stay below: the mean of a few runs says little about one of them."""
    result = run("--items", "6", "--accuracies", "0.9,0.7", "--ranker", "certified", "--price", "0.5")
    found = plan(6, [0.9, 0.7], rankers=["certified"], prices={"judge-1": 0.5, "judge-2": 0.5}).estimates[0]
    said = r"Expect about (\d+) questions \([\d.]+ in money\); in 9 of 10 runs fewer than (\d+)\.\n"
    words = re.match(said, result.stdout)
    assert words and found.runs == 20
    assert float(words[1]) == pytest.approx(found.questions, rel=0.05)
    assert found.most <= float(words[2]) <= 1.1 * found.most and found.questions <= found.most
    assert run("--items", "6", "--accuracies", "0.5").stdout.startswith("No order can be proven")
    assert "order of magnitude" in run("--items", "9999", "--accuracies", "0.6").stdout.splitlines()[0]
    systems = run("--systems", "3", "--cases", "20", "--gap", "1.5", "--runs", "3").stdout
    assert re.match(
        r"Expect about \d+ calls to prove the best within 0.05; in 9 of 10 runs fewer than\n\d+\.\n", systems
    )


def test_on_cases_the_answer_comes_first_and_rests_on_twenty_runs(tmp_path):
    """The other goals take longer: nobody waits for them before the answer is shown."""
    command = [sys.executable, "-m", "juryrank", "plan", "--systems", "4", "--cases", "60", "--judges", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        first = process.stdout.readline()
        assert first.startswith("Expect about") and process.poll() is None
        text = " ".join(process.stdout.read().split())
    assert process.returncode == 0 and "Calls: the median of 20 simulated runs" in text
    assert [text.count(f"{goal} 0") for goal in ("best", "top-3", "order")] == [2, 1, 1]
