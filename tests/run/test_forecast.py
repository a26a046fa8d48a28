"""What `forecast` reads, and what it refuses; from Python, kept rankings, studies and the command line."""

import json
import random
from collections import OrderedDict

import pytest

import juryrank
from juryrank import create_study, open_study, rank, verify
from juryrank.errors import BadInput, JuryrankError
from juryrank.judges import table
from juryrank.rankers.jury.core import forecasts
from juryrank.report import result_text
from juryrank.run.forecast import forecast_options
from juryrank.run.rank import catalogue_of
from juryrank.storage import MemoryStorage
from tests.commands import juryrank as command
from tests.run.test_start import SYSTEMS

CASES = [f"c{k}" for k in range(60)]
RNG = random.Random(3)
SCORES = {name: {case: round(place + RNG.gauss(0, 2), 3) for case in CASES} for place, name in enumerate(SYSTEMS)}
OUTPUTS = {name: {case: f"{score} {name}" for case, score in given.items()} for name, given in SCORES.items()}
AIM = {"goal": "order", "within": 0.05, "seed": 1}


def score(output):
    return float(output.split()[0])


def judge(left, right, case):
    return left if score(left) > score(right) else right


def near(left, right, case):
    """A cheap judge who agrees most of the time."""
    turned = random.Random(f"{sorted((left, right))}").random() < 0.1
    return judge(left, right, case) if not turned else (right if judge(left, right, case) == left else left)


def verdicts(path, *, cases=CASES, grade=None):
    rows = ["judge,left,right,winner,case" if grade is None else "left,right,forecast,case"]
    for i, one in enumerate(SYSTEMS):
        for other in SYSTEMS[i + 1 :]:
            for case in cases:
                better = one if SCORES[one].get(case, 0) > SCORES[other].get(case, 0) else other
                said = f"cheap,{one},{other},{better}" if grade is None else f"{other},{one},{grade}"
                rows.append(f"{said},{case}")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def scored(path, scores=SCORES):
    rows = [f"{name},{case},{value}" for name, given in scores.items() for case, value in given.items()]
    path.write_text("\n".join(["item,case,score", *rows]) + "\n", encoding="utf-8")
    return path


def values_of(given):
    option = forecast_options(given, catalogue_of(OUTPUTS, None))["forecast"]
    return forecasts.kept(option["root"]).values


def test_every_form_is_read(tmp_path):
    file, scores = verdicts(tmp_path / "cheap.csv"), scored(tmp_path / "scores.csv")
    said = values_of(file)
    assert said == values_of(str(file)) == values_of(table(file)) == values_of(judge)
    assert set(said[0, 1]) == {1000, -1000} and len(said[0, 1]) == 60
    assert values_of(verdicts(tmp_path / "f.csv", grade=0.25))[0, 1] == [-250] * 60
    squashed = values_of(scores)
    assert squashed == values_of(SCORES)
    assert all((a > 0) == (b > 0) for a, b in zip(said[0, 3], squashed[0, 3], strict=True))
    assert 0 < max(map(abs, squashed[0, 1])) < 1000


async def awaited(left, right, case):
    return juryrank.TIE if case == "c0" else juryrank.Grade(0.25)


def test_a_judge_who_leans_to_a_side_is_known_by_side():
    said = values_of(awaited)[0, 1]
    assert said[:4] == [0, 0, 250, -250] and len(said) == 120


def test_forecasts_save_calls_stand_on_record_and_are_confirmed(tmp_path, monkeypatch):
    plain = rank(OUTPUTS, {"m": judge}, **AIM)
    found = rank(OUTPUTS, {"m": judge}, forecast=verdicts(tmp_path / "cheap.csv"), **AIM)
    assert found.proven and found.questions < 0.8 * plain.questions
    assert "Forecasts by cheap.csv were on record before the first draw" in found.statement
    assert "of the stake rests on forecasts by cheap.csv" in " ".join(result_text(found).split())
    document = json.loads(json.dumps(found.certificate()))
    report = verify(document, rerun=True)
    assert report.true and report.proven and report.statement == found.statement
    assert "orecast" not in plain.statement and "forecast" not in plain.details.jury
    monkeypatch.setattr(forecasts, "_kept", OrderedDict())  # as in another process
    assert verify(document, rerun=True).true


