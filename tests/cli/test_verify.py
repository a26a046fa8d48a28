"""`juryrank verify` at the terminal: what it prints and its exit codes."""

import contextlib
import gzip
import io
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from juryrank import create_study, rank
from juryrank.cli import build_app
from juryrank.run.session import Session
from tests.verify.forger.leaves import put
from tests.verify.juries import ranked
from tests.verify.logs import reforge


@pytest.fixture
def verify(tmp_path):
    def run(document, *options):
        path = tmp_path / "certificate.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return CliRunner().invoke(build_app(), ["verify", str(path), *options])

    return run


def test_a_true_certificate_exits_with_0_and_shows_every_link_within_80_columns(verify):
    result = verify(ranked(5).certificate())
    assert result.exit_code == 0 and "TRUE AND CERTIFIED" in result.output
    assert all(f"i0{k} over i0{k + 1}" in result.output for k in range(4))
    assert max(map(len, result.output.splitlines())) <= 80
    assert "✓ questions " in result.output


def test_a_partial_one_exits_with_3(verify):
    for budget, said in ((9, "TRUE, BUT NOTHING IS PROVEN"), (44, "TRUE, NOT CERTIFIED AS A WHOLE")):
        result = verify(ranked(6, budget=budget).certificate())
        assert result.exit_code == 3 and f"Verdict: {said}" in result.output


def test_an_altered_one_exits_with_2_and_says_where(verify):
    document = ranked(5).certificate()
    document["events"][6]["data"]["q"] = 99
    result = verify(document)
    assert result.exit_code == 2 and "event 7" in result.output and "NOT TRUE" in result.output


def test_json_for_scripts(verify):
    report = json.loads(verify(ranked(4).certificate(), "--json").stdout)
    assert report["verdict"] == "certified" and len(report["links"]) == 3 and report["true"]


@pytest.mark.parametrize("text", ["", "{", '{"format": "juryrank certificate", "schema": 2}', "[]"])
def test_what_is_no_certificate_is_a_clear_error(verify, text):
    from juryrank.errors import BadSnapshot

    assert isinstance(verify(text).exception, BadSnapshot)  # main() shows it and exits with 2


@pytest.mark.parametrize("place", ["nowhere.json", ".", "/dev/zero", "packed.json"])
def test_what_is_no_file_of_text_is_a_clear_error(place, tmp_path, monkeypatch):
    from juryrank.errors import BadInput

    monkeypatch.chdir(tmp_path)
    (tmp_path / "packed.json").write_bytes(gzip.compress(b"{}"))
    result = CliRunner().invoke(build_app(), ["verify", place])
    assert isinstance(result.exception, BadInput) and "name a certificate file" in str(result.exception)


@pytest.fixture
def storage(tmp_path):
    return f"sqlite:///{tmp_path}/studies.db"


def study_certificate(storage):
    study = create_study(
        ["a", "b", "c"], name="letters", judges=["ann"], ranker="certified", storage=storage, seed=1,
        options={"repeats": None},
    )  # fmt: skip
    while (question := study.ask()) is not None:
        study.tell(question.id, min(question.left, question.right))
    document = study.certificate()
    study.close()
    return document


def test_the_studys_own_log_tells_a_reforged_file_from_the_true_one(verify, storage):
    document = study_certificate(storage)
    assert verify(document, "--storage", storage).exit_code == 0
    event = next(e for e in document["events"][::-1] if e["kind"] == "told")
    event["data"]["answer"] = "tie"  # claims no more than before, so the file alone does not show it
    forged = verify(reforge(document), "--storage", storage)
    assert forged.exit_code == 2 and "another hash" in " ".join(forged.output.split())


def test_a_certificate_of_no_study_there_is_a_clear_error(verify, storage):
    from juryrank.errors import UnknownStudy

    study_certificate(storage)
    assert isinstance(verify(ranked(4).certificate(), "--storage", storage).exception, UnknownStudy)


HOSTILE = "\x1b[2J\x1b[HVerdict: TRUE AND CERTIFIED\u202e\u2066\r\x00\x9b31m"


def printable(text):
    return all(c == "\n" or c.isprintable() for c in text)


def test_nothing_from_a_file_reaches_the_terminal_as_it_is(verify):
    """Items and judges named by somebody who would like to draw the verdict."""
    session = Session([f"{HOSTILE}{k}" for k in range(3)], judges=[HOSTILE], ranker="panel", error=0.1)
    for _ in range(2):
        session.tell(question := session.ask(), question.left)
    document = session.certificate()
    result = verify(document)
    assert result.exit_code == 3 and printable(result.output) and "<1B>[2J" in result.output
    lines = result.output.splitlines()
    assert [line for line in lines if line.startswith("Verdict")] == ["Verdict: TRUE, BUT NOTHING IS PROVEN"]
    assert result.output.isprintable() or verify(document, "--json").stdout.isascii()
    document["events"][1]["data"]["judge"] = HOSTILE + "x"
    assert printable(verify(reforge(document)).output)


