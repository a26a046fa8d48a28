"""What `forecast` reads, and what it refuses; from Python, kept rankings, studies and the command line."""

import json
import random
from collections import OrderedDict

import pytest
from typer.testing import CliRunner

import juryrank
from juryrank import create_study, open_study, rank, verify
from juryrank.cli import build_app
from juryrank.errors import BadInput, JuryrankError
from juryrank.judges import table
from juryrank.rankers.jury.core import forecasts
from juryrank.report import result_text
from juryrank.run.forecast import forecast_options
from juryrank.run.rank import catalogue_of
from juryrank.storage import MemoryStorage
from juryrank.study.archive import read_archive, restore_study, write_archive
from tests.commands import juryrank as command
from tests.judges.models.endpoint import Endpoint
from tests.judges.models.test_client import judge_of
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


def test_a_study_takes_them_along_in_its_zip(tmp_path, monkeypatch):
    here, there = MemoryStorage(), MemoryStorage()
    few = {name: dict(list(given.items())[:30]) for name, given in OUTPUTS.items()}
    study = create_study(few, name="s", judges=["m"], forecast=SCORES, storage=here, goal="best", seed=1)
    write_archive(study, tmp_path / "s.zip")
    packed = read_archive(tmp_path / "s.zip")
    moved = restore_study(study.events(), name="s", storage=there)
    monkeypatch.setattr(forecasts, "_kept", OrderedDict())  # on another machine
    packed.hand_over(moved)
    for _ in range(40):
        if (question := moved.ask()) is not None:
            better = max((question.left, question.right), key=lambda name: SCORES[name][question.case])
            moved.tell(question.id, better)
    assert any("forecast" in (event.data.get("terms") or {}).get("list", {}) for event in moved.events())


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
    assert gone.returncode == 2 and "forecasts were by 'cheap.csv' and are not there" in " ".join(
        gone.stderr.split()
    )
    scored(tmp_path / "moved.csv")
    moved = command(*COMMAND[:-3], "moved.csv", *COMMAND[-2:])
    assert "forecasts were by 'cheap.csv' and are by 'moved.csv'" in " ".join(moved.stderr.split())


def test_two_forecasts_of_the_same_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outputs_at(tmp_path)
    (tmp_path / "cheap.csv").write_text("left,right,case,forecast\n" + "s0,s1,q1,1\ns0,s1,q1,-1\n")
    done = command(*COMMAND[:-2], "--no-keep")
    assert done.returncode == 2 and "two forecasts of 's0' against 's1' on case 'q1'" in " ".join(
        done.stderr.split()
    )


def test_people_judge_what_a_model_forecasts_and_it_is_paid_once(tmp_path, monkeypatch):
    monkeypatch.setenv("JURYRANK_CACHE", str(tmp_path))
    few = {name: dict(list(given.items())[:20]) for name, given in list(OUTPUTS.items())[:2]}

    def better(first, second):
        return "first" if score(first) > score(second) else "second"

    with Endpoint(verdict=better) as endpoint:
        found = [
            rank(few, {"ann": judge}, forecast=judge_of(endpoint, reason=False), goal="best", within=0.25, seed=1)
            for _ in range(2)
        ]
    assert len(endpoint.seen) == 40  # both sides of 20 cases, and nothing the second time
    assert found[0].questions == found[1].questions and "Forecasts by judge were" in found[0].statement


def test_a_person_at_the_terminal_goes_by_the_same_rule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outputs_at(tmp_path)
    typed = "1\n" * 400
    how = ("outputs.jsonl", "--cases", "cases.txt", "--goal", "best", "--within", "0.1", "--no-keep")
    answered = CliRunner().invoke(build_app(), ["rank", *how, "--forecast", str(scored(tmp_path / "cheap.csv"))],
                                  input=typed)  # fmt: skip
    assert answered.exit_code in (0, 3) and isinstance(answered.exception, SystemExit | None)
