"""What a script reads of `juryrank rank`: JSON by its schema, exit codes, the summary, money over several runs."""

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from juryrank.cli import build_app
from juryrank.report.gate import escape

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "_static" / "rank.schema.json").read_text(encoding="utf-8")
)
JUDGES = """
def longer(left, right, case):
    return max(left, right, key=len)

def silent(left, right, case):
    raise RuntimeError("gone")
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """`juryrank rank` on 3 systems and 30 cases, one longer than the other; a | in a name."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "gate_judges.py").write_text(JUDGES)
    with (tmp_path / "outputs.jsonl").open("w") as file:
        for length, system in enumerate(("old|1", "new", "mid")):
            for case in range(30):
                row = {"system": system, "case": f"c{case}", "output": "x" * (1 + 2 * length + case % 3)}
                file.write(json.dumps(row) + "\n")
    (tmp_path / "cases.jsonl").write_text(
        "".join(json.dumps({"id": f"c{n}", "group": "ab"[n % 2]}) + "\n" for n in range(30))
    )

    def rank(*words, judge="longer", keep="--no-keep"):
        asked = ["rank", "outputs.jsonl", "--cases", "cases.jsonl", "--judge", f"j=python:gate_judges:{judge}"]
        return CliRunner().invoke(build_app("rank"), [*asked, "--seed", "1", keep, *words])

    return rank


@pytest.mark.parametrize(
    "words", [[], ["--require", "new over mid"], ["--goal", "order"], ["--budget", "4"]], ids=str
)
def test_json_is_by_its_schema(run, words):
    done = run("--json", *words)
    document = json.loads(done.stdout)
    jsonschema.validate(document, SCHEMA)
    assert document["refuted"] is (done.exit_code == 4) and document["proven"] is (done.exit_code == 0)
    pairs = document["details"]["jury"]["pairs"]
    assert pairs and all(row["low"] is None or row["low"] <= row["share"] <= row["high"] for row in pairs)
    assert all({group["group"] for group in row["groups"]} <= {"a", "b"} for row in pairs)


def test_a_gate_starts_from_yesterday(run):
    claim = ("--require", "new over old|1")
    assert run(*claim, "--out", "yesterday.json").exit_code == 0
    again = run(*claim, "--start-from", "yesterday.json")
    assert "same seed" in str(again.exception)
    again = run(*claim, "--start-from", "yesterday.json", "--seed", "2", "--out", "today.json")
    assert again.exit_code == 0 and "started from strengths of 3 of the systems" in " ".join(again.output.split())
    assert CliRunner().invoke(build_app("verify"), ["verify", "today.json"]).exit_code == 0


def test_json_of_a_ranking_without_cases_is_by_the_schema(tmp_path, run):
    (tmp_path / "words.txt").write_text("a\nbb\nccc\n")
    (tmp_path / "two_words.py").write_text("def longer(left, right):\n    return max(left, right, key=len)\n")
    words = ["rank", "words.txt", "--judge", "j=python:two_words:longer", "--no-keep", "--json"]
    jsonschema.validate(json.loads(CliRunner().invoke(build_app("rank"), words).stdout), SCHEMA)


def test_the_summary_is_appended_and_names_cannot_break_it(run):
    assert run("--require", "new over old|1", "--summary", "s.md").exit_code == 0
    assert run("--require", "old|1 over new", "--summary", "s.md", "--junit", "j.xml").exit_code == 4
    text = Path("s.md").read_text(encoding="utf-8")
    assert (
        text.count("###") == 2
        and "| new over old\\|1 | proven |" in text
        and "| old\\|1 over new | refuted |" in text
    )
    assert run("--require", "new over mid", "--summary", "no/s.md").exception.args[0].startswith("no/s.md cannot")
    assert escape("[a](b)\n# c") == "\\[a\\](b) \\# c"


def test_judges_that_cannot_be_asked_are_no_verdict(run):
    done = run("--require", "new over mid", "--summary", "s.md", judge="silent")
    assert done.exit_code == 5 and "judges could not be asked" in Path("s.md").read_text(encoding="utf-8")
    assert "best guess" not in Path("s.md").read_text(encoding="utf-8")


def test_money_holds_for_a_ranking_not_for_a_run(run):
    words = ("--goal", "order", "--price", "j=0.01", "--money", "0.03", "--json")
    found = [json.loads(run(*words, keep="--keep").stdout) for _ in range(3)]
    assert [document["questions"] for document in found] == [3, 3, 3]
    more = json.loads(run(*words[:-2], "0.05", "--json", keep="--keep").stdout)
    assert more["questions"] == 5 and more["cost"] == pytest.approx(0.05)


def test_a_gate_counts_the_calls_that_it_could_make(tmp_path, run):
    """3 systems x 30 cases x 2 sides are 180 calls, of which one claim needs 60; 2 of its cases are alike: 56."""
    rows = [json.loads(line) for line in Path("outputs.jsonl").read_text().splitlines()]
    for row in rows:
        row["output"] = "as long" if row["case"] in ("c3", "c4") and row["system"] != "mid" else row["output"]
    Path("outputs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    claim = ("--require", "new over old|1")
    done = run(*claim, "--summary", "s.md", "--out", "r.json")
    assert "of 56 calls" in done.stdout and "of 56 calls" in Path("s.md").read_text(encoding="utf-8")
    assert "Who is ahead" not in done.stdout and "mid" not in done.stdout
    assert json.loads(run(*claim, "--json").stdout)["details"]["jury"]["calls_in_all"] == 56
    assert CliRunner().invoke(build_app("report"), ["report", "r.json", "--out", "r.html"]).exit_code == 0
    page = Path("r.html").read_text(encoding="utf-8")
    assert "of 56 calls" in page and "Who is ahead" not in page
    assert CliRunner().invoke(build_app("verify"), ["verify", "r.json"]).exit_code == 0
    dry = run(*claim, "--judge", "m=openai:some-model", "--dry-run")
    assert "is 56 questions" in " ".join(dry.stdout.split())
    whole = json.loads(run("--goal", "best", "--json").stdout)
    assert whole["details"]["jury"]["calls_in_all"] == 176
    several = run("--require", "new over old|1", "--require", "mid over old|1", "--json")
    assert json.loads(several.stdout)["details"]["jury"]["calls_in_all"] == 116