def test_letters_that_are_drawn_as_nothing_are_shown_as_their_numbers(verify):
    names = ["\u2800", "\u1160\u3164", "tea", "tea\ufe0f", "heart ❤\ufe0f"]
    session = Session(names, judges=["\uffa0"], ranker="iir", error=0.1)
    for _ in range(4):
        session.tell(question := session.ask(), question.left)
    said = verify(session.certificate()).output
    assert not set("\u2800\u1160\u3164\uffa0") & set(said)
    for shown in ("<2800>", "<1160><3164>", "tea<FE0F>", "heart ❤\ufe0f", "<FFA0>"):
        assert shown in said, said
    assert "look alike" in said


@pytest.mark.parametrize(
    "place", [("head",), ("version",), ("format",), ("events", 0, "kind"), ("result", "ranker")]
)
def test_hostile_words_in_any_place_are_cleaned(verify, place, capsys):
    document = ranked(4).certificate()
    put(document, place, HOSTILE)
    result = verify(document)
    said = result.output + str(result.exception or "")
    assert result.exit_code != 0 and printable(said)


def test_names_that_look_alike_are_noted(verify):
    session = Session(["tea", "tea\u200b"], judges=["ann"], ranker="panel", error=0.1)
    assert "look alike" in verify(session.certificate()).output


def test_a_rerun_finds_estimates_and_questions_that_are_not_the_rankers(verify):
    document = ranked(5, budget=20).certificate()
    again = verify(document, "--rerun")
    assert again.exit_code == 3 and "asks the same 20 questions" in " ".join(again.output.split())
    document["estimates"]["judges"][0]["accuracy"] = 0.99
    assert verify(document).exit_code == 3  # no promise: not checked, and not printed as checked
    forged = verify(document, "--rerun")
    assert forged.exit_code == 2 and "estimates.judges[0].accuracy" in forged.output
    document = ranked(5, budget=20).certificate()
    last = next(event for event in document["events"][::-1] if event["kind"] == "asked")["data"]
    last["left"], last["right"] = last["right"], last["left"]
    swapped = verify(reforge(document), "--rerun")
    assert swapped.exit_code == 2 and "not the ranker's own" in " ".join(swapped.output.split())


def test_the_page_shows_what_is_printed():
    """The example of docs/verify.md, run again."""
    page = (Path(__file__).parents[2] / "docs" / "verify.md").read_text(encoding="utf-8")
    code, shown = re.search(r"```python\n(.*?)```\n\n<!-- printed -->\n```text\n(.*?)```", page, re.S).groups()
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "docs", "exec"), {})
    assert out.getvalue().rstrip() == shown.rstrip(), "run `make captures`"


def test_an_order_whose_links_are_proven_is_not_called_unchecked(verify):
    cases, judge = [f"case {k}" for k in range(20)], {"m": lambda left, right, case: min(left, right)}
    for objective, said in (("order", "each over the next is proven"), ("best", "beyond what is proven an")):
        result = rank(list("abc"), judge, cases=cases, goal=objective, within=0.1, seed=1)
        assert f"Order shown: {said}" in verify(result.certificate()).output


def test_one_item_and_one_judge_are_counted_as_one(verify):
    said = verify(rank(["a"], {"ann": min}, seed=1).certificate()).output
    assert "1 item, 1 judge, 0 questions, 1 event" in " ".join(said.split()) and "1 item and 1 judge, each" in said


def test_what_is_proven_is_not_said_to_be_more_or_less(verify):
    cases, judge = [f"case {k}" for k in range(20)], {"m": lambda left, right, case: min(left, right)}
    chain = rank(list("abc"), judge, cases=cases, goal="order", within=0, seed=1)
    assert 'Proven order (if "at least as good" is transitive)' in verify(chain.certificate()).output
    beats = {("a", "b"), ("b", "c"), ("c", "a")}
    jury = {"m": lambda left, right: left if (left, right) in beats else right}
    circle = rank(list("abc"), jury, goal="ranges", seed=1)
    assert "Order shown: a best guess, as what is proven goes in a circle" in verify(circle.certificate()).output
    guess = rank(list("abc"), {"m": min}, ranker="guess", budget=2, seed=1)
    assert "Verdict: TRUE, BUT NOTHING IS PROVEN" in verify(guess.certificate()).output
