"""Systems on cases through `juryrank.rank`: outputs in every shape, answers, failures, bad input."""

import asyncio
import csv
import json

import pytest

import juryrank
from juryrank import SKIP, TIE, Case, Grade, rank
from juryrank.errors import BadInput, JuryrankError
from juryrank.quoting import in_sentence
from juryrank.run.cases import read_cases, read_outputs
from juryrank.verify import verify
from tests.ranking import rank_with

CASES = [f"q{k}" for k in range(40)]
SYSTEMS = {
    "new": {case: f"3 {case}" for case in CASES},
    "mid": {case: f"2 {case}" for case in CASES},
    "old": {case: f"1 {case}" for case in CASES},
}


def honest(left, right, case):
    assert left.split()[1] == right.split()[1] == case  # outputs of that very case, and its input
    return max(left, right)


def graded(left, right, case):
    return Grade((int(left[0]) - int(right[0])) / 2)


async def slow(left, right, case):
    await asyncio.sleep(0)
    return max(left, right)


def test_from_outputs_to_a_proof():
    result = rank(SYSTEMS, {"h": honest, "g": graded}, cases=CASES, goal="order", within=0.05, seed=1)
    assert result.order == ("new", "mid", "old") and result.proven and result.resolution == 0.05
    assert result.questions < 60 and result.ranker == "jury" and "on all cases" in result.details.reason
    assert {event.data.get("case") for event in result.events if event.kind == "asked"} <= set(CASES)
    graded_answers = [event.data for event in result.events if event.kind == "told" and "grade" in event.data]
    assert graded_answers and all(-1 <= data["grade"] <= 1 for data in graded_answers)


def test_async_judges_with_many_open():
    result = rank(SYSTEMS, {"s": slow}, cases=CASES, goal="best", within=0, concurrency=16)
    assert result.proven and result.order[0] == "new"
    assert result.details.jury["seed_from"] == "entropy"


def test_files_and_folders_say_the_same(tmp_path):
    rows = [{"system": s, "case": c, "output": o} for s, outputs in SYSTEMS.items() for c, o in outputs.items()]
    lines = tmp_path / "outputs.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    sheet = tmp_path / "outputs.csv"
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["system", "case", "output"])
        writer.writeheader()
        writer.writerows(rows)
    folder, files = tmp_path / "folder", tmp_path / "files"
    files.mkdir()
    for name, outputs in SYSTEMS.items():
        (folder / name).mkdir(parents=True)
        for case, text in outputs.items():
            (folder / name / f"{case}.txt").write_text(text)
        given = "".join(json.dumps({"case": c, "output": o}) + "\n" for c, o in outputs.items())
        (files / f"{name}.jsonl").write_text(given)
    parquet = tmp_path / "outputs.parquet"
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(rows), parquet)
    for place in (lines, sheet, folder, files, parquet):
        assert read_outputs(place) == SYSTEMS, place
    assert rank(str(folder), {"h": honest}, within=0.1).order[0] == "new"


