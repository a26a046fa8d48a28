"""Awkward files, through the front door: what was seen, what is missing, which flag maps it; nothing is dropped
without a word."""

import json
import zipfile
from pathlib import Path

import pytest

import juryrank
from tests.commands import juryrank as command
from tests.votes import shapes


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name, content):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def fitted(*words):
    done = command("fit", *words, "--no-reliability")
    return done.returncode, " ".join(done.stdout.split()), done.stderr


def csv(rows, header="judge,left,right,winner"):
    return "\n".join([header, *(",".join(row) for row in rows)]) + "\n"


# ---------------------------------------------------------------------------- words for no difference (T11)
NONE = [(f"j{k}", "x", "y", ("x", "y", "gleich", "Gleich ")[k % 4]) for k in range(40)]


def test_a_word_for_no_difference_is_complained_about_once_and_mapped_once():
    file = write("votes.csv", csv(NONE))
    code, _, err = fitted(file)
    assert code == 2 and err.count("the result is 'gleich'") == 1
    assert "lines 4, 8, 12, 16, 20, 24 and 4 more: the result is 'gleich'" in err and "--tie WORD" in err
    code, out, _ = fitted(file, "--tie", "gleich")
    assert code == 0 and "ties: 50% of votes" in out and "40 votes" in out
    assert len(juryrank.fit(file, tie="gleich").estimate.ballots) == 40
    done = command("study", "import", file, "--dry-run", "--tie", "gleich")
    assert done.returncode == 0 and "20 tie" in done.stdout
    assert fitted(write("n.csv", csv(NONE).replace("gleich", "no difference").replace("Gleich", "tie")))[0] == 0


# ---------------------------------------------------------------------------- a doubled file
def test_a_doubled_file_is_seen_and_adds_no_cases():
    rows = json.loads(shapes.alpaca_annotations("new"))
    code, out, _ = fitted(write("twice.json", json.dumps(rows + rows)))
    assert code == 0 and "duplicate rows: 30" in out and "on other cases like these 30" in out
    for name in ("a", "b"):
        write(f"both/{name}.jsonl", shapes.arena_judgments("new"))
    code, out, _ = fitted("both")
    assert code == 0 and "files: 2" in out and "duplicate rows: 60" in out


def test_several_files_are_fitted_as_one_whatever_lies_beside_them():
    one, other = (
        write("a/ann.json", shapes.alpaca_annotations("new")),
        write("b/ann.json", shapes.alpaca_annotations("mid")),
    )
    code, out, err = fitted(one, other)
    assert code == 0 and "files: 2" in out and "3 items" in out, err
    code, out, _ = fitted(
        write("x.csv", csv([("ann", "x", "y", "x")])), write("y.csv", csv([("bob", "y", "z", "z")]))
    )
    assert code == 0 and "2 votes, 3 items" in out
    assert len(juryrank.fit([Path(one), Path(other)]).items) == 3
    write("a/model_outputs.json", shapes.alpaca_outputs("new"))  # as AlpacaEval's folder of results has it
    code, out, err = fitted("a")
    assert code == 0 and "30 votes" in out and "not read: a/model_outputs.json" in out, err
    code, _, err = fitted(one, write("q.csv", csv([("ann", "x", "y", "x")])))
    assert code == 2 and "several formats: a/ann.json is AlpacaEval; q.csv is a plain table" in err
    code, _, err = fitted(one, "gone.json")
    assert code == 2 and "gone.json" in err


def test_one_baseline_says_what_it_cannot_tell():
    rows = [row for name in ("new", "mid") for row in json.loads(shapes.alpaca_annotations(name))]
    code, out, _ = fitted(write("star.json", json.dumps(rows)))
    assert code == 0 and "everything was compared with 'base' alone" in out


# ---------------------------------------------------------------------------- several files
def test_a_bad_row_of_several_files_is_named_with_its_file():
    write("judged/a.jsonl", shapes.arena_judgments("new"))
    write("judged/b.jsonl", shapes.arena_judgments("old", scores=("A>>>B",)))
    code, _, err = fitted("judged")
    assert code == 2 and "30 of 90 rows" in err and "line 1 of judged/b.jsonl" in err
    code, out, _ = fitted("judged", "--skip-bad")
    assert code == 0 and "60 votes" in out and "left out: line 1 of judged/b.jsonl" in out


def test_what_holds_no_votes_says_what_it_is():
    with zipfile.ZipFile("other.eval", "w") as other:
        other.writestr("word/document.xml", "x")
    write("mixed/a.json", shapes.alpaca_annotations("new"))
    write("mixed/b.jsonl", shapes.arena_judgments("new"))
    for words, said in [
        (("other.eval",), "a ZIP file with word/document.xml: neither a workbook (.xlsx) nor a known program's"),
        (("mixed",), "several formats: mixed/a.json is AlpacaEval; mixed/b.jsonl is Arena-Hard"),
        ((write("cut.jsonl", shapes.lmarena()[:-40]),), "not JSON"),
    ]:
        code, _, err = fitted(*words)
        assert code == 2 and said in err, err


# ---------------------------------------------------------------------------- dialects, for fit and for rank
JUDGE = "def smaller(left, right):\n    return min(left, right, key=lambda row: int(row['grösse']))\n"


