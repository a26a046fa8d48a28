"""`juryrank fit`: tables at 80 columns, JSON, files, figures, misuse."""

import csv
import io
import json
from itertools import product

import numpy as np
import pytest
from typer.testing import CliRunner

import juryrank
from juryrank.cli import build_app
from juryrank.cli.fit import score_table
from juryrank.errors import BadInput, BadVotes
from juryrank.study.archive import import_votes
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
    monkeypatch.setattr("juryrank.votes.fitting.judges.SPLITS", 2)
    monkeypatch.setattr("juryrank.votes.fitting.validation.FOLDS", 2)
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
    here = json.loads(run("--study", "wines", "--storage", storage, "--json", "--no-reliability").output)
    there = json.loads(run(votes, "--json", "--no-reliability").output)
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


def written(folder, judges, *, cases=40, slopes=None, taste=0.5, apart=1.0, column="case"):
    """A file of votes: every judge compares all pairs of five systems on every case; cases differ, too."""
    rng, score = np.random.default_rng(judges), apart * np.array([0.9, 0.4, 0.1, -0.3, -1.1])
    own = score + taste * rng.normal(size=(judges, 5))
    shift, slopes = 0.6 * rng.normal(size=(cases, 5)), np.ones(judges) if slopes is None else slopes
    lines = [f"judge,{column},left,right,winner"]
    for case, a, b, u in product(range(cases), range(5), range(5), range(judges)):
        if (a < b) == bool((a + b + case + u) % 2) and a != b:
            z = slopes[u] * (own[u, a] + shift[case, a] - own[u, b] - shift[case, b])
            winner = "left" if rng.random() < 1 / (1 + np.exp(-z)) else "right"
            lines.append(f"model-{u},case {case},system {a},system {b},{winner}")
    path = folder / f"{judges} judges.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def widths(found, name):
    return np.array([item[name]["high"] - item[name]["low"] for item in found["items"]])


def test_two_named_intervals_whose_widths_fall_with_the_number_of_judges(tmp_path):
    found = {
        many: json.loads(run(written(tmp_path, many), "--json", "--no-reliability").stdout)
        for many in (3, 5, 8, 20)
    }
    for many, fit in found.items():
        assert fit["interval"] == "these judges", "votes about cases: the judges were chosen"
        assert all(item["interval"] == "these judges" for item in fit["items"])
        assert all(item["low"] == item["these_judges"]["low"] for item in fit["items"])
        assert (widths(fit, "these_judges") <= widths(fit, "judges_like_these") + 1e-9).all()
        assert widths(fit, "these_judges").max() < 0.8 and widths(fit, "judges_like_these").max() < 5, many
    like = {many: widths(fit, "judges_like_these").mean() for many, fit in found.items()}
    assert like[3] > like[5] > like[20] and like[5] < 3 * like[20]


@pytest.mark.parametrize("judges", [5, 6])
def test_a_few_judges_of_unequal_sharpness_have_sane_intervals(tmp_path, judges):
    """Each vote pulled at its judge's slope and at the scores at once: 1.09 (-2.28 to 4.45), every rank 1 to 5."""
    path = written(tmp_path, judges, slopes=np.geomspace(0.3, 3, judges), taste=0.0, apart=1.6)
    found = json.loads(run(path, "--json", "--no-reliability").stdout)
    assert found["model"] == "hbtl" and found["spreads"]["slope"] > 0.1
    assert widths(found, "these_judges").max() < 1
    assert found["items"][0]["rank_high"] <= 2 and found["items"][-1]["rank_low"] >= 4


def test_two_judges_and_one_cannot_say(tmp_path):
    for many, words in ((2, "two judges cannot say"), (1, "one judge cannot say")):
        path = written(tmp_path, many)
        text = " ".join(run(path, "--no-reliability").stdout.split())
        assert f"{words} what judges like these would say" in text and "95 % judges" not in text
        found = json.loads(run(path, "--json", "--no-reliability").stdout)
        assert found["items"][0]["judges_like_these"] is None and widths(found, "these_judges").max() < 1


def test_text_and_files_name_the_interval(tmp_path):
    path = written(tmp_path, 5)
    text = run(
        path, "--out", tmp_path / "scores.csv", "--figure", tmp_path / "scores.svg", "--no-reliability"
    ).stdout
    assert "95 % these" in text and "95 % judges" in text
    assert "ranks: those that an item may have, for these judges" in " ".join(text.split())
    first = next(csv.DictReader(io.StringIO((tmp_path / "scores.csv").read_text())))
    assert first["interval"] == "these judges" and first["low"] == first["these_judges_low"]
    assert float(first["judges_like_these_low"]) <= float(first["low"])


def test_without_cases_judges_are_the_sample(tmp_path):
    path = written(tmp_path, 5, column="remark")
    found = json.loads(run(path, "--json", "--no-reliability").stdout)
    assert found["interval"] == "judges like these"
    assert [item["low"] for item in found["items"]] == [
        item["judges_like_these"]["low"] for item in found["items"]
    ]


def test_votes_on_the_same_case_count_together(tmp_path):
    """Eight judges on 40 cases: as so many independent votes, errors would be far too small."""
    by_case = json.loads(run(written(tmp_path, 8, taste=0.0), "--json", "--no-reliability").stdout)
    by_vote = json.loads(
        run(written(tmp_path, 8, taste=0.0, column="remark"), "--json", "--no-reliability").stdout
    )
    assert [item["score"] for item in by_case["items"]] == [item["score"] for item in by_vote["items"]]
    assert widths(by_case, "these_judges").mean() > 1.3 * widths(by_vote, "these_judges").mean()


def test_cases_that_all_look_alike_leave_room_for_others(tmp_path):
    """Three cases on which each judge says the same: the next case may still be another one."""
    said = {"x": "A", "y": "A", "z": "B"}
    rows = [f"{judge},q{case},A,B,{said[judge]}" for case in range(3) for judge in said]
    file = tmp_path / "votes.csv"
    file.write_text("judge,case,left,right,winner\n" + "\n".join(rows) + "\n")
    done = CliRunner().invoke(build_app(), ["fit", str(file), "--side", "off", "--json"])
    found = json.loads(done.stdout)
    assert [(row["rank_low"], row["rank_high"]) for row in found["items"]] == [(1, 2), (1, 2)]