def test_cases_carry_input_group_and_weight(tmp_path):
    rows = [
        {"id": c, "input": c, "group": "odd" if k % 2 else "even", "weight": 1 + k} for k, c in enumerate(CASES)
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = rank(SYSTEMS, {"h": honest}, cases=file, within=0.1)
    groups = {row["group"] for row in result.details.jury["by_group"]}
    assert groups == {"odd", "even"} and "by weight" in result.statement
    assert [case.id for case in read_cases({"a": 1, "b": 2})] == ["a", "b"]


def test_identical_outputs_are_ties_without_a_call():
    calls = []

    def judge(left, right, case):
        calls.append((left, right))
        return max(left, right)

    same = {**SYSTEMS, "twin": dict(SYSTEMS["old"])}
    result = rank(same, {"j": judge}, cases=CASES, goal="order", within=0)
    assert all(left != right for left, right in calls) and len(calls) == result.questions
    told = [event.data for event in result.events if event.data.get("source") == "identical outputs"]
    assert told and all(data["answer"] == "tie" for data in told)
    assert result.cost == pytest.approx(len(calls)) and result.judges[0].answered == len(calls)
    assert result.details.jury["identical"] == len(told) == result.details.jury["cells_asked"] - len(calls)
    assert f"{len(calls)} of 400 calls of the whole evaluation" in str(result)  # 480 without the twins' 80


def test_plain_things_are_compared_on_cases():
    result = rank([1, 2, 3], {"j": lambda left, right, case: max(left, right)}, cases=["x", "y"], within=0.1)
    assert result.order[0] == 3 and result.proven


def test_a_failed_call_is_tried_again_on_the_same_cell_then_refused():
    seen = []

    def shaky(left, right, case):
        seen.append((left, right))
        if case == "q3":
            raise OSError("no connection")
        return max(left, right)

    result = rank(SYSTEMS, {"s": shaky}, cases=CASES, goal="order", within=0, budget=300)
    failed = [pair for pair in seen if pair[0].endswith(" q3")]
    assert len(failed) % 3 == 0 and all(failed[k] == failed[k - k % 3] for k in range(len(failed)))
    assert result.proven


def test_a_judge_that_always_fails_is_set_aside_and_counts_against():
    def broken(left, right, case):
        raise OSError("down")

    judges, weights = {"h": honest, "b": broken}, {"h": 3, "b": 1}
    result = rank(SYSTEMS, judges, cases=CASES, goal="best", within=0, seed=5, options={"weights": weights})
    assert result.details.jury["dropped_judges"] == ["b"]
    assert result.proven and result.order[0] == "new"  # even if all of b's answers were against it


@pytest.mark.parametrize(
    ("systems", "options", "words"),
    [
        ({**SYSTEMS, "gap": {"q0": "x"}}, {}, "no output for case 'q1' .and for 38 more"),
        ({**SYSTEMS, "none": {"other": "x"}}, {"missing": "leave out"}, "do the case ids match"),
        (SYSTEMS, {"ranker": "certified"}, "knows no cases"),
        (SYSTEMS, {"cases": []}, "at least one"),
        (SYSTEMS, {"cases": ["q0", "q0"]}, "twice"),
        (SYSTEMS, {"cases": [{"id": "q0", "weight": 0}]}, "more than 0"),
        (SYSTEMS, {"weights": {"h": 0}}, "leave that judge out"),
        ({**SYSTEMS, "plain": "text"}, {}, "no outputs per case"),
    ],
)
def test_bad_input_says_what_to_do(systems, options, words):
    with pytest.raises(BadInput, match=words):
        rank_with(systems, {"h": honest}, **{"cases": CASES, **options})


def test_missing_outputs_can_be_left_out():
    gap = {case: text for case, text in SYSTEMS["old"].items() if case > "q2"}
    result = rank(
        {**SYSTEMS, "old": gap}, {"h": honest}, cases=CASES, missing="leave out", goal="order", within=0.05
    )
    assert result.proven and result.order == ("new", "mid", "old")


def test_a_wrong_answer_names_what_would_do():
    with pytest.raises(juryrank.JuryrankError, match="return left"):
        rank(SYSTEMS, {"w": lambda left, right, case: "neither"}, cases=CASES)


def test_skips_are_refusals_and_ties_are_ties():
    answers = iter([TIE, SKIP] * 1000)
    result = rank(SYSTEMS, {"j": lambda left, right, case: next(answers)}, cases=CASES[:5], within=0.1)
    assert result.proven  # everything is a tie, and a tie is at least as good
    assert any("refused" in warning for warning in result.warnings)


def test_nothing_is_proven_about_a_pair_that_nobody_answered():
    """ "At least half of the answers given" would be true of no answers at all, and a gate would open."""
    silent = rank(SYSTEMS, {"j": lambda left, right, case: SKIP}, cases=CASES[:3], goal="best", within=0.1)
    assert not silent.proven and "Nothing is proven" in silent.statement
    assert any("Every question about" in warning for warning in silent.warnings)
    gate = rank(SYSTEMS, {"j": lambda left, right, case: SKIP}, cases=CASES[:3], goal=["new over old"])
    assert not gate.proven
    assert not verify(gate.certificate()).proven


def test_one_case_and_a_case_that_nobody_can_answer():
    one = rank(SYSTEMS, {"h": honest}, cases=CASES[:1], goal="order", within=0)
    assert one.proven and any("only 2 answers per pair" in warning for warning in one.warnings)
    hard = {"h": lambda left, right, case: SKIP if case == CASES[1] else honest(left, right, case)}
    result = rank(SYSTEMS, hard, cases=CASES[:4], goal="order", within=0, seed=1)
    assert result.proven and result.order == ("new", "mid", "old")
    assert any("questions were refused" in warning for warning in result.warnings)


def test_a_recorded_table_is_played_again_and_its_votes_carry_the_case():
    from juryrank.judges import replayed
    from juryrank.votes.logs import votes_of

    names, cases = ["a", "b", "c"], [str(c) for c in range(30)]
    table = [("m", x, y, min(x, y), c) for x in names for y in names if x != y for c in cases]
    result = rank(names, replayed(table), cases=cases, goal="order", within=0.05)
    assert result.order == ("a", "b", "c") and result.proven
    assert {vote.case for vote in votes_of(result.events)} <= set(cases)


def test_texts_may_hold_any_sign_for_a_new_line_and_be_long(tmp_path):
    odd = {"a": {"q": "one\u2028two\x85three\x0cfour"}, "b": {"q": "é" * 200_000}}
    rows = [{"system": s, "case": c, "output": o} for s, outputs in odd.items() for c, o in outputs.items()]
    lines, sheet = tmp_path / "outputs.jsonl", tmp_path / "outputs.csv"
    lines.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    with sheet.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["system", "case", "output"], delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    assert read_outputs(lines) == read_outputs(sheet) == odd
    cases = tmp_path / "cases.txt"
    cases.write_text("first\u2028line\nsecond\n", encoding="utf-8")
    assert [case.id for case in read_cases(cases)] == ["first\u2028line", "second"]


def test_no_output_is_a_missing_one_and_an_empty_one_is_an_output(tmp_path):
    gaps = {"a": {"q1": None, "q2": "x"}, "b": {"q1": "y", "q2": float("nan")}, "c": {"q1": "", "q2": "z"}}
    seen = {"a": {"q2": "x"}, "b": {"q1": "y"}, "c": {"q1": "", "q2": "z"}}
    rows = [{"system": s, "case": c, "output": o} for s, outputs in gaps.items() for c, o in outputs.items()]
    lines = tmp_path / "outputs.jsonl"
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_outputs(gaps) == read_outputs(rows) == read_outputs(lines) == seen
    with pytest.raises(BadInput, match="system 'a' has no output for case 'q1'; give it one"):
        rank(str(lines), {"m": lambda left, right, case: left})
    del gaps["b"]
    left_out = rank(gaps, {"m": lambda left, right, case: left}, missing="leave out")
    assert "1 of the 2 comparisons" in left_out.statement


def test_data_frames_are_tables_of_outputs_and_cases():
    pandas = pytest.importorskip("pandas")
    rows = [{"system": s, "case": c, "output": o} for s, outputs in SYSTEMS.items() for c, o in outputs.items()]
    long, cases = pandas.DataFrame(rows), pandas.DataFrame({"id": CASES, "input": CASES, "weight": 2.0})
    wide = long.pivot(index="case", columns="system", values="output")
    assert read_outputs(long) == read_outputs({name: wide[name] for name in wide}) == SYSTEMS
    assert rank(long, {"h": honest}, cases=cases, within=0.1).order[0] == "new"
    assert rank(long, {"h": honest}, within=0.1).order[0] == "new"
    with pytest.raises(BadInput, match="no 'system'; it has: mid, new, old"):
        rank(wide, {"h": honest}, cases=CASES)
    gaps = pandas.DataFrame({"system": ["a", "b"], "case": [1.0, 1.0], "output": ["x", None]})
    assert read_outputs(gaps) == {"a": {"1": "x"}, "b": {}}
    letters = pandas.DataFrame({"id": ["a", "b"], "size": [2, 1]})
    sized = rank(letters, {"m": lambda left, right: max(left, right, key=lambda row: row["size"])})
    assert sized.order == ("a", "b")


def test_a_mapping_of_plain_things_shows_things_and_no_names():
    seen = []

    def judge(left, right, case):
        seen.append({left, right})
        return max(left, right)

    result = rank({"secret": "thing 2", "other": "thing 1"}, {"m": judge}, cases=["q1", "q2"], within=0)
    assert result.order == ("secret", "other") and all(pair == {"thing 1", "thing 2"} for pair in seen)
    with pytest.raises(BadInput, match="which output is for which case"):
        rank({"a": ["x", "y"], "b": ["x", "z"]}, {"m": judge}, cases=["q1", "q2"])


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a/q.txt": "1", "a/q.md": "2", "b/q.txt": "3"}, "both for case 'q'"),
        ({"a/v1.1": "1", "a/v1.2": "2", "b/v1.1": "3"}, "both for case 'v1'"),
        ({"a/q.txt": "1", "a.csv": "case,output\nq,2\n", "b/q.txt": "3"}, "holds system 'a' twice"),
        (
            {"a.csv": "system,case,output\nz,q,2\n", "b/q.txt": "3"},
            "is of system 'z', and the file's name says 'a'",
        ),
        (
            {"a.csv": "case,output\nq,yes, it is\n", "b/q.txt": "3"},
            "line 2 of .* 3 cells, and the first line names only 2 columns",
        ),
    ],
)
def test_nothing_in_a_folder_is_lost_in_silence(tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with pytest.raises(BadInput, match=words):
        read_outputs(tmp_path)


def test_case_objects_are_read_like_rows():
    plain = {"a": {1: "x"}, "b": {1: "y"}}
    assert rank(plain, {"m": lambda left, right, case: max(left, right)}, cases=[juryrank.Case(1, "in")]).proven
    with pytest.raises(BadInput, match="must be more than 0"):
        read_cases([juryrank.Case("q", "in", weight=float("nan"))])


@pytest.mark.parametrize(
    ("names", "claim"),
    [
        (("new", "old"), "new over old"),  # one claim need not stand in a list
        (("over", "old"), "over over old"),
        (("game over", "old"), "game over over old"),
        (("left over right", "right"), ["left over right over right"]),
        ((" new ", "old"), [(" new ", "old")]),
    ],
)
def test_a_claim_about_names_of_any_kind_is_proven_and_checked(names, claim):
    systems = dict(zip(names, [SYSTEMS["new"], SYSTEMS["old"]], strict=True))
    result = rank(systems, {"h": honest}, cases=CASES, goal=claim, within=0.05)
    report = verify(json.loads(json.dumps(result.certificate())))
    said = "{} against {}: the first".format(*map(in_sentence, names))
    assert result.proven and report.proven and said in report.statement


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("", "no goal ''"),
        ("new beats old", "a claim such as 'new over old'"),
        ("new over none", "names 'none', which is not an item"),
        ("new over new", "compares an item with itself"),
        ("a over b over c", "can be read in 2 ways"),
    ],
)
def test_a_claim_that_is_none_is_refused(claim, words):
    systems = dict.fromkeys(("new", "old", "a", "b over c", "a over b", "c"), SYSTEMS["new"])
    with pytest.raises(JuryrankError, match=words):
        rank(systems, {"h": honest}, cases=CASES, goal=claim)


def test_the_case_of_column_names_does_not_matter():
    found = read_cases([{"ID": "q1", "Input": "2 + 2?", " Weight": "3", "Group": "sums"}])
    assert found == [Case("q1", "2 + 2?", group="sums", weight=3.0)]
    rows = [{"System": name, "CASE": "q1", "Output": name * 2} for name in "ab"]
    assert read_outputs(rows) == {"a": {"q1": "aa"}, "b": {"q1": "bb"}}
