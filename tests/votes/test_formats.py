"""Other programs' files, through the front doors: `juryrank fit`, `juryrank rank`, Python."""

import json
import warnings
import zipfile
from pathlib import Path

import pytest

import juryrank
from juryrank.errors import BadInput
from juryrank.judges import table
from juryrank.verify import verify
from tests.commands import juryrank as command
from tests.votes import shapes

JUDGE = """
def longer(left, right, case):
    assert "why?" in case, case
    return max(left, right, key=len)
"""

SHOWN = """
def first(left, right):
    assert "Ann" not in str((left, right)) and "dams" in str((left, right))
    return left if left["id"] == "Otter" else right
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "format_judges.py").write_text(JUDGE)
    return tmp_path


def write(name, content):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def ranked(*words):
    return command(
        "rank", *words, "--judge", "m=python:format_judges:longer", "--no-keep", "--seed", "1", "--json"
    )


def fitted(*words):
    found = command("fit", *words, "--no-reliability", "--json")
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout)


def order(found):
    return [row["name"] for row in found["items"]]


# ---------------------------------------------------------------------------- outputs: one command to a claim
def files_of(kind):
    """Two systems in one format: what to give to `rank`."""
    if kind == "alpaca-eval":
        return [write(f"{name}.json", shapes.alpaca_outputs(name)) for name in ("new", "old")]
    if kind == "arena-hard":
        for name in ("new", "old"):
            write(f"model_answer/{name}.jsonl", shapes.arena_answers(name))
        rows = [{"question_id": case, "turns": [{"content": text}]} for case, text in shapes.QUESTIONS.items()]
        return ["model_answer", "--cases", write("question.jsonl", shapes.lines(rows))]
    if kind == "lm-eval":
        for name in ("new", "old"):
            write(f"out/{name}/samples_sums_2026-01-02T03-04-05.123.jsonl", shapes.lm_eval(name, filters=2))
            write(f"out/{name}/results_2026-01-02T03-04-05.123.json", "{}")
        return ["out"]
    if kind == "promptfoo":
        return [write("results.json", shapes.promptfoo())]
    if kind == "a folder of logs":
        for name in ("new", "old"):
            write(f"logs/{name}.eval", shapes.inspect_log(name)[0])
        return ["logs"]
    if kind in ("model,prompt,response", "a column for each system"):
        return [write("answers.csv", shapes.by_prompt() if "prompt" in kind else shapes.across())]
    packed = [write(f"{name}.eval", shapes.inspect_log(name)[0]) for name in ("new", "old")]
    return packed if kind == "inspect" else [packed[0], write("old.json", shapes.inspect_log("old")[1])]


@pytest.mark.parametrize(
    "kind",
    [
        "alpaca-eval", "arena-hard", "lm-eval", "promptfoo", "inspect", "inspect and JSON", "a folder of logs",
        "model,prompt,response", "a column for each system",
    ],
)  # fmt: skip
def test_outputs_become_a_proven_claim(kind):
    found = ranked(*files_of(kind))
    assert found.returncode == 0, found.stderr
    result = json.loads(found.stdout)
    assert [name.removeprefix("maker/") for name in result["order"]] == ["new", "old"]
    assert "30 cases" in result["statement"]


def test_the_folder_around_answers_and_judgments_will_do():
    _, *cases = files_of("arena-hard")
    for name in ("new", "old"):
        Path("data/v1/model_answer").mkdir(parents=True, exist_ok=True)
        Path(f"model_answer/{name}.jsonl").rename(f"data/v1/model_answer/{name}.jsonl")
    write("data/v1/model_judgment/gpt-4/new.jsonl", shapes.arena_judgments("new"))
    for whole in ("data/v1", "data"):
        assert ranked(whole, *cases).stdout == ranked("data/v1/model_answer", *cases).stdout
        assert fitted(whole) == fitted("data/v1/model_judgment")
    Path("data/v2/model_answer").mkdir(parents=True)
    assert "give one of data/v1/model_answer, data/v2/model_answer" in ranked("data", *cases).stderr


def test_a_file_that_is_named_twice_is_read_once():
    files = files_of("model,prompt,response")
    assert ranked(*files, *files).stdout == ranked(*files).stdout


def test_python_reads_them_too():
    files = [Path(name) for name in files_of("inspect")]
    judge = {"m": lambda left, right, case: max(left, right, key=len)}
    assert juryrank.rank(files, judge, seed=1).order == ("maker/new", "maker/old")
    named = {"candidate": files[0], "incumbent": files[1]}
    assert juryrank.rank(named, judge, seed=1).order == ("candidate", "incumbent")


def test_several_tasks_and_several_epochs_are_cases_of_their_own():
    for name in ("new", "old"):
        for task in ("sums", "poems"):
            write(f"{name}/{task}.eval", shapes.inspect_log(name, task)[0])
    result = json.loads(ranked("new", "old").stdout)
    assert "60 cases" in result["statement"] and {
        row["group"] for row in result["details"]["jury"]["by_group"]
    } == {
        "sums",
        "poems",
    }
    one = [
        write("a.eval", shapes.inspect_log("new", "plain")[0]),
        write("b.eval", shapes.inspect_log("old", "tools")[0]),
    ]
    assert json.loads(ranked(*(f"gpt={file}" for file in one)).stdout)["order"] == ["gpt, plain", "gpt, tools"]


# ---------------------------------------------------------------------------- votes: one command to scores
@pytest.mark.parametrize(
    ("kind", "content", "words"),
    [
        ("alpaca-eval", shapes.alpaca_annotations("new", "old"), "30 votes"),
        ("arena-hard", shapes.arena_judgments("new", baseline="old"), "60 votes"),
        ("arena-hard", shapes.mt_pairs(), "40 votes"),
        ("lmarena", shapes.lmarena(), "24 votes"),
        ("label-studio", shapes.label_studio(), "19 votes"),
        ("argilla", shapes.argilla(), "20 votes"),
        ("label-studio", shapes.label_studio_min(), "19 votes"),
        ("argilla", shapes.argilla_flat(), "20 votes"),
    ],
    ids=["alpaca", "arena", "mt-bench", "lmarena", "label-studio", "argilla", "json-min", "argilla-flat"],
)
def test_votes_become_scores(kind, content, words):
    file = write("votes.json", content)
    found = fitted(file)
    assert order(found) == ["new", "old"] == order(fitted(file, "--format", kind))
    text = command("fit", file).stdout
    assert words in text and "format: " in text


def test_no_verdict_is_a_refusal_and_never_a_tie():
    prefer = lambda k: None if k < 10 else 1.5 if k == 10 else 1.9  # noqa: E731
    text = command("fit", write("a.json", shapes.alpaca_annotations("new", prefer=prefer))).stdout
    assert (
        "20 votes" in text and "left out: 10 skip" in text and "the votes do not say what was shown where" in text
    )
    text = command("fit", write("b.json", shapes.arena_judgments("new", scores=("B>A", None)))).stdout
    assert "30 votes" in text and "do not name their baseline" in text
    text = command("fit", write("c.json", shapes.mt_pairs(("model_1", "error")))).stdout
    assert "20 votes" in text


def test_a_folder_of_judgments_is_one_file_and_a_star_says_what_it_cannot_tell():
    for name in ("new", "old", "mid"):
        write(f"judged/{name}.jsonl", shapes.arena_judgments(name))
    text = " ".join(command("fit", "judged").stdout.split())
    assert "files: 3" in text and "180 votes, 4 items" in text
    assert "everything was compared with 'baseline' alone" in text


# ---------------------------------------------------------------------------- a recorded table as a judge
def test_a_recorded_table_is_replayed_and_checked(tmp_path):
    file = write("annotations.json", shapes.alpaca_annotations("new"))
    found = command(
        "rank", file, "--judge", f"gpt4=table:{file}", "--no-keep", "--seed", "1", "--out", "c.json", "--json"
    )
    result = json.loads(found.stdout)
    assert found.returncode == 0 and result["order"] == ["new", "base"]
    assert "Recorded are 30 answers per pair." in result["statement"]
    assert verify(json.loads(Path("c.json").read_text())).proven


def test_annotations_written_twice_add_no_cases():
    rows = json.loads(shapes.alpaca_annotations("new"))
    file = write("twice.json", json.dumps(rows + rows))
    found = command("rank", file, "--judge", f"gpt4=table:{file}", "--no-keep", "--seed", "1", "--json")
    assert "1 judge, 30 cases" in json.loads(found.stdout)["statement"]


def test_a_table_has_only_the_cells_of_its_file():
    rows = ["judge,left,right,winner,case"]
    rows += [f"m,a,b,a,q{k}" for k in range(40)] + [f"m,b,c,b,q{k}" for k in range(25)] + ["m,b,c,skip,q39"]
    judge = table("\n".join(rows).encode())
    assert (judge.items, len(judge.cases)) == (["a", "b", "c"], 40)
    result = juryrank.rank(judge.items, {"m": judge}, cases=judge.cases, goal="best", seed=1)
    assert not result.proven and result.order[0] == "a"
    assert any(
        "Recorded are 26 to 40 answers per pair; 1 of 3 pairs has none" in words for words in result.warnings
    )
    claims = {(row["better"], row["worse"]): row for row in result.details.jury["claims"]}
    assert claims["a", "c"]["calls"] == 0 and not any(claims["a", "c"]["proven"])
    document = juryrank.rank(judge.items, {"m": judge}, cases=judge.cases, goal="a over b", seed=1).certificate()
    report = verify(document)
    assert report.proven and "1 of 3 pairs has none and carries no claim" in report.statement


def test_a_star_of_recorded_answers_proves_only_claims_about_its_centre():
    for name in ("new", "mid", "old"):
        write(f"judged/{name}.jsonl", shapes.arena_judgments(name))
    how = ("rank", "judged", "--judge", "gpt4=table:judged", "--no-keep", "--seed", "1")
    with pytest.warns(UserWarning, match="which of two others is better cannot be proven"):  # at once
        found = command(*how)
    assert found.returncode == 3
    assert "no two of the others were ever compared" in " ".join(found.stdout.split())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert command(*how, "--require", "new over baseline").returncode == 0


def test_sides_are_recorded_where_the_judge_is_a_table_and_only_there():
    judge = table(shapes.arena_judgments("new").encode())
    for judges, sides in (({"m": judge}, "both"), ({"m": lambda left, right, case: left}, "recorded")):
        with pytest.raises(BadInput, match="recorded tables, and only there"):
            juryrank.rank(judge.items, judges, cases=judge.cases, options={"sides": sides})


def test_a_doubled_and_a_graded_game_count_by_their_mean():
    judge = table(shapes.arena_judgments("new", scores=("B>A", "A=B")).encode())
    assert judge("new", "baseline", "q1").x == 0.25 == -judge("baseline", "new", "q1").x


# ---------------------------------------------------------------------------- bad input
def test_what_is_wrong_is_said_and_what_to_do(tmp_path):
    with zipfile.ZipFile("other.eval", "w") as other:
        other.writestr("word/document.xml", "x")
    with zipfile.ZipFile("photos.zip", "w") as other:
        other.writestr("a.jpg", "x")
    write("open.eval", shapes.inspect_log("new", finished=False)[0])
    write("broken.jsonl", shapes.arena_answers("new")[:-30])
    write("new.json", shapes.alpaca_outputs("new"))
    write("copy.json", shapes.alpaca_outputs("new"))
    write("old.json", json.dumps(json.loads(shapes.alpaca_outputs("old"))[:-1]))
    write("mixed/a.json", shapes.alpaca_outputs("new"))
    write("mixed/b.jsonl", shapes.arena_answers("old"))
    write("single.jsonl", shapes.lines([{"question_id": 1, "model": "new", "judgment": "good", "score": 9.0}] * 2))
    for words, said in [
        (("other.eval",), "it is a ZIP file with word/document.xml. Give a folder"),
        (("other.eval", "new.json"), "it is a ZIP file with word/document.xml. Give a folder"),
        (("photos.zip",), "a ZIP file with a.jpg: neither a workbook"),
        (("open.eval", "new.json"), "no header.json"),
        (("broken.jsonl",), "line 30 of broken.jsonl: this is not JSON"),
        (("new.json", "copy.json"), "new.json and copy.json both give .* 'new'.*new=new.json old=copy.json"),
        (("new.json", "old.json"), "system 'old' has no output for case 'Question 29: why\\?'.*leave out"),
        (("mixed",), "several formats: mixed/a.json is AlpacaEval; mixed/b.jsonl is Arena-Hard"),
        (("new.json", "gone.json"), "gone.json is not there"),
        (("single.jsonl",), "holds a score for each answer"),
        (("new.json", "--format", "inspect"), "is not a file of inspect_ai log.*'instruction'.*--format NAME"),
    ]:  # fmt: skip
        found = ranked(*words)
        assert found.returncode == 2, words
        with pytest.raises(BadInput, match=said):
            raise BadInput(found.stderr)


def test_bad_votes_are_named_and_left_out_only_if_told():
    file = write("a.json", shapes.alpaca_annotations("new", prefer=lambda k: 3.7 if k == 4 else 1.9))
    found = command("fit", file)
    assert found.returncode == 2 and "line 5: the preference is 3.7" in found.stderr
    assert "29 votes" in command("fit", file, "--skip-bad").stdout
    found = command("fit", write("b.jsonl", shapes.arena_judgments("new", scores=("A>>>B",))))
    assert found.returncode == 2 and "the score is 'A>>>B'" in found.stderr
    cut = write("c.jsonl", shapes.arena_judgments("new")[:-9])
    assert "line 30: this is not JSON" in command("fit", cut).stderr
    assert "58 votes" in command("fit", cut, "--skip-bad").stdout
    found = command("fit", write("d.json", shapes.alpaca_outputs("new")))
    assert found.returncode == 2 and "no comparisons" in found.stderr and "juryrank rank d.json" in found.stderr
    assert "there is no format 'alpaka'" in command("fit", file, "--format", "alpaka").stderr


@pytest.mark.parametrize(
    ("judges", "said"),
    [
        (["m=table:two.csv"], "holds 2 judges ('ann', 'bob').*--judge ann=table:two.csv"),
        (["m=table:none.csv"], "names no case"),
        (["m=table:one.csv"], "has no answer about these systems and cases"),
        (["m=table:annotations.json", "n=python:format_judges:longer"], "cannot be mixed"),
    ],
)
def test_tables_that_do_not_fit(judges, said):
    write("two.csv", "judge,left,right,winner,case\nann,a,b,a,q\nbob,a,b,a,q\n")
    write("none.csv", "judge,left,right,winner\nann,a,b,a\n")
    write("one.csv", "judge,left,right,winner,case\nann,a,b,a,q\n")
    write("annotations.json", shapes.alpaca_annotations("new"))
    found = command(
        "rank", "annotations.json", *(word for judge in judges for word in ("--judge", judge)), "--no-keep"
    )
    assert found.returncode == 2
    with pytest.raises(BadInput, match=said.replace("(", "\\(").replace(")", "\\)")):
        raise BadInput(found.stderr)


def test_scores_of_single_answers_are_no_votes_and_no_outputs():
    file = write(
        "single.jsonl", shapes.lines([{"question_id": 1, "model": "n", "judgment": "good", "score": 9}] * 2)
    )
    for found in (command("fit", file), ranked(file)):
        assert found.returncode == 2 and "nobody compared two" in found.stderr, found.stderr


def test_what_lies_beside_the_files_is_named():
    for kind, folder in (("lm-eval", "out"), ("a folder of logs", "logs")):
        files_of(kind)
        write(f"{folder}/README.md", "what this is")
        write(f"{folder}/.DS_Store", b"\0\1")
        with pytest.warns(UserWarning, match="^not read: .DS_Store, README.md$"):
            assert ranked(folder).returncode == 0
    for name in ("new", "old"):
        rows = [("case", "output"), *((case, shapes.said(name, case)) for case in shapes.QUESTIONS)]
        write(f"books/{name}.xlsx", shapes.workbook(rows))
    write("books/README.md", "what this is")
    plain = "m=cmd:sh -c 'read line; echo left'"
    with pytest.warns(UserWarning, match="^not read: README.md$"):
        found = command(
            "rank", "books", "--judge", plain, "--require", "new over old", "--budget", "4", "--no-keep"
        )
    assert "30 cases" in found.stdout, found.stderr
    write("judged/new.jsonl", shapes.arena_judgments("new"))
    write("judged/README.md", "what this is")
    assert "not read: README.md" in command("fit", "judged").stdout


def test_folders_are_systems_together_and_what_is_beside_the_cases_is_named():
    for name in ("all/old", "all/mid", "newer/new"):
        for case in shapes.QUESTIONS:
            write(f"{name}/{case}.txt", f"{shapes.said(Path(name).name, case)} {name}")
    cases = [{"id": case, "input": text} for case, text in shapes.QUESTIONS.items()]
    asked = "--cases", write("cases.jsonl", shapes.lines(cases))
    for words in (("all", "newer"), ("all", "newer/new"), ("all/old", "all/mid", "new=newer/new")):
        found = ranked(*words, *asked)
        assert found.returncode == 0 and sorted(json.loads(found.stdout)["order"]) == ["mid", "new", "old"], (
            found.stderr
        )
    found = ranked("all", "new=all", *asked)
    assert found.returncode == 2 and "all holds 2 systems" in found.stderr
    write("all/old/notes.md", "what this is")
    with pytest.warns(UserWarning, match="^not asked about: outputs for 'notes', which is not among the cases$"):
        assert ranked("all", *asked).returncode == 0


def test_tables_say_which_columns_are_systems_and_show_the_prompt():
    with pytest.warns(UserWarning, match="answers.csv has a column for each system: new, old"):
        assert ranked(write("answers.csv", shapes.across())).returncode == 0
    gold = "\n".join(
        f"{line},{'reference' if not k else 'r'}" for k, line in enumerate(shapes.across().splitlines())
    )
    with pytest.warns(UserWarning, match="gold.csv has a column for each system: new, old$"):
        assert json.loads(ranked(write("gold.csv", gold)).stdout)["order"] == ["new", "old"]
    items = write("items.csv", "id,prompt,notes,colour\nx,why?,a,red\ny,how?,b,blue\n")
    found = command("rank", items, "--judge", "m=cmd:sh -c 'read line; echo left'", "--no-keep", "--json")
    assert sorted(json.loads(found.stdout)["order"]) == ["x", "y"]  # rows with an id of their own are items


def test_a_result_that_is_empty_is_no_answer():
    file = write("votes.csv", "judge,left,right,winner\nann,x,y,x\nbob,x,y,\ncid,x,y,nan\ndan,x,y,tie\n")
    text = " ".join(command("fit", file).stdout.split())
    assert "2 votes" in text and "left out: 2 skip" in text
    assert "an empty result is no answer, not a tie (rows: 2)" in text
    assert "3 votes" in command("fit", file, "--tie", "nan").stdout


def test_hackathon_projects_are_items_without_their_makers():
    write("projects.csv", shapes.DEVPOST)
    write("shown.py", SHOWN)
    found = command("rank", "projects.csv", "--judge", "m=python:shown:first", "--no-keep", "--json")
    assert json.loads(found.stdout)["order"] == ["Otter", "Beaver"], found.stderr
