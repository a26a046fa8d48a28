"""What judges left out or changed is in the report as it is in the certificate."""

import random

import pytest

from juryrank import create_study
from juryrank.report.page.compose import certificate_report, study_report
from juryrank.storage import MemoryStorage
from juryrank.verify import verify
from tests.report.logs import asked_in_turn


def answered(*, leaves_out):
    """A panel that settles something; one of 30 people skips, and one changes an answer every time."""
    people, rng = [f"p{k}" for k in range(30)], random.Random(3)
    study = create_study(
        ["a", "b", "c"], name="people", judges=people, ranker="panel", seed=5, error=0.1, storage=MemoryStorage(),
    )  # fmt: skip
    for question in asked_in_turn(study):
        good, bad = sorted((question.left, question.right))
        if leaves_out and question.judge == "p3":
            study.tell(question.id, side="skip")
            continue
        study.tell(question.id, bad if rng.random() < 0.02 else good)
        if leaves_out and question.judge == "p4":
            study.undo("p4", by="judge")
            study.tell(question.id, good)
    return study


@pytest.fixture(scope="module")
def left_out():
    return answered(leaves_out=True)


def test_the_reports_promise_says_what_the_certificates_statement_says(left_out):
    statement = verify(left_out.certificate()).statement
    besides = statement[statement.index("Judges changed") :]
    assert "most by p4: 3 of 3" in besides and "most by p3: 3 of 3" in besides and "were skipped" in besides
    for text in (study_report(left_out, format="md"), certificate_report(left_out.certificate(), format="md")):
        assert besides in text


def test_the_table_of_judges_counts_them(left_out):
    text = study_report(left_out, format="md")
    header, *rows = [
        line.split(" | ") for line in text.splitlines() if line.startswith(("| judge | ", "| p3 |", "| p4 |"))
    ]
    cell = {row[0].strip("| "): dict(zip(header, row, strict=True)) for row in rows if len(row) == len(header)}
    assert (cell["p3"]["skips"], cell["p3"]["changed"]) == ("3", "0")
    assert (cell["p4"]["skips"], cell["p4"]["changed"]) == ("0", "3")


def test_nothing_is_said_where_nothing_was_left_out():
    text = study_report(answered(leaves_out=False), format="md")
    assert "Judges changed" not in text and "were skipped" not in text and "changed |" not in text