def test_what_was_forecast_decides_the_draws():
    turned = {name: {case: -value for case, value in given.items()} for name, given in SCORES.items()}
    asked = [
        [e.data["case"] for e in rank(OUTPUTS, {"m": judge}, forecast=given, budget=9, **AIM).record.events
         if e.kind == "asked"]
        for given in (SCORES, SCORES, turned)
    ]  # fmt: skip
    assert asked[0] == asked[1] != asked[2]


def test_cells_without_a_forecast_count_as_even_and_are_counted(tmp_path):
    with pytest.warns(UserWarning, match="forecasts 180 of 360 pairs on a case"):
        said = values_of(verdicts(tmp_path / "half.csv", cases=CASES[:30]))
    assert said[0, 1][30:] == [0] * 30


@pytest.mark.parametrize(
    ("write", "problem"),
    [
        (lambda path: verdicts(path, cases=["elsewhere"]), "nothing about these systems"),
        (lambda path: verdicts(path, grade=1.5), "1.5"),
        (lambda path: scored(path, {"s0": {"c0": "high"}}), "must be a number"),
        (lambda path: scored(path, {"s0": {"c0": "nan"}}), "must be a number"),
        (lambda path: path.write_text("item,case,score\ns0,c0,1\ns0,c0,2\n") and path, "two scores"),
        (lambda path: path, "cheap.csv"),
        (lambda path: 7, "give a file"),
        (lambda path: {"s0": 0.5}, "give its scores"),
    ],
)  # fmt: skip
def test_what_is_no_forecast_is_refused_in_words(tmp_path, write, problem):
    with pytest.raises(JuryrankError, match=problem):
        forecast_options(write(tmp_path / "cheap.csv"), catalogue_of(OUTPUTS, None))


def test_forecasts_are_for_cases():
    with pytest.raises(BadInput, match="on cases"):
        rank(SYSTEMS, {"m": max}, forecast=SCORES)
    with pytest.raises(BadInput, match="on cases"):
        create_study(SYSTEMS, name="x", forecast=SCORES, storage=MemoryStorage())


def test_a_study_keeps_them_for_whoever_opens_it(tmp_path, monkeypatch):
    storage = f"sqlite:///{tmp_path / 'x.db'}"
    create_study(
        OUTPUTS, name="s", judges=["m"], forecast=SCORES, storage=storage, goal="order", within=0.05, seed=1
    )
    monkeypatch.setattr(forecasts, "_kept", OrderedDict())  # another process
    study = open_study("s", storage=storage)
    while (question := study.ask()) is not None:
        study.tell(question.id, max((question.left, question.right), key=lambda name: SCORES[name][question.case]))
    report = verify(study.certificate())
    assert report.true and report.proven and "Forecasts by scores" in report.statement


# ---------------------------------------------------------------------- at the command line
def outputs_at(folder):
    rows = [json.dumps({"system": name, "case": case, "output": text}) for name, given in OUTPUTS.items()
            for case, text in given.items()]  # fmt: skip
    (folder / "outputs.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "cases.txt").write_text("\n".join(CASES) + "\n", encoding="utf-8")
    (folder / "mine.py").write_text(
        "def judge(left, right, case):\n    return max(left, right, key=lambda text: float(text.split()[0]))\n",
        encoding="utf-8",
    )


COMMAND = ("rank", "outputs.jsonl", "--cases", "cases.txt", "--judge", "m=python:mine:judge", "--goal", "order",
           "--within", "0.05", "--forecast", "cheap.csv", "--study", "mine")  # fmt: skip


def test_the_command_goes_on_with_the_same_forecasts_and_refuses_others(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    outputs_at(tmp_path)
    scored(tmp_path / "cheap.csv")
    first = command(*COMMAND, "--budget", "12")
    assert first.returncode == 3, first.stderr
    whole = command(*COMMAND, "--out", "it.json")
    assert whole.returncode == 0 and "Forecasts by cheap.csv" in " ".join(whole.stdout.split())
    assert command("verify", "it.json", "--rerun").returncode == 0
    scored(tmp_path / "cheap.csv", {**SCORES, "s0": dict.fromkeys(CASES, 1.0)})
    changed = command(*COMMAND)
    assert changed.returncode == 2 and "the forecasts have changed" in " ".join(changed.stderr.split())
    gone = command(*COMMAND[:-4], *COMMAND[-2:])
    assert gone.returncode == 2 and "forecast" in gone.stderr
