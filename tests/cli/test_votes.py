"""`study export`, `study import` and `report` as a user types them."""

import json

import pytest
import typer
from typer.testing import CliRunner

from juryrank.cli import demo as demo_command
from juryrank.cli import report as report_command
from juryrank.cli.study import votes as votes_commands
from juryrank.errors import BadInput, BadVotes, StorageError, StudyExists

GOOD = 'annotator,item_a,item_b,label\nann,"x, or ""y""",y,y\nbob,y,"x, or ""y""",tie\n'
BAD = GOOD + "bob,y,y,y\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JURYRANK_STORAGE", f"sqlite:///{tmp_path / 'votes.db'}")
    app = typer.Typer()
    votes_commands.add(app)
    report_command.register(app)
    demo_command.register(app)

    def call(*words, stdin=None):
        result = CliRunner().invoke(app, list(words), input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


def test_import_then_export(run, tmp_path):
    (tmp_path / "votes.csv").write_text(GOOD)
    said = run("import", "votes.csv", "--name", "my study")
    assert said.exit_code == 0 and "2 votes (1 right, 1 tie); 2 items, 2 judges" in said.stdout
    assert "juryrank report 'my study'" in said.stdout
    out = run("export", "my study", "--format", "evalica")
    assert out.stdout.splitlines() == ["left,right,winner", '"x, or ""y""",y,right', 'y,"x, or ""y""",tie']
    run("export", "my study", "--format", "parquet", "--out", "votes.parquet")
    assert (tmp_path / "votes.parquet").read_bytes()[:4] == b"PAR1"
    events = [json.loads(line) for line in run("export", "my study", "-f", "jsonl").stdout.splitlines()]
    assert [event["kind"] for event in events] == ["created", "asked", "told", "asked", "told"]


def test_a_raw_log_is_restored_as_it_was(run, tmp_path):
    (tmp_path / "votes.csv").write_text(GOOD)
    run("import", "votes.csv", "--name", "first")
    said = run("export", "first", "-f", "jsonl", "--out", "log.jsonl")
    assert "5 events, head " in said.stderr
    look = run("import", "log.jsonl", "--dry-run")
    assert "line 3: event 3, told: question 1, right" in look.stdout
    assert "the chain of hashes is whole" in look.stdout
    done = run("import", "log.jsonl", "--name", "second")
    assert done.exit_code == 0 and "Restored as study 'second': 5 events" in done.stdout
    again = run("export", "second", "-f", "jsonl").stdout
    assert again.startswith((tmp_path / "log.jsonl").read_text())
    assert json.loads(again.splitlines()[-1])["kind"] == "restored"
    with pytest.raises(StudyExists):
        run("import", "log.jsonl", "--name", "first")
    with pytest.raises(BadInput, match="--ranker would change it"):
        run("import", "log.jsonl", "--name", "third", "--ranker", "iir")
    votes = run("import", "log.jsonl", "--name", "third", "--as-votes")
    assert "Imported into study 'third': 2 votes" in votes.stdout


def test_what_a_format_leaves_out_is_said_beside_the_data(run, tmp_path):
    (tmp_path / "votes.csv").write_text(GOOD)
    run("import", "votes.csv", "--name", "x")
    out = run("export", "x", "--format", "crowd-kit")
    assert "left out: 1 tie" in out.stderr and "tie" not in out.stdout


def test_a_dry_run_says_each_row_and_imports_nothing(run):
    said = run("import", "-", "--dry-run", stdin=BAD)
    assert said.exit_code == 2
    assert "line 3: 'bob' was shown 'y' (left) and 'x, or \"y\"' (right): a tie" in said.stdout
    assert "BAD line 4: both items are 'y'" in said.stdout and "Nothing was imported" in said.stdout
    assert json.loads(run("import", "-", "--dry-run", "--json", stdin=GOOD).stdout)["problems"] == []


def test_a_bad_row_stops_the_import_unless_left_out(run):
    with pytest.raises(BadVotes, match="line 4: both items are 'y'"):
        run("import", "-", "--name", "x", stdin=BAD)
    with pytest.raises(StorageError):  # not even a file was made
        run("export", "x")
    said = run("import", "-", "--name", "x", "--skip-bad", stdin=BAD)
    assert said.exit_code == 0 and "left out: line 4" in said.stderr
    assert len(run("export", "x").stdout.splitlines()) == 3


def test_a_ranker_that_asks_its_own_questions_is_said(run):
    assert "asks its own questions" in run("import", "-", "--name", "y", "--ranker", "ada-iir", stdin=GOOD).stdout


def test_misuse_is_named(run, tmp_path):
    for words, why in (
        (("export", "x", "--format", "xls"), "no vote format 'xls'"),
        (("import", "nothing.csv", "--name", "x"), "cannot read"),
        (
            (
                "import",
                "-",
            ),
            "needs a name",
        ),
        (("import", "-", "--name", "x", "--column", "left"), "MEANING=NAME"),
        (("report", "x", "--format", "gif"), "no report format 'gif'"),
        (("report", "x", "--theme", "pink"), "no theme 'pink'"),
    ):
        with pytest.raises(BadInput, match=why):
            run(*words, stdin=GOOD)


def test_reports_in_every_format(run, tmp_path):
    run("import", "-", "--name", "x", stdin=GOOD)
    for ending, start in (("html", b"<!doctype html>"), ("md", b"# x"), ("svg", b"<svg"), ("png", b"\x89PNG")):
        run("report", "x", "--out", f"r.{ending}", *(["--theme", "dark"] if ending == "svg" else []))
        assert (tmp_path / f"r.{ending}").read_bytes().startswith(start)
    assert run("report", "x", "--format", "txt").stdout.startswith("x: 0 of 1 pair settled")
    assert run("report", "x", "--format", "md", "--title", "Mine").stdout.startswith("# Mine")
    with pytest.raises(BadInput, match="cannot write"):
        run("report", "x", "--out", "no/such/folder.html")


def test_a_report_of_a_certificate(run, tmp_path):
    from juryrank import rank
    from juryrank.judges import simulated

    result = rank(list("abcd"), simulated("abcd", [1.0, 0.9]), about="truth", seed=1)
    document = result.certificate()
    (tmp_path / "letters.json").write_text(json.dumps(document))
    text = run("report", "letters.json", "--format", "md").stdout
    assert text.startswith("# letters") and "the whole order is settled" in text.lower()
    next(event for event in document["events"] if event["kind"] == "told")["data"]["answer"] = "skip"
    (tmp_path / "letters.json").write_text(json.dumps(document))
    with pytest.raises(BadInput, match="was altered"):
        run("report", "letters.json")


def test_the_demonstration_writes_its_report(run, tmp_path):
    assert run("demo", "--json", "--report", "demo.html").exit_code == 0
    page = (tmp_path / "demo.html").read_text()
    assert "Worlds by size" in page and "not far enough from half" in page
    assert 'class="words warn"' not in page  # nothing is wrong in this world


def test_people_appear_by_name_only_when_asked(run, tmp_path):
    from juryrank.study import create_study

    study = create_study(["a", "b"], name="p", storage=f"sqlite:///{tmp_path / 'votes.db'}")
    judge = study.add_judge("Zoe Zebra", person=True)
    question = study.ask(judge)
    study.tell(question.id, question.left)
    assert "Zebra" not in run("report", "p", "--format", "md").stdout
    assert "Zoe Zebra" in run("report", "p", "--format", "md", "--names").stdout