def test_semicolons_other_encodings_and_workbooks_are_read_by_rank_and_fit(monkeypatch):
    write("smaller_judge.py", JUDGE)
    items = [("id", "grösse"), ("b", 2), ("ä", 1), ("c", 3)]
    text = "\n".join(f"{name};{size}" for name, size in items)
    for file in (write("i.csv", text.encode("cp1252")), write("i.xlsx", shapes.workbook(items))):
        done = command("rank", file, "--judge", "m=python:smaller_judge:smaller", "--no-keep", "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["order"] == ["ä", "b", "c"]
    votes = [
        ("judge", "left", "right", "winner"),
        ("ann", "x", "y", "x"),
        ("", "", "", ""),
        ("bob", "x", "y", "tie"),
    ]
    code, out, _ = fitted(write("v.xlsx", shapes.workbook(votes, more_sheets=["Notes"])))
    assert code == 0 and "sheet: 'Votes' (not read: 'Notes')" in out and "2 votes" in out
    code, _, err = fitted(write("w.xlsx", shapes.workbook([*votes, ("cid", "x", "x", "x")])))
    assert code == 2 and "line 5: both items are 'x'" in err


def test_outputs_and_cases_come_from_workbooks_too():
    rows = [
        ("system", "case", "output"),
        *((s, f"q{k}", "w" * n) for s, n in (("a", 3), ("b", 2)) for k in range(9)),
    ]
    cases = [("id", "input"), *((f"q{k}", f"Question {k}?") for k in range(9))]
    files = write("o.xlsx", shapes.workbook(rows)), write("c.xlsx", shapes.workbook(cases))
    judge = {"m": lambda left, right, case: max(left, right, key=len)}
    assert juryrank.rank(Path(files[0]), judge, cases=Path(files[1]), seed=1).order == ("a", "b")


# ---------------------------------------------------------------------------- grades
def test_grades_count_by_their_size_unless_ties_are_an_outcome():
    prefer = lambda k: 1.0 if k % 3 == 0 else 1.6  # noqa: E731  two of three for the model, but not by much
    file = write("a.json", shapes.alpaca_annotations("new", prefer=prefer))
    by_size, by_side = juryrank.fit(file), juryrank.fit(file, ties="davidson")
    assert by_size.win("new", "base") == pytest.approx((0 + 0.6 + 0.6) / 3, abs=0.005)
    assert by_side.win("new", "base") == pytest.approx(2 / 3, abs=0.005)
    assert by_size.order == ("base", "new") and by_side.order == ("new", "base")
    assert any("by their side alone" in note for note in by_side.estimate.ballots.notes)


def test_a_column_of_grades_is_named_and_checked():
    rows = [("ann", "x", "y", "0.5"), ("bob", "x", "y", "-1"), ("cid", "y", "x", "0"), ("dan", "x", "y", "")]
    text = csv(rows, "judge,left,right,strength").encode()
    found = juryrank.fit(text, columns={"grade": "strength"}, model="bt").estimate.ballots
    assert found.score.tolist() == [0.75, 0.0, 0.5] and found.left_out == ("left out: 1 skip",)
    code, _, err = fitted(write("g.csv", csv([("ann", "x", "y", "7")], "judge,left,right,strength")),
                          "--column", "grade=strength")  # fmt: skip
    assert code == 2 and "the grade is '7'; grades go from 1 (left) to -1 (right)" in err


# ---------------------------------------------------------------------------- pairs for training
PAIR_JUDGES = """
def longer(left, right, case):
    return max(left, right, key=len)

def first(left, right):
    return min(left, right, key=lambda row: row["id"])
"""


def test_pairs_for_training_only_where_they_are_clear():
    write("pair_judge.py", PAIR_JUDGES)
    rows = [{"system": s, "case": f"q{k}", "output": "w" * n} for s, n in (("a", 3), ("b", 2)) for k in range(6)]
    cases = [{"id": f"q{k}", "input": f"Question {k}?"} for k in range(6)]
    how = (
        "--cases",
        write("c.jsonl", shapes.lines(cases)),
        "--judge",
        "m=python:pair_judge:longer",
        "--study",
        "s",
    )
    assert command("rank", write("o.jsonl", shapes.lines(rows)), *how, "--seed", "1").returncode == 0
    refused = command("study", "export", "s", "--format", "dpo")
    assert refused.returncode == 2 and "holds over all cases, not on each" in refused.stderr
    done = command("study", "export", "s", "--format", "dpo", "--margin", "1", "--out", "pairs.jsonl")
    pairs = [json.loads(line) for line in Path("pairs.jsonl").read_text().splitlines()]
    assert done.returncode == 0 and f"{len(pairs)} pairs; left out: 0" in done.stderr
    assert {(p["prompt"], p["chosen"], p["rejected"]) for p in pairs} <= {
        (f"Question {k}?", "www", "ww") for k in range(6)
    }

    write("texts.csv", "id,prompt,text\nx,Say it,hello\ny,Say it,world\nz,Sing,again\n")
    command("rank", "texts.csv", "--judge", "m=python:pair_judge:first", "--seed", "1", "--study", "t")
    done = command("study", "export", "t", "--format", "dpo", "--out", "t.jsonl")
    (pair,) = [json.loads(line) for line in Path("t.jsonl").read_text().splitlines()]
    assert (pair["prompt"], pair["chosen"], pair["rejected"], pair["proven"]) == ("Say it", "hello", "world", 0.95)
    assert "1 pairs; left out: 0 not proven, 2 of different prompts" in done.stderr
    assert command("study", "export", "t", "--margin", "1").returncode == 2
    command("study", "export", "t", "--format", "votes-jsonl", "--out", "v.jsonl")
    assert len(juryrank.fit("v.jsonl").estimate.ballots) == 3
