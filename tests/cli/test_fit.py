"""`juryrank fit`: tables at 80 columns, JSON, files, figures, misuse."""

import csv
import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import juryrank
from juryrank.cli import build_app
from juryrank.cli.fit import score_table
from juryrank.errors import BadInput, BadVotes
from juryrank.study.imports import import_votes
from juryrank.votes import read_votes
from tests.votes.fitting.worlds import rows_of, world


@pytest.fixture(scope="module")
def votes(tmp_path_factory):
    ballots, _ = world(np.random.default_rng(1), items=6, judges=10, votes=40, tie=-0.7)
    path = tmp_path_factory.mktemp("fit") / "votes.csv"
    path.write_text("judge,left,right,winner\n" + "".join(",".join(row) + "\n" for row in rows_of(ballots)))
    return path


def run(*words):
    return CliRunner(env={"COLUMNS": "80"}).invoke(build_app(), ["fit", *map(str, words)])


def test_the_table_says_estimate_unit_and_checks(votes, monkeypatch):
    monkeypatch.setattr("juryrank.votes.fitting.quality.reliability.SPLITS", 2)
    monkeypatch.setattr("juryrank.votes.fitting.quality.validation.FOLDS", 2)
    done = run(votes, "--scale", "elo", "--compare")
    assert done.exit_code == 0, done.exception
    assert "Estimate: hbtl, 400 votes, 6 items, 10 judges" in done.stdout
    for words in ("Elo points", "connected: all items", "left wins", "SSR", "beside bt"):
        assert words in done.stdout
    notes, _, table = done.stdout.partition("Estimate")
    assert max(map(len, table.splitlines())) <= 80 and "columns: judge" in notes


def test_json_holds_items_judges_and_checks(votes):
    found = json.loads(run(votes, "--json", "--level", "0.9", "--no-reliability").stdout)
    assert found["kind"] == "estimate" and found["level"] == 0.9 and "reliability" not in found
    assert {"name", "score", "low", "high", "rank", "rank_low", "rank_high", "votes"} <= set(found["items"][0])
    assert {"name", "votes", "slope", "agreement", "infit"} <= set(found["judges"][0])
    assert {check["name"] for check in found["checks"]} >= {"connected", "unbeaten", "sides", "circles"}
    assert sum(item["score"] for item in found["items"]) == pytest.approx(0, abs=1e-9)


def test_files_and_figures(votes, tmp_path):
    for kind, picture in (("csv", "png"), ("json", "svg")):
        out, figure = tmp_path / f"scores.{kind}", tmp_path / f"scores.{picture}"
        assert run(votes, "--out", out, "--figure", figure, "--no-reliability").exit_code == 0
    rows = list(csv.DictReader(io.StringIO((tmp_path / "scores.csv").read_text())))
    items = json.loads((tmp_path / "scores.json").read_text())["items"]
    assert [row["name"] for row in rows] == [item["name"] for item in items]
    assert (tmp_path / "scores.png").read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in (tmp_path / "scores.svg").read_text()
    first = (tmp_path / "scores.svg").read_bytes()
    run(votes, "--figure", tmp_path / "scores.svg", "--no-reliability")
    assert (tmp_path / "scores.svg").read_bytes() == first, "the same votes give the same picture"


def test_standard_input_and_columns(votes):
    text = votes.read_text().replace("judge,left,right,winner", "who,one,two,said")
    words = [f"--column={meaning}={name}" for meaning, name in zip(
        ("judge", "left", "right", "winner"), ("who", "one", "two", "said"), strict=True)]  # fmt: skip
    done = CliRunner().invoke(build_app(), ["fit", "-", "--json", "--no-reliability", *words], input=text)
    assert json.loads(done.stdout)["votes"] == 400


@pytest.mark.parametrize("words", [("--out", "scores.xls"), ("--figure", "scores.gif"), ("--model", "elo")])
def test_misuse_is_refused_before_anything_is_written(votes, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(votes, *words)
    assert isinstance(done.exception, BadInput) and not list(tmp_path.iterdir())


def test_a_study_by_its_name(votes, tmp_path):
    storage = f"sqlite:///{tmp_path}/studies.db"
    import_votes(read_votes(votes).checked(), name="wines", storage=storage)
    here = json.loads(run("--study", "wines", "--storage", storage, "--json").output)
    there = json.loads(run(votes, "--json").output)
    assert [row["score"] for row in here["items"]] == pytest.approx([row["score"] for row in there["items"]])
    with pytest.raises(BadInput, match="say which votes: a file"):
        raise run("--json").exception
    with pytest.raises(BadInput, match="say which votes: a file"):
        raise run(votes, "--study", "wines").exception


def test_bad_rows_are_refused_and_left_out_on_demand(votes, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_text(votes.read_text() + "ann,x,x,x\n")
    refused = run(path, "--out", tmp_path / "scores.csv")
    assert isinstance(refused.exception, BadVotes) and "line 402" in str(refused.exception)
    assert not (tmp_path / "scores.csv").exists()
    assert "left out: line 402" in run(path, "--skip-bad", "--no-reliability").stdout


def test_names_are_printed_as_they_stand(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("judge,left,right,winner\nann,[bold]x[/],cost $5$,left\nann,[bold]x[/],cost $5$,right\n")
    done = run(path, "--figure", tmp_path / "odd.png", "--no-reliability")
    assert done.exit_code == 0 and "[bold]x[/]" in done.stdout


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("judge,left,right,winner\nann,\x1b[31mred,tea,left\n")
    table = score_table(juryrank.fit(path))
    assert [str(cell) for cell in table.columns[1].cells] == ["[31mred", "tea"]
    assert "Estimate: bt, 1 vote, 2 items, 1 judge\n" in run(path, "--no-reliability").stdout
